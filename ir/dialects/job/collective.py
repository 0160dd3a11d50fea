"""Collectives: what the ranks of a group exchange in the middle of a step."""

from __future__ import annotations

from typing import Any, ClassVar

from penstock.ir.codecs import INTEGERS, STRING, UNIT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.callout import OutsideCall
from penstock.ir.opdef import attribute, operand, operands, results

REDUCTIONS = ("sum", "max", "min")
_REDUCING = ("all_reduce", "reduce_scatter")
KINDS = (*_REDUCING, "all_gather", "all_to_all")


class Collective(OutsideCall):
    """Exchange elements with the other ranks of a group: y = f(x of each rank).

        %y = "sbp.collective"(%x) {kind = "all_gather", ranks = array<i64: 0, 1>,
            counts = array<i64: 3, 2>} : (tensor<3xf32>) -> tensor<5xf32>

    Shapes: tensors of rank 1, whose elements are parts, one for each of `ranks`, in that order.
    Elements: floats and integers. `counts` has the elements of each part:

        all_reduce      y is the reduction of every rank's x; one count, of all elements
        all_gather      y is the x of every rank, one after the other
        reduce_scatter  y is the reduction of this rank's part of every rank's x
        all_to_all      y is this rank's part of every rank's x; `counts` are the parts of x,
                        `receives` those of y

    A `reduction` is "sum", "max" or "min". If it is `deferred`, y has its elements after an
    `sbp.await`; other ops may run meanwhile. It has an effect: no pass removes, repeats or reorders
    it, since every rank of the group must get to it. Source: the collectives of MPI-4.1, chapter 6.
    """

    name = "sbp.collective"
    xs = operands(TENSOR)
    ys = results(TENSOR)
    kind = attribute(STRING)
    reduction = attribute(STRING, optional=True)
    ranks = attribute(INTEGERS)
    counts = attribute(INTEGERS)
    receives = attribute(INTEGERS, optional=True)
    deferred = attribute(UNIT, optional=True)

    symbol: ClassVar[str] = "penstock_collective_"
    key: ClassVar[str] = "sbp.collective"

    def verify(self) -> None:
        if self.kind not in KINDS:
            self.fail(f"expected a kind of {', '.join(KINDS)}, got {self.kind!r}")
        reduction = REDUCTIONS if self.kind in _REDUCING else (None,)
        if self.reduction not in reduction:
            words = ", ".join(map(str, reduction))
            self.fail(f"expected a reduction of {words} for {self.kind}, got {self.reduction!r}")
        if len(self.operands) != 1 or len(self.results) != 1:
            self.fail("expected one operand and one result")
        if len(set(self.ranks)) != len(self.ranks) or not self.ranks or min(self.ranks) < 0:
            self.fail(f"expected distinct ranks, got {list(self.ranks)}")
        parts = 1 if self.kind == "all_reduce" else len(self.ranks)
        for counts in (self.counts, self.receives):
            if counts is not None and (len(counts) != parts or min(counts) < 0):
                self.fail(f"expected {parts} counts of at least 0, got {list(counts)}")
        if (self.receives is not None) != (self.kind == "all_to_all"):
            self.fail("expected receives for all_to_all, and for nothing else")
        self._verify_sizes()

    def _verify_sizes(self) -> None:
        x, y = tensor(self.xs[0]), tensor(self.ys[0])
        if x.rank != 1 or y.rank != 1 or x.element is not y.element:
            self.fail(f"expected tensors of rank 1 and of one element type, got {x} and {y}")
        whole = [sum(self.counts)]
        taken, made = {
            "all_reduce": (whole, whole),
            "all_gather": (self.counts, whole),
            "reduce_scatter": (whole, self.counts),
            "all_to_all": (whole, [sum(self.receives or ())]),
        }[self.kind]
        if x.count not in taken or y.count not in made:
            self.fail(f"expected as many elements as counts say, got {x} and {y}")

    def described(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"kind": self.kind}
        facts |= {"reduction": self.reduction} if self.reduction else {}
        facts |= {"ranks": list(self.ranks), "counts": list(self.counts)}
        facts |= {"receives": list(self.receives)} if self.receives is not None else {}
        return facts | ({"deferred": True} if self.deferred else {})


class Await(OutsideCall):
    """Wait for a deferred collective of y from x; what reads y comes after it.

        "sbp.await"(%y, %x) : (tensor<8xf32>, tensor<4xf32>) -> ()

    Shapes: those of the collective. Until then x must stay as it is, and y must not be read.
    """

    name = "sbp.await"
    y = operand(TENSOR)
    x = operand(TENSOR)

    symbol: ClassVar[str] = "penstock_await_"
    key: ClassVar[str] = ""

    @property
    def awaited(self) -> Operation | None:
        """The collective, by whose number the function is called."""
        return self.y.defining_op

    def verify(self) -> None:
        made = self.awaited
        if not isinstance(made, Collective) or self.x is not made.operands[0]:
            self.fail("expected the result of an sbp.collective and its operand")
        if not made.deferred:
            self.fail("expected a deferred collective")
