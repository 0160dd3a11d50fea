"""Which facets an op has of its own, or of its family."""

from __future__ import annotations

from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.dialects.flow.elementwise import Unary

STATED = ("infer", "reference", "grad", "lower", "samples", "docstring")
"""The facets that a class states; all others are derived from these."""


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
