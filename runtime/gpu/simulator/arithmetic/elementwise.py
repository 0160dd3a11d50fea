"""Steps that compute each lane's result from its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Reader, Writer
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.state import Machine, Step

__all__ = ["Function", "elementwise", "step_of"]

Function = Callable[..., Array]
"""Arrays with an element per lane, or one element, to a new array."""


def elementwise(
    code: Code, function: Function, sources: Sequence[str], result: str, wider: bool = False
) -> Decoded:
    """A step that reads operands of these types after the result, and writes the result."""
    code.finish(len(sources) + 1)
    reads = [code.reader(place + 1, type, wider) for place, type in enumerate(sources)]
    return Decoded(step_of(function, reads, code.writer(0, result, wider)))


def step_of(function: Function, reads: Sequence[Reader], write: Writer) -> Step:
    """A step from a function, what it reads and what it writes."""
    if len(reads) == 1:
        (only,) = reads
        return lambda m: write(m, function(only(m)))
    if len(reads) == 2:
        first, second = reads
        return lambda m: write(m, function(first(m), second(m)))
    if len(reads) == 3:
        one, two, three = reads

        def ternary(machine: Machine) -> None:
            write(machine, function(one(machine), two(machine), three(machine)))

        return ternary
    return lambda m: write(m, function(*(read(m) for read in reads)))
