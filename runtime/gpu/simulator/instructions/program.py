"""A kernel as blocks of functions, decoded once per module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import (
    Code,
    Wait,
    exact,
    guarded,
)
from penstock.runtime.gpu.simulator.instructions.control import branch, leave
from penstock.runtime.gpu.simulator.instructions.table import decode
from penstock.runtime.gpu.simulator.machine.state import Block, End, Machine
from penstock.runtime.gpu.simulator.ptx.body import target
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.syntax import (
    Address,
    Instruction,
    Kernel,
    Label,
    Not,
    Number,
    Operand,
    Pair,
    Register,
    Vector,
)

__all__ = ["program"]

_BRANCHES = ("bra", "ret", "exit")


def program(kernel: Kernel, symbols: Mapping[str, int]) -> list[Block]:
    """The blocks of a kernel. Raises `SimulatorError` for an instruction without a model."""
    return _Builder(kernel, symbols).build()


class _Builder:
    def __init__(self, kernel: Kernel, symbols: Mapping[str, int]) -> None:
        self.kernel, self.symbols = kernel, symbols
        if not kernel.instructions:
            raise SimulatorError("has no instruction", kernel=kernel.name, line=kernel.line)
        self.codes = [Code(each, symbols) for each in kernel.instructions]
        self.decoded = [None if code.mnemonic in _BRANCHES else decode(code) for code in self.codes]
        self.has_wgmma = any(code.mnemonic == "wgmma" for code in self.codes)
        self.first_of: dict[int, int] = {}
        self.starts = self._starts()

    def _starts(self) -> list[tuple[int, bool]]:
        """Where blocks start: instruction, and whether the block only tests its guard.

        A guarded instruction that waits, or that whole warps execute, is a block after such a test.
        """
        places = {0} | set(self.kernel.labels.values())
        for code, decoded in zip(self.codes, self.decoded, strict=True):
            number = code.instruction.number
            if decoded is None or decoded.wait is not None:
                places.add(number + 1)
            if decoded is not None and (decoded.gate is not None or decoded.wait is not None):
                places.add(number)
            if self._tests_first(number) or code.mnemonic == "wgmma":
                places |= {number, number + 1}
        starts: list[tuple[int, bool]] = []
        for place in sorted(place for place in places if place < len(self.codes)):
            self.first_of[place] = len(starts)
            if self._tests_first(place):
                starts.append((place, True))
            starts.append((place, False))
        return starts

    def _tests_first(self, number: int) -> bool:
        decoded = self.decoded[number]
        if decoded is None:
            return self.codes[number].mnemonic != "bra" and self._guard(number) is not None
        held = decoded.wait is not None or decoded.gate is not None
        return held and self._guard(number) is not None

    def _guard(self, number: int) -> object:
        return self.codes[number].instruction.guard

    def build(self) -> list[Block]:
        """All blocks, in the order of the instructions."""
        blocks = []
        for number, (place, tests) in enumerate(self.starts):
            if tests:
                blocks.append(self._test(number, place))
                continue
            stop = next((p for p, t in self.starts[number + 1 :] if p != place), len(self.codes))
            blocks.append(self._block(number, place, stop))
        return blocks

    def _test(self, number: int, place: int) -> Block:
        code = self.codes[place]
        guard = code.instruction.guard
        assert guard is not None
        after = self.first_of.get(place + 1, -2)
        end = branch(code.read(guard, "pred"), number + 1, after)
        ins = code.instruction
        return Block(number, [], self._falling(end, after, ins), [], None, ins)

    def _block(self, number: int, start: int, stop: int) -> Block:
        steps, numbers = [], list(range(start, stop))
        end: End | None = None
        first = self.decoded[start]
        for place in numbers:
            decoded, code = self.decoded[place], self.codes[place]
            ins = code.instruction
            if decoded is None:
                end = self._branch(code)
                break
            if decoded.wait is not None:
                following = self.first_of.get(place + 1, -2)
                end = self._falling(_waiting(decoded.wait, number, following), following, ins)
                break
            assert decoded.step is not None
            step = exact(decoded.step) if decoded.exact else decoded.step
            if ins.guard is not None and decoded.gate is None:
                step = guarded(code, ins.guard, step)
            steps.append(step)
        if end is None:
            following = self.first_of.get(stop, -2)
            last = self.codes[stop - 1].instruction
            end = self._falling(branch(None, following, following), following, last)
        gate = first.gate if first is not None else None
        block = Block(number, steps, end, numbers, gate, self.codes[start].instruction)
        if self.has_wgmma and self.codes[start].mnemonic != "wgmma":
            instructions = [self.codes[place].instruction for place in numbers]
            block.touched = [registers_of(ins.operands) for ins in instructions]
            writes = [registers_of(ins.operands[:1]) for ins in instructions if writes_first(ins)]
            block.written = np.array(sorted(frozenset().union(*writes)), np.int64)
        return block

    def _branch(self, code: Code) -> End:
        ins = code.instruction
        if code.mnemonic in ("ret", "exit"):
            code.flag("uni")
            code.finish(0)
            return leave
        code.flag("uni")
        code.finish(1)
        label = code.operands[0]
        assert isinstance(label, Label)
        place = target(self.kernel, label)
        if place is None or place >= len(self.codes):
            ins.fail(f"the label {label.name} is at the end of the kernel")
        goal = self.first_of[place]
        if ins.guard is None:
            return branch(None, goal, goal)
        following = self.first_of.get(ins.number + 1, -2)
        return self._falling(branch(code.read(ins.guard, "pred"), goal, following), following, ins)

    def _falling(self, end: End, following: int, ins: Instruction) -> End:
        """An end whose next block may be missing: the kernel's last instruction is no `ret`."""
        if following >= 0:
            return end

        def fall(machine: Machine) -> int:
            machine.fail(ins, int(machine.active[0]), "runs beyond the last instruction")

        return fall


def registers_of(operands: Iterable[Operand]) -> frozenset[int]:
    """The numbers of the registers in operands."""
    found: set[int] = set()
    for operand in operands:
        if isinstance(operand, Register):
            found.add(operand.number)
        elif isinstance(operand, Not):
            found.add(operand.register.number)
        elif isinstance(operand, Vector):
            found |= registers_of(operand.items)
        elif isinstance(operand, Pair):
            found |= registers_of((operand.first, operand.second))
        elif isinstance(operand, Address):
            found |= registers_of((operand.base, *(operand.coordinates or ())))
    return frozenset(found)


def writes_first(ins: Instruction) -> bool:
    """Whether the first operand is a result."""
    return bool(ins.operands) and not isinstance(ins.operands[0], Address | Label | Number)


def _waiting(wait: Wait, here: int, following: int) -> End:
    def end(machine: Machine) -> int:
        if not machine.partial:
            return wait(machine, here, following)
        machine.index, machine.partial = machine.active, False
        try:
            return wait(machine, here, following)
        finally:
            machine.index, machine.partial = None, True

    return end
