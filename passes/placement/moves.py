"""What it costs to send values between groups of ranks."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import product

from penstock.ir.attributes import python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.sbp import SIGNATURE
from penstock.ir.dialects.job.sharding import BROADCAST, PARTIAL, joined, problem, split
from penstock.ir.meaning.boxing import Link
from penstock.ir.types import TensorType
from penstock.passes.placement.local.groups import Group, Groups
from penstock.passes.placement.local.states import returned_state, whole
from penstock.passes.placement.local.transfers import Move


class Moves:
    """The values of a job that go between groups, with the states in which they do so far."""

    def __init__(self, groups: Groups, link: Link) -> None:
        self.groups = groups
        self.link = link
        self.of = groups.of_values()
        self.states: dict[Value, str] = {}
        """The state in which each value is made, where that is chosen."""
        self.wanted: dict[tuple[Value, int], dict[Operation, str]] = defaultdict(dict)
        """The states in which ops of another group read a value, as far as these are chosen."""
        job = groups.job
        for place, argument in enumerate(job.arguments):
            if "job.variable" not in job.argument_attributes(place):
                self.states[argument] = whole(groups.every[self.of[argument]].mesh)
        for place, value in enumerate(job.returned.operands):
            taker = groups.of_result(place)
            if value in self.of and self.of[value] != taker:
                mesh = groups.every[taker].mesh
                self.wanted[value, taker][job.returned] = returned_state(job, place, mesh)

    def note(self, op: Operation) -> None:
        """Take over the signature of an op."""
        signature = python_value(op.attributes[SIGNATURE])
        self.states.update(zip(op.results, signature["results"], strict=True))
        number = self.groups.of(op)
        for value, state in zip(op.operands, signature["operands"], strict=True):
            if self.of[value] != number:
                self.wanted[value, number][op] = state

    def seconds(self, value: Value, number: int) -> Mapping[str, float] | None:
        """What it costs to have a value in each state in a group: to get it from the group that
        has it, or to send it to those that read it. None if that costs nothing."""
        own, every = self.of[value], self.groups.every
        if own != number:
            if value not in self.states:
                return None
            pairs = [(own, number, self.states[value])]
        else:
            # It goes to each group once, in the state that the first reader there wants.
            found = [(taker, ops) for (of, taker), ops in self.wanted.items() if of is value]
            pairs = [(own, taker, next(iter(ops.values()))) for taker, ops in found if ops]
        if not pairs:
            return None
        type = tensor(value)
        totals: dict[str, float] = {}
        for state in _states(type, every[number].mesh):
            totals[state] = sum(
                seconds(
                    type,
                    (state, other) if own == number else (other, state),
                    every[giver],
                    every[taker],
                    self.link,
                )
                for giver, taker, other in pairs
            )
        return totals if any(totals.values()) else None


@lru_cache(1 << 14)
def seconds(
    type: TensorType, states: tuple[str, str], giver: Group, taker: Group, link: Link
) -> float:
    """The time of a conversion from a state in one group to a state in another: that of the rank
    that sends most messages, and of the one that sends most bytes."""
    move = Move(type, states, giver, taker)
    messages = Counter(give for give, take, _ in move.messages if give != take)
    sent: Counter[int] = Counter()
    for give, take, part in move.messages:
        if give != take:
            sent[give] += math.prod(size for _, size in part) * move.itemsize
    total = 0.0
    if messages:
        total = max(messages.values()) * link.latency + max(sent.values()) / link.bandwidth
    for steps, group in ((move.way.before, giver), (move.way.after, taker)):
        for step in steps:
            total += step.picoseconds(type.shape, move.itemsize, group.mesh, link) * 1e-12
    return total


def _states(type: TensorType, mesh: tuple[int, ...]) -> list[str]:
    """The states that a tensor may have on a mesh."""
    each = [BROADCAST, PARTIAL, "P(max)", "P(min)", *map(split, range(type.rank))]
    every = map(joined, product(each, repeat=len(mesh)))
    return [state for state in every if problem(state, type.rank, len(mesh)) is None]
