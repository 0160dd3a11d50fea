"""`flow.nn.graph`: graphs, and what stands for modules in them."""

from penstock.graphs.blocks import GraphModule, Proxy
from penstock.graphs.config import GraphConfig
from penstock.graphs.graph import Graph

__all__ = ["Graph", "GraphConfig", "GraphModule", "Proxy"]
