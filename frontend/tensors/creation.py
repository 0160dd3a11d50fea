"""Making tensors: from numbers, lists and arrays, or filled by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_number, is_integer
from penstock.basics.dlpack import imported
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
from penstock.tensors.device import device as checked_device
from penstock.tensors.device import layout_of
from penstock.tensors.modes import mode
from penstock.tensors.promotion import default_float, plain_type, set_default_dtype
from penstock.tensors.tensor import DTYPES, Size, Tensor, check_tensor, wrap
from penstock.trace.blob import Blob, check_static
from penstock.trace.tracing import active_trace

Array = np.ndarray[Any, Any]


def tensor(
    data: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    pin_memory: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
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
    return _made(array, device, requires_grad, placement, sbp)


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """As `tensor`, but shares an array's memory, and returns a tensor of that dtype unchanged."""
    if isinstance(data, Tensor):
        from penstock.tensors.execute import cast_to

        return data if dtype is None else cast_to(data, check_dtype(dtype, "dtype").numpy)
    if device is not None:
        checked_device(device)
    return wrap(array_of(data, dtype, "flow.as_tensor"))


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
        array = imported(x)
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
    near = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}
    use = near.get(array.dtype.name, "float32" if array.dtype.kind in "fc" else "int64")
    raise located(
        TypeError,
        f"{what} takes arrays of {', '.join(d.name for d in DTYPES.values())}, got "
        f"{array.dtype}; convert it first, with array.astype(np.{use})",
    )


