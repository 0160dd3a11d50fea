"""Every tensor op of our dialects with the calls its class provides, for the tests beside this."""

from __future__ import annotations

from collections.abc import Iterator

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.testing import cases
from penstock.testing.cases import Array, Case, is_float, is_float_array, tensor_ops

__all__ = ["OPS", "Array", "Case", "all_cases", "cases_of", "has_facet", "is_float"]
__all__ += ["is_float_array"]

OPS: dict[str, type[TensorOp]] = tensor_ops()


def cases_of(name: str) -> list[Case]:
    return cases.cases_of(OPS[name])


def all_cases() -> Iterator[Case]:
    for name in OPS:
        yield from cases_of(name)


def has_facet(cls: type[TensorOp], facet: str) -> bool:
    """Whether the class, or its family, says something of its own here."""
    if facet == "grad":
        return cls.grad is not TensorOp.grad and not _inherits_failure(cls)
    base = {"infer": Operation.infer, "reference": TensorOp.reference, "lower": TensorOp.lower}
    return getattr(cls, facet) is not base[facet]


def _inherits_failure(cls: type[TensorOp]) -> bool:
    """Whether the family's `grad` asks a method that the class does not give."""
    from penstock.ir.dialects.flow import binary, elementwise

    return (
        cls.grad is elementwise.Unary.grad and cls.derivative is elementwise.Unary.derivative  # type: ignore[attr-defined]
    ) or (
        cls.grad is binary.Arithmetic.grad and cls.partials is binary.Arithmetic.partials  # type: ignore[attr-defined]
    )
