"""`flow.record`: records of OFRecord files as messages, built and read one by one.

The messages have the fields of `record.proto` of OneFlow, and the methods of protobuf that
programs call on them. `flow.data.write_ofrecords` and `flow.data.ofrecord_reader` write and read
whole files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.files import ofrecord
from penstock.files.ofrecord_writer import encode_feature, encode_record

__all__ = [
    "BytesList",
    "DoubleList",
    "Feature",
    "FloatList",
    "Int32List",
    "Int64List",
    "OFRecord",
    "read_ofrecords",
]


class _Elements:
    """A list of elements of one kind: `value`, a Python list that may be changed."""

    KIND: ClassVar[str]
    DTYPE: ClassVar[type[np.generic] | None] = None

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self.value = list(value)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(value={self.value!r})"

    def _stored(self) -> list[bytes] | np.ndarray[Any, Any]:
        """What a record stores. Raises a located TypeError or ValueError for other elements."""
        name, dtype = type(self).__name__, self.DTYPE
        if dtype is None:
            for number, element in enumerate(self.value):
                if not isinstance(element, bytes | bytearray):
                    raise located(
                        TypeError, f"{name}: value {number} must be bytes, got {kind_of(element)}"
                    )
            return [bytes(element) for element in self.value]
        whole = np.dtype(dtype).kind == "i"
        for number, element in enumerate(self.value):
            found = np.asarray(element)
            if found.shape or found.dtype.kind not in ("iu" if whole else "iuf"):
                wanted = "an integer" if whole else "a number"
                raise located(
                    TypeError, f"{name}: value {number} must be {wanted}, got {kind_of(element)}"
                )
            if whole and int(element) not in _range(np.iinfo(np.dtype(dtype).name)):
                raise located(
                    ValueError, f"{name}: value {number} is {element}, beyond {np.dtype(dtype)}"
                )
        return np.array(self.value, dtype)


def _range(limits: np.iinfo[Any]) -> range:
    return range(limits.min, limits.max + 1)


class BytesList(_Elements):
    """A list of bytes."""

    KIND = "bytes_list"


class FloatList(_Elements):
    """A list of numbers, stored as float32."""

    KIND, DTYPE = "float_list", np.float32


class DoubleList(_Elements):
    """A list of numbers, stored as float64."""

    KIND, DTYPE = "double_list", np.float64


class Int32List(_Elements):
    """A list of integers of 32 bits."""

    KIND, DTYPE = "int32_list", np.int32


class Int64List(_Elements):
    """A list of integers of 64 bits."""

    KIND, DTYPE = "int64_list", np.int64


_LISTS = {kind.KIND: kind for kind in (BytesList, FloatList, DoubleList, Int32List, Int64List)}


class Feature:
    """One list: `Feature(float_list=FloatList(value=[0.5]))`.

    The lists of other kinds are empty. `WhichOneof("kind")` is the name of the list that the
    feature has, or None.
    """

    bytes_list: BytesList
    float_list: FloatList
    double_list: DoubleList
    int32_list: Int32List
    int64_list: Int64List

    def __init__(self, **lists: _Elements) -> None:
        for name, elements in lists.items():
            if name not in _LISTS:
                raise located(TypeError, f"Feature has {', '.join(_LISTS)}, not {name}")
            if type(elements) is not _LISTS[name]:
                raise located(
                    TypeError,
                    f"Feature takes {_LISTS[name].__name__} as {name}, got {kind_of(elements)}",
                )
        if len(lists) > 1:
            raise located(TypeError, f"Feature takes one list, got {' and '.join(lists)}")
        self._given = next(iter(lists.values()), None)
        self._lists = dict(lists)

    def __getattr__(self, name: str) -> _Elements:
        if name not in _LISTS:
            raise AttributeError(f"Feature has no attribute {name!r}")
        return self._lists.setdefault(name, _LISTS[name]())

    @property
    def _list(self) -> _Elements | None:
        """The list that the feature has: the one that has elements, or the one that was given."""
        filled = [elements for elements in self._lists.values() if elements.value]
        if len(filled) > 1:
            names = " and ".join(elements.KIND for elements in filled)
            raise located(TypeError, f"Feature takes one list, got {names}")
        return filled[0] if filled else self._given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Feature) and self._list == other._list

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        held = self._list
        return "Feature()" if held is None else f"Feature({held.KIND}={held!r})"

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the list that the feature has."""
        if oneof_group != "kind":
            raise located(ValueError, f'Feature has the group "kind", not {oneof_group!r}')
        held = self._list
        return None if held is None else held.KIND

    def HasField(self, field_name: str) -> bool:
        """Whether the feature has the list of that name."""
        if field_name not in _LISTS:
            raise located(ValueError, f"Feature has {', '.join(_LISTS)}, not {field_name!r}")
        return self._list is not None and field_name == self._list.KIND


