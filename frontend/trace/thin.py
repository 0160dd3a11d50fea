"""Public functions that only wrap an op, made from tables of public name and op name.

They have signatures and docstrings: `flow.math.exp(x, name=None)` has its op class's summary.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from penstock.basics.checks import check_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_name
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.opdef import registry
from penstock.trace.blob import Blob, apply, binary

Function = Callable[..., Blob]


def summary(op: str) -> str:
    """The first paragraph of an op's docstring."""
    return inspect.cleandoc(registry[op].__doc__ or "").split("\n\n")[0]


def _named(function: Function, public: str, op: str) -> Function:
    house, _, name = public.rpartition(".")
    function.__name__ = function.__qualname__ = name
    function.__module__ = house.replace("flow", "penstock", 1)
    function.__doc__ = f"{summary(op)}\n\nShapes, element types and the gradient are those of {op}."
    return function


def unary_function(public: str, op: str) -> Function:
    """`f(x, name=None)`"""

    def function(x: Blob, name: str | None = None) -> Blob:
        return apply(op, x, name=name, what=public)[0]

    return _named(function, public, op)


def binary_function(public: str, op: str) -> Function:
    """`f(x, y, name=None)`; one of the two may be a number"""

    def function(x: Blob | float, y: Blob | float, name: str | None = None) -> Blob:
        return binary(op, x, y, name, public)

    return _named(function, public, op)


def public_ops(module: str, family: type[Elementwise]) -> dict[str, str]:
    """The ops of a family that are functions of a public module: the function's name, the op's.

    >>> from penstock.ir.dialects.flow.elementwise import Unary
    >>> public_ops("flow.math", Unary)["exp"]
    'flow.exp'
    """
    return {
        op.name.removeprefix("flow."): op.name
        for op in registry.values()
        if issubclass(op, family) and op.name.startswith("flow.")
        if module in op.public_in and not op.definition.attributes
    }


class Thin:
    """The thin functions of one public module, each made on first use."""

    def __init__(
        self,
        module: str,
        unary: Mapping[str, str],
        binary: Mapping[str, str],
        also: Iterable[str] = (),
    ) -> None:
        self._module = module
        self._unary = unary
        self._binary = binary
        self._made: dict[str, Function] = {}
        self._also = list(also)
        """The names that the module itself defines, for suggestions."""

    def find(self, name: str) -> Function:
        """The function of that name; AttributeError with a suggestion if there is none."""
        if name not in self._made:
            public = f"{self._module}.{name}"
            if name in self._unary:
                self._made[name] = unary_function(public, self._unary[name])
            elif name in self._binary:
                self._made[name] = binary_function(public, self._binary[name])
            else:
                raise no_name(self._module, name)
        return self._made[name]

    def names(self) -> list[str]:
        return sorted({*self._unary, *self._binary, *self._also})


def axis_of(axis: object, rank: int, what: str) -> int:
    """One axis, counted from the end if negative."""
    place = check_integer(axis, f"the axis of {what}")
    if rank == 0:
        raise located(ValueError, f"{what} takes a blob of at least one dimension, got shape ()")
    if not -rank <= place < rank:
        raise located(ValueError, f"the axis of {what} must lie in [{-rank}, {rank}), got {place}")
    return place % rank


def axes_of(axis: object, rank: int, what: str) -> list[int]:
    """Axes from an int, a list, or None for all, in ascending order."""
    if axis is None:
        return list(range(rank))
    listed = axis if isinstance(axis, list | tuple) else [axis]
    axes = sorted(axis_of(one, rank, what) for one in listed)
    if len(set(axes)) != len(axes):
        raise located(ValueError, f"the axes of {what} must differ, got {list(listed)}")
    return axes


def integers_of(values: Any, what: str) -> list[int]:
    """A list of ints from a list or tuple."""
    if not isinstance(values, list | tuple):
        raise located(TypeError, f"{what} must be a list or tuple of ints, got {kind_of(values)}")
    return [check_integer(value, f"each of {what}") for value in values]
