"""Records as messages: what is stored, read back, and refused."""

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock import record as of


def sample() -> of.OFRecord:
    return of.OFRecord(
        feature={
            "words": of.Feature(bytes_list=of.BytesList(value=[b"one", b"", b"three"])),
            "x": of.Feature(float_list=of.FloatList(value=[0.5, -1])),
            "wide": of.Feature(double_list=of.DoubleList(value=[1e300])),
            "small": of.Feature(int32_list=of.Int32List(value=[-(2**31), 7])),
            "label": of.Feature(int64_list=of.Int64List(value=[2**63 - 1, -1])),
            "none": of.Feature(),
        }
    )


def test_a_record_reads_back_what_was_stored() -> None:
    record = sample()
    data = record.SerializeToString()
    assert record.ByteSize() == len(data)
    again = of.OFRecord.FromString(data)
    assert again == record
    assert again.feature["words"].bytes_list.value == [b"one", b"", b"three"]
    assert again.feature["x"].float_list.value == [0.5, -1]
    assert again.feature["x"].int64_list.value == []
    assert again.feature["small"].WhichOneof("kind") == "int32_list"
    assert again.feature["small"].HasField("int32_list")
    assert not again.feature["none"].HasField("int32_list")
    assert again.feature["none"].WhichOneof("kind") is None
    other = of.OFRecord()
    assert other != again
    assert other.ParseFromString(data) == len(data)
    assert other == again
    assert "Feature(float_list=FloatList(value=[0.5, -1.0]))" in repr(other)


def test_a_record_is_filled_in_place() -> None:
    record = of.OFRecord()
    record.feature["x"].float_list.value.append(0.5)
    record.feature["x"].float_list.value.extend([1, 2])
    assert record.feature["x"].int64_list.value == []
    assert record.feature["x"].WhichOneof("kind") == "float_list"
    assert record == of.OFRecord({"x": of.Feature(float_list=of.FloatList([0.5, 1, 2]))})
    assert of.OFRecord.FromString(record.SerializeToString()) == record
    record.feature["x"].int64_list.value.append(1)
    with pytest.raises(TypeError, match="Feature takes one list, got float_list and int64_list"):
        record.SerializeToString()


def test_a_message_has_the_bytes_of_protobuf() -> None:
    record = of.OFRecord({"x": of.Feature(int64_list=of.Int64List([300]))})
    # entry { 1: "x", 2: feature { 5: list { 1: packed 300 } } }
    assert record.SerializeToString() == b"\x0a\x0b\x0a\x01x\x12\x06\x2a\x04\x0a\x02\xac\x02"


def test_a_job_reads_records_of_messages(tmp_path: Path) -> None:
    flow.clear_default_session()
    with (tmp_path / "part-0").open("wb") as file:
        for number in range(4):
            record = of.OFRecord({"x": of.Feature(float_list=of.FloatList([number, 0.5]))})
            file.write(struct.pack("q", record.ByteSize()) + record.SerializeToString())

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=4)
        return flow.data.OFRecordRawDecoder(records, "x", (2,), flow.float32)

    assert job().tolist() == [[n, 0.5] for n in range(4)]


def test_what_write_ofrecords_writes_is_read_as_messages(tmp_path: Path) -> None:
    sent = {"x": np.arange(3, dtype=np.int32), "text": "ü", "d": np.float64(2)}
    flow.data.write_ofrecords(tmp_path / "part-0", [sent])
    (record,) = flow.data.read_ofrecords(tmp_path / "part-0")
    assert record == of.OFRecord.FromString((tmp_path / "part-0").read_bytes()[8:])
    assert record.feature["x"].int32_list.value == [0, 1, 2]
    assert record.feature["text"].bytes_list.value == ["ü".encode()]
    assert record.feature["d"].double_list.value == [2.0]


