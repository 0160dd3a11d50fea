"""Embedding lookups and one-hot vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.checks import check_above_0, is_integer
from penstock.basics.errors import located
from penstock.tensor_functions.calls import given, op, pair, reshaped
from penstock.tensor_functions.pointwise import where
from penstock.tensor_functions.selecting import one_hot as _one_hot
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor, wrap


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` at the indices in `input`.

    No gradient reaches row `padding_idx`. With `max_norm`, the rows used whose `norm_type`-norm is
    larger are first scaled down to it, in place.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.embedding(flow.tensor([1, 0]), flow.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]], dtype=penstock.float32)
    """
    what = "F.embedding"
    places, table = given(input, what), given(weight, what)
    if len(table.shape) != 2 or not places.dtype.is_integer:
        raise located(
            TypeError,
            f"{what} takes integers and a table of two dimensions, got {places.dtype} and shape "
            f"{tuple(table.shape)}",
        )
    if scale_grad_by_freq:
        raise located(ValueError, f"{what} has no scale_grad_by_freq; scale the gradient by a hook")
    rows = table.shape[0]
    _check_rows(places, rows, "index", what)
    if max_norm is not None:
        _shorten(table, places, check_above_0(max_norm, f"max_norm of {what}"), norm_type)
    found = op("flow.gather", table, places, axis=0, what=what)
    if padding_idx is None:
        return found
    if not is_integer(padding_idx) or not -rows <= padding_idx < rows:
        raise located(
            ValueError, f"padding_idx of {what} must lie in [{-rows}, {rows}), got {padding_idx}"
        )
    is_padding = pair("flow.equal", reshaped(places, [*places.shape, 1]), int(padding_idx) % rows)
    chosen: Tensor = where(is_padding, found.detach(), found)
    return chosen


def _check_rows(places: Any, rows: int, word: str, what: str) -> None:
    if not isinstance(places, Tensor):
        return
    outside = (places.array < 0) | (places.array >= rows)
    if outside.any():
        raise located(
            IndexError,
            f"each {word} of {what} must lie in [0, {rows}), got {places.array[outside][0]}",
        )


def _shorten(table: Tensor, places: Tensor, longest: float, order: float) -> None:
    from penstock.tensor_functions.linear_algebra import vector_norm

    used = wrap(np.unique(places.array).astype(np.int64))
    with no_grad():
        found = op("flow.gather", table, used, axis=0)
        length = vector_norm(found, order, 1, True)
        factor = pair("flow.divide", longest, pair("flow.add", length, 1e-7))
        scaled = where(pair("flow.greater", length, longest), pair("flow.multiply", found, factor),
                       found)  # fmt: skip
        made = op(
            "flow.tensor_scatter_nd_update", table, reshaped(used, [used.array.size, 1]), scaled
        )
        assign(table, made, "F.embedding")


def one_hot(
    input: Tensor, num_classes: int = -1, on_value: int | float = 1, off_value: int | float = 0
) -> Tensor:
    """A new last dimension with `on_value` at the index given by each integer, else `off_value`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.one_hot(flow.tensor([1, 0]), 3)
    tensor([[0, 1, 0],
            [1, 0, 0]], dtype=penstock.int64)
    """
    what = "F.one_hot"
    places = given(input, what)
    if not places.dtype.is_integer:
        raise located(TypeError, f"{what} takes integers, got {places.dtype}")
    made = _one_hot(places, num_classes)
    if on_value == 1 and off_value == 0:
        return made
    chosen: Tensor = where(pair("flow.equal", made, 1), on_value, off_value)
    return chosen
