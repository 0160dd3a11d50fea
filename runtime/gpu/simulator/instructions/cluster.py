"""Clusters: their barrier, and addresses in the shared memory of their other blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded
from penstock.runtime.gpu.simulator.arithmetic.elementwise import elementwise
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.instructions.mbarrier import finish_phase
from penstock.runtime.gpu.simulator.machine.gates import whole_warps
from penstock.runtime.gpu.simulator.machine.spaces import (
    RANK_SHIFT,
    WINDOWS,
    restore,
    with_lanes,
)
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["cluster_barrier", "map_address"]


def _clusters(machine: Machine) -> Iterator[tuple[int, Array]]:
    """The clusters of the running lanes, and the positions of these."""
    cluster = machine.active // (machine.padded * machine.cluster_size)
    for number in np.unique(cluster):
        yield int(number), np.flatnonzero(cluster == number)


def cluster_barrier(code: Code) -> Decoded:
    """Decode `barrier.cluster`."""
    code.flag("cluster")
    arrives = code.choice(("arrive", "wait")) == "arrive"
    code.choice(("release", "relaxed") if arrives else ("acquire",), "none")
    gate = whole_warps if code.flag("aligned") else None
    code.finish(0)
    barrier = _ClusterBarrier(code.instruction)
    if arrives:
        return Decoded(barrier.arrive, gate=gate, exact=True)
    return Decoded(wait=barrier.wait, gate=gate)


@dataclass(frozen=True)
class _ClusterBarrier:
    """Both halves of the barrier."""

    ins: Instruction

    def arrive(self, machine: Machine) -> None:
        """Let the running lanes arrive."""
        for number, lanes in _clusters(machine):
            with_lanes(machine, lanes)
            if (machine.cluster_barrier.phase_of[machine.active] >= 0).any():
                self._fail(machine, "arrives twice at the barrier of its cluster")
            barrier = machine.cluster_barrier.arrive(number, machine.active)
            if machine.watch is not None:
                barrier.learn(machine.watch.knowledge())
            finish_phase(machine, self.ins, barrier, int(machine.active[0]))
            restore(machine)

    def wait(self, machine: Machine, here: int, following: int) -> int:
        """Hold the running lanes back until all of their cluster have arrived."""
        for number, lanes in _clusters(machine):
            with_lanes(machine, lanes)
            self._wait(machine, number, here, following)
            restore(machine)
        return -1

    def _wait(self, machine: Machine, number: int, here: int, following: int) -> None:
        state, mask = machine.cluster_barrier, machine.mask_of(machine.active)
        if (state.phase_of[machine.active] < 0).any():
            self._fail(machine, "waits at the barrier of its cluster without having arrived")
        barrier = state.barriers[number]
        if not state.done(number, machine.active).all():
            known = barrier.waits.get(here)
            barrier.waits[here] = mask if known is None else known | mask
            return
        state.phase_of[machine.active] = -1
        if machine.watch is not None and barrier.known is not None:
            machine.watch.learn(barrier.known)
        machine.put(following, mask)

    def _fail(self, machine: Machine, what: str) -> None:
        machine.fail(self.ins, int(machine.active[0]), what)


def map_address(code: Code) -> Decoded:
    """`mapa`: the address of a variable in the shared memory of another block of the cluster."""
    type = code.type(("u32", "u64"))
    generic = not code.flag("shared::cluster")
    if generic and type != "u64":
        code.refuse("a generic address of 32 bits")
    window = np.int64(WINDOWS["shared"] if generic else 0)

    def run(address: Array, rank: Array) -> Array:
        offset = (address.astype(np.int64) - window) & ((1 << RANK_SHIFT) - 1)
        whole = window + (rank.astype(np.int64) + 1 << RANK_SHIFT) + offset
        return whole.astype(np.uint32 if type == "u32" else np.uint64)

    return elementwise(code, run, [type, "u32"], type)
