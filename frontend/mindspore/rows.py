"""Rows of tables of functions: names, and a function that says what they compute.

The function calls functions of tensors by their public names, `f.name`, those of
`flow.nn.functional`, or ops that have no function of their own. So no row defines an op, and values
may be tensors or, in a traced body, blobs. Keyword-only parameters are the options that a primitive
gets when it is made; the others are the operands of its call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from penstock.basics.errors import counted, did_you_mean, located
from penstock.ir.record import Record
from penstock.tensor_functions.faces import functions

Function = Callable[..., Any]
Parameters = Mapping[str, inspect.Parameter]


class _Functions:
    """The functions of tensors, found when they are first used."""

    def __getattr__(self, name: str) -> Any:
        if name not in functions():
            raise AttributeError(f"no function of tensors is called {name!r}")
        found = functions()[name]
        setattr(self, name, found)
        return found


f: Any = _Functions()
"""`f.matmul` is `flow.matmul` of tensors."""


class Row(Record, eq=False):
    """Names, and what they compute.

    >>> row = Row(("Add", "add"), lambda x, y, *, alpha=1: x + alpha * y)
    >>> list(row.operands), list(row.options)
    (['x', 'y'], ['alpha'])
    """

    names: tuple[str, ...]
    function: Function

    @cached_property
    def _parameters(self) -> Parameters:
        return inspect.signature(self.function).parameters

    @cached_property
    def operands(self) -> Parameters:
        """The parameters of a call."""
        return {n: p for n, p in self._parameters.items() if p.kind is not p.KEYWORD_ONLY}

    @cached_property
    def options(self) -> Parameters:
        """The parameters that a primitive gets when it is made."""
        return {
            name: one.replace(kind=one.POSITIONAL_OR_KEYWORD)
            for name, one in self._parameters.items()
            if one.kind is one.KEYWORD_ONLY
        }

    @cached_property
    def has_star(self) -> bool:
        """Whether it takes any number of operands."""
        return any(one.kind is one.VAR_POSITIONAL for one in self.operands.values())

    @property
    def shown(self) -> str:
        """`(x, y)`, or with options `(alpha=1)(x, y)`"""
        both = [self.options, self.operands] if self.options else [self.operands]
        return "".join(f"({', '.join(map(str, one.values()))})" for one in both)


def rows_of(table: Mapping[str, Function]) -> list[Row]:
    """The rows of a table by names."""
    return [Row(tuple(names.split()), function) for names, function in table.items()]


def bound(
    parameters: Parameters, args: tuple[Any, ...], named: Mapping[str, Any], what: str
) -> dict[str, Any]:
    """The values of parameters, by name, defaults included; or a located TypeError."""
    names = list(parameters)
    if len(args) > len(names):
        raise located(
            TypeError,
            f"{what} takes {_listed(parameters)}, got {counted(len(args), 'argument')}",
        )
    values = dict(zip(names, args, strict=False))
    for name, value in named.items():
        if name not in parameters:
            near = did_you_mean(name, parameters)
            raise located(TypeError, f"{what} takes {_listed(parameters)}, and no {name!r}{near}")
        if name in values:
            raise located(TypeError, f"{what} was given {name} twice")
        values[name] = value
    for name, parameter in parameters.items():
        if name not in values:
            if parameter.default is parameter.empty:
                raise located(
                    TypeError, f"{what} takes {_listed(parameters)}, and {name} is missing"
                )
            values[name] = parameter.default
    return {name: values[name] for name in parameters}


def _listed(parameters: Parameters) -> str:
    """`(x, y, axis=0)`, or `no argument`"""
    shown = ", ".join(str(parameter) for parameter in parameters.values())
    return f"({shown})" if shown else "no argument"
