"""Methods of blobs: those of tensors that need no values at trace time, and composed operators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any, cast

from penstock.basics.dtypes import DType, check_dtype
from penstock.basics.errors import kind_of, located
from penstock.functions import sorting
from penstock.functions.gradients import stop_gradient
from penstock.functions.ops import where
from penstock.tensor_functions import (
    blob_indexing,
    order,
    pointwise,
    products,
    reductions,
    selecting,
    shapes,
)
from penstock.tensor_functions.blob_hooks import register_hook
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensor_functions.calls import as_type, constant, dim_of
from penstock.tensor_functions.linear_algebra import norm
from penstock.tensor_functions.methods import IN_PLACE, TYPES, changing
from penstock.tensors import creation
from penstock.tensors.device import CPU, Device
from penstock.tensors.inplace import assign
from penstock.trace.blob import Blob, apply, binary, check_blob, constant_blob
from penstock.trace.eager import Eager
from penstock.trace.views import origin

_NEED_NUMBERS = {
    "allclose", "argwhere", "as_strided", "equal", "is_nonzero", "multinomial", "nonzero",
    "slice_update",
}  # fmt: skip
"""Methods of tensors that need the values or the memory, so blobs lack them."""
_OF_SEVERAL = {"cat", "concat", "einsum", "meshgrid", "stack", "tensordot"}
_OTHERS = {"cast", "where"}
"""Methods that blobs define themselves, or have under another name."""


def _truth(value: object, symbol: str) -> None:
    if isinstance(value, Blob) and not value.dtype.is_bool and not is_truth(value.value):
        raise located(
            TypeError,
            f"{symbol} takes results of comparisons and blobs of flow.bool, got blob {value.name} "
            f"of {value.dtype}; compare it first, as in x != 0",
        )


def _logic(name: str, symbol: str) -> Callable[[Any, Any], Blob]:
    def operator(self: Blob, other: Any) -> Blob:
        _truth(self, symbol)
        _truth(other, symbol)
        return binary(name, self, other, what=symbol)

    return operator


def _invert(self: Blob) -> Blob:
    if self.dtype.is_integer and not self.dtype.is_bool and not is_truth(self.value):
        return -self - 1
    _truth(self, "~")
    return apply("flow.logical_not", self, what="~")[0]


def to(self: Blob, *args: Any, dtype: Any = None, **_: Any) -> Any:
    """The blob converted to an element type, or to that of another blob."""
    for one in args:
        if not isinstance(one, DType | Blob | str | Device | bool):
            raise located(TypeError, f"to takes an element type or a blob, got {kind_of(one)}")
        dtype = one if isinstance(one, DType) else one.dtype if isinstance(one, Blob) else dtype
    found: Any = check_blob(self, "to")
    return found if dtype is None else as_type(found, check_dtype(dtype, "dtype of to"))


def size(self: Blob, dim: int | None = None) -> Any:
    """The shape, or one extent of it."""
    shape = self.shape
    return shape if dim is None else shape[dim_of(dim, len(shape), "size")]


def backward(self: Blob, gradient: Any = None) -> None:
    """In `build` of a graph: learn by this loss."""
    if self.trace.tensors is None:
        raise located(
            AttributeError,
            f"blob {self.name} has no 'backward'; give it to an optimizer: "
            "flow.optimizer.SGD(scheduler).minimize(loss)",
        )
    self.trace.tensors.backward(self, gradient)


def _new(name: str) -> Callable[..., Any]:
    """`x.new_zeros(...)` and the like."""
    make = getattr(creation, name)

    def method(self: Blob, *size: Any, dtype: Any = None, device: Any = None) -> Any:
        return constant(make(*size, dtype=dtype or self.dtype, device=device).array, self)

    return method


def _filled(name: str) -> Callable[..., Any]:
    def method(self: Blob, value: Any = 0) -> Any:
        if not isinstance(value, Blob | Eager):
            value = constant_blob(value, (), self.dtype, name)
        return assign(cast(Any, self), value, name)

    return method


def contiguous(self: Blob) -> Blob:
    """In a graph, a copy if the tensor would not lie in row-major order; else the blob itself."""
    tensors = self.trace.tensors
    if tensors is None or not tensors.changes_blobs or origin(self.value)[2].flags.c_contiguous:
        return self
    return apply("flow.identity", self, what="contiguous")[0]


def _same(self: Blob) -> Blob:
    return self


def methods() -> dict[str, Any]:
    """The methods of blobs by name."""
    tables = {
        **pointwise.FUNCTIONS, **reductions.FUNCTIONS, **shapes.FUNCTIONS, **products.FUNCTIONS,
        **selecting.FUNCTIONS, **order.FUNCTIONS,
    }  # fmt: skip
    fitting = {
        name: function
        for name, function in tables.items()
        if name not in _NEED_NUMBERS | _OF_SEVERAL | _OTHERS
    }
    # Of the blobs of a graph: `assign` refuses those of other jobs.
    own: dict[str, Any] = {**fitting, "masked_fill": sorting.masked_fill}
    changes = {f"{name}_": changing(name, own[name]) for name in IN_PLACE if name in own}
    logic = {
        word: _logic(f"flow.logical_{name}", symbol)
        for name, symbol in (("and", "&"), ("or", "|"), ("xor", "^"))
        for word in (f"__{name}__", f"__r{name}__", f"bitwise_{name}")
    }
    return {
        **fitting, **changes, **logic,
        "__invert__": _invert, "bitwise_not": _invert,
        "__pow__": pointwise.pow, "__rpow__": lambda self, other: pointwise.pow(other, self),
        "__matmul__": products.matmul,
        "__rmatmul__": lambda self, other: products.matmul(other, self),
        "__getitem__": blob_indexing.get, "__iter__": blob_indexing.rows,
        "__len__": blob_indexing.length, "_put": blob_indexing.put,
        "backward": backward, "register_hook": register_hook, "device": property(lambda self: CPU),
        "to": to, "astype": to, "type": to, "type_as": to, "size": size,
        "masked_fill": sorting.masked_fill,
        "norm": norm, "argwhere": sorting.argwhere,
        "where": lambda self, condition, other: where(condition, self, other),
        "view_as": lambda self, other: shapes.reshape(self, *other.shape),
        "reshape_as": lambda self, other: shapes.reshape(self, *other.shape),
        "detach": stop_gradient, "contiguous": contiguous, "cpu": _same,
        **{name: _filled(name) for name in ("fill_", "copy_", "zero_")},
        "numel": lambda self: prod(self.shape), "nelement": lambda self: prod(self.shape),
        "dim": lambda self: len(self.shape), "ndimension": lambda self: len(self.shape),
        "ndim": property(lambda self: len(self.shape)),
        "T": property(lambda self: shapes.permute(self, *reversed(range(len(self.shape))))),
        "mT": property(lambda self: shapes.transpose(self, -2, -1)),
        **{f"new_{name}": _new(name) for name in ("zeros", "ones", "empty", "full")},
        **{name: functools.partialmethod(to, dtype) for name, dtype in TYPES.items()},
    }  # fmt: skip
