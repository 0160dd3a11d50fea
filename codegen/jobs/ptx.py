"""A first kernel for GPUs: one fused group of elementwise ops as PTX, compiled by LLVM.

A group is a function at stage `fused`. One thread computes one element of its results: it follows
the chain of `linalg.generic` back from the element to the arguments, body by body, so that nothing
but arguments and results is in memory. Bodies use the same tables as for CPUs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn, cast

from penstock.codegen.llvm_types import constant
from penstock.codegen.math.device_functions import define_called
from penstock.codegen.math.ptx_math import PTX
from penstock.codegen.memref_values import argument_buffer, load, store
from penstock.codegen.objects import llvm
from penstock.codegen.objects.llvm_machine import Machine
from penstock.codegen.text.parts.scalars import ScalarWriter, has_row
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.affine import Binary, Const, Dim, Expr
from penstock.ir.attributes import StringAttr
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.dialects.func import Func
from penstock.ir.rewriting.lowering import ORIGIN
from penstock.ir.types import MemRefType, TensorType
from penstock.ir.verify.verifier import verify

ARCHITECTURES = ("sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120")
THREADS = 256
"""The most threads per block that the kernel is compiled for."""

_TRIPLE = "nvptx64-nvidia-cuda"
Place = tuple[str, ...]
"""One element of a tensor: its subscripts, as LLVM values."""


def emit_ptx(function: Func, arch: str = "sm_90") -> str:
    """The PTX of a group function at stage `fused`, as a kernel under the function's name.

    The kernel's parameters are pointers: the function's arguments, then its results. It is launched
    with at least as many threads as a result has elements, in blocks of up to 256. Raises a located
    `IRError` for a group that is not elementwise or has an op without code on this target, and
    ValueError for an architecture that is not in `ARCHITECTURES`.
    """
    machine = _machine(arch)
    verify(function)
    writer = Writer()
    _Kernel(writer, function).write()
    return llvm.compile_assembly(writer.text(), machine, optimised=True)


@cache
def _machine(arch: str) -> Machine:
    if arch not in ARCHITECTURES:
        raise ValueError(
            f"there is no architecture {arch!r} to compile for: expected one of "
            f"{', '.join(ARCHITECTURES)}"
        )
    return llvm.foreign_machine(llvm.Foreign(_TRIPLE, arch))


def _refuse(op: Operation, why: str) -> NoReturn:
    """Raise the error for an op that no thread can compute, located at the op it was lowered
    from.
    """
    loop = op if isinstance(op.parent, Func) or op.parent is None else op.parent
    origin = loop.attributes.get(ORIGIN)
    name = origin.value if isinstance(origin, StringAttr) else op.name
    text = f"{name} has no PTX: {why}; lower a job of elementwise ops only"
    raise IRError(Diagnostic(text, op.location))


class _Kernel:
    """Writes one kernel."""

    def __init__(self, writer: Writer, function: Func) -> None:
        self.writer = writer
        self.function = function
        self.scalars = ScalarWriter(writer, PTX)
        self._elements: dict[tuple[Value, Place], str] = {}

    def write(self) -> None:
        """The kernel: an index, the bounds check, one element of each result."""
        w, results = self.writer, self.function.returned.operands
        w.op = self.function
        shape = self._shape()
        names = [
            *(f"%in.{i}" for i in range(len(self.function.arguments))),
            *(f"%out.{i}" for i in range(len(results))),
        ]
        self.names = dict(zip(self.function.arguments, names, strict=False))
        symbol = re.sub(r"[^\w$]", "_", self.function.sym_name, flags=re.ASCII)
        taken = ", ".join(f"ptr align 64 {name}" for name in names)
        w.line(f"define ptx_kernel void @{symbol}({taken}) #0 {{")
        w.label("entry")
        place = self._place(shape)
        for result, name in zip(results, names[len(self.names) :], strict=True):
            value = self.element(self.function.returned, result, place)
            type = cast(TensorType, result.type)
            buffer = argument_buffer(MemRefType(type.shape, type.element), name, self.function)
            store(w, buffer, place, value)
        w.line("  br label %end")
        w.label("end")
        w.line("  ret void")
        w.line("}")
        w.op = None
        define_called(w.declarations, w.line)
        w.line(f'attributes #0 = {{ mustprogress nounwind "nvvm.maxntid"="{THREADS}" }}')

    def _shape(self) -> tuple[int, ...]:
        """The one shape of all results."""
        types = [value.type for value in self.function.returned.operands]
        shapes = {type.shape for type in types if isinstance(type, TensorType) and type.is_static}
        if len(shapes) != 1 or not all(isinstance(type, TensorType) for type in types):
            self.function.fail(
                f"@{self.function.sym_name} returns {', '.join(map(str, types)) or 'nothing'}: "
                "expected tensors of one static shape, as one thread computes one element of each"
            )
        return shapes.pop()

    def _place(self, shape: Sequence[int]) -> Place:
        """The subscripts of this thread's element; threads beyond the last go to `end`."""
        w = self.writer
        words = []
        for name in ("ctaid", "ntid", "tid"):
            call = f"@llvm.nvvm.read.ptx.sreg.{name}.x()"
            w.declare(name, f"declare i32 {call}")
            value = w.assign(name, f"call i32 {call}")
            words.append(w.assign(name, f"zext i32 {value} to i64"))
        start = w.assign("start", f"mul nuw nsw i64 {words[0]}, {words[1]}")
        index = w.assign("index", f"add nuw nsw i64 {start}, {words[2]}")
        count = MemRefType(tuple(shape), ty.i8).count
        inside = w.assign("inside", f"icmp ult i64 {index}, {count}")
        w.line(f"  br i1 {inside}, label %element, label %end")
        w.label("element")
        place = []
        for extent in reversed(shape[1:]):
            place.append(w.assign("at", f"urem i64 {index}, {max(extent, 1)}"))
            index = w.assign("rest", f"udiv i64 {index}, {max(extent, 1)}")
        return tuple(reversed([*place, index] if shape else []))

    # -- elements ---------------------------------------------------------------------------------

    def element(self, user: Operation, value: Value, place: Place) -> str:
        """The element of a tensor at `place`; computed once for each place."""
        key = (value, place)
        found = self._elements.get(key)
        if found is None:
            found = self._elements[key] = self._element(user, value, place)
        return found

    def _element(self, user: Operation, value: Value, place: Place) -> str:
        name = self.names.get(value)
        if name is not None and isinstance(value.type, TensorType):
            type = MemRefType(value.type.shape, value.type.element)
            return load(self.writer, argument_buffer(type, name, user), place, value.name)
        maker = value.defining_op
        if isinstance(maker, linalg.Generic):
            return self._generic(maker, maker.results.index(cast(Any, value)), place)
        if maker is None or isinstance(maker, tensor.Empty):
            user.fail("reads a tensor whose elements are not yet defined")
        _refuse(maker, "it is not an elementwise loop")

    def _generic(self, op: linalg.Generic, result: int, place: Place) -> str:
        """One element of a result: the body at the iteration that writes it."""
        maps = op.indexing_maps
        written = maps[len(op.inputs) + result]
        if not op.is_parallel or sorted(written.dims()) != list(range(written.rank)):
            _refuse(op, "one thread computes one element, so all iterators must be parallel")
        point = [place[written.dims().index(i)] for i in range(written.rank)]
        self.writer.op = op
        values: dict[Value, str] = {}
        for argument in op.body.arguments:
            if argument.uses:
                at = tuple(self._subscript(op, e, point) for e in maps[argument.index].results)
                values[argument] = self.element(op, op.operands[argument.index], at)
        for inner in op.body:
            self.writer.op = inner
            if inner is not op.body.last:
                values[inner.results[0]] = self._inner(inner, values, point)
        return self._value(op, op.body.terminator.operands[result], values)

    def _inner(self, op: Operation, values: dict[Value, str], point: Sequence[str]) -> str:
        """One op of a body."""
        if isinstance(op, arith.Constant):
            return constant(op.value)
        if isinstance(op, linalg.Index):
            return point[op.dim]
        if isinstance(op, tensor.Extract):
            place = tuple(self._value(op, index, values) for index in op.indices)
            return self.element(op, op.tensor, place)
        if not has_row(PTX, op.name):
            _refuse(op, f"there is no GPU code for {op.name}")
        operands = [self._value(op, value, values) for value in op.operands]
        return self.scalars.emit(op, operands, op.results[0].name)

    def _value(self, op: Operation, value: Value, values: dict[Value, str]) -> str:
        """A scalar of a body, or a constant from outside of it."""
        if value in values:
            return values[value]
        if not isinstance(value, BlockArgument) and isinstance(value.owner, arith.Constant):
            return constant(value.owner.value)
        op.fail(f"uses %{value.name or '?'}, which its group does not compute elementwise")

    def _subscript(self, op: Operation, expression: Expr, point: Sequence[str]) -> str:
        """The value of an affine expression at one iteration."""
        match expression:
            case Dim(index):
                return point[index]
            case Const(value):
                return str(value)
            case Binary(kind, left, right) if kind in ("+", "*"):
                sides = [self._subscript(op, side, point) for side in (left, right)]
                word = "add" if kind == "+" else "mul"
                return self.writer.assign("at", f"{word} nsw i64 {sides[0]}, {sides[1]}")
            case _:
                _refuse(op, f"there is no GPU code for the subscript {expression}")
