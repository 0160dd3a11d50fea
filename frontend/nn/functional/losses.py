"""Losses of regression, probabilities and margins, and the distances of vectors they use.

Each loss returns the mean of all elements, their sum, or with reduction="none" the elements.
"""

from __future__ import annotations

from math import inf, log, pi

import numpy as np

from penstock.basics.checks import check_above_0, check_flag, check_number, check_within
from penstock.basics.errors import located
from penstock.nn.functional.classes import cross_entropy as cross_entropy
from penstock.nn.functional.classes import nll_loss as nll_loss
from penstock.nn.functional.reducing import alike, reduced
from penstock.tensor_functions.calls import as_type, given, op, pair, reshaped
from penstock.tensor_functions.linear_algebra import vector_norm
from penstock.tensor_functions.pointwise import add, div, mul, sub, where
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensors.promotion import common_type
from penstock.tensors.tensor import Tensor, wrap


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """(input - target) squared.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.mse_loss(flow.tensor([1.0, 2.0]), flow.tensor([3.0, 5.0]), reduction="sum")
    tensor(13., dtype=penstock.float32)
    """
    what = "F.mse_loss"
    x, y = alike(input, target, what)
    return reduced(op("flow.square", sub(x, y)), reduction, what)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """|input - target|"""
    what = "F.l1_loss"
    x, y = alike(input, target, what)
    return reduced(op("flow.abs", sub(x, y)), reduction, what)


def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """0.5 * d * d / beta where d = |input - target| is below beta, else d - 0.5 * beta."""
    what = "F.smooth_l1_loss"
    x, y = alike(input, target, what)
    width = check_within(beta, f"beta of {what}", 0)
    away = op("flow.abs", sub(x, y))
    if width:
        near = mul(op("flow.square", away), 0.5 / width)
        away = where(pair("flow.less", away, width), near, sub(away, 0.5 * width))
    return reduced(away, reduction, what)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """0.5 * d * d where d = |input - target| is at most delta, else delta * (d - 0.5 * delta)."""
    what = "F.huber_loss"
    x, y = alike(input, target, what)
    width = check_above_0(delta, f"delta of {what}")
    away = op("flow.abs", sub(x, y))
    far = mul(sub(away, 0.5 * width), width)
    near = mul(op("flow.square", away), 0.5)
    return reduced(where(pair("flow.less_equal", away, width), near, far), reduction, what)


# -- probabilities --------------------------------------------------------------------------------


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)), times `weight` if there is one.

    A logarithm below -100 counts as -100, so that losses are finite, as gradients are: the divisor
    in (input - target) / (input * (1 - input)) is at least 1e-12.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.binary_cross_entropy(flow.tensor([0.0, 0.5]), flow.tensor([1.0, 0.0]), reduction="none")
    tensor([100.0000,   0.6931], dtype=penstock.float32)
    """
    what = "F.binary_cross_entropy"
    x, y = alike(input, target, what, same_shape=True)
    if isinstance(x, Tensor) and not ((x.array >= 0) & (x.array <= 1)).all():
        raise located(
            RuntimeError, f"{what} takes an input of probabilities in [0, 1]; use "
            "F.binary_cross_entropy_with_logits for values before the sigmoid"
        )  # fmt: skip
    x, y = _of_one_type(x, y)
    loss = op("flow.binary_cross_entropy", y, x, what=what)
    return reduced(loss if weight is None else mul(loss, given(weight, what)), reduction, what)


def _of_one_type(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    common = common_type(x, y) if isinstance(x, Tensor) and isinstance(y, Tensor) else x.dtype
    return as_type(x, common), as_type(y, common)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of sigmoid(input), without overflow.

    `pos_weight`, which is broadcast, weights the terms of targets of 1.
    """
    what = "F.binary_cross_entropy_with_logits"
    x, y = alike(input, target, what, same_shape=True)
    x, y = _of_one_type(x, y)
    if pos_weight is None:
        loss = op("flow.sigmoid_cross_entropy", y, x, what=what)
    else:
        share = add(mul(sub(given(pos_weight, what), 1), y), 1)
        hit = op("flow.softplus", op("flow.negative", x))
        loss = add(mul(pair("flow.subtract", 1, y), x), mul(share, hit))
    return reduced(loss if weight is None else mul(loss, given(weight, what)), reduction, what)


