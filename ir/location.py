"""Where an operation comes from: the user's own Python lines, kept through every stage.

The text is MLIR's location syntax (MLIR language reference, "Locations"), always inline.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from penstock.ir.quoting import printable, quote

if TYPE_CHECKING:
    from penstock.ir.attributes import Attribute


class Location:
    """Base of all locations; `str(location)` is the text between `loc(` and `)`."""

    __slots__ = ()

    def files(self) -> list[FileLocation]:
        """Every file position this location mentions, nearest first."""
        return []

    def lines(self) -> tuple[str, ...]:
        """`file:line` of every position, nearest first."""
        return tuple(f"{place.file}:{place.line}" for place in self.files())

    def describe(self) -> str:
        """`file:line` of the nearest position, in a notebook `cell 3, line 4`; `unknown location`
        if there is none."""
        found = self.files()
        if not found:
            return "unknown location"
        file, line = printable(found[0].file), found[0].line
        return f"{file}, line {line}" if _CELL.match(file) else f"{file}:{line}"


@dataclass(frozen=True, slots=True)
class UnknownLocation(Location):
    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True)
class FileLocation(Location):
    """`"train.py":20:8`, or a range, `"train.py":20:8 to 21:4`."""

    file: str
    line: int
    column: int = 0
    until: tuple[int, int] | None = None
    """Line and column where a range ends."""
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text = f"{quote(self.file)}:{self.line}:{self.column}"
        if self.until is not None:
            line = "" if self.until[0] == self.line else self.until[0]
            text += f" to {line}:{self.until[1]}"
        object.__setattr__(self, "_text", text)

    def __str__(self) -> str:
        return self._text

    def files(self) -> list[FileLocation]:
        return [self]


@dataclass(frozen=True, slots=True)
class NameLocation(Location):
    """`"dense"("train.py":20:8)`: a named position, e.g. the layer that made an op."""

    label: str
    child: Location

    def __str__(self) -> str:
        inner = "" if isinstance(self.child, UnknownLocation) else f"({self.child})"
        return f"{quote(self.label)}{inner}"

    def files(self) -> list[FileLocation]:
        return self.child.files()


@dataclass(frozen=True, slots=True)
class CallSiteLocation(Location):
    """`callsite(callee at caller)`"""

    callee: Location
    caller: Location

    def __str__(self) -> str:
        return f"callsite({self.callee} at {self.caller})"

    def files(self) -> list[FileLocation]:
        return self.callee.files() + self.caller.files()


@dataclass(frozen=True, slots=True)
class FusedLocation(Location):
    """`fused["train.py":20:8, "train.py":21:8]`: the location of an op made from several.

    `metadata` gives the reason, as in `fused<"cse">[...]`; ours have none.
    """

    parts: tuple[Location, ...]
    metadata: Attribute | None = None

    def __str__(self) -> str:
        why = "" if self.metadata is None else f"<{self.metadata}>"
        return f"fused{why}[{', '.join(map(str, self.parts))}]"

    def files(self) -> list[FileLocation]:
        return [position for part in self.parts for position in part.files()]


UNKNOWN = UnknownLocation()


def fuse(*locations: Location, metadata: Attribute | None = None) -> Location:
    """The location of an op made from several: parts in order, without duplicates and unknowns.

    >>> a, b = FileLocation("train.py", 20, 8), FileLocation("train.py", 21, 8)
    >>> print(fuse(a, fuse(b, a), UNKNOWN))
    fused["train.py":20:8, "train.py":21:8]
    """
    parts: dict[Location, None] = {}
    for location in locations:
        inner: tuple[Location, ...] = (location,)
        if isinstance(location, FusedLocation) and location.metadata is metadata:
            inner = location.parts
        parts.update(dict.fromkeys(part for part in inner if part is not UNKNOWN))
    if metadata is None and len(parts) < 2:
        return next(iter(parts), UNKNOWN)
    return FusedLocation(tuple(parts) or (UNKNOWN,), metadata)


_CELL = re.compile(r"cell \d+\Z")
_INPUT = re.compile(r"<ipython-input-(\d+)-")
"""What IPython calls the code of a cell that is not in a file."""


def _cell_of(filename: str) -> str | None:
    """`cell 3` for the file in which IPython keeps the third cell."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    named = _INPUT.match(filename)
    number = numbers.get(filename, named[1] if named else None)
    return None if number is None else f"cell {number}"


def shown_file(filename: str) -> str:
    """The path as a user would type it: relative if it is below the working directory.

    Absolute if that directory no longer exists. In a notebook, the cell: `cell 3`.
    """
    if "IPython" in sys.modules:
        cell = _cell_of(filename)
        if cell is not None:
            return cell
    if not os.path.isabs(filename):
        return filename
    try:
        return _below(filename, os.getcwd())
    except OSError:
        return filename


@lru_cache(maxsize=256)
def _below(filename: str, folder: str) -> str:
    return filename.removeprefix(os.path.join(folder, ""))
