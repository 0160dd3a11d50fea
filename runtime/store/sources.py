"""Where the value of a variable comes from that no job has used yet.

A rank that has a part of a variable then makes or reads that part alone.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.dtypes import numpy_dtype

__all__ = ["Initial", "Place", "Source", "initial", "whole"]

Array = np.ndarray[Any, Any]
Place = tuple[slice, ...]


class Source(Protocol):
    """A value that is made or read on demand."""

    def read(self, out: Array, place: Place) -> None:
        """Put what is at a place of the variable into an array."""


class Initial(NamedTuple):
    """The value that the initializer of a variable says."""

    argument: Argument

    def read(self, out: Array, place: Place) -> None:
        """Put what is at a place of the variable into an array."""
        from penstock.runtime.store.initializers import initialize

        name, initializer = self.argument.name, self.argument.initializer
        if out.shape == self.argument.shape:
            initialize(out, name, initializer)
        else:
            initialize(out, name, initializer, self.argument.shape, place)


def initial(argument: Argument) -> Initial:
    """The initial value of a whole variable; ValueError if its initializer is invalid."""
    # Imported here: artifacts have values and don't need it.
    from penstock.runtime.store.initializers import checked

    checked(numpy_dtype(argument.dtype), argument.name, argument.initializer)
    return Initial(argument)


def whole(shape: tuple[int, ...]) -> Place:
    """The place of all elements."""
    return tuple(slice(0, extent) for extent in shape)
