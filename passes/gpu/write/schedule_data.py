"""The schedule of one op of a group: a dictionary on the op that people and tools may edit.

    linalg.generic {...} attrs = {flow.schedule = {kernel = 0, kind = "rows", rows = [0],
                                                   grid = 25, block = 128}}

Ops of a group with the same `kernel` are computed by one kernel, in order. `grid` counts blocks and
`block` threads.

rows     Threads share out the positions of the dimensions `rows`. `lanes` threads have a position
         in common, and share out the op's other dimensions; neighbouring threads are such lanes,
         or with `across` they have neighbouring positions. With `each`, a thread has as many
         neighbouring positions along the last of `rows`. The ops of a kernel have as many
         positions each.
tile     A contraction in tiles: a block computes `tile` = [m, n] elements of the result from panels
         `depth` deep in shared memory, and each thread `thread` = [m, n] of them. With `warp` =
         [m, n] instead, each warp computes so many by tensor cores, and `stages` panels are in
         shared memory at a time, all but one of which are on their way. Tensor cores multiply
         factors of f32 as `mma` says: "tf32" rounds them to TF32, "3xtf32" adds three products.
         With `warpgroups` instead, so many groups of 128 threads have 64 rows each, and one group
         more fetches: tensor maps copy panels, with rows of `swizzle` bytes, into `stages`; with
         `mma` = "tf32", they multiply factors of f32 without their 13 lowest bits. `grid`
         blocks share out the tiles; of each `group` tiles above each other, blocks that follow
         compute the same columns.
gather   Threads share out the elements of the results, and gather the terms that windows add to
         them.
inline   The op is computed where the tile's factors are read, element by element.
epilogue The op goes element by element over the tile's results.
attention Attention, or a gradient of it: a block has `tile` = [rows, columns] of scores at a time,
         all columns in turn, and each thread `thread` = [rows, columns] of them. With `warp` =
         [16, columns] instead, each warp has so many on tensor cores, and `stages` panels of what
         gives the columns are in shared memory at a time, all but one of which are on their way.
         With `warpgroups` instead, so many groups of 128 threads have 64 rows each, and one group
         more fetches: tensor maps copy panels, with rows of `swizzle` bytes, into `stages`.
tasks    Threads, at most `grid` blocks of `block`, run the tasks of the loops that the op writes
         itself; between loops of tasks one thread goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from penstock.ir.attributes import Attribute, DictAttr, attribute, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu import places
from penstock.ir.dialects.gpu.kernel import MAX_GRID, MAX_THREADS
from penstock.ir.record import Record

KEY = "flow.schedule"
"""The attribute that holds an op's schedule."""
KINDS = ("rows", "tile", "gather", "inline", "epilogue", "attention", "tasks")
TILED = ("tile", "attention")
"""The kinds whose blocks have tiles."""
MOST_THREADS = MAX_THREADS
"""The most threads of a block, on every architecture."""
MOST_SHARED = 48 << 10
"""The most bytes of shared memory that a kernel may declare, on every architecture."""
PRECISIONS = ("tf32", "3xtf32")
"""How tensor cores may multiply factors of f32."""
WARP = places.WARP
"""The threads of a warp, on every architecture."""


class Schedule(Record):
    """How one op of a group runs; see the module's docstring."""

    kernel: int
    kind: str
    grid: int
    block: int
    rows: tuple[int, ...] = ()
    lanes: int = 1
    across: bool = False
    each: int = 1
    tile: tuple[int, ...] = ()
    depth: int = 0
    thread: tuple[int, ...] = ()
    warp: tuple[int, ...] = ()
    stages: int = 1
    mma: str = ""
    warpgroups: int = 0
    swizzle: int = 0
    group: int = 1

    def attribute(self) -> Attribute:
        """The dictionary; what has its default value is left out."""
        values: dict[str, Any] = {"kernel": self.kernel, "kind": self.kind}
        if self.kind == "rows":
            values["rows"] = list(self.rows)
            if self.lanes != 1:
                values["lanes"] = self.lanes
            if self.across:
                values["across"] = True
            if self.each != 1:
                values["each"] = self.each
        elif self.kind in TILED:
            values |= self._tiled()
        return attribute(values | {"grid": self.grid, "block": self.block})

    def _tiled(self) -> dict[str, Any]:
        """What kinds that have tiles say of these."""
        values: dict[str, Any] = {"tile": list(self.tile)}
        if self.kind == "tile":
            values["depth"] = self.depth
        if self.warpgroups:
            values |= {
                "warpgroups": self.warpgroups, "stages": self.stages, "swizzle": self.swizzle,
            }  # fmt: skip
            if self.kind == "tile":
                values["group"] = self.group
            if self.mma:
                values["mma"] = self.mma
        elif self.warp:
            values |= {"warp": list(self.warp), "stages": self.stages}
            if self.mma:
                values["mma"] = self.mma
        else:
            values["thread"] = list(self.thread)
        return values


