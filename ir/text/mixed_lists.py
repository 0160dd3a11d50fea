"""Lists of numbers and values, as upstream's `DynamicIndexList`: `[0, %i]`.

The numbers stand in a static attribute, in which `DYNAMIC_INDEX` marks the entries that are values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir.core import Value
from penstock.ir.text.value_parser import ValueParser

DYNAMIC_INDEX = -(2**63)
"""Marks an entry that an operand provides."""


def mixed_text(
    name: Callable[[Value], str],
    static: Sequence[int],
    dynamic: Sequence[Value],
    brackets: str = "[]",
) -> str:
    """`[0, %i]`, or the same in other brackets; `name` gives the text of a value."""
    names = iter(dynamic)
    words = [name(next(names)) if n == DYNAMIC_INDEX else str(n) for n in static]
    return f"{brackets[0]}{', '.join(words)}{brackets[1]}"


def read_mixed(p: ValueParser, brackets: str = "[]") -> tuple[list[int], list[Value]]:
    """The inverse of `mixed_text`."""
    static: list[int] = []
    dynamic: list[Value] = []
    p.expect(brackets[0])
    while not p.accept(brackets[1]):
        if static:
            p.expect(",")
        if p.kind == "value":
            dynamic.append(p.value())
            static.append(DYNAMIC_INDEX)
        else:
            start, end = p.start, p.end
            static.append(p.integer("a number or a value"))
            if static[-1] == DYNAMIC_INDEX:
                p.fail(f"{DYNAMIC_INDEX} stands for a value: expected another number", start, end)
    return static, dynamic
