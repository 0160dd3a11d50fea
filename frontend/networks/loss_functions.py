"""The losses of `flow.nn` and `flow`: cross-entropies, distances and margins.

Most are compositions of ops, and so are their gradients. The mean or the sum of all elements has
shape (1,), like any reduction.
"""

from __future__ import annotations

from math import inf

import ml_dtypes

from penstock.basics.checks import check_flag, check_number, check_within
from penstock.basics.errors import kind_of, located
from penstock.functions.reductions import reduced
from penstock.ir import types as ty
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob, fill_of

_REDUCTIONS = {"mean": "flow.reduce_mean", "sum": "flow.reduce_sum", "none": ""}


def sparse_softmax_cross_entropy_with_logits(
    labels: Blob, logits: Blob, name: str | None = None
) -> Blob:
    """The loss of each sample: minus the log of softmax(logits) at its label.

    `labels` are integers of shape [...], or [..., 1]; `logits` are floats of shape [..., classes].
    The loss has shape [...]. A label outside the classes (with which OneFlow aborts the process)
    gives NaN as the loss and as the gradient of its logits.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(
    ...     labels: tp.Numpy.Placeholder((2,), dtype=flow.int32),
    ...     logits: tp.Numpy.Placeholder((2, 2)),
    ... ) -> tp.Numpy:
    ...     return flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    >>> job(np.array([1, 0], np.int32), np.array([[0, 1000], [0, 1000]], np.float32))
    array([   0., 1000.], dtype=float32)
    """
    what = "flow.nn.sparse_softmax_cross_entropy_with_logits"
    labels, logits = _labels_of(labels, logits, what)
    label = name or "sparse_softmax_cross_entropy"
    return apply("flow.sparse_softmax_cross_entropy", labels, logits, name=label, what=what)[0]


def sparse_cross_entropy(labels: Blob, prediction: Blob, name: str | None = None) -> Blob:
    """The loss of each sample: minus the log of its prediction at its label.

    `labels` are integers of shape [...], or [..., 1]; `prediction` has floats of shape
    [..., classes], such as the result of a softmax. The loss has shape [...]. A label outside the
    classes gives NaN as the loss and as the gradient of its predictions.
    """
    what = "flow.nn.sparse_cross_entropy"
    labels, prediction = _labels_of(labels, prediction, what)
    if not labels.dtype.is_integer:
        raise located(
            ValueError,
            f"{what} takes labels of integers first and predictions of floats second, got "
            f"{labels.dtype} and {prediction.dtype}",
        )
    chosen = apply("flow.pick", prediction, labels, what=what)[0]
    return _unary("flow.negative", _unary("flow.log", chosen), name)


def softmax_cross_entropy_with_logits(labels: Blob, logits: Blob, name: str | None = None) -> Blob:
    """The loss of each sample: minus the sum of labels * log(softmax(logits)).

    `labels` and `logits` are floats of one type and of shape [..., classes]; labels are weights,
    usually probabilities. The loss has shape [...].
    """
    what = "flow.nn.softmax_cross_entropy_with_logits"
    labels, logits = _alike(labels, logits, ("labels", "logits"), what)
    last = len(logits.shape) - 1
    if last < 0:
        raise located(ValueError, f"{what} takes blobs with a dimension of classes, got shape ()")
    chances = apply("flow.log_softmax", logits, axis=last, what=what)[0]
    total = apply("flow.reduce_sum", labels * chances, axes=[last], keepdims=False, what=what)[0]
    return _unary("flow.negative", total, name)


def sigmoid_cross_entropy_with_logits(labels: Blob, logits: Blob, name: str | None = None) -> Blob:
    """The loss of each element: -z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x)).

    `labels` z, `logits` x and the loss are floats of one type and shape. The computation does not
    overflow.
    """
    what = "flow.nn.sigmoid_cross_entropy_with_logits"
    labels, logits = check_blob(labels, what), check_blob(logits, what)
    return apply("flow.sigmoid_cross_entropy", labels, logits, name=name, what=what)[0]


def _labels_of(labels: Blob, classes: Blob, what: str) -> tuple[Blob, Blob]:
    """Labels and predictions; drops a last dimension of extent 1 from labels."""
    labels, classes = check_blob(labels, what), check_blob(classes, what)
    if labels.dtype.is_integer and labels.shape == (*classes.shape[:-1], 1):
        labels = apply("flow.reshape", labels, shape=labels.shape[:-1], what=what)[0]
    return labels, classes


# -- distances ------------------------------------------------------------------------------------


def L1Loss(input: Blob, target: Blob, reduction: str = "mean", name: str | None = None) -> Blob:
    """|input - target|, reduced by mean or sum, or with "none" per element."""
    what = "flow.nn.L1Loss"
    input, target = _alike(input, target, ("input", "target"), what)
    return _reduced(_unary("flow.abs", input - target), reduction, what, name)


