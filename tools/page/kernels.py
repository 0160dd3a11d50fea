"""The kernels of a job: the ops that each computes, and what was fused, or why not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Call
from penstock.ir.location import FileLocation, FusedLocation, Location, fuse
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.record import Record, replace
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import Pipeline

_MARK = "<op>"
_MARKED = re.compile(rf"{_MARK}:([\d,]+) (.*)")


class KernelNode(Record):
    """A kernel of a job: the ops that it computes, by their index in the body."""

    name: str
    ops: tuple[int, ...]
    cost: Cost
    device: str = ""
    """Such as `gpu 0:0`, of a job that is on several; empty for the CPU and for a job on one."""


class Kernels(Record):
    """The kernels that a module at stage `placed` becomes."""

    kernels: tuple[KernelNode, ...]
    """In the order in which a step runs them; an op may be in several."""
    remarks: tuple[Mapping[str, Any], ...]
    """For each pair of ops, whether they were fused, or why not."""

    def joined(self, other: Kernels, device: str) -> Kernels:
        """These and those of another device."""
        there = tuple(replace(kernel, device=device) for kernel in other.kernels)
        return Kernels(self.kernels + there, self.remarks + other.remarks)


def kernels_of(module: Module, pipeline: Pipeline) -> tuple[Kernels, Module]:
    """The kernels of a module at stage `placed`, and its stage `fused`.

    While `pipeline` makes that, the location of each op is its index in the body. Raises `IRError`,
    with such locations, if a pass fails.
    """
    copy = cast(Module, module.clone())
    for number, op in enumerate(copy.job.body):
        op.location = FileLocation(_MARK, number)
    report = run_pipeline(copy, pipeline, verify_each=False, remarks=True)
    costs = {f.sym_name: cost_of(f) for f in copy.functions()[1:]}
    kernels, taken = [], set()
    for op in copy.job.body:
        numbers = [at.line for at in op.location.files() if at.file == _MARK]
        if isinstance(op, Call):
            kernels.append(KernelNode(op.callee, tuple(numbers), costs.get(op.callee, Cost())))
        taken.update(numbers)
    remarks = tuple(
        {
            "producer": _side(remark.producer), "consumer": _side(remark.consumer),
            "fused": remark.fused, "why": remark.why,
        }
        for remark in report.session.remarks or ()
    )  # fmt: skip
    _restore(copy, module)
    return Kernels(_with_absorbed(module, kernels, taken), remarks), copy


def _restore(copy: Module, module: Module) -> None:
    """Give the ops of a copy the locations of the ops that they were made of."""
    locations = _Locations([op.location for op in module.job.body])
    for op in copy.walk():
        op.location = locations.of(op.location)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.location = locations.of(argument.location)


class _Locations:
    """The locations that marks stand for."""

    def __init__(self, marked: Sequence[Location]) -> None:
        self._marked = marked
        self._known: dict[Location, Location] = {}

    def of(self, location: Location) -> Location:
        known = self._known.get(location)
        if known is None:
            known = self._known[location] = self._found(location)
        return known

    def _found(self, location: Location) -> Location:
        if isinstance(location, FileLocation) and location.file == _MARK:
            return self._marked[location.line]
        if isinstance(location, FusedLocation):
            return fuse(*map(self.of, location.parts), metadata=location.metadata)
        return location


def _side(text: str) -> dict[str, Any]:
    found = _MARKED.fullmatch(text)
    if found is None:
        return {"ops": [], "what": text}
    return {"ops": [int(n) for n in found[1].split(",")], "what": found[2]}


def _with_absorbed(
    module: Module, kernels: Sequence[KernelNode], taken: set[int]
) -> tuple[KernelNode, ...]:
    """Add ops that were folded or moved into their only user's kernel, such as constants."""
    numbers = {op: number for number, op in enumerate(module.job.body)}
    homes: dict[int, set[int]] = {}
    for place, kernel in enumerate(kernels):
        for number in kernel.ops:
            homes.setdefault(number, set()).add(place)
    more: dict[int, list[int]] = {}
    for op in reversed(module.job.body):
        number = numbers[op]
        if number in taken or op.terminator or not op.pure:
            continue
        users = {numbers.get(user, -1) for result in op.results for user in result.users()}
        found = set().union(*(homes.get(user, {-1}) for user in users)) if users else {-1}
        if len(found) == 1 and -1 not in found:
            homes[number] = found
            more.setdefault(min(found), []).append(number)
    return tuple(
        replace(kernel, ops=tuple(sorted({*kernel.ops, *more.get(place, ())})))
        for place, kernel in enumerate(kernels)
    )
