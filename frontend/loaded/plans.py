"""Checks the plan in the untrusted text of a job that ranks share: stage `placed`."""

from __future__ import annotations

from math import inf, prod
from typing import Any

from penstock.ir.attributes import Attribute, DictAttr, IntegerAttr, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import (
    BUCKET,
    GROUP,
    GROUPS,
    MACHINE,
    MESH,
    RANKS,
    Box,
)
from penstock.ir.dialects.job.sharding import axis_states, is_partial, problem
from penstock.ir.meaning.sbp_rules import signatures
from penstock.passes.placement.local.groups import Group, Groups
from penstock.passes.placement.local.states import (
    Signature,
    argument_state,
    returned_state,
    signature_of,
)

_MOST_RANKS = 4096


def check_plan(module: Module) -> None:
    """Fail unless each op has a signature that it may have, and each value the states of its
    readers, on the ranks of these.

    A module of one rank has no plan.
    """
    ranks, mesh = module.attributes.get(RANKS), module.attributes.get(MESH)
    if mesh is None:
        _has_no_groups(module)
        return
    extents = python_value(mesh)
    count = prod(extents) if _is_mesh(extents) else 0
    if not 1 < count <= _MOST_RANKS or ranks != IntegerAttr(count):
        module.fail(f"has {MESH} = {mesh} and {RANKS} = {ranks}: expected a mesh of these ranks")
    _check_links(module, len(extents))
    _check_groups(module, count, extents)
    _Plan(module).check()


def _is_mesh(extents: Any) -> bool:
    is_list = isinstance(extents, list) and 0 < len(extents) < 32
    return is_list and all(type(n) is int and n > 0 for n in extents)


def _has_no_groups(module: Module) -> None:
    job = module.job
    arguments = (job.argument_attributes(place) for place in range(len(job.arguments)))
    if any(GROUP in known for known in arguments):
        job.fail(f"has {GROUP} for an argument, and its module has one rank")
    for op in (module, *job.body):
        for name in {GROUP, GROUPS} & op.attributes.keys():
            op.fail(f"has {name} in a module of one rank")


def _check_groups(module: Module, count: int, mesh: list[int]) -> None:
    if GROUPS not in module.attributes:
        return
    found = python_value(module.attributes[GROUPS])
    is_list = isinstance(found, list) and 1 < len(found) <= _MOST_RANKS
    if not is_list or not all(_is_group(one, count) for one in found):
        module.fail(f"has {GROUPS} that are no groups of its ranks")
    if found[0] != {"ranks": list(range(count)), "mesh": mesh}:
        module.fail(f"has {GROUPS} of which the first is not all ranks on {MESH}")


def _is_group(one: Any, count: int) -> bool:
    if not isinstance(one, dict) or set(one) != {"ranks", "mesh"} or not _is_mesh(one["mesh"]):
        return False
    ranks = one["ranks"]
    are_ranks = isinstance(ranks, list) and all(type(n) is int and 0 <= n < count for n in ranks)
    return are_ranks and len(set(ranks)) == len(ranks) == prod(one["mesh"])


def _check_links(module: Module, axes: int) -> None:
    machine = module.attributes.get(MACHINE)
    if machine is None:
        return
    links = python_value(machine).get("links") if isinstance(machine, DictAttr) else None
    if not (isinstance(links, list) and len(links) == axes and all(map(_is_link, links))):
        module.fail(f"has {MACHINE} = {machine}: expected links for each of its axes, {axes}")


def _is_link(link: Any) -> bool:
    if not (isinstance(link, list) and len(link) == 3 and all(isinstance(n, float) for n in link)):
        return False
    latency, bandwidth, copies = map(float, link)
    return 0 <= latency < inf and 0 < bandwidth < inf and 0 < copies < inf


class _Plan:
    def __init__(self, module: Module) -> None:
        self.job = module.job
        self.groups = Groups(module)
        self.states: dict[Value, tuple[str, int]] = {}
        """The state of each value, and the number of the group that has it."""

    def check(self) -> None:
        for i, argument in enumerate(self.job.arguments):
            known = self.job.argument_attributes(i).get(GROUP)
            number = self._number(self.job, known)
            state = argument_state(self.job, i, self.groups.every[number].mesh)
            self._has(self.job, argument, state, number)
        returned = self.job.returned
        for op in self.job.body:
            if op is not returned:
                self._check(op)
        if GROUP in returned.attributes:
            returned.fail(f"has {GROUP}: results are where their variables are, or on all ranks")
        for i, value in enumerate(returned.operands):
            number = self.groups.of_result(i)
            state = returned_state(self.job, i, self.groups.every[number].mesh)
            self._reads(returned, value, state, number)

    def _number(self, op: Operation, found: Attribute | None) -> int:
        """The number of a group; 0 is all ranks."""
        if found is None:
            return 0
        if isinstance(found, IntegerAttr) and 0 < found.value < len(self.groups.every):
            return found.value
        op.fail(f"has {GROUP} = {found}: expected the number of a group of ranks")

    def _check(self, op: Operation) -> None:
        number = giver = self._number(op, op.attributes.get(GROUP))
        group = self.groups.every[number]
        bucket = op.attributes.get(BUCKET)
        if bucket is not None and not (isinstance(op, Box) and isinstance(bucket, IntegerAttr)):
            op.fail(f"has {BUCKET} = {bucket}: expected the number of a bucket, on a conversion")
        if isinstance(op, Box):
            signature = Signature((op.source,), (op.target,))
            if op.giver is not None:
                giver = op.giver
                if not 0 <= giver < len(self.groups.every) or giver == number or bucket is not None:
                    op.fail(f"has giver = {giver}: expected another group of ranks, and no bucket")
        else:
            signature = signature_of(op, group.mesh)
            if isinstance(op, TensorOp):
                self._may_have(op, signature, group)
        for value, state in zip(op.operands, signature.operands, strict=True):
            self._reads(op, value, state, giver)
        for value, state in zip(op.results, signature.results, strict=True):
            self._has(op, value, state, number)

    def _may_have(self, op: TensorOp, signature: Signature, group: Group) -> None:
        """Fail unless a signature is one of the op's on each axis."""
        blocks = {(one.operands, one.results): one.blocks for one in signatures(op)}
        every = [signature.on_axis(axis) for axis in range(len(group.mesh))]
        for axis, own in enumerate(every):
            ranks = prod(n for n, one in zip(group.mesh, every, strict=True) if one == own)
            if own not in blocks or (blocks[own] and blocks[own] % ranks):
                op.fail(f"has a signature on axis {axis} that is none of its own")

    def _has(self, op: Operation, value: Value, state: str, number: int) -> None:
        wrong = problem(state, tensor(value).rank, len(self.groups.every[number].mesh))
        if wrong:
            op.fail(f"has a value in state {state!r}: {wrong}")
        self.states[value] = state, number

    def _reads(self, op: Operation, value: Value, state: str, number: int) -> None:
        made, owner = self.states[value]
        if owner != number:
            op.fail(f"reads a value on the ranks of group {number}, and group {owner} has it")
        if made != state or (op.takes_parts and any(map(is_partial, axis_states(state)))):
            op.fail(f"reads a value in state {state!r}, and it is made in {made!r}")
