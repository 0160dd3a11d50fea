"""`mbarrier`: barriers in shared memory that count arrivals and bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Reader, Writer
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.instructions.memory import address_of
from penstock.runtime.gpu.simulator.machine.mbarriers import MBarrier
from penstock.runtime.gpu.simulator.machine.spaces import restore, shared_places, with_lanes
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Address, Instruction, Sink

__all__ = ["find", "finish_phase", "mbarrier", "offset_of"]


def mbarrier(code: Code) -> Decoded:
    """Decode an `mbarrier`."""
    code.type(("b64",))
    kind = code.choice(("init", "inval", "arrive", "expect_tx", "test_wait", "try_wait"))
    expects = kind == "arrive" and code.flag("expect_tx")
    parity = code.flag("parity")
    code.choice(("release", "acquire", "relaxed"), "none")
    code.choice(("cta", "cluster"), "cta")
    if not (code.flag("shared::cta") or code.flag("shared::cluster")):
        code.choice(("shared",), "generic")
    if kind in ("init", "inval"):
        return _create(code, kind == "init")
    if kind == "expect_tx":
        return _expect(code)
    if kind == "arrive":
        return _arrive(code, expects)
    return _wait(code, parity, kind == "try_wait")


def _places(machine: Machine, ins: Instruction, address: Reader) -> Array:
    """The places of the mbarriers of the running lanes."""
    values = spread(address(machine), machine.count) & ((1 << 56) - 1)
    places = shared_places(machine, ins, values, 8, "uses an mbarrier of")
    return spread(places, machine.count)


def _observe(machine: Machine, ins: Instruction, places: Array, verb: str) -> None:
    """Uses of an mbarrier are atomic; its initialisation is a write."""
    if machine.watch is not None:
        machine.watch.shared_access(ins, places, 8, verb)


def _groups(machine: Machine, places: Array, *keys: Array) -> Iterator[tuple[int, Array]]:
    """Each place with the positions of the running lanes that use it, and the same keys."""
    columns = np.stack([places, *(spread(key, machine.count).astype(np.int64) for key in keys)], 1)
    if (columns == columns[0]).all():
        yield int(places[0]), np.arange(machine.count)
        return
    _, which = np.unique(columns, axis=0, return_inverse=True)
    which = which.reshape(-1)
    for number in range(int(which.max()) + 1):
        lanes = np.flatnonzero(which == number)
        yield int(places[lanes[0]]), lanes


def find(machine: Machine, ins: Instruction, place: int, lane: int) -> MBarrier:
    """The mbarrier at a place; raises the error if it is not initialised."""
    found = machine.mbarriers.get(place)
    if found is None:
        offset = place % machine.shared.stride - 1024
        machine.fail(
            ins,
            lane,
            f"uses the mbarrier at byte {offset} of shared memory, which is not initialised",
        )
    return found


def offset_of(machine: Machine, place: int) -> int:
    """The offset in its block of a place."""
    return place % machine.shared.stride


def _create(code: Code, create: bool) -> Decoded:
    code.finish(2 if create else 1)
    address, ins = address_of(code, 0), code.instruction
    count = code.reader(1, "u32") if create else None

    def step(machine: Machine) -> None:
        places = _places(machine, ins, address)
        counts = spread(count(machine), machine.count) if count is not None else places
        for position, place in enumerate(places):
            lane = int(machine.active[position])
            if not create:
                find(machine, ins, int(place), lane)
                del machine.mbarriers[int(place)]
                continue
            if not 1 <= int(counts[position]) < 1 << 20:
                machine.fail(ins, lane, f"an mbarrier for {int(counts[position])} arrivals")
            machine.mbarriers[int(place)] = MBarrier(int(counts[position]), lane)
        _observe(machine, ins, places, "write")

    return Decoded(step, exact=True)


def _expect(code: Code) -> Decoded:
    code.finish(2)
    address, octets, ins = address_of(code, 0), code.reader(1, "u32"), code.instruction

    def step(machine: Machine) -> None:
        values = spread(octets(machine), machine.count)
        places = _places(machine, ins, address)
        _observe(machine, ins, places, "atomic")
        for position, place in enumerate(places):
            barrier = find(machine, ins, int(place), int(machine.active[position]))
            barrier.bytes_missing += int(values[position])

    return Decoded(step, exact=True)


def _arrive(code: Code, expects: bool) -> Decoded:
    plain = isinstance(code.operands[0], Address)  # the form without a state
    first = 0 if plain else 1
    code.finish((first + 2,) if expects else (first + 1, first + 2))
    address, ins = address_of(code, first), code.instruction
    amount = code.reader(first + 1, "u32") if len(code.operands) > first + 1 else None
    write = None if plain or isinstance(code.operands[0], Sink) else code.writer(0, "b64")

    def step(machine: Machine) -> None:
        places = _places(machine, ins, address)
        amounts = np.ones(machine.count, np.int64)
        if amount is not None:
            amounts = spread(amount(machine), machine.count).astype(np.int64)
        phases = np.zeros(machine.count, np.uint64)
        for place, lanes in _groups(machine, places):
            with_lanes(machine, lanes)
            barrier = find(machine, ins, place, int(machine.active[0]))
            phases[lanes] = barrier.phase
            total = int(amounts[lanes].sum())
            if expects:
                barrier.bytes_missing += total
            barrier.pending -= len(lanes) if expects else total
            if machine.watch is not None:
                barrier.learn(machine.watch.knowledge())
            finish_phase(machine, ins, barrier, int(machine.active[0]))
            restore(machine)
        _observe(machine, ins, places, "atomic")
        if write is not None:
            write(machine, phases)

    return Decoded(step, exact=True)


def finish_phase(machine: Machine, ins: Instruction, barrier: MBarrier, lane: int) -> None:
    """Let those go on who wait for a phase that is complete now."""
    if barrier.pending < 0:
        machine.fail(
            ins, lane, f"arrives at an mbarrier more often than the {barrier.expected} it expects"
        )
    if barrier.complete():
        for block, mask in list(barrier.waits.items()):
            machine.put(block, mask)
        barrier.waits.clear()


def _wait(code: Code, parity: bool, may_block: bool) -> Decoded:
    code.finish((3, 4) if may_block else 3)
    state = code.reader(2, "b32" if parity else "b64")
    waiting = _Waiting(code.instruction, address_of(code, 1), state, code.writer(0, "pred"), parity)
    return Decoded(wait=waiting.wait) if may_block else Decoded(waiting.test, exact=True)


@dataclass(frozen=True)
class _Waiting:
    """`test_wait` and `try_wait`, for a phase or for its parity."""

    ins: Instruction
    address: Reader
    state: Reader
    write: Writer
    parity: bool

    def test(self, machine: Machine) -> None:
        """Write whether the phase is complete."""
        self.write(machine, self._results(machine)[0])

    def _results(self, machine: Machine) -> tuple[Array, list[tuple[MBarrier, Array]]]:
        """Whose phase is complete, and the mbarriers of the others."""
        places, states = _places(machine, self.ins, self.address), self.state(machine)
        done, late = np.zeros(machine.count, bool), []
        _observe(machine, self.ins, places, "atomic")
        for place, lanes in _groups(machine, places, states):
            barrier = find(machine, self.ins, place, int(machine.active[lanes[0]]))
            wanted = int(spread(states, machine.count)[lanes[0]])
            over = barrier.phase > wanted
            if self.parity:
                over = (barrier.phase & 1) != (wanted & 1)
            done[lanes] = over
            if not over:
                late.append((barrier, lanes))
            elif machine.watch is not None and barrier.known is not None:
                with_lanes(machine, lanes)
                machine.watch.learn(barrier.known)
                restore(machine)
        return done, late

    def wait(self, machine: Machine, here: int, following: int) -> int:
        """Hold those back whose phase is not complete, or let them time out."""
        done, late = self._results(machine)
        if not late:
            machine.tried[machine.active] = False
            self.write(machine, done)
            return following
        for barrier, lanes in late:
            mask = machine.mask_of(machine.active[lanes])
            if machine.launch.schedule.gives_up(machine.tried, mask):
                self._go_on(machine, lanes, following, False)
            else:
                known = barrier.waits.get(here)
                barrier.waits[here] = mask if known is None else known | mask
        ready = np.flatnonzero(done)
        if len(ready):
            machine.tried[machine.active[ready]] = False
            self._go_on(machine, ready, following, True)
        return -1

    def _go_on(self, machine: Machine, lanes: Array, following: int, result: bool) -> None:
        with_lanes(machine, lanes)
        self.write(machine, np.full(len(lanes), result))
        machine.put(following, machine.mask_of(machine.active))
        restore(machine)
