"""What slides over what: the geometry that convolutions and pools share, for any number of
spatial dimensions.

A tensor has dimensions for samples, for channels and for space; channels stand ahead of space
(NCHW), or last (NHWC). Along each dimension of space a window of k positions that are d apart
(dilation) moves s at a time (stride): position y of the result sees x[y * s + r * d], r from 0 to
k - 1. Nothing is padded here: that is `flow.pad`'s, ahead of these ops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

import numpy as np

from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.codecs import BOOL, INTEGERS
from penstock.ir.dialects.flow.base import Array, TensorOp
from penstock.ir.opdef import attribute
from penstock.ir.types import TensorType

T = TypeVar("T")


class Window(TensorOp):
    """Base of ops whose result depends on a window that moves over an operand."""

    # A sum of n terms wanders off by some sqrt(n) roundings, and its operands' by as many.
    ulps = 16
    least = 1.0  # terms of about that size may cancel
    strides = attribute(INTEGERS)
    channels_last = attribute(BOOL, default=False)

    @property
    def space(self) -> int:
        """How many dimensions the window moves along."""
        return len(self.strides)

    @property
    def apart(self) -> Sequence[int]:
        """How far apart the positions of a window are along each dimension."""
        return [1] * self.space

    def arranged(self, lead: Sequence[T], channels: Sequence[T], space: Sequence[T]) -> list[T]:
        """What belongs to each dimension of a tensor, in the order of the layout."""
        if self.channels_last:
            return [*lead, *space, *channels]
        return [*lead, *channels, *space]

    def parts(self, shape: Sequence[T]) -> tuple[T, T, list[T]]:
        """The entries of the first dimension, of channels, and of space."""
        lead, *rest = shape
        if self.channels_last:
            return lead, rest[-1], rest[:-1]
        return lead, rest[0], rest[1:]

    # -- checks ----------------------------------------------------------------------------------

    def check_ranks(self, **types: TensorType) -> None:
        """Fail unless the tensors have a dimension of space for each stride."""
        for word, type in types.items():
            self.check_element(type, word)
            if type.rank != self.space + 2:
                self.fail(
                    f"expected {word} of rank {self.space + 2}, with samples, channels and "
                    f"{self.space} spatial dimensions, one for each of strides "
                    f"{list(self.strides)}, got {type}"
                )
        elements = {type.element for type in types.values()}
        if len(elements) > 1:
            words = " and ".join(map(str, types.values()))
            self.fail(f"expected operands of one element type, got {words}")

    def check_numbers(self, word: str, values: Sequence[int]) -> None:
        """Fail unless there is a number of at least 1 for each spatial dimension."""
        if not values or len(values) != self.space or any(number < 1 for number in values):
            self.fail(
                f"expected {word} to be {self.space or 'some'} numbers of at least 1, one for each "
                f"spatial dimension, got {list(values)}"
            )

    def check_fits(self, space: Sequence[int], window: Sequence[int]) -> None:
        """Fail where a window has no spatial position."""
        self.check_numbers("the window", window)
        for d, (extent, reach) in enumerate(zip(space, self.reach(window), strict=True)):
            if reach > extent:
                self.fail(
                    f"a window that reaches over {reach} positions does not fit into spatial "
                    f"dimension {d} of {extent}, padding included: pad more, or shrink the window"
                )

    def check_result(self, word: str, wanted: Sequence[int], type: TensorType) -> None:
        """Fail unless an operand has the shape that the window gives."""
        if type.shape != tuple(wanted):
            self.fail(f"expected {word} of shape {list(wanted)}, got {type}")

    # -- geometry --------------------------------------------------------------------------------

    def reach(self, window: Sequence[int]) -> list[int]:
        """Over how many spatial positions a window reaches along each dimension."""
        return [(k - 1) * apart + 1 for k, apart in zip(window, self.apart, strict=True)]

    def covered(self, space: Sequence[int], window: Sequence[int]) -> list[int]:
        """How many positions a window has along each spatial dimension."""
        steps = zip(space, self.reach(window), self.strides, strict=True)
        return [(extent - reach) // stride + 1 for extent, reach, stride in steps]

    def seen(self, position: Sequence[Expr], offset: Sequence[Expr]) -> list[Expr]:
        """Where in space the element stands that a position sees at an offset of the window."""
        steps = zip(position, offset, self.strides, self.apart, strict=True)
        return [y * stride + r * apart for y, r, stride, apart in steps]

    def views(
        self, x: Array, window: Sequence[int], result: Sequence[int]
    ) -> Iterator[tuple[tuple[int, ...], Array]]:
        """For each offset of the window the view of x, channels first, that results see there."""
        for offset in np.ndindex(*window):
            steps = zip(offset, self.apart, self.strides, result, strict=True)
            starts = [(r * apart, stride, n) for r, apart, stride, n in steps]
            cuts: list[Any] = [
                slice(s, s + (n - 1) * step + 1 if n else s, step) for s, step, n in starts
            ]
            yield offset, x[tuple([..., *cuts])]

    def channels_first(self, x: Array) -> Array:
        """A view of x with its channels ahead of space."""
        return np.moveaxis(x, -1, 1) if self.channels_last else x

    def as_laid_out(self, x: Array) -> Array:
        """The inverse of `channels_first`."""
        return np.moveaxis(x, 1, -1) if self.channels_last else x


class Loops:
    """Names for the dimensions of an iteration space: those of the result, then reductions."""

    def __init__(self, parallel: Sequence[str], reduced: Sequence[str]) -> None:
        names = list(dict.fromkeys([*parallel, *reduced]))
        self.dims: Mapping[str, Dim] = dict(zip(names, map(Dim, count()), strict=False))
        self.iterators = ["parallel" if name in parallel else "reduction" for name in names]

    def __getitem__(self, names: Sequence[str]) -> list[Expr]:
        return [self.dims[name] for name in names]

    def map(self, results: Sequence[Expr]) -> AffineMap:
        """The map from the iteration space to these subscripts."""
        return AffineMap(len(self.iterators), tuple(results))


def names(letter: str, number: int) -> list[str]:
    """As many names of dimensions."""
    return [f"{letter}{i}" for i in range(number)]