def test_records_before_damage_are_read(tmp_path: Path) -> None:
    path = tmp_path / "part-0"
    flow.data.write_ofrecords(path, [{"x": b"1"}, {"x": b"2"}])
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1])
    records = flow.data.read_ofrecords(str(path))
    assert next(records).feature["x"].bytes_list.value == [b"1"]
    with pytest.raises(ValueError, match=rf"^\S*test_record\.py:\d+: .*at byte {size // 2}, decl"):
        next(records)
    said = r"^\S*test_record\.py:\d+: flow.data.read_ofrecords cannot read .*No such file"
    with pytest.raises(FileNotFoundError, match=said):
        list(flow.data.read_ofrecords(tmp_path / "part-1"))
    with pytest.raises(TypeError, match="read_ofrecords takes the path of a file, got 3"):
        flow.data.read_ofrecords(3)  # type: ignore[arg-type]


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: of.OFRecord(3), TypeError, "OFRecord takes a dict from names to features, got 3"),
    (lambda: of.Feature(words=of.BytesList()), TypeError, "Feature has bytes_list, float_list"),
    (lambda: of.Feature(float_list=[1]), TypeError, "takes FloatList as float_list, got a list"),
    (
        lambda: of.Feature(float_list=of.FloatList(), bytes_list=of.BytesList()),
        TypeError,
        "Feature takes one list, got float_list and bytes_list",
    ),
    (lambda: of.Feature().WhichOneof("sort"), ValueError, 'Feature has the group "kind", not'),
    (lambda: of.Feature().HasField("words"), ValueError, "Feature has bytes_list, float_list"),
    (
        lambda: of.OFRecord({"x": 1}).ByteSize(),
        TypeError,
        'OFRecord has names as keys and Feature as values, got the string "x" and 1',
    ),
    (
        lambda: of.OFRecord({"x": of.Feature(bytes_list=of.BytesList(["a"]))}).ByteSize(),
        TypeError,
        'BytesList: value 0 must be bytes, got the string "a"',
    ),
    (
        lambda: of.OFRecord({"x": of.Feature(int32_list=of.Int32List([1, 0.5]))}).ByteSize(),
        TypeError,
        "Int32List: value 1 must be an integer, got 0.5",
    ),
    (
        lambda: of.OFRecord({"x": of.Feature(int32_list=of.Int32List([2**31]))}).ByteSize(),
        ValueError,
        "Int32List: value 0 is 2147483648, beyond int32",
    ),
    (
        lambda: of.OFRecord({"x": of.Feature(int64_list=of.Int64List([2**63]))}).ByteSize(),
        ValueError,
        "Int64List: value 0 is 9223372036854775808, beyond int64",
    ),
    (
        lambda: of.OFRecord({"x": of.Feature(float_list=of.FloatList([[1]]))}).ByteSize(),
        TypeError,
        "FloatList: value 0 must be a number, got a list",
    ),
    (
        lambda: of.OFRecord.FromString("x"),
        TypeError,
        'OFRecord.FromString takes bytes, got the string "x"',
    ),
    (
        lambda: of.OFRecord.FromString(b"\x0a\x05abc"),
        ValueError,
        "the record has 5 bytes at its byte 2, but only 3 left",
    ),
]


def test_messages_and_dicts_make_the_same_file(tmp_path: Path) -> None:
    one = of.OFRecord(feature={"x": of.Feature(float_list=of.FloatList(value=[0.5, -1]))})
    flow.data.write_ofrecords(tmp_path / "messages", [one, one])
    flow.data.write_ofrecords(tmp_path / "dicts", [{"x": np.float32([0.5, -1])}] * 2)
    assert (tmp_path / "messages").read_bytes() == (tmp_path / "dicts").read_bytes()


@pytest.mark.parametrize(("call", "kind", "words"), WRONG)
def test_what_is_wrong_is_one_located_sentence(
    call: Any, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    assert words in text
    assert re.match(r"\S*test_record\.py:\d+: ", text)
    assert "\n" not in text
