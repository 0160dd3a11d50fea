"""Vectors of numbers in order, and masks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.codecs import BRACKETED
from penstock.ir.constraints import INDEX, VECTOR
from penstock.ir.core import Operation
from penstock.ir.dialects.vector.base import Array, VectorOp, check_mask, shape_of
from penstock.ir.opdef import attribute, operands, result
from penstock.ir.types import element_of
from penstock.ir.verify.known import Known
from penstock.ir.verify.linear import Form


class Step(VectorOp):
    """0, 1, 2 and so on."""

    name = "vector.step"
    result = result(VECTOR)
    assembly = "attr-dict `:` type($result)"

    def verify(self) -> None:
        type = self.results[0].type
        if len(shape_of(type)) != 1 or element_of(type) is not ty.index:
            self.fail(f"gives {type}: expected a vector of index, of rank 1")

    def integers(self, known: Known) -> None:
        (lanes,) = shape_of(self.results[0].type)
        known.forms[self.results[0]] = known.lane(lanes)

    def reference(self, *operands: Array) -> Array:
        return np.arange(shape_of(self.results[0].type)[0], dtype=np.int64)


class ConstantMask(VectorOp):
    """A mask that is set below `mask_dim_sizes`, in every dimension."""

    name = "vector.constant_mask"
    mask_dim_sizes = attribute(BRACKETED)
    result = result(VECTOR)
    assembly = "$mask_dim_sizes attr-dict `:` type($result)"

    def verify(self) -> None:
        type, sizes = self.results[0].type, self.mask_dim_sizes
        shape = shape_of(type)
        if len(sizes) != len(shape) or any(
            not 0 <= n <= m for n, m in zip(sizes, shape, strict=True)
        ):
            self.fail(f"sets {list(sizes)} of {type}")
        if 0 in sizes and any(sizes):
            self.fail(f"sets {list(sizes)}: expected only zeros, or none")
        check_mask(self, type, type)

    def entails(self, truth: bool, known: Known) -> Sequence[Form]:
        sizes, shape = self.mask_dim_sizes, shape_of(self.results[0].type)
        if not truth or len(shape) != 1:
            return ()
        return [(known.lane(shape[0]) * -1).plus(sizes[0] - 1)]

    def reference(self, *operands: Array) -> Array:
        return _mask(self, [np.asarray(n) for n in self.mask_dim_sizes])


class CreateMask(VectorOp):
    """A mask that is set below the operands, in every dimension."""

    name = "vector.create_mask"
    mask_dim_sizes = operands(INDEX)
    result = result(VECTOR)
    assembly = "$mask_dim_sizes attr-dict `:` type($result)"

    def verify(self) -> None:
        type = self.results[0].type
        if len(self.operands) != len(shape_of(type)):
            self.fail(f"gives {type} by {len(self.operands)} sizes")
        check_mask(self, type, type)

    def entails(self, truth: bool, known: Known) -> Sequence[Form]:
        shape = shape_of(self.results[0].type)
        if not truth or len(shape) != 1:
            return ()
        return [(known.exact(self._operands[0]) - known.lane(shape[0])).plus(-1)]

    def reference(self, *operands: Array) -> Array:
        return _mask(self, operands)


def _mask(op: Operation, sizes: Sequence[Array]) -> Array:
    shape = shape_of(op.results[0].type)
    mask = np.zeros(shape, bool)
    mask[tuple(slice(max(int(n), 0)) for n in sizes)] = True
    return mask
