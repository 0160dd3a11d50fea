"""Writes the body of one function, op by op: each op class has one rule.

The rules are in `control_text`, `call_text` and `memref_text`; scalars have rows in `scalar_table`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.codegen.buffers import Buffer, argument_buffer
from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.scalar_table import TABLE
from penstock.codegen.scalars import ScalarWriter, has_row
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects import func
from penstock.ir.types import Type

Rule = Callable[["FunctionText", Any], None]


class FunctionText:
    """Writes the ops of one function into `writer`, each by the rule of its class."""

    def __init__(
        self,
        writer: Writer,
        rules: Mapping[type[Operation], Rule],
        functions: Mapping[str, func.Func],
        symbols: Mapping[str, str],
    ) -> None:
        self.writer = writer
        self.rules = rules
        self.functions = functions
        """Every function of the module, by name."""
        self.symbols = symbols
        """What each function or global is called in the text, `@` and quotes included."""
        self.scalars = ScalarWriter(writer, TABLE)
        self._values: dict[Value, str] = {}
        self._buffers: dict[Value, Buffer] = {}

    # -- values -----------------------------------------------------------------------------------

    def value(self, op: Operation, value: Value) -> str:
        """The LLVM value of an operand of `op`."""
        found = self._values.get(value)
        if found is None:
            if value in self._buffers:
                op.fail(f"expected a scalar and got a buffer of {value.type}")
            op.fail(f"uses %{value.name or '?'}, which is not defined before it")
        return found

    def values(self, op: Operation, values: Sequence[Value]) -> list[str]:
        """The LLVM values of operands of `op`."""
        return [self.value(op, value) for value in values]

    def buffer(self, op: Operation, value: Value) -> Buffer:
        """The buffer that an operand of `op` is."""
        found = self._buffers.get(value)
        if found is None:
            op.fail(f"expected a memref defined before it, got a value of {value.type}")
        return found

    def bind(self, value: Value, meaning: str | Buffer) -> None:
        """Say what a value of the IR is: an LLVM value or a buffer."""
        if isinstance(meaning, Buffer):
            self._buffers[value] = meaning
        else:
            self._values[value] = meaning

    def bind_arguments(self, function: func.Func) -> list[str]:
        """Name the arguments and return the names."""
        names = []
        for i, argument in enumerate(function.arguments):
            name = self.writer.fresh(argument.name or f"arg{i}")
            if isinstance(argument.type, ty.MemRefType):
                self.bind(argument, argument_buffer(argument.type, name, function))
            else:
                self.bind(argument, name)
            names.append(name)
        return names

    def type(self, op: Operation, type: Type) -> str:
        """The LLVM type of a scalar or vector; a located error for others."""
        if isinstance(type, (ty.MemRefType, ty.UnrankedMemRefType)):
            op.fail(f"expected scalars and vectors, got {type}: memrefs go in as arguments only")
        try:
            return llvm_type(type)
        except TypeError as error:
            op.fail(str(error))

    # -- operations -------------------------------------------------------------------------------

    def region(self, op: Operation, region: Region) -> Block:
        """Write the only block of a region of `op`, all but its terminator."""
        if len(region.blocks) != 1:
            op.fail(f"expected a region of one block, got {len(region.blocks)} blocks")
        block = region.blocks[0]
        for inner in block:
            if inner is not block.last:
                self.write(inner)
        self.writer.op = block.last
        return block

    def write(self, op: Operation) -> None:
        """Write one operation and all inside it."""
        self.writer.op = op
        rule = self.rules.get(type(op))
        if rule is not None:
            rule(self, op)
        elif has_row(TABLE, op.name):
            self._scalar(op)
        else:
            op.fail(
                "there is no code for it at stage loops: expected scf.for, scf.if, func.call, "
                "arith, math, and views, loads, stores and copies of memref; lower it first"
            )

    def _scalar(self, op: Operation) -> None:
        result = op.results[0]
        for type in (result.type, *(value.type for value in op.operands)):
            self.type(op, type)
        self.bind(result, self.scalars.emit(op, self.values(op, op.operands), result.name))
