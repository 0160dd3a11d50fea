"""The element types of blobs."""

from __future__ import annotations

import contextlib
from typing import Any

import ml_dtypes
import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record


class DType(Record):
    """One element type: `name` in Python, `numpy` for arrays, `word` in the IR.

    >>> import penstock as flow
    >>> flow.float, flow.float.word, flow.float.numpy
    (flow.float32, 'f32', dtype('float32'))
    """

    name: str
    word: str
    numpy: np.dtype[Any]

    def __repr__(self) -> str:
        return f"flow.{self.name}"

    @property
    def is_float(self) -> bool:
        return "f" in self.word

    @property
    def is_integer(self) -> bool:
        return not (self.is_float or self.is_bool or self.is_complex)

    @property
    def is_complex(self) -> bool:
        """Whether it is one of complex numbers, of which only the names exist."""
        return "c" in self.word

    @property
    def is_bool(self) -> bool:
        return self.word == "i1"


float16 = DType("float16", "f16", np.dtype(np.float16))
bfloat16 = DType("bfloat16", "bf16", np.dtype(ml_dtypes.bfloat16))
float32 = DType("float32", "f32", np.dtype(np.float32))
float64 = DType("float64", "f64", np.dtype(np.float64))
int8 = DType("int8", "i8", np.dtype(np.int8))
int16 = DType("int16", "i16", np.dtype(np.int16))
int32 = DType("int32", "i32", np.dtype(np.int32))
int64 = DType("int64", "i64", np.dtype(np.int64))
uint8 = DType("uint8", "ui8", np.dtype(np.uint8))

bool_ = DType("bool", "i1", np.dtype(np.bool_))

complex64 = DType("complex64", "c64", np.dtype(np.complex64))
complex128 = DType("complex128", "c128", np.dtype(np.complex128))
_NAMES_ALONE = (complex64, complex128)
"""Element types that programs may name and compare, but that nothing can have."""

ALL = (float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8, bool_)

# The names that users may write after `flow.`.
NAMES: dict[str, DType] = {
    **{dtype.name: dtype for dtype in ALL},
    "float": float32,
    "double": float64,
    "char": int8,
    "half": float16,
    "short": int16,
    "int": int32,
    "long": int64,
}

_BY_WORD = {dtype.word: dtype for dtype in ALL}
_BY_NUMPY = {dtype.numpy: dtype for dtype in ALL}


def __getattr__(name: str) -> DType:
    # `float` appears only here, so that the module itself keeps Python's.
    if name in NAMES:
        return NAMES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def from_word(word: str) -> DType:
    """The element type of an IR word such as `f32`."""
    return _BY_WORD[word]


def check_dtype(value: object, what: str) -> DType:
    """The element type that `value` is, NumPy's included; else a located TypeError."""
    if isinstance(value, DType):
        if value in _NAMES_ALONE:
            raise located(
                TypeError,
                f"{what} cannot be {value}: there are no complex numbers; keep the real and the "
                "imaginary parts as two tensors",
            )
        return value
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        known = _BY_NUMPY.get(np.dtype(value))
        if known is not None:
            return known
    advice = ""
    if isinstance(value, str) and value in NAMES:  # NumPy's "float" is float64
        advice = f"; write flow.{value}"
    elif value is not None:  # NumPy takes None for float64
        with contextlib.suppress(TypeError):
            wanted = np.dtype(value)  # type: ignore[call-overload]
            advice = next((f"; write {dtype}" for dtype in ALL if dtype.numpy == wanted), "")
    raise located(
        TypeError,
        f"{what} must be an element type such as flow.float32, got {kind_of(value)}{advice}",
    )


def convert_oneflow_dtype_to_numpy_dtype(oneflow_dtype: DType) -> type[Any]:
    """The NumPy scalar class of an element type.

    >>> import penstock as flow
    >>> flow.convert_oneflow_dtype_to_numpy_dtype(flow.int32)
    <class 'numpy.int32'>
    """
    scalar: type[Any] = check_dtype(oneflow_dtype, "oneflow_dtype").numpy.type
    return scalar
