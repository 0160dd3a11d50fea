"""Writes the body of one function, op by op: each op class has one rule.

The rules are in `control_text`, `call_text`, `task_text`, `memref_text`, `vector_text` and
`vector_shape_text`; scalars have rows in `scalar_table`, and so have vectors, piece by piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.codegen.indices import is_number, known_divisor
from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.memref_values import MemRefValue, argument_buffer
from penstock.codegen.text.parts.elementwise import write_elementwise
from penstock.codegen.text.parts.scalars import ScalarWriter, has_row
from penstock.codegen.text.parts.text_target import TextTarget
from penstock.codegen.text.parts.trees import Trees
from penstock.codegen.text.parts.vectors import Column, Registers, Vector, piece_types
from penstock.codegen.writer import SCALAR_LOOPS, Writer
from penstock.ir import types as ty
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects import func, memref, scf
from penstock.ir.types import Type

_LOOPS = scf.For, scf.Forall
_WITH_LOOPS = *_LOOPS, func.Call
_EXPECTED = {
    "loops": "scf.for, scf.forall, scf.if, func.call, arith, math, vector, and views, loads, "
    "stores and copies of memref",
    "gpu": "gpu, nvgpu, nvvm, scf.for, scf.if, arith, math, vector, and views, loads and stores of "
    "memref",
}
"""What modules of a stage consist of."""
_FEW = 512
"""Elements. LLVM's pipeline makes loops over larger buffers up to a quarter faster, which is not
worth the time it takes where loops end soon: more than half of the time to compile them."""

Rule = Callable[["FunctionText", Any], None]
Meaning = str | MemRefValue | Vector | Column | Registers
"""The meaning of an IR value in the text: an LLVM value, a buffer, pieces of a vector, or several
scalars."""


class FunctionText:
    """Writes the ops of one function into `writer`, each by the rule of its class."""

    def __init__(
        self,
        writer: Writer,
        rules: Mapping[type[Operation], Rule],
        functions: Mapping[str, func.Func],
        symbols: Mapping[str, str],
        target: TextTarget,
        name: str,
    ) -> None:
        self.writer = writer
        self.rules = rules
        self.target = target
        self.name = name
        """The function's name in the IR, and the prefix of functions outlined from it."""
        self.changes_stack = False
        """Whether a call in it has its own stack."""
        self.rows = 0
        """The number of its scratch rows."""
        self.functions = functions
        """Every function of the module, by name."""
        self.symbols = symbols
        """The name of each function or global in the text, with `@` and quotes."""
        self.scalars = ScalarWriter(writer, target.table, target.constants)
        self.tasks: list[Callable[[], None]] = []
        """Writes functions that were outlined from this one, once it is written itself."""
        self._meanings: dict[Value, Meaning] = {}
        self._checked: set[Type] = set()
        """The types of values in registers."""
        self._trees = Trees(Block(), target.table)
        """The trees of the current block."""

    def inside(self, name: str) -> FunctionText:
        """Writes a function outlined from this one, with its own values."""
        return FunctionText(
            self.writer, self.rules, self.functions, self.symbols, self.target, name
        )

    # -- values -----------------------------------------------------------------------------------

    def value(self, op: Operation, value: Value) -> str:
        """The LLVM value of an operand of `op` that is a scalar."""
        found = self.meaning(op, value)
        if not isinstance(found, str):
            what = "a buffer" if isinstance(found, MemRefValue) else "a value"
            op.fail(f"expected a scalar and got {what} of {value.type}")
        return found

    def values(self, op: Operation, values: Sequence[Value]) -> list[str]:
        """The LLVM values of operands of `op` that are scalars."""
        return [self.value(op, value) for value in values]

    def meaning(self, op: Operation, value: Value) -> Meaning:
        """The meaning of an operand of `op`."""
        found = self._meanings.get(value)
        if found is None:
            op.fail(f"uses %{value.name or '?'}, which is not defined before it")
        return found

    def vector(self, op: Operation, value: Value) -> Vector:
        """The pieces of an operand of `op`."""
        found = self.meaning(op, value)
        if not isinstance(found, Vector):
            op.fail(f"expected a vector, got a value of {value.type}")
        return found

    def _lanes_of(self, op: Operation, value: Value) -> str | MemRefValue | Vector | Column:
        found = self.meaning(op, value)
        if isinstance(found, Registers):
            op.fail(f"expected a scalar or a vector, got a value of {value.type}")
        return found

    def buffer(self, op: Operation, value: Value) -> MemRefValue:
        """The buffer that an operand of `op` is."""
        found = self.meaning(op, value)
        if not isinstance(found, MemRefValue):
            op.fail(f"expected a memref defined before it, got a value of {value.type}")
        return found

    def bind(self, value: Value, meaning: Meaning) -> None:
        """Bind an IR value to its meaning."""
        self._meanings[value] = meaning

    # Loops, branches and tasks carry vectors piece by piece.

    def leaves(self, op: Operation, value: Value) -> list[tuple[str, str]]:
        """The LLVM values of an operand of `op`, each with its type: one, or a vector's pieces."""
        found = self.meaning(op, value)
        names = found.names if isinstance(found, Vector) else [self.value(op, value)]
        return list(zip(self.kinds(op, value.type), names, strict=True))

    def kinds(self, op: Operation, type: Type) -> Sequence[str]:
        """The LLVM types of the pieces of a value; a located error if no register can hold them."""
        if isinstance(type, ty.VectorType):
            self._check(op, type)
            return piece_types(type, self.target.lanes)
        return [self.type(op, type)]

    def bind_leaves(self, value: Value, names: Sequence[str]) -> None:
        """Bind a scalar or a vector to its LLVM values."""
        type = value.type
        if isinstance(type, ty.VectorType):
            self.bind(value, Vector(type, self.target.lanes, tuple(names)))
        else:
            self.bind(value, names[0])

    def bind_arguments(
        self, function: func.Func, alignments: Sequence[int]
    ) -> list[list[tuple[str, str]]]:
        """Name the arguments; buffers have this alignment in bytes.

        Returns for each its LLVM type and name: more than one pair for a vector of many pieces.
        """
        leaves = []
        for i, argument in enumerate(function.arguments):
            hint = argument.name or f"arg{i}"
            if isinstance(argument.type, ty.MemRefType):
                name = self.writer.fresh(hint)
                buffer = argument_buffer(argument.type, name, function, alignments[i])
                self.bind(argument, buffer)
                leaves.append([("ptr", name)])
                continue
            pairs = [
                (kind, self.writer.fresh(hint)) for kind in self.kinds(function, argument.type)
            ]
            self.bind_leaves(argument, [name for _, name in pairs])
            leaves.append(pairs)
        return leaves

    def type(self, op: Operation, type: Type) -> str:
        """The LLVM type of a scalar; a located error for others."""
        if isinstance(type, (ty.MemRefType, ty.UnrankedMemRefType)):
            op.fail(f"expected scalars and vectors, got {type}: memrefs go in as arguments only")
        try:
            return llvm_type(type)
        except TypeError as error:
            op.fail(str(error))

    def _check(self, op: Operation, type: ty.VectorType) -> None:
        """Fail at `op` if no register can hold vectors of a type."""
        if not type.rank or 0 in type.shape:
            op.fail(f"expected a vector with elements, got {type}")
        self.type(op, type.element)

    # -- operations -------------------------------------------------------------------------------

    def region(self, op: Operation, region: Region) -> Block:
        """Write the only block of a region of `op`, all but its terminator."""
        if len(region.blocks) != 1:
            op.fail(f"expected a region of one block, got {len(region.blocks)} blocks")
        block = region.blocks[0]
        around, self._trees = self._trees, Trees(block, self.target.table)
        for inner in block:
            if inner is not block.last and inner not in self._trees.covered:
                self.write(inner)
        self._trees = around
        self.writer.op = block.last
        return block

    def write(self, op: Operation) -> None:
        """Write one operation and all inside it."""
        self.writer.op = op
        rule = self.rules.get(type(op))
        if rule is not None:
            rule(self, op)
        elif has_row(self.target.table, op.name):
            self.scalar(op)
        else:
            op.fail(
                f"there is no code for it at stage {self.target.stage}: expected "
                f"{_EXPECTED[self.target.stage]}; lower it first"
            )

    def scalar(self, op: Operation) -> None:
        """An op on scalars, or elementwise on vectors."""
        result = op.results[0]
        row, values = self._trees.rows.get(op, (op.name, op.operands))
        types = [*(value.type for value in values), result.type]
        for type in types:
            if type not in self._checked:
                self.kinds(op, type)
                self._checked.add(type)
        if isinstance(result.type, ty.VectorType):
            meant = [self._lanes_of(op, value) for value in values]
            lanes = self.target.lanes
            self.bind(result, write_elementwise(self.scalars, op, meant, lanes, row, values))
            return
        operands = self.values(op, values)
        name = self.scalars.emit(op, operands, result.name, types, row)
        self.bind(result, name)
        if result.type is ty.index and len(operands) == 2:
            self._note(op, name, operands)

    def _note(self, op: Operation, name: str, operands: Sequence[str]) -> None:
        """Record the bounds of an index computed from two others."""
        kind = re.split(r"[ (]", self.target.table[op.name])[0]
        indices = self.writer.indices
        indices.note_divisor(name, known_divisor(kind, *map(indices.divisor, operands)))
        left, right = operands if not is_number(operands[0]) else reversed(operands)
        if is_number(right) and not is_number(left) and kind == "add":
            indices.note_sum(name, left, int(right))
        elif is_number(right) and kind == "sub" and left == operands[0]:
            indices.note_sum(name, left, -int(right))


