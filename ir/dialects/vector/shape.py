"""Parts of vectors, other shapes, other orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.codecs import BRACKETED, INTEGER_ARRAY
from penstock.ir.constraints import INDEX, VECTOR
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.slices import check_mixed
from penstock.ir.dialects.vector.base import Array, VectorOp, shape_of, vector_or_element
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import Type, VectorType, element_of

if TYPE_CHECKING:
    pass


class Extract(VectorOp):
    """One element, or the part at a position in the leading dimensions."""

    name = "vector.extract"
    assembly = (
        "$source `` mixed($static_position, $dynamic_position) attr-dict `:` type($result) `from` "
        "type($source)"
    )
    moves = True
    source = operand(VECTOR)
    dynamic_position = operands(INDEX)
    static_position = attribute(BRACKETED)
    result = result()

    def infer(self) -> Sequence[Type]:
        source = self.operands[0].type
        return [_part(self, source, self.static_position, self.operands[1:])]

    def reference(self, *operands: Array) -> Array:
        return np.asarray(operands[0][_position(self.static_position, operands[1:])])


class Insert(VectorOp):
    """The vector `dest` with an element, or the part at a leading position, put in its place."""

    name = "vector.insert"
    assembly = (
        "$value_to_store `,` $dest mixed($static_position, $dynamic_position) attr-dict `:` "
        "type($value_to_store) `into` type($dest)"
    )
    value_to_store = operand()
    dest = operand(VECTOR)
    dynamic_position = operands(INDEX)
    static_position = attribute(BRACKETED)
    result = result(VECTOR)

    def infer(self) -> Sequence[Type]:
        value, dest, *_ = (v.type for v in self.operands)
        part = _part(self, dest, self.static_position, self.operands[2:])
        if value is not part:
            self.fail(f"inserts {value} where {part} belongs")
        return [dest]

    def reference(self, *operands: Array) -> Array:
        result = operands[1].copy()
        result[_position(self.static_position, operands[2:])] = operands[0]
        return result


def _part(op: Operation, whole: Type, static: Sequence[int], dynamic: Sequence[Value]) -> Type:
    """The type of what stands at a position in the leading dimensions."""
    check_mixed(op, "positions", static, dynamic)
    shape = shape_of(whole)
    if len(static) > len(shape) or any(
        n != DYNAMIC_INDEX and not 0 <= n < m for n, m in zip(static, shape, strict=False)
    ):
        op.fail(f"has a position outside {whole}: {list(static)}")
    return vector_or_element(shape[len(static) :], element_of(whole))


def _position(static: Sequence[int], dynamic: Sequence[Array]) -> tuple[int, ...]:
    remaining = iter(dynamic)
    return tuple(int(next(remaining)) if n == DYNAMIC_INDEX else n for n in static)


class ExtractStridedSlice(VectorOp):
    """The part of a vector from `offsets` on, of extents `sizes`, in its leading dimensions."""

    name = "vector.extract_strided_slice"
    moves = True
    source = operand(VECTOR)
    offsets = attribute(INTEGER_ARRAY)
    sizes = attribute(INTEGER_ARRAY)
    strides = attribute(INTEGER_ARRAY)
    result = result(VECTOR)
    assembly = "$source attr-dict `:` type($source) `to` type($result)"

    def infer(self) -> Sequence[Type]:
        source = self.operands[0].type
        sizes = tuple(self.sizes)
        _check_slice(self, shape_of(source), self.offsets, sizes, self.strides)
        return [VectorType((*sizes, *shape_of(source)[len(sizes) :]), element_of(source))]

    def reference(self, *operands: Array) -> Array:
        return operands[0][_slices(self.offsets, self.sizes)]


class InsertStridedSlice(VectorOp):
    """The vector `dest` with another put in the place from `offsets` on."""

    name = "vector.insert_strided_slice"
    value_to_store = operand(VECTOR)
    dest = operand(VECTOR)
    offsets = attribute(INTEGER_ARRAY)
    strides = attribute(INTEGER_ARRAY)
    result = result(VECTOR)
    assembly = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"

    def infer(self) -> Sequence[Type]:
        value, dest = (v.type for v in self.operands)
        shape = shape_of(value)
        if element_of(value) is not element_of(dest) or len(shape) != len(self.strides):
            self.fail(f"inserts {value} into {dest} with {len(self.strides)} strides")
        whole = shape_of(dest)
        sizes = (1,) * (len(whole) - len(shape)) + shape
        _check_slice(self, whole, self.offsets, sizes, (*self.strides, *[1] * len(whole)))
        return [dest]

    def reference(self, *operands: Array) -> Array:
        result = operands[1].copy()
        sizes = (1,) * (result.ndim - operands[0].ndim) + operands[0].shape
        result[_slices(self.offsets, sizes)] = operands[0]
        return result


def _check_slice(
    op: Operation,
    whole: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> None:
    fits = len(offsets) == len(sizes) <= len(whole) and len(strides) >= len(sizes)
    if not fits or any(
        o < 0 or n < 1 or o + n > m for o, n, m in zip(offsets, sizes, whole, strict=False)
    ):
        op.fail(f"takes {list(sizes)} from {list(offsets)} on of a vector of {list(whole)}")
    if any(s != 1 for s in strides):
        op.fail(f"has strides {list(strides)}: expected 1")


def _slices(offsets: Sequence[int], sizes: Sequence[int]) -> tuple[slice, ...]:
    return tuple(slice(o, o + n) for o, n in zip(offsets, sizes, strict=True))


class Transpose(VectorOp):
    """The dimensions in another order: dimension i of the result is `permutation[i]`."""

    name = "vector.transpose"
    moves = True
    vector = operand(VECTOR)
    permutation = attribute(BRACKETED)
    result = result(VECTOR)
    assembly = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"

    def infer(self) -> Sequence[Type]:
        source, order = self.operands[0].type, list(self.permutation)
        shape = shape_of(source)
        if sorted(order) != list(range(len(shape))):
            self.fail(f"cannot permute {source} by {order}")
        return [VectorType(tuple(shape[d] for d in order), element_of(source))]

    def reference(self, *operands: Array) -> Array:
        return operands[0].transpose(list(self.permutation))


class ShapeCast(VectorOp):
    """The same elements in row-major order under another shape."""

    name = "vector.shape_cast"
    moves = True
    source = operand(VECTOR)
    result = result(VECTOR)
    assembly = "$source attr-dict `:` type($source) `to` type($result)"

    def verify(self) -> None:
        source, target = self.operands[0].type, self.results[0].type
        assert isinstance(source, VectorType)
        assert isinstance(target, VectorType)
        if source.count != target.count or source.element is not target.element:
            self.fail(f"cannot reshape {source} to {target}")

    def reference(self, *operands: Array) -> Array:
        return operands[0].reshape(shape_of(self.results[0].type))


class Bitcast(VectorOp):
    """The same bits as elements of another type; the last extent changes with their width."""

    name = "vector.bitcast"
    source = operand(VECTOR)
    result = result(VECTOR)
    assembly = "$source attr-dict `:` type($source) `to` type($result)"

    def verify(self) -> None:
        source, target = self.operands[0].type, self.results[0].type
        assert isinstance(source, VectorType)
        assert isinstance(target, VectorType)
        bits = [
            (*t.shape[:-1], t.shape[-1] * 8 * ty.byte_width(t.element)) for t in (source, target)
        ]
        if bits[0] != bits[1]:
            self.fail(f"cannot bitcast {source} to {target}")

    def reference(self, *operands: Array) -> Array:
        return np.ascontiguousarray(operands[0]).view(numpy_dtype(element_of(self.results[0].type)))


class Shuffle(VectorOp):
    """Elements of two vectors, counted through both, in the order of `mask`; -1 is any."""

    name = "vector.shuffle"
    moves = True
    v1 = operand(VECTOR)
    v2 = operand(VECTOR)
    mask = attribute(BRACKETED)
    vector = result(VECTOR)
    assembly = "$v1 `,` $v2 $mask attr-dict `:` type($v1) `,` type($v2)"

    def infer(self) -> Sequence[Type]:
        first, second = (v.type for v in self.operands)
        shapes = shape_of(first), shape_of(second)
        if not all(shapes) or shapes[0][1:] != shapes[1][1:]:
            self.fail(f"shuffles {first} and {second}: expected one shape beyond the first extent")
        count = shapes[0][0] + shapes[1][0]
        if element_of(first) is not element_of(second) or any(
            not -1 <= n < count for n in self.mask
        ):
            self.fail(f"takes {list(self.mask)} of {first} and {second}")
        return [VectorType((len(self.mask), *shapes[0][1:]), element_of(first))]

    def reference(self, *operands: Array) -> Array:
        return np.concatenate(operands)[[max(n, 0) for n in self.mask]]


class Interleave(VectorOp):
    """The elements of two vectors in turn, in the last dimension."""

    name = "vector.interleave"
    moves = True
    lhs = operand(VECTOR)
    rhs = operand(VECTOR)
    result = result(VECTOR)
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    def infer(self) -> Sequence[Type]:
        lhs, rhs = (value.type for value in self.operands)
        *ahead, last = shape_of(lhs)
        if rhs is not lhs:
            self.fail(f"has operands of {lhs} and {rhs}: expected vectors of one type")
        return [VectorType((*ahead, 2 * last), element_of(lhs))]

    def reference(self, *operands: Array) -> Array:
        return np.stack(operands, axis=-1).reshape(shape_of(self.results[0].type))
