"""`mindspore.Parameter`: a named tensor that training changes, and tuples of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located
from penstock.mindspore.tensor import Tensor, check_tensor, plain, wrapped
from penstock.nn.modules.parameter import Parameter as FlowParameter
from penstock.tensors import tensor as tensors
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad


class Parameter(Tensor):
    """A tensor that belongs to a cell, by a name, and that training changes.

    `default_input` is a tensor, an array or a number, of which it has a copy.

    >>> from penstock.mindspore import Parameter, Tensor
    >>> Parameter(Tensor([1.0]), name="z")
    Parameter (name=z, shape=(1,), dtype=Float32, requires_grad=True)
    """

    def __init__(
        self, default_input: Any, name: str | None = None, requires_grad: bool = True,
        layerwise_parallel: bool = False, parallel_optimizer: bool = True,
    ) -> None:  # fmt: skip
        if name is not None and not isinstance(name, str):
            raise located(TypeError, f"name of Parameter must be a string, got {kind_of(name)}")
        value = plain(Tensor(default_input))
        if not isinstance(value, tensors.Tensor):
            raise located(
                TypeError,
                "a parameter is made of numbers, which a tensor has none of while a function is "
                "compiled; make it in __init__ of the cell",
            )
        self._requires_grad = check_flag(requires_grad, "requires_grad of Parameter")
        self.inner = FlowParameter(value, requires_grad and value.dtype.is_float)
        self.name = "Parameter" if name is None else name
        self.has_name = name is not None
        """Whether the program named it; otherwise its cell does."""

    @property
    def requires_grad(self) -> bool:
        """Whether it is trained."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self._requires_grad = check_flag(value, "requires_grad of a parameter")
        if self.inner.dtype.is_float:
            self.inner.requires_grad_(value)

    @property
    def data(self) -> Parameter:
        return self

    def value(self) -> Tensor:
        """A tensor that shares its elements."""
        return wrapped(self.inner.detach())

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Overwrite its elements by those of a tensor of its shape; returns itself.

        Raises a located ValueError for another shape.
        """
        given = check_tensor(data, "set_data of a parameter") if not _is_number(data) else data
        shape = () if not isinstance(given, Tensor) else given.shape
        if shape != self.shape and not slice_shape:
            raise located(
                ValueError,
                f"set_data of parameter {self.name!r} takes a tensor of shape {self.shape}, got "
                f"{shape}",
            )
        if slice_shape and shape != self.shape:
            self.inner.array = plain(Tensor(given)).array
            return self
        overwrite(self, given)
        return self

    assign_value = set_data

    def clone(self, init: str = "same") -> Parameter:
        """A parameter with the same elements, or with those of an initializer's name."""
        if init == "same":
            return Parameter(self.value(), self.name, self.requires_grad)
        from penstock.mindspore.initializer import initializer

        return Parameter(initializer(init, self.shape, self.dtype), self.name, self.requires_grad)

    def __repr__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __str__ = __repr__


def overwrite(parameter: Parameter, value: Any) -> None:
    """Overwrite the elements of a parameter, in a compiled function in each call."""
    with no_grad():
        given = plain(value)
        if not hasattr(given, "shape"):
            given = plain(Tensor(given, parameter.dtype))
        assign(parameter.inner, given, f"a change of parameter {parameter.name!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of parameters, such as those that a gradient is taken by.

    >>> from penstock.mindspore import Parameter, ParameterTuple, Tensor
    >>> [p.name for p in ParameterTuple([Parameter(Tensor([1.0]), "w")])]
    ['w']
    """

    def __new__(cls, iterable: Iterable[Parameter]) -> ParameterTuple:
        members = tuple(iterable)
        for one in members:
            if not isinstance(one, Parameter):
                raise located(
                    TypeError, f"ParameterTuple takes parameters, got {kind_of(one)} among them"
                )
        return super().__new__(cls, members)

    def clone(self, prefix: str, init: str = "same") -> ParameterTuple:
        """Copies of all, their names with a prefix."""
        copies = [one.clone(init) for one in self]
        for one in copies:
            one.name = f"{prefix}.{one.name}"
        return ParameterTuple(copies)
