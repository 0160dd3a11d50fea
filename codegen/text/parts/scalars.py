"""Writes one scalar op by its row of a table; see `penstock.codegen.math.scalar_table`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from textwrap import dedent

from penstock.codegen.llvm_types import like, llvm_type, number, suffix
from penstock.codegen.math.vector_math import Table
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects import arith
from penstock.ir.record import Record
from penstock.ir.types import Type, element_of

_PLACEHOLDER = re.compile(r"\{([\w.]+)(?::([^{}]+))?\}")
_CALL = re.compile(r"(?:\{(?P<type>\w+)\} )?@(?P<name>[\w.]+)\((?P<arguments>.*)\)\Z")
_WORDS = (ty.i1, ty.i8, ty.i16, ty.i32, ty.i64, ty.f16, ty.bf16, ty.f32, ty.f64)
_TYPES = {str(type): type for type in _WORDS}
_TYPED = re.compile(r"\{(\w+)\} (.+)")
_IMMEDIATE = re.compile(r"(i\d+) (-?\d+)\Z")
_VALUE = re.compile(r"\{\w+\}\Z")
_LIBM_CALL = re.compile(r"@\w+\(")
_HALVES = (ty.f16, ty.bf16)
# Ops that move or take apart the bits of a float of 16 bits, or that convert it themselves.
_TAKES_HALVES = ("arith.select", "arith.bitcast", "arith.extf", "arith.truncf")
# Where x86 takes an operand from memory: any but the first.
_READS = re.compile(
    r"(?P<ahead>(?:f(?:add|sub|mul|div) |.*@llvm\.fmuladd\().*, )\{(\w+):([^{}]+)\}"
)

PIECES_AT_ONCE = 4
"""How many pieces are computed side by side: as many registers of each value as a turn has."""

LIBM_ATTRIBUTES = "nobuiltin nounwind willreturn memory(none)"
"""Calls of libm stay calls: LLVM neither replaces nor evaluates them."""


class _Step(Record):
    """One line: the name its result has in the row, and text for `str.format`.

    Its operand that may be read from memory, of a type and a value, is `{constant}` in the text.
    """

    name: str
    text: str
    declaration: tuple[str, str] | None
    constant: tuple[Type, str] | None

    @cached_property
    def is_value(self) -> bool:
        """Whether it only names a value."""
        return _VALUE.match(self.text) is not None

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is a line that takes nothing but the operands."""
        return not (self.name or self.is_value or self.constant)


def has_row(table: Table, name: str) -> bool:
    """Whether the table has a row for the op, for some element types at least."""
    return name in table or any(key.startswith(f"{name} ") for key in table)


