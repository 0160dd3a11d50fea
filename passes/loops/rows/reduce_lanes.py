"""Reductions in the lanes of a vector: what the lanes begin with, and how they are combined.

    vector<32xf64>: lanes 0..15 + lanes 16..31, then 0..7 + 8..15, and so on down to one

The order is always the same, so that the bits are; an odd rest is added to the first lanes.

Sums of f32 are kept in f64, but where a generic allows it (`combiners.narrow_addend`), what a turn
adds is first added up by halves in f32, to a quarter of the lanes:

    vector<32xf32>: lanes 0..15 + lanes 16..31, then 0..7 + 8..15; widened to vector<8xf64>, added

That is three additions and two conversions less for each four registers than widening all. Two
roundings to f32 are on the way of each element, so they cost 2 * 2**-24 of the sum of |x| at most:
elements of one sign, less than two ulp, and in practice far below half an ulp, since they differ
from turn to turn. The same holds for the rows that a turn adds to a sum of rows, up to eight of
them in three roundings.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, math, vector
from penstock.ir.types import VectorType
from penstock.passes.analysis.combiners import COMBINERS
from penstock.passes.loops.write.loop_writer import LoopWriter, splat_attribute

_SUMS = (arith.AddF, arith.AddI, arith.XOrI, math.Fma)
_PRODUCTS = (arith.MulF, arith.MulI)


def fresh_lanes(op: Operation, start: Attribute, width: int) -> DenseElementsAttr:
    """What the lanes of a reduction begin with."""
    value = neutral(op, start)
    return splat_attribute(value, VectorType((width,), value.type))


def neutral(op: Operation, start: Attribute) -> FloatAttr | IntegerAttr:
    """What each part of a reduction by `op` begins with: what changes nothing, or `start` where
    it makes no difference how often that is taken in."""
    assert isinstance(start, (FloatAttr, IntegerAttr))
    number: float | None = None
    if isinstance(op, _SUMS):
        number = -0.0 if ty.is_float(start.type) else 0
    elif isinstance(op, _PRODUCTS):
        number = 1
    if number is None or _is_plus_zero(op, start):
        return start
    value = arith.constant_attribute(number, start.type)
    assert isinstance(value, (FloatAttr, IntegerAttr))
    return value


def _is_plus_zero(op: Operation, start: FloatAttr | IntegerAttr) -> bool:
    """Whether lanes of a sum may begin with `start` itself: adding 0.0 again changes nothing."""
    bits = start.bits if isinstance(start, FloatAttr) else start.value
    return isinstance(op, _SUMS) and bits == 0


def combined(writer: LoopWriter, op: Operation, start: Attribute, total: Value) -> Value:
    """The total of the lanes with what the reduction begins with, where that is not in it yet."""
    if neutral(op, start) is start:
        return total
    return apply(writer, op, writer.constant(start), total)


def reduced(writer: LoopWriter, op: Operation, lanes: Value) -> Value:
    """All lanes of a vector combined to one number."""
    assert isinstance(lanes.type, VectorType)
    (width,) = lanes.type.shape
    kind = COMBINERS[type(op)]
    if kind not in ("add", "mul") or not ty.is_float(lanes.type.element):
        # These give the same bits in any order.
        return writer.made(vector.Reduction, lanes, kind=kind)
    while width > 1:
        half = 1 << (width - 1).bit_length() - 1
        rest = writer.part(lanes, half, width - half)
        changed = apply(writer, op, writer.part(lanes, 0, width - half), rest)
        lanes = writer.with_part(writer.part(lanes, 0, half), changed)
        width = half
    return writer.made(vector.Extract, lanes, static_position=[0])


def narrowed(width: int) -> int:
    """How many lanes a sum has where as many as `width` are halved twice before they are added."""
    return max(1, 1 << (width - 1).bit_length() >> 2)


def add_narrow(writer: LoopWriter, total: Value, addend: Value) -> Value:
    """A sum with one more vector, which is of a narrower type and of as many lanes or more; those
    of a rest may be fewer."""
    lanes, width = _width(total), _width(addend)
    while width > lanes:
        half = 1 << (width - 1).bit_length() - 1
        rest = writer.part(addend, half, width - half)
        changed = writer.made(arith.AddF, writer.part(addend, 0, width - half), rest)
        addend = writer.with_part(writer.part(addend, 0, half), changed)
        width = half
    if not isinstance(total.type, VectorType):
        return _widened_sum(writer, total, addend)
    return writer.with_part(total, _widened_sum(writer, writer.part(total, 0, width), addend))


def add_rows(writer: LoopWriter, total: Value, rows: Sequence[Value]) -> Value:
    """A sum with several vectors or numbers of a narrower type, which are added up in pairs."""
    while len(rows) > 1:
        pairs = zip(rows[::2], rows[1::2], strict=False)
        rest = rows[len(rows) - len(rows) % 2 :]
        rows = [*(writer.made(arith.AddF, one, other) for one, other in pairs), *rest]
    return _widened_sum(writer, total, rows[0])


def _widened_sum(writer: LoopWriter, total: Value, addend: Value) -> Value:
    if addend.type is not total.type:
        addend = writer.made(arith.ExtF, addend, type=total.type)
    return writer.made(arith.AddF, total, addend)


def _width(value: Value) -> int:
    return value.type.shape[0] if isinstance(value.type, VectorType) else 1


def apply(writer: LoopWriter, op: Operation, one: Value, other: Value) -> Value:
    """Two values combined as a reduction by `op` combines them."""
    cls = arith.AddF if isinstance(op, math.Fma) else type(op)
    return writer.pure(cls([one, other], location=writer.location))[0]
