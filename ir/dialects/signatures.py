"""Functions: arguments and results, each with an attribute dictionary, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.ir import types as ty
from penstock.ir.attributes import ArrayAttr, Attribute, DictAttr
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.codecs import ATTRIBUTE, FUNCTION_TYPE, STRING
from penstock.ir.core import Block, Operation, Value
from penstock.ir.opdef import attribute
from penstock.ir.types import Type

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser

_LONG = 100
"""Characters of a list from which on each of its entries has a line of its own."""


class FunctionOp(Operation):
    """Base of functions and kernels."""

    isolated = True
    sym_name = attribute(STRING)
    function_type = attribute(FUNCTION_TYPE)
    arg_attrs = attribute(ATTRIBUTE, optional=True)
    res_attrs = attribute(ATTRIBUTE, optional=True)

    @property
    def type(self) -> ty.FunctionType:
        return self.function_type

    @property
    def arguments(self) -> Sequence[Value]:
        """What a caller passes."""
        return self.body.arguments

    def argument_attributes(self, position: int) -> dict[str, Attribute]:
        """A copy of one argument's attribute dictionary."""
        return entry_of(self.arg_attrs, position)

    def set_argument_attributes(self, position: int, entries: dict[str, Any]) -> None:
        """Replace one argument's attribute dictionary; values may be plain Python values."""
        count = len(self.arguments if self.region.blocks else self.type.inputs)
        self.arg_attrs = replaced(self.arg_attrs, position, count, entries)

    def set_all_argument_attributes(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Replace the attribute dictionaries of all arguments, which takes no longer than of one.

        Values may be plain Python values.
        """
        self.arg_attrs = array_of(entries)

    def check_returned(self, end: Operation) -> None:
        """Check that an op that ends the function returns values of the types of its results."""
        found = tuple(value.type for value in end.operands)
        if found != self.type.results:
            end.fail(
                f"returns {ty.result_text(found)} where @{self.sym_name} promises "
                f"{ty.result_text(self.type.results)}"
            )


def listed(words: Sequence[str], indent: str) -> str:
    """`(a, b)`, or if that is long, an entry a line."""
    if len(words) > 1 and sum(map(len, words)) > _LONG:
        start = f"\n{indent}    "
        return f"({start}{f',{start}'.join(words)})"
    return f"({', '.join(words)})"


def attributes_text(entries: Mapping[str, Attribute]) -> str:
    """` {...}`, or nothing."""
    return f" {DictAttr(tuple(entries.items()))}" if entries else ""


def read_arguments(
    p: Parser, block: Block | None = None
) -> tuple[Block | None, list[Type], list[dict[str, Attribute]]]:
    """`(%x: t {...} loc(...), ...)`, or `(t, ...)` of an external function (no block).

    The arguments are added to `block`, or else to a new one.
    """
    block = block or Block()
    types: list[Type] = []
    attributes: list[dict[str, Attribute]] = []
    p.expect("(")
    named = p.kind == "value" or p.word == ")"
    while not p.accept(")"):
        if types:
            p.expect(",")
        start = p.start
        name = ""
        if named:
            name = p.new_name("an argument such as %x")
            p.expect(":")
        types.append(p.type())
        attributes.append(p.optional_dictionary())
        location = p.trailing_location()
        if named:
            argument = block.add_argument(types[-1], "", location)
            p.define(name, [argument], start)
    return (block if named else None), types, attributes


def read_results(p: Parser) -> tuple[list[Type], list[dict[str, Attribute]]]:
    """`-> t` or `-> (t {...}, ...)`; nothing is no results."""
    if not p.accept("->"):
        return [], []
    if not (p.word == "(" and p.kind == "punct"):
        return [p.type()], [{}]
    types: list[Type] = []
    attributes: list[dict[str, Attribute]] = []
    p.expect("(")
    while not p.accept(")"):
        if types:
            p.expect(",")
        types.append(p.type())
        attributes.append(p.optional_dictionary())
    return types, attributes


def entry_of(attrs: Attribute | None, position: int) -> dict[str, Attribute]:
    """A copy of the dictionary at one position; empty where there is none."""
    if not isinstance(attrs, ArrayAttr) or position >= len(attrs.items):
        return {}
    entry = attrs.items[position]
    return dict(entry.items) if isinstance(entry, DictAttr) else {}


def replaced(
    attrs: Attribute | None, position: int, count: int, entries: dict[str, Any]
) -> Attribute | None:
    """The attribute for `count` dictionaries, of which one is replaced."""
    every: list[Mapping[str, Any]] = [entry_of(attrs, i) for i in range(count)]
    every[position] = entries
    return array_of(every)


def array_of(entries: Sequence[Mapping[str, Any]]) -> Attribute | None:
    """The dictionaries as one attribute; none where all are empty."""
    if not any(entries):
        return None
    return ArrayAttr(
        tuple(DictAttr(tuple((k, to_attribute(v)) for k, v in e.items())) for e in entries)
    )


def check_entries(op: Operation, what: str, attrs: Attribute | None, count: int) -> None:
    """Check that an attribute is absent or a list of `count` dictionaries."""
    if attrs is None:
        return
    if not isinstance(attrs, ArrayAttr) or not all(
        isinstance(entry, DictAttr) for entry in attrs.items
    ):
        op.fail(f"{what} is {attrs}: expected a list of dictionaries")
    if len(attrs.items) != count:
        op.fail(f"{what} has {len(attrs.items)} entries: expected {count}")
