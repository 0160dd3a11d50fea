"""Making tensors: from numbers, lists and arrays, or filled by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_number, is_integer
from penstock.basics.dtypes import (
    DType,
    bfloat16,
    bool_,
    check_dtype,
    float16,
    float32,
    float64,
    int8,
    int32,
    int64,
    uint8,
)
from penstock.basics.errors import kind_of, located
from penstock.tensors.device import device as checked_device
from penstock.tensors.promotion import default_float, plain_type, set_default_dtype
from penstock.tensors.tensor import DTYPES, Size, Tensor, check_tensor, wrap

Array = np.ndarray[Any, Any]


def tensor(
    data: Any,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor with a copy of these numbers: a number, nested lists, an array or a tensor.

    Without a `dtype`, arrays keep theirs; Python's floats become the default float type, ints
    int64. Raises a located TypeError or ValueError for data that is not an array of numbers.

    >>> import penstock as flow
    >>> flow.tensor([[1., -1.], [1., -1.]])
    tensor([[ 1., -1.],
            [ 1., -1.]], dtype=penstock.float32)
    """
    array = array_of(data, dtype, "flow.tensor")
    if isinstance(data, np.ndarray | Tensor) and np.may_share_memory(array, np.asarray(data)):
        array = array.copy()
    return _made(array, device, requires_grad)


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """As `tensor`, but shares an array's memory, and returns a tensor of that dtype unchanged."""
    if isinstance(data, Tensor):
        from penstock.tensors.execute import cast_to

        return data if dtype is None else cast_to(data, check_dtype(dtype, "dtype").numpy)
    return _made(array_of(data, dtype, "flow.as_tensor"), device, False)


def from_numpy(ndarray: Array) -> Tensor:
    """A tensor that shares its memory with an array.

    >>> import numpy as np
    >>> import penstock as flow
    >>> numbers = np.zeros(2, np.float32)
    >>> x = flow.from_numpy(numbers)
    >>> numbers[0] = 1
    >>> x
    tensor([1., 0.], dtype=penstock.float32)
    """
    if not isinstance(ndarray, np.ndarray):
        raise located(TypeError, f"flow.from_numpy takes an array, got {kind_of(ndarray)}")
    return wrap(_known(ndarray, "flow.from_numpy"))


def from_dlpack(x: Any) -> Tensor:
    """A tensor that shares its memory with an array or tensor of another library."""
    try:
        array = np.from_dlpack(x)
    except (AttributeError, TypeError, BufferError, RuntimeError) as error:
        raise located(
            TypeError,
            f"flow.from_dlpack takes an object that exports DLPack, got {kind_of(x)}: {error}",
        ) from None
    return wrap(_known(array, "flow.from_dlpack"))


def array_of(data: Any, dtype: DType | None, what: str, default: bool = False) -> Array:
    """The numbers as an array of type `dtype`; with `default`, the default float if it is None."""
    wanted = None if dtype is None else check_dtype(dtype, f"dtype of {what}").numpy
    if isinstance(data, Tensor):
        array = data.array
    elif isinstance(data, np.ndarray | np.generic):
        array = np.asarray(data)
    else:
        array = _from_lists(data, what)
        if wanted is None and array.dtype.kind == "f":
            wanted = default_float().numpy
    if wanted is None and default:
        wanted = default_float().numpy
    if wanted is not None and array.dtype != wanted:
        with np.errstate(all="ignore"):
            array = array.astype(wanted)
    return _known(array, what)


def _from_lists(data: Any, what: str) -> Array:
    if isinstance(data, list | tuple) and _has_tensors(data):
        data = _plain(data)
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise located(ValueError, f"{what} needs lists of one length: {error}") from None
    if array.dtype.kind not in "fiub":
        if array.size == 0:
            return array.astype(np.float64)
        raise located(TypeError, f"{what} takes numbers, lists and arrays, got {kind_of(data)}")
    if array.size == 0 and isinstance(data, list | tuple):
        return array.astype(np.float64)
    return array


def _has_tensors(data: Any) -> bool:
    return any(
        isinstance(one, Tensor) or (isinstance(one, list | tuple) and _has_tensors(one))
        for one in data
    )


def _plain(data: Any) -> Any:
    if isinstance(data, Tensor):
        return data.tolist()
    return [_plain(one) for one in data] if isinstance(data, list | tuple) else data


def _known(array: Array, what: str) -> Array:
    """The array, if its type is one of tensors; else a located TypeError."""
    if array.dtype in DTYPES and array.dtype.isnative:
        # Native code compares dtypes by identity, so use one object for each.
        kept = DTYPES[array.dtype].numpy
        return array if array.dtype is kept else array.view(kept)
    near = {"int16": "int32", "uint16": "int32", "uint32": "int64", "uint64": "int64"}
    use = near.get(array.dtype.name, "float32" if array.dtype.kind in "fc" else "int64")
    raise located(
        TypeError,
        f"{what} takes arrays of {', '.join(d.name for d in DTYPES.values())}, got "
        f"{array.dtype}; convert it first, with array.astype(np.{use})",
    )


def _made(array: Array, device: Any, requires_grad: bool) -> Tensor:
    if device is not None:
        checked_device(device)
    made = wrap(array)
    return made.requires_grad_(True) if requires_grad else made


def size_of(given: Sequence[Any], what: str) -> tuple[int, ...]:
    """A shape from ints, or from one list of ints."""
    sizes = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    found = []
    for size in sizes:
        if isinstance(size, Tensor) and size.ndim == 0:
            size = size.item()
        if not is_integer(size):
            raise located(TypeError, f"the size of {what} must be ints, got {kind_of(size)}")
        if size < 0:
            raise located(ValueError, f"the size of {what} must be at least 0, got {size}")
        found.append(int(size))
    return tuple(found)