class ScalarWriter(Record):
    """Writes ops into `writer` by the rows of `table`."""

    writer: Writer
    table: Table
    register: int = 0
    """Bytes of the vectors whose constants are better read from memory; 0 where there are none."""
    _known: dict[tuple[str, tuple[Type, ...], str], tuple[_Step, ...]] = field(default_factory=dict)
    """The steps of rows that were written, by name, types and predicate."""

    def emit(
        self,
        op: Operation,
        operands: Sequence[str],
        hint: str = "",
        types: Sequence[Type] | None = None,
        name: str = "",
    ) -> str:
        """Write `op` on these LLVM values and return the value of its result.

        `types` are those of the values and of the result, where they are not the op's: a piece of
        a vector has its own. `name` is the row's, where it is another op's. Raises a located error
        where the table has no row for the op on these types.
        """
        return self.emit_together(op, [operands], hint, types, name)[0]

    def emit_together(
        self,
        op: Operation,
        columns: Sequence[Sequence[str]],
        hint: str = "",
        types: Sequence[Type] | None = None,
        name: str = "",
    ) -> list[str]:
        """Write `op` as `emit` does on several columns of operands of the same types.

        Each step of its row is written for all of them before the next one is: a step waits for the
        one before, which processors bridge by what stands close to it.
        """
        kinds = tuple(types or [*(value.type for value in op.operands), op.results[0].type])
        name = name or op.name
        if _have_halves(kinds) and name not in _TAKES_HALVES:
            return self._widened(op, name, kinds, columns, hint)
        return self._row(op, name, kinds, columns, hint)

    def _row(
        self,
        op: Operation,
        name: str,
        types: Sequence[Type],
        columns: Sequence[Sequence[str]],
        hint: str,
    ) -> list[str]:
        """Write the row of the op called `name` for operands and a result of these types."""
        predicate = op.predicate if isinstance(op, (arith.CmpF, arith.CmpI)) else ""
        key = name, tuple(types), predicate
        steps = self._known.get(key)
        if steps is None:
            steps = self._known[key] = self._steps(op, *key)
        if not steps:
            return [self._by_lane(op, name, types, operands, hint) for operands in columns]
        for step in steps:
            if step.declaration is not None:
                self.writer.declare(*step.declaration)
        if len(steps) == 1 and steps[0].is_plain:
            text = steps[0].text
            return [self.writer.assign(hint, text.format(*operands)) for operands in columns]
        values: list[dict[str, str]] = [{} for _ in columns]
        outcomes = [""] * len(columns)
        for step in steps:
            for i, (operands, result) in enumerate(zip(columns, values, strict=True)):
                if step.constant is not None:
                    result["constant"] = self._constant(*step.constant, len(columns))
                outcome = step.text.format(*operands, **result)
                if not step.is_value:
                    outcome = self.writer.assign(step.name or hint, outcome)
                outcomes[i] = result[step.name] = outcome
        return outcomes

    def _steps(
        self, op: Operation, name: str, types: tuple[Type, ...], predicate: str
    ) -> tuple[_Step, ...]:
        """The steps of the row called `name`; none where libm is called once for each lane."""
        source, target = element_of(types[0]), element_of(types[-1])
        typed = f"{name} {source} {target}"
        lanes = types[-1].shape[0] if isinstance(types[-1], ty.VectorType) else 1
        table = self.table
        row = table.get(f"{typed} {lanes}") or table.get(typed) or table.get(name)
        if row is None:
            op.fail(f"there is no code for it from {source} to {target} on this target")
        if isinstance(types[-1], ty.VectorType) and _calls_libm(row):
            return ()
        return _steps(row, types, predicate)

    def _constant(self, type: Type, value: str, columns: int) -> str:
        """The LLVM value of a constant of a step that is written for several columns.

        Registers are few where all columns are computed that there may be, and LLVM would fill one
        anew before most steps. So it gets a load for each column, which becomes an operand of the
        step's instruction; volatile, for equal loads would be made one, into a register.
        """
        element = element_of(type)
        if not isinstance(type, ty.VectorType) or columns < PIECES_AT_ONCE:
            return value
        if type.count * ty.byte_width(element) != self.register:
            return value
        kind, word = llvm_type(type), value.removesuffix(")").rpartition(" ")[2]
        name = f"penstock.{element}x{type.count}.{word}"
        text = f"@{name} = private unnamed_addr constant {kind} {value}, align {self.register}"
        self.writer.declare(name, text)
        load = f"load volatile {kind}, ptr @{name}, align {self.register}"
        return self.writer.assign("constant", load)

    def _by_lane(
        self,
        op: Operation,
        name: str,
        types: Sequence[Type],
        operands: Sequence[str],
        hint: str,
    ) -> str:
        """Write a row that calls libm once for each lane of vectors of one dimension."""
        lanes = types[-1].shape[0] if isinstance(types[-1], ty.VectorType) else 1
        kind, elements = llvm_type(types[-1]), [element_of(type) for type in types]
        value = "poison"
        for lane in range(lanes):
            taken = [
                self.writer.assign(hint, f"extractelement {llvm_type(type)} {operand}, i64 {lane}")
                for type, operand in zip(types, operands, strict=False)
            ]
            (element,) = self._row(op, name, elements, [taken], hint)
            typed = f"{llvm_type(elements[-1])} {element}"
            value = self.writer.assign(hint, f"insertelement {kind} {value}, {typed}, i64 {lane}")
        return value

    def _widened(
        self,
        op: Operation,
        name: str,
        types: Sequence[Type],
        columns: Sequence[Sequence[str]],
        hint: str,
    ) -> list[str]:
        """Compute an op on floats of 16 bits as `float`, and round its result once."""
        wide = [like(t, ty.f32) if element_of(t) in _HALVES else t for t in types]
        extended = [list(operands) for operands in columns]
        for i, (old, new) in enumerate(zip(types[:-1], wide, strict=False)):
            if new is not old:
                wide_operands = [[operands[i]] for operands in columns]
                widened = self._row(op, "arith.extf", (old, new), wide_operands, hint)
                for operands, value in zip(extended, widened, strict=True):
                    operands[i] = value
        values = self._row(op, name, wide, extended, hint)
        if wide[-1] is types[-1]:
            return values
        wide_operands = [[value] for value in values]
        return self._row(op, "arith.truncf", (wide[-1], types[-1]), wide_operands, hint)


