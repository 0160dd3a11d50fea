"""The free parameters of a contraction's tiling."""

from __future__ import annotations

from typing import Literal, cast, get_args

from penstock.ir.record import Record

Place = Literal["memory", "panels", "scratch"]
"""Where a factor is read: in place ("memory"), packed as a whole beforehand ("panels"), or packed
by each task as needed ("scratch")."""

WIDEST = 8
"""The widest panel, in vectors."""


class Choice(Record):
    """The free parameters of a tiling. As text it is five words."""

    vectors: int
    """The width of a panel in vectors."""
    depth: int
    rows_in: Place
    lanes_in: Place
    grid: tuple[int, int, int]

    def __str__(self) -> str:
        grid = "x".join(map(str, self.grid))
        return f"{self.vectors} {self.depth} {self.rows_in} {self.lanes_in} {grid}"

    @staticmethod
    def parse(text: str) -> Choice:
        """The inverse of `str`. Raises ValueError for any other text.

        >>> str(Choice.parse("2 784 memory panels 1x2x8"))
        '2 784 memory panels 1x2x8'
        """
        vectors, depth, rows, lanes, grid = text.split(" ")
        outer, down, across = map(int, grid.split("x"))
        if min(int(vectors), int(depth), outer, down, across) < 1 or int(vectors) > WIDEST:
            raise ValueError(f"{text!r} has a number that no tiling can have")
        return Choice(int(vectors), int(depth), _place(rows), _place(lanes), (outer, down, across))


def _place(word: str) -> Place:
    for place in get_args(Place):
        if word == place:
            return cast(Place, place)
    raise ValueError(f"{word!r} is not one of {', '.join(get_args(Place))}")
