"""Updates all parameters by one kernel, keyed by the ops, their attributes and the shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import element_type
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import job as _job  # noqa: F401 - fills the registry of ops
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.job.update import Update
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType
from penstock.process.forks import making
from penstock.tensors.graph import Line
from penstock.tensors.inplace import overwrite, refuse_traced
from penstock.tensors.kernels import Kernel, function_of
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]


class Rule(NamedTuple):
    """The update of each parameter of a group."""

    op: str
    """The name of the update op."""
    options: tuple[tuple[str, float | bool], ...]
    """Its attributes."""
    penalty: float = 0.0
    """The factor on a parameter that is added to its gradient."""
    maximize: bool = False
    """Whether the gradient is negated first."""

    @property
    def update(self) -> type[Update]:
        """The class of the op."""
        return cast(type[Update], registry[self.op])


class Part(NamedTuple):
    """The parameters of a group that have gradients, and the numbers of this step."""

    rule: Rule
    numbers: Sequence[float]
    """The values of the op's `numbers`; the first is the learning rate."""
    parameters: Sequence[Tensor]
    states: Sequence[Sequence[Tensor]]
    """For each parameter, the tensors of its state."""


_kernels: dict[Any, Kernel] = {}


def apply(parts: Sequence[Part]) -> None:
    """Update all parameters and their state in place, by one native call."""
    feeds: list[Array] = []
    key: list[Any] = []
    for part in parts:
        feeds += [np.array(number, np.float32) for number in part.numbers]
        key += [part.rule, len(part.numbers)]
        for parameter, state in zip(part.parameters, part.states, strict=True):
            gradient = parameter._grad
            assert gradient is not None, "only parameters with gradients are updated"
            feeds += [parameter.array, gradient.array, *(kept.array for kept in state)]
            key.append((parameter.array.shape, parameter.array.dtype))
    if not key:
        return
    refuse_traced("step of an optimizer")
    found = _kernels.get(tuple(key))
    if found is None:
        with making:
            found = _kernels.setdefault(tuple(key), _kernel(parts))
    made = iter(found(*feeds))
    line = Line()
    for part in parts:
        for parameter, state in zip(part.parameters, part.states, strict=True):
            overwrite(parameter, next(made), line)
            for kept in state:
                kept.array = next(made)


def _kernel(parts: Sequence[Part]) -> Kernel:
    number = TensorType((), ty.f32)
    types: list[TensorType] = []
    for part in parts:
        types += [number] * len(part.numbers)
        for parameter, state in zip(part.parameters, part.states, strict=True):
            array = parameter.array
            type = TensorType(array.shape, element_type(array.dtype))
            types += [type] * (2 + len(state))

    def body(b: Builder, arguments: list[Value]) -> Sequence[Value]:
        given = iter(arguments)
        return [value for part in parts for value in _updated(b, part, given)]

    return Kernel(function_of("update", types, body))


def _updated(b: Builder, part: Part, given: Iterator[Value]) -> Iterator[Value]:
    """The new values of each parameter of a group and of its state."""
    rule = part.rule
    numbers = [next(given) for _ in part.numbers]
    for state in part.states:
        variable, gradient = next(given), next(given)
        if rule.maximize:
            gradient = make.negative(b, gradient)
        if rule.penalty:
            gradient = make.add(b, gradient, make.multiply(b, variable, rule.penalty))
        kept = [next(given) for _ in state]
        options: dict[str, Any] = dict(rule.options)
        op = b.create(rule.update, variable, gradient, *numbers, *kept, **options)
        op.verify()
        yield from op.results