def MSELoss(input: Blob, target: Blob, reduction: str = "mean", name: str | None = None) -> Blob:
    """(input - target) squared, reduced by mean or sum, or with "none" per element.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2,)), y: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     return flow.nn.MSELoss(x, y, reduction="sum")
    >>> job(np.array([1, 2], np.float32), np.array([3, 5], np.float32))
    array([13.], dtype=float32)
    """
    what = "flow.nn.MSELoss"
    input, target = _alike(input, target, ("input", "target"), what)
    return _reduced(_unary("flow.square", input - target), reduction, what, name)


def smooth_l1_loss(
    prediction: Blob, label: Blob, beta: float = 1.0, name: str | None = None
) -> Blob:
    """Smooth L1: 0.5 * d * d / beta if d = |prediction - label| is below beta, otherwise d - 0.5 *
    beta.

    The loss is per element. With beta = 0 it is d.
    """
    what = "flow.smooth_l1_loss"
    prediction, label = _alike(prediction, label, ("prediction", "label"), what)
    width = check_within(beta, f"beta of {what}", 0)
    distance = _unary("flow.abs", prediction - label, name if width == 0 else None)
    if width == 0:
        return distance
    share = f"0.5 / beta of {what}"
    factor = fill_of(check_within(0.5 / width, share), distance.dtype, share)
    near = _unary("flow.square", distance) * factor
    return apply("flow.where", distance < width, near, distance - 0.5 * width, name=name)[0]


# -- probabilities --------------------------------------------------------------------------------


