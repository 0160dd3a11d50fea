"""The words for element types in a description, and their NumPy types."""

import sys
from functools import cache
from typing import Any

import numpy as np

__all__ = ["DTYPE_WORDS", "KINDS", "dtype_word", "kind_of", "numpy_dtype"]

_NUMPY_NAMES = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "i1": "bool",
}

DTYPE_WORDS = tuple(_NUMPY_NAMES)

# A word's kind decides which arrays may be converted to it.
KINDS = {word: "float" if "f" in word else "integer" for word in DTYPE_WORDS} | {"i1": "bool"}


@cache
def numpy_dtype(word: str) -> np.dtype[Any]:
    """The NumPy type of a dtype word; ml_dtypes is imported only for `bf16`.

    >>> numpy_dtype("f32")
    dtype('float32')
    """
    if word == "bf16":
        from ml_dtypes import bfloat16

        added: np.dtype[Any] = np.dtype(bfloat16)
        return added
    if word not in _NUMPY_NAMES:
        raise ValueError(
            f"unknown data type {word!r}: expected one of {', '.join(DTYPE_WORDS)}; "
            "rebuild the job or the file that names it"
        )
    return np.dtype(_NUMPY_NAMES[word])


def dtype_word(dtype: np.dtype[Any]) -> str:
    """The word of a NumPy type in either byte order; ValueError if there is none.

    >>> dtype_word(np.dtype(">f4"))
    'f32'
    """
    for word, name in _NUMPY_NAMES.items():
        if dtype.name == name:
            return word
    raise ValueError(
        f"arrays of {dtype} have no data type here: expected one of "
        f"{', '.join(_NUMPY_NAMES.values())}; convert the array with astype first"
    )


def kind_of(dtype: np.dtype[Any]) -> str:
    """`"float"`, `"integer"`, or the type's own name if it is neither.

    >>> kind_of(np.dtype(np.float64)), kind_of(np.dtype(bool))
    ('float', 'bool')
    """
    # bfloat16 is a NumPy type from ml_dtypes; it can only occur once that is imported.
    added = sys.modules.get("ml_dtypes")
    if dtype.kind == "f" or (added is not None and dtype == np.dtype(added.bfloat16)):
        return "float"
    if dtype.kind in "iu":
        return "integer"
    return dtype.name
