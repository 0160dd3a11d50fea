"""OFRecord files as input of jobs, and the errors of wrong files and records."""

import os
import re
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.files.ofrecord import Part, Records, features, values
from penstock.trace.read_feeds import next_batch

FIELDS = {"float_list": 2, "double_list": 3, "int32_list": 4, "int64_list": 5}

# A list with its field name, e.g. ("int32_list", [1, 2]), or bytes.
Feature = bytes | tuple[str, Sequence[float]]


def varint(number: int) -> bytes:
    number &= 2**64 - 1
    results = b""
    while number >= 128:
        results += bytes([number & 127 | 128])
        number >>= 7
    return results + bytes([number])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def encoded(named: Mapping[str, Feature]) -> bytes:
    results = b""
    for name, feature in named.items():
        if isinstance(feature, bytes):
            content = field(1, field(1, feature))
        else:
            kind, elements = feature
            letter = {"float_list": "f", "double_list": "d"}.get(kind)
            each = (struct.pack(f"<{letter}", e) if letter else varint(int(e)) for e in elements)
            content = field(FIELDS[kind], field(1, b"".join(each)))
        results += field(1, field(1, name.encode()) + field(2, content))
    return results


def write(path: Path, *records: bytes) -> None:
    path.write_bytes(b"".join(struct.pack("<q", len(record)) + record for record in records))


def numbered(number: int) -> bytes:
    return encoded({"x": ("int32_list", [number])})


def numbers(records: Sequence[Part]) -> list[int]:
    return [int(values(features(record)["x"], "x", 1).elements[0]) for record in records]


def whole(record: bytes) -> Part:
    return Part("part-0, record at byte 0,", record, 0, len(record))


def decoded(folder: Path, reader: Mapping[str, Any] = {}, **decoder: Any) -> np.ndarray[Any, Any]:
    """The arrays that a call would get."""
    flow.clear_default_session()

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(folder, **reader)
        options = {"blob_name": "x", "shape": (1,), "dtype": flow.int32} | decoder
        return flow.data.OFRecordRawDecoder(records, **options)

    job.trace()
    assert job._trace is not None
    return next_batch(job._trace.decoders)[0]


def test_a_job_trains_from_files(tmp_path: Path) -> None:
    rows = np.arange(10, dtype=np.float32).reshape(5, 2) / 4
    result = [
        encoded({"x": ("float_list", row), "y": ("int64_list", [-index]), "b": bytes([index, 255])})
        for index, row in enumerate(rows)
    ]
    write(tmp_path / "part-000", *result[:3])
    write(tmp_path / "part-001")  # empty
    write(tmp_path / "part-002", *result[3:])
    seen = []

    @flow.global_function(type="train")
    def learn(scale: tp.Numpy.Placeholder((1,))) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        records = flow.data.ofrecord_reader(
            tmp_path, batch_size=2, data_part_num=3, part_name_suffix_length=3
        )
        # A variable is declared between the feeds.
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        x = flow.data.ofrecord_raw_decoder(records, "x", shape=(2,), dtype=flow.float, name="rows")
        y = flow.data.OFRecordRawDecoder(records, "y", shape=(), dtype=flow.int64)
        b = flow.data.OFRecordRawDecoder(records, "b", (3,), flow.int8, auto_zero_padding=True)
        flow.watch(x, lambda array: seen.append(array.numpy()))
        loss = flow.math.reduce_sum(x * w * scale)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return x, y, b

    scale = np.ones(1, np.float32)
    expected_w = np.ones(2)
    for step in range(6):
        x, y, b = learn(scale)
        places = [2 * step % 5, (2 * step + 1) % 5]
        assert (x == rows[places]).all()
        assert (seen[step] == x).all()
        assert y.tolist() == [-place for place in places]
        assert b.tolist() == [[place, -1, 0] for place in places]
        expected_w -= x.sum(axis=0, dtype=np.float64)
    assert np.allclose(flow.get_all_variables()["w"].numpy(), expected_w, rtol=1e-6)

    with pytest.raises(TypeError, match=r"job 'learn' takes 1 argument \(scale\), got 2"):
        learn(scale, scale)
    for wrong in (np.ones(2, np.float32), np.ones(1, np.complex64)):
        with pytest.raises((TypeError, ValueError), match="scale"):
            learn(wrong)
    # A refused call consumes no records.
    assert (learn(scale)[0] == rows[[2, 3]]).all()
    # In a job loaded from text it is an ordinary feed.
    loaded = flow.compile(learn.lower().as_text("fused"))
    assert [feed.name for feed in loaded.feeds] == ["scale", "rows", "y", "b"]
    again = loaded(scale, rows[:2], np.zeros(2, np.int64), np.zeros((2, 3), np.int8))
    assert (again[0] == rows[:2]).all()


