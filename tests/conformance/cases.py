"""Every tensor op of our dialects with its calls, for the tests beside this."""

from __future__ import annotations

from collections.abc import Iterator

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.dialects.flow.base import TensorOp
from penstock.testing import cases
from penstock.testing.cases import Case, tensor_ops
from penstock.testing.native import derived_cases

__all__ = ["OPS", "all_cases", "cases_of"]

OPS: dict[str, type[TensorOp]] = tensor_ops()


def cases_of(name: str) -> list[Case]:
    """The calls that the class itself provides."""
    return cases.cases_of(OPS[name])


def all_cases() -> Iterator[Case]:
    """Those, and the calls of other shapes and dtypes that are made from them."""
    for name, cls in OPS.items():
        yield from cases_of(name)
        yield from derived_cases(cls)