def combined_margin_loss(
    input: Tensor, label: Tensor, m1: float = 1.0, m2: float = 0.0, m3: float = 0.0
) -> Tensor:
    """Replace each row's element x at its label by cos(m1 * acos(x) + m2) - m3.

    `input` are cosines of shape [n, classes], `label` integers of shape [n] or [n, 1]. A row with a
    label outside of the classes stays unchanged.
    """
    what = "F.combined_margin_loss"
    x, labels = given(input, what), given(label, what)
    if len(x.shape) != 2 or labels.shape[:1] != x.shape[:1]:
        raise located(
            ValueError,
            f"{what} takes an input of shape [n, classes] and n labels, got shapes "
            f"{tuple(x.shape)} and {tuple(labels.shape)}",
        )
    rows, classes = x.shape
    column = reshaped(labels, [rows, 1])
    at_label = pair("flow.equal", column, wrap(np.arange(classes)))
    # Other elements take part as 0, so that no gradient is NaN.
    cosine = where(at_label, x, 0.0)
    if (m1, m2) != (1, 0):
        cosine = op("flow.cos", add(mul(op("flow.acos", cosine), m1), m2))
    made: Tensor = where(at_label, sub(cosine, m3), x)
    return made


def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """target * (log(target) - input), or 0 if target <= 0; `input` holds logarithms.

    With `log_target`, target is a logarithm too, and the loss is exp(target) * (target - input).
    The reduction "batchmean" divides the sum by the extent of the first dimension.
    """
    what = "F.kl_div"
    x, y = alike(input, target, what)
    if check_flag(log_target, f"log_target of {what}"):
        loss = mul(op("flow.exp", y), sub(y, x))
    else:
        # Use log(1) if target <= 0: otherwise the gradient, 0 times infinity, would be NaN.
        above = pair("flow.greater", y, 0)
        safe = where(above, y, 1.0)
        loss = where(above, mul(y, sub(op("flow.log", safe), x)), 0.0)
    if reduction == "batchmean":
        return div(sum_of(loss), loss.shape[0] if loss.shape else 1)
    return reduced(loss, reduction, what)


def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """exp(input) - target * input, or with log_input=False input - target * log(input + eps).

    With `full`, Stirling's approximation of log(target!) is added where target is above 1.
    """
    what = "F.poisson_nll_loss"
    x, y = given(input, what), given(target, what)
    if check_flag(log_input, f"log_input of {what}"):
        loss = sub(op("flow.exp", x), mul(y, x))
    else:
        loss = sub(x, mul(y, op("flow.log", add(x, check_number(eps, f"eps of {what}")))))
    if check_flag(full, f"full of {what}"):
        above = pair("flow.greater", y, 1)
        safe = where(above, y, 1.0)
        half = mul(op("flow.log", mul(safe, 2 * pi)), 0.5)
        rest = add(sub(mul(safe, op("flow.log", safe)), safe), half)
        loss = add(loss, where(above, rest, 0.0))
    return reduced(loss, reduction, what)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """0.5 * (log(v) + (input - target)^2 / v) with v = max(var, eps); v's gradient goes to var."""
    what = "F.gaussian_nll_loss"
    x, y = given(input, what), given(target, what)
    wide = pair("flow.maximum", given(var, what), check_above_0(eps, f"eps of {what}"))
    loss = mul(add(op("flow.log", wide), div(op("flow.square", sub(x, y)), wide)), 0.5)
    if check_flag(full, f"full of {what}"):
        loss = add(loss, 0.5 * log(2 * pi))
    return reduced(loss, reduction, what)


