"""Normalizations by mean and variance, or by the root mean square."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.basics.checks import check_within, is_integer
from penstock.basics.dtypes import DType, bfloat16, float16, float32
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import (
    channels,
    check_count,
    check_floats,
    check_shape,
)
from penstock.tensor_functions.calls import as_type, constant, given, op, ops, pair, reshaped
from penstock.tensor_functions.one_kernel import OneKernel
from penstock.tensor_functions.pointwise import add, mul, sub
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob
from penstock.trace.eager import Eager


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float | Tensor = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """weight * (x - mean) / sqrt(variance + eps) + bias for each channel; channels are dimension 1.

    In training, the mean and variance are those of the input. The running ones, if any, move
    towards them by `momentum`; the running variance uses the unbiased one. Otherwise the running
    mean and variance are used.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.batch_norm(flow.tensor([[1.0], [3.0]]), None, None, training=True, eps=0.0)
    tensor([[-1.],
            [ 1.]], dtype=penstock.float32)
    """
    what = "F.batch_norm"
    x = check_floats(given(input, what), what)
    epsilon = check_within(eps, f"eps of {what}", 0)
    if len(x.shape) < 2:
        raise located(ValueError, f"{what} takes [n, channels, ...], got shape {tuple(x.shape)}")
    numbers = {
        "running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias,
    }  # fmt: skip
    for word, one in numbers.items():
        if one is not None:
            check_shape(given(one, what), (x.shape[1],), word, what)
    if not training:
        if running_mean is None or running_var is None:
            raise located(
                ValueError, f"{what} needs running_mean and running_var unless training=True"
            )
        return _by_moments(x, running_mean, running_var, weight, bias, epsilon)
    count = x.shape[0] * prod(x.shape[2:])
    if count <= 1:
        raise located(
            ValueError,
            f"{what} in training needs more than one value for each channel, got shape "
            f"{tuple(x.shape)}; call eval() on the module to use the running mean",
        )
    axes = [0, *range(2, len(x.shape))]
    y, mean, variance = _normalized(x, weight, bias, 1, axes, epsilon, what)
    with no_grad():
        is_number = not isinstance(momentum, Eager | Blob)
        share = check_within(momentum, f"momentum of {what}", 0) if is_number else momentum
        _move(running_mean, mean, share, 1.0, what)
        _move(running_var, variance, share, count / (count - 1), what)
    return as_type(y, x.dtype)


def _move(running: Tensor | None, seen: Tensor, share: Any, scale: float, what: str) -> None:
    if running is None:
        return
    new = as_type(reshaped(seen, list(running.shape)), running.dtype)
    moved = add(mul(running, 1 - share), mul(new, share * scale))
    assign(running, as_type(moved, running.dtype), what)


def _by_moments(
    x: Tensor, mean: Tensor, variance: Tensor, weight: Tensor | None, bias: Tensor | None,
    epsilon: float,
) -> Tensor:  # fmt: skip
    factor = op("flow.rsqrt", add(variance, epsilon))
    if weight is not None:
        factor = mul(factor, weight)
    rank = len(x.shape)
    y = mul(sub(x, channels(mean, rank)), channels(factor, rank))
    y = y if bias is None else add(y, channels(bias, rank))
    return as_type(y, x.dtype)


def computed_in(dtype: DType) -> DType:
    """The type in which moments are computed: float32 for floats of 16 bits."""
    return float32 if dtype in (float16, bfloat16) else dtype


def _normalized(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, axis: int, axes: list[int],
    epsilon: float, what: str,
) -> list[Tensor]:  # fmt: skip
    """The normalized tensor, its mean and variance; weight and bias vary along one axis."""
    dtype = computed_in(x.dtype)
    rank = len(x.shape)
    gamma, beta = (
        constant(np.full((), default, dtype.numpy), x)
        if one is None
        else as_type(channels(one, rank, axis), dtype)
        for one, default in ((weight, 1), (bias, 0))
    )
    return ops(
        "flow.normalization", as_type(x, dtype), gamma, beta, axes=axes, epsilon=epsilon, what=what
    )


def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """weight * (x - mean) / sqrt(variance + eps) + bias, over the dimensions `normalized_shape`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.layer_norm(flow.tensor([[1.0, 3.0]]), (2,), eps=0.0)
    tensor([[-1.,  1.]], dtype=penstock.float32)
    """
    return _layer_norm(input, weight, bias, normalized_shape=normalized_shape, eps=eps)


def _layer_norm_body(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, normalized_shape: Any, eps: Any
) -> Tensor:
    what = "F.layer_norm"
    x = check_floats(given(input, what), what)
    shape = trailing(x, normalized_shape, what)
    y = op(
        "flow.layer_norm", as_type(x, computed_in(x.dtype)), what=what,
        begin_axis=len(x.shape) - len(shape), epsilon=check_within(eps, f"eps of {what}", 0),
    )  # fmt: skip
    for word, name, one in (("weight", "flow.multiply", weight), ("bias", "flow.add", bias)):
        if one is not None:
            check_shape(given(one, what), shape, word, what)
            y = pair(name, y, one, what)
    return as_type(y, x.dtype)


_layer_norm = OneKernel(_layer_norm_body, "flow.layer_norm")


def trailing(x: Tensor, normalized_shape: object, what: str) -> tuple[int, ...]:
    """The shape of the last dimensions, which x must have."""
    shape = shape_of(normalized_shape, what)
    if not shape or tuple(x.shape[-len(shape) :]) != shape:
        raise located(
            ValueError,
            f"{what} takes an input whose last dimensions have shape {shape}, got {tuple(x.shape)}",
        )
    return shape


def shape_of(given: object, what: str) -> tuple[int, ...]:
    """A shape from an int or a list of ints."""
    listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
    if not all(is_integer(n) and n >= 0 for n in listed):
        raise located(ValueError, f"normalized_shape of {what} must be ints, got {kind_of(given)}")
    return tuple(int(n) for n in listed)


def rms_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """weight * x / sqrt(mean of x squared + eps), over the last dimensions `normalized_shape`.

    `eps` is by default the machine epsilon of the type.
    """
    what = "F.rms_norm"
    x = check_floats(given(input, what), what)
    shape = trailing(x, normalized_shape, what)
    dtype = computed_in(x.dtype)
    least = float(np.finfo(dtype.numpy).eps) if eps is None else check_within(eps, "eps", 0)
    wide = as_type(x, dtype)
    rank = len(x.shape)
    square = op(
        "flow.reduce_mean", op("flow.square", wide), axes=list(range(rank - len(shape), rank)),
        keepdims=True, what=what,
    )  # fmt: skip
    y = mul(wide, op("flow.rsqrt", add(square, least)))
    if weight is not None:
        check_shape(given(weight, what), shape, "weight", what)
        y = mul(y, weight)
    return as_type(y, x.dtype)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalization of each sample over the channels of a group and all further dimensions."""
    what = "F.group_norm"
    x = check_floats(given(input, what), what)
    groups = check_count(num_groups, "num_groups", what)
    if len(x.shape) < 2 or x.shape[1] % groups:
        raise located(
            ValueError,
            f"{what} takes [n, channels, ...] whose channels divide into {groups} groups, got "
            f"shape {tuple(x.shape)}",
        )
    return _of_samples(x, groups, weight, bias, eps, what)


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalization of each channel of each sample; running statistics are as in `batch_norm`.

    A running mean or variance moves towards the mean over the samples.
    """
    what = "F.instance_norm"
    x = check_floats(given(input, what), what)
    if len(x.shape) < 3:
        raise located(ValueError, f"{what} takes [n, channels, ...], got shape {tuple(x.shape)}")
    epsilon = check_within(eps, f"eps of {what}", 0)
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise located(ValueError, f"{what} needs running_mean and running_var to use these")
        return _by_moments(x, running_mean, running_var, weight, bias, epsilon)
    if prod(x.shape[2:]) <= 1:
        raise located(
            ValueError,
            f"{what} needs more than one value for each channel, got shape {tuple(x.shape)}",
        )
    axes = list(range(2, len(x.shape)))
    y, *moments = _normalized(x, weight, bias, 1, axes, epsilon, what)
    with no_grad():
        share, count = check_within(momentum, f"momentum of {what}", 0), prod(x.shape[2:])
        scales = (1.0, count / (count - 1))
        for running, seen, scale in zip((running_mean, running_var), moments, scales, strict=True):
            if running is not None:
                mean = op("flow.reduce_mean", seen, axes=[0], keepdims=False)
                _move(running, mean, share, scale, what)
    return as_type(y, x.dtype)


def _of_samples(
    x: Tensor, groups: int, weight: Tensor | None, bias: Tensor | None, eps: float, what: str
) -> Tensor:
    epsilon = check_within(eps, f"eps of {what}", 0)
    each = x.shape[1] // groups
    parts = reshaped(x, [x.shape[0], groups, each, prod(x.shape[2:])])
    for word, one in (("weight", weight), ("bias", bias)):
        if one is not None:
            check_shape(given(one, what), (x.shape[1],), word, what)
    dtype = computed_in(x.dtype)
    gamma, beta = (
        constant(np.full((), default, dtype.numpy), x)
        if one is None
        else as_type(reshaped(one, [1, groups, each, 1]), dtype)
        for one, default in ((weight, 1), (bias, 0))
    )
    y = op(
        "flow.normalization", as_type(parts, dtype), gamma, beta, axes=[2, 3], epsilon=epsilon,
        what=what,
    )  # fmt: skip
    return as_type(reshaped(y, list(x.shape)), x.dtype)
