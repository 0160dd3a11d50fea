"""Compares each access of a lowered group with the indexing maps of the group at `fused`.

The loops run in Python on buffers with gaps between them in one block of memory. The gaps and
unwritten elements are NaN (-1 in integers), so reading either shows in the results. The oracle
records which elements of each buffer are read and written.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from loops_interpreter import _Runner

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, func, linalg, math, memref, tensor, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.memref import strides_and_offset
from penstock.ir.meaning.evaluate_generic import evaluate_generic
from penstock.ir.meaning.interpreter import Interpreter
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.target import TARGETS, Target
from penstock.passes.loops.lower_group import lower_group
from penstock.passes.loops.write.lowered_group import BufferParameter

Array = np.ndarray[Any, Any]
GAP = 256
"""Bytes between two buffers: more than a vector of the widest processor."""
POISON = 255
ALIGNED = 64


QUICK: dict[type[Operation], Callable[..., Any]] = {
    arith.AddI: operator.add, arith.SubI: operator.sub, arith.MulI: operator.mul,
    arith.FloorDivSI: operator.floordiv, arith.AddF: operator.add, arith.MulF: operator.mul,
    math.Fma: lambda a, b, c: a * b + c,
}  # fmt: skip
"""The scalar ops that most loops consist of; their last bit does not matter here."""


class Memory:
    """Buffers with gaps between them in one poisoned block, and the bytes accessed."""

    def __init__(self, types: Sequence[ty.MemRefType]) -> None:
        sizes = [type.count * ty.byte_width(type.element) for type in types]
        self.starts, end = [], GAP
        for size in sizes:
            self.starts.append(end)
            end = -(-(end + size + GAP) // ALIGNED) * ALIGNED
        whole = np.full(end + ALIGNED, POISON, np.uint8)
        first = -whole.__array_interface__["data"][0] % ALIGNED
        self.block = whole[first : first + end]
        self.address = int(self.block.__array_interface__["data"][0])
        self.read, self.written = (np.zeros(end, bool) for _ in range(2))
        self.types, self.sizes = types, sizes

    def buffer(self, i: int) -> Array:
        """The array of a buffer."""
        type, start = self.types[i], self.starts[i]
        part = self.block[start : start + self.sizes[i]].view(numpy_dtype(type.element))
        return part.reshape(type.shape)

    def note(self, part: Array, written: bool, among: Array | None = None) -> None:
        """Record an access to a part of the block; `among` selects elements."""
        start = part.__array_interface__["data"][0] - self.address
        if not (0 <= start < self.block.size):
            return  # scratch of a task
        noted = self.written if written else self.read
        if among is None and part.flags.c_contiguous:
            noted[start : start + part.nbytes] = True
            return
        steps = [np.arange(n) * by for n, by in zip(part.shape, part.strides, strict=True)]
        places = start + sum(np.ix_(*steps), np.zeros((1,) * part.ndim, np.int64))
        if among is not None:
            places = places.reshape(-1)[among]
        noted[places] = True

    def elements(self, noted: Array, i: int) -> Array:
        """The recorded elements of a buffer."""
        type, start = self.types[i], self.starts[i]
        each = noted[start : start + self.sizes[i] : ty.byte_width(type.element)]
        return np.asarray(each.reshape(type.shape))

    def gaps_hold(self) -> bool:
        """Whether the gaps between buffers are unwritten."""
        outside = np.ones(self.block.size, bool)
        for start, size in zip(self.starts, self.sizes, strict=True):
            outside[start : start + size] = False
        return bool((self.block[outside] == POISON).all())


class _NotingRunner(_Runner):
    """Runs a function on buffers and records its accesses."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(Module.empty(), None)
        self.reach = memory
        self.gathered: Array | None = None
        """The linear indices that the current op gathers from its buffer."""

    def op(self, op: Operation, given: list[Any], values: dict[Value, Any]) -> Sequence[Any]:
        if isinstance(op, memref.SubView):
            strides, _ = strides_and_offset(cast(ty.MemRefType, op.results[0].type))
            assert ty.DYNAMIC not in strides, f"{op} has strides that no code is made for"
        quick = QUICK.get(type(op))
        if quick is not None and not isinstance(given[0], np.ndarray):
            return [quick(*given)]
        self.gathered = None
        if isinstance(op, vector.Gather):
            base, *at, places, mask, _ = given
            start = int(np.ravel_multi_index([int(i) for i in at], base.shape))
            self.gathered = (start + places)[mask]
        return super().op(op, given, values)

    def touch(self, part: Array, written: bool) -> None:
        self.reach.note(part, written, self.gathered)


