"""`sbp`: where values are and how ranks share them (OneFlow's split, broadcast, partial sum).

States are those of `penstock.ir.dialects.job.sharding`: `S(i)`, `B`, `P`, `P(max)`, `P(min)`. Every
tensor op has, from stage `placed` on, the attributes

    sbp.placement = {device = "cpu", ranks = ["0:0"]}
    sbp.signature = {operands = ["B", "B"], results = ["B"]}

The module has `sbp.ranks`, their number, and if there are several `sbp.mesh`, the extents of their
mesh. Arguments of its job then have `sbp.state`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, STRING
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import (
    Array,
    Constants,
    Folded,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.dialects.job.sharding import axis_states, joined, problem
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type

PLACEMENT = "sbp.placement"
SIGNATURE = "sbp.signature"
RANKS = "sbp.ranks"
MESH = "sbp.mesh"
MACHINE = "sbp.machine"
"""On the module: the machine that it is placed for. Its `links` have latency, bandwidth and the
bandwidth of copies, for each axis of the mesh."""
STATE = "sbp.state"
"""On an argument of the job: the state in which ranks have a feed or a variable. On a fetch: the
state in which each rank returns its part; without it, each returns the whole."""
GROUPS, GROUP = "sbp.groups", "sbp.group"
"""On the module: the groups of ranks that compute its ops, all ranks first, if there are several.
On an op or argument: the number of the group that has it; without it, all ranks have."""
BUCKET = "sbp.bucket"
"""On conversions that follow each other: the number of the collective that does them together."""
LOCAL = "sbp.local"
"""Marks a feed of which each rank is given its part, and not the whole."""
HINT = "sbp.hint"
"""What the program wants: on an op, the states of its results; on an argument, its state."""
DEFERRED = "sbp.deferred"
"""On a conversion: other ops run while its elements are on their way."""
PART = "sbp.part"
"""On a variable or a watched blob of one rank's job: the shape of the whole, and where this rank's
part begins."""
PLACE = "job.place"
"""Marks an argument of one rank's job, an i64: the place of the rank on an axis of a mesh. It is
data, so that ranks whose parts have equal shapes run the same code."""


class Box(TensorOp):
    """The same logical value in another state: converts state `source` to state `target`.

    Shapes: y has the shape of x. Elements: floats and integers. On one rank every state is the
    whole value and nothing moves. With `giver`, the value comes from the group of ranks of this
    number, whose mesh may have another number of axes. Source: boxing in Yuan et al., "OneFlow:
    redesign the distributed deep learning framework from scratch", 2021.

    >>> evaluate("sbp.box", [1.0, 2.0], source="S(0)", target="B")
    array([1., 2.], dtype=float32)
    """

    name = "sbp.box"
    x = operand(TENSOR)
    source = attribute(STRING)
    target = attribute(STRING)
    giver = attribute(INTEGER, optional=True)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "sbp": "it is what changes a state",
        "native": "on one rank it moves nothing: there is no code",
    }

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        for state in (self.source, self.target):
            axes = len(axis_states(state if self.giver is not None else self.source))
            wrong = problem(state, x.rank, axes)
            if wrong:
                self.fail(f"cannot convert {x} from {self.source!r} to {self.target!r}: {wrong}")
        return [x]

    def reference(self, x: Array) -> Sequence[Array]:
        return [x]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """The inverse conversion of states: the gradient of a broadcast value is a partial sum, and
        vice versa.
        """
        (dy,) = gradients
        if dy is None:
            return [None]
        back = {"B": "P", "P": "B"}
        source, target = (
            joined(back.get(state, state) for state in axis_states(states))
            for states in (self.target, self.source)
        )
        return [b.create(Box, dy, source=source, target=target).result]

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if self.source == self.target and self.giver is None else None

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (4,),
            (2,),
            (1,),
            (5,),
            (2, 3),
            (3, 2),
            (1, 4),
            (2, 2, 2),
        )
        states = (("S(0)", "B"), ("B", "S(0)"), ("P", "B"), ("B", "P"))
        return [
            Sample((Input(shape),), {"source": source, "target": target})
            for shape, (source, target) in zip(shapes, states * 2, strict=True)
        ]


def states_of(value: Value) -> list[str]:
    """The possible states of a tensor of this rank; i1 has no partial sums."""
    sums = [] if tensor(value).element is ty.i1 else ["P"]
    return ["B", *sums, *(f"S({d})" for d in range(tensor(value).rank))]
