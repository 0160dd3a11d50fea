"""Helpers of losses: checks of operands, and the reduction of elements."""

from __future__ import annotations

from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.calls import given
from penstock.tensor_functions.reductions import mean as mean_of
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensors.tensor import Tensor


def check_reduction(reduction: object, what: str) -> str:
    """`reduction` if it is valid, else a located ValueError."""
    if reduction not in ("mean", "sum", "none"):
        raise located(
            ValueError,
            f'reduction of {what} must be "mean", "sum" or "none", got {kind_of(reduction)}',
        )
    return str(reduction)


def reduced(loss: Tensor, reduction: str, what: str) -> Tensor:
    """The mean or the sum of all elements, or the elements themselves."""
    word = check_reduction(reduction, what)
    if word == "none":
        return loss
    return mean_of(loss) if word == "mean" else sum_of(loss)


def alike(
    input: Tensor, target: Tensor, what: str, same_shape: bool = False
) -> tuple[Tensor, Tensor]:
    """An input of floats and its target, which broadcasts to it or has its shape."""
    x, y = given(input, what), given(target, what)
    if not x.dtype.is_float:
        raise located(TypeError, f"{what} takes an input of floats, got {x.dtype}")
    fits = x.shape == y.shape
    if not fits and not same_shape:
        pairs = zip(reversed(x.shape), reversed(y.shape), strict=False)
        fits = all(n == m or 1 in (n, m) for n, m in pairs)
    if not fits:
        raise located(
            ValueError,
            f"{what} takes an input and a target of one shape, got {tuple(x.shape)} and "
            f"{tuple(y.shape)}",
        )
    return x, y
