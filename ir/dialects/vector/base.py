"""What the `vector` ops share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.types import Type, VectorType
from penstock.ir.verify.known import IntegerInterface, Known, is_counted

Array = np.ndarray[Any, Any]


def shape_of(type: Type) -> tuple[int, ...]:
    """The shape of a vector type; of any other, that of a scalar."""
    return type.shape if isinstance(type, VectorType) else ()


def vector_or_element(shape: tuple[int, ...], element: Type) -> Type:
    """The vector type of that shape; the element type itself where no dimension is left."""
    return VectorType(shape, element) if shape else element


class VectorOp(IntegerInterface):
    """Base of pure ops on vectors."""

    pure = True
    moves: ClassVar[bool] = False
    """Whether the result holds elements of the operands, in other places."""

    def integers(self, known: Known) -> None:
        vectors = all(isinstance(v.type, VectorType) for v in self._operands)
        if self.moves and vectors and is_counted(self.results[0].type):
            forms = [known.exact(v) for v in self._operands]
            low, high = min(map(known.least, forms)), max(map(known.most, forms))
            known.forms[self.results[0]] = known.between(low, high, of=forms)

    def reference(self, *operands: Array) -> Array:
        """The result from the operands, in their dtypes."""
        self.fail("cannot be evaluated on arrays")


def check_mask(op: Operation, mask: Type, held: Type) -> None:
    """Check that a mask has a bit for each element of the vector it is for."""
    wanted = VectorType(shape_of(held), ty.i1)
    if mask is not wanted:
        op.fail(f"has a mask of {mask}: expected {wanted}")
