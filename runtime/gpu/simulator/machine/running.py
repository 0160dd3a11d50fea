"""The loop that runs fronts until all threads have ended."""

from __future__ import annotations

from penstock.runtime.gpu.simulator.machine.schedule import Schedule
from penstock.runtime.gpu.simulator.machine.state import Gate, Machine
from penstock.runtime.gpu.simulator.machine.warpgroups import REGISTERS, SIZE

__all__ = ["run"]

_PATIENCE = 2000
"""Blocks that one front executes while others wait; then the one that waited longest runs."""


def run(machine: Machine) -> None:
    """Run all threads of a batch to their end.

    Raises `SimulatorError` for whatever a GPU leaves undefined, if nobody can run, and after
    `most_steps` instructions.
    """
    schedule = machine.launch.schedule
    machine.put(0, machine.alive)
    waited: dict[int, int] = {}
    turn = 0
    impatient = False
    while machine.living:
        if not machine.ready:
            machine.stall()
            continue
        if impatient:
            if machine.queue:
                machine.stall()
            block = min(machine.ready, key=lambda number: (waited.get(number, 0), number))
        else:
            block = schedule.pick(machine.ready)
        turn += 1
        waited[block] = turn
        impatient = _run_front(machine, block, schedule)
    while machine.queue:
        machine.stall()
    _check_registers(machine)
    for groups in machine.bulk_groups.values():
        for group in groups:
            for action in group:
                action()


def _check_registers(machine: Machine) -> None:
    """Raise the error for warpgroups that took registers which nobody gave up."""
    found = machine.warpgroups.overdrawn(machine)
    if found is not None:
        group, total, ins = found
        machine.fail(
            ins,
            group * SIZE,
            f"never ends: the threads of its block would have {total} registers, and there are "
            f"{REGISTERS}; have other warpgroups give up more",
        )


def _run_front(machine: Machine, number: int, schedule: Schedule) -> bool:
    """Run a front until it splits, waits, ends, or meets another. Whether it ran too long."""
    blocks = machine.launch.blocks
    machine.select(machine.ready.pop(number))
    nearest = min(machine.ready, default=len(blocks))
    for patience in range(_PATIENCE, -1, -1):
        block = blocks[number]
        if block.gate is not None and not _pass(machine, block.number, block.gate):
            return False
        machine.executed[number] += machine.count
        machine.steps_left -= len(block.steps) + 1
        if machine.steps_left < 0:
            machine.endless(block)
        if block.written is not None:
            machine.check_registers(block)
        for step in block.steps:
            step(machine)
        following = block.end(machine)
        if following < 0:
            return False
        number = following
        if machine.ready and (
            number >= nearest or number in machine.ready or not patience or schedule.switches()
        ):
            break
    machine.put(number, machine.mask)
    return patience == 0


def _pass(machine: Machine, number: int, gate: Gate) -> bool:
    """Let through a gate whom it lets; whether somebody is through."""
    if machine.count == machine.total:
        return True
    mask = machine.mask
    if number in machine.parked:
        mask = mask | machine.parked.pop(number)
    through = gate(machine, mask)
    held = mask & ~through
    if held.any():
        machine.parked[number] = held
        if not through.any():
            return False
    machine.select(through)
    return True
