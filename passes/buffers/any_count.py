"""Bufferization of a job for any number of elements or rows, which is passed at run time.

    func.func @exp(%x: tensor<4096xf32> {job.feed = "x0"}) -> tensor<4096xf32> {job.fetch = "0"}
->
    func.func @exp(%count: memref<i64> {job.count}, %x: memref<?xf32> {job.feed = "x0"},
                   %y: memref<?xf32> {job.fetch = "0"}) {
      if count >= 32:
        tasks share the full iterations: func.call @exp_by_32(%x, %y, %lower, %upper)
        if elements remain: func.call @exp_by_32(%x, %y, %count - 32, %count)
      else: the same with the next width; the last one is 1 }

The remainder is handled by one more full iteration, which overlaps the one before and stores some
elements again, with the same results.

A job of one group may also go row by row; then its tensors have any number of rows of a known
length:

    func.func @softmax(%count: memref<i64> {job.count}, %x: memref<?x10xf32> {job.feed = "x0"},
                       %y: memref<?x10xf32> {job.fetch = "0"}) {
      tasks share the rows: func.call @softmax_0(%x, %y, %lower, %upper) }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr, unit
from penstock.ir.core import Value
from penstock.ir.dialects import arith, func
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.types import MemRefType, Type
from penstock.passes.analysis.alias import VIEWS, root
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.target import ATTRIBUTE, TARGETS, Level, Target
from penstock.passes.costs.task_count import (
    FEWEST,
    LOOP_SERIAL_CYCLES,
    LOOP_TASK_CYCLES,
    MOST_LOOP_TASKS,
)
from penstock.passes.loops.lower_any_rows import AnyRows, lower_any_rows, refuse, rows_buffer
from penstock.passes.loops.lower_kernel import kernel_of
from penstock.passes.loops.rows.any_count import AnyCount, buffer_type, lower_any_count
from penstock.passes.loops.write.loop_writer import LoopWriter

COUNT = "job.count"
"""On a module: the placeholder extent for any number of elements. At stage `loops`: marks the
argument that holds the number."""
ROWS = "job.rows"
"""On a module: the number of rows that stands for any. It is the product of the outer extents of
all tensors that have rows."""
MORE = (4 * FEWEST, MOST_LOOP_TASKS)
"""The numbers of tasks to use if each task has enough work; otherwise there are `FEWEST`."""


def bufferize_any_count(module: Module, count: int, target: Target) -> None:
    """Lower a job whose tensors have `count` elements, the placeholder for any number."""
    job = module.job
    groups = {f.sym_name: f for f in module.functions() if f is not job}
    lowered = lower_any_count(job, groups, count, target)
    _finish(module, _JobWriter(job, lambda type: buffer_type(type, count), lowered), COUNT, target)


def bufferize_any_rows(module: Module, rows: int, target: Target) -> None:
    """Lower a job of one group whose tensors have `rows` rows, the placeholder for any number.

    Raises a located `Refused` if its rows depend on each other, or share memory.
    """
    _finish(module, _row_job_writer(module, rows, target), ROWS, target)


def loops_over_rows(module: Module, level: str) -> list[func.Func]:
    """The loops that a job of stage `fused` becomes; the module remains as it is.

    If they are the same for two placeholders, they don't depend on the number of rows.

    Raises a located `Refused` as `bufferize_any_rows` does.
    """
    rows = module.attributes[ROWS]
    assert isinstance(rows, IntegerAttr)
    job_writer = _row_job_writer(module, rows.value, TARGETS[cast(Level, level)])
    return [loop for _, loop in job_writer.lowered.loops]


def _row_job_writer(module: Module, rows: int, target: Target) -> _RowJobWriter:
    call, passed = _only_call(module.job)
    (function,) = (f for f in module.functions() if f.sym_name == call.callee)
    if kernel_of(function) is not None:
        refuse(call, "is one kernel")
    lowered = lower_any_rows(Group(function), call.callee, rows, target)
    return _RowJobWriter(module.job, lambda type: rows_buffer(type, rows), lowered, passed)


def _finish(module: Module, job_writer: _JobWriter, placeholder: str, target: Target) -> None:
    """Replace the functions on tensors by those on buffers."""
    old = list(module.functions())
    current().count("bufferize", module.job, free=True)
    past = job_writer.lowered.past
    for function in (*(loop for _, loop in job_writer.lowered.loops), *([past] if past else ())):
        module.body.insert_before(module.job, function)
        current().lowered(function)
    module.body.insert_before(module.job, job_writer.write())
    for function in old:
        function.erase()
    del module.attributes[placeholder]
    module.attributes[ATTRIBUTE] = StringAttr(target.name)
    current().lowered(module.job)


def _only_call(job: func.Func) -> tuple[func.Call, list[Value]]:
    """The only call of a job; and the feeds that it reads and the returned values that it writes,
    perhaps as views of them."""
    calls = [op for op in job.body if isinstance(op, func.Call)]
    others = [op for op in job.body if not isinstance(op, (func.Call, *VIEWS))]
    if len(calls) != 1 or len(others) > 1:
        refuse(job, "is not one group")
    (call,) = calls
    read = [root(value) for value in call.operands]
    written = {root(value): value for value in job.returned.operands}
    one_each = len(written) == len(job.returned.operands)
    if not one_each or set(written) != set(call.results) or not set(job.arguments) >= set(read):
        refuse(job, "changes the shape of rows")
    return call, [*read, *(written[result] for result in call.results)]


class _JobWriter:
    def __init__(
        self, job: func.Func, buffer: Callable[[Type], MemRefType], lowered: AnyCount
    ) -> None:
        self.job = job
        self.lowered = lowered
        self.values = [*job.arguments, *job.returned.operands]
        types = [MemRefType((), ty.i64), *(buffer(value.type) for value in self.values)]
        names = ["count", *(value.name or "feed" for value in job.arguments)]
        names += [value.name or "fetch" for value in job.returned.operands]
        self.function = func.Func.make(job.sym_name, types, names=names)
        self.function.location = job.location
        told: list[dict[str, Any]] = [{COUNT: unit}]
        told += [job.argument_attributes(i) for i in range(len(job.arguments))]
        told += [job.result_attributes(i) for i in range(len(job.returned.operands))]
        alone = {"llvm.noalias": unit}
        self.function.set_all_argument_attributes([{**each, **alone} for each in told])
        self.passed: Sequence[Value] = self.function.arguments[1:]
        """What the loops are given, besides the range."""
        self.writer = LoopWriter(self.function.body)
        self.writer.location = job.location

    def write(self) -> func.Func:
        writer = self.writer
        told = writer.load(self.function.arguments[0], [], movable=False)
        self.count = writer.made(arith.IndexCast, told, type=ty.index)
        self._loops()
        writer.drop_unused_constants()
        self.function.body.append(func.Return([], [], location=self.job.returned.location))
        return self.function

    def _loops(self) -> None:
        self._any_width(list(self.lowered.loops))

    def _any_width(self, loops: Sequence[tuple[int, func.Func]]) -> None:
        """Call the widest loop that has at least one full iteration."""
        (width, loop), *others = loops
        if not others:
            self._call(loop, self._index(0), self.count)
            return
        enough = self._compared("sge", self.count, width)
        self._branch(
            enough,
            lambda: self._loop_and_remainder(
                width, loop, is_shared=loop is self.lowered.loops[0][1]
            ),
            lambda: self._any_width(others),
        )

    def _loop_and_remainder(self, width: int, loop: func.Func, is_shared: bool) -> None:
        rest = self._made(arith.RemSI, self.count, self._index(width))
        whole = self._made(arith.SubI, self.count, rest)
        if is_shared:
            self._branch(
                self._compared("sgt", whole, self._worth(LOOP_SERIAL_CYCLES)),
                lambda: self._share_or_pass(width, loop, whole),
                lambda: self._call(loop, self._index(0), whole),
            )
        else:
            self._call(loop, self._index(0), whole)
        last = self.writer.offset(self.count, -width)
        is_left = self._compared("sgt", rest, 0)
        self._branch(is_left, lambda: self._call(loop, last, self.count), lambda: None)

    def _worth(self, cycles: int) -> int:
        """The number of elements that take this many cycles."""
        return max(1, int(cycles / self.lowered.cycles))

    def _share_or_pass(self, width: int, loop: func.Func, whole: Value) -> None:
        """Share the full iterations; write large results past the caches."""
        past = self.lowered.past
        if past is None:
            self._share(width, loop, whole)
            return
        self._branch(
            self._compared("sge", whole, self.lowered.large),
            lambda: self._share(1, past, self._made(arith.DivSI, whole, self._index(width)), width),
            lambda: self._share(width, loop, whole),
        )

    def _share(self, width: int, loop: func.Func, whole: Value, each_is: int = 1) -> None:
        """Split the full iterations evenly between tasks; the last ones get fewer, or none.

        `whole` counts `each_is` elements at a time.
        """
        tasks = self._index(FEWEST)
        for number in MORE:
            worth = self._worth(number * LOOP_TASK_CYCLES) // each_is
            many = self._compared("sgt", whole, worth)
            tasks = self.writer.made(arith.Select, many, self._index(number), tasks)
        once = self._made(arith.MulI, tasks, self._index(width))
        rounded = self.writer.offset(self._made(arith.AddI, whole, once), -1)
        # Keep it inside the branch: a division by an unknown number is slow.
        (iterations,) = self.writer.here(arith.DivSI([rounded, once], location=self.job.location))
        each = self._made(arith.MulI, iterations, self._index(width))
        task = self.writer.begin_forall(tasks, "task")
        start = self._made(arith.MulI, task, each)
        lower = self._made(arith.MinSI, start, whole)
        end = self._made(arith.AddI, lower, each)
        self._range(loop, lower, self._made(arith.MinSI, end, whole))
        self.writer.end_forall()

    def _range(self, loop: func.Func, lower: Value, upper: Value) -> None:
        """Call a loop in a task, whose range may be empty."""
        self._call(loop, lower, upper)

    def _call(self, loop: func.Func, lower: Value, upper: Value) -> None:
        arguments = [*self.passed, lower, upper]
        self.writer.create(func.Call, arguments, callee=loop.sym_name, types=[])

    # -- values -----------------------------------------------------------------------------------

    def _branch(
        self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        def ending(write: Callable[[], None]) -> Callable[[], Sequence[Value]]:
            def written() -> Sequence[Value]:
                write()
                return []

            return written

        self.writer.choose(condition, [], ending(then), ending(otherwise))

    def _index(self, number: int) -> Value:
        return self.writer.index(number)

    def _made(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.writer.made(cls, x, y)

    def _compared(self, predicate: str, x: Value, number: int) -> Value:
        return self.writer.made(arith.CmpI, x, self._index(number), predicate=predicate)


class _RowJobWriter(_JobWriter):
    """Calls loops over rows, of which each call has at least one."""

    def __init__(
        self,
        job: func.Func,
        buffer: Callable[[Type], MemRefType],
        lowered: AnyRows,
        passed: Sequence[Value],
    ) -> None:
        super().__init__(job, buffer, lowered)
        self.function.set_argument_attributes(
            0, {**self.function.argument_attributes(0), "job.least": lowered.least}
        )
        _, loop = lowered.loops[0]
        buffers = dict(zip(self.values, self.function.arguments[1:], strict=True))
        self.passed = [
            self._viewed(buffers[value], argument.type)
            for value, argument in zip(passed, loop.arguments, strict=False)
        ]

    def _viewed(self, buffer: Value, type: Type) -> Value:
        """A buffer with neighbouring dimensions joined, so that it has this type."""
        assert isinstance(buffer.type, MemRefType)
        assert isinstance(type, MemRefType)
        groups: list[list[int]] = []
        left = list(range(buffer.type.rank))
        for extent in type.shape:
            group = [left.pop(0)] if left else []
            while left and not _join(buffer.type, group, extent):
                group.append(left.pop(0))
            groups.append(group)
        if left and groups:
            groups[-1] += left
        if not all(groups) or any(
            not _join(buffer.type, group, extent)
            for group, extent in zip(groups, type.shape, strict=True)
        ):
            refuse(self.job, f"views {buffer.type} as {type}")
        return self.writer.collapsed(buffer, groups)

    def _loops(self) -> None:
        (block, loop), *others = self.lowered.loops
        if others:
            super()._loops()
            return
        self._branch(
            self._compared("sgt", self.count, self._worth(LOOP_SERIAL_CYCLES)),
            lambda: self._share(block, loop, self.count),
            lambda: self._range(loop, self._index(0), self.count),
        )

    def _range(self, loop: func.Func, lower: Value, upper: Value) -> None:
        is_any = self.writer.made(arith.CmpI, lower, upper, predicate="slt")
        self._branch(is_any, lambda: self._call(loop, lower, upper), lambda: None)


def _join(type: MemRefType, group: Sequence[int], extent: int) -> bool:
    """Whether dimensions together have an extent."""
    extents = [type.shape[dim] for dim in group]
    return extent == (ty.DYNAMIC if ty.DYNAMIC in extents else prod(extents))
