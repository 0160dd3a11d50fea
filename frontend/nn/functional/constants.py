"""Helpers for `flow.nn.functional`: constant tables of indices and weights, checks of arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.functions.windows import integers_from, shown
from penstock.tensor_functions.calls import constant, op, permuted, reshaped
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]


def taken(x: Tensor, axis: int, places: Array) -> Tensor:
    """The elements of x at `places` along an axis, which the dimensions of `places` replace."""
    indices = constant(places.astype(np.int64).reshape(-1), x)
    made = op("flow.gather", x, indices, axis=axis)
    return reshaped(made, [*x.shape[:axis], *places.shape, *x.shape[axis + 1 :]])


def weighed(x: Tensor, axis: int, weights: Array) -> Tensor:
    """Weighted sums of x along an axis, one for each row of weights."""
    matrix = constant(weights.astype(x.dtype.numpy), x)
    last = len(x.shape) - 1
    order = [d for d in range(last + 1) if d != axis] + [axis]
    turned = x if axis == last else permuted(x, order)
    made = op("flow.matmul", turned, matrix, transpose_b=True)
    if axis == last:
        return made
    return permuted(made, [int(d) for d in np.argsort(order)])


def several(given: object, count: int, word: str, what: str, least: int = 1) -> list[int]:
    """An int for each spatial dimension, from one int or a list."""
    listed = list(given) if isinstance(given, list | tuple) else [given] * count
    if len(listed) == 1:
        listed *= count
    numbers = integers_from(least, listed)
    if numbers is None or len(numbers) != count:
        raise located(
            ValueError,
            f"{word} of {what} must be an int of at least {least} or {count} of them, "
            f"got {shown(given)}",
        )
    return numbers


def check_count(given: object, word: str, what: str, least: int = 1) -> int:
    """`given` if it is an int of at least `least`, else a located ValueError."""
    if not is_integer(given) or given < least:
        raise located(
            ValueError, f"{word} of {what} must be an int of at least {least}, got {kind_of(given)}"
        )
    return int(given)


def with_samples(x: Tensor, space: int, what: str) -> tuple[Tensor, bool]:
    """x with a batch dimension, and whether it was added."""
    rank = len(x.shape)
    if rank == space + 1:
        return reshaped(x, [1, *x.shape]), True
    if rank != space + 2:
        raise located(
            ValueError,
            f"{what} takes an input of {space + 2} dimensions, or {space + 1} for one sample, "
            f"got shape {tuple(x.shape)}",
        )
    return x, False


def without_samples(y: Tensor, was_added: bool) -> Tensor:
    """y without the dimension that `with_samples` added."""
    return reshaped(y, list(y.shape[1:])) if was_added else y


def channels(values: Tensor, rank: int, axis: int = 1) -> Tensor:
    """One number for each channel, in a shape that broadcasts to tensors of this rank."""
    shape = [1] * rank
    shape[axis] = values.shape[0]
    return reshaped(values, shape)


def check_shape(x: Tensor, shape: Sequence[int], word: str, what: str) -> None:
    """Raise a located ValueError unless x has that shape."""
    if tuple(x.shape) != tuple(shape):
        raise located(
            ValueError, f"{word} of {what} must have shape {tuple(shape)}, got {tuple(x.shape)}"
        )


def check_floats(x: Tensor, what: str) -> Tensor:
    """x, or a located TypeError for integers."""
    if not x.dtype.is_float:
        raise located(TypeError, f"{what} takes floats, got {x.dtype}; cast it with x.float()")
    return x
