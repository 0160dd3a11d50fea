"""Barriers in shared memory that count arrivals of threads and bytes of copies (`mbarrier`).

A phase ends when as many threads have arrived as the barrier was made for and all bytes that are
expected are there; then the next begins. Phases have the parities 0, 1, 0, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.ir.constraints import ANY, BOOLEAN, INDEX
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.gpu.exchanges import Meeting
from penstock.ir.dialects.gpu.kernel import kernel_of
from penstock.ir.opdef import operand, operands, result
from penstock.ir.types import OpaqueType, Type

BYTES = 8
"""The bytes of one barrier."""
ARRIVED = OpaqueType("!nvgpu.mbarrier.token")
_GROUP = re.compile(
    r"!nvgpu\.mbarrier\.group<memorySpace = #gpu\.address_space<workgroup>, num_barriers = (\d+)>"
)


def barrier_group(count: int) -> OpaqueType:
    """The type of so many barriers."""
    space = "#gpu.address_space<workgroup>"
    return OpaqueType(f"!nvgpu.mbarrier.group<memorySpace = {space}, num_barriers = {count}>")


def barriers_of(op: Operation, value: Value) -> int:
    """How many barriers an operand or a result has; a located error if it is something else."""
    type = value.type
    found = _GROUP.fullmatch(type.text) if isinstance(type, OpaqueType) else None
    if found is None or int(found[1]) < 1:
        op.fail(f"takes {type}: expected {barrier_group(1)}, or more barriers")
    return int(found[1])


class CreateBarriers(Operation):
    """Barriers in memory that the block shares; they must be initialised."""

    name = "nvgpu.mbarrier.create"
    group = result(ANY)
    assembly = "attr-dict `->` type($group)"

    @property
    def count(self) -> int:
        """How many barriers there are."""
        return barriers_of(self, self.group)

    def verify(self) -> None:
        barriers_of(self, self.group)
        if kernel_of(self) is None:
            self.fail("stands outside a gpu.func")


class _OnBarrier(Operation):
    """Base of what is done to one barrier of a group."""

    group = operand(ANY)

    def verify(self) -> None:
        barriers_of(self, self.group)
        predicate = getattr(self, "predicate", ())
        if predicate:
            self.fail("has a predicate: expected none; put it into scf.if")


class InitBarrier(_OnBarrier):
    """Initialise a barrier whose phases end with so many arrivals; one thread does so."""

    name = "nvgpu.mbarrier.init"
    arrivals = operand(INDEX)
    number = operand(INDEX)
    predicate = operands(BOOLEAN)
    assembly = "$group `[` $number `]` `,` $arrivals attr-dict `:` type($group)"


class Arrive(_OnBarrier):
    """Arrive at a barrier; others see what the thread did before once the phase has ended."""

    name = "nvgpu.mbarrier.arrive"
    number = operand(INDEX)
    token = result(ANY)
    assembly = "$group `[` $number `]` attr-dict `:` type($group) `->` type($token)"

    def infer(self) -> Sequence[Type]:
        return [ARRIVED]


class ArriveExpect(_OnBarrier):
    """Arrive at a barrier, and have its phase wait for so many more bytes of copies."""

    name = "nvgpu.mbarrier.arrive.expect_tx"
    count = operand(INDEX)
    number = operand(INDEX)
    predicate = operands(BOOLEAN)
    assembly = "$group `[` $number `]` `,` $count attr-dict `:` type($group)"


class WaitParity(_OnBarrier, Meeting):
    """Wait until a barrier's phase of this parity has ended.

    `ticks` is a hint of nanoseconds, after which the hardware looks again.
    """

    name = "nvgpu.mbarrier.try_wait.parity"
    parity = operand(BOOLEAN)
    ticks = operand(INDEX)
    number = operand(INDEX)
    assembly = "$group `[` $number `]` `,` $parity `,` $ticks attr-dict `:` type($group)"
