"""Dropout: sets random elements to 0, in train jobs."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_within
from penstock.basics.errors import located
from penstock.trace.blob import (
    Blob,
    apply,
    binary,
    check_blob,
    check_static,
    constant_blob,
    in_each_micro_batch,
)
from penstock.trace.drawing import draw
from penstock.trace.thin import integers_of
from penstock.trace.tracing import current_trace


def dropout(
    x: Blob,
    rate: float,
    noise_shape: Sequence[int] | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """In a train job, 0 with probability `rate`, else x / (1 - rate); in a predict job, x.

    `noise_shape`, which must broadcast to x's shape, is the shape of the random mask; by default it
    is x's shape. The mask is kept for the gradient. Srivastava et al., "Dropout: a simple way to
    prevent neural networks from overfitting", 2014.

    Raises a located TypeError or ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.nn.dropout(x, 0.5)
    >>> job(np.ones(3, np.float32))
    array([1., 1., 1.], dtype=float32)
    """
    what = "flow.nn.dropout"
    x, share = check_blob(x, what), check_within(rate, f"rate of {what}", 0, 1)
    if current_trace(what).job_type != "train" or share == 0:
        return x
    label = name or "dropout"
    mask = _mask(x, share, noise_shape, seed, f"{label}_mask", what)
    scaled = binary("flow.multiply", x, 1 / (1 - share), what=what)
    zero = constant_blob(0, (), x.dtype, what)
    return apply("flow.where", mask, scaled, zero, name=label, what=what)[0]


def random_mask_like(
    like: Blob,
    rate: float,
    seed: int | None = None,
    noise_shape: Sequence[int] | None = None,
    name: str | None = None,
) -> Blob:
    """An int8 mask of `like`'s shape, or of `noise_shape`: 0 with probability `rate`, otherwise
    1."""
    what = "flow.nn.random_mask_like"
    share = check_within(rate, f"rate of {what}", 0, 1)
    return _mask(check_static(like, what), share, noise_shape, seed, name, what)


def _mask(
    like: Blob,
    rate: float,
    noise_shape: Sequence[int] | None,
    seed: int | None,
    name: str | None,
    what: str,
) -> Blob:
    if like.micro_batches:
        return in_each_micro_batch(
            lambda one: [_mask(one, rate, noise_shape, seed, name, what)], [like], what
        )[0]
    shape = list(like.shape)
    if noise_shape is not None:
        shape = integers_of(noise_shape, f"noise_shape of {what}")
        pairs = zip(reversed(shape), reversed(like.shape), strict=False)
        if len(shape) > len(like.shape) or any(n not in (1, extent) for n, extent in pairs):
            raise located(
                ValueError,
                f"noise_shape of {what} must broadcast to shape {like.shape}, got {tuple(shape)}",
            )
    return draw("flow.random_mask", seed=seed, name=name, what=what, shape=shape, rate=rate)