def test_all_lists_are_read_packed_or_not() -> None:
    two = 2**31
    named: dict[str, tuple[str, list[float]]] = {
        "f": ("float_list", [0.5, -np.inf]), "d": ("double_list", [1e-300]),
        "i": ("int32_list", [-two, two - 1, 300, 0]), "l": ("int64_list", [-(2**63), 2**63 - 1]),
        "none": ("int64_list", []),
    }  # fmt: skip
    found = features(whole(encoded(named)))
    for name, (kind, elements) in named.items():
        read = values(found[name], name, 9)
        assert (read.kind, read.elements.tolist()) == (kind, elements)
    alone = field(2, b"\x0d" + struct.pack("<f", 3) + field(1, struct.pack("<ff", 4, 5)))
    assert values(whole(alone), "x", 3).elements.tolist() == [3, 4, 5]
    assert values(whole(alone), "x", 1).elements.tolist() == [3, 4]
    alone = field(4, b"\x08" + varint(-7) + b"\x08" + varint(300))
    assert values(whole(alone), "x", 2).elements.tolist() == [-7, 300]
    # Elements beyond the requested ones are not checked.
    assert len(values(whole(field(4, b"\x08\x01" * 3 + b"\xff")), "x", 2).elements) == 3
    assert len(values(whole(field(5, field(1, b"\x01" * 3 + b"\xff"))), "x", 2).elements) == 3
    with pytest.raises(ValueError, match="'x' that is not one list"):
        values(whole(b"\x22\x00" * 2 + b"\xff"), "x", 2)


