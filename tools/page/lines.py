"""The text of a stage, and the operation that each of its lines belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.core import Operation
from penstock.ir.location import Location
from penstock.ir.text.printer import Printer


class _LinePrinter(Printer):
    """Records which pieces of the text were written for which operation."""

    def __init__(self) -> None:
        super().__init__(locations=False)
        self.spans: list[tuple[int, int, Operation]] = []

    def operation(self, op: Operation, indent: str) -> None:
        place = len(self.spans)
        self.spans.append((len(self.out), 0, op))
        super().operation(op, indent)
        self.spans[place] = self.spans[place][0], len(self.out), op


def numbered(root: Operation) -> tuple[str, list[Operation]]:
    """The text of an operation, without locations, and the innermost operation of each line."""
    printer = _LinePrinter()
    printer.operation(root, "")
    starts = [0]
    for piece in printer.out:
        starts.append(starts[-1] + piece.count("\n"))
    owners = [root] * starts[-1]
    # An operation precedes those inside it, which own their lines.
    for first, end, op in printer.spans:
        owners[starts[first] : starts[end]] = [op] * (starts[end] - starts[first])
    return "".join(printer.out), owners


class Places:
    """Numbers for the user's lines and for sets of lines; set 0 is empty."""

    def __init__(self) -> None:
        self.places: dict[tuple[str, int], int] = {}
        self.sets: list[tuple[int, ...]] = [()]
        self._numbers: dict[tuple[int, ...], int] = {(): 0}
        self._known: dict[Location, int] = {}

    def of(self, location: Location) -> int:
        """The number of the set of lines in a location."""
        known = self._known.get(location)
        if known is None:
            lines = dict.fromkeys((at.file, at.line) for at in location.files())
            known = self._known[location] = self.set_of([self.place(*line) for line in lines])
        return known

    def place(self, file: str, line: int) -> int:
        """The number of a line."""
        return self.places.setdefault((file, line), len(self.places))

    def set_of(self, places: Sequence[int]) -> int:
        """The number of a set of line numbers, in order."""
        key = tuple(places)
        number = self._numbers.setdefault(key, len(self.sets))
        if number == len(self.sets):
            self.sets.append(key)
        return number


def runs(values: Sequence[int]) -> list[int]:
    """Run-length encoding: pairs of count and value.

    >>> runs([0, 0, 3, 3, 3, 0])
    [2, 0, 3, 3, 1, 0]
    """
    packed: list[int] = []
    for value in values:
        if packed and packed[-1] == value:
            packed[-2] += 1
        else:
            packed += [1, value]
    return packed
