"""`func`: functions, calls and returns (MLIR's `func` dialect)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from penstock.ir import types as ty
from penstock.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, TypeAttr
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.codecs import ATTRIBUTE, FUNCTION_TYPE, STRING, SYMBOL, choice
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.opdef import attribute, operands, region, results
from penstock.ir.quoting import bare_or_quoted
from penstock.ir.types import Type

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

_SHOWN = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")


class Func(Operation):
    """A function: argument and result types, an attribute dictionary for each, and a body.

    A private function without a body is external: the context of the call provides it.
    """

    name = "func.func"
    isolated = True
    sym_name = attribute(STRING)
    function_type = attribute(FUNCTION_TYPE)
    sym_visibility = attribute(choice("a visibility", "public", "private", "nested"), optional=True)
    arg_attrs = attribute(ATTRIBUTE, optional=True)
    res_attrs = attribute(ATTRIBUTE, optional=True)
    code = region(optional=True)

    @staticmethod
    def make(
        name: str,
        inputs: Sequence[Type],
        results: Sequence[Type] = (),
        private: bool = False,
        external: bool = False,
        names: Sequence[str] = (),
    ) -> Func:
        """A detached function with an empty entry block, or with no body if external."""
        body = Region() if external else Region(Block(inputs, names))
        func = Func(regions=[body])
        func.sym_name = name
        func.function_type = ty.FunctionType(tuple(inputs), tuple(results))
        if private:
            func.sym_visibility = "private"
        return func

    @property
    def type(self) -> ty.FunctionType:
        return self.function_type

    @property
    def is_external(self) -> bool:
        return not self.region.blocks

    @property
    def arguments(self) -> Sequence[Value]:
        return self.body.arguments

    @property
    def returned(self) -> Return:
        """The `func.return` that ends the body."""
        return cast(Return, self.body.terminator)

    def update_type(self) -> None:
        """Make the function type that of the block arguments and the returned values."""
        self.function_type = ty.FunctionType(
            tuple(a.type for a in self.arguments),
            tuple(v.type for v in self.returned.operands),
        )

    def argument_attributes(self, position: int) -> dict[str, Attribute]:
        """A copy of one argument's attribute dictionary."""
        return _entry(self.arg_attrs, position)

    def result_attributes(self, position: int) -> dict[str, Attribute]:
        """A copy of one result's attribute dictionary."""
        return _entry(self.res_attrs, position)

    def set_argument_attributes(self, position: int, entries: dict[str, Any]) -> None:
        """Replace one argument's attribute dictionary; values may be plain Python values."""
        count = len(self.type.inputs) if self.is_external else len(self.arguments)
        self.arg_attrs = _replaced(self.arg_attrs, position, count, entries)

    def set_all_argument_attributes(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Replace the attribute dictionaries of all arguments, which takes no longer than of one.

        Values may be plain Python values.
        """
        self.arg_attrs = _array(entries)

    def set_result_attributes(self, position: int, entries: dict[str, Any]) -> None:
        """Replace one result's attribute dictionary; values may be plain Python values."""
        self.res_attrs = _replaced(self.res_attrs, position, len(self.type.results), entries)

    def set_all_result_attributes(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """The same for all results."""
        self.res_attrs = _array(entries)

    def write(self, p: Printer, indent: str) -> None:
        """`func.func private @f(%x: t {...}) -> (t {...}) attributes {...} { ... }`"""
        p.out.append("func.func ")
        if self.sym_visibility is not None:
            p.out.append(f"{self.sym_visibility} ")
        p.out.append(f"@{bare_or_quoted(self.sym_name)}")
        outer = p.names, p.taken, p.count
        p.names, p.taken, p.count = {}, {}, 0
        words = []
        for i, type in enumerate(self.type.inputs):
            attrs = _text(self.argument_attributes(i))
            if self.is_external:
                words.append(f"{type}{attrs}")
            else:
                argument = self.body.arguments[i]
                place = p.location(argument.location)
                words.append(f"{p.name(argument)}: {type}{attrs}{place}")
        p.out.append(_listed(words, indent))
        attributed = [
            f"{type}{_text(self.result_attributes(i))}" for i, type in enumerate(self.type.results)
        ]
        if any(map(self.result_attributes, range(len(attributed)))):
            p.out.append(f" -> {_listed(attributed, indent)}")
        elif attributed:
            p.out.append(f" -> {ty.result_text(self.type.results)}")
        rest = p.attribute_dictionary(self, _SHOWN)
        p.out.append(f" attributes {rest}" if rest else "")
        if not self.is_external:
            p.out.append(" ")
            p.region(self.region, indent)
        p.names, p.taken, p.count = outer

    @classmethod
    def read(cls, p: Parser) -> Func:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {}
        if p.word in ("private", "public", "nested"):
            attributes["sym_visibility"] = StringAttr(p.word)
            p.advance()
        attributes["sym_name"] = StringAttr(p.symbol_name())
        outer = p.scopes
        p.scopes = [{}]
        entry, inputs, arg_attrs = _read_arguments(p)
        results, res_attrs = _read_results(p)
        attributes["function_type"] = TypeAttr(ty.FunctionType(tuple(inputs), tuple(results)))
        for name, entries in (("arg_attrs", arg_attrs), ("res_attrs", res_attrs)):
            if any(entries):
                attributes[name] = ArrayAttr(tuple(DictAttr(tuple(e.items())) for e in entries))
        if p.accept("attributes"):
            attributes = p.dictionary(attributes)
        region = Region()
        if p.word == "{" and p.kind == "punct":
            if entry is None:
                p.fail("a function with a body names its arguments, e.g. (%x: f32)")
            region = p.region(entry)
        p.scopes = outer
        return cls(attributes=attributes, regions=[region])

    def verify(self) -> None:
        if not self.is_external:
            inside = tuple(a.type for a in self.arguments)
            if inside != self.type.inputs:
                self.fail(
                    f"its type is {self.type} and its entry block takes "
                    f"({', '.join(map(str, inside))})"
                )
        for what, attrs, count in (
            ("arg_attrs", self.arg_attrs, len(self.type.inputs)),
            ("res_attrs", self.res_attrs, len(self.type.results)),
        ):
            if attrs is None:
                continue
            if not isinstance(attrs, ArrayAttr) or not all(
                isinstance(entry, DictAttr) for entry in attrs.items
            ):
                self.fail(f"{what} is {attrs}: expected a list of dictionaries")
            if len(attrs.items) != count:
                self.fail(f"{what} has {len(attrs.items)} entries: expected {count}")


_LONG = 100
"""Characters of a list from which on each of its entries has a line of its own."""


def _listed(words: Sequence[str], indent: str) -> str:
    """`(a, b)`, or if that is long, an entry a line."""
    if len(words) > 1 and sum(map(len, words)) > _LONG:
        start = f"\n{indent}    "
        return f"({start}{f',{start}'.join(words)})"
    return f"({', '.join(words)})"


def _text(entries: dict[str, Attribute]) -> str:
    return f" {DictAttr(tuple(entries.items()))}" if entries else ""


def _read_arguments(p: Parser) -> tuple[Block | None, list[Type], list[dict[str, Attribute]]]:
    """`(%x: t {...} loc(...), ...)`, or `(t, ...)` of an external function (no block)."""
    block = Block()
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


def _read_results(p: Parser) -> tuple[list[Type], list[dict[str, Attribute]]]:
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


def _entry(attrs: Attribute | None, position: int) -> dict[str, Attribute]:
    if not isinstance(attrs, ArrayAttr) or position >= len(attrs.items):
        return {}
    entry = attrs.items[position]
    return dict(entry.items) if isinstance(entry, DictAttr) else {}


def _replaced(
    attrs: Attribute | None, position: int, count: int, entries: dict[str, Any]
) -> Attribute | None:
    every: list[Mapping[str, Any]] = [_entry(attrs, i) for i in range(count)]
    every[position] = entries
    return _array(every)


def _array(entries: Sequence[Mapping[str, Any]]) -> Attribute | None:
    """The dictionaries as one attribute; none where all are empty."""
    if not any(entries):
        return None
    return ArrayAttr(
        tuple(DictAttr(tuple((k, to_attribute(v)) for k, v in e.items())) for e in entries)
    )


class Return(Operation):
    """End a function and give its results."""

    name = "func.return"
    terminator = True
    values = operands()
    assembly = "attr-dict ($values^ `:` type($values))?"

    def verify(self) -> None:
        function = self.parent
        if not isinstance(function, Func):
            self.fail("stands outside a function")
        operands = tuple(v.type for v in self.operands)
        if operands != function.type.results:
            self.fail(
                f"returns {ty.result_text(operands)} where @{function.sym_name} promises "
                f"{ty.result_text(function.type.results)}"
            )


class Call(Operation):
    """Call a function of the module by name."""

    name = "func.call"
    callee = attribute(SYMBOL)
    arguments = operands()
    outcomes = results()
    assembly = "$callee `(` $arguments `)` attr-dict `:` functional-type"
