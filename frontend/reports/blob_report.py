"""Reports the fate of each blob: the kernels that compute it, its memory, its live range.

Everything is read from stages `fused` and `loops`, where `name-locations` and `tap-blobs` keep the
names. The report is plain JSON values:

    {"kernels": [{"name": "matmul_add_relu_0", "ops": ["matmul", "add", "relu"], "lines": [...]}],
     "blobs": {"hidden": {"made": [0], "read": [1, 6], "place": "arena", "offset": 0,
                          "bytes": 204800}}}

A blob of a job of several ranks has `sharing`: what `penstock.passes.sharding.explain` says of it.
One whose op gradients compute again for a limit of memory has `again`, what `job.recomputed` says.

Kernels are numbered in the order of execution; kernels that only run while a blob is watched are
left out. A blob that is not stored has no place. A kernel that overwrites a blob with another one
reads the latter; only kernels that run in between read the former.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from penstock.codegen.text.effects import Effects
from penstock.ir.attributes import IntegerAttr, StringAttr, python_value
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import arith, func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import AGAIN, RECOMPUTED
from penstock.ir.dialects.job.sbp import MESH
from penstock.ir.location import FusedLocation, Location, NameLocation
from penstock.ir.types import MemRefType, byte_width
from penstock.passes.analysis.generics import sources

_PLACES = ("feed", "variable", "fetch")
_TAP = "penstock_tap_"


def blob_report(modules: Mapping[str, Module], taps: Sequence[str]) -> dict[str, Any]:
    """The report of a job with these taps, in order of their numbers."""
    loops = modules["loops"]
    ops = _sources(modules["fused"]) if "fused" in modules else {}
    calls = [op for op in loops.job.body if isinstance(op, func.Call) and not _is_tap(op)]
    blobs: dict[str, dict[str, Any]] = {name: {"made": [], "read": []} for name in taps}
    for number, call in enumerate(calls):
        for name in dict.fromkeys(_names(call.location)):
            if name in blobs:
                blobs[name]["made"].append(number)
    order = {op: i for i, op in enumerate(loops.job.body)}
    writes = _writes(loops)
    for name, buffer, guard in _shown(loops, taps):
        root, shown = _root(buffer), order[guard]
        places = [order[op] for op in writes.get(root, ())]
        first = max((place for place in places if place < shown), default=-1)
        last = min((place for place in places if place > shown), default=len(order))
        blobs[name]["read"] = [
            i
            for i, call in enumerate(calls)
            if first < order[call] <= last
            and root in map(_root, call.operands)
            and i not in blobs[name]["made"]
        ]
        blobs[name] |= _placed(loops, root)
    for name, found in _shared(modules).items():
        if name in blobs:
            blobs[name]["sharing"] = found
    for name in _recomputed(modules) & blobs.keys():
        blobs[name]["again"] = python_value(loops.attributes[RECOMPUTED])
    return {"kernels": [_kernel(call, ops) for call in calls], "blobs": blobs}


def _shared(modules: Mapping[str, Module]) -> dict[str, dict[str, Any]]:
    """Of each named result of a job of several ranks, how its op is shared, and why."""
    if "placed" not in modules or MESH not in modules["placed"].attributes:
        return {}
    # Most jobs have one rank and don't need it.
    from penstock.passes.sharding.explain import reasons

    return {
        result.name: why
        for op, why in reasons(modules["placed"]).items()
        for result in op.results
        if result.name
    }


def _recomputed(modules: Mapping[str, Module]) -> set[str]:
    """The named results whose ops gradients compute again for a limit of memory."""
    if RECOMPUTED not in modules["loops"].attributes or "grad" not in modules:
        return set()
    ops = list(modules["grad"].job.body)
    copied = {(op.name, op.location) for op in ops if AGAIN in op.attributes}
    made = [op for op in ops if (op.name, op.location) in copied]
    return {value.name for op in made for value in op.results if value.name}


def _sources(fused: Module) -> dict[str, list[str]]:
    """The ops that each group was made from."""
    return {
        function.sym_name: list(dict.fromkeys(s for op in function.walk() for s in sources(op)))
        for function in fused.functions()
    }


def _kernel(call: func.Call, ops: Mapping[str, list[str]]) -> dict[str, Any]:
    # An op written over its operand got a name of its own.
    group = call.callee.partition("_in_place")[0]
    lines = dict.fromkeys(call.location.lines())
    return {"name": call.callee, "ops": ops.get(group, []), "lines": list(lines)}


def _names(location: Location) -> Iterator[str]:
    if isinstance(location, FusedLocation):
        for part in location.parts:
            yield from _names(part)
    elif isinstance(location, NameLocation):
        yield location.label
        yield from _names(location.child)


def _is_tap(op: func.Call) -> bool:
    return op.callee.startswith(_TAP)


def _writes(module: Module) -> dict[Value, list[Operation]]:
    """The calls and copies of the job that write each buffer."""
    functions = {function.sym_name: function for function in module.functions()}
    effects = Effects(functions)
    found: dict[Value, list[Operation]] = {}
    for op in module.job.body:
        if isinstance(op, memref.Copy):
            found.setdefault(_root(op.operands[1]), []).append(op)
        elif isinstance(op, func.Call):
            for place in effects.written_arguments(op):
                found.setdefault(_root(op.operands[place]), []).append(op)
    return found


def _shown(module: Module, taps: Sequence[str]) -> Iterator[tuple[str, Value, scf.If]]:
    """The stored buffers that are shown under each name, and their places."""
    for guard in module.job.body:
        if isinstance(guard, scf.If):
            shown = [op for op in guard.walk() if isinstance(op, func.Call)]
            if all(map(_is_tap, shown)):
                for op in shown:
                    number = _number(op.operands[0])
                    if number is not None:
                        yield taps[number], op.operands[1], guard


def _number(value: Value) -> int | None:
    """A constant's value; in a module written by hand it may be computed."""
    op = value.defining_op
    found = op.value if isinstance(op, arith.Constant) else None
    return found.value if isinstance(found, IntegerAttr) else None


def _root(value: Value) -> Value:
    """The buffer behind a value, through views, unless it is memory that only handlers see."""
    op = value.defining_op
    while isinstance(op, arith.Select | memref.Cast | memref.CollapseShape | memref.ExpandShape):
        value = op.false_value if isinstance(op, arith.Select) else op.operands[0]
        op = value.defining_op
    return value


def _placed(module: Module, value: Value) -> dict[str, Any]:
    """The location of a buffer."""
    type, view = value.type, value.defining_op
    if not isinstance(type, MemRefType):
        return {}
    size = {"bytes": math.prod(type.shape) * byte_width(type.element)}
    if isinstance(value, BlockArgument):
        facts = module.job.argument_attributes(value.index)
        for place in _PLACES:
            name = facts.get(f"job.{place}")
            if isinstance(name, StringAttr):
                return {"place": place, "name": name.value, **size}
    if isinstance(view, memref.View):
        return {"place": "arena", "offset": _number(view.operands[1]), **size}
    return {}