@lru_cache(maxsize=4096)
def _have_halves(types: tuple[Type, ...]) -> bool:
    return any(element_of(type) in _HALVES for type in types)


def _calls_libm(row: str) -> bool:
    return _LIBM_CALL.search(row) is not None


@lru_cache(maxsize=4096)
def _steps(row: str, types: tuple[Type, ...], predicate: str) -> tuple[_Step, ...]:
    """The row with types and constants filled in; operands and names stay placeholders."""
    lines = dedent(row).strip().splitlines()
    return tuple(_step(line.strip(), types, predicate) for line in lines)


def _step(line: str, types: tuple[Type, ...], predicate: str) -> _Step:
    name, _, text = line.rpartition(" = ")
    constant = None
    if reads := _READS.match(text):
        read = _type_of(reads[2], types)
        assert read is not None
        constant = (read, number(float(reads[3]), read))
        text = f"{reads['ahead']}{{constant}}{text[reads.end() :]}"
    call = _CALL.match(text)
    if call is None:
        return _Step(name, _filled(text, types, predicate), None, constant)
    type = types[-1] if call["type"] is None else _type_of(call["type"], types)
    assert type is not None
    kind = llvm_type(type)
    if call["name"].startswith("llvm.x86."):
        callee, attributes = call["name"], ""
    elif call["name"].startswith("llvm."):
        callee, attributes = f"{call['name']}.{suffix(type)}", ""
    else:
        callee, attributes = call["name"] + ("f" if type is ty.f32 else ""), f" {LIBM_ATTRIBUTES}"
    # Operands are placeholders and constants of one number here, none with a comma; one of another
    # type than the result's has that before it.
    operands, kinds = [], []
    for operand in call["arguments"].split(", "):
        if immediate := _IMMEDIATE.match(operand):
            kinds.append(immediate[1])
            operands.append(immediate[2])
            continue
        own = _TYPED.match(operand)
        of = type if own is None else _type_of(own[1], types)
        assert of is not None
        if own is not None:
            callee += f".{suffix(of)}"
        kinds.append(llvm_type(of))
        operands.append(_filled(operand if own is None else own[2], types, predicate))
    typed = ", ".join(map(" ".join, zip(kinds, operands, strict=True)))
    declaration = f"declare {kind} @{callee}({', '.join(kinds)}){attributes}"
    return _Step(name, f"call {kind} @{callee}({typed})", (callee, declaration), constant)


def _filled(text: str, types: tuple[Type, ...], predicate: str) -> str:
    """The text with types, constants and the predicate in place; other placeholders stay."""

    def fill(match: re.Match[str]) -> str:
        word, literal = match[1], match[2]
        if word == "predicate":
            return predicate
        type = _type_of(word, types)
        if type is None:
            return match[0]
        return llvm_type(type) if literal is None else number(float(literal), type)

    return _PLACEHOLDER.sub(fill, text)


def _type_of(word: str, types: tuple[Type, ...]) -> Type | None:
    """The type that a word of a row means; None for the name of a value."""
    if word in _TYPES:
        return like(types[-1], _TYPES[word])
    if word == "t":
        return types[-1]
    if word[0] == "t" and word[1:].isdigit():
        return types[int(word[1:])]
    return None
