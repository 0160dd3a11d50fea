"""Pass `bucket`: exchange several values at once, such as gradients."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from penstock.ir.attributes import IntegerAttr, unit
from penstock.ir.core import Operation, OpResult
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.sbp import BUCKET, DEFERRED, Box
from penstock.ir.meaning.boxing import COLLECTIVES
from penstock.ir.types import byte_width
from penstock.passes.base import Order, Pass
from penstock.passes.placement.local.exchanges import steps_of
from penstock.passes.placement.local.groups import Groups
from penstock.passes.placement.local.states import links_of, ranks_of
from penstock.passes.placement.overlap import computes

BUCKET_BYTES = 1e6
"""Bytes of the whole tensors that one collective exchanges together: where the latency of a link no
longer matters. Larger ones leave less to overlap with, and are packed in vain."""


class Bucket(Pass):
    """Put conversions side by side that one collective can do, as soon as their values are there.

        %0 = "sbp.box"(%g) {source = "P", target = "B"}
        %w1 = "job.sgd"(%w, %0, %rate) ...
        %1 = "sbp.box"(%h) {source = "P", target = "B"}
    ->
        %0 = "sbp.box"(%g) {sbp.bucket = 0 : i64, source = "P", target = "B"}
        %1 = "sbp.box"(%h) {sbp.bucket = 0 : i64, source = "P", target = "B"}
        %w1 = "job.sgd"(%w, %0, %rate) ...

    A bucket ends when its whole tensors have so many bytes, or where an op reads one of them. It is
    exchanged when its last value is made; if ops come before the first reader, these run meanwhile.
    Larger conversions are left alone. Source: Li et al., "PyTorch Distributed", 2020, section 3.2.
    """

    name = "bucket"
    for_ranks = True
    bytes: float = BUCKET_BYTES
    before: ClassVar[Order] = {
        "overlap": "that moves conversions that are alone",
        "localize": "that lowers the conversions",
        "lower": None,
    }
    after: ClassVar[Order] = {
        "place": "it says how many ranks there are",
        "box": "it inserts the conversions",
        "autodiff": None,
    }

    def run(self, module: Module) -> None:
        if ranks_of(module) > 1:
            _Buckets(module, self.bytes).run()


class _Buckets:
    def __init__(self, module: Module, limit: float) -> None:
        self.job = module.job
        self.groups = Groups(module)
        self.links = links_of(module)
        self.limit = limit
        self.ops = [op for op in self.job.body if not isinstance(op, Box)]
        self.positions = {op: i for i, op in enumerate(self.ops)}
        self.count = 0
        self.open: dict[Hashable, list[Box]] = {}
        """Conversions whose values are there, by what one collective can do together."""
        self.of_op: dict[Operation | None, list[Box]] = {}
        """The conversions of each op's results; under None, those of arguments."""
        self.keys: dict[Box, Hashable] = {}

    def run(self) -> None:
        for op in self.job.body:
            if isinstance(op, Box) and (key := self._key(op)) is not None:
                self.keys[op] = key
                self.of_op.setdefault(op.x.defining_op, []).append(op)
        self._open(None)
        for op in self.ops:
            for value in op.operands:
                box = value.defining_op
                if isinstance(box, Box) and box in self.open.get(self.keys.get(box), ()):
                    self._close(self.keys[box], box)
            self._open(op)

    def _key(self, box: Box) -> Hashable:
        """What conversions share that one collective can do; None for those that are large, or take
        several steps, or none that sends."""
        if box.giver is not None:
            return None
        type, group = tensor(box.y), self.groups.of(box)
        states, mesh = (box.source, box.target), self.groups.every[group].mesh
        found = steps_of(type, states, mesh, self.links)
        if len(found) != 1 or found[0].kind not in COLLECTIVES or _bytes(box) >= self.limit:
            return None
        (step,) = found
        return group, step.kind, step.axis, step.reduction, type.element

    def _open(self, op: Operation | None) -> None:
        """Add the conversions of an op's results; a bucket that is full ends here."""
        for box in self.of_op.get(op, ()):
            key = self.keys[box]
            boxes = self.open.setdefault(key, [])
            boxes.append(box)
            # Variables are there from the start: their conversions wait until one is read.
            ready = [one for one in boxes if isinstance(one.x, OpResult)]
            if sum(map(_bytes, ready)) >= self.limit:
                self._end(key, ready)

    def _close(self, key: Hashable, first: Box) -> None:
        """End a bucket where an op reads one of its values: that one, and others as long as there
        is room."""
        chosen = [first]
        size = _bytes(first)
        for box in self.open[key]:
            if box is not first and size + _bytes(box) <= self.limit:
                chosen.append(box)
                size += _bytes(box)
        self._end(key, chosen)

    def _end(self, key: Hashable, boxes: Sequence[Box]) -> None:
        """Put conversions behind the op that makes the last of their operands."""
        self.open[key] = [box for box in self.open[key] if box not in boxes]
        if len(boxes) == 1:
            return
        readers = [user for box in boxes for user, _ in box.y.uses]
        first = min(readers, key=self.positions.__getitem__)
        makers = [box.x.defining_op for box in boxes if box.x.defining_op is not None]
        last = max(makers, key=self.positions.__getitem__, default=None)
        start = first if last is None else self.ops[self.positions[last] + 1]
        between = self.ops[self.positions[start] : self.positions[first]]
        for box in boxes:
            box.move_before(start)
            box.attributes[BUCKET] = IntegerAttr(self.count)
            if any(computes(op) for op in between):
                box.attributes[DEFERRED] = unit
        self.count += 1


def _bytes(box: Box) -> int:
    return tensor(box.y).count * byte_width(tensor(box.y).element)
