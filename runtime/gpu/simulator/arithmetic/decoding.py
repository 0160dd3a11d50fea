"""What decoders share: modifiers, operands, and registers as NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array
from penstock.runtime.gpu.simulator.machine.state import Gate, Machine, Step
from penstock.runtime.gpu.simulator.ptx.syntax import (
    WIDTHS,
    Instruction,
    Not,
    Number,
    Operand,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)

__all__ = ["TYPES", "Code", "Decoded", "Decoder", "Reader", "Wait", "Writer", "exact", "guarded"]

TYPES: dict[str, np.dtype[Any]] = {
    **{f"{kind}{8 * size}": UNSIGNED[size] for kind in "bu" for size in UNSIGNED},
    **{f"s{8 * size}": np.dtype(f"i{size}") for size in UNSIGNED},
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(np.uint16),
    "f16x2": np.dtype(np.uint32),
    "bf16x2": np.dtype(np.uint32),
    "pred": np.dtype(bool),
}
"""PTX type -> the NumPy type that holds it; bf16 and pairs are held as bits."""

Reader = Callable[[Machine], Array]
"""Gives a value for each running lane, or one for all."""
Wait = Callable[[Machine, int, int], int]
Writer = Callable[[Machine, Array], None]
"""Takes a new array with a value for each running lane, or one for all."""


@dataclass
class Decoded:
    """An instruction as functions: a step, or what ends a block of the program.

    `exact` steps act on memory or on other lanes, so they must not run for dead ones. `wait` may
    hold lanes back: it takes the numbers of its own block of the program and of the next, and
    returns the next, or -1 if nobody goes on at once.
    """

    step: Step | None = None
    wait: Wait | None = None
    gate: Gate | None = None
    exact: bool = False


class Code:
    """An instruction that is being decoded. Whatever isn't asked for is refused at the end."""

    def __init__(self, instruction: Instruction, symbols: Mapping[str, int]) -> None:
        self.instruction = instruction
        self.symbols = symbols
        self.mnemonic, *self.modifiers = instruction.opcode
        self.operands = instruction.operands

    # -- modifiers --------------------------------------------------------------------------------

    def flag(self, *names: str) -> bool:
        """Take modifiers in a row; whether they are there."""
        size = len(names)
        for place in range(len(self.modifiers) - size + 1):
            if tuple(self.modifiers[place : place + size]) == names:
                del self.modifiers[place : place + size]
                return True
        return False

    def choice(self, names: Sequence[str], default: str | None = None) -> str:
        """Take the first modifier that is one of `names`."""
        for place, modifier in enumerate(self.modifiers):
            if modifier in names:
                return self.modifiers.pop(place)
        if default is None:
            self.refuse(f"expected one of .{', .'.join(names)}")
        return default

    def type(self, allowed: Sequence[str] = ()) -> str:
        """Take the last modifier, a type."""
        if not self.modifiers:
            self.refuse("the type is missing")
        name = self.modifiers.pop()
        if name not in (allowed or TYPES):
            self.refuse(f"the type .{name} is not modelled")
        return name

    def finish(self, operands: int | Sequence[int]) -> None:
        """Check that all modifiers were taken and how many operands there are."""
        if self.modifiers:
            self.refuse(f"the modifier .{self.modifiers[0]} is not modelled")
        counts = [operands] if isinstance(operands, int) else operands
        if len(self.operands) not in counts:
            self.refuse(f"expected {' or '.join(map(str, counts))} operands")

    def refuse(self, why: str) -> NoReturn:
        """Raise the error for an instruction that is not modelled."""
        self.instruction.fail(f"the simulated device does not model this: {why}")

    # -- operands ---------------------------------------------------------------------------------

    def reader(self, place: int, type: str, wider: bool = False) -> Reader:
        """Read an operand as a type; with `wider`, the low part of a larger register."""
        return self.read(self.operands[place], type, wider)

    def read(self, operand: Operand, type: str, wider: bool = False) -> Reader:
        """Read any operand."""
        if isinstance(operand, Number):
            return _constant(self.immediate(operand, type))
        if isinstance(operand, Symbol):
            return self._symbol(operand, type)
        if isinstance(operand, Special):
            return self._special(operand, type)
        if isinstance(operand, Not):
            inner = self.read(operand.register, "pred")
            return lambda m: ~inner(m)
        if isinstance(operand, Register):
            self._check_width(operand, type, wider)
            return _register(operand.number, TYPES[type], self.instruction, operand.name)
        self.refuse("an operand is not a register or an immediate")

    def _symbol(self, operand: Symbol, type: str) -> Reader:
        if operand.name in ("WARP_SZ",):
            return _constant(np.array([32], TYPES[type]))
        address = self.symbols.get(operand.name)
        if address is None:
            self.refuse(f"{operand.name} is not declared")
        if TYPES[type].kind not in "ui":
            self.refuse("an address is no floating-point number")
        return _constant(
            np.array([address & (1 << 8 * WIDTHS[type]) - 1], np.uint64)
            .astype(UNSIGNED[WIDTHS[type]])
            .view(TYPES[type])
        )

    def _special(self, operand: Special, type: str) -> Reader:
        name, wanted = operand.name, TYPES[type]
        if name in ("%clock", "%clock64", "%globaltimer"):
            self.refuse(f"{name} depends on time")

        def read(machine: Machine) -> Array:
            value = machine.special(name)
            if len(value) != 1 and machine.index is not None:
                value = value[machine.index]
            return value.view(wanted) if wanted.itemsize == 4 else value.astype(wanted)

        return read

    def immediate(self, number: Number, type: str) -> Array:
        """An immediate as an array of one element."""
        wanted = TYPES[type]
        if number.kind == "int":
            if type == "pred":
                return np.array([number.value != 0])
            if wanted.kind == "f":
                self.refuse(f"an integer as an operand of type .{type}")
            size = WIDTHS[type]
            bits = number.value & (1 << 8 * size) - 1
            return np.array([bits], UNSIGNED[size]).view(wanted)
        bits_of = np.array([number.value], np.uint32 if number.kind == "f32" else np.uint64)
        if bits_of.dtype.itemsize == wanted.itemsize:
            return bits_of.view(wanted)
        if type == "f64":
            return bits_of.view(np.float32).astype(np.float64)
        self.refuse(f"a literal of type {number.kind} as an operand of type .{type}")

    def integer(self, place: int) -> int:
        """An operand that must be an immediate integer."""
        operand = self.operands[place]
        if not isinstance(operand, Number) or operand.kind != "int":
            self.refuse(f"operand {place + 1} must be an immediate integer")
        return operand.value

    def writer(self, place: int, type: str, wider: bool = False) -> Writer:
        """Write a result; with `wider`, a larger register gets it extended as its type says."""
        return self.write(self.operands[place], type, wider)

    def write(self, operand: Operand, type: str, wider: bool = False) -> Writer:
        """Write any operand that can be written."""
        if isinstance(operand, Sink):
            return lambda m, value: None
        if not isinstance(operand, Register):
            self.refuse("the result is not a register")
        self._check_width(operand, type, wider)
        number = operand.number
        size = 1 if operand.type == "pred" else WIDTHS[operand.type]
        if type == "pred" or size == WIDTHS[type]:
            return lambda m, value: m.write(number, value)
        wide = np.dtype(f"i{size}") if type[0] == "s" else UNSIGNED[size]
        return lambda m, value: m.write(number, value.astype(wide))

    def registers(self, place: int, type: str, wider: bool = False) -> list[Reader]:
        """Readers of the elements of a vector operand."""
        return [self.read(item, type, wider) for item in self.items(place)]

    def joined(self, operands: Sequence[Operand], type: str) -> list[Reader]:
        """Readers of operands of whose bits an instruction moves some.

        LLVM leaves a register unwritten where none of its bits is used in the end, as of lanes of
        a vector that are set later. Its bits are odd here, so that a use gives wrong results.
        """
        odd = np.array([_UNWRITTEN], UNSIGNED[4]).astype(TYPES[type])

        def reader(operand: Operand) -> Reader:
            read = self.read(operand, type)
            if not isinstance(operand, Register):
                return read
            number = operand.number
            return lambda machine: odd if machine.registers[number] is None else read(machine)

        return [reader(each) for each in operands]

    def items(self, place: int) -> Sequence[Operand]:
        """The elements of a vector operand, or the operand itself."""
        operand = self.operands[place]
        return operand.items if isinstance(operand, Vector) else (operand,)

    def _check_width(self, operand: Register, type: str, wider: bool) -> None:
        if (operand.type == "pred") != (type == "pred"):
            self.refuse(f"{operand.name} is a register of type .{operand.type}")
        if type == "pred":
            return
        have, want = WIDTHS[operand.type], WIDTHS[type]
        if have != want and not (wider and have > want):
            self.refuse(f"{operand.name} has {8 * have} bits where .{type} has {8 * want}")


