"""Which forward ops gradients compute again, so that a step fits into a limit of memory.

The model is that of stage `grad`: variables and feeds are always there, any other value from its op
to its last reader. Views, and new values of variables, take nothing of their own. On several ranks,
a rank has the part that an even split along one dimension gives it. Fusion comes later and needs
less. Source of the idea: Chen et al., "Training deep nets with sublinear memory cost", 2016; the
choice by cost per byte is that of Jain et al., "Checkmate", 2020, made greedily.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job import AGAIN, Watchable
from penstock.ir.dialects.job.update import Update
from penstock.ir.meaning.cost import cost_of
from penstock.ir.types import TensorType, byte_width
from penstock.passes.sharding.machine import Machine

Ops = frozenset[Operation]


class Copies(NamedTuple):
    """Where copies of ops are made and read."""

    ahead_of: dict[Operation, int]
    """Of each op that is computed again, the place of the op that its copy precedes."""
    spans: dict[Value, tuple[int, int]]
    """From the first to the last place at which a copy takes memory."""
    last: dict[Value, int]
    """The last place at which an original takes memory."""


class Outcome(NamedTuple):
    """What was chosen."""

    ops: Ops
    """The forward ops that are computed again."""
    before: int
    """Bytes of a rank without copies."""
    after: int
    """Bytes of a rank with them."""
    peak: Operation
    """The op at which this is."""
    seconds: float
    """The predicted time of the copies."""


class MemoryModel:
    """The memory of a job's ops, of which `forward` is the last one of the forward pass."""

    def __init__(self, block: Block, forward: Operation, ranks: int) -> None:
        self.ops = list(block)
        self.places = {op: place for place, op in enumerate(self.ops)}
        self.forward = self.places[forward]
        self.ranks = ranks
        self.costs: dict[Operation, float] = {}
        self.readers: dict[Value, list[int]] = {}
        for op in self.ops:
            for value in (*op.operands, *op.results):
                # A watch point keeps nothing: watching recomputes what is not there.
                users = [user for user in value.users() if not isinstance(user, Watchable)]
                self.readers.setdefault(value, sorted(self.places[user] for user in users))
        self.sizes = {value: self._size(value) for value in self.readers}
        self.fixed = sum(self._bytes(value) for value in block.arguments)
        self.made: dict[Value, int] = {
            value: place for op, place in self.places.items() for value in op.results
        }
        """The results of ops, with the places of these."""
        self.backward = {
            value: [place for place in self.readers[value] if place > self.forward]
            for value in self.made
        }
        self.last: dict[Value, int] = {
            value: max(self.readers[value], default=place) for value, place in self.made.items()
        }
        """The last place at which each is read, without copies."""
        self.views = [
            (op.operands[0], op.results[0])
            for op in reversed(self.ops)
            if isinstance(op, TensorOp) and op.is_view and op.operands
        ]

    def _bytes(self, value: Value) -> int:
        if not isinstance(value.type, TensorType):
            return 0
        shape = value.type.shape
        whole = math.prod(shape)
        parts = [-(-extent // self.ranks) * whole // extent for extent in shape if extent]
        return min(parts, default=whole) * byte_width(value.type.element)

    def _size(self, value: Value) -> int:
        op = value.defining_op
        if op is None or (isinstance(op, TensorOp) and op.is_view) or isinstance(op, Update):
            return 0
        return self._bytes(value)

    def seconds(self, ops: Collection[Operation]) -> float:
        """The predicted time of ops, on the machine that placements assume."""
        for op in ops:
            if op not in self.costs:
                cost, machine = cost_of(op), Machine((1,), ())
                arithmetic = (cost.flops + cost.transcendentals) / machine.flops
                moved = cost.bytes / machine.bandwidth
                self.costs[op] = max(arithmetic, moved) / self.ranks + machine.overhead
        return math.fsum(self.costs[op] for op in ops)

    def can_copy(self, op: Operation | None) -> bool:
        """Whether an op is of the forward pass, computes the same again, and the caller gets none
        of its results."""
        if not isinstance(op, TensorOp) or not op.pure or self.places[op] > self.forward:
            return False
        end = len(self.ops) - 1
        return all(end not in self.readers[value] for value in op.results)

    def copies(self, chosen: Ops) -> Copies:
        """Where the copies of ops are, each ahead of the first op that reads it."""
        found = Copies({}, {}, {})
        wanted: dict[Value, list[int]] = {}
        for op in sorted(chosen, key=self.places.__getitem__, reverse=True):
            reading: dict[Value, list[int]] = {
                value: [*self.backward[value], *wanted.get(value, ())] for value in op.results
            }
            every = [place for places in reading.values() for place in places]
            if not every:
                continue
            found.ahead_of[op] = first = min(every)
            for value, places in reading.items():
                found.spans[value] = first, max(places, default=first)
            for value in op.operands:
                wanted.setdefault(value, []).append(first)
        found.last.update(self.last)
        for value in found.spans:
            early = [place for place in self.readers[value] if place <= self.forward]
            found.last[value] = max(early, default=self.made[value])
        for value, places in wanted.items():
            if value in self.made and value not in found.spans:
                found.last[value] = max(found.last[value], *places)
        self._keep_viewed(found)
        return found

    def _keep_viewed(self, found: Copies) -> None:
        """A view's operand is there as long as the view."""
        for value, view in self.views:
            if value in found.last:
                found.last[value] = max(found.last[value], found.last[view])
            if view in found.spans and value in found.spans:
                first, last = found.spans[value]
                found.spans[value] = first, max(last, found.spans[view][1])
            elif view in found.spans and value in found.last:
                found.last[value] = max(found.last[value], found.spans[view][1])

    def profile(self, copies: Copies) -> list[int]:
        """The bytes that are live at each op."""
        change = [0] * (len(self.ops) + 1)
        change[0] = self.fixed
        for value, place in self.made.items():
            if size := self.sizes[value]:
                change[place] += size
                change[copies.last[value] + 1] -= size
        for value, (first, last) in copies.spans.items():
            change[first] += self.sizes[value]
            change[last + 1] -= self.sizes[value]
        return list(accumulate(change[:-1]))


class _Search:
    """Adds ops until the limit holds: those first that cost the least time for what they save."""

    def __init__(self, model: MemoryModel, limit: float) -> None:
        self.model = model
        self.limit = limit
        self.chosen: Ops = frozenset()
        self.now = model.copies(self.chosen)
        self.above = self._above(self.now)

    def _above(self, copies: Copies) -> float:
        """By how much memory is above the limit, over all ops."""
        profile = self.model.profile(copies)
        return sum(size - self.limit for size in profile if size > self.limit)

    def run(self) -> Ops:
        waiting = [op for op in self.model.ops if self._helps(op)]
        while self.above and waiting:
            before = self.above
            waiting = self._round(waiting)
            if self.above == before:
                break
        return self._needed() if not self.above else self.chosen

    def _helps(self, op: Operation) -> bool:
        """Whether gradients read what an op makes, and it can be made again."""
        last = (max(self.model.readers[value], default=-1) for value in op.results)
        return self.model.can_copy(op) and max(last, default=-1) > self.model.forward

    def _round(self, waiting: Sequence[Operation]) -> list[Operation]:
        """Try each op; returns those that saved nothing."""
        left = []
        heap = [(self._best(op)[0], number) for number, op in enumerate(waiting)]
        heapq.heapify(heap)
        while heap and self.above:
            _, number = heapq.heappop(heap)
            price, ops = self._best(waiting[number])
            if math.isinf(price):
                left.append(waiting[number])
            elif heap and price > heap[0][0]:
                heapq.heappush(heap, (price, number))
            else:
                self.chosen = ops
                self.now = self.model.copies(ops)
                self.above = self._above(self.now)
        return left

    def _best(self, op: Operation) -> tuple[float, Ops]:
        """The least seconds per byte that an op costs, and what is chosen then."""
        if op in self.chosen:
            return math.inf, self.chosen
        ways = {self.chosen | {op, *self._views(op)}, self._with_makers(op)}
        return min(((self._price(ops), ops) for ops in ways), key=lambda way: way[0])

    def _price(self, ops: Ops) -> float:
        saved = self.above - self._above(self.model.copies(ops))
        return self.model.seconds(ops - self.chosen) / saved if saved > 0 else math.inf

    def _views(self, op: Operation) -> Iterator[Operation]:
        """The views of what an op makes, which keep it alive."""
        for value in op.results:
            for user in value.users():
                if isinstance(user, TensorOp) and user.is_view and self.model.can_copy(user):
                    yield user
                    yield from self._views(user)

    def _with_makers(self, op: Operation) -> Ops:
        """With an op, the makers of its operands that would stay in memory for it alone."""
        first = self.model.copies(self.chosen | {op}).ahead_of.get(op, len(self.model.ops))
        found, waiting = {*self.chosen}, [op]
        while waiting:
            each = waiting.pop()
            if each in found:
                continue
            found |= {each, *self._views(each)}
            for value in each.operands:
                maker = value.defining_op
                if maker is not None and self.model.can_copy(maker):
                    gone = self.now.last.get(value, 0) < first
                    if gone:
                        waiting.append(maker)
        return frozenset(found)

    def _needed(self) -> Ops:
        """The chosen ops without those that the limit does not need, the costliest first."""
        ops = self.chosen
        self.model.seconds(ops)
        order = sorted(ops, key=lambda op: (-self.model.costs[op], self.model.places[op]))
        for op in order:
            if not self._above(self.model.copies(ops - {op})):
                ops -= {op}
        return ops


def choose_ops(model: MemoryModel, limit: float) -> Outcome:
    """The forward ops to compute again for a limit in bytes of a rank; none if it holds as it is.

    If it cannot be met, the outcome is what takes the least.
    """
    none: Ops = frozenset()
    before = max(model.profile(model.copies(none)))
    ops = none if before <= limit else _Search(model, limit).run()
    copies = model.copies(ops)
    profile = model.profile(copies)
    peak = max(range(len(profile)), key=profile.__getitem__)
    made = frozenset(copies.ahead_of)
    return Outcome(made, before, profile[peak], model.ops[peak], model.seconds(made))


def insert_copies(model: MemoryModel, ops: Ops, number: Attribute) -> list[Operation]:
    """Have gradients read copies of ops, each made ahead of the first op that reads it; returns
    these, in the order of the ops."""
    ahead_of: Mapping[Operation, int] = model.copies(ops).ahead_of
    copies: dict[Value, Value] = {}
    made = []
    for op in model.ops:
        if op in ahead_of:
            copy = Builder.ahead_of(model.ops[ahead_of[op]]).insert(op.clone(copies))
            copy.attributes[AGAIN] = number
            for result in copy.results:
                result.name = ""
            made.append(copy)
    for op in model.ops[model.forward + 1 :]:
        if not isinstance(op, Watchable) and any(value in copies for value in op.operands):
            op.operands = [copies.get(value, value) for value in op.operands]
    return made
