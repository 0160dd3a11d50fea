"""`func`: functions, calls and returns (MLIR's `func` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from penstock.ir import types as ty
from penstock.ir.attributes import ArrayAttr, Attribute, DictAttr
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.codecs import ATTRIBUTE, STRING, SYMBOL, TYPE
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.opdef import attribute, operands, region, results
from penstock.ir.types import Type


class Func(Operation):
    """A function: argument and result types, an attribute dictionary for each, and a body.

    A private function without a body is external: the context of the call provides it.
    """

    name = "func.func"
    isolated = True
    sym_name = attribute(STRING)
    function_type = attribute(TYPE)
    sym_visibility = attribute(STRING, optional=True)
    arg_attrs = attribute(ATTRIBUTE, optional=True)
    res_attrs = attribute(ATTRIBUTE, optional=True)
    code = region()

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
        return cast(ty.FunctionType, self.function_type)

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

    def set_result_attributes(self, position: int, entries: dict[str, Any]) -> None:
        """Replace one result's attribute dictionary; values may be plain Python values."""
        self.res_attrs = _replaced(self.res_attrs, position, len(self.type.results), entries)

    def verify(self) -> None:
        if self.is_external:
            return
        inside = tuple(a.type for a in self.arguments)
        if inside != self.type.inputs:
            self.fail(f"its type says {self.type.inputs} and its entry block takes {inside}")
        for what, attrs, count in (
            ("arg_attrs", self.arg_attrs, len(inside)),
            ("res_attrs", self.res_attrs, len(self.type.results)),
        ):
            if isinstance(attrs, ArrayAttr) and len(attrs.items) != count:
                self.fail(f"{what} has {len(attrs.items)} entries: expected {count}")


def _entry(attrs: Attribute | None, position: int) -> dict[str, Attribute]:
    if not isinstance(attrs, ArrayAttr) or position >= len(attrs.items):
        return {}
    entry = attrs.items[position]
    return dict(entry.items) if isinstance(entry, DictAttr) else {}


def _replaced(
    attrs: Attribute | None, position: int, count: int, entries: dict[str, Any]
) -> Attribute | None:
    every = [_entry(attrs, i) for i in range(count)]
    every[position] = {name: to_attribute(value) for name, value in entries.items()}
    if not any(every):
        return None
    return ArrayAttr(tuple(DictAttr(tuple(e.items())) for e in every))


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
        given = tuple(v.type for v in self.operands)
        if given != function.type.results:
            self.fail(
                f"returns {ty.result_text(given)} where @{function.sym_name} promises "
                f"{ty.result_text(function.type.results)}"
            )


class Call(Operation):
    """Call a function of the module by name."""

    name = "func.call"
    callee = attribute(SYMBOL)
    arguments = operands()
    outcomes = results()
    assembly = "$callee `(` $arguments `)` attr-dict `:` functional-type"