_UNWRITTEN = 0xA5A5_A5A5
"""The bits of a register that nobody has written, where an instruction may ignore them."""

Decoder = Callable[[Code], Decoded]


def _constant(value: Array) -> Reader:
    value.flags.writeable = False
    return lambda m: value


def _register(number: int, wanted: np.dtype[Any], instruction: Instruction, name: str) -> Reader:
    size = wanted.itemsize
    narrow = UNSIGNED[size]

    def read(machine: Machine) -> Array:
        value = machine.registers[number]
        if value is None:
            machine.fail(instruction, int(machine.active[0]), f"{name} was never written")
        if machine.index is not None and len(value) != 1:
            value = value[machine.index]
        if value.dtype == wanted:
            return value
        if value.dtype.itemsize == size:
            return value.view(wanted)
        return value.view(UNSIGNED[value.dtype.itemsize]).astype(narrow).view(wanted)

    return read


def exact(step: Step) -> Step:
    """A step that runs for living lanes only."""

    def run(machine: Machine) -> None:
        if not machine.partial:
            step(machine)
            return
        machine.index, machine.partial = machine.active, False
        try:
            step(machine)
        finally:
            machine.index, machine.partial = None, True

    return run


def guarded(code: Code, guard: Register | Not, step: Step) -> Step:
    """A step for the lanes whose guard holds."""
    read = code.read(guard, "pred")
    number = code.instruction.number

    def run(machine: Machine) -> None:
        holds = read(machine)
        if len(holds) == 1:
            if holds[0]:
                step(machine)
            else:
                machine.skipped[number] = machine.skipped.get(number, 0) + machine.count
            return
        before = machine.index, machine.active, machine.count, machine.partial
        if machine.partial:
            holds = holds[machine.active]
        count = int(np.count_nonzero(holds))
        machine.skipped[number] = machine.skipped.get(number, 0) + machine.count - count
        if count == machine.count:
            step(machine)
            return
        if count == 0:
            return
        lanes = machine.active[holds]
        machine.index, machine.active, machine.count, machine.partial = lanes, lanes, count, False
        try:
            step(machine)
        finally:
            machine.index, machine.active, machine.count, machine.partial = before

    return run
