"""`mindspore.Tensor`: a tensor or, in a traced body, a blob, with MindSpore's methods and repr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.basics.errors import did_you_mean, kind_of, located, untraceable
from penstock.mindspore import dtype as types
from penstock.mindspore.dtype import Type
from penstock.mindspore.methods import ROWS
from penstock.mindspore.printing import shown
from penstock.mindspore.rows import Row, bound
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors import creation
from penstock.tensors import tensor as tensors
from penstock.trace.blob import Blob

Array = np.ndarray[Any, Any]
Value = Any
"""A tensor of penstock, or a blob."""


if TYPE_CHECKING:
    _Base = Any  # Most methods come from a table.
else:
    _Base = object


class Tensor(_Base):  # type: ignore[misc]
    """An array of numbers on which the ops of `penstock.mindspore` work.

    `input_data` is a number, nested lists, an array or another tensor. Without a `dtype`, arrays
    keep theirs; Python's floats become Float32, ints Int64. With `shape`, `dtype` and an `init`
    from `penstock.mindspore.initializer`, the elements are those of the initializer.

    Raises a located TypeError or ValueError for data that is not an array of numbers.

    >>> from penstock.mindspore import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> x + 1
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
    >>> print(x)
    [1. 2.]
    """

    __array_priority__ = 1000
    inner: Value

    def __init__(
        self, input_data: Any = None, dtype: Any = None, shape: Any = None, init: Any = None,
        internal: bool = False,
    ) -> None:  # fmt: skip
        wanted = None if dtype is None else types.to_flow(dtype, "dtype of Tensor")
        if input_data is None:
            if init is None or shape is None or wanted is None:
                raise located(
                    ValueError,
                    "Tensor takes input_data, or shape, dtype and init together; got "
                    f"shape {kind_of(shape)}, dtype {kind_of(dtype)}, init {kind_of(init)}",
                )
            extents = (shape,) if isinstance(shape, int) else tuple(shape)
            self.inner = creation.tensor(init.array(extents), wanted)
            return
        given = plain(input_data)
        if isinstance(given, Blob):
            self.inner = ROWS["astype"].function(given, wanted) if wanted else given
            return
        self.inner = creation.tensor(given, wanted)

    # -- what it is ---------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.inner.shape)

    @property
    def dtype(self) -> Type:
        inner = self.inner
        if isinstance(inner, Blob) and is_truth(inner.value):
            return types.bool_
        return types.of_flow(inner.dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return int(self.inner.dtype.numpy.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from an element to the next along each dimension."""
        return self.asnumpy().strides

    @property
    def T(self) -> Tensor:
        """With its dimensions reversed."""
        return wrapped(ROWS["transpose"].function(self.inner))

    def dim(self) -> int:
        """The number of dimensions."""
        return self.ndim

    # -- its numbers --------------------------------------------------------------------------

    def asnumpy(self) -> Array:
        """Its elements as an array that shares their memory.

        Raises a located TypeError while a function is compiled, when there are no elements.
        """
        return numbers_of(self, "asnumpy")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.asnumpy()
        found = array if dtype is None else array.astype(dtype, copy=False)
        return found.copy() if copy and found is array else found

    def item(self, index: Any = None) -> Any:
        """The only element, or the one at an index, as a number of Python."""
        array = numbers_of(self, "item")
        if index is not None:
            return array.item(index)
        if array.size != 1:
            raise located(
                ValueError, f"item needs an index, since the tensor has shape {self.shape}"
            )
        return array.item()

    def __bool__(self) -> bool:
        return bool(self.inner)

    def __int__(self) -> int:
        return int(self.inner)

    def __float__(self) -> float:
        return float(self.inner)

    def __index__(self) -> int:
        return int(self.inner.__index__())

    def __len__(self) -> int:
        return len(self.inner)

    def __iter__(self) -> Iterator[Tensor]:
        return (wrapped(self.inner[i]) for i in range(len(self.inner)))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.inner[plain(index)] = plain(value)

    def __repr__(self) -> str:
        if isinstance(self.inner, Blob):
            return f"Tensor(shape={list(self.shape)}, dtype={self.dtype})"
        return shown(self.inner.numpy(), self.dtype)

    def __str__(self) -> str:
        return repr(self) if isinstance(self.inner, Blob) else str(self.inner.numpy())

    def __format__(self, form: str) -> str:
        return format(self.item(), form) if form else str(self)

    def __hash__(self) -> int:  # As `==` is elementwise.
        return id(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)
        near = did_you_mean(name, (word for word in dir(type(self)) if not word.startswith("_")))
        raise located(AttributeError, f"a tensor has no {name!r}{near}")

    # -- changes and copies -------------------------------------------------------------------

    def init_data(self, *args: Any, **named: Any) -> Tensor:
        """The tensor itself: its elements are always there."""
        return self

    def flush_from_cache(self) -> None:
        """Nothing: there is no cache."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        made = object.__new__(type(self))
        memo[id(self)] = made
        for name, value in self.__dict__.items():
            from copy import deepcopy

            made.__dict__[name] = deepcopy(value, memo)
        return made


def numbers_of(tensor: Tensor, what: str) -> Array:
    """The elements of a tensor, or a located TypeError if it stands for one in a traced body."""
    if isinstance(tensor.inner, Blob):
        raise untraceable(
            TypeError,
            f"{what} needs the elements of a tensor, which has none while a function is compiled; "
            "return the tensor, or call the function in PyNative mode without ms_function",
        )
    array: Array = tensor.inner.numpy()
    return array


def wrapped(value: Value) -> Tensor:
    """A tensor with this value."""
    made = Tensor.__new__(Tensor)
    made.inner = value
    return made


def faced(nest: Any) -> Any:
    """The nest with each tensor of penstock or blob as a tensor of MindSpore."""
    if isinstance(nest, tensors.Tensor | Blob):
        return wrapped(nest)
    if isinstance(nest, tuple | list):
        members = [faced(member) for member in nest]
        return members if isinstance(nest, list) else tuple(members)
    if isinstance(nest, dict):
        return {key: faced(member) for key, member in nest.items()}
    return nest


def plain(nest: Any) -> Any:
    """The nest with the values in place of tensors of MindSpore."""
    if isinstance(nest, Tensor):
        return nest.inner
    if isinstance(nest, tuple | list):
        members = [plain(member) for member in nest]
        return members if isinstance(nest, list) else tuple(members)
    if isinstance(nest, dict):
        return {key: plain(member) for key, member in nest.items()}
    return nest


def check_tensor(value: object, what: str) -> Tensor:
    """`value` if it is a tensor, else a located TypeError."""
    if not isinstance(value, Tensor):
        advice = "; use Tensor(x)" if isinstance(value, np.ndarray | list | tuple) else ""
        raise located(TypeError, f"{what} takes tensors, got {kind_of(value)}{advice}")
    return value


def _method(name: str, row: Row) -> Callable[..., Any]:

    def method(self: Tensor, *args: Any, **named: Any) -> Any:
        given = [plain(one) for one in args]
        if row.has_star and not named:
            return faced(row.function(self.inner, *given))
        values = bound(row.operands, (self.inner, *given), plain(named), name)
        return faced(row.function(*values.values()))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The method `{name}` of tensors, as `{name}{row.shown}`."
    return method


def _operator(name: str, row: Row) -> Callable[..., Any]:
    def operator(self: Tensor, *others: Any) -> Any:
        function = row.function
        return faced(function(self.inner, *[plain(one) for one in others]))

    operator.__name__ = operator.__qualname__ = name
    return operator


for _name, _row in ROWS.items():
    _make = _operator if _name.startswith("__") else _method
    setattr(Tensor, _name, _make(_name, _row))
