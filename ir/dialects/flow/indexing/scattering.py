"""Scatter and scatter-add: the transposes of gather.

Out-of-bounds updates are dropped, as `penstock.ir.dialects.flow.indexing.gather` says. Updates are
applied in row-major order, so that sums have a fixed order and the last write to an element wins.
Tasks own rows or columns of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar, Union

import numpy as np

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow import base
from penstock.ir.dialects.flow.base import NUMBERS, Array
from penstock.ir.dialects.flow.indexing.gather import subscripts
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.memref import LINE
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder

Places = Sequence[tuple[Value, int]]
"""Indices, and the extent that each must lie in."""
Put = Callable[[Value, Value], Value]
"""The new element, from the old one and its update."""
Span = tuple[Union[Value, int], Union[Value, int]]  # noqa: UP007
"""A range of positions: start and end."""
ASKED = 6
"""The fewest columns per task for which reading all indices again pays off."""

LEAST_CHUNK = 64
"""The fewest updates that a task adds to sums of its own."""
MOST_PARTIAL = 1 << 20
"""The most sums of all chunks."""


@contextmanager
def owned(
    b: LoopBuilder, pieces: int, rows: int, columns: int, count: int, element: Type
) -> Iterator[tuple[Value, Span, Span]]:
    """Parallelise `pieces` of work, each on a matrix into which `count` rows are scattered.

    Yields the number of the piece, and the rows and columns of its matrix. With few pieces, tasks
    split the rows of a matrix; or its columns, at least a cache line each, if splitting rows would
    read more indices than it adds. On a GPU, many tasks read an index in the time of one; they
    split whichever are more.
    """
    cycles = pieces * (rows * columns // 8 + count * (4 + columns // 4))
    tasks = -(-b.tasks_for(cycles) // max(pieces, 1))
    in_rows = columns >= ASKED * tasks and rows >= tasks
    least = LINE // ty.byte_width(element)
    if b.width > 1:
        in_rows, least = rows > columns, 1
    extent, least = (rows, 1) if in_rows else (columns, least)
    each = max(1, -(-extent // tasks))
    each += -each % least
    parts = max(1, -(-extent // each))
    with b.share(pieces * parts, cycles, "part") as number:
        if parts == 1:
            yield number, (0, rows), (0, columns)
            return
        piece, part = (
            b.create(cls, number, b.index(parts)).result for cls in (arith.DivSI, arith.RemSI)
        )
        lower = scalars.mul(b, part, b.index(each))
        upper = scalars.add(b, lower, b.index(each))
        if extent % each:
            upper = scalars.minimum(b, upper, b.index(extent))
        mine = lower, upper
        yield (piece, mine, (0, columns)) if in_rows else (piece, (0, rows), mine)


def write_rows(
    b: LoopBuilder,
    y: Buffer,
    updates: Buffer,
    start: Buffer | None,
    places: Callable[[Value, Value], Places],
    put: Put,
) -> None:
    """Scatter rows of `updates` (pieces, count, columns) into rows of `y` (pieces, rows, columns).

    `places(piece, i)` is the row of update i; `y` is initialised with `start`, or with zeros.
    """
    (pieces, rows, columns), count = y.shape, updates.shape[1]
    with owned(b, pieces, rows, columns, count, y.element) as (piece, mine, across):
        if start is None or start.value is not y.value:
            with b.loop(*mine) as i, b.loop(*across) as j:
                zero = scalars.constant(b, 0, y.element)
                y[piece, i, j] = zero if start is None else start[piece, i, j]
        with b.loop(0, count) as i:
            row, inside = row_of(b, places(piece, i))
            for bound, word in zip(mine, ("ge", "lt"), strict=True):
                if isinstance(bound, Value):
                    inside = scalars.both(b, inside, scalars.compare(b, word, row, bound))
            with b.when(inside), b.loop(*across) as j:
                y[piece, row, j] = put(y[piece, row, j], updates[piece, i, j])


def add_rows(
    b: LoopBuilder, y: Buffer, updates: Buffer, places: Callable[[Value, Value], Places]
) -> None:
    """Add rows of `updates` to rows of `y`, as `write_rows` does.

    On a GPU, tasks that own few sums would each read all indices. There tasks add chunks of updates
    to sums of their own, and others add these, in the order of the chunks.
    """
    (pieces, rows, columns), count = y.shape, updates.shape[1]
    sums = pieces * rows * columns
    chunks = min(
        count // LEAST_CHUNK, MOST_PARTIAL // max(sums, 1), b.width // (pieces * columns or 1)
    )
    if chunks < 2 or sums * 2 > b.width:
        write_rows(b, y, updates, None, places, lambda sum, update: scalars.add(b, sum, update))
        return
    each = -(-count // chunks)
    partial = b.workspace(pieces, chunks, rows, columns, element=y.element)
    zero = scalars.constant(b, 0, y.element)
    work = pieces * chunks * columns
    with b.share(work, work * (rows + each * 8), "part") as number:
        outer, j = _split(b, number, columns)
        piece, chunk = _split(b, outer, chunks)
        with b.loop(0, rows) as i:
            partial[piece, chunk, i, j] = zero
        lower = scalars.mul(b, chunk, b.index(each))
        upper = scalars.minimum(b, scalars.add(b, lower, b.index(each)), b.index(count))
        with b.loop(scalars.minimum(b, lower, upper), upper) as i:
            row, inside = row_of(b, places(piece, i))
            with b.when(inside):
                sum = partial[piece, chunk, row, j]
                partial[piece, chunk, row, j] = scalars.add(b, sum, updates[piece, i, j])
    with b.share(sums, sums * chunks * 8, "sum") as number:
        outer, j = _split(b, number, columns)
        piece, row = _split(b, outer, rows)
        (total,) = b.fold(
            0, chunks, [zero],
            lambda chunk, total: [scalars.add(b, total, partial[piece, chunk, row, j])],
            name="chunk",
        )  # fmt: skip
        y[piece, row, j] = total


def _split(b: LoopBuilder, number: Value, extent: int) -> tuple[Value, Value]:
    """The number of a row of so many, and the place in it."""
    parts = (b.create(cls, number, b.index(extent)) for cls in (arith.DivSI, arith.RemSI))
    row, place = (part.result for part in parts)
    return row, place


def row_of(b: LoopBuilder, places: Places) -> tuple[Value, Value]:
    """The number of a row in row-major order, and whether all its indices are in bounds."""
    row: Value | None = None
    inside: Value | None = None
    for index, extent in places:
        low = scalars.compare(b, "ge", index, b.index(0))
        found = scalars.both(b, low, scalars.compare(b, "lt", index, b.index(extent)))
        inside = found if inside is None else scalars.both(b, inside, found)
        if row is not None:
            index = scalars.add(b, scalars.mul(b, row, b.index(extent)), index)
        row = index
    assert row is not None
    assert inside is not None
    return row, inside


class Scattering(Kernel):
    """Base of the ops that add or write updates at positions given by `indices`."""

    elements: ClassVar[tuple[Type, ...]] = NUMBERS
    # The error of n sequential roundings grows like sqrt(n); the largest call tested adds 7,000
    # updates to one element.
    ulps: ClassVar[float] = 32

    def check_types(self, indices: TensorType, *others: TensorType) -> None:
        """Fail if element types are wrong or differ."""
        if indices.element not in base.INTEGERS:
            words = ", ".join(map(str, base.INTEGERS))
            self.fail(f"expected indices of type {words}, got {indices}: cast them first")
        for other in others:
            self.check_element(other)
            if other.element is not others[0].element:
                self.fail(f"expected one type of elements, got {others[0]} and {other}")

    def added(self, updates: TensorType) -> int:
        """How many floats are added if all indices are in bounds."""
        return updates.count if ty.is_float(updates.element) and self.out.count else 0


def add_at(target: Array, columns: Sequence[Array], updates: Array) -> Array:
    """In NumPy: `target` with updates added in order; out-of-bounds ones are dropped."""
    inside, places = subscripts(columns, target.shape[: len(columns)])
    inside = np.broadcast_to(inside, np.broadcast_shapes(*(p.shape for p in places)))
    chosen = tuple(np.broadcast_to(p, inside.shape)[inside] for p in places)
    with np.errstate(over="ignore"):
        np.add.at(target, chosen, updates[inside])
    return target