def BCELoss(
    input: Blob,
    target: Blob,
    weight: Blob | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """-(target * log(input) + (1 - target) * log(1 - input)), times an optional `weight`.

    `input` are probabilities; all blobs are floats of one shape. Logarithms are clamped at that of
    the smallest normal number, so the loss is finite. It is reduced by mean or sum, or with "none"
    per element.
    """
    what = "flow.nn.BCELoss"
    input, target = _alike(input, target, ("input", "target"), what)
    other = binary("flow.subtract", 1, input)
    hit, miss = _safe_log(input), _safe_log(other)
    loss = _unary("flow.negative", target * hit + binary("flow.subtract", 1, target) * miss)
    return _reduced(_weighted(loss, weight, what), reduction, what, name)


def _safe_log(x: Blob) -> Blob:
    smallest = float(ml_dtypes.finfo(x.dtype.numpy).smallest_normal)  # type: ignore[no-untyped-call]
    return _unary("flow.log", binary("flow.maximum", x, smallest))


def BCEWithLogitsLoss(
    input: Blob,
    target: Blob,
    weight: Blob | None = None,
    pos_weight: Blob | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """`BCELoss` of sigmoid(input), without overflow; floats of one shape.

    `pos_weight`, which broadcasts, multiplies the term of targets 1: the loss is
    -(pos_weight * target * log(sigmoid(input)) + (1 - target) * log(1 - sigmoid(input))).
    """
    what = "flow.nn.BCEWithLogitsLoss"
    input, target = _alike(input, target, ("input", "target"), what)
    if pos_weight is None:
        loss = apply("flow.sigmoid_cross_entropy", target, input, what=what)[0]
    else:
        share = (check_blob(pos_weight, what) - 1) * target + 1
        if share.shape != input.shape:
            raise located(
                ValueError,
                f"pos_weight of {what} must broadcast to shape {input.shape}, got "
                f"{pos_weight.shape}",
            )
        ones = constant_blob(1, input.shape, input.dtype, what)
        hit = apply("flow.sigmoid_cross_entropy", ones, input, what=what)[0]
        loss = binary("flow.subtract", 1, target) * input + share * hit
    return _reduced(_weighted(loss, weight, what), reduction, what, name)


def KLDivLoss(
    input: Blob,
    target: Blob,
    log_target: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """target * (log(target) - input), or 0 if target is not above 0; `input` are logarithms.

    With `log_target`, target is a logarithm too, and the loss is exp(target) * (target - input). It
    is reduced by mean or sum, or with "none" per element.
    """
    what = "flow.nn.KLDivLoss"
    input, target = _alike(input, target, ("input", "target"), what)
    if check_flag(log_target, f"log_target of {what}"):
        loss = _unary("flow.exp", target) * (target - input)
    else:
        above = target > 0
        # Elsewhere take the log of 1: a gradient of 0 times infinity would be NaN.
        one, zero = (constant_blob(n, (), target.dtype, what) for n in (1, 0))
        safe = apply("flow.where", above, target, one, what=what)[0]
        each = target * (_unary("flow.log", safe) - input)
        loss = apply("flow.where", above, each, zero, what=what)[0]
    return _reduced(loss, reduction, what, name)


# -- margins --------------------------------------------------------------------------------------


def MarginRankingLoss(
    input1: Blob,
    input2: Blob,
    target: Blob,
    margin: float = 0.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """max(0, -target * (input1 - input2) + margin), where target is 1 or -1.

    The inputs are floats of one shape; target, of their type, broadcasts with them.
    Reduced by mean or sum, or with "none" per element.
    """
    what = "flow.nn.MarginRankingLoss"
    input1, input2 = _alike(input1, input2, ("input1", "input2"), what)
    distance = check_blob(target, what) * (input2 - input1) + check_number(
        margin, f"margin of {what}"
    )
    return _reduced(_unary("flow.relu", distance), reduction, what, name)


def TripletMarginLoss(
    anchor: Blob,
    positive: Blob,
    negative: Blob,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), floats of one shape [..., n].

    d(x, y) is the p-norm of x - y + eps along the last dimension. With `swap`, d(positive,
    negative) replaces d(anchor, negative) if it is smaller. Reduced by mean or sum, or with "none"
    per row.
    """
    what = "flow.nn.TripletMarginLoss"
    anchor, positive = _alike(anchor, positive, ("anchor", "positive"), what)
    anchor, negative = _alike(anchor, negative, ("anchor", "negative"), what)
    last, order = len(anchor.shape) - 1, check_number(p, f"p of {what}")
    if last < 0:
        raise located(ValueError, f"{what} takes blobs of at least one dimension, got shape ()")
    if not 0 < order < inf:
        raise located(ValueError, f"p of {what} must be above 0 and finite, got {p}")
    away = check_number(eps, f"eps of {what}")

    def distance(x: Blob, y: Blob) -> Blob:
        return _norm(x - y + away, order, what)

    far = distance(anchor, negative)
    if check_flag(swap, f"swap of {what}"):
        far = binary("flow.minimum", far, distance(positive, negative), what=what)
    excess = distance(anchor, positive) - far + check_number(margin, f"margin of {what}")
    return _reduced(_unary("flow.relu", excess), reduction, what, name)


def combined_margin_loss(
    x: Blob,
    label: Blob,
    m1: float = 1,
    m2: float = 0,
    m3: float = 0,
    name: str | None = None,
) -> Blob:
    """Replace each row's element x at its label by cos(m1 * acos(x) + m2) - m3.

    `x` are cosines of shape [n, classes], `label` integers of shape [n] or [n, 1]. With m1 = 1 and
    m3 = 0 it makes the logits of ArcFace, with m1 = 1 and m2 = 0 those of CosFace. A row with a
    label outside the classes stays unchanged. Source: Deng et al., "ArcFace", 2018.
    """
    what = "flow.combined_margin_loss"
    label, x = _labels_of(label, x, what)
    factor, shift, less = (
        check_number(number, f"{word} of {what}")
        for word, number in (("m1", m1), ("m2", m2), ("m3", m3))
    )
    if len(x.shape) != 2:
        raise located(ValueError, f"{what} takes x of shape [n, classes], got {x.shape}")
    rows, classes = x.shape
    # An unchanged row picks an arbitrary element and drops it, so that no gradient is NaN.
    inside = (label >= 0) * (label < classes)
    some = apply("flow.where", inside, label, constant_blob(0, (), label.dtype, what), what=what)[0]
    chosen = apply("flow.pick", x, some, what=what)[0]
    cosine = apply("flow.where", inside, chosen, constant_blob(0, (), x.dtype, what), what=what)[0]
    if (factor, shift) != (1, 0):
        angle = _unary("flow.acos", cosine) * factor + shift
        cosine = _unary("flow.cos", angle)
    column = apply("flow.reshape", cosine - less, shape=(rows, 1), what=what)[0]
    at_label = apply("flow.one_hot", label, depth=classes, element=ty.i8, what=what)[0]
    return apply("flow.where", at_label, column, x, name=name, what=what)[0]


def _norm(x: Blob, order: float, what: str) -> Blob:
    """The norm of each row; an order of 2 uses squares."""
    last = [len(x.shape) - 1]
    each = _unary("flow.square", x)
    if order != 2:
        each = binary("flow.pow", _unary("flow.abs", x), order, what=what)
    total = apply("flow.reduce_sum", each, axes=last, keepdims=False, what=what)[0]
    return _unary("flow.sqrt", total) if order == 2 else binary("flow.pow", total, 1 / order)


# -- shared parts ---------------------------------------------------------------------------------


def _unary(op: str, x: Blob, name: str | None = None) -> Blob:
    return apply(op, x, name=name)[0]


def _alike(x: Blob, y: Blob, words: tuple[str, str], what: str) -> tuple[Blob, Blob]:
    """Two blobs of floats of one shape and element type; a located error otherwise."""
    x, y = check_blob(x, what), check_blob(y, what)
    if x.shape != y.shape or x.dtype != y.dtype or not x.dtype.is_float:
        raise located(
            ValueError,
            f"{what} takes {words[0]} and {words[1]} as floats of one type and shape, got "
            f"{x.dtype} of shape {x.shape} and {y.dtype} of shape {y.shape}",
        )
    return x, y


def _weighted(loss: Blob, weight: Blob | None, what: str) -> Blob:
    return loss if weight is None else loss * _alike(loss, weight, ("input", "weight"), what)[1]


def _reduced(loss: Blob, reduction: str, what: str, name: str | None) -> Blob:
    """The mean or the sum of all elements, or the elements themselves, by `reduction`."""
    if reduction not in _REDUCTIONS:
        raise located(
            ValueError,
            f'reduction of {what} must be "mean", "sum" or "none", got {kind_of(reduction)}',
        )
    if reduction == "none":
        return _unary("flow.identity", loss, name) if name else loss
    return reduced(_REDUCTIONS[reduction], loss, None, False, name, what)
