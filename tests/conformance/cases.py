"""Every tensor op of our dialects with the calls its class provides, for the tests beside this."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import Sample, TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType

Array = np.ndarray[Any, Any]
OPS: dict[str, type[TensorOp]] = {
    name: cls for name, cls in sorted(registry.items()) if issubclass(cls, TensorOp)
}


@dataclass(frozen=True)
class Case:
    """One call of one op: its arrays are the same on every run."""

    name: str
    number: int
    sample: Sample

    @property
    def cls(self) -> type[TensorOp]:
        return OPS[self.name]

    @property
    def types(self) -> list[TensorType]:
        return [TensorType(given.shape, given.element) for given in self.sample.inputs]

    def arrays(self) -> list[Array]:
        random = np.random.default_rng([zlib.crc32(self.name.encode()), self.number])
        return [given.draw(random) for given in self.sample.inputs]

    def create(self, b: Builder, operands: Sequence[Value]) -> TensorOp:
        """The op on these operands, at `b`."""
        variadic = any(group.variadic for group in self.cls.definition.operands)
        given = [list(operands)] if variadic else list(operands)
        return b.create(self.cls, *given, **self.sample.attributes)

    def program(self) -> tuple[Module, TensorOp]:
        """A module whose function `job` is this call and no more."""
        module = Module.empty("case")
        function = Func.make("job", self.types)
        module.body.append(function)
        b = Builder.at_end(function.body)
        op = self.create(b, function.arguments)
        b.create(Return, op.results)
        function.update_type()
        return module, op

    def __str__(self) -> str:
        shapes = ",".join(str(type).removeprefix("tensor") for type in self.types)
        return f"{self.name}-{self.number}-{shapes}"


def cases_of(name: str) -> list[Case]:
    return [Case(name, i, sample) for i, sample in enumerate(OPS[name].samples())]


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


def is_float_array(array: Array) -> bool:
    """Whether it holds floats; bfloat16 is of a kind of its own."""
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def is_float(value: Value) -> bool:
    type = value.type
    return isinstance(type, TensorType) and ty.is_float(type.element)
