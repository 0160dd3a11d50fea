"""`func`: functions, calls and returns (MLIR's `func` dialect)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, StringAttr, TypeAttr
from penstock.ir.codecs import SYMBOL, choice
from penstock.ir.core import Block, Operation, Region
from penstock.ir.dialects.signatures import (
    FunctionOp,
    array_of,
    attributes_text,
    check_entries,
    entry_of,
    listed,
    read_arguments,
    read_results,
    replaced,
)
from penstock.ir.opdef import attribute, operands, region, results
from penstock.ir.quoting import bare_or_quoted
from penstock.ir.types import Type

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

_SHOWN = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")


class Func(FunctionOp):
    """A function: argument and result types, an attribute dictionary for each, and a body.

    A private function without a body is external: the context of the call provides it.
    """

    name = "func.func"
    sym_visibility = attribute(choice("a visibility", "public", "private", "nested"), optional=True)
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
    def is_external(self) -> bool:
        return not self.region.blocks

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

    def result_attributes(self, position: int) -> dict[str, Attribute]:
        """A copy of one result's attribute dictionary."""
        return entry_of(self.res_attrs, position)

    def set_result_attributes(self, position: int, entries: dict[str, Any]) -> None:
        """Replace one result's attribute dictionary; values may be plain Python values."""
        self.res_attrs = replaced(self.res_attrs, position, len(self.type.results), entries)

    def set_all_result_attributes(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """The same for all results."""
        self.res_attrs = array_of(entries)

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
            attrs = attributes_text(self.argument_attributes(i))
            if self.is_external:
                words.append(f"{type}{attrs}")
            else:
                argument = self.body.arguments[i]
                place = p.location(argument.location)
                words.append(f"{p.name(argument)}: {type}{attrs}{place}")
        p.out.append(listed(words, indent))
        attributed = [
            f"{type}{attributes_text(self.result_attributes(i))}"
            for i, type in enumerate(self.type.results)
        ]
        if any(map(self.result_attributes, range(len(attributed)))):
            p.out.append(f" -> {listed(attributed, indent)}")
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
        entry, inputs, arg_attrs = read_arguments(p)
        results, res_attrs = read_results(p)
        attributes["function_type"] = TypeAttr(ty.FunctionType(tuple(inputs), tuple(results)))
        for name, entries in (("arg_attrs", arg_attrs), ("res_attrs", res_attrs)):
            if (found := array_of(entries)) is not None:
                attributes[name] = found
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
        check_entries(self, "arg_attrs", self.arg_attrs, len(self.type.inputs))
        check_entries(self, "res_attrs", self.res_attrs, len(self.type.results))


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
        function.check_returned(self)


class Call(Operation):
    """Call a function of the module by name."""

    name = "func.call"
    callee = attribute(SYMBOL)
    arguments = operands()
    outcomes = results()
    assembly = "$callee `(` $arguments `)` attr-dict `:` functional-type"
