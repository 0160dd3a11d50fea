"""Which rows of a gradient indices touched: the others keep their variable and its state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.types import TensorType
from penstock.ir.write.folding import constant_of


def touched_rows(b: Builder, gradient: Value) -> Value | None:
    """Whether each row of a gradient was touched: i8 of shape (rows, 1, ...).

    None if the gradient is not computed from sums over indices by ops that keep zeros.
    """
    shape = tensor(gradient).shape
    indices = list(_indices(gradient)) if shape else [None]
    found: Value | None = None
    for one in dict.fromkeys(indices):
        if one is None:
            return None
        ones = make.full(b, 1, tensor(one).shape, ty.i32)
        count = make.op(b, "unsorted_segment_sum", ones, one, axis=0, num_segments=shape[0])
        found = count if found is None else make.add(b, found, count)
    if found is None:
        return None
    return make.reshape(
        b, make.compare(b, "greater", found, 0), (shape[0], *[1] * (len(shape) - 1))
    )


def _indices(value: Value) -> Iterator[Value | None]:
    """The indices of all rows that may not be 0; None among them if it is not known."""
    op = value.defining_op
    if not isinstance(op, TensorOp):
        yield None
    elif op.row_indices is not None:
        yield op.row_indices
    elif op.by_element and len(op.results) == 1 and _keeps_zeros(op, value):
        for operand in op.operands:
            if tensor(operand).shape == tensor(value).shape:
                yield from _indices(operand)
    else:
        yield None


def _keeps_zeros(op: TensorOp, value: Value) -> bool:
    """Whether zeros in the operands of the result's shape, and constants, give zeros."""
    shape = tensor(value).shape
    elements: list[Any] = []
    for operand in op.operands:
        type = tensor(operand)
        constant = constant_of(operand)
        if type.shape == shape:
            elements.append(np.zeros((), _plain(type)))
        elif not type.rank and isinstance(constant, DenseElementsAttr):
            elements.append(constant.array().astype(_plain(type)))
        else:
            return False
    return not op.reference(*elements)[0].any()


def _plain(type: TensorType) -> Any:
    """The dtype in which references compute: float64 for all floats."""
    return np.float64 if ty.is_float(type.element) else numpy_dtype(type.element)
