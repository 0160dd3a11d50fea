"""What warpgroups multiply: panels that tensor maps copy to shared memory, and their barriers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StridedLayoutAttr, integers
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, gpu, memref, nvgpu, nvvm
from penstock.ir.dialects.gpu import WORKGROUP
from penstock.ir.dialects.memref import row_major
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import MemRefType
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.schedule_data import WARP

GROUPS = (1, 2, 3)
"""How many warpgroups of a block may multiply."""
SWIZZLES = {128: 1, 64: 2, 32: 3}
"""How a descriptor of a panel names the bytes of a swizzled row."""
EIGHT = 8
"""Rows of a box after which the pattern of its swizzle repeats."""
TICKS = 10_000_000
"""Nanoseconds that a thread may be suspended while it waits."""
MOST_DYNAMIC = (227 << 10) - 1024
"""The most bytes of shared memory of a block, but for its barriers."""


def place(writer: KernelWriter, op: Operation) -> Sequence[Value]:
    """Place an op that is not pure."""
    op.location = writer.location
    return writer.here(op)


def equals(writer: KernelWriter, value: Value, number: int) -> Value:
    """Whether an index is a number."""
    return writer.made(arith.CmpI, value, writer.index(number), predicate="eq")


def warpgroup_of(writer: KernelWriter, thread: Value) -> Value:
    """The number of a thread's warpgroup; by a shuffle, so that ptxas sees it is uniform."""
    number = writer.made(arith.DivUI, thread, writer.index(nvvm.GROUP))
    narrow = writer.made(arith.IndexCast, number, type=ty.i32)
    first, width = (writer.constant(IntegerAttr(n, ty.i32)) for n in (0, WARP))
    shuffled = writer.create(gpu.Shuffle, narrow, first, width, mode="idx").results[0]
    return writer.made(arith.IndexCast, shuffled, type=ty.index)


def take_registers(
    writer: KernelWriter, counts: Mapping[int, tuple[int, int]], groups: int, multiplies: bool
) -> None:
    """Give back registers, or take those that others have given back.

    `counts` has the registers of a thread that fetches and of one that multiplies, by the number of
    warpgroups that do; where there are none, all have enough.
    """
    if groups in counts:
        op = nvvm.SetMaxRegister.of(
            "increase" if multiplies else "decrease", counts[groups][multiplies]
        )
        place(writer, op)


def stage_of(writer: KernelWriter, turn: Value, stages: int) -> tuple[Value, Value]:
    """The stage of a turn, and whether the ring has been through an odd number of times."""
    rounds = writer.made(arith.DivUI, turn, writer.index(stages))
    odd = writer.made(arith.RemUI, rounds, writer.index(2))
    return writer.made(arith.RemUI, turn, writer.index(stages)), equals(writer, odd, 1)


class Barriers:
    """Barriers of a block (`mbarrier`), by their numbers."""

    def __init__(self, writer: KernelWriter, count: int) -> None:
        self.writer = writer
        group = nvgpu.barrier_group(count)
        self.group = writer.create(nvgpu.CreateBarriers, types=[group]).results[0]

    def begin(self, number: int, arrivals: int) -> None:
        """Initialise a barrier."""
        numbers = [self.writer.index(arrivals), self.writer.index(number)]
        place(self.writer, nvgpu.InitBarrier([self.group, *numbers], []))

    def wait(self, number: Value, parity: Value) -> None:
        """Wait for the end of a barrier's phase; ahead of the first, one of odd parity ended."""
        operands = [self.group, parity, self.writer.index(TICKS), number]
        place(self.writer, nvgpu.WaitParity(operands, []))

    def arrive(self, number: Value) -> None:
        """Arrive at a barrier."""
        place(self.writer, nvgpu.Arrive([self.group, number], None))

    def expect(self, number: Value, count: int) -> None:
        """Arrive at a barrier, and have it wait for so many bytes."""
        operands = [self.group, self.writer.index(count), number]
        place(self.writer, nvgpu.ArriveExpect(operands, []))


