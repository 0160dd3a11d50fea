"""One call of one op, with the arrays to try it on."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.diagnostics import IRError, pass_interrupt
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import Sample, TensorOp, tensor
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.dialects.func import Func, Return
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType
from penstock.testing.failures import Failure

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """One call of one op. Its arrays are the same in every run."""

    cls: type[TensorOp]
    number: int
    sample: Sample

    @property
    def types(self) -> list[TensorType]:
        """The types of the operands."""
        return [TensorType(operand.shape, operand.element) for operand in self.sample.inputs]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shapes that distinguish this call."""
        return shapes_of(self.cls, self.sample)

    @property
    def count(self) -> int:
        """The number of elements of all operands."""
        return sum(type.count for type in self.types)

    def arrays(self, drawing: int = 0) -> list[Array]:
        """Operands to try, different for each `drawing`."""
        seed = [zlib.crc32(self.cls.name.encode()), self.number, drawing]
        random = np.random.default_rng(seed if drawing else seed[:2])
        return [
            operand.draw(random)
            if 0 not in operand.shape
            else np.zeros(operand.shape, numpy_dtype(operand.element))
            for operand in self.sample.inputs
        ]

    def create(self, b: Builder, operands: Sequence[Value]) -> TensorOp:
        """The op on these operands, at `b`; IRError if its `infer` rejects them."""
        variadic = any(group.variadic for group in self.cls.definition.operands)
        arguments = [list(operands)] if variadic else list(operands)
        return b.create(self.cls, *arguments, **self.sample.attributes)

    def program(self) -> tuple[Module, TensorOp]:
        """A module whose function `job` is only this call."""
        module = Module.empty("case")
        function = Func.make("job", self.types)
        module.body.append(function)
        b = Builder.at_end(function.body)
        op = self.create(b, function.arguments)
        b.create(Return, op.results)
        function.update_type()
        return module, op

    @cached_property
    def op(self) -> TensorOp:
        """The call, in a program of its own that is not modified."""
        return self.program()[1]

    def reference(self, arrays: Sequence[Array]) -> list[Array]:
        """The results of the op's own reference for these operands."""
        with np.errstate(all="ignore"):
            return computed(self.op, arrays)

    def rounding(self, arrays: Sequence[Array]) -> Sequence[Array | float]:
        """The op's `rounding_on_devices` for these operands, in float64."""
        with np.errstate(all="ignore"):
            return self.op.rounding_on_devices(*arrays)

    def __str__(self) -> str:
        shapes = ", ".join(str(type).removeprefix("tensor") for type in self.types)
        attributes = ", ".join(f"{k}={v}" for k, v in self.sample.attributes.items())
        return f"{self.cls.name}({', '.join(filter(None, (shapes, attributes)))})"


@contextmanager
def trying(what: object) -> Iterator[None]:
    """Failure that names a call or a check, if an exception is raised inside."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        pass_interrupt(error)
        said = str(error).partition("\n")[0]
        if isinstance(error, IRError):
            said = error.diagnostics[0].message
        elif not isinstance(error, ValueError):
            said = f"{type(error).__name__}: {said}"
        call = str(what)
        said = said.removeprefix(f"{call.partition('(')[0]}: ")
        raise Failure(f"{call}: {said}") from error


def shapes_of(cls: type[TensorOp], sample: Sample) -> tuple[tuple[int, ...], ...]:
    """The shapes of the operands; if none has dimensions, also the result's shape from an
    attribute."""
    shapes = tuple(operand.shape for operand in sample.inputs)
    if cls.result_shape and not any(shapes):
        shapes += (tuple(sample.attributes[cls.result_shape]),)
    return shapes


def tensor_ops() -> dict[str, type[TensorOp]]:
    """Every tensor op of the registry, by name."""
    return {n: cls for n, cls in sorted(registry.items()) if issubclass(cls, TensorOp)}


def cases_of(cls: type[TensorOp]) -> list[Case]:
    """The calls that the class provides."""
    return [Case(cls, number, sample) for number, sample in enumerate(cls.samples())]


def in_float64(arrays: Iterable[Array]) -> list[Array]:
    """The arrays, with floats as float64."""
    return [array.astype(np.float64) if is_float_array(array) else array for array in arrays]


def is_float_array(array: Array) -> bool:
    """Whether it holds floats; bfloat16 has its own NumPy kind."""
    return bool(array.dtype.kind == "f" or array.dtype.name == "bfloat16")


def is_float(value: Value) -> bool:
    """Whether it is a tensor of floats."""
    return isinstance(value.type, TensorType) and ty.is_float(tensor(value).element)
