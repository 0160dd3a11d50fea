"""One variable on disk: a folder with its elements in `out`, and shape and dtype in `meta`.

`out` holds the elements in C order, each little-endian, and nothing else. `meta` is text:

    shape: 512 784
    dtype: f32

A variable that several ranks have saved has files of parts instead of `out`, such as
`part.256-0.256-784`: where the part begins, and its shape.

For rank 0, nothing follows `shape:`. The words for element types are those of a job's description:
f16, bf16, f32, f64, i8, i32, i64, ui8, i1 (a byte each, 0 or 1).
"""

import math
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.runtime.dtypes import dtype_word, numpy_dtype
from penstock.runtime.file_parts import FileBox, FileSource

__all__ = ["FileVariable", "is_variable", "meta_text", "part_name"]

Array = np.ndarray[Any, Any]

# Far more than the longest line of 64 dimensions; a longer file is not ours.
_META_LIMIT = 4096
_RANK_LIMIT = 32


_PART = re.compile(r"part\.([\d-]*)\.([\d-]*)")


def meta_text(shape: Sequence[int], dtype: np.dtype[Any]) -> str:
    """The text of the `meta` file of a variable.

    >>> meta_text((512, 784), np.dtype(np.float32))
    'shape: 512 784\\ndtype: f32\\n'
    """
    words = " ".join(map(str, shape))
    return f"shape: {words}".rstrip() + f"\ndtype: {dtype_word(dtype)}\n"


def part_name(origin: Sequence[int], shape: Sequence[int]) -> str:
    """The name of the file of a part of a variable.

    >>> part_name((256, 0), (256, 784))
    'part.256-0.256-784'
    """
    return ".".join(["part", *("-".join(map(str, numbers)) for numbers in (origin, shape))])


def is_variable(folder: str) -> bool:
    """Whether a folder holds a variable, whole or in parts."""
    if os.path.isfile(os.path.join(folder, "out")):
        return True
    return any(map(_PART.fullmatch, os.listdir(folder)))


class FileVariable:
    """A variable in a folder, read on demand.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     np.array([3, 4], "<f4").tofile(f"{folder}/out")
    ...     FileVariable(folder).read((2,), np.dtype(np.float32)).tolist()
    [3.0, 4.0]
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    def __repr__(self) -> str:
        return f"FileVariable({self.folder!r})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in `meta`; RuntimeError if there is no `meta`."""
        return self._form()[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type in `meta`; RuntimeError if there is no `meta`."""
        return self._form()[1]

    def numpy(self) -> Array:
        """The value; RuntimeError without a `meta`, ValueError if the two files disagree."""
        return self._elements(*self._form())

    def read(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """The value for a variable of known shape and dtype; `meta` may be missing.

        Raises ValueError if `meta` disagrees or `out` has another size.
        """
        self._check(shape, dtype)
        return self._elements(shape, dtype)

    def source(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> FileSource:
        """The value for such a variable, of which parts are read alone; raises what `read` does."""
        self._check(shape, dtype)
        return FileSource(self.folder, self._boxes(shape, dtype))

    def _check(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        if os.path.exists(self._path("meta")) and self._form() != (shape, dtype):
            own_shape, own_dtype = self._form()
            raise ValueError(
                f"checkpoint file {self.folder!r} holds {own_dtype} of shape {own_shape}, but the "
                f"variable is {dtype} of shape {shape}; load it into a variable that matches"
            )

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def _form(self) -> tuple[tuple[int, ...], np.dtype[Any]]:
        path = self._path("meta")
        if not os.path.isfile(path):
            raise RuntimeError(
                f"checkpoint file {self.folder!r} has no 'meta', so its shape is not known; "
                "load it into a variable, which knows its own"
            )
        with open(path, "rb") as file:
            text = file.read(_META_LIMIT + 1)
        try:
            return _parsed(text.decode("ascii"))
        except ValueError as error:
            raise ValueError(
                f"{path!r} is damaged: expected the lines 'shape: ...' and 'dtype: ...', got "
                f"{text[:80]!r}; use another checkpoint"
            ) from error

    def _elements(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        boxes = self._boxes(shape, dtype)
        for box in boxes:
            box.check()  # before allocating: a damaged shape may claim any size
        out = np.empty(shape, dtype)
        for box in boxes:
            box.read(out, tuple(slice(0, extent) for extent in shape))
        return out

    def _boxes(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> list[FileBox]:
        """The files that have the variable's elements, checked to have each once."""
        found = filter(None, map(_PART.fullmatch, os.listdir(self.folder)))
        parts = [] if os.path.exists(self._path("out")) else sorted(found, key=lambda one: one[0])
        if not parts:
            return [FileBox(self._path("out"), (0,) * len(shape), shape, dtype)]
        boxes: list[FileBox] = []
        for one in parts:
            origin, size = (
                tuple(int(word) for word in text.split("-") if word) for text in one.groups()
            )
            box = FileBox(self._path(one[0]), origin, size, dtype)
            fits = len(origin) == len(size) == len(shape) and all(
                o + n <= extent for o, n, extent in zip(origin, size, shape, strict=True)
            )
            if not fits or any(other.meets(box.place) for other in boxes):
                raise ValueError(
                    f"{box.path!r} is no part of {dtype} of shape {shape}, or overlaps another; "
                    "use another checkpoint"
                )
            boxes.append(box)
        if sum(math.prod(box.shape) for box in boxes) != math.prod(shape):
            raise ValueError(
                f"{self.folder!r} lacks parts of {dtype} of shape {shape}; use another checkpoint"
            )
        return boxes


def _parsed(text: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    if len(text) > _META_LIMIT:
        raise ValueError("too long")
    shape_line, dtype_line, *rest = text.splitlines()
    shape_key, *dimensions = shape_line.split()
    dtype_key, word = dtype_line.split()
    if rest or (shape_key, dtype_key) != ("shape:", "dtype:") or len(dimensions) > _RANK_LIMIT:
        raise ValueError("not the two lines")
    if not all(dimension.isdecimal() and len(dimension) < 20 for dimension in dimensions):
        raise ValueError("not a dimension")
    shape = tuple(map(int, dimensions))
    # NumPy cannot make it, and there are no elements to compare with the file.
    if 0 in shape and math.prod(filter(None, shape)) > sys.maxsize // 8:
        raise ValueError("too large")
    return shape, numpy_dtype(word)
