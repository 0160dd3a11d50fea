"""Fragments: which element of a matrix is in which register of which lane, as data.

PTX ISA, "Warp Level Matrix Multiply-Accumulate" and "Asynchronous Warpgroup Level". In the formulas
there, a lane's group is `lane >> 2` and its place in the group is `lane & 3`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["FRAGMENTS", "Fragment", "Shape", "wgmma_accumulator", "wgmma_left"]


@dataclass(frozen=True)
class Fragment:
    """`rows[lane, element]` and `columns[lane, element]` of a matrix of `shape`.

    Elements are counted through a lane's registers, the low part of a register first.
    """

    shape: tuple[int, int]
    rows: Array
    columns: Array

    def matrix(self, elements: Array) -> Array:
        """Matrices, from the elements of each lane: [..., lane, element] -> [..., row, column]."""
        found = np.zeros((*elements.shape[:-2], *self.shape), elements.dtype)
        found[..., self.rows, self.columns] = elements
        return found

    def elements(self, matrix: Array) -> Array:
        """The elements of each lane, from matrices."""
        found: Array = matrix[..., self.rows, self.columns]
        return found


@dataclass(frozen=True)
class Shape:
    """The fragments of `A` (m x k), `B` (k x n) and of the accumulator (m x n)."""

    left: Fragment
    right: Fragment
    result: Fragment


Place = Callable[[Array, Array, Array], Array]
"""Of group, place in the group, and element."""


def _fragment(shape: tuple[int, int], elements: int, row: Place, column: Place) -> Fragment:
    lane, element = np.arange(32)[:, None], np.arange(elements)[None, :]
    group, place = lane >> 2, lane & 3
    rows = np.broadcast_to(row(group, place, element), (32, elements))
    columns = np.broadcast_to(column(group, place, element), (32, elements))
    return Fragment(shape, rows, columns)


def _result(rows: int) -> Fragment:
    """The accumulator: pairs of columns, then eight rows below."""
    return _fragment(
        (rows, 8),
        rows // 4,
        lambda g, t, i: g + 8 * (i >> 1),
        lambda g, t, i: 2 * t + (i & 1),
    )


def _halves(k: int) -> Shape:
    """m16n8k8 and m16n8k16 of 16-bit elements."""
    return Shape(
        _fragment(
            (16, k),
            k // 2,
            lambda g, t, i: g + 8 * (i >> 1 & 1),
            lambda g, t, i: 2 * t + (i & 1) + 8 * (i >> 2),
        ),
        _fragment(
            (k, 8),
            k // 4,
            lambda g, t, i: 2 * t + (i & 1) + 8 * (i >> 1),
            lambda g, t, i: g + 0 * i,
        ),
        _result(16),
    )


def _words(k: int) -> Shape:
    """m16n8k4 and m16n8k8 of tf32."""
    return Shape(
        _fragment(
            (16, k), k // 2, lambda g, t, i: g + 8 * (i & 1), lambda g, t, i: t + 4 * (i >> 1)
        ),
        _fragment((k, 8), k // 4, lambda g, t, i: t + 4 * i, lambda g, t, i: g + 0 * i),
        _result(16),
    )


def _octets(k: int) -> Shape:
    """m16n8k16 and m16n8k32 of 8-bit elements."""
    return Shape(
        _fragment(
            (16, k),
            k // 2,
            lambda g, t, i: g + 8 * (i >> 2 & 1),
            lambda g, t, i: 4 * t + (i & 3) + 16 * (i >> 3),
        ),
        _fragment(
            (k, 8),
            k // 4,
            lambda g, t, i: 4 * t + (i & 3) + 16 * (i >> 2),
            lambda g, t, i: g + 0 * i,
        ),
        _result(16),
    )


def _doubles() -> Shape:
    """m8n8k4 of f64."""
    return Shape(
        _fragment((8, 4), 1, lambda g, t, i: g + 0 * i, lambda g, t, i: t + 0 * i),
        _fragment((4, 8), 1, lambda g, t, i: t + 0 * i, lambda g, t, i: g + 0 * i),
        _result(8),
    )


FRAGMENTS: dict[tuple[str, int], Shape] = {
    ("m16n8k8", 16): _halves(8),
    ("m16n8k16", 16): _halves(16),
    ("m16n8k4", 32): _words(4),
    ("m16n8k8", 32): _words(8),
    ("m16n8k16", 8): _octets(16),
    ("m16n8k32", 8): _octets(32),
    ("m8n8k4", 64): _doubles(),
}
"""Shape and bits per element of the factors -> the fragments of `mma.sync`."""


def wgmma_accumulator(n: int) -> Fragment:
    """The accumulator of `wgmma` m64nNkK: a warp has 16 rows; lanes 0 to 127."""
    lane, element = np.arange(128)[:, None], np.arange(n // 2)[None, :]
    rows = 16 * (lane >> 5) + (lane >> 2 & 7) + 8 * (element >> 1 & 1)
    columns = 2 * (lane & 3) + (element & 1) + 8 * (element >> 2)
    return Fragment((64, n), rows, np.broadcast_to(columns, rows.shape))


def wgmma_left(bits: int) -> Fragment:
    """`A` of `wgmma` in registers, 64 x k with k of 32 bytes: four 16-row fragments of `mma`."""
    inner = FRAGMENTS["m16n8k16" if bits == 16 else "m16n8k8", bits].left
    warps = np.arange(4)[:, None, None]
    rows = (inner.rows[None] + 16 * warps).reshape(128, -1)
    columns = np.broadcast_to(inner.columns[None], (4, *inner.columns.shape)).reshape(128, -1)
    return Fragment((64, inner.shape[1]), rows, columns)