def test_each_session_shuffles_records_the_same(tmp_path: Path) -> None:
    files = [tmp_path / name for name in "abcd"]
    for start, file in zip(range(0, 100, 25), files, strict=True):
        write(file, *map(numbered, range(start, start + 25)))
    plain = Records(files, "seed")
    assert numbers(plain.take(150)) == [*range(100), *range(50)]

    drawn = numbers(Records(files, "seed", buffer_size=40).take(1000))
    assert drawn == numbers(Records(files, "seed", buffer_size=40).take(1000))
    assert drawn != numbers(Records(files, "other", buffer_size=40).take(1000))
    # Of 1040 records read, 40 are held back.
    assert (Counter([*range(100)] * 10 + [*range(40)]) - Counter(drawn)).total() == 40
    assert all(number < at + 40 for at, number in enumerate(drawn[:60]))
    # A buffer larger than the files starts with each record once, with empty files last.
    write(tmp_path / "e")
    many = Records([*files, tmp_path / "e"], "seed", buffer_size=10**9)
    assert sorted(numbers([*many.take(1), *many._buffer])) == [0, *range(100)]

    moved = Records(files, "seed", shuffle_files=True)
    first, second, third = (numbers(moved.take(100)) for _ in range(3))
    assert first == list(range(100))
    assert second != third
    assert sorted(second[::25]) == sorted(third[::25]) == [0, 25, 50, 75]
    assert sorted(second) == sorted(third) == first

    for file in files:
        os.truncate(file, 0)
    with pytest.raises(ValueError, match="c was cut to 0 bytes while it was being read"):
        plain.take(100)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (b"\x0a", "an unterminated varint at its byte 1"),
        (b"\xff" * 12, "an unterminated varint at its byte 0"),
        (b"\x0a\x05abc", "5 bytes at its byte 2, but only 3 left"),
        (b"\x0a" + b"\xff" * 8 + b"\x7f", f"{2**63 - 1} bytes at its byte 10, but only 0 left"),
        (b"\x0b", "wire type 3 at its byte 1, which OFRecord does not use"),
        (b"\x08\x01", "field 1 of wire type 0, where features are field 1 of type 2"),
        (field(2, b""), "field 2 of wire type 2, where features are field 1 of type 2"),
        (field(1, field(3, b"")), "field 3 of wire type 2 in a feature's entry"),
        (field(1, field(1, b"\xff")), "a feature whose name is not UTF-8"),
        (encoded({"y": b""}), "no feature 'x', only 'y'"),
        (
            encoded({"a" * 10**4: b""} | dict.fromkeys("bcdefgh", b"")),
            f"no feature 'x', only '{'a' * 12}...{'a' * 13}', 'b', 'c', 'd', 'e' and 3 more",
        ),
        (field(1, field(1, b"x")), "a feature 'x' that is not one list of bytes or numbers"),
        (field(1, field(1, b"x") + field(2, field(6, b""))), "a feature 'x' that is not one list"),
        (field(1, field(1, b"x") + field(2, field(4, field(2, b"")))), "field 2 of wire type 2 in"),
        (field(1, field(1, b"x") + field(2, field(2, field(1, b"abc")))), "3 bytes of elements in"),
        (field(1, field(1, b"x") + field(2, field(1, b""))), "a bytes_list 'x' that is not one"),
        (encoded({"x": ("int32_list", [2**31])}), "a number beyond 32 bits in the int32_list 'x'"),
        (encoded({"x": ("int32_list", [])}), "0 elements in 'x', and shape (1,) has 1"),
        (
            encoded({"x": ("int32_list", [1, 2])}),
            "more than 1 elements in 'x', and shape (1,) has 1",
        ),
        (
            encoded({"x": ("int64_list", [1])}),
            "the int64_list 'x', decoded as flow.int32; decode it as flow.int64 and cast the blob",
        ),
        (
            encoded({"x": b"abc"}),
            "the bytes_list 'x', decoded as flow.int32; decode it as flow.uint8 or flow.int8 and",
        ),
    ],
)
def test_a_damaged_record_is_one_sentence(tmp_path: Path, record: bytes, words: str) -> None:
    good = numbered(3)
    write(tmp_path / "part-0", good, record)
    place = re.escape(f"{tmp_path / 'part-0'}, record at byte {8 + len(good)}, has {words}")
    with pytest.raises(ValueError, match=rf"^\S*test_ofrecord.py:\d+: flow\.data\.\w+: {place}"):
        decoded(tmp_path, {"batch_size": 2})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no file PART-0, part 0 of 1"),
        (b"", "has no record in 1 files"),
        (b"\1\2\3", "PART-0, record at byte 0, declares a length of 197121 with -5 bytes left"),
        (bytes(8), "record at byte 0, declares a length of 0 with 0 bytes left"),
        (struct.pack("<q", -1) + b"ab", "declares a length of -1 with 2 bytes left"),
        (struct.pack("<q", 2**62) + b"ab", f"declares a length of {2**62} with 2 bytes left"),
        (
            struct.pack("<q", 2**31),
            f"declares a length of {2**31}, longer than the limit of {2**31 - 1}",
        ),
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, content: bytes | None, words: str) -> None:
    part = tmp_path / "part-0"
    if content is not None:
        part.write_bytes(content)
        if "longer than" in words:
            os.truncate(part, 2**31 + 8)  # sparse
    place = r"test_ofrecord.py:\d+: flow\.data\.ofrecord_reader: "
    with pytest.raises(
        ValueError, match=place + ".*" + re.escape(words.replace("PART-0", str(part)))
    ):
        decoded(tmp_path)


def test_records_beyond_memory_are_a_value_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(records: Records, count: int) -> list[Part]:
        raise MemoryError

    monkeypatch.setattr(Records, "take", take)
    write(tmp_path / "part-0", numbered(1))
    with pytest.raises(
        ValueError, match=r"\.py:\d+: .* there is not enough memory for the next 7 rec"
    ):
        decoded(tmp_path, {"batch_size": 7})


def test_any_damage_is_a_value_error() -> None:
    random = np.random.default_rng(5)
    good = encoded({"a": ("float_list", [1, 2]), "b": ("int64_list", [-1, 300]), "c": b"abc"})
    read = 0
    for _ in range(2000):
        record = bytearray(good)
        for place in random.integers(0, len(good), random.integers(1, 4)):
            record[place] = random.integers(256)
        with suppress(ValueError):
            end = random.choice([len(good), random.integers(1, len(good))])
            found = features(whole(bytes(record[:end])))
            for name, feature in found.items():
                assert values(feature, name, len(good)).elements.nbytes <= 8 * len(good)
                read += 1
    assert read > 100


