"""What the other modules of this room know of a graph."""

from __future__ import annotations

from typing import Any, Protocol

from penstock.graphs.blocks import GraphModule
from penstock.graphs.compiled import CompiledGraph
from penstock.graphs.config import GraphConfig
from penstock.graphs.debugging import Debug
from penstock.graphs.scalers import Scaler
from penstock.graphs.training import Learner
from penstock.ir.location import Location
from penstock.nn.modules.module import Module
from penstock.tensors.tensor import Tensor


class GraphParts(Protocol):
    """A graph: its modules, settings and optimizers."""

    config: GraphConfig
    _blocks: dict[str, GraphModule]
    _block_configs: dict[int, Any]
    """The settings of modules, by their ids."""
    _learners: list[Learner]
    _scaler: Scaler | None
    _debug: Debug
    _to_load: dict[str, Tensor]
    """What belongs to no module and is loaded when the graph is traced."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def location(self) -> Location: ...
    def build(self, *args: Any, **named: Any) -> Any: ...
    def _modules(self) -> dict[str, Module]: ...
    def _latest(self) -> CompiledGraph | None: ...
