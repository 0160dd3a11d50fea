"""`cp.async` of 4, 8 or 16 bytes. PTX ISA, "Data Movement: Non-bulk copy"."""

from __future__ import annotations

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.instructions.memory import address_of
from penstock.runtime.gpu.simulator.machine.copies import Copy
from penstock.runtime.gpu.simulator.machine.spaces import (
    global_places,
    restore,
    shared_places,
    with_lanes,
)
from penstock.runtime.gpu.simulator.machine.state import Machine, Step
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction, Register

__all__ = ["thread_copy"]


def thread_copy(code: Code) -> Decoded:
    """Decode `cp.async` without `.bulk`."""
    if code.flag("async", "commit_group"):
        code.finish(0)
        return Decoded(lambda m: m.copies.commit(m.active), exact=True)
    if code.flag("async", "wait_group"):
        code.finish(1)
        return Decoded(_waiting(code.integer(0), False), exact=True)
    if code.flag("async", "wait_all"):
        code.finish(0)
        return Decoded(_waiting(0, True), exact=True)
    return _copy(code)


def _waiting(but: int, open_too: bool) -> Step:
    def step(machine: Machine) -> None:
        for copy in machine.copies.wait(machine.active, but, open_too):
            if machine.watch is not None:
                machine.watch.copy_arrived(copy.lanes, copy.places, copy.width)

    return step


def _copy(code: Code) -> Decoded:
    code.flag("async")
    cache = code.choice(("ca", "cg"))
    for hint in ("L2::cache_hint", "L2::64B", "L2::128B", "L2::256B"):
        if code.flag(hint) and hint == "L2::cache_hint":
            code.operands = code.operands[:-1]
    if not (code.flag("shared", "global") or code.flag("shared::cta", "global")):
        code.refuse("expected .shared.global")
    code.finish((3, 4))
    size = code.integer(2)
    if size not in ((16,) if cache == "cg" else (4, 8, 16)):
        code.refuse(f"a copy of {size} bytes")
    target, source, ins = address_of(code, 0), address_of(code, 1), code.instruction
    last = code.operands[3] if len(code.operands) == 4 else None
    ignore = code.reader(3, "pred") if isinstance(last, Register) and last.type == "pred" else None
    given = code.reader(3, "u32") if last is not None and ignore is None else None

    def step(machine: Machine) -> None:
        count = machine.count
        valid = np.full(count, size)
        if given is not None:
            valid = spread(given(machine), count).astype(np.int64)
        if ignore is not None:
            valid = np.where(spread(ignore(machine), count), 0, size)
        if (valid > size).any():
            lane = int(machine.active[int((valid > size).argmax())])
            machine.fail(ins, lane, f"reads {int(valid.max())} bytes to copy {size}")
        places = shared_places(machine, ins, spread(target(machine), count), size, "writes")
        sources = _sources(machine, ins, spread(source(machine), count), valid, size)
        start(machine, ins, (places, sources, valid), size)

    return Decoded(step, exact=True)


def _sources(machine: Machine, ins: Instruction, address: Array, valid: Array, size: int) -> Array:
    """The checked places that are read; 0 where nothing is."""
    lanes = np.flatnonzero(valid > 0)
    places = np.zeros(len(address), np.int64)
    if len(lanes):
        with_lanes(machine, lanes)
        width = size if (valid[lanes] == size).all() else 1
        places[lanes] = global_places(machine, ins, address[lanes], width, "reads", align=size)
        if width == 1:
            last = address[lanes] + valid[lanes] - 1
            global_places(machine, ins, last, 1, "reads")
        if machine.watch is not None:
            machine.watch.global_access(ins, places[lanes], size, "read")
        restore(machine)
    return places


def start(machine: Machine, ins: Instruction, where: tuple[Array, Array, Array], size: int) -> None:
    """Start the copies of the running lanes: to shared places, from global ones, of some bytes."""
    places, sources, valid = (each.copy() for each in where)  # registers may change until then
    memory, shared = machine.memory.views, machine.shared.views

    def deliver(chosen: Array) -> None:
        into, out_of, there = places[chosen], sources[chosen], valid[chosen]
        if (there == size).all():
            rows = memory[4].reshape(-1, size // 4)[out_of // size]
            shared[4].reshape(-1, size // 4)[into // size] = rows
            return
        octet = np.arange(size)
        inside = octet < there[:, None]
        taken = memory[1][np.where(inside, out_of[:, None] + octet, 0)]
        shared[1][into[:, None] + octet] = np.where(inside, taken, 0)

    if machine.watch is not None:
        machine.watch.copy_started(ins, places, size)
    groups = np.zeros(len(places), np.int64)
    copy = Copy(machine.active.copy(), groups, places, size, deliver)
    machine.copies.start(copy, machine.launch.schedule.arrives_now())
