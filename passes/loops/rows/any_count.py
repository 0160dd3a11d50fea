"""Elementwise jobs, lowered to loops over a number of elements known only at run time.

    %e = linalg.generic ins(%x) { exp };  %y = linalg.generic ins(%e, %s) { multiply }
->
    func.func private @f_by_32(%x: memref<?xf32>, %s: memref<f32>, %y: memref<?xf32>,
                               %lower: index, %upper: index) {
      scf.for %i = %lower to %upper step 32 { load; exp; multiply; store } }

All values of an iteration stay in registers, so the grouping of the generics does not matter. There
is one function per vector width; its callers pass a range whose length is a multiple of the width.
Where results are large, they are written past the caches:

    func.func private @f_past(%x: memref<?xf32>, ..., %lower: index, %upper: index) {
      scf.for %block = %lower to %upper step 1 { %i = arith.muli %block, %c32; load; ...; store } }

As in `lower_rows`, an element's result depends neither on the width nor on its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, cast

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, unit
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, func, linalg, tensor
from penstock.ir.record import Record
from penstock.ir.types import MemRefType, TensorType, Type
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group, assign
from penstock.passes.costs.target import Target
from penstock.passes.loops.rows.lanes import BodyWriter, Lanes
from penstock.passes.loops.rows.row_memory import parts_of
from penstock.passes.loops.rows.row_plan import MOST, STREAM
from penstock.passes.loops.write.loop_writer import LoopWriter
from penstock.passes.loops.write.tensor_buffers import ALIGNED, memref_type

LARGE = 3 << 20
"""The bytes of a result that is written past the caches: a program that keeps some of these reads
them from memory anyway, and would first read what they overwrite."""


class AnyCount(Record):
    """The loops of a job and their cost."""

    loops: Sequence[tuple[int, func.Func]]
    """(width, function), widest first; the last has width 1. An iteration handles `width` elements.
    """
    cycles: float
    """Estimated cycles per element."""
    past: func.Func | None = None
    """The widest loop for large results: its range counts iterations, not elements."""
    large: int = 0
    """How many elements a large result has."""


def buffer_type(type: Type, count: int) -> MemRefType:
    """The buffer of a tensor whose `count` elements stand for any number."""
    assert isinstance(type, TensorType)
    return MemRefType((ty.DYNAMIC,), type.element) if type.rank else memref_type(type)


def lower_any_count(
    job: func.Func, groups: Mapping[str, func.Func], count: int, target: Target
) -> AnyCount:
    """Write the loops of a job whose tensors have `count` elements, or rank 0.

    Raises a located `IRError` for an op that is not elementwise.
    """
    for function in (job, *groups.values()):
        _check_types(function, count)
    for value in job.returned.operands:
        if not cast(TensorType, value.type).rank:
            job.returned.fail(f"returns {value.type}: expected {count} elements")
    widths, cycles = _widths(job, groups.values(), count, target)
    vectors = widths[0] > 1
    loops = [(width, _Loop(job, groups, count, width, vectors).write()) for width in widths]
    if not vectors:
        return AnyCount(loops, cycles)
    past = _Loop(job, groups, count, widths[0], vectors, past=True).write()
    return AnyCount(loops, cycles, past, max(LARGE // _widest(job.returned.operands), widths[0]))


def _check_types(function: func.Func, count: int) -> None:
    for op in function.walk():
        for value in (*function.arguments, *op.results):
            if isinstance(value.type, TensorType) and value.type.shape not in ((), (count,)):
                op.fail(f"has a tensor {value.type}: expected {count} elements, or one of rank 0")


def _widest(values: Iterable[Value]) -> int:
    """The bytes of an element of the widest of these tensors."""
    return max(ty.byte_width(cast(TensorType, value.type).element) for value in values)


def _widths(
    job: func.Func, groups: Iterable[func.Func], count: int, target: Target
) -> tuple[list[int], float]:
    """The widths of the loops, and the estimated cycles per element.

    The widths are that of loops over a known number of elements, one register, and 1.
    """
    values = (*job.arguments, *job.returned.operands)
    types = [cast(TensorType, value.type) for value in values]
    widest = _widest(values)
    moved = sum(ty.byte_width(type.element) for type in types if type.rank)
    width, cycles = MOST * target.vector_bytes // widest, 0.0
    for function in groups:
        group = Group(function)
        for part in parts_of(group, assign(group, {}), target).parts:
            plan = part.plan
            if plan is not None:
                cycles += plan.cycles / count
                width = min(width, 1 if plan.lanes is None else plan.width)
            elif part.ops[0].extents:  # Vectorising does not pay.
                cycles += sum(generics.body_cost(op.body) for op in part.ops)
                width = 1
    register = min(width, max(1, target.vector_bytes // widest))
    return list(dict.fromkeys((width, register, 1))), max(cycles, moved / STREAM)


class _Loop:
    """Writes a job as one loop that handles `width` elements per iteration."""

    def __init__(
        self,
        job: func.Func,
        groups: Mapping[str, func.Func],
        count: int,
        width: int,
        in_vectors: bool,
        past: bool = False,
    ) -> None:
        self.job = job
        self.groups = groups
        # Even width 1 uses vectors: LLVM would spend compile time vectorising a scalar loop.
        self.lanes = Lanes(0, width) if in_vectors else None
        self.width = width
        self.past = past
        values = [*job.arguments, *job.returned.operands]
        types: list[Type] = [buffer_type(value.type, count) for value in values]
        names = [*(value.name or "operand" for value in job.arguments)]
        names += [*(value.name or "result" for value in job.returned.operands), "lower", "upper"]
        types += [ty.index, ty.index]
        name = f"{job.sym_name}_past" if past else f"{job.sym_name}_by_{width}"
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = job.location
        alone: list[dict[str, object]] = [{"llvm.noalias": unit} for _ in values]
        if past:
            for facts in alone[len(job.arguments) :]:
                facts["llvm.align"] = IntegerAttr(ALIGNED)
        self.function.set_all_argument_attributes([*alone, {}, {}])
        self.writer = LoopWriter(self.function.body)
        buffers = self.function.arguments
        self.buffers: dict[Value, Value] = dict(zip(job.arguments, buffers, strict=False))
        self.results = buffers[len(job.arguments) : -2]
        self.place = self.writer.index(0)
        self.made: dict[Value, Value] = {}
        """Each value in this iteration: a vector, or a scalar if all its elements are equal."""

    def write(self) -> func.Func:
        writer = self.writer
        *_, lower, upper = self.function.arguments
        if self.past:
            (block,) = writer.begin_loop(lower, upper, 1, [], "block")
            # So the code generator sees how places are aligned.
            self.place = writer.made(arith.MulI, block, writer.index(self.width))
        else:
            (self.place,) = writer.begin_loop(lower, upper, self.width, [], "i")
        for buffer, value in zip(self.results, self._inlined(self.job), strict=True):
            self._store(value, buffer)
        writer.end_loop([])
        writer.drop_unused_constants()
        self.function.body.append(func.Return([], [], location=self.job.returned.location))
        return self.function

    def _inlined(self, function: func.Func) -> list[Value]:
        """Write the body of a function into the loop; returns what the function returns."""
        for op in function.body:
            if isinstance(op, func.Call):
                self._call(op)
            elif isinstance(op, linalg.Generic):
                self._generic(op)
            elif not op.terminator and not isinstance(op, tensor.Empty | arith.Constant):
                self._scalar(op)
        return [self._read(value) for value in function.returned.operands]

    def _call(self, op: func.Call) -> None:
        callee = self.groups[op.callee]
        for known in (*callee.arguments, *(one for inner in callee.body for one in inner.results)):
            # Those of another call of the same function.
            self.made.pop(known, None)
            self.buffers.pop(known, None)
        for argument, value in zip(callee.arguments, op.operands, strict=True):
            if value in self.buffers:
                self.buffers[argument] = self.buffers[value]
            else:
                self.made[argument] = self._read(value)
        self.made.update(zip(op.results, self._inlined(callee), strict=True))

    def _scalar(self, op: Operation) -> None:
        """Write a scalar op outside the generics."""
        if isinstance(op, tensor.Extract):
            self.made[op.results[0]] = self._read(op.tensor)
        elif op.pure and not any(isinstance(v.type, TensorType) for v in op.results):
            self.writer.location = op.location
            self.made.update(zip(op.results, self.writer.pure(op.clone(self.made)), strict=True))
        else:
            _refuse(op)

    def _generic(self, op: linalg.Generic) -> None:
        body = [inner for inner in op.body if isinstance(inner, linalg.Index)]
        if body or not op.is_parallel or any(a.uses for a in generics.output_arguments(op)):
            _refuse(op)
        self.writer.location = op.location
        for value in generics.captured(op):
            if value not in self.buffers and not isinstance(value.defining_op, arith.Constant):
                self.made.setdefault(value, self._read(value))
        values: dict[Value, Value] = {
            argument: self._read(value)
            for argument, value in zip(generics.input_arguments(op), op.inputs, strict=True)
            if argument.uses
        }
        written = BodyWriter(self.writer, {**self.buffers, **self.made}, set(), self.lanes)
        yielded = op.body.terminator.operands
        point = [self.place] * len(op.extents)
        found = written.write(op, point, [0] * len(point), values, yielded)
        self.made.update(zip(op.results, found, strict=True))

    def _read(self, value: Value) -> Value:
        """The value in this iteration, loaded on first use."""
        found = self.made.get(value)
        if found is None:
            found = self.made[value] = self._loaded(value)
        return found

    def _loaded(self, value: Value) -> Value:
        maker = value.defining_op
        if isinstance(maker, arith.Constant):
            if isinstance(value.type, TensorType):
                _refuse(maker)
            return self.writer.constant(maker.value)
        buffer = self.buffers[value]
        place = [self.place] * cast(TensorType, value.type).rank
        if self.lanes is None or not place:
            return self.writer.load(buffer, place, movable=True)
        return self.writer.load_vector(buffer, [self.place], self.width, movable=True)

    def _store(self, value: Value, buffer: Value) -> None:
        if self.lanes is None:
            self.writer.store(value, buffer, [self.place])
            return
        if not isinstance(value.type, ty.VectorType):
            value = self.writer.splat(value, (self.width,))
        self.writer.store_vector(value, buffer, [self.place], nontemporal=self.past)


def _refuse(op: Operation) -> NoReturn:
    op.fail("is not elementwise, so it cannot be lowered for an unknown number of elements")
