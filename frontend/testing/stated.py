"""Which facets an op has of its own, or of its family."""

from __future__ import annotations

from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.dialects.flow.elementwise import Unary
from penstock.testing.failures import Failure

STATED = ("infer", "reference", "grad", "lower", "samples", "docstring")
"""The facets that a class states; all others are derived from these."""
DERIVED = {"native", "shapes", "sbp", "sbp complete", "sbp sums"}
"""What else can be waived: native code, enough shapes, sharing, and that it is all of it."""


def has_facet(cls: type[TensorOp], facet: str) -> bool:
    """Whether the class, or its family, states the facet."""
    match facet:
        case "samples":
            return bool(cls.samples())
        case "docstring":
            return bool(cls.__doc__)
        case "grad":
            return cls.grad is not TensorOp.grad and not _asks_in_vain(cls)
        case "infer":
            return cls.infer is not Operation.infer
        case _:
            return getattr(cls, facet) is not getattr(TensorOp, facet)


def _asks_in_vain(cls: type[TensorOp]) -> bool:
    """Whether the family's `grad` asks a method that the class does not give."""
    pairs = ((Unary, "derivative"), (Arithmetic, "partials"))
    return any(
        cls.grad is family.grad and getattr(cls, method) is getattr(family, method)
        for family, method in pairs
        if issubclass(cls, family)
    )


def check_stated(cls: type[TensorOp]) -> int:
    """The class states each facet or waives it with a reason; how many it states."""
    missing = {facet for facet in STATED if not has_facet(cls, facet)}
    waived = set(cls.waived)
    if missing - waived:
        raise Failure(
            f"{cls.name} lacks {', '.join(sorted(missing - waived))}: give it, or say why not in "
            "`waived`"
        )
    idle = waived - missing - DERIVED
    if idle:
        raise Failure(f"{cls.name} waives {', '.join(sorted(idle))}, which it has, or nobody asks")
    for facet, reason in cls.waived.items():
        if len(reason) <= 10:
            raise Failure(f"{cls.name} waives {facet}, and says as the reason {reason!r}")
    return len(STATED) - len(missing)