def attributes_for(op: Operation) -> str:
    """The attributes of the function that `op` is or becomes.

    A function with loops is not inlined, so that it shows in profiles and assembly. LLVM's pipeline
    optimises those whose innermost loops are scalar, unless their buffers are small.
    """
    are_scalar: list[bool] = []
    _look_inside(op, are_scalar)
    if not are_scalar:
        return "#0"
    return SCALAR_LOOPS if any(are_scalar) and not _is_small(op) else "#1"


def _is_small(op: Operation) -> bool:
    counts = {
        value.type.count
        for inner in op.walk()
        for value in inner.operands
        if isinstance(value.type, ty.MemRefType)
    }
    return all(0 <= count <= _FEW for count in counts)


def _look_inside(op: Operation, are_scalar: list[bool]) -> tuple[bool, bool, bool]:
    """Whether an op contains vectors (or else loads or stores), and loops or calls.

    `are_scalar` learns for each loop, including the op itself, whether it is innermost, accesses
    memory and has no vectors.
    """
    vectors = memory = loops = False
    for block in (block for region in op.regions for block in region.blocks):
        for inner in block:
            if inner.regions:
                more = _look_inside(inner, are_scalar)
                vectors, memory, loops = vectors or more[0], memory or more[1], loops or more[2]
            loops = loops or isinstance(inner, _WITH_LOOPS)
            # With vectors, the rest does not matter.
            if not vectors:
                memory = memory or isinstance(inner, (memref.Load, memref.Store))
                values = (*inner.results, *inner.operands)
                vectors = any(isinstance(value.type, ty.VectorType) for value in values)
    if isinstance(op, _LOOPS):
        are_scalar.append(memory and not vectors and not loops)
    return vectors, memory, loops
