"""Bufferization of a job for any number of elements, which is passed at run time.

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
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, unit
from penstock.ir.core import Value
from penstock.ir.dialects import arith, func
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.types import MemRefType
from penstock.passes.costs.target import ATTRIBUTE, Target
from penstock.passes.costs.task_count import (
    FEWEST,
    LOOP_SERIAL_CYCLES,
    LOOP_TASK_CYCLES,
    MOST_LOOP_TASKS,
)
from penstock.passes.loops.rows.any_count import AnyCount, buffer_type, lower_any_count
from penstock.passes.loops.write.loop_writer import LoopWriter

COUNT = "job.count"
"""On a module: the placeholder extent for any number of elements. At stage `loops`: marks the
argument that holds the number."""
MORE = (4 * FEWEST, MOST_LOOP_TASKS)
"""The numbers of tasks to use if each task has enough work; otherwise there are `FEWEST`."""


def bufferize_any_count(module: Module, count: int, target: Target) -> None:
    """Lower a job whose tensors have `count` elements, the placeholder for any number."""
    job = module.job
    groups = {f.sym_name: f for f in module.functions() if f is not job}
    lowered = lower_any_count(job, groups, count, target)
    current().count("bufferize", job, free=True)
    for _, function in lowered.loops:
        module.body.insert_before(job, function)
        current().lowered(function)
    module.body.insert_before(job, _JobWriter(job, count, lowered).write())
    for function in (job, *groups.values()):
        function.erase()
    del module.attributes[COUNT]
    module.attributes[ATTRIBUTE] = StringAttr(target.name)
    current().lowered(module.job)


class _JobWriter:
    def __init__(self, job: func.Func, count: int, lowered: AnyCount) -> None:
        self.job = job
        self.lowered = lowered
        values = [*job.arguments, *job.returned.operands]
        types = [MemRefType((), ty.i64), *(buffer_type(value.type, count) for value in values)]
        names = ["count", *(value.name or "feed" for value in job.arguments)]
        names += [value.name or "fetch" for value in job.returned.operands]
        self.function = func.Func.make(job.sym_name, types, names=names)
        self.function.location = job.location
        told: list[dict[str, Any]] = [{COUNT: unit}]
        told += [job.argument_attributes(i) for i in range(len(job.arguments))]
        told += [job.result_attributes(i) for i in range(len(job.returned.operands))]
        alone = {"llvm.noalias": unit}
        self.function.set_all_argument_attributes([{**each, **alone} for each in told])
        self.writer = LoopWriter(self.function.body)
        self.writer.location = job.location

    def write(self) -> func.Func:
        writer = self.writer
        told = writer.load(self.function.arguments[0], [], movable=False)
        self.count = writer.made(arith.IndexCast, told, type=ty.index)
        self._any_width(list(self.lowered.loops))
        writer.drop_unused_constants()
        self.function.body.append(func.Return([], [], location=self.job.returned.location))
        return self.function

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
                lambda: self._share(width, loop, whole),
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

    def _share(self, width: int, loop: func.Func, whole: Value) -> None:
        """Split the full iterations evenly between tasks; the last ones get fewer, or none."""
        tasks = self._index(FEWEST)
        for number in MORE:
            many = self._compared("sgt", whole, self._worth(number * LOOP_TASK_CYCLES))
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
        self._call(loop, lower, self._made(arith.MinSI, end, whole))
        self.writer.end_forall()

    def _call(self, loop: func.Func, lower: Value, upper: Value) -> None:
        given = [*self.function.arguments[1:], lower, upper]
        self.writer.create(func.Call, given, callee=loop.sym_name, types=[])

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