_LISTS = {"rows": ("rows",), "tile": TILED, "thread": TILED, "warp": TILED}
_NUMBERS = {
    "lanes": ("rows",), "across": ("rows",), "each": ("rows",), "depth": ("tile",),
    "stages": TILED, "warpgroups": TILED, "swizzle": TILED, "group": ("tile",),
}  # fmt: skip
_WORDS = {"mma": ("tile",)}
"""The kinds that have each of these."""


def schedule_of(op: Operation) -> Schedule:
    """The schedule on an op.

    Raises a located `IRError` for an op without one, and for one that is not well-formed or that
    does not fit the op.
    """
    given = op.attributes.get(KEY)
    if given is not None and not isinstance(given, DictAttr):
        op.fail(f"has {KEY} = {given}: expected a dictionary, such as the pass `schedule` gives it")
    if given is None:
        op.fail(f"has no {KEY}, which says how a GPU runs it; run the pass `schedule` first")
    values: dict[str, Any] = python_value(given)
    kind = values.get("kind")
    if kind not in KINDS:
        op.fail(f"has {KEY} with kind = {kind!r}: expected one of {', '.join(KINDS)}")
    known = {"kernel", "kind", "grid", "block"}
    known |= {
        key for key, of in (*_LISTS.items(), *_NUMBERS.items(), *_WORDS.items()) if kind in of
    }
    for key, value in values.items():
        if key not in known:
            op.fail(f"has {KEY} with {key}, which kind {kind!r} does not have: remove it")
        if key != "kind":
            _check_number(op, key, value)
    _check_launch(op, values)
    given_values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    return Schedule(**given_values)


def _check_launch(op: Operation, values: Mapping[str, Any]) -> None:
    for key in ("kernel", "grid", "block"):
        if key not in values:
            op.fail(f"has {KEY} without {key}: give it")
    if values["block"] > MOST_THREADS:
        op.fail(f"has {KEY} with block = {values['block']}: expected at most {MOST_THREADS}")
    if values["grid"] > MAX_GRID[0]:
        op.fail(
            f"has {KEY} with grid = {values['grid']}: expected at most {MAX_GRID[0]} blocks; use "
            "larger ones, or split the tensors"
        )


def _check_number(op: Operation, key: str, value: Any) -> None:
    if key == "across":
        fits, expected = isinstance(value, bool), "true or false"
    elif key == "mma":
        fits, expected = value in PRECISIONS, f"one of {', '.join(map(repr, PRECISIONS))}"
    elif key in _LISTS:
        least = 0 if key == "rows" else 1
        fits = isinstance(value, list) and all(_is_number(n, least) for n in value)
        expected = "a list of numbers" + (f" of at least {least}" if least else "")
    else:
        least = 0 if key == "kernel" else 1
        fits, expected = _is_number(value, least), f"a number of at least {least}"
    if not fits:
        op.fail(f"has {KEY} with {key} = {value!r}: expected {expected}")


def _is_number(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def blocks_for(positions: int, lanes: int, block: int) -> int:
    """How many blocks have a thread for each lane of each position."""
    return max(1, -(-positions * lanes // block))


def positions(extents: Sequence[int], rows: Sequence[int]) -> int:
    """How many positions the row dimensions have."""
    return prod(extents[d] for d in rows)
