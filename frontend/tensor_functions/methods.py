"""Methods and operators of tensors; each calls the function of that name with the tensor first."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.basics.dtypes import (
    DType,
    bfloat16,
    bool_,
    check_dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions import (
    linear_algebra,
    order,
    pointwise,
    products,
    random_numbers,
    reductions,
    selecting,
)
from penstock.tensor_functions import shapes as shapes_
from penstock.tensor_functions.calls import pair
from penstock.tensors.device import Device
from penstock.tensors.device import device as checked_device
from penstock.tensors.execute import binary
from penstock.tensors.inplace import assign, assign_result, reshape_in_place
from penstock.tensors.modes import mode
from penstock.tensors.native import Operator, operators
from penstock.tensors.promotion import is_plain, scalar
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob

_FUNCTIONS: dict[str, Any] = {
    **pointwise.FUNCTIONS, **reductions.FUNCTIONS, **shapes_.FUNCTIONS, **products.FUNCTIONS,
    **selecting.FUNCTIONS, **order.FUNCTIONS,
    "norm": linear_algebra.p_norm, "det": linear_algebra.det, "inverse": linear_algebra.inv,
    "bernoulli": random_numbers.bernoulli,
}  # fmt: skip
_NO_METHODS = {
    "slice",
    "hstack",
    "vstack",
    "dstack",
    "column_stack",
    "row_stack",
    "cat",
    "concat",
    "stack",
    "meshgrid",
    "where",
    "einsum",
    "tensordot",
}

IN_PLACE = (
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "pow", "clamp", "clip",
    "clamp_min", "clamp_max", "abs", "neg", "exp", "log", "sqrt", "rsqrt", "square", "floor",
    "ceil", "round", "sigmoid", "tanh", "relu", "sin", "cos", "reciprocal", "sign", "trunc",
    "fmod", "remainder", "lerp", "addcmul", "addcdiv", "masked_fill", "scatter", "scatter_add",
    "frac", "floor_divide", "logical_not", "erf", "erfinv", "tril", "triu", "addmm", "cumsum",
    "negative", "index_add",
    "eq", "ne", "lt", "le", "gt", "ge", "bernoulli",
)  # fmt: skip
"""Functions with an in-place method, named with a trailing `_`."""
_RESHAPING = ("squeeze", "unsqueeze", "transpose", "t", "contiguous", "as_strided")
"""Functions that rearrange the elements, with an in-place method."""

_OPERATORS = {
    "add": "flow.add", "sub": "flow.subtract", "mul": "flow.multiply", "truediv": "flow.divide",
    "floordiv": "flow.floor_divide", "mod": "flow.floor_mod",
}  # fmt: skip
_COMPARISONS = {
    "eq": "flow.equal", "ne": "flow.not_equal", "lt": "flow.less", "le": "flow.less_equal",
    "gt": "flow.greater", "ge": "flow.greater_equal",
}  # fmt: skip
TYPES = {
    "float": float32, "double": float64, "half": float16, "bfloat16": bfloat16, "int": int32,
    "long": int64, "short": int16, "char": int8, "byte": uint8, "bool": bool_,
}  # fmt: skip


def _operator(method: str, name: str, symbol: str, turned: bool = False) -> None:
    """Add an operator to the class of tensors."""

    def operator(self: Tensor, other: Any) -> Any:
        if not (isinstance(other, Tensor | np.ndarray) or is_plain(other)):
            return NotImplemented
        x, y = (other, self) if turned else (self, other)
        return binary(name, x, y, symbol)

    _add_operator(method, operator, name, turned)


def _add_operator(
    method: str, function: Any, name: str, turned: bool = False, changes: bool = False
) -> None:
    setattr(Tensor, method, function)
    operators.append(Operator(method, function, name, reversed=turned, changes=changes))


def changing(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    @functools.wraps(function)
    def method(self: Tensor, *args: Any, **named: Any) -> Tensor:
        made = function(self, *args, **named)
        if made.shape != self.shape:
            raise located(
                RuntimeError,
                f"{name}_ cannot change the shape {tuple(self.shape)} to {tuple(made.shape)}",
            )
        return assign(self, made, f"{name}_")

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"Apply `{name}` in place, and return the tensor."
    return method


def _reshaping(name: str) -> Callable[..., Tensor]:
    function = getattr(shapes_, name, None) or globals()[name]

    @functools.wraps(function)
    def method(self: Tensor, *args: Any, **named: Any) -> Tensor:
        return reshape_in_place(self, function(self, *args, **named), f"{name}_")

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"Apply `{name}` in place, and return the tensor."
    return method


def _changing_operator(name: str) -> Callable[[Tensor, Any], Any]:
    def operator(self: Tensor, other: Any) -> Any:
        if not (isinstance(other, Tensor | np.ndarray) or is_plain(other)):
            return NotImplemented
        return assign_result(self, pair(name, self, other))

    return operator


def to(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, copy: bool = False,
       **_: Any) -> Tensor:  # fmt: skip
    """The tensor converted to an element type, to that of another tensor, or to a device.

    Returns the tensor itself if nothing changes, unless `copy` is True.
    """
    for one in args:
        if isinstance(one, DType):
            dtype = one
        elif isinstance(one, Tensor | Blob):
            dtype = one.dtype
        elif isinstance(one, str | Device):
            device = one
        elif not isinstance(one, bool):
            raise located(
                TypeError, f"to takes an element type, a device or a tensor, got {kind_of(one)}"
            )
    if device is not None:
        checked_device(device)
    made = self if dtype is None else pointwise.cast(self, check_dtype(dtype, "dtype of to"))
    return shapes_.clone(made) if copy and made is self else made


def type_as(self: Tensor, other: Tensor) -> Tensor:
    """The tensor with the element type and the placement of another one."""
    made = to(self, other.dtype)
    if other.layout is None or other.layout == made.layout:
        return made
    return shapes_.to_global(made, other.placement, other.sbp)


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or one extent of it."""
    return self.shape if dim is None else self.array.shape[dim]


