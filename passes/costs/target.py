"""What code is lowered for: levels of the x86-64 psABI, and the caches to count on."""

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
"""The attribute by which a module at stage `loops` names its level."""


class Target(Record):
    """A processor as the passes know it; sizes are in bytes.

    The caches are what every processor of the level that matters has, not this machine's: the
    text of a stage shall not depend on where it was made.
    """

    name: Level
    vector_bytes: int
    """The width of a vector register."""
    registers: int
    """How many vector registers there are."""
    fma: bool
    """Whether a fused multiplication and addition is one instruction."""
    dots: bool
    """Whether one instruction multiplies pairs of bf16 and adds both products to a f32."""
    l1: int
    """The data cache next to a core."""
    l2: int
    """The core's own second cache."""
    l3: int
    """What one job may count on of the cache that cores share."""
    passing: int
    """How many bytes of rows pass by a task's panels as fast as these use them."""
    rate: int
    """How many bytes of them a core gets per cycle from beyond L2 beside its work; 0: enough."""
    ways: int
    """In how many places of L1 the line of an address may be."""
    ahead: int = 0
    """How many bytes ahead a loop asks the memory for what it reads in order; 0 where processors
    do that well enough by themselves."""
    tiles: Mapping[str, Choice] = field(default_factory=dict)
    """Choices that were tuned for contractions of these shapes, in place of the model's."""
    brief: bool = False
    """Whether little code counts for more than speed: what is lowered runs only while watched."""

    def lanes(self, element: Type) -> int:
        """How many elements a vector register holds.

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
