"""Splits the LLVM text of a job into units that are compiled to separate objects.

A unit is a kernel (a large function that the job calls) with its callees. The rest of the job is
the first unit. A unit's text is independent of the job: symbols and metadata are renumbered,
comments are dropped, and the kernel is named by a digest of its text. So equal kernels, of one job
or of several, share one object, which is compiled once.

    define internal void @dense_0(...)  ->  define hidden void @penstock.3f86c1(...)
    call void @dense_0(...)             ->  call void @penstock.3f86c1(...)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from penstock.ir.record import Record

KERNEL_LINES = 40
"""The fewest lines, callees included, that are worth a separate unit."""

SYMBOL = r"penstock\.[0-9a-f]{20}"
"""A regular expression for the names of kernels in their objects."""

_HEADER = re.compile(r'define ([^@]*)(@(?:"[^"]*"|[-\w$.]+))(.*)\{$')
_GLOBAL = re.compile(r'(@(?:"[^"]*"|[-\w$.]+)) = ')
_DECLARED = re.compile(r'declare [^@]*(@(?:"[^"]*"|[-\w$.]+))')
_NODE = re.compile(r"(![0-9]+) = ")
# The symbols and metadata that a line refers to. Other strings are data.
_REFERENCE = re.compile(r'@"[^"]*"|"[^"]*"|@[-\w$.]+|![0-9]+')
_OWN = "@penstock.kernel"


class _Item(Record, frozen=False):
    """A function, declaration, global or node of metadata: its lines and what they refer to."""

    lines: Sequence[str]
    part: int
    """The part of the text: definitions, then declarations, then metadata."""
    is_function: bool = False

    def __post_init__(self) -> None:
        # A cheap test finds lines without references.
        referring = "\n".join([line for line in self.lines if "@" in line or "!" in line])
        self.refers = list(dict.fromkeys(_REFERENCE.findall(referring)))


class Unit(Record):
    """A module of LLVM text that is compiled separately."""

    text: str
    name: str
    """The kernel's name in the job's text; empty for the unit with the entry."""
    symbol: str
    """Its name in the object."""
    functions: tuple[str, ...] = ()
    """The names of its functions in the job's text, in order."""


