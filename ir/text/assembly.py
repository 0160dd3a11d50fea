"""Custom forms: one format string per op, used by the printer and the parser.

    assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)"

`$name` is an operand group or an attribute, `type(...)` the types of an operand or result group,
a word in backquotes stands for itself, `attr-dict` is what else the op carries, `functional-type`
is `(operands) -> results`, and `(... )?` is left out where its anchor `$name^` is empty or absent.
`mixed($static, $dynamic)` is a list of numbers and values, `[0, %i]`: an attribute and an operand
group. Two backquotes without a word suppress the blank between what stands around them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from penstock.ir.definition import Definition

_PIECE = re.compile(
    r"`(?P<literal>[^`]*)`|type\(\$(?P<types>\w+)\)|mixed\(\$(?P<static>\w+), \$(?P<mixed>\w+)\)"
    r"|\$(?P<name>\w+)(?P<anchor>\^?)|(?P<special>attr-dict|functional-type)"
    r"|(?P<opening>\()|(?P<closing>\)\?)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One element of a custom form; `space` says whether a blank stands before it."""

    kind: str
    """literal, operand, attribute, types, mixed, attr-dict, functional-type or optional."""
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
            if match["opening"]:
                stack.append([])
                anchors.append("")
            elif match["closing"]:
                if len(stack) == 1 or not anchors[-1]:
                    raise TypeError(f"custom form {text!r}: a group without start or anchor")
                inner = tuple(stack.pop())
                stack[-1].append(Piece("optional", anchors.pop(), inner[0].space, inner))
            elif match["literal"] == "":
                previous = "("
            else:
                if match["anchor"]:
                    anchors[-1] = match["name"]
                stack[-1].append(self.piece(match, previous))
                previous = match["literal"] or "x"
        if text[end:].strip() or len(stack) > 1:
            raise TypeError(f"custom form {text!r}: {text[end:]!r} is left, or a group is open")
        return tuple(stack[0])

    def piece(self, match: re.Match[str], previous: str) -> Piece:
        kind, word = self._kind(match)
        positions = self.operands.get(word, -1), self.results.get(word, -1)
        space = _spaced(kind, word, previous)
        # The static attribute of a mixed list.
        inner = (Piece("attribute", match["static"]),) if match["static"] else ()
        return Piece(kind, word, space, inner, *positions, word in self.varying)

    def _kind(self, match: re.Match[str]) -> tuple[str, str]:
        kind = match.lastgroup or ""
        word = match[kind]
        match kind:
            case "types" if word not in self.operands and word not in self.results:
                raise TypeError(f"type(${word}): there is no operand or result of that name")
            case "mixed" if word not in self.operands or match["static"] not in self.attributes:
                raise TypeError(f"{match[0]}: there is no such attribute or no such operand")
            case "anchor":
                word = match["name"]
                kind = "attribute" if word in self.attributes else "operand"
                if kind == "operand" and word not in self.operands:
                    raise TypeError(f"${word}: there is no operand or attribute of that name")
            case "special":
                kind, word = word, ""
        return kind, word


@cache
def named_attributes(definition: Definition) -> frozenset[str]:
    """The attributes that the custom form names explicitly."""

    def names(pieces: tuple[Piece, ...]) -> set[str]:
        found = {definition.attributes[p.word].name for p in pieces if p.kind == "attribute"}
        for piece in pieces:
            found |= names(piece.inner)
        return found

    return frozenset(names(form_of(definition) or ()))
