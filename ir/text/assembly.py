"""Custom forms: one format string per op, used by the printer and the parser.

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
    """The position of the operand, if it is the same for every op of the class. For a trailing
    variadic group, the position of its first operand."""
    result: int = -1
    """Likewise for a result."""
    variadic: bool = False
    """Whether the group is variadic."""


def _spaced(kind: str, word: str, previous: str) -> bool:
    """Upstream's spacing: none around brackets and commas, a blank around words and colons.

    There is also a blank before a `<` that follows the op's name.
    """
    if word == "<" and not previous:
        return True
    if kind == "literal" and word in "<>(){}[],":
        return False
    return previous not in ("<", "(", "{", "[")


@cache
def form_of(definition: Definition) -> tuple[Piece, ...] | None:
    """The compiled custom form of an op class; None if it declares none."""
    if definition.assembly is None:
        return None
    return _Compiler(definition).compile(definition.assembly)


class _Compiler:
    """Compiles the text of a form into pieces; TypeError if it is malformed."""

    def __init__(self, definition: Definition) -> None:
        self.attributes = definition.attributes
        groups = definition.operands
        first = next((g.position for g in groups if g.variadic), len(groups))
        fixed = first if first < len(groups) - 1 else len(groups)
        self.operands = {g.name: g.position if g.position < fixed else -1 for g in groups}
        self.results = {g.name: -1 if g.variadic else g.position for g in definition.results}
        self.varying = {g.name for g in definition.operands if g.variadic}
        self.varying |= {g.name for g in definition.results if g.variadic}

    def compile(self, text: str) -> tuple[Piece, ...]:
        stack: list[list[Piece]] = [[]]
        anchors: list[str] = []
        previous, end = "", 0
        for match in _PIECE.finditer(text):
            if text[end : match.start()].strip():
                raise TypeError(
                    f"custom form {text!r}: {text[end : match.start()]!r} is not a valid piece"
                )
            end = match.end()
            literal, types, name, anchor, special, opening, closing = match.groups()
            if opening:
                stack.append([])
                anchors.append("")
            elif closing:
                if len(stack) == 1 or not anchors[-1]:
                    raise TypeError(f"custom form {text!r}: a group without start or anchor")
                inner = tuple(stack.pop())
                stack[-1].append(Piece("optional", anchors.pop(), inner[0].space, inner))
            else:
                if anchor:
                    anchors[-1] = name
                stack[-1].append(self.piece(literal, types, name, special, previous))
                previous = literal or "x"
        if text[end:].strip() or len(stack) > 1:
            raise TypeError(f"custom form {text!r}: {text[end:]!r} is left, or a group is open")
        return tuple(stack[0])

    def piece(
        self,
        literal: str | None,
        types: str | None,
        name: str | None,
        special: str | None,
        previous: str,
    ) -> Piece:
        if literal:
            kind, word = "literal", literal
        elif types:
            kind, word = "types", types
            if types not in self.operands and types not in self.results:
                raise TypeError(f"type(${types}): there is no operand or result of that name")
        elif name:
            kind, word = ("attribute" if name in self.attributes else "operand"), name
            if kind == "operand" and name not in self.operands:
                raise TypeError(f"${name}: there is no operand or attribute of that name")
        else:
            kind, word = special or "", ""
        positions = self.operands.get(word, -1), self.results.get(word, -1)
        space = _spaced(kind, word, previous)
        return Piece(kind, word, space, (), *positions, word in self.varying)


@cache
def named_attributes(definition: Definition) -> frozenset[str]:
    """The attributes that the custom form names explicitly."""

    def names(pieces: tuple[Piece, ...]) -> set[str]:
        found = {definition.attributes[p.word].name for p in pieces if p.kind == "attribute"}
        for piece in pieces:
            found |= names(piece.inner)
        return found

    return frozenset(names(form_of(definition) or ()))
