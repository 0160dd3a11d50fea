"""Variables in one file: the safetensors format, read without trust.

    8 bytes   the length of the header, little-endian
    ...       the header: JSON, {name: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
    ...       the elements of the arrays, one array after another, in C order, little-endian

Reading executes nothing, and allocates nothing beyond what the file holds.
"""

import json
import math
import os
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from penstock.runtime.dtypes import dtype_word, numpy_dtype

__all__ = ["header", "load", "packed", "read", "save", "unpacked"]

Array = np.ndarray[Any, Any]

_NAMES = {
    "f16": "F16",
    "bf16": "BF16",
    "f32": "F32",
    "f64": "F64",
    "i8": "I8",
    "i16": "I16",
    "i32": "I32",
    "i64": "I64",
    "ui8": "U8",
    "i1": "BOOL",
}
_WORDS = {name: word for word, name in _NAMES.items()}

_METADATA = "__metadata__"
_LARGEST_HEADER = 16 << 20
_MOST_VALUES = 200_000  # in a header: a parsed value takes less than 200 bytes
_RANK_LIMIT = 32
# Eight bytes, so that the elements of the widest type are aligned in a mapped file.
_DATA_ALIGNMENT = 8


def packed(arrays: Mapping[str, Array], metadata: Mapping[str, str] | None = None) -> bytes:
    """Arrays by name as a file, and texts by name; equal arrays give equal bytes.

    Raises TypeError or ValueError for anything but an array of a type that variables have, and for
    more than a reader accepts.

    >>> unpacked(packed({"bias": np.array([3, 4], np.float32)}), "a file")["bias"].tolist()
    [3.0, 4.0]
    """
    entries: dict[str, dict[str, Any]] = {}
    parts: list[Any] = []
    end = 0
    # Wide elements first, as the format requires, so that each array is naturally aligned.
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
        if name == _METADATA:
            raise ValueError(f"a variable cannot be called {name!r} in a safetensors file")
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        entries[name] = {
            "dtype": _NAMES[dtype_word(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [end, end + array.nbytes],
        }
        # As bytes, since the buffer protocol has no format code for bfloat16.
        parts.append(little.reshape(-1).view(np.uint8).data)
        end += array.nbytes
    if metadata:
        entries[_METADATA] = dict(metadata)
    head = json.dumps(entries, separators=(",", ":")).encode()
    if len(head) > _LARGEST_HEADER - _DATA_ALIGNMENT or _values_in(head) > _MOST_VALUES:
        raise ValueError(
            f"expected a header of at most {_LARGEST_HEADER >> 20} MiB and {_MOST_VALUES:,} "
            "values, got more: put many numbers into an array"
        )
    head += b" " * (-len(head) % _DATA_ALIGNMENT)
    return b"".join([len(head).to_bytes(8, "little"), head, *parts])


def unpacked(data: bytes | memoryview, source: str) -> dict[str, Array]:
    """The arrays in the bytes of a file, by name: read-only views of the bytes.

    Raises ValueError if the bytes are no such file.
    """
    forms, start = header(data, source)
    body = memoryview(data)[start:]
    arrays = {}
    for name, (word, shape, begin, end) in forms.items():
        dtype = numpy_dtype(word)
        little = np.frombuffer(body[begin:end], dtype.newbyteorder("<"))
        arrays[name] = little.astype(dtype, copy=False).reshape(shape)
    return arrays


def header(
    data: bytes | memoryview, source: str
) -> tuple[dict[str, tuple[str, tuple[int, ...], int, int]], int]:
    """Dtype word, shape, begin and end of each array by name, and the offset of the elements.

    Raises ValueError unless the arrays fill the file without a gap.
    """
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(_LARGEST_HEADER, len(data) - 8):
        raise _damaged(source, "it does not hold the header that it declares")
    forms, _ = _parsed(bytes(data[8 : 8 + length]), len(data) - 8 - length, source)
    return forms, 8 + length


def _values_in(text: bytes) -> int:
    """At least as many as a header has values."""
    return text.count(b",") + text.count(b"{") + text.count(b"[")


def _parsed(
    text: bytes, size: int, source: str
) -> tuple[dict[str, tuple[str, tuple[int, ...], int, int]], dict[str, str]]:
    """The forms of the arrays in a header, which fill so many bytes, and its metadata."""
    if _values_in(text) > _MOST_VALUES:
        raise _damaged(source, "its header has too many values")
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged(source, "its header is not JSON") from None
    if not isinstance(entries, dict):
        raise _damaged(source, "its header is not a JSON object")
    metadata = entries.pop(_METADATA, {})
    if not isinstance(metadata, dict) or any(not isinstance(v, str) for v in metadata.values()):
        raise _damaged(source, "its metadata is not all strings")
    forms = {name: _form(name, entry, source) for name, entry in entries.items()}
    end = 0
    for _, _, begin, stop in sorted(forms.values(), key=lambda form: form[2:]):
        if begin != end:
            raise _damaged(source, "its arrays overlap, or leave gaps")
        end = stop
    if end != size:
        raise _damaged(source, "its arrays do not fill it")
    return forms, metadata


def _form(name: str, entry: Any, source: str) -> tuple[str, tuple[int, ...], int, int]:
    fits = isinstance(entry, dict) and set(entry) == {"dtype", "shape", "data_offsets"}
    if fits:
        shape, offsets = entry["shape"], entry["data_offsets"]
        fits = (
            isinstance(entry["dtype"], str)
            and isinstance(shape, list)
            and isinstance(offsets, list)
            and len(shape) <= _RANK_LIMIT
            and len(offsets) == 2
            and all(type(n) is int and 0 <= n < 1 << 48 for n in [*shape, *offsets])
        )
    if not fits:
        raise _damaged(source, f"the entry of {name[:80]!r} in its header is malformed")
    word = _WORDS.get(entry["dtype"])
    if word is None:
        raise ValueError(
            f"{source}: variable {name[:80]!r} holds {entry['dtype'][:20]!r}: expected one of "
            f"{', '.join(_WORDS)}"
        )
    begin, end = offsets
    if end - begin != math.prod(shape) * numpy_dtype(word).itemsize:
        raise _damaged(source, f"{name[:80]!r} does not take the bytes that its shape takes")
    return word, tuple(shape), begin, end


def save(path: str | os.PathLike[str], arrays: Mapping[str, Array]) -> None:
    """Write arrays as a file, atomically: an error or a kill leaves the previous file.

    Raises OSError if the disk refuses.
    """
    # Imported here: few processes write files.
    from penstock.runtime.files import replace

    replace(path, packed(arrays))


def load(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The arrays in a file; ValueError if it is invalid, OSError if it cannot be read."""
    with open(path, "rb") as file:
        return unpacked(file.read(), os.fspath(path))


def read(file: BinaryIO, source: str) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays in an open file, by name, each in memory of its own, and its metadata.

    Nothing is allocated before the header is known to fit the file. Raises ValueError if it is
    invalid, OSError if it cannot be read.

    >>> import io
    >>> data = packed({"bias": np.array([3, 4], np.float32)}, {"made by": "a doctest"})
    >>> read(io.BytesIO(data), "a file")
    ({'bias': array([3., 4.], dtype=float32)}, {'made by': 'a doctest'})
    """
    start = file.tell()
    size = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > min(_LARGEST_HEADER, size - 8):
        raise _damaged(source, "it does not hold the header that it declares")
    forms, metadata = _parsed(file.read(length), size - 8 - length, source)
    arrays = {}
    for name, (word, shape, begin, end) in sorted(forms.items(), key=lambda item: item[1][2]):
        dtype = numpy_dtype(word)
        little = np.empty(shape, dtype.newbyteorder("<"))
        room = little.reshape(-1).view(np.uint8)
        if _fill(file, room.data) != end - begin:
            raise _damaged(source, "it ended while it was read")
        arrays[name] = little.astype(dtype, copy=False)
    return {name: arrays[name] for name in forms}, metadata


def _fill(file: BinaryIO, room: memoryview) -> int:
    """Read into all of a buffer; how many bytes there were."""
    done = 0
    while done < len(room):
        part = file.read(min(len(room) - done, 1 << 24))
        if not part:
            break
        room[done : done + len(part)] = part
        done += len(part)
    return done


def _damaged(source: str, what: str) -> ValueError:
    return ValueError(f"{source}: is not a safetensors file, or is damaged: {what}")