@pytest.mark.parametrize(
    ("reader", "decoder", "kind", "words"),
    [
        ({"batch_size": 0}, {}, ValueError, "batch_size of flow.data.ofrecord_reader must be at"),
        ({"part_name_prefix": 3}, {}, TypeError, "part_name_prefix .* must be a string, got 3"),
        ({"random_shuffle": 1}, {}, TypeError, "random_shuffle .* must be True or False, got 1"),
        ({}, {"dtype": flow.float16}, ValueError, "decodes flow.uint8, .*, got flow.float16; cast"),
        ({}, {"shape": (-1,)}, ValueError, "every dimension of flow.data.* must be at least 1"),
        ({}, {"blob_name": None}, TypeError, "blob_name .* must be a string, got None"),
        ({}, {"dim1_varying_length": True}, NotImplementedError, "use auto_zero_padding=True"),
    ],
)
def test_invalid_reader_arguments(
    tmp_path: Path,
    reader: dict[str, Any],
    decoder: dict[str, Any],
    kind: type[Exception],
    words: str,
) -> None:
    with pytest.raises(kind, match=words):
        decoded(tmp_path, reader, **decoder)


def test_a_path_is_text() -> None:
    class Coded(os.PathLike[bytes]):
        def __fspath__(self) -> bytes:
            return b"/"

    for path in (Coded(), 3):
        with pytest.raises(TypeError, match=r"ofrecord_dir of .* must be a path of text, got"):
            decoded(path)  # type: ignore[arg-type]


def test_records_stay_in_their_job(tmp_path: Path) -> None:
    kept: list[Any] = [3]

    @flow.global_function()
    def job() -> None:
        flow.data.OFRecordRawDecoder(kept[-1], "x", (1,), flow.int32)
        kept.append(flow.data.ofrecord_reader(tmp_path))

    wanted = r"takes what flow.data.ofrecord_reader returned in the body of the job, got 3"
    with pytest.raises(TypeError, match=wanted):
        job.trace()


# Writing


def test_written_records_are_those_of_protobuf(tmp_path: Path) -> None:
    values = {
        "text": "day", "bytes": np.array([[1, 255]], np.uint8), "signed": np.array([-1], np.int8),
        "f4": np.array([1.5, -2], ">f4"), "f8": [0.1], "i4": np.array([-1, 300], np.int32),
        "i8": [-(2**63), 2**63 - 1],
    }  # fmt: skip
    wanted = encoded(
        {
            "text": b"day",
            "bytes": b"\x01\xff",
            "signed": b"\xff",
            "f4": ("float_list", [1.5, -2]),
            "f8": ("double_list", [0.1]),
            "i4": ("int32_list", [-1, 300]),
            "i8": ("int64_list", [-(2**63), 2**63 - 1]),
        }
    )
    assert flow.data.write_ofrecords(tmp_path / "part-0", (values for _ in range(2))) == 2
    write(tmp_path / "wanted", wanted, wanted)
    assert (tmp_path / "part-0").read_bytes() == (tmp_path / "wanted").read_bytes()


@pytest.mark.parametrize(
    ("bad", "kind", "said"),
    [
        ([1], TypeError, "record 2 must be a dict from names to features, or an OFRecord, got"),
        ({1: b""}, TypeError, "record 2 must have names as keys, got"),
        ({"x": [True]}, TypeError, r"'x' of .*record 2 must be .* got bool; convert it"),
        ({}, ValueError, "record 2 takes 0 bytes, expected from 1 to"),
    ],
)
def test_a_record_that_cannot_be_written_leaves_the_file(
    tmp_path: Path, bad: Any, kind: type[Exception], said: str
) -> None:
    path = tmp_path / "part-0"
    path.write_bytes(b"before")
    with pytest.raises(kind, match=rf"test_ofrecord\.py:\d+: .*{said}"):
        flow.data.write_ofrecords(path, [{"x": b"fine"}, bad])
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["part-0"]


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot write .*: No such file or directory; choose an"):
        flow.data.write_ofrecords(tmp_path / "none" / "part-0", [{"x": b"1"}])
