"""The text of a graph: its settings, modules, parameters, inputs, outputs and ops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from penstock.basics.dtypes import from_word
from penstock.graphs.compiled import CompiledGraph
from penstock.graphs.debugging import Debug, operator
from penstock.graphs.parts import GraphParts
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import tensor
from penstock.nn.modules.module import Module
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob


def graph_lines(graph: GraphParts, compiled: CompiledGraph | None) -> Iterator[str]:
    """The lines of a graph's `repr`."""
    yield f"(GRAPH:{graph.name}:{type(graph).__name__}): ("
    inner = [repr(graph.config)]
    if compiled is not None:
        trace = compiled.built.trace
        inner += [
            f"(INPUT:{name}:{brief(trace.value_named(name))})" for name in compiled.built.inputs
        ]
    for name, block in graph._blocks.items():
        inner += module_lines(name, block.origin, graph._block_configs, compiled, graph._debug)
    if compiled is not None:
        inner += operator_lines(compiled, "", graph._debug)
        inner += [f"(OUTPUT:{blob.name}:{brief(blob)})" for blob in compiled.built.outputs.blobs]
    yield from indented(inner)
    yield ")"


def module_lines(
    name: str,
    module: Module,
    configs: Mapping[int, Any],
    compiled: CompiledGraph | None,
    debug: Debug | None = None,
) -> list[str]:
    """The lines of a module in a graph; once it is traced, with what it was given and returned."""
    extra = f"({module.extra_repr()})"
    head = f"(MODULE:{name}:{type(module).__name__}{extra})"
    inner: list[str] = []
    config = configs.get(id(module))
    if config is not None:
        inner.append(repr(config))
    calls = compiled.built.trace.calls.get(name, ()) if compiled is not None else ()
    for call in calls:
        inner += [f"(INPUT:{name}.input.{n}:{brief(leaf)})" for n, leaf in call.inputs]
    for word, own in (("PARAMETER", "_parameters"), ("BUFFER", "_buffers")):
        held = module.__dict__[own].items()
        inner += [f"({word}:{name}.{n}:{brief(t)}): ()" for n, t in held if t is not None]
    for below, child in module.named_children():
        inner += module_lines(f"{name}.{below}", child, configs, compiled, debug)
    if compiled is not None and debug is not None:
        inner += operator_lines(compiled, name, debug)
    for call in calls:
        inner += [f"(OUTPUT:{name}.output.{n}:{brief(leaf)})" for n, leaf in call.outputs]
    if not inner:
        return [f"{head}: ()"]
    return [f"{head}: (", *indented(inner), ")"]


def indented(lines: Sequence[str]) -> list[str]:
    """Lines two columns to the right."""
    return [f"  {line}" for line in lines]


def operator_lines(compiled: CompiledGraph, name: str, debug: Debug) -> list[str]:
    """The ops that the calls of a module made, or `build` itself for the empty name."""
    return [
        f"(OPERATOR: {operator(op, True, debug.with_lines)})"
        for call in compiled.built.trace.calls.get(name, ())
        for op in call.ops
    ]


def brief(value: Any) -> str:
    """A tensor or blob without its elements; another value as it is."""
    if isinstance(value, Value):
        type = tensor(value)
        return f"tensor(..., size={type.shape}, dtype=penstock.{from_word(str(type.element)).name})"
    if not isinstance(value, Tensor | Blob):
        return repr(value)
    grad = ", requires_grad=True" if isinstance(value, Tensor) and value._requires_grad else ""
    return f"tensor(..., size={tuple(value.shape)}, dtype=penstock.{value.dtype.name}{grad})"
