"""Files that have the elements of variables, or of parts of them, and reading some of these."""

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import FileIO
from typing import Any

import numpy as np

__all__ = ["FileBox", "FileSource"]

Array = np.ndarray[Any, Any]
Place = tuple[slice, ...]

_AT_ONCE = 1 << 23
"""Bytes that are read at once where only some of them are needed."""


class FileBox:
    """A file with a part of a variable: its elements in C order, each little-endian."""

    def __init__(
        self, path: str, origin: tuple[int, ...], shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> None:
        self.path, self.origin, self.shape, self.dtype = path, origin, shape, dtype

    @property
    def place(self) -> Place:
        """The place of the part in the variable."""
        return tuple(slice(o, o + n) for o, n in zip(self.origin, self.shape, strict=True))

    def meets(self, place: Place) -> bool:
        """Whether it has an element of that place."""
        return all(
            max(own.start, part.start) < min(own.stop, part.stop)
            for own, part in zip(self.place, place, strict=True)
        )

    def check(self) -> None:
        """Raise ValueError unless the file has the size of the part."""
        with self._open():
            pass

    def state(self) -> tuple[int, ...]:
        """What differs in another file, and in this one after a change; empty if it is gone."""
        try:
            found = os.stat(self.path)
        except OSError:
            return ()
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def read(self, out: Array, place: Place) -> None:
        """Put those of its elements that are at a place of the variable into an array of these.

        Raises ValueError if the file has another size than the part.
        """
        with self._open() as file:
            if not self.meets(place):
                return
            both = [
                slice(max(own.start, part.start), min(own.stop, part.stop))
                for own, part in zip(self.place, place, strict=True)
            ]
            here = tuple(
                slice(b.start - o, b.stop - o) for b, o in zip(both, self.origin, strict=True)
            )
            there = tuple(
                slice(b.start - p.start, b.stop - p.start) for b, p in zip(both, place, strict=True)
            )
            where: Any = (*there, ...)  # a view, of a tensor without dimensions too
            self._read(file, out[where], here)

    def _read(self, file: FileIO, target: Array, place: Place) -> None:
        """Fill an array with what is at this place of the part."""
        little = self.dtype.newbyteorder("<")
        rows = target.reshape(1) if not self.shape else target
        row = math.prod(self.shape[1:])
        first = place[0].start if place else 0
        is_whole = rows.flags.c_contiguous and rows[:1].size == row and self.dtype == little
        if is_whole:
            self._fill(file, first * row * self.dtype.itemsize, rows)
            return
        step = max(1, _AT_ONCE // (row * self.dtype.itemsize))
        for start in range(0, len(rows), step):
            some = np.empty((min(step, len(rows) - start), *self.shape[1:]), little)
            self._fill(file, (first + start) * row * self.dtype.itemsize, some)
            rows[start : start + len(some)] = some[(slice(None), *place[1:])]

    def _fill(self, file: FileIO, start: int, array: Array) -> None:
        """Fill a contiguous array with the bytes of the file from `start` on."""
        room = array.reshape(-1).view(np.uint8)
        file.seek(start)
        done = 0
        while done < len(room):
            read = file.readinto(room[done:].data)
            if not read:
                raise ValueError(
                    f"{self.path!r} ended after {start + done} of {self._size} bytes; use another "
                    "checkpoint"
                )
            done += read

    @property
    def _size(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    @contextmanager
    def _open(self) -> Iterator[FileIO]:
        with open(self.path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if size != self._size:
                raise ValueError(
                    f"{self.path!r} has {size} bytes, but {self.dtype} of shape {self.shape} takes "
                    f"{self._size}; use another checkpoint"
                )
            yield file


class FileSource:
    """The elements of a variable in files, of which some are read on demand.

    Raises ValueError if a file has another size than its part.
    """

    def __init__(self, folder: str, boxes: Sequence[FileBox]) -> None:
        self._folder = folder
        self._boxes = boxes
        for box in boxes:
            box.check()
        self._states = [box.state() for box in boxes]

    def read(self, out: Array, place: Place) -> None:
        """Put what is at a place of the variable into an array.

        Raises ValueError if a file with some of it has changed in the meantime.
        """
        for box, state in zip(self._boxes, self._states, strict=True):
            if not box.meets(place):
                continue
            if box.state() != state:
                raise ValueError(
                    f"checkpoint file {self._folder!r} has changed or gone since it was loaded, "
                    "and a part of it that no job has needed yet is read now; load one that stays"
                )
            box.read(out, place)