class BoxPanel:
    """A panel of a tensor in shared memory, one for each stage, made up of boxes.

    Boxes stand side by side along the last dimension of the tensor, and lie behind each other. With
    `deep`, that dimension is the one that products reduce.
    """

    def __init__(
        self, writer: KernelWriter, whole: Value, value: Value, groups: Sequence[Sequence[int]],
        box: nvgpu.TensorMapBox, count: int, stages: int, deep: bool,
    ) -> None:  # fmt: skip
        self.writer = writer
        self.box = box
        self.count = count
        self.deep = deep
        buffer = MemRefType((stages, count, *box.shape), box.element)
        self.buffer = writer.dynamic_shared(buffer, whole)
        self.map = writer.tensor_map(value, groups, box)

    def turned(self) -> BoxPanel:
        """The same panel, of which products reduce the other dimension."""
        other = copy(self)
        other.deep = not self.deep
        return other

    @property
    def bytes(self) -> int:
        """The bytes of one stage."""
        return self.count * self.box.bytes

    def fetch(
        self, coordinates: Sequence[Value], stage: Value, barriers: Barriers, number: Value
    ) -> None:
        """Begin to copy what stands at these coordinates to a stage; a barrier counts its bytes."""
        writer = self.writer
        for box in range(self.count):
            places = list(coordinates)
            places[-1] = writer.offset(places[-1], box * self.box.shape[-1])
            target = self._part(stage, box)
            groups: list[list[Value]] = [[target], [barriers.group], [self.map], places]
            groups += [[number], [], []]
            operands = [value for group in groups for value in group]
            place(writer, nvgpu.TensorLoad(operands, [], {SEGMENTS: segment_sizes(groups)}))

    def _part(self, stage: Value, box: int) -> Value:
        """The memory of one box."""
        shape = self.box.shape
        layout = StridedLayoutAttr(tuple(row_major(shape)), ty.DYNAMIC)
        op = memref.SubView(
            [self.buffer, stage],
            [MemRefType(shape, self.box.element, layout, WORKGROUP)],
            {
                "static_offsets": integers([DYNAMIC_INDEX, box] + [0] * len(shape)),
                "static_sizes": integers([1, 1, *shape]),
                "static_strides": integers([1] * (len(shape) + 2)),
                SEGMENTS: segment_sizes([[self.buffer], [stage], [], []]),
            },
            location=self.writer.location,
        )
        return self.writer.pure(op)[0]

    def descriptor(self, further: Value | None = None) -> Value:
        """Where products find the panel of the first stage, so many bytes further (PTX ISA 9.0,
        "Matrix Descriptor Format")."""
        writer, swizzle = self.writer, self.box.swizzle
        address = writer.made(memref.AddressOf, self.buffer)
        if further is not None:
            address = writer.made(arith.AddI, address, further)
        address = writer.made(arith.DivUI, address, writer.index(16))
        # Of eight rows of a box to the next, and of a box to the next along its last dimension.
        eight = EIGHT * swizzle
        leading = 16 if self.deep else self.box.bytes
        fixed = SWIZZLES[swizzle] << 62 | eight >> 4 << 32 | leading >> 4 << 16
        fixed -= fixed >> 63 << 64
        return writer.made(arith.AddI, address, writer.index(fixed))

    def steps(self, descriptor: Value, stage: Value | None, depth: int) -> list[Value]:
        """The descriptors of a stage for each product, whose depths make up the panel's."""
        step = nvvm.DEEP_BYTES // ty.byte_width(self.box.element)
        writer = self.writer
        if stage is not None:
            factor = writer.index(self.bytes >> 4)
            moved = writer.made(arith.MulI, stage, factor)
            descriptor = writer.made(arith.AddI, descriptor, moved)
        return [
            writer.made(
                arith.IndexCast, writer.offset(descriptor, self._further(deep)), type=ty.i64
            )
            for deep in range(0, depth, step)
        ]

    def _further(self, deep: int) -> int:
        """How much further a descriptor is at a depth."""
        swizzle, width = self.box.swizzle, ty.byte_width(self.box.element)
        if not self.deep:
            return deep * swizzle >> 4
        box, within = divmod(deep, swizzle // width)
        return box * self.box.bytes + within * width >> 4
