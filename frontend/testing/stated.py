"""The facets that an op, or its family, states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.dialects.flow.elementwise import Composed, Elementwise, Unary
from penstock.testing.failures import Failure

STATED = ("infer", "reference", "grad", "lower", "samples", "docstring")
"""The facets that a class states; all others are derived from these."""
DERIVED = {"differences", "native", "shapes", "sbp", "sbp complete", "sbp sums", "special", "gpu"}
"""Further things that can be waived: gradients equal to differences, native code, enough shapes,
sharding, its completeness, operands that are infinite or NaN, and code for GPUs."""

ASKED: Mapping[str, Sequence[tuple[type[Elementwise], str]]] = {
    "reference": ((Elementwise, "formula"),),
    "grad": ((Unary, "derivative"), (Arithmetic, "partials")),
    "lower": ((Elementwise, "scalar"), (Composed, "composed")),
}
"""The members that families require of their classes in order to state a facet."""


def has_facet(cls: type[TensorOp], facet: str) -> bool:
    """Whether the class or its family states the facet."""
    match facet:
        case "samples":
            return bool(cls.samples())
        case "docstring":
            return bool(cls.__doc__)
        case "infer":
            return cls.infer is not Operation.infer
        case _:
            return getattr(cls, facet) is not getattr(TensorOp, facet) and not _asked(cls, facet)


def _asked(cls: type[TensorOp], facet: str) -> list[str]:
    """The members that the class's family needs for the facet and the class lacks."""
    return [
        asked
        for family, asked in ASKED.get(facet, ())
        if issubclass(cls, family)
        and getattr(cls, facet) is getattr(family, facet)
        and getattr(cls, asked) is getattr(family, asked)
    ]


def check_stated(cls: type[TensorOp]) -> int:
    """The class states each facet or waives it with a reason; returns how many it states."""
    missing = {facet for facet in STATED if not has_facet(cls, facet)}
    waived = set(cls.waived)
    if missing - waived:
        words = [
            f"{facet} (by `{asked[0]}`)" if (asked := _asked(cls, facet)) else facet
            for facet in sorted(missing - waived)
        ]
        raise Failure(f"{cls.name} lacks {', '.join(words)}: give it, or say why not in `waived`")
    idle = waived - missing - DERIVED
    if idle:
        raise Failure(
            f"{cls.name} waives {', '.join(sorted(idle))}, which it has, or which no test checks"
        )
    for facet, reason in cls.waived.items():
        if len(reason) <= 10:
            raise Failure(f"{cls.name} waives {facet}, and gives as the reason {reason!r}")
    return len(STATED) - len(missing)