class _Noting(Interpreter):
    """Runs a job or a group at `fused` in float64 and records what its maps and bodies access."""

    def __init__(self) -> None:
        super().__init__(True, None)
        self.calls: dict[str, list[Array]] = {}
        """The arguments of each group, by its name."""
        self.reached: dict[Value, Array] = {}
        """The elements of each tensor that are read."""
        self.ops = 0
        self.points = 0

    def call(self, function: func.Func, arguments: Sequence[Array]) -> list[Array]:
        self.calls.setdefault(function.sym_name, list(arguments))
        return super().call(function, arguments)

    def run(
        self, op: Operation, given: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        if not isinstance(op, linalg.Generic):
            return super().run(op, given, values)
        self.ops += 1
        return evaluate_generic(op, values, self)

    def touched(self, value: Value, place: tuple[Array, ...]) -> None:
        """Record that a generic reads or writes a tensor at these subscripts."""
        noted = self.reached.setdefault(value, np.zeros(generics.shape_of(value), bool))
        noted[place] = True
        self.points += int(np.prod(np.broadcast_shapes(*(p.shape for p in place))))

    def ran(self, op: Operation, times: int) -> None:
        """An op of a body; its accesses are not recorded."""


class Held(Record):
    """How many accesses were compared with maps."""

    ops: int = 0
    points: int = 0

    def __add__(self, other: Held) -> Held:
        return Held(self.ops + other.ops, self.points + other.points)

    def __str__(self) -> str:
        return f"accesses held against their maps: {self.ops} ops, {self.points} points"


def hold(fused: Module, arguments: Sequence[Array], target: str) -> Held:
    """Lower each group of a job, run it, and compare each access with its map.

    AssertionError if the loops read other elements than the maps do, leave an element of a result
    unwritten, write anything else, or compute other values.
    """
    job = _Noting()
    job.call(fused.job, arguments)
    held = Held()
    for function in fused.functions():
        if function is not fused.job and function.sym_name in job.calls:
            held += _hold_group(function, job.calls[function.sym_name], TARGETS[target])
    return held


def _hold_group(function: func.Func, given: Sequence[Array], target: Target) -> Held:
    is_group = (isinstance(op, linalg.Generic) or _is_small(op) for op in function.body)
    if not all(is_group):
        return Held()  # a kernel, which has no maps
    exact, types = _Noting(), [generics.tensor_type(value) for value in function.arguments]
    pairs = zip(given, types, strict=True)
    given = [array.astype(numpy_dtype(type.element)) for array, type in pairs]
    wanted = exact.call(function, given)
    group = Group(function)
    result = lower_group(group, {}, function.sym_name, target)
    memory = Memory([parameter.type for parameter in result.parameters])
    for i, parameter in enumerate(result.parameters):
        if parameter.role == "input":
            memory.buffer(i)[...] = given[parameter.number]
    buffers = [memory.buffer(i) for i in range(len(result.parameters))]
    with np.errstate(all="ignore"):
        _NotingRunner(memory).call(result.function, buffers)
    where = f"{function.sym_name}:\n{print_module(function)}\n{print_module(result.function)}"
    assert memory.gaps_hold(), f"a gap is written by {where}"
    for i, parameter in enumerate(result.parameters):
        _check_buffer(memory, i, parameter, group, exact, wanted, where)
    return Held(exact.ops, exact.points)


def _check_buffer(
    memory: Memory,
    i: int,
    parameter: BufferParameter,
    group: Group,
    exact: _Noting,
    wanted: Sequence[Array],
    where: str,
) -> None:
    """Compare the accesses to one buffer with the maps, and its contents with the results."""
    read, written = memory.elements(memory.read, i), memory.elements(memory.written, i)
    name = f"{parameter.role} {parameter.number}"
    if parameter.role == "input":
        argument = group.function.arguments[parameter.number]
        reached = exact.reached.get(argument, np.zeros(read.shape, bool))
        if any(argument in op.outputs for op in group.ops):
            reached = np.ones(read.shape, bool)  # unwritten elements are copied
        assert not written.any(), f"{name} is written by {where}"
        beyond = np.argwhere(read & ~reached)
        assert not beyond.size, f"{name} is read at {beyond[0]}, where no map reads it, by {where}"
        missed = np.argwhere(reached & ~read)
        may_skip = _may_skip(group, argument)
        assert may_skip or not missed.size, f"{name} is not read at {missed[0]} by {where}"
    elif parameter.role == "result":
        meant = _meant(group.returned[parameter.number])
        wrong = np.argwhere(written != meant)
        if wrong.size:
            how = "written" if written[tuple(wrong[0])] else "not written"
            raise AssertionError(f"{name} is {how} at {wrong[0]}, unlike its map, by {where}")
        got = memory.buffer(i)[meant]
        check_numbers(got, wanted[parameter.number][meant], f"{name} of {where}")


def _meant(value: Value) -> Array:
    """The elements of a value that a group writes: all, except in a slice of an empty tensor."""
    result, shape = generics.produced(value), generics.shape_of(value)
    if result is None:
        return np.full(shape, not isinstance(value.defining_op, tensor.Empty))
    op, which = result
    if generics.writes_all(op, which):
        return np.full(shape, True)
    found = _meant(op.outputs[which])
    for point in np.ndindex(*op.extents):
        found[generics.output_map(op, which).evaluate(point)] = True
    return found


def _may_skip(group: Group, argument: Value) -> bool:
    """Whether loops may skip elements that a body reads, because it selects between them and
    others, multiplies them by padding zeros, or overwrites them.
    """
    looked_up = any(
        isinstance(inner, tensor.Extract) and inner.tensor is argument
        for op in group.ops
        for inner in op.body
    )
    padded = any(isinstance(inner, tensor.Extract) for op in group.ops for inner in op.body)
    return looked_up or padded or any(argument in op.outputs for op in group.ops)


def check_numbers(got: Array, wanted: Array, what: str) -> None:
    """Integers are equal; floats are as close as f32 sums of random numbers."""
    if got.dtype.kind != "f" and got.dtype.name != "bfloat16":
        assert np.array_equal(got, wanted), what
        return
    room = {2: 5e-2, 4: 1e-4, 8: 1e-10}[got.dtype.itemsize]
    wide, scale = got.astype(np.float64), np.abs(wanted[np.isfinite(wanted)]).max(initial=1)
    near = (np.abs(wide - wanted) <= room * scale) | (np.isnan(wide) & np.isnan(wanted))
    far = np.argwhere(~near)
    if far.size:
        at = tuple(far[0])
        raise AssertionError(f"at {far[0]} got {got[at]}, not {wanted[at]}: {what}")


def _is_small(op: Operation) -> bool:
    """Whether an op of a group needs no loop: an empty tensor, or an op on scalars."""
    if isinstance(op, tensor.Empty | tensor.Extract | func.Return):
        return True
    whole = (isinstance(result.type, ty.TensorType) for result in op.results)
    return op.pure and not op.regions and not any(whole)
