"""Named sets of types that operands and results are declared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from penstock.ir import types as ty
from penstock.ir.types import Type


@dataclass(frozen=True, slots=True)
class Constraint:
    """`description` completes "expected ..."; `irdl` is the constraint op that states it."""

    description: str
    accepts: Callable[[Type], bool]
    irdl: str = "irdl.any"


def _scalar_or_vector(test: Callable[[Type], bool]) -> Callable[[Type], bool]:
    return lambda type: test(ty.element_of(type))


ANY = Constraint("any type", lambda type: True)
TENSOR = Constraint(
    "a tensor", lambda type: isinstance(type, ty.TensorType), 'irdl.base "!builtin.tensor"'
)
FLOAT_TENSOR = Constraint(
    "a tensor of floats",
    lambda type: isinstance(type, ty.TensorType) and isinstance(type.element, ty.FloatType),
    'irdl.base "!builtin.tensor"',
)
INTEGER_TENSOR = Constraint(
    "a tensor of integers",
    lambda type: isinstance(type, ty.TensorType) and isinstance(type.element, ty.IntegerType),
    'irdl.base "!builtin.tensor"',
)
MEMREF = Constraint("a memref", lambda type: isinstance(type, ty.MemRefType))
VECTOR = Constraint("a vector", lambda type: isinstance(type, ty.VectorType))
INDEX = Constraint("an index", lambda type: type is ty.index)
FLOAT = Constraint(
    "a float or a vector of floats", _scalar_or_vector(lambda t: isinstance(t, ty.FloatType))
)
INTEGER = Constraint(
    "a signless integer, an index or a vector of these",
    _scalar_or_vector(lambda t: t is ty.index or (isinstance(t, ty.IntegerType) and not t.sign)),
)
BOOLEAN = Constraint("an i1 or a vector of i1", _scalar_or_vector(lambda t: t is ty.i1))
