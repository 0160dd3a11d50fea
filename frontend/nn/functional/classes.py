"""Classification losses: cross-entropy and negative log-likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.checks import check_within, is_integer
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import channels, check_floats, check_shape
from penstock.nn.functional.reducing import check_reduction, reduced
from penstock.tensor_functions.calls import as_type, given, op, pair, permuted
from penstock.tensor_functions.pointwise import add, div, mul, where
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensors.tensor import Tensor


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The negative logarithm of softmax(input) at the target; classes are dimension 1.

    `input` has shape [n, classes, ...] or [classes]. `target` has integers of shape [n, ...], or
    probabilities of the shape of `input`. `weight` has a number for each class, and makes the mean
    a weighted one. Targets equal to `ignore_index` are ignored. `label_smoothing` is the share of
    the target's probability that is spread evenly over all classes.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.cross_entropy(flow.tensor([[0.0, 0.0], [0.0, 100.0]]), flow.tensor([1, 0]))
    tensor(50.3466, dtype=penstock.float32)
    """
    what = "F.cross_entropy"
    x, y, axis = _checked(input, target, weight, what)
    share = check_within(label_smoothing, f"label_smoothing of {what}", 0)
    if share > 1:
        raise located(ValueError, f"label_smoothing of {what} must lie in [0, 1], got {share}")
    if y.dtype.is_float:
        return _of_chances(x, y, weight, axis, reduction, share, what)
    logits = _classes_last(x, axis)
    chosen, counted = _labels(y, x.shape[axis], ignore_index, what)
    loss = op("flow.sparse_softmax_cross_entropy", chosen, logits, what=what)
    weights = _weights(weight, chosen, counted)
    if not share:
        return _total(_times(loss, weights), weights, loss, reduction, what)
    chances = op("flow.log_softmax", logits, axis=len(logits.shape) - 1)
    if weight is not None:
        chances = mul(chances, weight)
    spread = _times(op("flow.negative", sum_of(chances, -1)), counted)
    spread = mul(spread, share / x.shape[axis])
    loss = add(mul(_times(loss, weights), 1 - share), spread)
    return _total(loss, weights, loss, reduction, what)


def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Tensor:
    """The negative logarithm of softmax(logits) at each label; classes are the last dimension.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.sparse_softmax_cross_entropy(flow.tensor([1]), flow.tensor([[0.0, 0.0]]))
    tensor([0.6931], dtype=penstock.float32)
    """
    what = "F.sparse_softmax_cross_entropy"
    x, y = check_floats(given(logits, what), what), given(labels, what)
    if not x.shape or tuple(y.shape) != tuple(x.shape[:-1]) or not y.dtype.is_integer:
        raise located(
            ValueError,
            f"{what} takes labels of integers [...] and logits [..., classes], got {y.dtype} of "
            f"shape {tuple(y.shape)} and shape {tuple(x.shape)}",
        )
    _check_labels(y, x.shape[-1], None, what)
    return op("flow.sparse_softmax_cross_entropy", y, x, what=what)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """The negated element of `input`, a log-probability, at the target: see `cross_entropy`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.nll_loss(flow.tensor([[-0.5, -2.0]]), flow.tensor([1]))
    tensor(2., dtype=penstock.float32)
    """
    what = "F.nll_loss"
    x, y, axis = _checked(input, target, weight, what)
    if y.dtype.is_float:
        raise located(TypeError, f"{what} takes a target of integers, got {y.dtype}")
    chosen, counted = _labels(y, x.shape[axis], ignore_index, what)
    loss = op("flow.negative", op("flow.pick", _classes_last(x, axis), chosen, what=what))
    weights = _weights(weight, chosen, counted)
    return _total(_times(loss, weights), weights, loss, reduction, what)


def _checked(
    input: Tensor, target: Tensor, weight: Tensor | None, what: str
) -> tuple[Tensor, Tensor, int]:
    """Input and target, and the dimension of the classes."""
    x, y = check_floats(given(input, what), what), given(target, what)
    axis = 1 if len(x.shape) > 1 else 0
    shape = tuple(x.shape)
    wanted = shape if y.dtype.is_float else (*shape[:axis], *shape[axis + 1 :])
    if not shape or tuple(y.shape) != wanted:
        raise located(
            ValueError,
            f"{what} takes an input [n, classes, ...] and a target {wanted} for an input of shape "
            f"{shape}, got {tuple(y.shape)}",
        )
    if weight is not None:
        check_shape(given(weight, what), (shape[axis],), "weight", what)
    return x, y, axis


def _classes_last(x: Tensor, axis: int) -> Tensor:
    rank = len(x.shape)
    if axis == rank - 1:
        return x
    return permuted(x, [d for d in range(rank) if d != axis] + [axis])


def _labels(
    target: Tensor, classes: int, ignored: object, what: str
) -> tuple[Tensor, Tensor | None]:
    """Labels with ignored ones replaced by a class, and a 0/1 mask of counted ones, or None."""
    if not is_integer(ignored):
        raise located(TypeError, f"ignore_index of {what} must be an int, got {kind_of(ignored)}")
    _check_labels(target, classes, int(ignored), what)
    if isinstance(target, Tensor) and not (target.array == ignored).any():
        return target, None
    counted = pair("flow.not_equal", target, int(ignored))
    return where(counted, target, 0), counted


def _check_labels(target: Any, classes: int, ignored: int | None, what: str) -> None:
    """Raise a located IndexError for a label that is neither a class nor ignored."""
    if isinstance(target, Tensor):
        numbers = target.array.astype(np.int64)
        outside = (numbers < 0) | (numbers >= classes)
        if ignored is not None:
            outside &= numbers != ignored
        if outside.any():
            raise located(
                IndexError,
                f"each target of {what} must lie in [0, {classes}), got {numbers[outside][0]}",
            )


def _weights(weight: Tensor | None, chosen: Tensor, counted: Tensor | None) -> Tensor | None:
    """The factor of each loss; None for 1."""
    if weight is None:
        return counted
    found = op("flow.gather", weight, chosen, axis=0)
    return _times(found, counted)


def _times(loss: Tensor, factor: Tensor | None) -> Tensor:
    """The product; 0 where a bool is False, even if the loss is not finite."""
    if factor is None:
        return loss
    return where(factor, loss, 0.0) if not factor.dtype.is_float else mul(loss, factor)


def _total(loss: Tensor, weights: Tensor | None, like: Tensor, reduction: str, what: str) -> Tensor:
    if weights is None or check_reduction(reduction, what) != "mean":
        return reduced(loss, reduction, what)
    return div(sum_of(loss), sum_of(as_type(weights, like.dtype)))


def _of_chances(
    x: Tensor, y: Tensor, weight: Tensor | None, axis: int, reduction: str, share: float, what: str
) -> Tensor:
    if share:
        y = add(mul(y, 1 - share), share / x.shape[axis])
    each = mul(op("flow.log_softmax", x, axis=axis), y)
    if weight is not None:
        each = mul(each, channels(weight, len(x.shape), axis))
    loss = op("flow.negative", sum_of(each, axis))
    return reduced(loss, reduction, what)
