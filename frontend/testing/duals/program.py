"""The program that a run records: what it created, called and set, and the same as Python code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.ir.location import Location
from penstock.ir.record import Record

Array = np.ndarray[Any, Any]


class Root(Record):
    """The package itself."""


class Variable(Record):
    """The result of a statement, by its number."""

    number: int


class Attribute(Record):
    """An attribute of what an expression gives."""

    of: Any
    name: str


class Given(Record, eq=False):
    """A value that the test itself brings."""

    value: Any


Expression = Root | Variable | Attribute | Given


class Source(Record, eq=False):
    """A tensor that the program starts from."""

    result: Variable
    array: Array
    requires_grad: bool


class Call(Record, eq=False, frozen=False):
    """A call: `target(*args, **named)`; expressions stand for what was computed before."""

    result: Variable
    target: Expression
    args: tuple[Any, ...]
    named: Mapping[str, Any]
    location: Location
    before: Mapping[int, Array]
    """Copies of the tensors among the arguments, by the numbers of their variables."""
    made: Any = None
    """What it returned: a copy of the module if it is one."""
    after: Sequence[Array] | None = None
    """Copies of the tensors that it returned; None if it returned something else."""
    records: bool = True
    """Whether gradients were recorded."""
    is_source: bool = False
    """Whether it makes a tensor from no other one."""

    @property
    def name(self) -> str:
        """The function's name, such as `nn.functional.relu`; a method's follows a dot."""
        return name_of(self.target)


class Assignment(Record, eq=False):
    """An attribute that was set."""

    target: Attribute
    value: Any


Statement = Source | Call | Assignment


def name_of(expression: Expression) -> str:
    """The dotted name of a function of the package; `.name` for a method of a value.

    >>> name_of(Attribute(Attribute(Root(), "nn"), "relu")), name_of(Attribute(Variable(1), "sum"))
    ('nn.relu', '.sum')
    """
    parts: list[str] = []
    inner = expression
    while isinstance(inner, Attribute):
        parts.append(inner.name)
        inner = inner.of
    name = ".".join(reversed(parts))
    return f".{name}" if parts and isinstance(inner, Variable) else name


def evaluated(expression: Expression, root: Any, values: Mapping[int, Any]) -> Any:
    """What an expression gives, if variables have these values."""
    if isinstance(expression, Root):
        return root
    if isinstance(expression, Variable):
        return values[expression.number]
    if isinstance(expression, Given):
        return expression.value
    return getattr(evaluated(expression.of, root, values), expression.name)


def replaced(value: Any, change: Callable[[Expression], Any]) -> Any:
    """An argument with its expressions replaced, inside of tuples, lists, dicts and slices too."""
    if isinstance(value, Root | Variable | Attribute | Given):
        return change(value)
    if isinstance(value, tuple):
        return tuple([replaced(member, change) for member in value])
    if isinstance(value, list):
        return [replaced(member, change) for member in value]
    if isinstance(value, dict):
        return {key: replaced(member, change) for key, member in value.items()}
    if isinstance(value, slice):
        return slice(*[replaced(v, change) for v in (value.start, value.stop, value.step)])
    return value


def used(*values: Any) -> list[int]:
    """The numbers of the variables in arguments and expressions."""
    found: list[int] = []

    def note(expression: Expression) -> Expression:
        inner = expression
        while isinstance(inner, Attribute):
            inner = inner.of
        if isinstance(inner, Variable):
            found.append(inner.number)
        return expression

    replaced(list(values), note)
    return found
