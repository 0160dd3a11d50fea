"""Every tensor op of our dialects with the calls its class provides, for the tests beside this."""

from __future__ import annotations

from collections.abc import Iterator

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.dialects.flow.base import TensorOp
from penstock.testing import cases
from penstock.testing.cases import Array, Case, is_float_array, tensor_ops

__all__ = ["OPS", "Array", "Case", "all_cases", "cases_of", "is_float_array"]

OPS: dict[str, type[TensorOp]] = tensor_ops()


def cases_of(name: str) -> list[Case]:
    return cases.cases_of(OPS[name])


def all_cases() -> Iterator[Case]:
    for name in OPS:
        yield from cases_of(name)
