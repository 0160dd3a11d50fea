"""An interpreter for stage `loops` in Python that checks every access.

The arena is initialised with bytes 255, so reads before writes give NaN or -1. Tasks of a
`scf.forall` run in random order, and none may write what another one reads or writes.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import numpy as np
from vector_access import in_type, run_access

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype, python_value
from penstock.ir.core import Block, Operation, OpResult, Value
from penstock.ir.dialects import arith, func, memref, scf, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.meaning.evaluate_generic import scalar
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX

Array = np.ndarray[Any, Any]
Watcher = Callable[[str, Array], None]
SCRATCH = 1 << 18
"""The most bytes of one memref.alloca."""
KEYS = ("job.feed", "job.variable", "job.fetch")
Rule = Callable[[list[Any], dict[Value, Any]], Sequence[Any]]
"""The results of one op from its operands; it may run blocks, on all values."""
INDICES: dict[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddI: operator.add, arith.SubI: operator.sub, arith.MulI: operator.mul,
}  # fmt: skip
"""What most loops do to indices."""


def run_job(
    module: Module,
    given: Mapping[str, Array],
    watch: Watcher | None = None,
    listening: Container[str] | None = None,
    kernels: list[str] | None = None,
    flag: int = 1,
    count: int = 0,
) -> dict[str, Array]:
    """Run one step on feeds and variables by name; returns variables and fetches.

    The key of a fetch is its path. `watch(name, array)` is called at each tap, or at those with
    names in `listening`; without it, at none. `kernels` collects the called functions. `flag` is
    the value of set flags: above 1, watched values are also stored for handlers. `count` is the
    argument of a job for any number of elements.
    """
    job = module.job
    runner = _Runner(module, watch, kernels)
    arrays: list[Array] = []
    named: dict[str, Array] = {}
    for i, argument in enumerate(job.arguments):
        attributes = {k: python_value(v) for k, v in job.argument_attributes(i).items()}
        type = argument.type
        assert isinstance(type, ty.MemRefType)
        if "job.arena" in attributes:
            arrays.append(np.full(attributes["job.arena"], 255, np.uint8).view(np.int8))
            continue
        if "job.count" in attributes:
            arrays.append(np.array(count, np.int64))
            continue
        if "job.taps" in attributes:
            runner.taps = attributes["job.taps"]
            assert type.shape == (len(runner.taps),)
            heard = (tap["name"] for tap in runner.taps)
            flags = [watch is not None and (listening is None or n in listening) for n in heard]
            arrays.append(np.array(flags, np.int8) * np.int8(flag))
            continue
        if "job.shown" in attributes:
            memory = np.full(type.shape, 255, np.uint8).view(np.int8)
            arrays.append(memory)
            if flag > 1:
                runner.shown[attributes["job.shown"]] = memory
            continue
        (name,) = (attributes[key] for key in KEYS if key in attributes)
        shape = tuple(count if n == ty.DYNAMIC else n for n in type.shape)
        array = np.empty(shape, numpy_dtype(type.element))
        array.reshape(-1).view(np.uint8)[...] = 255
        if "job.fetch" not in attributes:
            array[...] = given[name]
            assert array.shape == given[name].shape
        if "job.feed" in attributes:
            array.flags.writeable = False
        else:
            named[name] = array
        arrays.append(array)
    with np.errstate(all="ignore"):
        runner.call(job, arrays)
    return named


class _Runner:
    def __init__(
        self, module: Module, watch: Watcher | None, kernels: list[str] | None = None
    ) -> None:
        self.kernels = kernels
        self.functions = {f.sym_name: f for f in module.functions()}
        self.globals = {op.sym_name: op for op in module.body if isinstance(op, memref.Global)}
        self.watch = watch
        self.taps: Sequence[dict[str, Any]] = []
        self.shown: dict[str, Array] = {}
        """The memory of handlers, by the name of the watched value."""
        self.random = np.random.default_rng(11)
        self.tasks: Tasks | None = None
        """The tasks of the current scf.forall."""
        self.blocks: dict[Block, list[tuple[Operation, list[Value], list[OpResult]]]] = {}
        """The ops of each block that has been run, with operands and results."""
        self.rules: dict[Operation, Rule] = {}
        """How to run each op that has been run."""

    def call(self, function: func.Func, arguments: Sequence[Any]) -> None:
        values: dict[Value, Any] = dict(zip(function.arguments, arguments, strict=True))
        self.no_written_alias(function, arguments)
        self.block(function.body, values)

    def no_written_alias(self, function: func.Func, arguments: Sequence[Any]) -> None:
        """Arguments declared `noalias` must not alias if one of them is written."""
        written = {op.operands[op.writes] for op in function.walk() if op.writes is not None}
        for i, value in enumerate(function.arguments):
            if value in written and "llvm.noalias" in function.argument_attributes(i):
                others = [a for j, a in enumerate(arguments) if j != i]
                assert not any(np.shares_memory(arguments[i], a) for a in others), function

    def block(self, block: Block, values: dict[Value, Any]) -> list[Any]:
        """Run a block and return what it yields."""
        steps = self.blocks.get(block)
        if steps is None:
            steps = self.blocks[block] = [(op, list(op.operands), op.results) for op in block]
        for op, operands, results in steps:
            given = [values[v] for v in operands]
            if op.terminator:
                return given
            values.update(zip(results, self.op(op, given, values), strict=True))
        return []

    def op(self, op: Operation, given: list[Any], values: dict[Value, Any]) -> Sequence[Any]:
        rule = self.rules.get(op)
        if rule is None:
            rule = self.rules[op] = self.rule(op)
        return rule(given, values)

    def rule(self, op: Operation) -> Rule:
        match op:
            case memref.Load():
                return lambda given, values: self.load(op, *given)
            case memref.Store():
                return lambda given, values: self.store(op, *given)
            case vector.BufferAccess() | vector.Gather():
                return lambda given, values: run_access(op, given, self.touch)
            case scf.For():
                return lambda given, values: self.loop(op, given, values)
            case scf.Forall():
                return lambda given, values: self.forall(op, given, values)
            case scf.If():
                return lambda given, values: self.branch(op, given, values)
            case func.Call():
                return lambda given, values: self.called(op, given)
            case _ if op.name.startswith("memref."):
                return lambda given, values: self.memory(op, given)
            case _:
                assert op.pure, f"{op.name} at stage loops"
                compute = _computation(op)
                return lambda given, values: [compute(given)]

    def load(self, op: Operation, buffer: Array, *at: Any) -> list[Any]:
        place = _place(op, buffer, at)
        self.touch(_element(buffer, place), written=False)
        return [buffer[place]]

    def store(self, op: Operation, value: Any, buffer: Array, *at: Any) -> list[Any]:
        place = _place(op, buffer, at)
        self.touch(_element(buffer, place), written=True)
        buffer[place] = value
        return []

    def branch(self, op: scf.If, given: list[Any], values: dict[Value, Any]) -> list[Any]:
        taken = op.then_block if given[0] else op.else_block
        return self.block(taken, values) if taken is not None else []

    def loop(self, op: scf.For, given: list[Any], values: dict[Value, Any]) -> list[Any]:
        lower, upper, step, *carried = given
        assert lower < upper or scf.HAS_TURNS not in op.attributes, "a loop has no turn"
        body = op.body
        for i in range(int(lower), int(upper), int(step)):
            values.update(zip(body.arguments, [np.int64(i), *carried], strict=True))
            carried = self.block(body, values)
        return carried

    def forall(self, op: scf.Forall, given: list[Any], values: dict[Value, Any]) -> list[Any]:
        assert self.tasks is None, "a task of tasks"
        numbers = iter(given)
        bounds = [
            [int(next(numbers)) if n == DYNAMIC_INDEX else n for n in static]
            for static in (op.static_lower_bound, op.static_upper_bound, op.static_step)
        ]
        ranges = [range(*triple) for triple in zip(*bounds, strict=True)]
        points = list(itertools.product(*ranges))
        self.tasks = Tasks()
        for number in self.random.permutation(len(points)):
            position = [np.int64(i) for i in points[number]]
            values.update(zip(op.inductions, position, strict=True))
            self.tasks.begin(int(number))
            self.block(op.body, values)
        self.tasks = None
        return []

    def touch(self, part: Array, written: bool) -> None:
        """Record an access to a part of memory; several tasks may only read it."""
        if self.tasks is not None:
            self.tasks.touch(part, written)

    def called(self, op: func.Call, given: list[Any]) -> list[Any]:
        function = self.functions[op.callee]
        if not function.is_external:
            if self.kernels is not None:
                self.kernels.append(op.callee)
            self.call(function, given)
            return []
        assert self.watch is not None, "a tap is called and nobody listens"
        tap = self.taps[int(given[0])]
        assert tap["shape"] == list(given[1].shape), tap
        assert op.callee == f"penstock_tap_{tap['dtype']}"
        shown = self.shown.get(tap["name"])
        assert shown is None or shown.tobytes() == given[1].tobytes(), "stored otherwise"
        self.watch(tap["name"], given[1].copy())
        return []

    def memory(self, op: Operation, given: list[Any]) -> list[Any]:
        match op:
            case memref.View():
                type = op.results[0].type
                assert isinstance(type, ty.MemRefType)
                dtype = numpy_dtype(type.element)
                start, size = int(given[1]), type.count * dtype.itemsize
                assert start % 64 == 0, f"offset {start}"
                assert start + size <= given[0].size, f"{start} + {size} of {given[0].size}"
                return [given[0][start : start + size].view(dtype).reshape(type.shape)]
            case memref.Prefetch():
                _place(op, given[0], given[1:])
                return []
            case memref.Copy():
                assert not np.shares_memory(*given), "a copy within one buffer"
                self.touch(given[0], written=False)
                self.touch(given[1], written=True)
                given[1][...] = given[0]
                return []
            case memref.Cast():
                return [given[0]]
            case memref.SubView():
                return [_subview(op, given)]
            case memref.Alloca():
                type = op.results[0].type
                assert isinstance(type, ty.MemRefType)
                bytes_ = np.full(type.count * ty.byte_width(type.element), 255, np.uint8)
                assert bytes_.size <= SCRATCH, f"{bytes_.size} bytes of scratch"
                if self.tasks is not None:
                    self.tasks.scratch.append(bytes_)
                return [bytes_.view(numpy_dtype(type.element)).reshape(type.shape)]
            case memref.CollapseShape() | memref.ExpandShape():
                type = op.results[0].type
                assert isinstance(type, ty.MemRefType)
                return [given[0].reshape(type.shape)]
            case memref.GetGlobal():
                value = self.globals[op.symbol].initial_value
                assert isinstance(value, DenseElementsAttr)
                return [value.array()]
            case _:
                op.fail("stands at stage loops")


class Tasks:
    """The bytes that each task of a scf.forall accesses. Tasks run one after another."""

    def __init__(self) -> None:
        self.number = 0
        """The task that runs, counted from 1."""
        self.owners: dict[int, tuple[Array, Array, Array]] = {}
        """By the address of the memory, and for the first byte of each element: the task that reads
        the element and the task that writes it; 0 for none, -1 for several."""
        self.known: set[tuple[object, ...]] = set()
        """What this task has accessed before."""
        self.scratch: list[Array] = []
        """Kept alive, so that no two tasks have scratch at the same address."""

    def begin(self, number: int) -> None:
        self.number = number + 1
        self.known.clear()

    def touch(self, part: Array, written: bool) -> None:
        start = part.__array_interface__["data"][0]
        what = start, part.shape, part.strides, written
        if what in self.known or not part.size:
            return
        self.known.add(what)
        memory = part
        while isinstance(memory.base, np.ndarray):
            memory = memory.base
        first = memory.__array_interface__["data"][0]
        if first not in self.owners:
            nobody = (np.zeros(memory.nbytes, np.int32) for _ in range(2))
            self.owners[first] = memory, *nobody
        wide = np.int32().itemsize
        strides = [wide * by for by in part.strides]
        reader, writer = (
            np.ndarray(part.shape, np.int32, whole, wide * (start - first), strides)
            for whole in self.owners[first][1:]
        )
        mine = self.number
        assert not _others(writer, mine).any(), "a task reaches what another one writes"
        shared = _others(reader, mine)
        if written:
            assert not shared.any(), "a task writes what another one reads"
            writer[...] = mine
        else:
            reader[...] = mine
            reader[shared] = -1


def _others(owner: Array, mine: int) -> Array:
    """Where the owner is another task."""
    return np.asarray((owner != mine) & (owner != 0))


def _computation(op: Operation) -> Callable[[list[Any]], Any]:
    """How the result of a pure op is computed."""
    type = op.results[0].type
    if isinstance(type, ty.MemRefType):
        assert op.name == "arith.select"
        return lambda given: given[1] if given[0] else given[2]
    made_as = in_type(op)
    if isinstance(op, vector.VectorOp):
        return lambda given: made_as(op.reference(*map(np.asarray, given)))
    if isinstance(op, arith.Constant):
        value = made_as(scalar(op, []))
        return lambda given: value
    index = INDICES.get(op.__class__)
    if index is not None and type is ty.index:
        return lambda given: index(*given)
    return lambda given: made_as(scalar(op, list(map(np.asarray, given))))


def _subview(op: memref.SubView, given: list[Any]) -> Array:
    """A slice of a buffer; dimensions of one element that the type lacks are dropped."""
    numbers = iter(given[1:])
    offsets, sizes, strides = (
        [int(next(numbers)) if n == DYNAMIC_INDEX else n for n in static]
        for static in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    whole, type = given[0], op.results[0].type
    assert isinstance(type, ty.MemRefType)
    reach = [range(o, o + n * by, by) for o, n, by in zip(offsets, sizes, strides, strict=True)]
    outer = [(i, m) for r, m in zip(reach, whole.shape, strict=True) for i in (*r[:1], *r[-1:])]
    assert all(0 <= i < m for i, m in outer), f"{op} reaches {reach} of {whole.shape}"
    left, places = list(type.shape), list[Any]()
    for along in reach:
        kept = bool(left) and (left[0] in (len(along), ty.DYNAMIC))
        stop = along.stop if along.stop >= 0 else None
        places.append(slice(along.start, stop, along.step) if kept else along.start)
        if kept:
            left.pop(0)
    assert not left, f"{op} has the type {type}"
    return np.asarray(whole[tuple(places)])


def _element(buffer: Array, place: Sequence[int]) -> Array:
    """A view of one element. Without the ellipsis, that of rank 0 would be a copy."""
    return buffer[(..., *(slice(i, i + 1) for i in place))]


def _place(op: Operation, array: Array, indices: Sequence[Any]) -> tuple[int, ...]:
    place = tuple(int(i) for i in indices)
    inside = all(0 <= i < n for i, n in zip(place, array.shape, strict=True))
    assert inside, f"{op} reaches {place} of {array.shape}"
    return place
