"""`flow.random`: random numbers, drawn anew in every step.

A draw depends on the op's seed and name, the job's name, and the number of steps that the job has
run, in the variable `System-Random-Step-<job>`, which checkpoints keep. So a program draws the
same numbers in every run, whatever the processor and the number of threads, and continues from a
checkpoint as if it had not stopped. Ops with one seed draw different numbers, since their names
differ; the default seed is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from penstock.basics.checks import check_integer, check_number
from penstock.basics.dtypes import DType, bfloat16, check_dtype, float16, float32, float64
from penstock.basics.errors import located
from penstock.basics.names import no_such
from penstock.ir.attributes import element_type
from penstock.trace.blob import Blob, apply, binary, check_blob, check_static, in_each_micro_batch
from penstock.trace.drawing import draw
from penstock.trace.initializers import check_seed
from penstock.typing import check_shape

__all__ = [
    "CoinFlip",
    "bernoulli",
    "coin_flip",
    "gen_seed",
    "generate_random_batch_permutation_indices",
    "normal",
    "shuffle",
    "truncated_normal",
    "uniform",
]


def uniform(
    shape: Sequence[int],
    minval: float = 0.0,
    maxval: float = 1.0,
    dtype: DType = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Uniform floats in [minval, maxval), both finite.

    They are minval + (maxval - minval) * u, where u is a multiple of 2^-24 (2^-53 for float64,
    2^-11 for float16, 2^-8 for bfloat16) in [0, 1). Rounding may give maxval.

    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def dice() -> tp.Numpy:
    ...     return flow.math.floor(flow.random.uniform((6,), 1, 7, name="dice"))
    >>> dice()
    array([1., 2., 3., 3., 3., 2.], dtype=float32)
    >>> dice()
    array([5., 2., 2., 5., 6., 1.], dtype=float32)
    """
    what = "flow.random.uniform"
    low, high = check_number(minval, f"minval of {what}"), check_number(maxval, f"maxval of {what}")
    if not math.isfinite(high - low):
        raise located(
            ValueError,
            f"{what} needs a finite range from minval to maxval, got {minval} and {maxval}",
        )
    if low > high:
        raise located(ValueError, f"{what} needs minval <= maxval, got {minval} and {maxval}")
    drawn = _floats("flow.random_uniform", shape, dtype, seed, name, what)
    return _moved(drawn, high - low, low, what)


def normal(
    shape: Sequence[int],
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DType = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Normal floats with this mean and standard deviation."""
    return _normal("flow.random_normal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(
    shape: Sequence[int],
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DType = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Normal floats within two standard deviations of the mean.

    Their distribution is that of rejection sampling: see `flow.random_truncated_normal`.
    """
    return _normal("flow.random_truncated_normal", shape, mean, stddev, dtype, seed, name)


def bernoulli(
    x: Blob, seed: int | None = None, dtype: DType | None = None, name: str = "Bernoulli"
) -> Blob:
    """Ones with probability `x`, per element, otherwise zeros.

    `x` holds floats; the result has its shape, and its element type unless `dtype` is given.
    """
    what = "flow.random.bernoulli"
    p = check_blob(x, what)
    element = p.dtype if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    return draw("flow.bernoulli", p, seed=seed, name=name, what=what, element=_element(element))


def coin_flip(
    batch_size: int = 1, seed: int | None = None, probability: float = 0.5, name: str = "CoinFlip"
) -> Blob:
    """`batch_size` int8 numbers, each 1 with this probability, otherwise 0."""
    what = "flow.random.coin_flip"
    count = check_integer(batch_size, f"batch_size of {what}")
    shape = check_shape((count,), f"batch_size of {what}")
    chance = check_number(probability, f"probability of {what}")
    if not 0 < chance <= 1:
        raise located(
            ValueError, f"probability of {what} must be above 0 and at most 1, got {probability}"
        )
    return draw("flow.random_mask", seed=seed, name=name, what=what, shape=shape, rate=1 - chance)


CoinFlip = coin_flip


def generate_random_batch_permutation_indices(
    value: Blob, seed: int | None = None, name: str | None = None
) -> Blob:
    """A random permutation of the positions along the first dimension of `value`, as int32.

    All permutations are equally likely: it sorts random float64 numbers.
    """
    return _order(value, seed, name, "flow.random.generate_random_batch_permutation_indices")


def shuffle(value: Blob, seed: int | None = None, name: str | None = None) -> Blob:
    """`value` with its slices along the first dimension in random order.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def deal(cards: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
    ...     return flow.random.shuffle(cards)
    >>> deal(np.arange(5, dtype=np.float32))
    array([0., 2., 4., 3., 1.], dtype=float32)
    """
    what = "flow.random.shuffle"
    order = _order(value, seed, None, what)
    return apply("flow.gather", value, order, axis=0, name=name or "shuffle", what=what)[0]


def gen_seed(seed: int | None = None) -> tuple[int, bool]:
    """The seed and True; without a seed, one that differs from call to call, and False.

    >>> import penstock as flow
    >>> flow.random.gen_seed(7)
    (7, True)
    """
    if seed is not None:
        return check_seed(seed), True
    import secrets

    return secrets.randbits(63), True


# -- shared parts ---------------------------------------------------------------------------------


def _order(value: Blob, seed: int | None, name: str | None, what: str) -> Blob:
    """A random permutation of the positions along the first dimension."""
    value = check_static(value, what)
    if not value.shape:
        raise located(ValueError, f"{what} takes one dimension or more, got a scalar")
    if value.micro_batches:
        return in_each_micro_batch(lambda one: [_order(one, seed, name, what)], [value], what)[0]
    keys = _floats("flow.random_uniform", value.shape[:1], float64, seed, None, what)
    return apply("flow.sort", keys, name=name or "random_order", what=what)[1]


def _floats(
    op: str, shape: Sequence[int], dtype: DType, seed: int | None, name: str | None, what: str
) -> Blob:
    element = check_dtype(dtype, f"the dtype of {what}")
    extents = check_shape(tuple(shape) if isinstance(shape, list) else shape, what)
    attributes = {"shape": extents, "element": _element(element)}
    return draw(op, seed=seed, name=name, what=what, **attributes)


def _normal(
    op: str,
    shape: Sequence[int],
    mean: float,
    stddev: float,
    dtype: DType,
    seed: int | None,
    name: str | None,
) -> Blob:
    what = op.replace("random_", "random.", 1)
    deviation = check_number(stddev, f"stddev of {what}")
    if deviation < 0:
        raise located(ValueError, f"stddev of {what} must be at least 0, got {stddev}")
    middle = check_number(mean, f"mean of {what}")
    wide = float32 if dtype in (float16, bfloat16) else dtype
    drawn = _floats(op, shape, wide, seed, name, what)
    drawn = _moved(drawn, deviation, middle, what)
    return (
        drawn if wide is dtype else apply("flow.cast", drawn, element=_element(dtype), what=what)[0]
    )


def _moved(x: Blob, scale: float, offset: float, what: str) -> Blob:
    """scale * x + offset"""
    if scale != 1:
        x = binary("flow.multiply", x, scale, what=what)
    return binary("flow.add", x, offset, what=what) if offset else x


def _element(dtype: DType) -> Any:
    return element_type(dtype.numpy)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.random")
