"""Common parts of pools in any number of spatial dimensions: loops over windows, forward and
backward.

The gradients of a pool write where it read: they add to x[p * s + r].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    Array,
    Input,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.windows.window import Loops, Window, names
from penstock.ir.opdef import attribute
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

Shape = Sequence[int]
Read = Callable[[Value, float], Value]
"""Reads a window's element of a tensor; the number if there is no such window."""


class Pool(Window):
    """Base of pools and of their gradients, which compute y from x or x from y."""

    window = attribute(INTEGERS)

    def pooled(self, x: Shape) -> list[int]:
        """The shape of y; fails if the window does not fit x."""
        self.check_numbers("strides", self.strides)
        self.check_fits(self.parts(x)[2], self.window)
        return self.shape_of(x)

    def shape_of(self, x: Shape) -> list[int]:
        """The shape of y for an x that fits."""
        lead, channels, space = self.parts(x)
        return self.arranged([lead], [channels], self.covered(space, self.window))

    def check_place(self, place: TensorType, like: TensorType) -> None:
        """Fail unless `place` has the shape of y."""
        if place != TensorType(like.shape, ty.i32):
            self.fail(f"expected place to be {TensorType(like.shape, ty.i32)}, got {place}")

    def alike(self) -> dict[str, Any]:
        """The attributes that a gradient shares."""
        return {
            "strides": self.strides,
            "channels_last": self.channels_last,
            "window": self.window,
        }

    # -- loops -----------------------------------------------------------------------------------

    def forward(
        self, b: Builder, inputs: Sequence[Value], starts: Sequence[Value], body: linalg.Body
    ) -> Sequence[Value]:
        """The loops of a pool over x, the first of `inputs`, and others of y's shape."""
        positions, offsets = names("p", self.space), names("r", self.space)
        loops = Loops(self.arranged(["n"], ["c"], positions), offsets)
        return self._slide(b, loops, inputs, starts, body, "x" + "y" * (len(inputs) - 1), "y")

    def backward(
        self, b: Builder, inputs: Sequence[Value], start: Value, body: linalg.Body
    ) -> Sequence[Value]:
        """Loops that add values from inputs of y's shape to x."""
        positions, offsets = names("p", self.space), names("r", self.space)
        loops = Loops(["n", "c"], [*positions, *offsets])
        return self._slide(b, loops, inputs, [start], body, "y" * len(inputs), "x")

    def gathered(
        self, b: Builder, dy: Value, found: Callable[[Builder, Read, Value], Value] | None = None
    ) -> Value:
        """The sum over all windows that contain an element of x, in the order of its offsets in
        them.

        Along a dimension, windows p = q // stride - t see element q, at offsets q % stride +
        t * stride. If windows are adjacent, or there is only one, the loops are over windows and
        offsets instead. `found` says of a window, by what it gets of a tensor of y's shape and the
        place where it sees the element, whether it gives something.
        """
        element, (lead, channels, space) = self.out.element, self.parts(self.out.shape)
        _, _, windows = self.parts(tensor(dy).shape)
        pairs = list(zip(self.window, self.strides, strict=True))
        apart = [k == s or n == 1 for (k, s), n in zip(pairs, windows, strict=True)]
        words = [[f"p{d}", f"r{d}"] if side else [f"q{d}"] for d, side in enumerate(apart)]
        sizes = zip(apart, windows, self.window, space, strict=True)
        extents = [[n, k] if side else [whole] for side, n, k, whole in sizes]
        named = self.arranged(["n"], ["c"], list(chain.from_iterable(words)))
        taps = [f"t{d}" for d, side in enumerate(apart) if not side]
        loops = Loops(named, taps)
        shape = self.arranged([lead], [channels], list(chain.from_iterable(extents)))

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            here = {name: b.create(linalg.Index, dim=dim.index).result
                    for name, dim in loops.dims.items()}  # fmt: skip
            seen, place, inside = self._windows(b, here, windows)
            where = self.arranged([here["n"]], [here["c"]], seen)

            def read(value: Value, other: float) -> Value:
                total = b.create(tensors.Extract, value, where).result
                if inside is None:
                    return total
                return scalars.select(b, inside, total, scalars.constant(b, other, total.type))

            value_read = read(dy, 0)
            if found is not None:
                zero = scalars.constant(b, 0, element)
                value_read = scalars.select(b, found(b, read, place), value_read, zero)
            return [scalars.add(b, arguments[-1], value_read) if taps else value_read]

        steps = [-(-k // s) for (k, s), side in zip(pairs, apart, strict=True) if not side]
        counts = [linalg.empty(b, steps, element)] if taps else []
        start = structured.filled(b, 0, shape, element) if taps else linalg.empty(b, shape, element)
        maps = [loops.map(loops[taps])] * len(counts) + [loops.map(loops[named])]
        total = linalg.generic(b, counts, [start], maps, loops.iterators, body).results[0]
        return self._with_rest(b, total, [prod(each) for each in extents])

    def _windows(
        self, b: Builder, here: Mapping[str, Value], windows: Sequence[int]
    ) -> tuple[list[Value], Value, Value | None]:
        """The window along each dimension that sees a position, or one nearby; the place of the
        position in it; and whether there is such a window, or None for sure."""
        seen, place = list[Value](), scalars.constant(b, 0, ty.i32)
        inside: Value | None = None
        for d, (size, extent) in enumerate(zip(self.window, windows, strict=True)):
            if f"p{d}" in here:
                window, offset = here[f"p{d}"], scalars.cast(b, here[f"r{d}"], ty.i32)
            else:
                away, offset = self._seen_from(b, here[f"q{d}"], here[f"t{d}"], d)
                window, found = structured.moved_inside(b, away, extent)
                inside = found if inside is None else scalars.both(b, inside, found)
                if size % self.strides[d]:
                    limit = scalars.constant(b, size, ty.i32)
                    inside = scalars.both(b, inside, scalars.compare(b, "lt", offset, limit))
            seen.append(window)
            place = scalars.add(b, structured.scaled(b, place, size), offset)
        return seen, place, inside

    def _with_rest(self, b: Builder, shape: Value, seen: Sequence[int]) -> Value:
        """An x of which only this spatial part is computed; the rest is zeros."""
        lead, channels, space = self.parts(self.out.shape)
        flat = structured.reshaped(b, shape, self.arranged([lead], [channels], list(seen)))
        if list(seen) == space:
            return flat
        zeros = [0] * len(self.out.shape)
        rest = self.arranged([0], [0], [n - s for n, s in zip(space, seen, strict=True)])
        return make.op(b, "pad", flat, before=zeros, after=rest, inside=zeros)

    def _seen_from(self, b: Builder, position: Value, tap: Value, d: int) -> tuple[Value, Value]:
        """The window that sees a position at a tap, before it is moved inside, and the offset."""
        stride, offset = self.strides[d], scalars.cast(b, tap, ty.i32)
        if stride == 1:
            return scalars.sub(b, position, tap), offset
        first, rest = structured.divided(b, position, stride)
        offset = scalars.add(b, scalars.cast(b, rest, ty.i32), structured.scaled(b, offset, stride))
        return scalars.sub(b, first, tap), offset

    def _slide(
        self,
        b: Builder,
        loops: Loops,
        inputs: Sequence[Value],
        starts: Sequence[Value],
        body: linalg.Body,
        roles: str,
        target: str,
    ) -> Sequence[Value]:
        """Write loops; an empty tensor of the window's shape says how far the window extends."""
        position, offset = loops[names("p", self.space)], loops[names("r", self.space)]
        lead, channels = loops["n"], loops["c"]
        maps = {
            "x": loops.map(self.arranged(lead, channels, self.seen(position, offset))),
            "y": loops.map(self.arranged(lead, channels, position)),
        }
        window = linalg.empty(b, self.window, tensor(starts[0]).element)
        read = [*(maps[role] for role in roles), loops.map(offset)]
        written = [maps[target]] * len(starts)
        operands = [*inputs, window]
        generic = linalg.generic(b, operands, starts, [*read, *written], loops.iterators, body)
        return generic.results

    def here(self, b: Builder, first: int) -> Value:
        """The place in the window, which counts in row-major order from loop `first` on, as i32."""
        place: Value = b.create(linalg.Index, dim=first).result
        for d, size in enumerate(self.window[1:], first + 1):
            step = b.create(linalg.Index, dim=d).result
            place = scalars.add(b, structured.scaled(b, place, size), step)
        return scalars.cast(b, place, ty.i32)

    # -- in NumPy --------------------------------------------------------------------------------

    def seen_in(self, x: Array, result: Shape) -> list[Array]:
        """For each place in the window, the view of x, channels first, with y's shape."""
        space = self.parts(result)[2]
        return [view for _, view in self.views(self.channels_first(x), self.window, space)]


# -- samples --------------------------------------------------------------------------------------

CASES: Sequence[tuple[Shape, Shape, Shape, Shape, bool]] = (
    ((2, 3, 7), (2, 3, 5), (3,), (1,), False),
    ((2, 8, 3), (2, 3, 3), (3,), (2,), True),
    ((2, 2, 5, 4), (2, 2, 3, 3), (3, 2), (1, 1), False),
    ((2, 2, 7, 6), (2, 2, 3, 4), (3, 3), (2, 1), False),
    ((2, 5, 4, 3), (2, 3, 2, 3), (3, 3), (1, 1), True),
    ((1, 2, 4, 3, 5), (1, 2, 3, 2, 3), (2, 2, 3), (1, 1, 1), False),
    ((1, 1, 9, 37), (1, 1, 3, 18), (3, 3), (3, 2), False),
    ((1, 7, 6, 19), (1, 3, 3, 19), (2, 2), (2, 2), True),
    ((0, 2, 4, 4), (0, 2, 2, 2), (3, 3), (1, 1), False),
    ((3, 1, 5, 5), (3, 1, 1, 1), (5, 5), (1, 1), False),
)
"""Samples: the shapes of x and y, window, strides, channels_last."""


def samples_of(elements: Sequence[Type], role: str, with_place: bool = False) -> list[Sample]:
    """All cases of a pool or of its gradient, whose operand is x or y, with optional places; and
    the first case for each other element type.
    """
    others = [(CASES[0], element) for element in elements if element is not ty.f32]
    samples = []
    for (x, y, window, strides, last), element in [*((case, ty.f32) for case in CASES), *others]:
        attributes: dict[str, Any] = {"window": window, "strides": strides, "channels_last": last}
        if role == "y":
            attributes["shape"] = x
        inputs = [Input(tuple(x if role == "x" else y), element, -4, 4)]
        if with_place:
            inputs.append(Input(tuple(y), ty.i32, 0, prod(window) - 1))
        samples.append(Sample(tuple(inputs), attributes))
    return samples
