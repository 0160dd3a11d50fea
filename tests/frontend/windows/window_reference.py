"""Convolutions and pools in float64, by definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Pairs = Sequence[tuple[int, int]]


def same_pairs(
    word: str, space: Sequence[int], reach: Sequence[int], strides: Sequence[int]
) -> Pairs:
    """The padding (before, after) that gives ceil(extent / stride) positions."""
    pairs = []
    for n, size, step in zip(space, reach, strides, strict=True):
        short = max(0, (int(np.ceil(n / step)) - 1) * step + size - n)
        more, less = short - short // 2, short // 2
        pairs.append((less, more) if word == "SAME_UPPER" else (more, less))
    return pairs


def pad_space(x: Array, pairs: Pairs, value: float = 0.0) -> Array:
    """x, channels first, with constant spatial padding."""
    return np.pad(x, [(0, 0), (0, 0), *pairs], constant_values=value)


def windows(
    x: Array, size: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Each position of a window, and the spatial indices of its elements."""
    reach = [(k - 1) * d + 1 for k, d in zip(size, dilations, strict=True)]
    counts = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, strides, strict=True)]
    for place in product(*map(range, counts)):
        starts = [p * s for p, s in zip(place, strides, strict=True)]
        pieces = zip(starts, reach, dilations, strict=True)
        yield place, tuple(slice(a, a + r, d) for a, r, d in pieces)


def convolve(
    x: Array, w: Array, strides: Sequence[int], dilations: Sequence[int], groups: int
) -> Array:
    """The convolution of x, which is already padded, channels first."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    found = list(windows(x, w.shape[2:], strides, dilations))
    counts = [1 + last for last in found[-1][0]]
    y = np.zeros((x.shape[0], w.shape[0], *counts))
    own, each = w.shape[1], w.shape[0] // groups
    for place, cut in found:
        for f in range(w.shape[0]):
            group = f // each
            seen = x[(slice(None), slice(group * own, (group + 1) * own), *cut)]
            y[(slice(None), f, *place)] = (seen * w[f]).reshape(len(x), -1).sum(1)
    return y


def backward(
    x: Array, w: Array, dy: Array, strides: Sequence[int], dilations: Sequence[int], groups: int
) -> tuple[Array, Array]:
    """The gradients of `convolve` by x and by w."""
    dx, dw = np.zeros(x.shape), np.zeros(w.shape)
    own, each = w.shape[1], w.shape[0] // groups
    for place, cut in windows(x, w.shape[2:], strides, dilations):
        for f in range(w.shape[0]):
            channels = slice(f // each * own, (f // each + 1) * own)
            step = dy[(slice(None), f, *place)].reshape(-1, *[1] * (x.ndim - 1))
            dx[(slice(None), channels, *cut)] += step * w[f]
            dw[f] += (step * x[(slice(None), channels, *cut)]).sum(0)
    return dx, dw


def pooled(kind: str, x: Array, size: Sequence[int], strides: Sequence[int], rim: Array) -> Array:
    """A pool of x, which is already padded, channels first; `rim` is 0 for padding."""
    found = list(windows(x, size, strides, [1] * len(size)))
    y = np.zeros((*x.shape[:2], *(1 + last for last in found[-1][0])))
    for place, cut in found:
        seen = x[(slice(None), slice(None), *cut)].reshape(*x.shape[:2], -1)
        count = rim[cut].sum()
        y[(slice(None), slice(None), *place)] = (
            seen.max(-1) if kind == "max" else seen.sum(-1) / count
        )
    return y