def _type(dtype: DType | None, what: str) -> np.dtype[Any]:
    return (default_float() if dtype is None else check_dtype(dtype, f"dtype of {what}")).numpy


def zeros(
    *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of this size whose elements are 0."""
    return _made(
        np.zeros(size_of(size, "flow.zeros"), _type(dtype, "zeros")), device, requires_grad
    )


def ones(
    *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of this size whose elements are 1."""
    return _made(np.ones(size_of(size, "flow.ones"), _type(dtype, "ones")), device, requires_grad)


def empty(
    *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of this size with uninitialised elements."""
    return _made(
        np.empty(size_of(size, "flow.empty"), _type(dtype, "empty")), device, requires_grad
    )


def full(
    size: Any,
    fill_value: Any,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of this size whose elements are `fill_value`."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    element = plain_type(value) if dtype is None else check_dtype(dtype, "dtype of flow.full")
    shape = size_of([size] if not isinstance(size, int) else (size,), "flow.full")
    return _made(np.full(shape, value, element.numpy), device, requires_grad)


def _like(input: Tensor, dtype: DType | None, what: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    given = check_tensor(input, what)
    return given.array.shape, (given.dtype if dtype is None else check_dtype(dtype, what)).numpy


def zeros_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the same shape and type whose elements are 0."""
    return _made(np.zeros(*_like(input, dtype, "flow.zeros_like")), device, requires_grad)


def ones_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the same shape and type whose elements are 1."""
    return _made(np.ones(*_like(input, dtype, "flow.ones_like")), device, requires_grad)


def empty_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the same shape and type with uninitialised elements."""
    return _made(np.empty(*_like(input, dtype, "flow.empty_like")), device, requires_grad)


def full_like(
    input: Tensor,
    fill_value: Any,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of the same shape and type whose elements are `fill_value`."""
    shape, element = _like(input, dtype, "flow.full_like")
    return _made(np.full(shape, fill_value, element), device, requires_grad)


def eye(
    n: int,
    m: int | None = None,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The identity matrix of n rows and m columns; m is n by default."""
    shape = size_of((n, n if m is None else m), "flow.eye")
    return _made(np.eye(*shape, dtype=_type(dtype, "flow.eye")), device, requires_grad)


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step and so on, below `end`; a single argument is the end, and start is 0.

    Without a `dtype` the elements are int64, or the default float if an argument is a float.
    """
    start, end, step = (n.item() if isinstance(n, Tensor) else n for n in (start, end, step))
    if end is None:
        start, end = 0, start
    numbers = [check_number(n, "each number of flow.arange") for n in (start, end, step)]
    first, last, by = numbers
    if by == 0 or (last - first) * by < 0:
        raise located(
            ValueError,
            f"flow.arange needs a step that leads from start to end, got {first}, {last}, {by}",
        )
    whole = all(is_integer(n) for n in (start, end, step))
    element = dtype or (int64 if whole else default_float())
    kind: Any = np.int64 if whole else np.float64
    made = np.arange(start, end, step, dtype=kind).astype(check_dtype(element, "dtype").numpy)
    return _made(made, device, requires_grad)


def linspace(
    start: float,
    end: float,
    steps: int,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` numbers from start to end, evenly spaced."""
    made = np.linspace(start, end, size_of((steps,), "flow.linspace")[0])
    return _made(made.astype(_type(dtype, "flow.linspace")), device, requires_grad)


def logspace(
    start: float,
    end: float,
    steps: int,
    base: float = 10.0,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`base` raised to `steps` powers from start to end, evenly spaced."""
    made = np.logspace(start, end, size_of((steps,), "flow.logspace")[0], base=base)
    return _made(made.astype(_type(dtype, "flow.logspace")), device, requires_grad)


class TensorType:
    """A constructor of tensors of one element type, from a shape or data: `flow.FloatTensor`."""

    def __init__(self, name: str, dtype: DType) -> None:
        self.__name__ = name
        self.dtype = dtype

    def __call__(self, *data: Any, device: Any = None) -> Tensor:
        return Tensor(*data, dtype=self.dtype, device=device)

    def __repr__(self) -> str:
        return f"penstock.{self.__name__}"


TENSOR_TYPES: dict[str, TensorType] = {
    name: TensorType(name, dtype)
    for name, dtype in (
        ("FloatTensor", float32), ("DoubleTensor", float64), ("HalfTensor", float16),
        ("BFloat16Tensor", bfloat16), ("CharTensor", int8), ("ByteTensor", uint8),
        ("IntTensor", int32), ("LongTensor", int64), ("BoolTensor", bool_),
    )
}  # fmt: skip
"""The constructors by their names under `flow`."""


def set_default_tensor_type(t: Any) -> None:
    """Make the type of a constructor, such as `flow.FloatTensor`, the default of floats."""
    name = t if isinstance(t, str) else getattr(t, "__name__", "")
    found = TENSOR_TYPES.get(str(name).rpartition(".")[2])
    if found is None:
        known = ", ".join(f"flow.{one}" for one in TENSOR_TYPES)
        raise located(
            TypeError, f"t of flow.set_default_tensor_type is one of {known}, got {kind_of(t)}"
        )
    set_default_dtype(found.dtype)


def is_tensor(obj: object) -> bool:
    """Whether the object is a tensor."""
    return isinstance(obj, Tensor)


__all__ = [
    "Size", "arange", "array_of", "as_tensor", "empty", "empty_like", "eye", "from_dlpack",
    "from_numpy", "full", "full_like", "is_tensor", "linspace", "logspace", "ones", "ones_like",
    "set_default_tensor_type", "size_of", "tensor", "zeros", "zeros_like",
]  # fmt: skip