def stride(self: Tensor, dim: int | None = None) -> Any:
    """The stride of each dimension, or of one, in elements."""
    steps = tuple(step // self.array.itemsize for step in self.array.strides)
    return steps if dim is None else steps[dim]


def copy_(self: Tensor, other: Tensor) -> Tensor:
    """Copy the elements of another tensor into this one, and return it."""
    if isinstance(other, Blob):
        return assign(self, other, "copy_")
    given = other if isinstance(other, Tensor) else wrap(np.asarray(other, self.array.dtype))
    if given.node is not None:
        given = shapes_.clone(given)  # hooks of one tensor are not those of the other
    return assign(self, _instead_of(self, given), "copy_")


def _instead_of(old: Tensor, new: Tensor) -> Tensor:
    """`new`, such that the gradient of what `old` was made of is 0, as in PyTorch."""
    if old.node is None or not mode.records:
        return new
    made: Tensor = pointwise.where(wrap(np.zeros((), np.bool_)), old, new)
    return made


def fill_(self: Tensor, value: Any) -> Tensor:
    """Set all elements to one value, and return the tensor."""
    if isinstance(value, Blob):
        return assign(self, value, "fill_")
    given = value if isinstance(value, Tensor) else scalar(value, self.array.dtype)
    if given.node is not None:
        given = shapes_.clone(given)
    return assign(self, _instead_of(self, given), "fill_")


def uniform_(self: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill the tensor with floats drawn uniformly from [a, b)."""
    drawn = random_numbers.rand(*self.shape, dtype=self.dtype, generator=generator)
    moved = pair("flow.add", pair("flow.multiply", drawn, b - a), a)
    return assign(self, _instead_of(self, moved), "uniform_")


def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill the tensor with floats drawn from a normal distribution."""
    drawn = random_numbers.randn(*self.shape, dtype=self.dtype, generator=generator)
    moved = pair("flow.add", pair("flow.multiply", drawn, std), mean)
    return assign(self, _instead_of(self, moved), "normal_")


def _converting(name: str, dtype: DType) -> Callable[[Tensor], Tensor]:
    def method(self: Tensor) -> Tensor:
        return to(self, dtype)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The tensor as {dtype}."
    return method


def _new(name: str) -> Callable[..., Tensor]:
    from penstock.tensors import creation

    make = getattr(creation, name)

    def method(self: Tensor, *shape: Any, size: Any = None, dtype: Any = None,
               **options: Any) -> Tensor:  # fmt: skip
        given = shape if size is None else (size, *shape)
        wanted: Tensor = make(*given, dtype=dtype or self.dtype, **options)
        return wanted

    method.__name__ = method.__qualname__ = f"new_{name}"
    method.__doc__ = f"As `flow.{name}`, with this tensor's element type by default."
    return method


def new(self: Tensor, *data: Any, device: Any = None) -> Tensor:
    """As `flow.Tensor`, with this tensor's element type and placement; empty without arguments."""
    made = Tensor(*(data or (0,)), dtype=self.dtype, device=device)
    if self.layout is not None:
        made.layout = self.layout
    return made


def new_tensor(self: Tensor, data: Any, dtype: Any = None, device: Any = None,
               requires_grad: bool = False) -> Tensor:  # fmt: skip
    """As `flow.tensor`, with this tensor's element type by default."""
    from penstock.tensors.creation import tensor

    return tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad)


def contiguous(self: Tensor) -> Tensor:
    """The tensor itself if its elements lie in row-major order, else a row-major copy."""
    return self if self.array.flags.c_contiguous else shapes_.clone(self)


def _simple() -> dict[str, Any]:
    return {
        "to": to, "size": size, "stride": stride, "copy_": copy_, "fill_": fill_,
        "uniform_": uniform_, "normal_": normal_, "new_tensor": new_tensor, "new": new,
        "contiguous": contiguous,
        "type_as": type_as,
        "cpu": lambda self: self,
        "cuda": lambda self, device=None: to(self, "cuda"),
        "astype": lambda self, dtype: to(self, dtype),
        "type": lambda self, dtype=None: f"penstock.{self.dtype.name}" if dtype is None
        else to(self, dtype),
        "dim": lambda self: self.array.ndim,
        "ndimension": lambda self: self.array.ndim,
        "numel": lambda self: self.array.size,
        "nelement": lambda self: self.array.size,
        "element_size": lambda self: self.array.itemsize,
        "get_device": lambda self: -1,
        "is_contiguous": lambda self: bool(self.array.flags.c_contiguous),
        "storage_offset": lambda self: (
            self.array.__array_interface__["data"][0]
            - self.root.array.__array_interface__["data"][0]
        ) // self.array.itemsize,
        "data_ptr": lambda self: self.array.__array_interface__["data"][0],
        "zero_": lambda self: fill_(self, 0),
        "detach_": _detach_,
        "view_as": lambda self, other: shapes_.view(self, *other.shape),
        "reshape_as": lambda self, other: shapes_.reshape(self, *other.shape),
        "unfold": unfold,
        "where": lambda self, condition, other: pointwise.where(condition, self, other),
        "argwhere": selecting.argwhere,
        **{f"new_{name}": _new(name) for name in ("zeros", "ones", "empty", "full")},
        "to_global": shapes_.to_global, "to_local": shapes_.to_local,
        **{name: _converting(name, dtype) for name, dtype in TYPES.items()},
    }  # fmt: skip


def _detach_(self: Tensor) -> Tensor:
    self.node = None
    self._requires_grad = False
    return self


def unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of this size along a dimension, `step` apart, as a new last dimension."""
    extent = self.array.shape[dimension]
    starts = range(0, extent - size + 1, step)
    windows = [shapes_.narrow(self, dimension, start, size) for start in starts]
    at = dimension % self.array.ndim
    return shapes_.movedim(shapes_.stack(windows, at), at + 1, -1)


def _product(self: Tensor, other: Any) -> Any:
    return products.matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def attach() -> None:
    """Add the methods to the class of tensors."""
    for name, function in _FUNCTIONS.items():
        if name not in _NO_METHODS:
            setattr(Tensor, name, function)
    for name in IN_PLACE:
        setattr(Tensor, f"{name}_", changing(name, _FUNCTIONS[name]))
    for name in _RESHAPING:
        setattr(Tensor, f"{name}_", _reshaping(name))
    for name, method in _simple().items():
        setattr(Tensor, name, method)
    for word, named in _OPERATORS.items():
        _operator(f"__{word}__", named, word)
        _operator(f"__r{word}__", named, word, turned=True)
        _add_operator(f"__i{word}__", _changing_operator(named), named, changes=True)
    for word, named in _COMPARISONS.items():
        _operator(f"__{word}__", named, word)
    _add_operator("__matmul__", _product, "flow.matmul")
    setattr(Tensor, "__hash__", object.__hash__)  # noqa: B010 - setting __eq__ took it
    others: dict[str, Any] = {
        "__neg__": pointwise.FUNCTIONS["negative"],
        "__rmatmul__": lambda self, other: products.matmul(other, self),
        "__pow__": pointwise.pow, "__rpow__": lambda self, other: pointwise.pow(other, self),
        "__ipow__": lambda self, other: assign(self, pointwise.pow(self, other), "an assignment"),
        "__abs__": pointwise.FUNCTIONS["abs"], "__pos__": lambda self: self,
        "__invert__": pointwise.bitwise_not, "__and__": pointwise.bitwise_and,
        "__or__": pointwise.bitwise_or, "__xor__": pointwise.bitwise_xor,
        "__rand__": pointwise.bitwise_and, "__ror__": pointwise.bitwise_or,
        "__rxor__": pointwise.bitwise_xor,
        "T": property(lambda self: shapes_.permute(self, *reversed(range(self.array.ndim)))),
        "mT": property(lambda self: shapes_.transpose(self, -2, -1)),
        "is_floating_point": lambda self: self.dtype.is_float,
        "nbytes": property(lambda self: self.array.nbytes),
    }  # fmt: skip
    for name, method in others.items():
        setattr(Tensor, name, method)


attach()