def _made(
    array: Array, device: Any, requires_grad: bool, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    if device is not None:
        checked_device(device)
    made = wrap(array)
    note_made(made)
    if placement is not None or sbp is not None:
        made.layout = layout_of(placement, sbp, array.ndim, "the tensor")
    return made.requires_grad_(True) if requires_grad else made


def note_made(tensor: Tensor) -> None:
    """Tell a graph or `flow.jit` that traces the caller that its body makes this tensor."""
    trace = active_trace()
    if trace is not None and trace.tensors is not None:
        trace.tensors.made(tensor)


def read(tensor: Tensor) -> None:
    """Tell a graph or `flow.jit` that traces the caller that its body reads these numbers."""
    if mode.traced is not None:
        trace = active_trace()
        if trace is not None and trace.tensors is not None:
            trace.tensors.read(tensor)


def differentiable_result(tensor: Tensor) -> Any:
    """The blob of a tensor with a gradient that an op of the body made that is traced, or None."""
    if mode.traced is None:
        return None
    trace = active_trace()
    if trace is None or trace.tensors is None:
        return None
    blob = trace.tensors.result(tensor)
    return blob if blob is not None and trace.tensors.needs_gradient(blob.value) else None


def size_of(given: Sequence[Any], what: str, size: Any = None) -> tuple[int, ...]:
    """A shape from ints, from one list of ints, or from the argument `size`, one of these."""
    if size is not None:
        if given:
            raise located(TypeError, f"{what} takes its size once, got {given} and size={size}")
        given = (size,)
    sizes = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    found = []
    for extent in sizes:
        if isinstance(extent, Tensor) and extent.ndim == 0:
            extent = extent.item()
        if not is_integer(extent):
            raise located(TypeError, f"the size of {what} must be ints, got {kind_of(extent)}")
        if extent < 0:
            raise located(ValueError, f"the size of {what} must be at least 0, got {extent}")
        found.append(int(extent))
    return tuple(found)


def _type(dtype: DType | None, what: str) -> np.dtype[Any]:
    return (default_float() if dtype is None else check_dtype(dtype, f"dtype of {what}")).numpy


def zeros(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of this size whose elements are 0."""
    made = np.zeros(size_of(shape, "flow.zeros", size), _type(dtype, "flow.zeros"))
    return _made(made, device, requires_grad, placement, sbp)


def ones(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of this size whose elements are 1."""
    made = np.ones(size_of(shape, "flow.ones", size), _type(dtype, "flow.ones"))
    return _made(made, device, requires_grad, placement, sbp)


def empty(
    *shape: Any, size: Any = None, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of this size with uninitialised elements."""
    made = np.empty(size_of(shape, "flow.empty", size), _type(dtype, "flow.empty"))
    return _made(made, device, requires_grad, placement, sbp)


def full(
    size: Any, fill_value: Any, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of this size whose elements are `fill_value`."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    element = plain_type(value) if dtype is None else check_dtype(dtype, "dtype of flow.full")
    shape = size_of([size] if not isinstance(size, int) else (size,), "flow.full")
    return _made(np.full(shape, value, element.numpy), device, requires_grad, placement, sbp)


def _like(input: Tensor, dtype: DType | None, what: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    given: Any = check_static(input, what) if isinstance(input, Blob) else check_tensor(input, what)
    return tuple(given.shape), (given.dtype if dtype is None else check_dtype(dtype, what)).numpy


def zeros_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of the same shape and type whose elements are 0."""
    made = np.zeros(*_like(input, dtype, "flow.zeros_like"))
    return _made(made, device, requires_grad, placement, sbp)


def ones_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of the same shape and type whose elements are 1."""
    made = np.ones(*_like(input, dtype, "flow.ones_like"))
    return _made(made, device, requires_grad, placement, sbp)


def empty_like(
    input: Tensor, dtype: DType | None = None, device: Any = None, requires_grad: bool = False,
    placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of the same shape and type with uninitialised elements."""
    made = np.empty(*_like(input, dtype, "flow.empty_like"))
    return _made(made, device, requires_grad, placement, sbp)


def full_like(
    input: Tensor, fill_value: Any, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor of the same shape and type whose elements are `fill_value`."""
    shape, element = _like(input, dtype, "flow.full_like")
    return _made(np.full(shape, fill_value, element), device, requires_grad, placement, sbp)


def eye(
    n: int, m: int | None = None, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """The identity matrix of n rows and m columns; m is n by default."""
    shape = size_of((n, n if m is None else m), "flow.eye")
    made = np.eye(*shape, dtype=_type(dtype, "flow.eye"))
    return _made(made, device, requires_grad, placement, sbp)


def arange(
    start: Any, end: Any = None, step: Any = 1, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
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
    return _made(made, device, requires_grad, placement, sbp)


def linspace(
    start: float, end: float, steps: int, dtype: DType | None = None, device: Any = None,
    requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """`steps` numbers from start to end, evenly spaced."""
    made = np.linspace(start, end, size_of((steps,), "flow.linspace")[0])
    return _made(made.astype(_type(dtype, "flow.linspace")), device, requires_grad, placement, sbp)


def logspace(
    start: float, end: float, steps: int, base: float = 10.0, dtype: DType | None = None,
    device: Any = None, requires_grad: bool = False, placement: Any = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """`base` raised to `steps` powers from start to end, evenly spaced."""
    made = np.logspace(start, end, size_of((steps,), "flow.logspace")[0], base=base)
    return _made(made.astype(_type(dtype, "flow.logspace")), device, requires_grad, placement, sbp)


def hann_window(
    window_length: int,
    periodic: bool = True,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Hann's window: sin(pi n / N) ** 2, where N is the length, or that less 1 if not periodic."""
    what = "flow.hann_window"
    count = size_of((window_length,), what)[0]
    wanted = _type(dtype, what)
    if np.dtype(wanted).kind in "iub":
        raise located(TypeError, f"{what} gives floats, got dtype {dtype}")
    steps = max(count if periodic else count - 1, 1)
    made = np.sin(np.pi * np.arange(count) / steps) ** 2 if count != 1 else np.ones(1)
    return _made(made.astype(wanted), device, requires_grad)


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
        ("ShortTensor", int16),
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
    "from_numpy", "full", "full_like", "hann_window", "is_tensor", "linspace", "logspace", "ones",
    "ones_like",
    "set_default_tensor_type", "size_of", "tensor", "zeros", "zeros_like",
]  # fmt: skip
