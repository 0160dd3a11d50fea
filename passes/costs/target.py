"""Targets: levels of the x86-64 psABI with the cache sizes to assume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from penstock.ir.record import Record, replace
from penstock.ir.types import Type, byte_width

if TYPE_CHECKING:
    from penstock.passes.costs.choice import Choice

Level = Literal["x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-bf16"]

ATTRIBUTE = "job.target"
"""The module attribute with the target level, at stage `loops`."""


class Target(Record):
    """A processor model for the passes. Sizes are in bytes.

    The cache sizes are those that all relevant processors of the level have, not this machine's:
    the text of a stage must not depend on where it was compiled.
    """

    name: Level
    vector_bytes: int
    """The width of a vector register."""
    registers: int
    """The number of vector registers."""
    fma: bool
    """Whether there is a fused multiply-add instruction."""
    dots: bool
    """Whether there is an instruction that multiplies pairs of bf16 and adds them to an f32."""
    l1: int
    """The L1 data cache."""
    l2: int
    """The core's private L2 cache."""
    l3: int
    """The share of the L3 cache that one job may assume."""
    passing: int
    """The most bytes of rows that can stream past a task's panels without stalling it."""
    rate: int
    """The bytes per cycle that a core gets from beyond L2 during its work; 0 means enough."""
    ways: int
    """The associativity of L1."""
    ahead: int = 0
    """The prefetch distance in bytes for sequential reads; 0 if hardware prefetching suffices."""
    tiles: Mapping[str, Choice] = field(default_factory=dict)
    """Tuned tilings for contractions of these shapes, in place of the model's."""
    brief: bool = False
    """Whether to prefer small code to speed, for code that runs only while watched."""

    def lanes(self, element: Type) -> int:
        """The number of elements in a vector register.

        >>> from penstock.ir import types as ty
        >>> TARGETS["x86-64-v3"].lanes(ty.f32)
        8
        """
        return self.vector_bytes // byte_width(element)


_V3 = Target(
    name="x86-64-v3",
    vector_bytes=32,
    registers=16,
    fma=True,
    dots=False,
    l1=32 << 10,
    l2=512 << 10,
    l3=16 << 20,
    passing=4 << 20,
    rate=0,
    ways=8,
)
_V4 = replace(
    _V3,
    name="x86-64-v4",
    vector_bytes=64,
    registers=32,
    l2=1 << 20,
    passing=16 << 20,
    rate=64,
    ways=12,
    ahead=2048,
)
TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        replace(
            _V3,
            name="x86-64-v2",
            vector_bytes=16,
            fma=False,
            l2=256 << 10,
            l3=8 << 20,
            passing=2 << 20,
        ),
        _V3,
        _V4,
        replace(_V4, name="x86-64-v4-bf16", dots=True),
    )
}
