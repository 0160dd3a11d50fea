"""Builder of one kernel: its parameters, the thread's numbers, and loops inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, attribute, unit
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects import arith, gpu, linalg, memref, nvgpu, nvvm, scf, tensor
from penstock.ir.dialects.gpu import WORKGROUP
from penstock.ir.location import Location
from penstock.ir.types import MemRefType, UnrankedMemRefType
from penstock.passes.analysis import generics
from penstock.passes.loops.write.loop_writer import LoopWriter


class KernelWriter(LoopWriter):
    """Writes a kernel for the values of a group, whose buffers become its parameters.

    `host` has the buffers of tensors in the function that launches the kernel.
    """

    def __init__(self, name: str, host: Mapping[Value, Value], location: Location) -> None:
        self.name = name
        self.host = host
        self.body = Block()
        super().__init__(self.body)
        self.location = location
        self.outside: dict[Value, Value] = {}
        """What the group's tensors and scalars are in the kernel."""
        self.passed: dict[Value, Value] = {}
        """The parameter for each buffer of the launching function."""
        self.written: set[Value] = set()
        """The parameters that the kernel writes to."""
        self.shared_buffers: list[BlockArgument] = []
        self.ahead: list[Operation] = []
        """Ops of the launching function ahead of the launch, in order."""
        self.dynamic = 0
        """The bytes of shared memory that the launch adds."""
        self.keeps_sums = False
        """Whether threads keep sums in many registers, for which ptxas must not save any."""

    def need(self, ops: Sequence[Operation]) -> None:
        """Have parameters for the tensors of these ops, and compute the scalars they capture."""
        for op in ops:
            for value in (*generics.used_values(op), *op.results):
                if value not in self.outside:
                    self._need(value)
            self.written.update(
                self.outside[result] for result in op.results if result in self.outside
            )

    def need_tensors(self, values: Sequence[Value]) -> None:
        """Have parameters for tensors, in this order."""
        for value in values:
            self.outside[value] = self._parameter(self.host[value])

    def _need(self, value: Value) -> None:
        buffer = self.host.get(value)
        if buffer is not None:
            self.outside[value] = self._parameter(buffer)
            return
        op = value.defining_op
        if op is None or isinstance(op, linalg.Generic | tensor.Empty):
            return
        for operand in op.operands:
            if operand not in self.outside:
                self._need(operand)
        if isinstance(op, tensor.Extract):
            indices = [self.outside[v] for v in op.indices]
            self.outside[value] = self.load(self.outside[op.tensor], indices, movable=False)
        else:
            results = self.pure(op.clone(self.outside))
            self.outside.update(zip(op.results, results, strict=True))

    def load(self, buffer: Value, indices: Sequence[Value], movable: bool) -> Value:
        """Read an element; what the kernel writes stays behind what was written before."""
        return super().load(buffer, indices, movable and buffer not in self.written)

    def _parameter(self, buffer: Value) -> Value:
        known = self.passed.get(buffer)
        if known is None:
            assert isinstance(buffer.type, MemRefType)
            known = self.passed[buffer] = self.body.add_argument(buffer.type, buffer.name)
        return known

    # -- threads --------------------------------------------------------------------------------

    def thread_id(self) -> Value:
        """The number of the thread in its block."""
        return self.made(gpu.ThreadId, dimension="x")

    def block_id(self) -> Value:
        """The number of the block."""
        return self.made(gpu.BlockId, dimension="x")

    def barrier(self) -> None:
        """Wait for all threads of the block; what they wrote can be read behind it."""
        self.here(gpu.Barrier(location=self.location))

    def warp_sync(self) -> None:
        """Wait for all lanes of the warp; no access moves across."""
        whole = self.constant(IntegerAttr(-1, ty.i32))
        self.here(nvvm.WarpSync([whole], [], location=self.location))

    def shared(self, type: MemRefType) -> Value:
        """A buffer that the threads of the block share."""
        whole = MemRefType(type.shape, type.element, None, gpu.WORKGROUP)
        buffer = BlockArgument(self.body, 0, whole, "shared")
        self.shared_buffers.append(buffer)
        return buffer

    def tensor_map(
        self, value: Value, groups: Sequence[Sequence[int]], box: nvgpu.TensorMapBox
    ) -> Value:
        """A parameter with the tensor map of a tensor, made by the launching function.

        Each group of neighbouring dimensions of the buffer counts as one.
        """
        host = self.host[value]
        assert isinstance(host.type, MemRefType)
        shape = [prod(host.type.shape[d] for d in group) for group in groups]
        if len(groups) != host.type.rank:
            view = MemRefType(tuple(shape), host.type.element)
            together = {"reassociation": attribute([list(group) for group in groups])}
            host = self._on_host(memref.CollapseShape([host], [view], together))
        host = self._on_host(memref.Cast([host], [UnrankedMemRefType(box.element)]))
        sides = [
            self._on_host(arith.Constant([], None, {"value": IntegerAttr(side, ty.index)}))
            for side in box.shape
        ]
        made = self._on_host(nvgpu.CreateTensorMap([host, *sides], [box.type]))
        self.passed[made] = self.body.add_argument(box.type, f"{value.name or 'tensor'}_map")
        return self.passed[made]

    def _on_host(self, op: Operation) -> Value:
        op.location = self.location
        self.ahead.append(op)
        return op.results[0]

    def dynamic_shared(self, type: MemRefType, whole: Value) -> Value:
        """A buffer in the shared memory whose size the launch says, behind those before it."""
        shift, view = (
            self.index(self.dynamic),
            MemRefType(type.shape, type.element, None, WORKGROUP),
        )
        self.dynamic += type.count * ty.byte_width(type.element)
        return self.made(memref.View, whole, shift, type=view)

    @contextmanager
    def when(self, condition: Value, *inside: Value) -> Iterator[None]:
        """What is done where a condition holds; what depends on `inside` is computed there."""
        block = Block()
        branch = scf.If([condition], [], {}, [Region(block), Region()], self.location)
        self.enter(branch, block)
        with self.kept_inside(*inside):
            yield
        self.here(scf.Yield([], [], location=self.location))
        self.leave()

    @contextmanager
    def kept_inside(self, *values: Value) -> Iterator[None]:
        """Compute what depends on these values here, not ahead of the branch around.

        Only where the branch's condition holds are their quotients known to be in bounds.
        """
        before = {value: self.level.get(value, 0) for value in values}
        self.level.update(dict.fromkeys(values, len(self.scopes) - 1))
        yield
        self.level.update(before)

    def split_index(self, index: Value, extents: Sequence[int]) -> list[Value]:
        """The subscripts of a row-major position."""
        found = [self.index(0)] * len(extents)
        long = [d for d, extent in enumerate(extents) if extent != 1]
        for d in reversed(long[1:]):
            found[d] = self.made(arith.RemUI, index, self.index(extents[d]))
            index = self.made(arith.DivUI, index, self.index(extents[d]))
        if long:
            found[long[0]] = index
        return found

    # -- the kernel -----------------------------------------------------------------------------

    def done(self, block: int, grid: int) -> gpu.GpuFunc:
        """End the kernel, which is launched as so many blocks of so many threads."""
        self.here(gpu.Return([], [], location=self.location))
        self.drop_unused_constants()
        taken, shared = list(self.body.arguments), self.shared_buffers
        kernel = gpu.GpuFunc.make(
            self.name,
            [a.type for a in taken],
            (block, 1, 1),
            (grid, 1, 1),
            [cast(MemRefType, buffer.type) for buffer in shared],
        )
        for buffer in shared:
            buffer.index = len(self.body.arguments)
            self.body.arguments.append(buffer)
        kernel.regions = [Region(self.body)]
        kernel.regions[0].op = kernel
        plain = gpu.exchanged(kernel, taken)
        kernel.set_all_argument_attributes(
            [
                {"llvm.noalias": unit}
                if isinstance(each.type, MemRefType) and each not in plain
                else {}
                for each in taken
            ]
        )
        if self.keeps_sums:
            # Else ptxas takes few where the epilogue divides, and spills.
            kernel.attributes[gpu.MIN_BLOCKS] = IntegerAttr(1)
        kernel.location = self.location
        return kernel
