"""Non-maximum suppression: of boxes that overlap, the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.codecs import FLOAT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import FLOATS, GIVES_INTEGERS, Array, Input, Sample
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Space
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder

BITS = 32
"""The boxes of a word."""
PAIR_CYCLES = 12
"""Roughly, to hold a box against another one."""
LEAST_CHUNK, MOST_CHUNKS = 8, 64
"""The fewest words of boxes that are decided one by one, and how often at most."""


class Nms(Kernel):
    """Which boxes to keep: 1 where no kept box before overlaps a box by more than `threshold`.

    Two boxes overlap by the area that they share over the area that they cover together. A box is
    its corners x1, y1, x2, y2; where x2 < x1 or y2 < y1 it is empty, and overlaps nothing.

    Shapes: boxes is [n, 4], the best first; kept is [n]. Elements: floats; kept is i8. Source:
    torchvision.ops.nms, on boxes that are sorted.

    >>> boxes = [[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.0], [3.0, 0.0, 4.0, 1.0]]
    >>> evaluate("flow.nms", boxes, threshold=0.4)
    array([1, 0, 1], dtype=int8)
    """

    name = "flow.nms"
    elements = FLOATS
    waived = GIVES_INTEGERS
    boxes = operand(TENSOR)
    threshold = attribute(FLOAT)
    kept = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (boxes,) = self.types()
        self.check_element(boxes)
        if boxes.rank != 2 or boxes.shape[1] != 4:
            self.fail(f"expected boxes of shape [n, 4], corners x1, y1, x2, y2, got {boxes}")
        if not 0 <= self.threshold <= 1:
            self.fail(f"expected a threshold from 0 to 1, got {self.threshold}")
        return [TensorType((boxes.shape[0],), ty.i8)]

    def reference(self, boxes: Array) -> Sequence[Array]:
        low, high = boxes[:, :2], boxes[:, 2:]
        areas = np.maximum(high - low, 0).prod(1)
        kept = np.ones(len(boxes), np.int8)
        for i in range(len(boxes)):
            if kept[i] and areas[i] > 0:
                sides = np.minimum(high[i:], high[i]) - np.maximum(low[i:], low[i])
                shared = np.maximum(sides, 0).prod(1)
                over = shared > self.threshold * (areas[i:] + areas[i] - shared)
                kept[i + 1 :][over[1:]] = 0
        return [kept]

    def space(self) -> Space:
        return Space([[BLOCKED, BLOCKED]], [[BLOCKED]])

    def count_flops(self) -> int:
        """Of each box its area, of each pair what it shares and covers."""
        count = self.out.shape[0]
        return 5 * count + 12 * (count * (count - 1) // 2)

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        """Every box is held against all before it, kept or not: that takes no branches."""
        (boxes,), (kept,) = operands, results
        count = boxes.shape[0]
        if kept is None or not count:
            return
        areas = b.workspace(count, element=boxes.element)
        zero = scalars.constant(b, 0, boxes.element)
        threshold = scalars.constant(b, self.threshold, boxes.element)

        def area(low: Sequence[Value], high: Sequence[Value]) -> Value:
            sides = [scalars.sub(b, high[d], low[d]) for d in (0, 1)]
            width, height = (scalars.maximum(b, side, zero) for side in sides)
            return scalars.mul(b, width, height)

        def overlaps(i: Value, j: Value) -> Value:
            low = [scalars.maximum(b, boxes[i, d], boxes[j, d]) for d in (0, 1)]
            high = [scalars.minimum(b, boxes[i, d], boxes[j, d]) for d in (2, 3)]
            shared = area(low, high)
            covered = scalars.sub(b, scalars.add(b, areas[i], areas[j]), shared)
            return scalars.compare(b, "gt", shared, scalars.mul(b, threshold, covered))

        if b.width > 1:
            with b.share(count, count * PAIR_CYCLES, "box") as i:
                areas[i] = area([boxes[i, 0], boxes[i, 1]], [boxes[i, 2], boxes[i, 3]])
            self._in_many_tasks(b, kept, overlaps)
            return
        with b.loop(0, count) as i:
            areas[i] = area([boxes[i, 0], boxes[i, 1]], [boxes[i, 2], boxes[i, 3]])
        with b.loop(0, count, name="j") as j:

            def step(i: Value, left: Value) -> Sequence[Value]:
                beaten = scalars.both(b, scalars.cast(b, overlaps(i, j), ty.i8), kept[i])
                return [scalars.select(b, scalars.cast(b, beaten, ty.i1), no, left)]

            no, yes = (scalars.constant(b, n, ty.i8) for n in (0, 1))
            kept[j] = b.fold(0, j, [yes], step)[0]

    def _in_many_tasks(
        self, b: LoopBuilder, kept: Buffer, overlaps: Callable[[Value, Value], Value]
    ) -> None:
        """Tasks hold pairs against each other, a word of bits each; then the boxes of a chunk are
        decided one by one, and tasks decide which later boxes they beat."""
        count = kept.shape[0]
        words = -(-count // BITS)
        beaten = b.workspace(count, words, element=ty.i32)
        keeps = b.workspace(words, element=ty.i32)
        zero, one = (scalars.constant(b, n, ty.i32) for n in (0, 1))
        no, yes = (scalars.constant(b, n, ty.i8) for n in (0, 1))
        with b.share(count * words, count * words * BITS * PAIR_CYCLES, "word") as number:
            j: Value = b.create(arith.DivSI, number, b.index(words)).result
            place = b.create(arith.RemSI, number, b.index(words)).result
            first = scalars.mul(b, place, b.index(BITS))
            end = scalars.minimum(b, scalars.add(b, first, b.index(BITS)), j)

            def bit(i: Value, found: Value, mask: Value) -> Sequence[Value]:
                hit = scalars.select(b, overlaps(i, j), mask, zero)
                return [scalars.either(b, found, hit), scalars.add(b, mask, mask)]

            beaten[j, place] = b.fold(first, end, [zero, one], bit)[0]
        with b.share(count, count, "box") as j:
            kept[j] = yes
        with b.share(words, words, "word") as word:
            keeps[word] = zero

        def decide(j: Value, low: Value | int, high: Value) -> None:
            """Whether a kept box of some words beats a box."""

            def step(word: Value, hit: Value) -> Sequence[Value]:
                return [scalars.either(b, hit, scalars.both(b, beaten[j, word], keeps[word]))]

            (hit,) = b.fold(low, high, [zero], step, name="word")
            with b.when(scalars.compare(b, "ne", hit, zero)):
                kept[j] = no

        chunk = max(LEAST_CHUNK, -(-words // MOST_CHUNKS))
        for start in range(0, words, chunk):
            stop = min(words, start + chunk)
            end_box = min(count, stop * BITS)
            with b.loop(start * BITS, end_box, name="j") as box:
                own = b.create(arith.DivSI, box, b.index(BITS)).result
                decide(box, start, scalars.add(b, own, b.index(1)))
                shift = scalars.cast(b, b.create(arith.RemSI, box, b.index(BITS)).result, ty.i32)
                mask = b.create(arith.ShLI, one, shift).result
                stays = scalars.compare(b, "ne", kept[box], no)
                keeps[own] = scalars.either(b, keeps[own], scalars.select(b, stays, mask, zero))
            rest = count - end_box
            if rest:
                with b.share(rest, rest * (stop - start) * 2, "box") as further:
                    decide(scalars.add(b, further, b.index(end_box)), start, b.index(stop))

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        cases = ((0, 0.3), (1, 0.3), (2, 0.0), (5, 0.1), (13, 0.2), (40, 0.15), (67, 0.35))
        samples = [Sample((Input((n, 4)),), {"threshold": threshold}) for n, threshold in cases]
        return [*samples, Sample((Input((19, 4), ty.f64),), {"threshold": 0.1})]
