"""Reductions in the lanes of a vector: what the lanes begin with, and how they are combined.

    vector<32xf64>: lanes 0..15 + lanes 16..31, then 0..7 + 8..15, and so on down to one

The order is always the same, so that the bits are; an odd rest is added to the first lanes.
"""

from __future__ import annotations

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, math, vector
from penstock.ir.types import VectorType
from penstock.passes.combiners import COMBINERS
from penstock.passes.loop_writer import LoopWriter, splat_attribute

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


def apply(writer: LoopWriter, op: Operation, one: Value, other: Value) -> Value:
    """Two values combined as a reduction by `op` combines them."""
    cls = arith.AddF if isinstance(op, math.Fma) else type(op)
    return writer.pure(cls([one, other], location=writer.location))[0]
