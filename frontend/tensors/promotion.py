"""Type promotion of two operands, by PyTorch's rules.

Bools are promoted to integers, and integers to floats. Within a kind the wider type wins; bfloat16
and float16 promote to float32, int8 and uint8 to int16. A plain number
or a tensor of rank 0 affects the type only if its kind is the higher one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.checks import is_number
from penstock.basics.dtypes import DType, bool_, check_dtype, float32, int16, int64
from penstock.basics.errors import located
from penstock.tensors.tensor import DTYPES, Tensor, wrap

_WIDTH = {
    "i1": 0, "ui8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8,
    "f16": 2, "bf16": 2, "f32": 4, "f64": 8,
}  # fmt: skip


class _Default:
    float = float32


def default_float() -> DType:
    """The type of floats made without a dtype."""
    return _Default.float


def get_default_dtype() -> DType:
    """The type of floats made without a dtype: `flow.float32` at first."""
    return _Default.float


def set_default_dtype(d: DType) -> None:
    """Make `d` the type of floats made without a dtype."""
    if not check_dtype(d, "d of flow.set_default_dtype").is_float:
        raise located(TypeError, f"the default element type must be one of floats, got {d}")
    _Default.float = d


def is_plain(value: object) -> bool:
    """Whether the value is a number or bool of Python or NumPy."""
    return isinstance(value, bool | np.bool_) or is_number(value)


def _kind(dtype: DType) -> int:
    return 2 if dtype.is_float else 0 if dtype.is_bool else 1


def plain_type(value: Any) -> DType:
    """The type of a number when no tensor decides it: bool, int64 or the default float."""
    if isinstance(value, bool | np.bool_):
        return bool_
    return int64 if isinstance(value, int | np.integer) else default_float()


def _wider(x: DType, y: DType) -> DType:
    if x is y:
        return x
    if _kind(x) != _kind(y):
        return x if _kind(x) > _kind(y) else y
    if _WIDTH[x.word] == _WIDTH[y.word]:
        return float32 if x.is_float else int16
    return x if _WIDTH[x.word] > _WIDTH[y.word] else y


def common_type(x: Any, y: Any) -> DType:
    """The type to which two tensors, or a tensor and a number, are promoted."""
    ranked = []
    for value in (x, y):
        if isinstance(value, Tensor):
            ranked.append((1 if value.array.ndim else 0, DTYPES[value.array.dtype]))
        else:
            ranked.append((-1, plain_type(value)))
    (a, first), (b, second) = ranked
    if a == b:
        return _wider(first, second)
    strong, weak = (first, second) if a > b else (second, first)
    return strong if _kind(strong) >= _kind(weak) else weak


def result_type(x: Any, y: Any) -> DType:
    """The element type of an elementwise op on these two operands.

    >>> import penstock as flow
    >>> flow.result_type(flow.ones(2, dtype=flow.int32), 1.5)
    flow.float32
    """
    return common_type(x, y)


_scalars: dict[tuple[type, Any, np.dtype[Any]], Tensor] = {}


def scalar(value: Any, dtype: np.dtype[Any]) -> Tensor:
    """A number as a cached tensor of rank 0, which callers must not change."""
    # 1 and True differ, and so do 0.0 and -0.0; Python refuses to show the longest integers.
    key = value.__class__, value if isinstance(value, int) else repr(value), dtype
    found = _scalars.get(key)
    if found is None:
        if len(_scalars) > 4096:
            _scalars.clear()
        try:
            with np.errstate(over="ignore"):
                made = np.array(value).astype(dtype)
        except OverflowError:
            raise located(
                OverflowError,
                f"an integer of {value.bit_length()} bits does not fit into a tensor of "
                f"{DTYPES[dtype]}; pass a smaller number",
            ) from None
        found = _scalars[key] = wrap(made)
    return found