def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target * input)); the target is 1 or -1."""
    what = "F.soft_margin_loss"
    x, y = alike(input, target, what)
    return reduced(op("flow.softplus", op("flow.negative", mul(x, y))), reduction, what)


# -- margins --------------------------------------------------------------------------------------


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin); the target is 1 or -1."""
    what = "F.margin_ranking_loss"
    apart = sub(given(input2, what), given(input1, what))
    least = check_number(margin, f"margin of {what}")
    excess = add(mul(given(target, what), apart), least)
    return reduced(pair("flow.at_least", excess, 0), reduction, what)


def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """input where target is 1, max(0, margin - input) where it is -1."""
    what = "F.hinge_embedding_loss"
    x, y = given(input, what), given(target, what)
    least = check_number(margin, f"margin of {what}")
    below = pair("flow.at_least", pair("flow.subtract", least, x), 0)
    near = where(pair("flow.equal", y, -1), 0.0, x)
    return reduced(add(near, where(pair("flow.equal", y, 1), 0.0, below)), reduction, what)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """1 - cosine where target is 1, max(0, cosine - margin) where it is -1."""
    what = "F.cosine_embedding_loss"
    x, y = given(target, what), check_number(margin, f"margin of {what}")
    cosine = cosine_similarity(input1, input2, dim=-1)
    alike_ = pair("flow.subtract", 1, cosine)
    return reduced(
        where(pair("flow.equal", x, 1), alike_, pair("flow.at_least", sub(cosine, y), 0)),
        reduction,
        what,
    )


def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0,
    eps: float = 1e-6, swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, d(anchor, positive) - d(anchor, negative) + margin); d is `pairwise_distance`.

    With `swap`, d(anchor, negative) is replaced by d(positive, negative) if that is smaller.
    """
    what = "F.triplet_margin_loss"
    order = check_number(p, f"p of {what}")
    if not 0 < order < inf:
        raise located(ValueError, f"p of {what} must be above 0 and finite, got {p}")
    near = pairwise_distance(anchor, positive, order, eps)
    far = pairwise_distance(anchor, negative, order, eps)
    if check_flag(swap, f"swap of {what}"):
        far = pair("flow.minimum", far, pairwise_distance(positive, negative, order, eps))
    excess = add(sub(near, far), check_number(margin, f"margin of {what}"))
    return reduced(pair("flow.at_least", excess, 0), reduction, what)


__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss",
    "cross_entropy", "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss", "kl_div", "l1_loss",
    "margin_ranking_loss", "mse_loss", "nll_loss", "poisson_nll_loss", "smooth_l1_loss",
    "soft_margin_loss", "triplet_margin_loss",
]  # fmt: skip


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The sum of x1 * x2 along a dimension, divided by the lengths of both, each at least `eps`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.cosine_similarity(flow.tensor([[3.0, 4.0]]), flow.tensor([[1.0, 0.0]]))
    tensor([0.6000], dtype=penstock.float32)
    """
    what = "F.cosine_similarity"
    x, y = given(x1, what), given(x2, what)
    least = check_number(eps, f"eps of {what}")
    if not x.dtype.is_float or not y.dtype.is_float:
        raise located(TypeError, f"{what} takes floats, got {x.dtype} and {y.dtype}")
    product = mul(x, y)
    # Normalize each vector first: the product of two lengths may overflow.
    if tuple(x.shape) != tuple(product.shape) or tuple(y.shape) != tuple(product.shape):
        x, y = (op("flow.broadcast_to", one, shape=list(product.shape)) for one in (x, y))
    x, y = (div(one, pair("flow.maximum", vector_norm(one, 2, dim, True), least)) for one in (x, y))
    return sum_of(mul(x, y), dim)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    what = "F.pairwise_distance"
    apart = add(sub(given(x1, what), given(x2, what)), check_number(eps, f"eps of {what}"))
    return vector_norm(apart, p, -1, check_flag(keepdim, f"keepdim of {what}"))
