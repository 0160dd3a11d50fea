"""What text is written for: a level of the x86-64 psABI, as far as text depends on it."""

from __future__ import annotations

from penstock.codegen.host import check_level, host_level
from penstock.codegen.math.level_rows import ROWS
from penstock.codegen.math.vector_math import Table
from penstock.codegen.text.parts.vectors import LANES
from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record

ATTRIBUTE = "job.target"
"""The attribute by which a module at stage `loops` names the level that it was written for."""


class TextTarget(Record):
    """A level of processor, or an architecture of GPUs."""

    level: str
    lanes: int
    """Lanes of a piece of a vector."""
    table: Table
    """The rows of ops on scalars."""
    dots: bool
    """Whether one instruction multiplies pairs of bf16 and adds both products to a f32."""
    masks: bool
    """Whether instructions take a mask of lanes, and one can read an element and have it in every
    lane (AVX-512)."""
    constants: int
    """Bytes of the vectors whose constants are read from memory where registers are few.

    0 where instructions themselves broadcast what they read, or LLVM reads whole vectors anyhow.
    """
    stage: str = "loops"
    """The stage of the modules."""
    streams: bool = True
    """Whether stores can go past the caches."""
    unrolls: int | None = None
    """Loops of at most so many iterations are unrolled; None where vectors fill the registers and
    LLVM decides about short loops of scalars."""


_CONSTANTS = {"x86-64-v3": 32}
_DOTS = {"x86-64-v4-bf16"}

TEXT_TARGETS = {
    level: TextTarget(
        level, lanes, ROWS[level], level in _DOTS, lanes == 16, _CONSTANTS.get(level, 0)
    )
    for level, lanes in LANES.items()
}


def target_of(module: Module, level: str | None = None) -> TextTarget:
    """The level to write for: the given one, else the module's, else this machine's.

    Raises a located `IRError` where the module names no level that there is, and ValueError for a
    given one.
    """
    if level is not None:
        check_level(level)
        return TEXT_TARGETS[level]
    attribute = module.attributes.get(ATTRIBUTE)
    if attribute is None:
        return TEXT_TARGETS[host_level()]
    if not isinstance(attribute, StringAttr) or attribute.value not in TEXT_TARGETS:
        module.fail(f"expected {ATTRIBUTE} to be one of {', '.join(TEXT_TARGETS)}, got {attribute}")
    return TEXT_TARGETS[attribute.value]