class _Features(dict[str, Feature]):
    """Features by name; looking up one that is not there adds it."""

    def __missing__(self, name: str) -> Feature:
        return self.setdefault(name, Feature())


class OFRecord:
    """A record: `feature`, a dict from names to features. Looking up a name adds its feature.

    >>> import penstock as flow
    >>> from penstock.record import Feature, Int64List, OFRecord
    >>> record = OFRecord(feature={"label": Feature(int64_list=Int64List(value=[7]))})
    >>> record.feature["image"].float_list.value.extend([0.5, 0.25])
    >>> OFRecord.FromString(record.SerializeToString()).feature["label"].int64_list.value
    [7]
    """

    def __init__(self, feature: Mapping[str, Feature] | None = None) -> None:
        if feature is not None and not isinstance(feature, Mapping):
            raise located(
                TypeError, f"OFRecord takes a dict from names to features, got {kind_of(feature)}"
            )
        self.feature: dict[str, Feature] = _Features(feature or {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OFRecord) and self.feature == other.feature

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"OFRecord(feature={self.feature!r})"

    def SerializeToString(self) -> bytes:
        """The record as bytes. A file has the length of a record, 8 bytes, before each.

        Raises a located TypeError or ValueError for what a record cannot hold.
        """
        entries = []
        for name, feature in self.feature.items():
            if not isinstance(name, str) or not isinstance(feature, Feature):
                raise located(
                    TypeError,
                    "OFRecord has names as keys and Feature as values, got "
                    f"{kind_of(name)} and {kind_of(feature)}",
                )
            held = feature._list
            data = b"" if held is None else encode_feature(held.KIND, held._stored())
            entries.append((name, data))
        return encode_record(entries)

    def ByteSize(self) -> int:
        """How many bytes `SerializeToString` gives."""
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, serialized: bytes) -> OFRecord:
        """The record that bytes hold. Raises a located ValueError for bytes that hold none."""
        if not isinstance(serialized, bytes | bytearray | memoryview):
            raise located(TypeError, f"OFRecord.FromString takes bytes, got {kind_of(serialized)}")
        data = bytes(serialized)
        return _message(ofrecord.Part("OFRecord.FromString: the record", data, 0, len(data)))

    def ParseFromString(self, serialized: bytes) -> int:
        """Replace this record by the one that bytes hold; returns the number of bytes."""
        self.feature = type(self).FromString(serialized).feature
        return len(serialized)


def _parsed(part: ofrecord.Part, name: str) -> Feature:
    if part.start == part.end:
        return Feature()
    kind, elements = ofrecord.all_values(part, name)
    return Feature(**{kind: _LISTS[kind](elements)})


def _message(record: ofrecord.Part) -> OFRecord:
    try:
        parts = ofrecord.features(record)
        return OFRecord({name: _parsed(part, name) for name, part in parts.items()})
    except ValueError as error:
        raise located(ValueError, str(error)) from None


def read_ofrecords(path: str | os.PathLike[str]) -> Iterator[OFRecord]:
    """The records of one OFRecord file, in order and once, as for images that a program decodes.

    Raises a located OSError for a file that cannot be read, and ValueError for a damaged one.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "part-0")
    >>> flow.data.write_ofrecords(path, [{"encoded": b"one"}, {"encoded": b"two"}])
    2
    >>> [r.feature["encoded"].bytes_list.value for r in flow.data.read_ofrecords(path)]
    [[b'one'], [b'two']]
    >>> folder.cleanup()
    """
    if not isinstance(path, str | os.PathLike):
        raise located(
            TypeError, f"flow.data.read_ofrecords takes the path of a file, got {kind_of(path)}"
        )
    return _messages(Path(path))


def _messages(path: Path) -> Iterator[OFRecord]:
    records = ofrecord.records_of_file(path)
    while True:
        try:
            record = next(records, None)
        except OSError as error:
            said = f"flow.data.read_ofrecords cannot read {str(path)!r}: {error.strerror}"
            raise located(type(error), said) from error
        except ValueError as error:
            raise located(ValueError, str(error)) from None
        if record is None:
            return
        yield _message(record)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.record")
