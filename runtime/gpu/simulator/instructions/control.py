"""Branches, ends and barriers. PTX ISA, "Control Flow" and "Parallel Synchronization"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Decoder, Reader
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.instructions.cluster import cluster_barrier
from penstock.runtime.gpu.simulator.machine.barriers import MOST_BARRIERS
from penstock.runtime.gpu.simulator.machine.gates import members, whole_warps
from penstock.runtime.gpu.simulator.machine.spaces import restore, with_lanes
from penstock.runtime.gpu.simulator.machine.state import End, Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["DECODERS", "branch", "leave"]


def branch(guard: Reader | None, target: int, following: int) -> End:
    """Go to `target` where the guard holds."""
    if guard is None:
        return lambda m: target

    def end(machine: Machine) -> int:
        holds = guard(machine)
        if len(holds) == 1:
            return target if holds[0] else following
        if machine.partial:
            holds = holds[machine.active]
        count = int(np.count_nonzero(holds))
        if count == machine.count:
            return target
        if count == 0:
            return following
        taken = machine.mask_of(machine.active[holds])
        rest = machine.mask & ~taken
        machine.put(target, taken)
        machine.put(following, rest)
        return -1

    return end


def leave(machine: Machine) -> int:
    """End the running threads."""
    machine.finish()
    if machine.living:
        machine.wake()
    return -1


def _barrier(code: Code) -> Decoded:
    kind = code.modifiers[0] if code.modifiers else ""
    if kind in ("cluster", "warp"):
        return cluster_barrier(code) if kind == "cluster" else _warp_barrier(code)
    code.flag("cta")
    waits = code.choice(("sync", "arrive")) == "sync"
    aligned = code.flag("aligned") or code.mnemonic == "bar"
    code.finish((1, 2) if waits else 2)
    count = code.reader(1, "u32") if len(code.operands) == 2 else None
    barrier = _Barrier(code.instruction, waits, code.reader(0, "u32"), count)
    return Decoded(wait=barrier.arrive, gate=whole_warps if aligned else None)


@dataclass(frozen=True)
class _Barrier:
    """A barrier of the threads of a block, all or `count` of them."""

    ins: Instruction
    waits: bool
    number: Reader
    count: Reader | None

    def arrive(self, machine: Machine, here: int, following: int) -> int:
        """Let the running lanes arrive."""
        numbers = self.number(machine)
        counts = np.array([machine.threads]) if self.count is None else self.count(machine)
        if self._meets_at_once(machine, numbers, counts):
            if machine.watch is not None:
                machine.watch.barrier(machine.mask)
            return following
        pairs = np.stack(
            [spread(each, machine.count).astype(np.int64) for each in (numbers, counts)], 1
        )
        for which, needed in np.unique(pairs, axis=0):
            lanes = np.flatnonzero((pairs == (which, needed)).all(1))
            with_lanes(machine, lanes)
            self._check(machine, int(which), int(needed))
            self._arrive(machine, int(which), int(needed), (here, following))
            restore(machine)
        return -1 if self.waits else following

    def _meets_at_once(self, machine: Machine, numbers: Array, counts: Array) -> bool:
        """Whether all threads of all blocks arrive together."""
        everyone = machine.count == machine.blocks * machine.threads
        if not (everyone and self.waits and len(numbers) == 1 and len(counts) == 1):
            return False
        known = numbers[0] < MOST_BARRIERS and machine.barriers.idle(int(numbers[0]))
        return bool(counts[0] == machine.threads) and known

    def _check(self, machine: Machine, which: int, needed: int) -> None:
        lane = int(machine.active[0])
        if which >= MOST_BARRIERS:
            machine.fail(self.ins, lane, f"a block has no barrier {which}: expected 0 to 15")
        if needed != machine.threads and (needed % 32 or not needed):
            machine.fail(
                self.ins,
                lane,
                f"waits for {needed} threads at a barrier, which must be whole warps of 32",
            )

    def _arrive(self, machine: Machine, which: int, needed: int, place: tuple[int, int]) -> None:
        mask = machine.mask_of(machine.active)
        barriers = machine.barriers
        arrived = barriers.arrive(which, mask, machine.block_of, place if self.waits else None)
        over = arrived > needed
        if over.any():
            lane = int(machine.active[over[machine.block_of[machine.active]].argmax()])
            machine.fail(
                self.ins,
                lane,
                f"{int(arrived.max())} threads arrive at barrier {which}, which waits for {needed}",
            )
        done = arrived == needed
        if not done.any():
            return
        lanes = done[machine.block_of]
        if machine.watch is not None:
            machine.watch.barrier(barriers.members[which] & lanes)
        for following, out in barriers.release(which, lanes):
            machine.put(following, out)
        barriers.clear(which, done, lanes)


def _warp_barrier(code: Code) -> Decoded:
    code.flag("warp")
    if not code.flag("sync"):
        code.refuse("expected .sync")
    code.finish(1)
    mask = code.reader(0, "u32")

    def step(machine: Machine) -> None:
        if machine.watch is not None:
            machine.watch.warp_barrier()

    return Decoded(step, gate=members(mask), exact=True)


def _fence(code: Code) -> Decoded:
    """Fences order memory; proxies are told apart by the checks alone."""
    names = tuple(code.modifiers)
    code.modifiers.clear()
    code.finish(0)
    scopes = ("cta", "cluster", "gpu", "sys", "gl")
    known: set[tuple[str, ...]] = {(name, scope) for name in ("sc", "acq_rel") for scope in scopes}
    known |= {(scope,) for scope in scopes} | {("sc",), ("acq_rel",), ()}
    if names in known:
        return Decoded(_plain_fence, exact=True)
    if names[:2] == ("proxy", "async"):
        return Decoded(_proxy_fence, exact=True)
    if names and names[0] == "mbarrier_init":
        return Decoded(_init_fence, exact=True)
    code.refuse(f"the fence .{'.'.join(names)}")


def _plain_fence(machine: Machine) -> None:
    if machine.watch is not None:
        machine.watch.fence()


def _init_fence(machine: Machine) -> None:
    """What the running lanes have initialised is known to the asynchronous proxy."""
    for barrier in machine.mbarriers.values():
        if not barrier.fenced and barrier.creator in machine.active:
            barrier.fenced = True
    _plain_fence(machine)


def _proxy_fence(machine: Machine) -> None:
    _init_fence(machine)
    if machine.watch is not None:
        machine.watch.proxy_fence()


_IGNORED = {
    "griddepcontrol": (("launch_dependents",), ("wait",)),
    "nanosleep": (("u32",),),
    "pmevent": ((), ("mask",)),
    "prefetch": tuple((space, level) for space in ("global", "local") for level in ("L1", "L2")),
    "prefetchu": (("L1",),),
}
"""What changes nothing that a program can see, and its modifiers."""


def _ignored(code: Code) -> Decoded:
    if tuple(code.modifiers) not in _IGNORED[code.mnemonic]:
        code.refuse(f"the modifiers .{'.'.join(code.modifiers)}")
    return Decoded(lambda m: None)


def _trap(code: Code) -> Decoded:
    ins = code.instruction
    code.finish(0)

    def step(machine: Machine) -> None:
        machine.fail(ins, int(machine.active[0]), "the kernel stops itself")

    return Decoded(step, exact=True)


DECODERS: Mapping[str, Decoder] = {
    "bar": _barrier,
    "barrier": _barrier,
    "fence": _fence,
    "membar": _fence,
    "trap": _trap,
    **dict.fromkeys(_IGNORED, _ignored),
}
