"""NumPy arrays that stand for registers and memory: types, and a view of any address."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["UNSIGNED", "Array", "at_address", "bytes_of", "spread"]

Array = npt.NDArray[Any]

UNSIGNED: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.uint8),
    2: np.dtype(np.uint16),
    4: np.dtype(np.uint32),
    8: np.dtype(np.uint64),
}
"""Bytes -> the unsigned type of that size."""


class _Place:
    """Tells NumPy where an array is."""

    def __init__(self, address: int, nbytes: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (nbytes,),
            "typestr": "|u1",
            "version": 3,
        }


def at_address(address: int, nbytes: int) -> Array:
    """The bytes at an address of this process. The caller keeps them alive."""
    return np.asarray(_Place(address, nbytes))


def bytes_of(array: Array) -> Array:
    """The bytes of a contiguous array, as a view."""
    return array.reshape(-1).view(np.uint8)


def spread(value: Array, count: int) -> Array:
    """A value for each of `count` lanes; a value of one element is the same for all."""
    return np.broadcast_to(value, (count,)) if len(value) == 1 and count != 1 else value
