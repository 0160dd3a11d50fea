"""Norms of vectors and matrices: `flow.linalg`."""

from __future__ import annotations

from math import inf
from typing import Any

from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.calls import as_type, dim_of, dims_of, given, op, pair, reshaped
from penstock.tensor_functions.reductions import amax, amin, sum
from penstock.tensors.tensor import Tensor


def vector_norm(
    input: Tensor,
    ord: float = 2,
    dim: Any = None,
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Tensor:
    """(sum of |x| ** ord) ** (1 / ord) along the dimensions; `ord` may be inf, -inf or 0."""
    x = _floats(input, dtype, "flow.linalg.vector_norm")
    what = "flow.linalg.vector_norm"
    axes = dims_of(dim, len(x.shape), what)
    size = op("flow.abs", x)
    if ord == 2:
        squares = op("flow.reduce_sum", op("flow.square", x), axes=axes, keepdims=keepdim)
        return op("flow.sqrt", squares)
    if ord in (inf, -inf):
        return (amax if ord > 0 else amin)(size, axes or None, keepdim)
    if ord == 0:
        return as_type(sum(pair("flow.not_equal", x, 0), axes or None, keepdim), x.dtype)
    if not isinstance(ord, int | float):
        raise located(ValueError, f"ord of {what} must be a number, got {kind_of(ord)}")
    powers = size if ord == 1 else pair("flow.pow", size, float(ord))
    total = op("flow.reduce_sum", powers, axes=axes, keepdims=keepdim)
    return total if ord == 1 else pair("flow.pow", total, 1.0 / ord)


def matrix_norm(
    input: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Tensor:
    """A norm of the matrices in two dimensions.

    `ord` is "fro", or the largest (inf, 1) or smallest (-inf, -1) sum of absolute values, over rows
    (inf, -inf) or columns (1, -1).
    """
    what = "flow.linalg.matrix_norm"
    x = _floats(input, dtype, what)
    rows, columns = (dim_of(d, len(x.shape), what) for d in dim)
    if ord in ("fro", None):
        return vector_norm(x, 2, [rows, columns], keepdim)
    if ord not in (1, -1, inf, -inf):
        raise located(ValueError, f'ord of {what} is "fro", inf, -inf, 1 or -1, got {kind_of(ord)}')
    along, over = (columns, rows) if abs(ord) == inf else (rows, columns)
    sums = op("flow.reduce_sum", op("flow.abs", x), axes=[along], keepdims=True)
    made = (amax if ord > 0 else amin)(sums, over, True)
    kept = [n for d, n in enumerate(made.shape) if d not in (rows, columns)]
    return made if keepdim else reshaped(made, kept)


def norm(
    input: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Tensor:
    """The norm of vectors along one dimension, or of matrices in two dimensions.

    Without `ord` it is the square root of the sum of squares; without `dim` too, of all elements.
    """
    x = given(input, "flow.linalg.norm")
    if ord is None or (ord == "fro" and dim is None and len(x.shape) != 2):
        return vector_norm(x, 2, dim, keepdim, dtype)
    is_matrix = isinstance(ord, str) or (isinstance(dim, list | tuple) and len(dim) == 2)
    if is_matrix or (dim is None and len(x.shape) == 2):
        return matrix_norm(x, ord, (-2, -1) if dim is None else dim, keepdim, dtype)
    return vector_norm(x, ord, dim, keepdim, dtype)


def p_norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Tensor:
    """(sum of |x| ** p) ** (1 / p) along the dimensions, by default all; "fro" is 2."""
    order = 2 if p in ("fro", None) else float(p) if isinstance(p, str) else p
    return vector_norm(input, order, dim, keepdim, dtype)


def _floats(input: Tensor, dtype: DType | None, what: str) -> Tensor:
    x = given(input, what)
    x = x if dtype is None else as_type(x, dtype)
    if not x.dtype.is_float:
        raise located(RuntimeError, f"{what} takes floats, got {x.dtype}; use x.float()")
    return x
