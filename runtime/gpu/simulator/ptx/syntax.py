"""Instructions, kernels and modules as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = [
    "WIDTHS",
    "Address",
    "Instruction",
    "Kernel",
    "Label",
    "Module",
    "Not",
    "Number",
    "Operand",
    "Pair",
    "Parameter",
    "Register",
    "Sink",
    "Special",
    "Symbol",
    "Variable",
    "Vector",
]

WIDTHS = {
    **{f"{kind}{bits}": bits // 8 for kind in "bus" for bits in (8, 16, 32, 64)},
    **{"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "f16x2": 4, "bf16x2": 4, "b128": 16},
}
"""The bytes of each scalar type."""


@dataclass(frozen=True)
class Register:
    """A virtual register: its number in the kernel, and its declared type without the dot."""

    name: str
    type: str
    number: int


@dataclass(frozen=True)
class Special:
    """A special register such as `%tid.x`."""

    name: str


@dataclass(frozen=True)
class Number:
    """An immediate; `value` is an integer, or the bits of a `f32` or `f64`."""

    value: int
    kind: str = "int"


@dataclass(frozen=True)
class Symbol:
    """The name of a variable, a parameter or a function."""

    name: str


@dataclass(frozen=True)
class Label:
    """The target of a branch."""

    name: str
    scopes: tuple[int, ...]


@dataclass(frozen=True)
class Not:
    """A negated predicate: `!%p1`."""

    register: Register


@dataclass(frozen=True)
class Pair:
    """Two results of one instruction: `%p1|%p2`."""

    first: Operand
    second: Operand


@dataclass(frozen=True)
class Sink:
    """A result that nobody reads: `_`."""


@dataclass(frozen=True)
class Vector:
    """`{%r1, %r2}`."""

    items: tuple[Operand, ...]


@dataclass(frozen=True)
class Address:
    """`[%rd1+8]`, or `[%rd1, {%r1, %r2}]` with the coordinates in a tensor."""

    base: Operand
    offset: int = 0
    coordinates: tuple[Operand, ...] | None = None


Operand = Register | Special | Number | Symbol | Label | Not | Pair | Sink | Vector | Address


@dataclass(eq=False)
class Instruction:
    """One instruction of a kernel.

    `opcode` is the mnemonic with its modifiers, split at the dots. `source` is `file:line` of the
    last `.loc`. `number` is the index in the kernel.
    """

    kernel: str
    number: int
    line: int
    text: str
    opcode: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Register | Not | None = None
    source: str | None = None
    scopes: tuple[int, ...] = ()

    def fail(
        self,
        what: str,
        block: tuple[int, int, int] | None = None,
        thread: tuple[int, int, int] | None = None,
    ) -> NoReturn:
        """Raise the error for this instruction."""
        raise SimulatorError(
            what,
            kernel=self.kernel,
            line=self.line,
            text=self.text,
            source=self.source,
            block=block,
            thread=thread,
        )


@dataclass(frozen=True)
class Parameter:
    """A kernel parameter's place in the packed buffer, in bytes."""

    name: str
    offset: int
    size: int
    alignment: int


@dataclass(frozen=True)
class Variable:
    """A variable in memory; `initial` are its first bytes, and the rest are zero.

    A size of 0 is a shared array whose size the launch gives.
    """

    name: str
    space: str
    size: int
    alignment: int
    initial: bytes = b""
    line: int = 0


@dataclass(eq=False)
class Kernel:
    """An entry of a module."""

    name: str
    line: int
    parameters: list[Parameter] = field(default_factory=list)
    directives: dict[str, tuple[int, ...]] = field(default_factory=dict)
    registers: list[Register] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)
    labels: dict[tuple[int, str], int] = field(default_factory=dict)
    """Scope and name -> the number of the instruction that follows."""

    @property
    def parameter_bytes(self) -> int:
        """The bytes of the packed parameters."""
        return max((p.offset + p.size for p in self.parameters), default=0)


@dataclass(eq=False)
class Module:
    """A module: its version, its target and what it defines."""

    version: tuple[int, int] = (0, 0)
    target: str = ""
    kernels: dict[str, Kernel] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)
