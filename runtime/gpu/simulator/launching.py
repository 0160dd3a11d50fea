"""Launches: checks of what the caller gives, and batches of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np

from penstock.runtime.gpu.simulator.checks.watch import Watch
from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED
from penstock.runtime.gpu.simulator.loaded import LoadedKernel
from penstock.runtime.gpu.simulator.machine.counters import Counters
from penstock.runtime.gpu.simulator.machine.global_memory import GlobalMemory
from penstock.runtime.gpu.simulator.machine.lanes import WARP
from penstock.runtime.gpu.simulator.machine.running import run
from penstock.runtime.gpu.simulator.machine.schedule import Schedule
from penstock.runtime.gpu.simulator.machine.shared_memory import RESERVED
from penstock.runtime.gpu.simulator.machine.state import Launch, Machine
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = ["CHECKS", "Geometry", "launch"]

CHECKS = frozenset({"races", "global-races", "uninitialised-global"})
MOST_GRID = ((1 << 31) - 1, 65535, 65535)
MOST_BLOCK = (1024, 1024, 64)
MOST_THREADS = 1024
MOST_SHARED = (163 << 10, 227 << 10)
"""Bytes of shared memory of a block, static and dynamic: before sm_90, and since."""
MOST_CLUSTER = 8

_BATCH_LANES = 1 << 14
_BATCH_SHARED = 64 << 20


@dataclass(frozen=True)
class Geometry:
    """Extents of a launch, its dynamic shared memory in bytes, and the first block to run."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared_bytes: int
    first: int = 0


class DeviceLike(Protocol):
    """What a launch needs of a device."""

    arch: str
    measure: bool
    most_steps: int
    checks: frozenset[str]
    schedule: Schedule
    memory: GlobalMemory
    launches: int


def launch(device: DeviceLike, kernel: LoadedKernel, geometry: Geometry, args: bytes) -> Counters:
    """Run all blocks of a launch."""
    _check(device, kernel, geometry, args)
    flat = np.zeros(-(-len(args) // 32) * 32 + 32, np.uint8)
    flat[: len(args)] = np.frombuffer(args, np.uint8)
    instructions = kernel.kernel.instructions
    counters = Counters(
        kernel.name,
        [0] * len(instructions),
        lines=[each.line for each in instructions],
        texts=[each.text for each in instructions],
    )
    device.schedule.restart()
    plan = Launch(
        kernel=kernel.kernel,
        blocks=kernel.blocks,
        grid=geometry.grid,
        block=geometry.block,
        cluster=geometry.cluster,
        parameter_views={width: flat.view(UNSIGNED[width]) for width in UNSIGNED},
        memory=device.memory,
        symbols=dict(kernel.symbols),
        shared_bytes=RESERVED + kernel.shared_bytes + geometry.shared_bytes,
        dynamic_bytes=geometry.shared_bytes,
        local_bytes=kernel.local_bytes,
        schedule=device.schedule,
        counters=counters,
        checks=device.checks,
        most_steps=device.most_steps,
        measure=device.measure,
        serial=device.launches,
        arch=device.arch,
        granules=kernel.granules,
        fences=np.full((2, prod(geometry.grid) if device.checks else 0), -1),
    )
    _run_batches(plan, geometry.first)
    return counters


def _run_batches(plan: Launch, start: int) -> None:
    blocks, cluster = prod(plan.grid), prod(plan.cluster)
    padded = -(-prod(plan.block) // WARP) * WARP
    batch = min(_BATCH_LANES // padded, _BATCH_SHARED // plan.shared_bytes)
    batch = max(batch // cluster, 1) * cluster
    with np.errstate(all="ignore"):
        for first in range(start, blocks, batch):
            machine = Machine(plan, first, min(batch, blocks - first))
            if plan.checks or plan.measure:
                machine.watch = Watch(machine, plan.granules, plan.checks)
            try:
                run(machine)
            finally:
                machine.count_operations()
                if machine.watch is not None:
                    machine.watch.finish()
                machine.watch = None


def _check(device: DeviceLike, kernel: LoadedKernel, geometry: Geometry, args: bytes) -> None:
    """Raise the error for a launch that a driver refuses."""
    for what in (*_wrong_extents(kernel, geometry), *_wrong_sizes(device, kernel, geometry, args)):
        raise SimulatorError(what, kernel=kernel.name)


def _wrong_extents(kernel: LoadedKernel, geometry: Geometry) -> Iterator[str]:
    grid, block, cluster = geometry.grid, geometry.block, geometry.cluster
    for name, extents, most in (("grid", grid, MOST_GRID), ("block", block, MOST_BLOCK)):
        if len(extents) != 3 or any(not 1 <= e <= m for e, m in zip(extents, most, strict=True)):
            yield f"a {name} of {extents}; expected extents from 1 to {most}"
    threads = prod(block)
    if threads > MOST_THREADS:
        yield f"a block of {threads} threads; expected {MOST_THREADS} at most"
    if kernel.reqntid is not None and block != kernel.reqntid:
        yield f"a block of {block}; the kernel requires {kernel.reqntid}"
    if kernel.maxntid is not None and threads > prod(kernel.maxntid):
        yield f"a block of {threads} threads; the kernel allows {prod(kernel.maxntid)}"
    if kernel.cluster is not None and cluster != kernel.cluster:
        yield f"a cluster of {cluster}; the kernel requires {kernel.cluster}"
    if min(cluster) < 1 or prod(cluster) > MOST_CLUSTER:
        yield f"a cluster of {cluster}; expected from 1 to {MOST_CLUSTER} blocks"
    elif any(g % c for g, c in zip(grid, cluster, strict=True)):
        yield f"a grid of {grid} is no multiple of its clusters of {cluster}"


def _wrong_sizes(
    device: DeviceLike, kernel: LoadedKernel, geometry: Geometry, args: bytes
) -> Iterator[str]:
    if len(args) != kernel.parameter_bytes:
        yield f"{len(args)} bytes of parameters; expected {kernel.parameter_bytes}"
    shared = kernel.shared_bytes + geometry.shared_bytes
    most = MOST_SHARED[int(device.arch[3:].rstrip("af")) >= 90]
    if geometry.shared_bytes < 0 or shared > most:
        yield f"{shared} bytes of shared memory; expected {most} at most on {device.arch}"
