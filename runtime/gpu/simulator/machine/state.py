"""One batch of blocks that runs a kernel: its lanes, its memories, and where each front is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array
from penstock.runtime.gpu.simulator.formats.tensor_map import TensorMap
from penstock.runtime.gpu.simulator.machine.barriers import Barriers
from penstock.runtime.gpu.simulator.machine.copies import Copies
from penstock.runtime.gpu.simulator.machine.counters import Counters
from penstock.runtime.gpu.simulator.machine.global_memory import GlobalMemory
from penstock.runtime.gpu.simulator.machine.lanes import Lanes
from penstock.runtime.gpu.simulator.machine.mbarriers import ClusterBarrier, MBarrier
from penstock.runtime.gpu.simulator.machine.observer import Observer
from penstock.runtime.gpu.simulator.machine.schedule import Schedule
from penstock.runtime.gpu.simulator.machine.shared_memory import SharedMemory
from penstock.runtime.gpu.simulator.machine.warpgroups import Warpgroups
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction, Kernel

__all__ = ["Block", "End", "Gate", "Grid", "Launch", "Machine", "Step"]

Step = Callable[["Machine"], None]
End = Callable[["Machine"], int]
"""What a block ends with: the next block of the whole front, or -1 if it has none."""
Gate = Callable[["Machine", Array], Array]
"""Which lanes of a mask may pass: those whose whole warp, or group of warps, is there."""
Grid = tuple[int, int, int]


@dataclass(eq=False)
class Block:
    """Instructions without a branch or a wait in between.

    `numbers` are those of the instructions, for counting; `gate` holds lanes back before the first.
    In kernels with `wgmma`, `touched` has the registers of each instruction and `written` those
    that any of them writes; `written` is None elsewhere and for a `wgmma`.
    """

    number: int
    steps: list[Step]
    end: End
    numbers: list[int] = field(default_factory=list)
    gate: Gate | None = None
    first: Instruction | None = None
    touched: list[frozenset[int]] = field(default_factory=list)
    written: Array | None = None


@dataclass(eq=False)
class Launch:
    """What all batches of a launch share."""

    kernel: Kernel
    blocks: Sequence[Block]
    grid: Grid
    block: Grid
    cluster: Grid
    parameter_views: dict[int, Array]
    memory: GlobalMemory
    symbols: dict[str, int]
    shared_bytes: int
    dynamic_bytes: int
    local_bytes: int
    schedule: Schedule
    counters: Counters
    checks: frozenset[str]
    most_steps: int
    measure: bool = False
    maps: dict[bytes, TensorMap] = field(default_factory=dict)
    serial: int = 1
    granules: tuple[int, int] = (1, 1)
    fences: Array = field(default_factory=lambda: np.zeros((2, 0), np.int64))
    """When each block last fenced, and when before that."""
    arch: str = ""


class Machine(Lanes):
    """A batch: consecutive blocks of a launch."""

    def __init__(self, launch: Launch, first: int, blocks: int) -> None:
        super().__init__(blocks, launch.block, len(launch.kernel.registers))
        self.launch, self.first = launch, first
        self.memory = launch.memory
        self.shared = SharedMemory(blocks, launch.shared_bytes)
        self.ready: dict[int, Array] = {}
        self.parked: dict[int, Array] = {}
        self.executed = [0] * len(launch.blocks)
        self.skipped: dict[int, int] = {}
        self.steps_left = launch.most_steps
        self.saved: list[tuple[slice | Array | None, Array, int, bool]] = []
        cluster = launch.cluster
        self.cluster_size = cluster[0] * cluster[1] * cluster[2]
        self.barriers = Barriers(blocks)
        self.copies = Copies(self.total)
        self.mbarriers: dict[int, MBarrier] = {}
        self.cluster_barrier = ClusterBarrier(
            blocks // self.cluster_size, self.cluster_size * self.threads, self.total
        )
        self.warpgroups = Warpgroups(self.total, len(launch.kernel.registers))
        self.tried = np.zeros(self.total, bool)
        self.queue: list[Callable[[], None]] = []
        self.bulk_groups: dict[int, list[list[Callable[[], None]]]] = {}
        self.watch: Observer | None = None
        self._specials: dict[str, Array] = {}
        self.local_stride = -(-launch.local_bytes // 32) * 32

    @cached_property
    def local_views(self) -> dict[int, Array]:
        """Local memory: `local_stride` bytes per lane."""
        flat = np.zeros(self.total * self.local_stride, np.uint8)
        return {width: flat.view(UNSIGNED[width]) for width in UNSIGNED}

    # -- fronts -----------------------------------------------------------------------------------

    def put(self, block: int, mask: Array) -> None:
        """Let lanes go on at a block, together with those that are there or held back there."""
        for waiting in (self.ready, self.parked):
            if block in waiting:
                mask = mask | waiting.pop(block)
        self.ready[block] = mask

    def count_operations(self) -> None:
        """Add what the batch executed to the launch's counters."""
        lane_ops = self.launch.counters.lane_ops
        for block, count in zip(self.launch.blocks, self.executed, strict=True):
            for number in block.numbers:
                lane_ops[number] += count
        for number, count in self.skipped.items():
            lane_ops[number] -= count

    def wake(self) -> None:
        """Let the gates look again at whom they hold back."""
        for block in list(self.parked):
            self.put(block, self.parked.pop(block))

    # -- nobody can run ---------------------------------------------------------------------------

    def stall(self) -> None:
        """Let an asynchronous copy arrive; raise the error for a deadlock if there is none."""
        if not self.queue:
            self._deadlock()
        self.queue.pop(self.launch.schedule.next_of(len(self.queue)))()

    def begin(self, action: Callable[[], None]) -> None:
        """Do what is asynchronous: now or later."""
        if self.launch.schedule.arrives_now():
            action()
        else:
            self.queue.append(action)

    def _deadlock(self) -> NoReturn:
        places = []
        for block, mask in sorted(self.waiting().items()):
            ins = self.launch.blocks[block].first
            lane = int(mask.argmax())
            where, thread = self.coordinates(lane)
            assert ins is not None
            places.append(
                f"{int(mask.sum())} threads (the first is thread {thread} of block {where}) at PTX "
                f"line {ins.line} `{ins.text}`"
            )
        exited = self.blocks * self.threads - self.living
        gone = f", and {exited} threads have ended" if exited else ""
        raise SimulatorError(
            f"deadlock: nobody can run; {'; '.join(places)} wait{gone}",
            kernel=self.launch.kernel.name,
        )

    def check_registers(self, block: Block) -> None:
        """Raise the error if the running lanes touch the accumulator of a `wgmma` that runs."""
        groups = self.warpgroups
        assert block.written is not None
        if not groups.idle:
            for number, registers in zip(block.numbers, block.touched, strict=True):
                if groups.touches_pending(self, registers):
                    self.fail(
                        self.launch.kernel.instructions[number],
                        int(self.active[0]),
                        "touches a register of a wgmma.mma_async before wgmma.wait_group",
                    )
        if len(block.written):
            groups.wrote(self, block.written)

    def waiting(self) -> dict[int, Array]:
        """Who waits: the block of the program whose first instruction holds lanes back -> who."""
        found = dict(self.parked)
        waits = [*self.barriers.waiting()]
        for barrier in (*self.mbarriers.values(), *self.cluster_barrier.barriers):
            waits += barrier.waits.items()
        for block, mask in waits:
            found[block] = found[block] | mask if block in found else mask
        return found

    def endless(self, block: Block) -> NoReturn:
        """Raise the error for a launch that takes too many steps."""
        assert block.first is not None
        self.fail(
            block.first,
            int(self.active[0]),
            f"more than {self.launch.most_steps} steps were executed; either the kernel never ends "
            "or `most_steps` must be larger",
        )

    # -- special registers ------------------------------------------------------------------------

    def special(self, name: str) -> Array:
        """A special register, for all lanes."""
        found = self._specials.get(name)
        if found is None:
            found = self._specials[name] = self._special(name)
            found.flags.writeable = False
        return found

    def _special(self, name: str) -> Array:
        found = self.thread_special(name)
        if found is not None:
            return found
        base, _, axis = name[1:].partition(".")
        grid, cluster = self.launch.grid, self.launch.cluster
        extents = {
            "nctaid": grid,
            "cluster_nctaid": cluster,
            "nclusterid": tuple(g // c for g, c in zip(grid, cluster, strict=True)),
        }
        if base in extents:
            return np.array([extents[base]["xyz".index(axis)]], np.uint32)
        values: dict[str, Any] = {
            "cluster_nctarank": cluster[0] * cluster[1] * cluster[2],
            "dynamic_smem_size": self.launch.dynamic_bytes,
            "total_smem_size": self.launch.shared_bytes,
            "is_explicit_cluster": cluster != (1, 1, 1),
            "smid": 0,
            "nsmid": 1,
            "gridid": self.launch.serial,
        }
        if base in values:
            return np.array([values[base]], np.uint32)
        place = self._block_place(base, axis)
        return (
            np.array([place[0]], np.uint32)
            if self.blocks == 1
            else np.repeat(place.astype(np.uint32), self.padded)
        )

    def _block_place(self, base: str, axis: str) -> Array:
        """A coordinate of each block of the batch in the grid or in its cluster."""
        x, y, z = (self.block_coordinates[:, i] for i in range(3))
        cluster = self.launch.cluster
        at = "xyz".index(axis) if axis else 0
        if base == "ctaid":
            return self.block_coordinates[:, at]
        if base == "cluster_ctaid":
            return self.block_coordinates[:, at] % cluster[at]
        if base == "clusterid":
            return self.block_coordinates[:, at] // cluster[at]
        assert base == "cluster_ctarank", base
        result: Array = x % cluster[0] + cluster[0] * (
            y % cluster[1] + cluster[1] * (z % cluster[2])
        )
        return result

    @cached_property
    def block_coordinates(self) -> Array:
        """The coordinates in the grid of each block of the batch; clusters are consecutive."""
        grid, cluster = self.launch.grid, self.launch.cluster
        size = cluster[0] * cluster[1] * cluster[2]
        linear = self.first + np.arange(self.blocks)
        clusters = tuple(g // c for g, c in zip(grid, cluster, strict=True))
        columns = []
        for axis, extent in zip("xyz", cluster, strict=True):
            outer = self.axis(linear // size, (clusters[0], clusters[1], clusters[2]), axis)
            columns.append(outer * extent + self.axis(linear % size, cluster, axis))
        return np.stack(columns, 1)

    # -- errors -----------------------------------------------------------------------------------

    def coordinates(self, lane: int) -> tuple[Grid, Grid]:
        """Block and thread of a lane, as coordinates."""
        x, y, z = (int(value) for value in self.block_coordinates[lane // self.padded])
        thread = np.array([lane % self.padded])
        a, b, c = (int(self.axis(thread, self.block, axis)[0]) for axis in "xyz")
        return (x, y, z), (a, b, c)

    def fail(self, instruction: Instruction, lane: int, what: str) -> NoReturn:
        """Raise the error for what a lane does."""
        block, thread = self.coordinates(lane)
        instruction.fail(what, block, thread)
