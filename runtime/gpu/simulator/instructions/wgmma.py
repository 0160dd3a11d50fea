"""`wgmma`: asynchronous products of a warpgroup. PTX ISA, "Asynchronous Warpgroup Level Matrix".

Products are added in f64 and rounded once to the accumulator's type; see `matrix`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Reader
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.formats.descriptors import has_base_offset, tile_places
from penstock.runtime.gpu.simulator.formats.fragments import wgmma_accumulator, wgmma_left
from penstock.runtime.gpu.simulator.instructions.matrix import FACTOR_BITS, factor_elements
from penstock.runtime.gpu.simulator.machine.gates import whole_groups
from penstock.runtime.gpu.simulator.machine.shared_memory import RESERVED
from penstock.runtime.gpu.simulator.machine.spaces import restore, with_lanes
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.machine.warpgroups import SIZE, Job
from penstock.runtime.gpu.simulator.ptx.syntax import Number, Register, Vector

__all__ = ["wgmma"]

_SHAPE = re.compile(r"m64n(\d+)k(\d+)")
_GATE = whole_groups(SIZE, complete=True)


def wgmma(code: Code) -> Decoded:
    """Decode a `wgmma`."""
    kind = code.choice(("mma_async", "fence", "commit_group", "wait_group"))
    if not code.flag("sync", "aligned"):
        code.refuse("expected .sync.aligned")
    if kind == "fence":
        code.finish(0)
        return Decoded(lambda m: m.warpgroups.fence(m), gate=_GATE, exact=True)
    if kind == "commit_group":
        code.finish(0)
        return Decoded(lambda m: m.warpgroups.commit(m), gate=_GATE, exact=True)
    if kind == "wait_group":
        code.finish(1)
        but = code.integer(0)
        return Decoded(lambda m: m.warpgroups.wait(m, but), gate=_GATE, exact=True)
    return _Product(code).decoded()


@dataclass(frozen=True)
class _Factor:
    """A factor in shared memory: rows by k, at a descriptor."""

    rows: int
    k: int
    type: str
    k_major: bool

    def read(
        self, machine: Machine, code: Code, descriptor: int, block: int
    ) -> tuple[Array, Array]:
        """The elements in f64, [row, k], and the places of the 16-byte parts."""
        size = FACTOR_BITS[self.type] // 8
        places = tile_places(descriptor, self.rows, self.k, size, self.k_major)
        low, high = int(places.min()), int(places.max()) + size
        if low < RESERVED or high > machine.shared.size:
            machine.fail(
                code.instruction,
                int(machine.active[0]),
                f"a descriptor reaches from byte {low - RESERVED} to {high - RESERVED} of the "
                f"{machine.shared.size - RESERVED} bytes of shared memory",
            )
        places = places + block * machine.shared.stride
        words = machine.shared.views[size][places // size]
        return factor_elements(words, self.type), places[places % 16 == 0]


class _Product:
    """One `wgmma.mma_async`."""

    def __init__(self, code: Code) -> None:
        self.code = code
        types = [code.type(("f32", "f16", "bf16", "tf32")) for _ in range(3)]
        self.right_type, self.left_type, self.result = types
        shape = _SHAPE.fullmatch(code.modifiers.pop() if code.modifiers else "")
        if shape is None:
            code.refuse("expected a shape such as .m64n256k16")
        self.n, self.k = int(shape[1]), int(shape[2])
        self._check_types()
        self.in_registers = isinstance(code.operands[1], Vector)
        transposable = FACTOR_BITS[self.left_type] == 16
        code.finish(6 + transposable * (1 if self.in_registers else 2))
        self._read_operands(transposable)

    def _check_types(self) -> None:
        code = self.code
        bits = FACTOR_BITS.get(self.left_type, 0)
        if self.left_type != self.right_type or self.left_type == "f32" or self.k * bits != 256:
            code.refuse("these types and this shape")
        if self.result not in (("f16", "f32") if self.left_type == "f16" else ("f32",)):
            code.refuse(f"an accumulator of type .{self.result}")
        if self.n % 8 or not 8 <= self.n <= 256:
            code.refuse(f"{self.n} columns")

    def _read_operands(self, transposable: bool) -> None:
        code = self.code
        per_register = 2 if self.result == "f16" else 1
        self.accumulators = [item for item in code.items(0) if isinstance(item, Register)]
        if len(self.accumulators) != self.n // 2 // per_register:
            code.refuse(f"expected {self.n // 2 // per_register} registers of the accumulator")
        self.writes = [code.write(item, "b32") for item in self.accumulators]
        self.left_registers: list[Register] = []
        self.left: list[Reader] = []
        if self.in_registers:
            self.left_registers = [i for i in code.items(1) if isinstance(i, Register)]
            if len(self.left_registers) != 4:
                code.refuse("expected four registers of the first factor")
            self.left = code.registers(1, "b32")
        else:
            self.left = [code.reader(1, "b64")]
        self.right = code.reader(2, "b64")
        scale = code.operands[3]
        self.keeps = (
            code.reader(3, "pred") if not isinstance(scale, Number) else _flag(code.integer(3))
        )
        signs = [code.integer(4), code.integer(5)]
        majors = [0, 0]
        if transposable:
            rest = [code.integer(place) for place in range(6, len(code.operands))]
            majors = [0, *rest] if self.in_registers else rest
        if any(sign not in (1, -1) for sign in signs):
            code.refuse("a factor of a product must be 1 or -1")
        self.sign = float(np.prod(signs))
        self.left_factor = _Factor(64, self.k, self.left_type, not majors[0])
        self.right_factor = _Factor(self.n, self.k, self.right_type, not majors[1])

    def decoded(self) -> Decoded:
        """The step, which whole warpgroups execute."""
        names = [r.number for r in (*self.accumulators, *self.left_registers)]
        registers = frozenset(names)
        code = self.code

        def step(machine: Machine) -> None:
            groups = machine.warpgroups
            if groups.unfenced(machine, names):
                machine.fail(
                    code.instruction,
                    int(machine.active[0]),
                    "needs a wgmma.fence: a register of it was written since the last one, or "
                    "there was none",
                )
            descriptors = self._descriptors(machine)
            reading = self._begin_reading(machine, descriptors)
            lanes = machine.active.copy()
            left = self._left_words(machine)
            keeps = spread(self.keeps(machine), machine.count).copy()

            def action() -> None:
                before = machine.index, machine.active, machine.count, machine.partial
                machine.index = machine.active = lanes
                machine.count, machine.partial = len(lanes), False
                self._compute(machine, descriptors, left, keeps)
                machine.index, machine.active, machine.count, machine.partial = before

            def finish() -> None:
                if machine.watch is not None:
                    for number in reading:
                        machine.watch.bulk_done(number)

            job = Job(registers, action, finish)
            groups.start(machine, job, machine.launch.schedule.arrives_now())

        return Decoded(step, gate=_GATE, exact=True)

    def _descriptors(self, machine: Machine) -> tuple[Array | None, Array]:
        """The descriptors of each warpgroup; they must be the same for its lanes."""
        found: list[Array | None] = []
        for read in ([] if self.in_registers else self.left) + [self.right]:
            values = spread(read(machine), machine.count).reshape(-1, SIZE)
            differs = (values != values[:, :1]).any(1)
            if differs.any():
                lane = int(machine.active[int(differs.argmax()) * SIZE])
                machine.fail(self.code.instruction, lane, "a descriptor differs within a warpgroup")
            if any(has_base_offset(int(value)) for value in values[:, 0]):
                self.code.refuse("a base offset in a descriptor")
            found.append(values[:, 0].copy())  # the registers may change before it runs
        left = None if self.in_registers else found[0]
        right = found[-1]
        assert right is not None
        return left, right

    def _begin_reading(
        self, machine: Machine, descriptors: tuple[Array | None, Array]
    ) -> list[int]:
        """Tell the checks what is read; the numbers of these reads."""
        watch, numbers = machine.watch, []
        if watch is None:
            return []
        for position in range(machine.count // SIZE):
            with_lanes(machine, np.arange(SIZE) + position * SIZE)
            block = int(machine.active[0]) // machine.padded
            for which, factor in ((0, self.left_factor), (1, self.right_factor)):
                values = descriptors[which]
                if values is not None:
                    _, parts = factor.read(machine, self.code, int(values[position]), block)
                    octets = (parts[:, None] + np.arange(0, 16, 4)).reshape(-1)
                    numbers.append(watch.bulk_read(self.code.instruction, octets, "a wgmma"))
            restore(machine)
        return numbers

    def _left_words(self, machine: Machine) -> Array | None:
        """The registers of the first factor: [group, lane, register]."""
        if not self.in_registers:
            return None
        columns = [spread(read(machine), machine.count) for read in self.left]  # np.stack copies
        return np.stack(columns, 1).reshape(-1, SIZE, 4)

    def _compute(
        self,
        machine: Machine,
        descriptors: tuple[Array | None, Array],
        left: Array | None,
        keeps: Array,
    ) -> None:
        count = machine.count // SIZE
        layout = wgmma_accumulator(self.n)
        kind = np.float16 if self.result == "f16" else np.float32
        words = _accumulated(machine, [r.number for r in self.accumulators]).reshape(
            count, SIZE, len(self.accumulators)
        )
        start = words.view(kind).astype(np.float64)
        products = np.empty(start.shape)
        for position in range(count):
            block = int(machine.active[position * SIZE]) // machine.padded
            a = self._left(machine, descriptors[0], left, position, block)
            b, _ = self.right_factor.read(machine, self.code, int(descriptors[1][position]), block)
            products[position] = layout.elements(a @ b.T)
        kept = np.where(keeps.reshape(count, SIZE, 1), start, 0.0)
        total = (self.sign * products + kept).astype(kind)
        columns = np.ascontiguousarray(total).view(np.uint32).reshape(count * SIZE, -1)
        columns = np.ascontiguousarray(columns.T)
        for place, write in enumerate(self.writes):
            write(machine, columns[place])

    def _left(
        self,
        machine: Machine,
        descriptors: Array | None,
        words: Array | None,
        position: int,
        block: int,
    ) -> Array:
        if words is not None:
            elements = factor_elements(words[position], self.left_type)
            return wgmma_left(FACTOR_BITS[self.left_type]).matrix(elements)
        assert descriptors is not None
        descriptor = int(descriptors[position])
        return self.left_factor.read(machine, self.code, descriptor, block)[0]


def _flag(value: int) -> Reader:
    constant = np.array([value != 0])
    return lambda m: constant


def _accumulated(machine: Machine, numbers: Sequence[int]) -> Array:
    """Accumulators as bits, [lane, register]; what was never written is zero."""
    columns = np.zeros((len(numbers), machine.count), np.uint32)
    for place, number in enumerate(numbers):
        value = machine.registers[number]
        if value is not None:
            value = value if len(value) == 1 else value[machine.index]
            columns[place] = value.view(np.uint32)
    return np.ascontiguousarray(columns.T)
