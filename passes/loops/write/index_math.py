"""Arithmetic on positions, of which some are known when the loops are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Union

from penstock.ir.affine import Binary, Const, Dim, Expr
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.write.folding import constant_of
from penstock.passes.costs.sections import Section
from penstock.passes.loops.write.loop_writer import LoopWriter

Index = Union[int, Value]  # noqa: UP007
"""A position: a number, or a value of type index."""
Bounds = tuple[Index, Index]
"""Where a range begins and ends."""


class IndexMath:
    """Computes positions where `writer` stands; what is known is not computed at run time."""

    def __init__(self, writer: LoopWriter) -> None:
        self.writer = writer

    def value(self, index: Index) -> Value:
        return self.writer.index(index) if isinstance(index, int) else index

    def values(self, indices: Sequence[Index]) -> list[Value]:
        return [self.value(index) for index in indices]

    def _apply(
        self, cls: type[arith.IntegerBinary], fold: Callable[[int, int], int], x: Index, y: Index
    ) -> Index:
        if isinstance(x, int) and isinstance(y, int):
            return fold(x, y)
        op = cls([self.value(x), self.value(y)], location=self.writer.location)
        return self.writer.pure(op)[0]

    def add(self, x: Index, y: Index) -> Index:
        if x == 0 or y == 0:
            return y if x == 0 else x
        return self._apply(arith.AddI, lambda a, b: a + b, x, y)

    def subtract(self, x: Index, y: Index) -> Index:
        if x is y:
            return 0
        producer = None if isinstance(x, int) else x.defining_op
        if isinstance(producer, arith.AddI) and producer.operands[0] is y:
            # What was added is often known.
            number = constant_of(producer.operands[1])
            if isinstance(number, IntegerAttr):
                return number.value
        return x if y == 0 else self._apply(arith.SubI, lambda a, b: a - b, x, y)

    def multiply(self, x: Index, y: int) -> Index:
        return x if y == 1 else self._apply(arith.MulI, lambda a, b: a * b, x, y)

    def divide(self, x: Index, y: int) -> Index:
        """Of what is not negative, rounded down."""
        return x if y == 1 else self._apply(arith.DivSI, lambda a, b: a // b, x, y)

    def remainder(self, x: Index, y: int) -> Index:
        return 0 if y == 1 else self._apply(arith.RemSI, lambda a, b: a % b, x, y)

    def affine(self, expr: Expr, point: Mapping[int, Index]) -> Index:
        """The value of a linear expression at a point."""
        match expr:
            case Dim(index=dim):
                return point[dim]
            case Const(value=number):
                return number
            case Binary(kind="+", left=left, right=right):
                return self.add(self.affine(left, point), self.affine(right, point))
            case Binary(kind="*", left=left, right=Const(value=factor)):
                return self.multiply(self.affine(left, point), factor)
            case _:
                raise TypeError(f"{expr} is not linear")

    def least(self, x: Index, y: Index) -> Index:
        return self._apply(arith.MinSI, min, x, y)

    def greatest(self, x: Index, y: Index) -> Index:
        return self._apply(arith.MaxSI, max, x, y)

    def part(self, number: Index, parts: int, extent: int) -> Bounds:
        """Where the part of that number begins and ends if `extent` is dealt out evenly."""
        if extent % parts == 0:
            begin = self.multiply(number, extent // parts)
            return begin, self.add(begin, extent // parts)
        following = self.add(number, 1)
        return (
            self.divide(self.multiply(number, extent), parts),
            self.divide(self.multiply(following, extent), parts),
        )

    def clipped(self, bounds: Bounds, section: Section, count: int) -> Bounds:
        """The part of a range of tiles, of so many in all, that is in a section."""
        lower, upper = bounds
        if section.first > 0:
            lower = self.greatest(lower, section.first)
        if section.last < count:
            upper = self.least(upper, section.last)
        return lower, upper

    def positions(self, number: Index, extents: Sequence[int]) -> list[Index]:
        """The position in each dimension of the element of that number, in row-major order."""
        found: list[Index] = []
        for extent in reversed(extents[1:]):
            found.insert(0, self.remainder(number, extent))
            number = self.divide(number, extent)
        return [number, *found] if extents else []

    @contextmanager
    def parts(self, number: Index, parts: int, extent: int, name: str) -> Iterator[Index]:
        """What is written inside runs for each position of that part of an extent."""
        if parts == extent:
            yield number
            return
        with self.loop(*self.part(number, parts, extent), 1, name) as position:
            yield position

    @contextmanager
    def loop(self, lower: Index, upper: Index, step: int, name: str) -> Iterator[Index]:
        """What is written inside runs for each position; without a loop where there is but one."""
        if self._is_one(lower, upper, step):
            yield lower
            return
        bounds = self.value(lower), self.value(upper)
        yield self.writer.begin_loop(*bounds, step, [], name)[0]
        self.writer.end_loop([])

    def _is_one(self, lower: Index, upper: Index, step: int) -> bool:
        """Whether a loop is known to have one turn."""
        if isinstance(lower, int) and isinstance(upper, int):
            return lower + step >= upper > lower
        producer = None if isinstance(upper, int) else upper.defining_op
        if not isinstance(producer, arith.AddI):
            return False
        return list(producer.operands) == [lower, self.value(step)]
