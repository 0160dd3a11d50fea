"""`flow.data.write_ofrecords`: writes records that `ofrecord_reader` reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from penstock.basics.checks import check_path_text
from penstock.basics.errors import kind_of, located
from penstock.files.ofrecord import KINDS

_WRITER = "flow.data.write_ofrecords"
_LISTS = {"<f4": "float_list", "<f8": "double_list", "<i4": "int32_list", "<i8": "int64_list"}
"""The little-endian type of elements -> the kind of their list."""
_FIELDS = {kind.name: field for field, kind in KINDS.items()}
_LONGEST = 2**31 - 1


class Message(Protocol):
    """A record as a message of protobuf or of `flow.record`."""

    def SerializeToString(self) -> bytes: ...


def write_ofrecords(
    path: str | os.PathLike[str], records: Iterable[Mapping[str, Any] | Message]
) -> int:
    """Write records to one OFRecord file, such as `part-0`; returns how many there were.

    A record is a dict from names to features: bytes or text, or anything that NumPy makes an array
    of float32, float64, int32, int64 (lists of numbers in C order), or int8, uint8 (bytes). Or it
    is a message, such as a `flow.record.OFRecord`. Records may come from a generator. The file is
    written under a temporary name and renamed, so it is whole or as it was before.

    Raises a located TypeError for other values, and ValueError if the file cannot be written.

    >>> import os, tempfile
    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> folder = tempfile.TemporaryDirectory()
    >>> samples = ({"x": np.float32([i, i + 0.5]), "label": np.int32(i)} for i in range(4))
    >>> flow.data.write_ofrecords(os.path.join(folder.name, "part-0"), samples)
    4
    >>> @flow.global_function()
    ... def job() -> tuple[tp.Numpy, tp.Numpy]:
    ...     records = flow.data.ofrecord_reader(folder.name, batch_size=2)
    ...     x = flow.data.OFRecordRawDecoder(records, "x", (2,), flow.float32)
    ...     return x, flow.data.OFRecordRawDecoder(records, "label", (1,), flow.int32)
    >>> job()
    (array([[0. , 0.5],
           [1. , 1.5]], dtype=float32), array([[0],
           [1]], dtype=int32))
    >>> folder.cleanup()
    """
    if not isinstance(path, str | os.PathLike):
        raise located(TypeError, f"{_WRITER} takes the path of a file, got {kind_of(path)}")
    check_path_text(path, _WRITER)
    target = Path(path)
    part, count = target.with_name(f".penstock-{os.urandom(8).hex()}"), 0
    try:
        with part.open("xb") as file:
            for count, record in enumerate(records, 1):
                data = _record(record, count)
                file.write(len(data).to_bytes(8, "little") + data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise _unwritten(target, error) from None
    finally:
        part.unlink(missing_ok=True)
    return count


def _unwritten(path: Path, error: OSError) -> ValueError:
    return located(
        ValueError, f"{_WRITER} cannot write {str(path)!r}: {error.strerror}; choose another path"
    )


def _record(record: object, number: int) -> bytes:
    """A record as a protobuf message: a map from names to features."""
    where = f"{_WRITER}: record {number}"
    if callable(serialized := getattr(record, "SerializeToString", None)):
        data = bytes(serialized())
    elif isinstance(record, Mapping):
        data = encode_record(_features(record, where))
    else:
        raise located(
            TypeError,
            f"{where} must be a dict from names to features, or an OFRecord, got {kind_of(record)}",
        )
    if not 0 < len(data) <= _LONGEST:
        raise located(ValueError, f"{where} takes {len(data)} bytes, expected from 1 to {_LONGEST}")
    return data


def _features(record: Mapping[Any, object], where: str) -> Iterator[tuple[str, bytes]]:
    """The names of a record, each with its feature as a protobuf message."""
    for name, value in record.items():
        if not isinstance(name, str):
            raise located(TypeError, f"{where} must have names as keys, got {kind_of(name)}")
        yield name, _feature(value, f"{name!r} of {where}")


def _feature(value: object, what: str) -> bytes:
    """A feature as a protobuf message: one list."""
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes | bytearray):
        return encode_feature("bytes_list", [bytes(value)])
    array = np.asarray(value)
    if array.dtype in (np.int8, np.uint8):
        return encode_feature("bytes_list", [array.tobytes()])
    little = array.dtype.newbyteorder("<").str
    if little not in _LISTS:
        raise located(
            TypeError,
            f"{what} must be bytes, text or an array of float32, float64, int8, uint8, int32 or "
            f"int64, got {array.dtype}; convert it with astype",
        )
    return encode_feature(_LISTS[little], array)


def encode_record(features: Iterable[tuple[str, bytes]]) -> bytes:
    """A record of named features: a map, whose entries have a name and a feature."""
    return b"".join(
        _field(1, _field(1, name.encode()), _field(2, feature)) for name, feature in features
    )


def encode_feature(kind: str, elements: Sequence[bytes] | np.ndarray[Any, Any]) -> bytes:
    """A feature with one list of a kind such as "float_list"; elements are cast to its dtype."""
    if not isinstance(elements, np.ndarray):
        content = b"".join(_field(1, element) for element in elements)
    elif elements.dtype.kind == "f":
        content = _field(1, elements.astype(KINDS[_FIELDS[kind]].dtype).tobytes())
    else:
        content = _field(1, *_varints(elements))
    return _field(_FIELDS[kind], content)


def _varints(array: np.ndarray[Any, Any]) -> Iterator[bytes]:
    return (_varint(number & 2**64 - 1) for number in array.reshape(-1).tolist())


def _varint(number: int) -> bytes:
    """An unsigned integer, seven bits a byte, the lowest first."""
    parts = bytearray()
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def _field(number: int, *content: bytes) -> bytes:
    """A field of bytes."""
    data = b"".join(content)
    return _varint(number << 3 | 2) + _varint(len(data)) + data
