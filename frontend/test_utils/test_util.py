"""Combinations of arguments, and types by name, under OneFlow's names."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics import dtypes
from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located

__all__ = [
    "Array2Numpy", "Coordinate2Index", "FlattenArray", "GenArgDict", "GenArgList",
    "GenCartesianProduct", "Index2Coordinate", "type_name_to_flow_type", "type_name_to_np_type",
]  # fmt: skip

type_name_to_flow_type: dict[str, DType] = {
    **{dtype.numpy.name: dtype for dtype in dtypes.ALL},
    "double": dtypes.float64,
    "half": dtypes.float16,
}
"""Our type of each name."""
type_name_to_np_type: dict[str, Any] = {
    name: dtype.numpy.type for name, dtype in type_name_to_flow_type.items()
}
"""NumPy's type of each name."""


def GenCartesianProduct(sets: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """All combinations of one member of each; "cuda" is left out if tests use the CPU alone."""
    chosen = [list(one) for one in sets]
    if os.environ.get("ONEFLOW_TEST_CPU_ONLY"):
        chosen = [[member for member in one if not _is_cuda(member)] for one in chosen]
    return itertools.product(*chosen)


def _is_cuda(member: Any) -> bool:
    return isinstance(member, str) and member == "cuda"


def GenArgList(arg_dict: Mapping[str, Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """All combinations of one value for each name.

    >>> list(GenArgList({"x": [1, 2], "y": ["a"]}))
    [(1, 'a'), (2, 'a')]
    """
    for name, values in arg_dict.items():
        if not isinstance(values, list | tuple):
            raise located(
                TypeError, f"{name!r} of GenArgList needs a list of values, got {kind_of(values)}"
            )
    return GenCartesianProduct(arg_dict.values())


def GenArgDict(arg_dict: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The same as dictionaries.

    >>> GenArgDict({"x": [1, 2], "y": ["a"]})
    [{'x': 1, 'y': 'a'}, {'x': 2, 'y': 'a'}]
    """
    return [dict(zip(arg_dict, values, strict=True)) for values in GenArgList(arg_dict)]


def FlattenArray(input_array: Any) -> list[Any]:
    """The elements of an array as a list."""
    found: list[Any] = np.asarray(input_array).ravel().tolist()
    return found


def Array2Numpy(input_array: Any, target_shape: Sequence[int]) -> np.ndarray[Any, Any]:
    """The elements as an array of that shape."""
    return np.asarray(input_array).reshape(tuple(target_shape))


def Index2Coordinate(idx: int, tensor_shape: Sequence[int]) -> list[int]:
    """The position in each dimension of an element, from its row-major index.

    >>> Index2Coordinate(5, [2, 3])
    [1, 2]
    """
    return [int(i) for i in np.unravel_index(idx, tuple(tensor_shape))]


def Coordinate2Index(coordinate: Sequence[int], tensor_shape: Sequence[int]) -> int:
    """The row-major index of an element, from its position in each dimension.

    >>> Coordinate2Index([1, 2], [2, 3])
    5
    """
    return int(np.ravel_multi_index(tuple(coordinate), tuple(tensor_shape)))
