"""Norms, inverses and determinants: `flow.linalg`."""

from __future__ import annotations

from math import inf
from typing import Any, cast

import numpy as np

from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.calls import as_type, dim_of, dims_of, given, op, ops, pair, reshaped
from penstock.tensor_functions.pointwise import where
from penstock.tensor_functions.reductions import amax, amin
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
        # The slope of the square root is infinite at 0, but the norm's counts as 0 there.
        is_zero = pair("flow.equal", squares, 0)
        root = op("flow.sqrt", where(is_zero, 1.0, squares))
        return cast(Tensor, where(is_zero, 0.0, root))
    if ord in (inf, -inf):
        return (amax if ord > 0 else amin)(size, axes or None, keepdim)
    if ord == 0:
        return op("flow.reduce_sum", op("flow.sign", size), axes=axes, keepdims=keepdim)
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
    (inf, -inf) or columns (1, -1). Norms of singular values (2, -2, "nuc") are not offered.
    """
    what = "flow.linalg.matrix_norm"
    x = _floats(input, dtype, what)
    rows, columns = (dim_of(d, len(x.shape), what) for d in dim)
    if ord in ("fro", None):
        return vector_norm(x, 2, [rows, columns], keepdim)
    if ord not in (1, -1, inf, -inf):
        raise located(
            ValueError,
            f'ord of {what} is "fro", inf, -inf, 1 or -1, got {kind_of(ord)}; singular values, '
            'which 2, -2 and "nuc" need, are not offered: compute them with numpy.linalg.svd',
        )
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
    named: dict[Any, float] = {"fro": 2, None: 2, "inf": inf, "-inf": -inf}
    if isinstance(p, str) and p not in named:
        raise located(
            ValueError, f'p of flow.norm must be a number, "fro", "inf" or "-inf", got {kind_of(p)}'
        )
    order = named[p] if p is None or isinstance(p, str) else p
    return vector_norm(input, order, dim, keepdim, dtype)


def inv(input: Tensor) -> Tensor:
    """The inverse of each square matrix of a tensor [..., n, n].

    Raises a located RuntimeError if a matrix of a tensor is singular; in a job's body, the inverse
    of a singular matrix is NaN.

    >>> import penstock as flow
    >>> flow.linalg.inv(flow.tensor([[0.0, 2.0], [4.0, 0.0]]))
    tensor([[0.0000, 0.2500],
            [0.5000, 0.0000]], dtype=penstock.float32)
    """
    what = "flow.linalg.inv"
    x = _squares(input, what)
    made, determinant = ops("flow.inverse", x, what=what)
    if isinstance(determinant, Tensor):
        singular = (determinant.array == 0) & np.isnan(made.array).any((-2, -1))
        if singular.any():
            place = [int(i) for i in np.argwhere(singular)[0]]
            which = f"matrix {place}" if place else "the matrix"
            raise located(RuntimeError, f"{what}: {which} is singular, so it has no inverse")
    return made


def det(input: Tensor) -> Tensor:
    """The determinant of each square matrix of a tensor [..., n, n], of shape [...].

    The gradient is d * inv(x).T: NaN where x is singular.

    >>> import penstock as flow
    >>> flow.linalg.det(flow.tensor([[0.0, 2.0], [4.0, 0.0]]))
    tensor(-8., dtype=penstock.float32)
    """
    what = "flow.linalg.det"
    return ops("flow.inverse", _squares(input, what), what=what)[1]


def _squares(input: Tensor, what: str) -> Tensor:
    x = _floats(input, None, what)
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
        raise located(
            RuntimeError,
            f"{what} takes square matrices, of shape [..., n, n], got shape {tuple(x.shape)}",
        )
    return x


def _floats(input: Tensor, dtype: DType | None, what: str) -> Tensor:
    x = given(input, what)
    x = x if dtype is None else as_type(x, dtype)
    if not x.dtype.is_float:
        raise located(RuntimeError, f"{what} takes floats, got {x.dtype}; use x.float()")
    return x
