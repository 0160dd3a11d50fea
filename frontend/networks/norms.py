"""`flow.nn`: normalization by given moments, by groups of channels, and by single channels."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from penstock.basics.checks import check_flag, check_integer, check_within
from penstock.basics.dtypes import DType, bfloat16, float16, float32
from penstock.basics.errors import located
from penstock.ir.attributes import element_type
from penstock.networks.layer_parts import check_layer_name
from penstock.scope import namespace, prefixed
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob
from penstock.trace.thin import axis_of
from penstock.trace.tracing import current_trace
from penstock.trace.variables import layer_variable


def batch_normalization(
    x: Blob,
    mean: Blob,
    variance: Blob,
    offset: Blob | None = None,
    scale: Blob | None = None,
    variance_epsilon: float = 1e-5,
    axis: int = 1,
    name: str | None = None,
) -> Blob:
    """scale * (x - mean) / sqrt(variance + epsilon) + offset, with one number of each per channel.

    `mean`, `variance`, `offset` and `scale` have one dimension, the extent of `x` along `axis`;
    offset and scale may be None.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 2))) -> tp.Numpy:
    ...     mean, variance = flow.ones((2,)), flow.constant(4, flow.float32, (2,))
    ...     return flow.nn.batch_normalization(x, mean, variance, variance_epsilon=0.0)
    >>> job(np.array([[1, 3], [5, 7]], np.float32))
    array([[0., 1.],
           [2., 3.]], dtype=float32)
    """
    what = "flow.nn.batch_normalization"
    x = check_blob(x, what)
    place = axis_of(axis, len(x.shape), what)
    epsilon = check_within(variance_epsilon, f"variance_epsilon of {what}", 0)
    blobs = {"mean": mean, "variance": variance, "offset": offset, "scale": scale}
    channels = (x.shape[place],)
    for word, blob in blobs.items():
        if blob is not None and check_blob(blob, what).shape != channels:
            raise located(
                ValueError,
                f"{word} of {what} must have shape {channels}, one number for each channel "
                f"(dimension {place} of {x.shape}), got {blob.shape}",
            )
    factor = apply("flow.rsqrt", binary("flow.add", variance, epsilon, what=what), what=what)[0]
    if scale is not None:
        factor = binary("flow.multiply", factor, scale, what=what)
    y = binary("flow.subtract", x, along(mean, x, place), what=what)
    y = binary("flow.multiply", y, along(factor, x, place), name if offset is None else None, what)
    return y if offset is None else binary("flow.add", y, along(offset, x, place), name, what)


def GroupNorm(
    x: Blob,
    num_groups: int = 32,
    eps: float = 1e-5,
    affine: bool = True,
    name: str | None = None,
) -> Blob:
    """Normalize each sample over the channels of a group and all further dimensions.

    `x` has shape [N, C, ...], with at least three dimensions; C is a multiple of `num_groups`. If
    `affine`, each channel has a scale, the variable `<name>-gamma`, and a shift, `<name>-beta`,
    initially 1 and 0, of shape [1, C, 1, ...]. Wu and He, "Group normalization", 2018.
    """
    what = "flow.nn.GroupNorm"
    x = check_blob(x, what)
    groups = check_integer(num_groups, f"num_groups of {what}")
    if len(x.shape) < 3:
        raise located(ValueError, f"{what} takes three dimensions or more, got shape {x.shape}")
    if groups < 1 or x.shape[1] % groups:
        raise located(
            ValueError,
            f"num_groups of {what} must divide the {x.shape[1]} channels, got {num_groups}",
        )
    each = x.shape[1] // groups
    return _of_samples(x, groups, each, eps, affine, name, what)


def InstanceNorm1d(
    x: Blob, eps: float = 1e-5, affine: bool = True, name: str | None = None
) -> Blob:
    """Normalize each channel of each sample; x is [N, C, L]: see `GroupNorm`."""
    return _instance_norm(x, 1, eps, affine, name)


def InstanceNorm2d(
    x: Blob, eps: float = 1e-5, affine: bool = True, name: str | None = None
) -> Blob:
    """Normalize each channel of each sample; x is [N, C, H, W]: see `GroupNorm`."""
    return _instance_norm(x, 2, eps, affine, name)


def InstanceNorm3d(
    x: Blob, eps: float = 1e-5, affine: bool = True, name: str | None = None
) -> Blob:
    """Normalize each channel of each sample; x is [N, C, D, H, W]: see `GroupNorm`."""
    return _instance_norm(x, 3, eps, affine, name)


# -- shared parts ---------------------------------------------------------------------------------


def along(channels: Blob, x: Blob, axis: int) -> Blob:
    """One number per channel, in a shape that broadcasts to x."""
    shape = [1] * len(x.shape)
    shape[axis] = x.shape[axis]
    return apply("flow.reshape", channels, shape=shape, what="a normalization")[0]


def cast(x: Blob, dtype: DType, name: str | None = None) -> Blob:
    """x in another element type, or x itself."""
    if x.dtype is dtype:
        return x
    return apply("flow.cast", x, element=element_type(dtype.numpy), name=name)[0]


def computed_in(dtype: DType) -> DType:
    """The element type of a normalization's moments and variables: f32 for 16-bit floats."""
    return float32 if dtype in (float16, bfloat16) else dtype


