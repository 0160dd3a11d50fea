"""How a program sees values that ranks share: wanted states, and values of which each rank has its
own.

A *local* value is one of the mirrored view: each rank has its own, of a shape of its own. It comes
from a feed with the attribute `sbp.mirrored` or from `sbp.to_local`, and all that is computed of it
is local, up to `sbp.from_local`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.codecs import STRING
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import STORED, Gradients
from penstock.ir.dialects.flow.elementwise import Unary
from penstock.ir.dialects.job.sbp import HINT
from penstock.ir.opdef import attribute

MIRRORED = "sbp.mirrored"
"""Marks a feed of which each rank gets an array of its own."""


class Cast(Unary):
    """The operand itself, which may be in another state: y = x.

    Shapes: y has the shape of x. Elements: any. With `gradient`, the gradient of x is in that
    state. `sbp.hint` says in which state y is. Source: OneFlow's parallel_cast.

    >>> evaluate("sbp.cast", [1, 2])
    array([1, 2], dtype=int32)
    """

    name = "sbp.cast"
    public_in = ()
    moves = True
    elements = STORED
    formula = staticmethod(lambda x, gradient=None: x)
    gradient = attribute(STRING, optional=True)

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        if self.gradient is None:
            return gradients
        return [None if dy is None else hinted(b, dy, self.gradient) for dy in gradients]


class ToLocal(Unary):
    """What all ranks have, as a value of each rank: y = x.

    Shapes: y has the shape of x. Elements: any. The gradient of x is the sum of the ranks'
    gradients. Source: OneFlow's DistributeClone.

    >>> evaluate("sbp.to_local", [1, 2])
    array([1, 2], dtype=int32)
    """

    name = "sbp.to_local"
    public_in = ()
    moves = True
    elements = STORED
    formula = staticmethod(lambda x: x)
    fixed_signatures = ((("B",), ("B",)),)
    waived: ClassVar[Mapping[str, str]] = {"sbp": "it says what the ranks have"}

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [None if dy is None else b.create(FromLocal, dy).result for dy in gradients]


class FromLocal(Unary):
    """The sum of the values of each rank.

    Shapes: y has the shape of x. Elements: any. On one rank, y = x. Source: OneFlow's
    DistributeAdd.

    >>> evaluate("sbp.from_local", [1, 2])
    array([1, 2], dtype=int32)
    """

    name = "sbp.from_local"
    public_in = ()
    moves = True
    elements = STORED
    formula = staticmethod(lambda x: x)
    fixed_signatures = ((("B",), ("P",)),)
    waived: ClassVar[Mapping[str, str]] = {"sbp": "it says what the ranks have"}

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [None if dy is None else b.create(ToLocal, dy).result for dy in gradients]


def hinted(b: Builder, x: Value, state: str, gradient: str | None = None) -> Value:
    """x, which is wanted in a state."""
    cast = b.create(Cast, x, gradient=gradient)
    cast.attributes[HINT] = to_attribute([state])
    return cast.result
