"""Functions along dimensions: sums and other reductions, extremes, norms, cumulative sums.

A reduction over all dimensions has a result of rank 0.
"""

from __future__ import annotations

from math import prod as product
from typing import Any, NamedTuple

from penstock.basics.dtypes import DType, int64
from penstock.basics.errors import located
from penstock.tensor_functions.calls import (
    as_type,
    counted_type,
    dim_of,
    dims_of,
    given,
    op,
    pair,
    remembered,
    reshaped,
)
from penstock.tensor_functions.pointwise import isclose, where
from penstock.tensors.promotion import default_float
from penstock.tensors.tensor import Tensor


class Extremes(NamedTuple):
    """The largest or smallest elements along a dimension, and their indices."""

    values: Tensor
    indices: Tensor


def _reduced(name: str, x: Tensor, dim: Any, keepdim: bool, what: str) -> Tensor:
    axes = dims_of(dim, len(x.shape), what)
    return op(name, x, axes=axes, keepdims=bool(keepdim), what=what)


@remembered
def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The sum along one dimension, several, or all; integers and bools are summed as int64."""
    x = given(input, "flow.sum")
    x = counted_type(x) if dtype is None else as_type(x, dtype)
    return _reduced("flow.reduce_sum", x, dim, keepdim, "flow.sum")


def nansum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The sum with NaN counted as 0."""
    x = given(input, "flow.nansum")
    if x.dtype.is_float:
        x = where(op("flow.is_nan", x), 0.0, x)
    return sum(x, dim, keepdim, dtype=dtype)


@remembered
def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The mean along one dimension, several, or all; floats only. That of no elements is NaN."""
    x = given(input, "flow.mean")
    x = x if dtype is None else as_type(x, dtype)
    if not x.dtype.is_float:
        raise located(RuntimeError, f"flow.mean takes floats, got {x.dtype}; use x.float().mean()")
    if not product(x.shape[d] for d in dims_of(dim, len(x.shape), "flow.mean")):
        return pair("flow.divide", sum(x, dim, keepdim), 0.0)  # NaN
    return _reduced("flow.reduce_mean", x, dim, keepdim, "flow.mean")


@remembered
def prod(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The product along a dimension, or of all elements; integers and bools become int64."""
    x = given(input, "flow.prod")
    x = counted_type(x) if dtype is None else as_type(x, dtype)
    return _reduced("flow.reduce_prod", x, dim, keepdim, "flow.prod")


def _check_any(x: Tensor, dims: list[int], what: str) -> None:
    if not product(x.shape[d] for d in dims):
        raise located(
            RuntimeError,
            f"{what} needs at least one element, and shape {tuple(x.shape)} has none along {dims}",
        )


def _extreme(which: str, input: Tensor, dim: Any, keepdim: bool) -> Any:
    what = f"flow.{which}"
    x = given(input, what)
    if isinstance(dim, Tensor):
        return pair(f"flow.{which}imum", x, dim, what)
    x_type = x.dtype
    x = as_type(x, int64) if x_type.is_bool else x
    _check_any(x, dims_of(dim, len(x.shape), what), what)
    if dim is None:
        return as_type(_reduced(f"flow.reduce_{which}", x, None, False, what), x_type)
    axis = dim_of(dim, len(x.shape), what)
    if not x.shape:
        from penstock.tensors.creation import zeros

        return Extremes(as_type(x, x_type), zeros((), dtype=int64))
    places = op(f"flow.arg{which}", _last(x, axis), axis=len(x.shape) - 1)
    places = as_type(places, int64)
    kept = list(x.shape)
    kept[axis] = 1
    places = reshaped(places, kept)
    values = as_type(op("flow.dim_gather", x, places, axis=axis), x_type)
    if keepdim:
        return Extremes(values, places)
    shape = [n for d, n in enumerate(kept) if d != axis]
    return Extremes(reshaped(values, shape), reshaped(places, shape))


def _last(x: Tensor, axis: int) -> Tensor:
    """x with that dimension last."""
    order = [d for d in range(len(x.shape)) if d != axis]
    return x if axis == len(order) else op("flow.transpose", x, permutation=[*order, axis])


@remembered
def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The largest element; along a dimension, also its index; of two tensors, the larger ones."""
    return _extreme("max", input, dim, keepdim)


@remembered
def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest element; along a dimension, also its index; of two tensors, the smaller ones."""
    return _extreme("min", input, dim, keepdim)