class Units:
    """The units of a text that arrives piece by piece."""

    def __init__(self, least: int = KERNEL_LINES) -> None:
        self._least = least
        self._items: dict[str, _Item] = {}
        self._common: list[str] = []
        self._made: dict[str, Unit] = {}

    def add(self, lines: Sequence[str]) -> None:
        """Add whole functions and other top-level lines."""
        at = 0
        while at < len(lines):
            line = lines[at]
            end = at + 1
            if line.startswith("define "):
                header = _HEADER.match(line)
                assert header is not None, line
                end = lines.index("}", at) + 1
                self._items[header[2]] = _Item(lines[at:end], 0, True)
            elif named := _GLOBAL.match(line):
                self._items[named[1]] = _Item([line], 0)
            elif named := _DECLARED.match(line):
                self._items[named[1]] = _Item([line], 1)
            elif named := _NODE.match(line):
                self._items[named[1]] = _Item([line], 2)
            elif line and not line.startswith(";"):
                self._common.append(line)
            at = end

    def kernel(self, name: str) -> Unit | None:
        """The unit of a function if it is large enough and all its references are known."""
        if name in self._made:
            return self._made[name]
        inside = self._reach([name], ())
        if sum(len(self._items[n].lines) for n in inside) < self._least:
            return None
        if not self._is_whole(inside):
            return None
        unit = self._made[name] = self._kernel(name, inside)
        return unit

    def all(self) -> list[Unit]:
        """The units, the one with the entry first; equal kernels once.

        A function called by several kernels is in each of their units, so the text has no mutable
        globals.
        """
        items = self._items
        entries = [name for name, item in items.items() if item.is_function and _is_entry(item)]
        bodies = {n for entry in entries for n in items[entry].refers if self._defines(n)}
        called = dict.fromkeys(n for b in bodies for n in items[b].refers if self._defines(n))
        found = {name: self.kernel(name) for name in called if name not in bodies}
        kernels = {name: unit for name, unit in found.items() if unit is not None}
        units: dict[str, Unit] = {}
        for unit in kernels.values():
            units.setdefault(unit.symbol, unit)
        symbols = {name: f"@{unit.symbol}" for name, unit in kernels.items()}
        rest = self._reach(entries, kernels)
        lines = [line for name in rest if name not in kernels for line in items[name].lines]
        lines += [_declaration(items[unit.name].lines[0]) for unit in units.values()]
        nodes: dict[str, str] = {}

        def rename(match: re.Match[str]) -> str:
            old = match[0]
            if old[0] == "!":
                return nodes.setdefault(old, f"!{len(nodes)}")
            return symbols.get(old, old)

        text = "\n".join([*_renamed(lines, rename), *self._common, ""])
        own = [name for name in rest if name not in kernels]
        return [Unit(text, "", "", self._functions(own)), *units.values()]

    def _functions(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if self._defines(name))

    def _defines(self, name: str) -> bool:
        return name in self._items and self._items[name].is_function

    def _reach(self, names: Iterable[str], stop: Iterable[str]) -> list[str]:
        """The items that those named refer to, directly or not, by their parts of the text.

        In each part they are in the order of their first reference, whatever the order of the text.
        Items in `stop` are included, but not their references.
        """
        found: dict[str, None] = {}
        ends = frozenset(stop)
        pending = [*names][::-1]
        while pending:
            name = pending.pop()
            if name not in found and name in self._items:
                found[name] = None
                if name not in ends:
                    pending += reversed(self._items[name].refers)
        return sorted(found, key=lambda name: self._items[name].part)

    def _is_whole(self, inside: Sequence[str]) -> bool:
        """Whether all references of these items are known; other strings are data."""
        referred = (name for item in inside for name in self._items[item].refers)
        return all(name in self._items or name[0] == '"' for name in referred)

    def _kernel(self, name: str, inside: Sequence[str]) -> Unit:
        items = self._items
        lines = [_exported(items[name].lines[0]), *items[name].lines[1:]]
        lines += [line for n in inside if n != name for line in items[n].lines]
        renamed = {name: _OWN}

        def rename(match: re.Match[str]) -> str:
            old = match[0]
            if old not in renamed:
                known = items.get(old)
                if known is None or known.lines[0].startswith("declare "):
                    renamed[old] = old
                else:
                    renamed[old] = f"!{len(renamed)}" if old[0] == "!" else f"@part.{len(renamed)}"
            return renamed[old]

        text = "\n".join(_renamed([*lines, *self._common, ""], rename))
        symbol = f"penstock.{sha256(text.encode()).hexdigest()[:20]}"
        order = self._functions([name, *(n for n in inside if n != name)])
        return Unit(text.replace(_OWN, f"@{symbol}"), name, symbol, order)


def split(text: str, least: int = KERNEL_LINES) -> list[Unit]:
    """The units of a whole text."""
    units = Units(least)
    units.add(text.split("\n"))
    return units.all()


def defined(line: str) -> str | None:
    """The symbol of the function whose definition begins with a line; None for other lines."""
    header = _HEADER.match(line)
    return header[2] if header is not None else None


def _is_entry(item: _Item) -> bool:
    header = _HEADER.match(item.lines[0])
    return header is not None and "internal" not in header[1].split()


def _renamed(lines: Iterable[str], rename: Callable[[re.Match[str]], str]) -> list[str]:
    return [_REFERENCE.sub(rename, line) if _may_change(line) else line for line in lines]


def _may_change(line: str) -> bool:
    """Whether a line has references other than LLVM's intrinsics, the most frequent ones."""
    return "!" in line or ("@" in line and line.count("@") > line.count("@llvm."))


def _exported(line: str) -> str:
    return line.replace("define internal ", "define hidden ", 1)


def _declaration(line: str) -> str:
    return line.replace("define internal ", "declare hidden ", 1).removesuffix("{").rstrip()
