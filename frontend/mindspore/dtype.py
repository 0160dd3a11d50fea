"""Element types under MindSpore's names: `float32` prints as `Float32`."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics import dtypes
from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record


class Type(Record, eq=False):
    """One element type; `flow` is the same type of penstock, None if it has none.

    >>> from penstock.mindspore import dtype as mstype
    >>> mstype.float32
    Float32
    """

    name: str
    flow: dtypes.DType | None = None

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    @property
    def is_float(self) -> bool:
        return self.flow is not None and self.flow.is_float


float16 = half = Type("Float16", dtypes.float16)
bfloat16 = Type("BFloat16", dtypes.bfloat16)
float32 = single = float_ = Type("Float32", dtypes.float32)
float64 = double = Type("Float64", dtypes.float64)
int8 = byte = Type("Int8", dtypes.int8)
int16 = short = Type("Int16", dtypes.int16)
int32 = intc = Type("Int32", dtypes.int32)
int64 = intp = int_ = Type("Int64", dtypes.int64)
uint8 = ubyte = Type("UInt8", dtypes.uint8)
uint16 = ushort = Type("UInt16")
uint32 = uintc = Type("UInt32")
uint64 = uintp = Type("UInt64")
bool_ = Type("Bool", dtypes.bool_)
complex64 = Type("Complex64")
complex128 = Type("Complex128")

ALL = (
    float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    bool_, complex64, complex128,
)  # fmt: skip
_OF_FLOW = {one.flow: one for one in ALL if one.flow is not None}
_OF_PYTHON = {bool: bool_, int: int64, float: float32}
PUBLIC = (
    "float16", "half", "bfloat16", "float32", "single", "float_", "float64", "double", "int8",
    "byte", "int16", "short", "int32", "intc", "int64", "intp", "int_", "uint8", "ubyte", "uint16",
    "ushort", "uint32", "uintc", "uint64", "uintp", "bool_", "complex64", "complex128",
)  # fmt: skip
"""The names that `penstock.mindspore` has too."""


def of_flow(dtype: dtypes.DType) -> Type:
    """The type of that name here."""
    return _OF_FLOW[dtype]


def to_flow(value: object, what: str) -> dtypes.DType:
    """The element type of penstock for one of these, of NumPy or of Python; else a located
    TypeError."""
    if isinstance(value, type) and value in _OF_PYTHON:
        value = _OF_PYTHON[value]
    if isinstance(value, Type):
        if value.flow is None:
            raise located(
                TypeError,
                f"{what} cannot be {value}: there are no tensors of it; use one of "
                f"{', '.join(str(one) for one in _OF_FLOW.values())}",
            )
        return value.flow
    if isinstance(value, dtypes.DType | np.dtype | type):
        return dtypes.check_dtype(value, what)
    raise located(
        TypeError,
        f"{what} must be an element type such as mindspore.float32, got {kind_of(value)}",
    )


def dtype_to_nptype(type_: Type) -> Any:
    """The NumPy scalar class of an element type.

    >>> from penstock.mindspore import dtype as mstype
    >>> mstype.dtype_to_nptype(mstype.int32)
    <class 'numpy.int32'>
    """
    return to_flow(type_, "type_ of dtype_to_nptype").numpy.type


def pytype_to_dtype(obj: Any) -> Type:
    """The element type of a Python or NumPy type: `float` gives Float32, `int` Int64."""
    return of_flow(to_flow(obj, "obj of pytype_to_dtype"))
