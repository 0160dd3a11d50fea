"""Custom forms: one line per op, from which printer and parser both come.

    assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)"

`$name` is an operand group or an attribute, `type(...)` the types of an operand or result group,
a word in backquotes stands for itself, `attr-dict` is what else the op carries, `functional-type`
is `(operands) -> results`, and `(... )?` is left out where its anchor `$name^` is empty or absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from penstock.ir.opdef import Definition

_PIECE = re.compile(
    r"`([^`]+)`|type\(\$(\w+)\)|\$(\w+)(\^?)|(attr-dict|functional-type)|(\()|(\)\?)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One element of a custom form; `space` says whether a blank stands before it."""

    kind: str
    """literal, operand, attribute, types, attr-dict, functional-type or optional."""
    word: str
    space: bool = True
    inner: tuple[Piece, ...] = ()
    operand: int = -1
    """The position of the operand meant, where it is the same for every op of the class."""
    result: int = -1
    """Likewise for a result."""
    variadic: bool = False
    """Whether the group meant may have any number of members."""


def _spaced(kind: str, word: str, previous: str) -> bool:
    """Upstream's rule: brackets and commas cling, words and colons stand apart."""
    if kind == "literal" and word in "<>(){}[],":
        return False
    return previous not in ("<", "(", "{", "[")


@cache
def form_of(definition: Definition) -> tuple[Piece, ...] | None:
    """The compiled custom form of an op class; None if it declares none."""
    text = definition.assembly
    if text is None:
        return None
    attributes = definition.attributes
    fixed = not any(group.variadic for group in definition.operands)
    operands = {group.name: group.position for group in definition.operands if fixed}
    varying = {group.name for group in definition.operands if group.variadic}
    varying |= {group.name for group in definition.results if group.variadic}
    results = {group.name: group.position for group in definition.results if not group.variadic}
    stack: list[list[Piece]] = [[]]
    anchors: list[str] = []
    previous = ""
    for match in _PIECE.finditer(text):
        literal, types, name, anchor, special, opening, closing = match.groups()
        if opening:
            stack.append([])
            anchors.append("")
            continue
        if closing:
            inner = tuple(stack.pop())
            stack[-1].append(Piece("optional", anchors.pop(), inner[0].space, inner))
            continue
        if literal:
            kind, word = "literal", literal
        elif types:
            kind, word = "types", types
        elif name:
            kind, word = ("attribute" if name in attributes else "operand"), name
            if anchor:
                anchors[-1] = name
        else:
            kind, word = special, ""
        space = _spaced(kind, word, previous)
        positions = operands.get(word, -1), results.get(word, -1)
        stack[-1].append(Piece(kind, word, space, (), *positions, word in varying))
        previous = literal or "x"
    return tuple(stack[0])


@cache
def named_attributes(definition: Definition) -> frozenset[str]:
    """The attributes that the custom form shows in a place of their own."""

    def names(pieces: tuple[Piece, ...]) -> set[str]:
        found = {definition.attributes[p.word].name for p in pieces if p.kind == "attribute"}
        for piece in pieces:
            found |= names(piece.inner)
        return found

    return frozenset(names(form_of(definition) or ()))
