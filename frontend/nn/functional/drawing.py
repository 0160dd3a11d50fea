"""Random numbers for first values and for dropout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.nn.functional.constants import Array

_stream = np.random.Generator(np.random.Philox(0))


def seed(number: int) -> None:
    """Begin anew: what is drawn from here on depends on this number alone."""
    _stream.bit_generator.state = np.random.Philox(number & (2**64 - 1)).state


def uniform(shape: Sequence[int], low: float, high: float) -> Array:
    """float64 spread evenly from `low` up to `high`."""
    return _stream.uniform(low, high, tuple(shape))


def normal(shape: Sequence[int], mean: float, deviation: float) -> Array:
    """float64 of a normal distribution."""
    return _stream.normal(mean, deviation, tuple(shape))


def mask(shape: Sequence[int], rate: float) -> Array:
    """bools that are False with probability `rate`."""
    return np.asarray(_stream.random(tuple(shape)) >= rate)
