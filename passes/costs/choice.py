"""What there is to choose of how a contraction is cut."""

from __future__ import annotations

from typing import Literal, cast, get_args

from penstock.ir.record import Record

Place = Literal["memory", "panels", "scratch"]
"""Where a factor is read: as it is, or packed, either all of it ahead of everything else or what is
needed next by the task that needs it."""

WIDEST = 8
"""How many vectors wide a panel is at the most."""


class Choice(Record):
    """What there is to choose of a tiling; its text is five words."""

    vectors: int
    """How many vectors wide a panel is."""
    depth: int
    rows_in: Place
    lanes_in: Place
    grid: tuple[int, int, int]

    def __str__(self) -> str:
        grid = "x".join(map(str, self.grid))
        return f"{self.vectors} {self.depth} {self.rows_in} {self.lanes_in} {grid}"

    @staticmethod
    def parse(text: str) -> Choice:
        """The inverse of `str`; ValueError for what is none.

        >>> str(Choice.parse("2 784 memory panels 1x2x8"))
        '2 784 memory panels 1x2x8'
        """
        vectors, depth, rows, lanes, grid = text.split(" ")
        outer, down, across = map(int, grid.split("x"))
        if min(int(vectors), int(depth), outer, down, across) < 1 or int(vectors) > WIDEST:
            raise ValueError(f"{text!r} has a number that no tiling has")
        return Choice(int(vectors), int(depth), _place(rows), _place(lanes), (outer, down, across))


def _place(word: str) -> Place:
    for place in get_args(Place):
        if word == place:
            return cast(Place, place)
    raise ValueError(f"{word!r} is none of {', '.join(get_args(Place))}")
