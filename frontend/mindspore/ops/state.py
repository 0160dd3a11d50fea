"""Ops on parameters, which change them in place."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.parameter import Parameter, overwrite
from penstock.mindspore.tensor import Tensor


class Assign:
    """Overwrites the elements of a parameter; returns the parameter.

    >>> import penstock.mindspore as ms
    >>> p = ms.Parameter(ms.Tensor([1.0]), "p")
    >>> print(ms.ops.AssignAdd()(p, ms.Tensor([2.0])).asnumpy())
    [3.]
    """

    def __call__(self, variable: Parameter, value: Any) -> Parameter:
        if not isinstance(variable, Parameter):
            raise located(
                TypeError,
                f"ops.{type(self).__name__}() changes parameters, got {kind_of(variable)}",
            )
        if not isinstance(value, Tensor | int | float):
            raise located(
                TypeError,
                f"ops.{type(self).__name__}() takes a tensor or number as the value, got "
                f"{kind_of(value)}",
            )
        overwrite(variable, self.changed(variable, value))
        return variable

    def changed(self, variable: Parameter, value: Any) -> Any:
        """The new elements."""
        return value


class AssignAdd(Assign):
    """Adds to a parameter; returns the parameter."""

    def changed(self, variable: Parameter, value: Any) -> Any:
        return variable + value


class AssignSub(Assign):
    """Subtracts from a parameter; returns the parameter."""

    def changed(self, variable: Parameter, value: Any) -> Any:
        return variable - value


assign, assign_add, assign_sub = Assign(), AssignAdd(), AssignSub()
