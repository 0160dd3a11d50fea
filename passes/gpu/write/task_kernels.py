"""Kernels of schedule `tasks`: an op's own loops, of which threads run the tasks.

    scf.forall (%i) in (900) { A }       ->  a kernel of 29 blocks of 32 threads, each one A
    scf.for ... { B }; memref.store ...  ->  a kernel of one thread
    scf.forall (%i) in (900) { C }       ->  as the first

A kernel ends before the next one starts, so each sees what those before wrote. A value that one
thread computes goes to later kernels through a workspace of one element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, unit
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects import arith, func, gpu, memref, scf
from penstock.ir.types import MemRefType
from penstock.passes.loops.write.lowered_group import BufferParameter, LoweredGroup


def can_split(function: func.Func) -> bool:
    """Whether all tasks stand outermost, and how many there are is known."""
    return all(
        op.block is function.body and op.extents is not None and len(op.extents) == 1
        for op in function.walk()
        if isinstance(op, scf.Forall)
    )


class TaskKernels:
    """The kernels for a function of loops, in blocks of at most so many threads."""

    def __init__(self, lowered: LoweredGroup, name: str, block: int) -> None:
        self.loops = lowered.function
        self.name = name
        self.block = block
        self.runs = list(_runs(self.loops.body))
        self.run_of = {op: k for k, run in enumerate(self.runs) for op in run}
        self.crossing = self._crossing()
        """The number of the workspace for each value that goes from kernel to kernel."""
        self.parameters = list(lowered.parameters)
        known = sum(1 for parameter in self.parameters if parameter.role == "workspace")
        self.types = [argument.type for argument in self.loops.arguments]
        self.names = [argument.name for argument in self.loops.arguments]
        for value in self.crossing:
            type = MemRefType((1,), ty.i64 if value.type is ty.index else value.type)
            self.parameters.append(BufferParameter("workspace", known, type))
            self.types.append(type)
            self.names.append("passed")
            known += 1
        self.sizes: list[tuple[int, int]] = []
        """The blocks of each kernel, and the threads of a block."""
        self.kernels = [self._kernel(k) for k in range(len(self.runs))]

    def _crossing(self) -> dict[Value, int]:
        found: dict[Value, int] = {}
        for k, run in enumerate(self.runs):
            waiting = [value for op in run for value in _outer_values(op)]
            seen = set(waiting)
            while waiting:
                value = waiting.pop()
                maker = value.defining_op
                if maker is None:
                    continue
                if maker in self.run_of:
                    if self.run_of[maker] != k:
                        found.setdefault(value, len(found))
                    continue
                more = [each for each in maker.operands if each not in seen]
                seen.update(more)
                waiting += more
        return found

    def _kernel(self, number: int) -> gpu.GpuFunc:
        run = self.runs[number]
        first, size = run[0], 1
        blocks, threads = 1, 1
        if isinstance(first, scf.Forall):
            (size,) = first.extents or (1,)
            threads = min(self.block, max(size, 1))
            blocks = max(1, -(-size // threads))
        self.sizes.append((blocks, threads))
        kernel = gpu.GpuFunc.make(
            f"{self.name}.{number}", self.types, (threads, 1, 1), (blocks, 1, 1), names=self.names
        )
        kernel.location = first.location
        kernel.set_all_argument_attributes([{"llvm.noalias": unit} for _ in self.types])
        writer = _RunWriter(self, kernel, number)
        if isinstance(first, scf.Forall):
            writer.write_task(first, size)
        else:
            writer.write_alone(run)
        writer.b.create(gpu.Return, [])
        return kernel


class _RunWriter:
    """Writes one kernel."""

    def __init__(self, split: TaskKernels, kernel: gpu.GpuFunc, number: int) -> None:
        self.split = split
        self.number = number
        self.b = Builder.at_end(kernel.body)
        self.b.location = kernel.location
        count = len(split.loops.arguments)
        self.slots = kernel.arguments[count:]
        self.mapping: dict[Value, Value] = dict(
            zip(split.loops.arguments, kernel.arguments[:count], strict=True)
        )

    def index(self, number: int) -> Value:
        return self.b.create(arith.Constant, value=IntegerAttr(number, ty.index)).result

    def need(self, op: Operation) -> None:
        """Have what an op takes from outside of it in this kernel."""
        for value in _outer_values(op):
            self._resolve(value)

    def _resolve(self, value: Value) -> None:
        if value in self.mapping:
            return
        maker = value.defining_op
        assert maker is not None
        slot = self.split.crossing.get(value)
        if slot is not None and self.split.run_of[maker] != self.number:
            found = self.b.create(memref.Load, self.slots[slot], [self.index(0)]).result
            if value.type is ty.index:
                found = self.b.create(arith.IndexCast, found, types=[ty.index]).result
            self.mapping[value] = found
            return
        self.need(maker)
        self.b.insert(maker.clone(self.mapping))

    def write_task(self, forall: scf.Forall, size: int) -> None:
        """A thread for each task."""
        self.need(forall)
        b, threads = self.b, min(self.split.block, max(size, 1))
        block, thread = (b.create(cls, dimension="x").result for cls in (gpu.BlockId, gpu.ThreadId))
        start = b.create(arith.MulI, block, self.index(threads)).result
        task = b.create(arith.AddI, start, thread).result
        inside = b.create(arith.CmpI, task, self.index(size), predicate="slt").result
        body = Block()
        b.create(scf.If, inside, types=[], regions=[Region(body), Region()])
        self.mapping[forall.inductions[0]] = task
        for op in forall.body:
            if not op.terminator:
                body.append(op.clone(self.mapping))
        body.append(scf.Yield([], [], location=forall.location))

    def write_alone(self, run: Sequence[Operation]) -> None:
        """What one thread does."""
        for op in run:
            self.need(op)
            self.b.insert(op.clone(self.mapping))
            for result in op.results:
                slot = self.split.crossing.get(result)
                if slot is not None:
                    value = self.mapping[result]
                    if result.type is ty.index:
                        value = self.b.create(arith.IndexCast, value, types=[ty.i64]).result
                    self.b.create(memref.Store, value, self.slots[slot], [self.index(0)])


def _runs(body: Block) -> Iterator[list[Operation]]:
    """Each loop of tasks, and what stands between; pure ops are computed where they are needed."""
    run: list[Operation] = []
    for op in body:
        if op.terminator or (op.pure and not op.regions):
            continue
        if isinstance(op, scf.Forall):
            if run:
                yield run
            yield [op]
            run = []
        else:
            run.append(op)
    if run:
        yield run


def _outer_values(op: Operation) -> list[Value]:
    """The values that an op and its regions take from outside of it."""
    inside = {
        value
        for inner in op.walk()
        for value in (
            *inner.results,
            *(a for region in inner.regions for block in region.blocks for a in block.arguments),
        )
    }
    used = (value for inner in op.walk() for value in inner.operands)
    return [value for value in dict.fromkeys(used) if value not in inside]
