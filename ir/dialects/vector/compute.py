"""Arithmetic that is not element by element: products of all pairs, sums, copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir.attributes import Attribute, OpaqueAttr
from penstock.ir.codecs import BRACKETED, opaque_choice
from penstock.ir.constraints import FLOAT, VECTOR
from penstock.ir.core import Operation
from penstock.ir.dialects.arith import Scalar
from penstock.ir.dialects.math import fma
from penstock.ir.dialects.vector.base import Array, VectorOp, shape_of, vector_or_element
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import Type, VectorType, element_of
from penstock.ir.verify.known import Known, is_counted

KIND = opaque_choice(
    "vector.kind",
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor",
    "maximumf", "minimumf",
)  # fmt: skip
"""How the elements of a reduction are combined."""

_COMBINED: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "maximumf": np.maximum,
    "minimumf": np.minimum,
}  # fmt: skip


def _combine(op: Operation, kind: str, x: Array, y: Array) -> Array:
    if kind not in _COMBINED:
        op.fail(f"combines by {kind}, which cannot be evaluated")
    return np.asarray(_COMBINED[kind](x, y))


class Broadcast(VectorOp):
    """Repeat a scalar, or a vector along new leading dimensions and along dimensions of 1."""

    name = "vector.broadcast"
    source = operand()
    vector = result(VECTOR)
    assembly = "$source attr-dict `:` type($source) `to` type($vector)"

    def verify(self) -> None:
        source, target = self.operands[0].type, self.results[0].type
        source_shape, wanted = shape_of(source), shape_of(target)
        tail = wanted[len(wanted) - len(source_shape) :]
        fits = len(source_shape) <= len(wanted) and all(
            n in (1, m) for n, m in zip(source_shape, tail, strict=True)
        )
        if not fits or element_of(source) is not element_of(target):
            self.fail(f"cannot broadcast {source} to {target}")

    def integers(self, known: Known) -> None:
        source = self.operands[0]
        if is_counted(source.type):
            known.forms[self.results[0]] = known.of(source)

    def reference(self, *operands: Array) -> Array:
        return np.broadcast_to(operands[0], shape_of(self.results[0].type))


class OuterProduct(VectorOp):
    """The products of all pairs of elements, combined with `acc`: `acc + lhs * rhs` is one fma.

    A scalar `rhs` multiplies every element of `lhs`.
    """

    name = "vector.outerproduct"
    lhs = operand(VECTOR)
    rhs = operand()
    acc = operands(VECTOR)
    kind = attribute(KIND, default="add")
    result = result(VECTOR)
    assembly = "$lhs `,` $rhs (`,` $acc^)? attr-dict `:` type($lhs) `,` type($rhs)"

    def infer(self) -> Sequence[Type]:
        lhs, rhs, *acc = (v.type for v in self.operands)
        if len(shape_of(lhs)) != 1 or len(shape_of(rhs)) > 1 or element_of(lhs) != element_of(rhs):
            self.fail(f"multiplies {lhs} by {rhs}: expected vectors of rank 1 and one element type")
        product = VectorType((*shape_of(lhs), *shape_of(rhs)), element_of(lhs))
        if len(acc) > 1 or any(type is not product for type in acc):
            self.fail(f"gives {product} and adds to {', '.join(map(str, acc))}")
        return [product]

    def reference(self, *operands: Array) -> Array:
        lhs, rhs, *acc = operands
        left = lhs.reshape(-1, *(1,) * np.asarray(rhs).ndim)
        if acc and self.kind == "add" and lhs.dtype.kind == "f":
            return fma(left, np.asarray(rhs), acc[0])
        product = np.asarray(left * rhs)
        return _combine(self, self.kind, product, acc[0]) if acc else product


class Fma(Scalar):
    """lhs * rhs + acc, rounded once."""

    name = "vector.fma"
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)
    acc = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"
    implied: ClassVar[Mapping[str, Attribute]] = {}

    def infer(self) -> Sequence[Type]:
        lhs, rhs, acc = (v.type for v in self.operands)
        if not isinstance(lhs, VectorType) or rhs is not lhs or acc is not lhs:
            self.fail(f"has operands of {lhs}, {rhs} and {acc}: expected vectors of one type")
        return [lhs]


class Reduction(VectorOp):
    """Combine the elements of a vector, floats in order, with `acc` first where it is given."""

    name = "vector.reduction"
    kind = attribute(KIND)
    vector = operand(VECTOR)
    acc = operands()
    dest = result()
    implied: ClassVar[Mapping[str, Attribute]] = {"fastmath": OpaqueAttr("#arith.fastmath<none>")}
    assembly = (
        "`<` $kind `>` `,` $vector (`,` $acc^)? attr-dict `:` type($vector) `into` type($dest)"
    )

    def infer(self) -> Sequence[Type]:
        source, *acc = (v.type for v in self.operands)
        element = element_of(source)
        if len(shape_of(source)) != 1 or len(acc) > 1 or any(t is not element for t in acc):
            self.fail(f"reduces {source} with {len(acc)} values: expected a vector of rank 1")
        return [element]

    def reference(self, *operands: Array) -> Array:
        kind = self.kind
        lanes = list(operands[0])
        # It begins with the first element: with 0.0 instead, a sum of -0.0 alone would be 0.0.
        total = operands[1] if len(operands) > 1 else lanes.pop(0)
        for lane in lanes:
            total = _combine(self, kind, total, lane)
        return np.asarray(total)


class MultiReduction(VectorOp):
    """Combine the elements of a vector along some dimensions, in order, with `acc`."""

    name = "vector.multi_reduction"
    kind = attribute(KIND)
    source = operand(VECTOR)
    acc = operand()
    reduction_dims = attribute(BRACKETED)
    dest = result()
    assembly = (
        "`<` $kind `>` `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` "
        "type($dest)"
    )

    def infer(self) -> Sequence[Type]:
        source, acc = (v.type for v in self.operands)
        shape, dims = shape_of(source), list(self.reduction_dims)
        if sorted(set(dims)) != dims or any(not 0 <= d < len(shape) for d in dims):
            self.fail(f"reduces {source} along {dims}")
        left = tuple(n for d, n in enumerate(shape) if d not in dims)
        wanted = vector_or_element(left, element_of(source))
        if acc is not wanted:
            self.fail(f"gives {wanted}, but accumulates onto {acc}")
        return [wanted]

    def reference(self, *operands: Array) -> Array:
        dims = list(self.reduction_dims)
        front = np.moveaxis(operands[0], dims, range(len(dims)))
        total = operands[1]
        for place in np.ndindex(front.shape[: len(dims)]):
            total = _combine(self, self.kind, total, front[place])
        return np.asarray(total)
