"""`flow.data.ofrecord_reader` and its decoders: feeds that a job reads from files itself.

A decoder makes a feed of the job, which each call fills from the next batch. So the stages of a job
do not mention files, and an artifact takes an array for it, like any other feed.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Sequence
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.dtypes import DType, check_dtype, float32, float64, int8, int32, int64, uint8
from penstock.basics.errors import kind_of, located, user_location
from penstock.files.ofrecord import Features, Part, Records, features, values
from penstock.ir.location import Location
from penstock.process.forks import fork_safe_lock
from penstock.trace.blob import Blob, feed
from penstock.trace.tracing import Trace, current_trace
from penstock.typing import check_shape

Array = np.ndarray[Any, np.dtype[Any]]
Batch = list[tuple[Part, Features]]
"""Records, and the features of each."""

READER = "flow.data.ofrecord_reader"
RAW_DECODER = "flow.data.OFRecordRawDecoder"

_DTYPES: dict[str, tuple[DType, ...]] = {
    "bytes_list": (uint8, int8), "float_list": (float32,), "double_list": (float64,),
    "int32_list": (int32,), "int64_list": (int64,),
}  # fmt: skip
"""The element types that a list can be decoded to."""
_NAMED = 5
"""How many features an error lists for a record that lacks one."""


class OFRecords:
    """Reads a batch of records in each call of the job with this trace, if any, for decoders."""

    def __init__(
        self, what: str, trace: Trace | None, batch_size: int, find: Callable[[], Records]
    ) -> None:
        self.trace = trace
        self._what = what
        self.batch_size = batch_size
        self._find = find
        self._location = user_location()
        self._lock = fork_safe_lock()
        self._records: Records | None = None

    def take(self) -> Batch:
        """The records of the next batch; a located ValueError if there are none, or damaged
        ones."""
        try:
            with self._lock:
                if self._records is None:
                    self._records = self._find()
                taken = self._records.take(self.batch_size)
            return [(record, features(record)) for record in taken]
        except MemoryError:
            raise located(
                ValueError,
                f"{self._what}: there is not enough memory for the next {self.batch_size} records "
                "and the shuffle buffer; make these smaller, or check the files for damage",
                self._location,
            ) from None
        except (OSError, ValueError) as error:
            raise located(ValueError, f"{self._what}: {error}", self._location) from None


class Feature(NamedTuple):
    """How to make an array of a feature of each record of a batch."""

    what: str
    name: str
    shape: tuple[int, ...]
    dtype: DType
    pads: bool
    location: Location

    def decode(self, batch: Batch) -> Array:
        """The feature of each record, as one array; a located ValueError if one does not fit."""
        rows = np.zeros((len(batch), prod(self.shape)), self.dtype.numpy)
        try:
            for row, (record, found) in zip(rows, batch, strict=True):
                self._fill(row, record, found)
        except ValueError as error:
            raise located(ValueError, f"{self.what}: {error}", self.location) from None
        return rows.reshape(len(batch), *self.shape)

    def _fill(self, row: Array, record: Part, found: Features) -> None:
        if self.name not in found:
            names = ", ".join(map(reprlib.repr, islice(found, _NAMED))) or "none"
            more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
            record.refuse(f"no feature {self.name!r}, only {names}{more}")
        kind, elements = values(found[self.name], self.name, len(row))
        if self.dtype not in _DTYPES[kind]:
            right = " or ".join(map(str, _DTYPES[kind]))
            record.refuse(
                f"the {kind} {self.name!r}, decoded as {self.dtype}; decode it as {right} and cast "
                "the blob"
            )
        if len(elements) > len(row) or (len(elements) < len(row) and not self.pads):
            count = f"more than {len(row)}" if len(elements) > len(row) else len(elements)
            record.refuse(
                f"{count} elements in {self.name!r}, and shape {self.shape} has {len(row)}"
            )
        # Bytes are reinterpreted as int8.
        row[: len(elements)] = elements.view(self.dtype.numpy)


class Decoder(NamedTuple):
    """How to make a feed from the records of a batch."""

    records: OFRecords
    feature: Feature

    def decode(self, batch: Batch) -> Array:
        """The feature of each record, as one array; a located ValueError if one does not fit."""
        return self.feature.decode(batch)


def ofrecord_reader(
    ofrecord_dir: str | os.PathLike[str],
    batch_size: int = 1,
    data_part_num: int = 1,
    part_name_prefix: str = "part-",
    part_name_suffix_length: int = -1,
    random_shuffle: bool = False,
    shuffle_buffer_size: int = 1024,
    shuffle_after_epoch: bool = False,
    name: str | None = None,
) -> OFRecords:
    """The next `batch_size` records of OFRecord files in each call of the job, for decoders.

    Files are `part_name_prefix` and a number from 0, padded with zeros to
    `part_name_suffix_length`: part-0, part-1. They are read in order, and from the beginning again
    after the last. With `shuffle_after_epoch` their order changes after each epoch. With
    `random_shuffle`, each record read replaces one drawn at random from a buffer of
    `shuffle_buffer_size`. The order is the same in each session; it depends on the names of job and
    reader.

    Files are opened when the job is called. A call raises a located ValueError for a missing or
    damaged file, and if no file has a record.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> folder = tempfile.TemporaryDirectory()
    >>> record = bytes([10, 11, 10, 1, 120, 18, 6, 34, 4, 10, 2, 5, 7])  # {"x": [5, 7]}, int32
    >>> with open(os.path.join(folder.name, "part-0"), "wb") as file:
    ...     size = file.write(len(record).to_bytes(8, "little") + record)
    >>> @flow.global_function()
    ... def read() -> tp.Numpy:
    ...     records = flow.data.ofrecord_reader(folder.name, batch_size=2)
    ...     return flow.data.OFRecordRawDecoder(records, "x", shape=(2,), dtype=flow.int32)
    >>> read().tolist()
    [[5, 7], [5, 7]]
    >>> folder.cleanup()
    """
    trace = current_trace(READER)
    label = "ofrecord_reader" if name is None else _named(name, "name", READER)
    return records_of(
        READER, trace, f"{trace.job}:{trace.fresh(label)}", ofrecord_dir, batch_size, data_part_num,
        part_name_prefix, part_name_suffix_length, random_shuffle, shuffle_buffer_size,
        shuffle_after_epoch,
    )  # fmt: skip


def records_of(
    what: str, trace: Trace | None, seed: str, ofrecord_dir: object, batch_size: int,
    data_part_num: int, part_name_prefix: str, part_name_suffix_length: int, random_shuffle: bool,
    shuffle_buffer_size: int, shuffle_after_epoch: bool,
) -> OFRecords:  # fmt: skip
    """The records that these options of `ofrecord_reader` choose; equal seeds give one order."""
    folder = _folder(ofrecord_dir, what)
    prefix = _named(part_name_prefix, "part_name_prefix", what)
    batch, parts, buffer = (
        check_integer(number, f"{word} of {what}", 1)
        for number, word in (
            (batch_size, "batch_size"),
            (data_part_num, "data_part_num"),
            (shuffle_buffer_size, "shuffle_buffer_size"),
        )
    )
    digits = check_integer(part_name_suffix_length, f"part_name_suffix_length of {what}")
    digits = min(max(digits, 1), 255)  # a file name cannot be longer
    shuffles = check_flag(random_shuffle, f"random_shuffle of {what}")
    shuffles_files = check_flag(shuffle_after_epoch, f"shuffle_after_epoch of {what}")

    def find() -> Records:
        files = []
        for number in range(parts):
            file = folder / f"{prefix}{number:0{digits}}"
            if not file.is_file():
                raise ValueError(f"there is no file {file}, part {number} of {parts}")
            files.append(file)
        return Records(files, seed, shuffles_files, buffer if shuffles else 0)

    return OFRecords(what, trace, batch, find)


def ofrecord_raw_decoder(
    input_blob: OFRecords,
    blob_name: str,
    shape: Sequence[int],
    dtype: DType,
    dim1_varying_length: bool = False,
    auto_zero_padding: bool = False,
    name: str | None = None,
) -> Blob:
    """The feature `blob_name` of each record, a blob of shape `(batch_size, *shape)`.

    A float_list is decoded to flow.float32, a double_list to flow.float64, an int32_list or
    int64_list to that type, and bytes to flow.uint8 or flow.int8. A list must have as many elements
    as the shape; with `auto_zero_padding` it may have fewer, and is padded with zeros.

    The blob is a feed, which calls of the job fill. A call raises a located ValueError for a record
    without such a feature, or with another kind of list. `ofrecord_reader` has an example.
    """
    trace = current_trace(RAW_DECODER)
    if not isinstance(input_blob, OFRecords) or input_blob.trace is not trace:
        raise located(
            TypeError,
            f"{RAW_DECODER} takes what {READER} returned in the body of the job, got "
            f"{kind_of(input_blob)}",
        )
    feature = feature_of(
        RAW_DECODER, blob_name, shape, dtype, dim1_varying_length, auto_zero_padding
    )
    label = feature.name if name is None else _named(name, "name", RAW_DECODER)
    batch = (input_blob.batch_size, *feature.shape)
    blob = feed(trace, label, batch, feature.dtype, feature.location)
    trace.decoders.append(Decoder(input_blob, feature))
    return blob


def feature_of(
    what: str, blob_name: str, shape: Sequence[int], dtype: DType,
    dim1_varying_length: bool, auto_zero_padding: bool,
) -> Feature:  # fmt: skip
    """The feature that these options of `ofrecord_raw_decoder` choose."""
    name = _named(blob_name, "blob_name", what)
    if check_flag(dim1_varying_length, f"dim1_varying_length of {what}"):
        raise located(
            NotImplementedError,
            f"dim1_varying_length of {what} must be False: a blob's shape is exact, so "
            "records cannot differ in length; use auto_zero_padding=True",
        )
    pads = check_flag(auto_zero_padding, f"auto_zero_padding of {what}")
    sample = check_shape(tuple(shape) if isinstance(shape, list) else shape, what)
    element = check_dtype(dtype, f"the dtype of {what}")
    decoded = [dtype for dtypes in _DTYPES.values() for dtype in dtypes]
    if element not in decoded:
        words = ", ".join(map(str, decoded))
        raise located(ValueError, f"{what} decodes {words}, got {element}; cast its blob")
    return Feature(what, name, sample, element, pads, user_location())


OFRecordRawDecoder = ofrecord_raw_decoder


def _folder(value: object, what: str) -> Path:
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise located(
            TypeError, f"ofrecord_dir of {what} must be a path of text, got {kind_of(path)}"
        )
    return Path(path)


def _named(value: object, word: str, what: str) -> str:
    if not isinstance(value, str):
        raise located(TypeError, f"{word} of {what} must be a string, got {kind_of(value)}")
    return value
