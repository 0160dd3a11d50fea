"""`setmaxnreg`: warpgroups that hand each other registers. PTX ISA, "setmaxnreg"."""

from __future__ import annotations

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded
from penstock.runtime.gpu.simulator.machine.gates import whole_groups
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.machine.warpgroups import SIZE

__all__ = ["set_registers"]

_LEAST, _MOST, _STEP = 24, 256, 8


def set_registers(code: Code) -> Decoded:
    """Decode a `setmaxnreg`. What a thread may have is counted; registers are never short here."""
    code.type(("u32",))
    gives = code.choice(("dec", "inc")) == "dec"
    if not code.flag("sync", "aligned"):
        code.refuse("expected .sync.aligned")
    code.finish(1)
    count, ins = code.integer(0), code.instruction
    if count % _STEP or not _LEAST <= count <= _MOST:
        code.refuse(f"{count} registers: expected a multiple of 8 from 24 to 256")

    def step(machine: Machine) -> None:
        lane, groups = int(machine.active[0]), machine.warpgroups
        directives = machine.launch.kernel.directives
        if "reqntid" not in directives or not {"maxnreg", "minnctapersm"} & set(directives):
            machine.fail(
                ins,
                lane,
                "does nothing in a kernel without .reqntid, and .minnctapersm or .maxnreg",
            )
        for before in groups.set_registers(machine, count, ins):
            if count > before if gives else count < before:
                verb = "keep" if gives else "get"
                machine.fail(ins, lane, f"{verb}s {count} registers a thread, which has {before}")

    return Decoded(step, gate=whole_groups(SIZE, complete=True), exact=True)
