"""Checks the plan in the untrusted text of a job that ranks share: stage `placed`."""

from __future__ import annotations

from math import inf, prod
from typing import Any

from penstock.ir.attributes import DictAttr, IntegerAttr, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import BUCKET, MACHINE, MESH, RANKS, Box
from penstock.ir.dialects.job.sharding import axis_states, is_partial, problem
from penstock.ir.meaning.sbp_rules import signatures
from penstock.passes.placement.states import (
    Signature,
    argument_state,
    returned_state,
    signature_of,
)

_MOST_RANKS = 4096


def check_plan(module: Module) -> None:
    """Fail unless each op has a signature that it may have, and each value the states of its
    readers.

    A module of one rank has no plan.
    """
    ranks, mesh = module.attributes.get(RANKS), module.attributes.get(MESH)
    if mesh is None:
        return
    extents = python_value(mesh)
    is_mesh = isinstance(extents, list) and all(type(n) is int and n > 0 for n in extents)
    count = prod(extents) if is_mesh and len(extents) < 32 else 0
    if not 1 < count <= _MOST_RANKS or ranks != IntegerAttr(count):
        module.fail(f"has {MESH} = {mesh} and {RANKS} = {ranks}: expected a mesh of these ranks")
    _check_links(module, len(extents))
    _Plan(module, tuple(extents)).check()


def _check_links(module: Module, axes: int) -> None:
    machine = module.attributes.get(MACHINE)
    if machine is None:
        return
    links = python_value(machine).get("links") if isinstance(machine, DictAttr) else None
    if not (isinstance(links, list) and len(links) == axes and all(map(_is_link, links))):
        module.fail(f"has {MACHINE} = {machine}: expected links of {axes} axes")


def _is_link(link: Any) -> bool:
    if not (isinstance(link, list) and len(link) == 3 and all(isinstance(n, float) for n in link)):
        return False
    latency, bandwidth, copies = map(float, link)
    return 0 <= latency < inf and 0 < bandwidth < inf and 0 < copies < inf


class _Plan:
    def __init__(self, module: Module, mesh: tuple[int, ...]) -> None:
        self.job = module.job
        self.mesh = mesh
        self.states: dict[Value, str] = {}

    def check(self) -> None:
        for i, argument in enumerate(self.job.arguments):
            self._has(self.job, argument, argument_state(self.job, i, self.mesh))
        returned = self.job.returned
        for op in self.job.body:
            if op is not returned:
                self._check(op)
        for i, value in enumerate(returned.operands):
            self._reads(returned, value, returned_state(self.job, i, self.mesh))

    def _check(self, op: Operation) -> None:
        bucket = op.attributes.get(BUCKET)
        if bucket is not None and not (isinstance(op, Box) and isinstance(bucket, IntegerAttr)):
            op.fail(f"has {BUCKET} = {bucket}: expected the number of a bucket, on a conversion")
        if isinstance(op, Box):
            signature = Signature((op.source,), (op.target,))
        else:
            signature = signature_of(op, self.mesh)
            if isinstance(op, TensorOp):
                self._may_have(op, signature)
        for value, state in zip(op.operands, signature.operands, strict=True):
            self._reads(op, value, state)
        for value, state in zip(op.results, signature.results, strict=True):
            self._has(op, value, state)

    def _may_have(self, op: TensorOp, signature: Signature) -> None:
        """Fail unless a signature is one of the op's on each axis."""
        blocks = {(one.operands, one.results): one.blocks for one in signatures(op)}
        every = [signature.on_axis(axis) for axis in range(len(self.mesh))]
        for axis, own in enumerate(every):
            ranks = prod(n for n, one in zip(self.mesh, every, strict=True) if one == own)
            if own not in blocks or (blocks[own] and blocks[own] % ranks):
                op.fail(f"has a signature on axis {axis} that is none of its own")

    def _has(self, op: Operation, value: Value, state: str) -> None:
        wrong = problem(state, tensor(value).rank, len(self.mesh))
        if wrong:
            op.fail(f"has a value in state {state!r}: {wrong}")
        self.states[value] = state

    def _reads(self, op: Operation, value: Value, state: str) -> None:
        made = self.states[value]
        if made != state or (op.takes_parts and any(map(is_partial, axis_states(state)))):
            op.fail(f"reads a value in state {state!r}, and it is made in {made!r}")