def check_floats(x: Blob, what: str) -> None:
    """Raise a located TypeError for a blob of integers."""
    if not x.dtype.is_float:
        raise located(TypeError, f"{what} takes floats, got {x.dtype}; cast the blob first")


def normalized(
    x: Blob,
    gamma: Blob | None,
    beta: Blob | None,
    axes: Sequence[int],
    epsilon: float,
    **named: Any,
) -> list[Blob]:
    """`flow.normalization`; gamma and beta may be None."""
    what = named["what"]
    gamma = constant_blob(1, (), x.dtype, what) if gamma is None else gamma
    beta = constant_blob(0, (), x.dtype, what) if beta is None else beta
    return apply("flow.normalization", x, gamma, beta, axes=axes, epsilon=epsilon, **named)


def _instance_norm(x: Blob, spatial: int, eps: float, affine: bool, name: str | None) -> Blob:
    what = f"flow.nn.InstanceNorm{spatial}d"
    x = check_blob(x, what)
    if len(x.shape) != spatial + 2:
        raise located(ValueError, f"{what} takes {spatial + 2} dimensions, got shape {x.shape}")
    return _of_samples(x, x.shape[1], 1, eps, affine, name, what)


def _of_samples(
    x: Blob, groups: int, each: int, eps: float, affine: bool, name: str | None, what: str
) -> Blob:
    check_floats(x, what)
    check_flag(affine, f"affine of {what}")
    epsilon = check_within(eps, f"eps of {what}", 0)
    label = _label(name, what)
    if 0 in x.shape[1:]:
        raise located(ValueError, f"{what} takes channels with elements, got shape {x.shape}")
    dtype = computed_in(x.dtype)
    parts = [x.shape[0], groups, each, prod(x.shape[2:])]
    gamma = beta = None
    if affine:
        shape = (1, x.shape[1], *[1] * (len(x.shape) - 2))
        with namespace(label):
            gamma = layer_variable("gamma", shape, dtype, None, None, True, first=1.0)
            beta = layer_variable("beta", shape, dtype, None, None, True)
        gamma, beta = (
            apply("flow.reshape", blob, shape=[1, groups, each, 1], what=what)[0]
            for blob in (gamma, beta)
        )
    y = apply("flow.reshape", cast(x, dtype), shape=parts, what=what)[0]
    y = normalized(y, gamma, beta, [2, 3], epsilon, what=what)[0]
    y = apply("flow.reshape", y, shape=x.shape, name=label, what=what)[0]
    return cast(y, x.dtype)


def _label(name: str | None, what: str) -> str:
    """The layer's name; by default the function's name and a number."""
    if name is not None:
        check_layer_name(name, what)
        return name
    variables = current_trace(what).variables
    number = 0
    while prefixed(f"{what.rpartition('.')[2]}_{number}-gamma") in variables:
        number += 1
    return f"{what.rpartition('.')[2]}_{number}"
