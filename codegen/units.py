"""Cuts the LLVM text of a job into units, each of which is compiled to an object of its own.

A unit is a kernel, that is a large function that the job calls, with all that it calls in turn; the
rest of the job is the first unit. The text of a unit says nothing of the job it came from: symbols,
metadata and comments are written anew, and the kernel is named by a digest of its text. So equal
kernels of one job or of several are one object, which need not be compiled again.

    define internal void @dense_0(...)  ->  define hidden void @penstock.3f86c1(...)
    call void @dense_0(...)             ->  call void @penstock.3f86c1(...)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from hashlib import sha256

from penstock.ir.record import Record

KERNEL_LINES = 40
"""Lines, callees included, from which on a function is worth a unit: a context and an object."""

SYMBOL = r"penstock\.[0-9a-f]{20}"
"""What kernels are called in their objects: a regular expression."""

_HEADER = re.compile(r'define ([^@]*)(@(?:"[^"]*"|[-\w$.]+))(.*)\{$')
_GLOBAL = re.compile(r'(@(?:"[^"]*"|[-\w$.]+)) = ')
_DECLARED = re.compile(r'declare [^@]*(@(?:"[^"]*"|[-\w$.]+))')
_NODE = re.compile(r"(![0-9]+) = ")
# What a line refers to: symbols and metadata. Other strings are data, whatever they look like.
_REFERENCE = re.compile(r'@"[^"]*"|"[^"]*"|@[-\w$.]+|![0-9]+')
_OWN = "@penstock.kernel"


class _Item(Record, frozen=False):
    """A function, declaration, global or node of metadata: its lines and what they refer to."""

    lines: list[str]
    refers: list[str] = field(default_factory=list)
    is_function: bool = False

    def __post_init__(self) -> None:
        self.refers = list(dict.fromkeys(_REFERENCE.findall("\n".join(self.lines))))


class Unit(Record):
    """A module of LLVM text that is compiled by itself."""

    text: str
    name: str
    """What the kernel is called in the job's text; empty for the unit that holds the entry."""
    symbol: str
    """What it is called in the object."""


def split(text: str, least: int = KERNEL_LINES) -> list[Unit]:
    """The units of a job's text, the one with the entry first; equal kernels once.

    What is called by several kernels is in the unit of each, so `text` has no globals that change.
    """
    items, common = _items(text)
    entries = [name for name, item in items.items() if item.is_function and _is_entry(item)]
    bodies = {name for entry in entries for name in items[entry].refers if _defines(items, name)}
    called = dict.fromkeys(n for body in bodies for n in items[body].refers if _defines(items, n))
    kernels = {}
    for name in called:
        inside = _reach(items, [name], ())
        if name not in bodies and sum(len(items[n].lines) for n in inside) >= least:
            kernels[name] = inside
    if len(kernels) < 2:
        return [Unit(text, "", "")]
    units: dict[str, Unit] = {}
    symbols = {}
    for name, inside in kernels.items():
        unit = _kernel(items, common, name, inside)
        units.setdefault(unit.symbol, unit)
        symbols[name] = f"@{unit.symbol}"
    rest = _reach(items, entries, kernels)
    lines = [line for name in rest if name not in kernels for line in items[name].lines]
    own = [unit.name for unit in units.values()]
    lines += [_declaration(items[name].lines[0]) for name in own]
    first = "\n".join([_REFERENCE.sub(lambda m: symbols.get(m[0], m[0]), line) for line in lines])
    return [Unit("\n".join([first, *common, ""]), "", ""), *units.values()]


def _items(text: str) -> tuple[dict[str, _Item], list[str]]:
    """What stands at the top level, by name, and what is for all: attributes and types."""
    items: dict[str, _Item] = {}
    common = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if line.startswith("define "):
            header = _HEADER.match(line)
            assert header is not None, line
            end = lines.index("}", at) + 1
            items[header[2]] = _Item(lines[at:end], is_function=True)
        elif named := _GLOBAL.match(line) or _NODE.match(line) or _DECLARED.match(line):
            items[named[1]] = _Item([line])
        elif line and not line.startswith(";"):
            common.append(line)
        at = end
    return items, common


def _is_entry(item: _Item) -> bool:
    header = _HEADER.match(item.lines[0])
    return header is not None and "internal" not in header[1].split()


def _defines(items: dict[str, _Item], name: str) -> bool:
    return name in items and items[name].is_function


def _reach(items: dict[str, _Item], names: Iterable[str], stop: Iterable[str]) -> list[str]:
    """The items that those named refer to, directly or not, in the order of the text.

    Those in `stop` are among them, but not what only they refer to.
    """
    found, ends = set(), frozenset(stop)
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found and name in items:
            found.add(name)
            if name not in ends:
                pending += items[name].refers
    return [name for name in items if name in found]


def _kernel(
    items: dict[str, _Item], common: Sequence[str], name: str, inside: Sequence[str]
) -> Unit:
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

    text = _REFERENCE.sub(rename, "\n".join([*lines, *common, ""]))
    symbol = f"penstock.{sha256(text.encode()).hexdigest()[:20]}"
    return Unit(text.replace(_OWN, f"@{symbol}"), name, symbol)


def _exported(line: str) -> str:
    return line.replace("define internal ", "define hidden ", 1)


def _declaration(line: str) -> str:
    return line.replace("define internal ", "declare hidden ", 1).removesuffix("{").rstrip()