@remembered
def amax(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The largest element along one dimension, several, or all; ties share the gradient."""
    x = given(input, "flow.amax")
    if x.dtype.is_bool:
        return any(x, dim, keepdim)
    return _reduced("flow.reduce_max", x, dim, keepdim, "flow.amax")


@remembered
def amin(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The smallest element along one dimension, several, or all; ties share the gradient."""
    x = given(input, "flow.amin")
    if x.dtype.is_bool:
        return all(x, dim, keepdim)
    return _reduced("flow.reduce_min", x, dim, keepdim, "flow.amin")


def _position(which: str, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    what = f"flow.{which}"
    x = given(input, what)
    x = as_type(x, int64) if x.dtype.is_bool else x
    _check_any(x, dims_of(dim, len(x.shape), what), what)
    if dim is None or not x.shape:
        flat = reshaped(x, [product(x.shape)])
        found = reshaped(as_type(op(what, flat, axis=0), int64), [])
        return reshaped(found, [1] * len(x.shape)) if keepdim else found
    axis = dim_of(dim, len(x.shape), what)
    found = as_type(op(what, _last(x, axis), axis=len(x.shape) - 1), int64)
    kept = [1 if d == axis else n for d, n in enumerate(x.shape)]
    return reshaped(found, kept if keepdim else [n for d, n in enumerate(kept) if d != axis])


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element, of all or along a dimension; NaN is largest."""
    return _position("argmax", input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element, of all or along a dimension."""
    return _position("argmin", input, dim, keepdim)


def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements along the dimensions are non-zero."""
    x = given(input, "flow.all")
    found = sum(pair("flow.equal", x, 0), dim, keepdim)
    return pair("flow.equal", found, 0)


def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether any element along the dimensions is non-zero."""
    x = given(input, "flow.any")
    found = sum(pair("flow.not_equal", x, 0), dim, keepdim)
    return pair("flow.greater", found, 0)


def var(input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False) -> Tensor:
    """The variance along one dimension, several, or all; unbiased divides by n - 1, not n.

    It is NaN if there are too few elements.
    """
    x = given(input, "flow.var")
    axes = dims_of(dim, len(x.shape), "flow.var")
    apart = pair("flow.subtract", x, mean(x, axes or None, True) if x.shape else x)
    total = _reduced("flow.reduce_sum", op("flow.square", apart), axes or None, keepdim, "flow.var")
    count = product(x.shape[d] for d in axes) - (1 if unbiased else 0)
    return pair("flow.divide", total, float(count if count > 0 else 0))


def std(input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False) -> Tensor:
    """The square root of `var`."""
    return op("flow.sqrt", var(input, dim, unbiased, keepdim))


def logsumexp(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """log(sum of exp(x)) along the dimensions, without overflow; -inf for no elements."""
    x = given(input, "flow.logsumexp")
    if not x.dtype.is_float:
        x = as_type(x, default_float())
    axes = dims_of(dim, len(x.shape), "flow.logsumexp")
    if not product(x.shape[d] for d in axes):  # the sum has the shape, and gradients without effect
        return op("flow.log", _reduced("flow.reduce_sum", x, dim, keepdim, "flow.logsumexp"))
    return _reduced("flow.reduce_logsumexp", x, dim, keepdim, "flow.logsumexp")


def cumsum(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The cumulative sum along a dimension."""
    x = given(input, "flow.cumsum")
    x = counted_type(x) if dtype is None else as_type(x, dtype)
    axis = dim_of(dim, len(x.shape), "flow.cumsum")
    return op("flow.cumsum", x, axis=axis) if x.shape else x


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """The number of non-zero elements along the dimensions."""
    return sum(pair("flow.not_equal", given(input, "flow.count_nonzero"), 0), dim)


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close, by the rule of `isclose`."""
    return bool(all(isclose(input, other, rtol, atol, equal_nan)))


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements."""
    x, y = given(input, "flow.equal"), given(other, "flow.equal")
    if x.shape != y.shape:
        return False
    return bool(all(pair("flow.equal", x, y)))


FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        sum, nansum, mean, prod, max, min, amax, amin, argmax, argmin, all, any, var, std,
        logsumexp, cumsum, count_nonzero,
        allclose, equal,
    )
}  # fmt: skip
"""Every function of this module by its public name."""
