"""Ops whose meaning is an explicit loop nest: sorting, picking out, adding at computed places.

Such an op *stays what it is* when all others become `linalg.generic`: at stage `fused` it stands
alone in a group of its own. What it does on buffers its class writes itself, in `loops`, when
buffers are there. Nothing fuses through it.

How ranks and tasks may share it cannot be read off loops, so the class declares it: `space` names
the dimensions of operands and results; those that are named may be split, all others are blocked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Optional

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.record import Record
from penstock.ir.write.loop_builder import Buffer, LoopBuilder

BLOCKED = None
"""In the place of a dimension's number: it cannot be split."""
Labels = Sequence[Optional[int]]  # noqa: UP045
"""A number, or BLOCKED, for each dimension of a tensor."""


class Space(Record):
    """Which dimensions of operands and results are the same, by numbers.

    `x (3, n), i (3, k) -> y (3, k)`, which is blocked along n and k and may be split along the
    other, is `Space([[0, BLOCKED], [0, BLOCKED]], [[0, BLOCKED]])`.
    """

    operands: Sequence[Labels]
    results: Sequence[Labels]
    sums: Sequence[int] = ()
    """Dimensions over which the results add up: split along these, each rank has a part."""
    added: Sequence[int] = ()
    """The operands that the results begin as: where ranks have parts of a sum, partial sums too."""
    linear: Sequence[int] = ()
    """The operands which may be partial sums together; the results then are partial sums."""


class Kernel(TensorOp):
    """Base of ops that write their own loops."""

    schedule_kind: ClassVar[str] = "tasks"
    """The kind of `flow.schedule` by which a GPU runs it; the passes know what each kind needs."""
    in_place: ClassVar[Mapping[int, int]] = {}
    """Results that may lie in the buffer of an operand, which `loops` then is given for both."""

    def count_flops(self) -> int:
        """Operations on floats in all; comparisons and moves are none."""
        return 0

    def space(self) -> Space:
        """Which dimensions may be split, and what that gives."""
        self.fail("does not declare which dimensions may be split")

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        """Write the loops: every element of every result that has a buffer is written.

        A result that nothing uses has none.
        """
        self.fail("has no loops")

    def lower(self, b: Builder) -> Sequence[Value]:
        """Itself: it has no generics."""
        return self.results
