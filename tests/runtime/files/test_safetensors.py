"""Arrays in safetensors files."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from penstock.runtime.store import safetensors

DTYPES = ["float16", "float32", "float64", "int8", "int32", "int64", "uint8"]


def test_values_round_trip() -> None:
    generator = np.random.default_rng(0)
    arrays = {name: (9 * generator.random((2, 3))).astype(name) for name in DTYPES}
    arrays |= {
        "half": generator.random(5).astype(ml_dtypes.bfloat16),
        "one": np.array(3, np.float32),
        "none": np.zeros((0, 4), np.int8),
        "turned": generator.random((3, 4)).T,
        "big": np.arange(4, dtype=">i4"),
        "größe": np.zeros(1),
    }
    found = safetensors.unpacked(safetensors.packed(arrays), "a file")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype.newbyteorder("=")
        np.testing.assert_array_equal(found[name], array)


def test_file_layout() -> None:
    """The format: a length, JSON, then the elements, each array aligned to its element size."""
    data = safetensors.packed({"b": np.array([1], np.int8), "a": np.array([2.0])})
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert length % 8 == 0
    assert header == {
        "a": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]},
        "b": {"dtype": "I8", "shape": [1], "data_offsets": [8, 9]},
    }
    assert data[8 + length :] == np.array([2.0]).tobytes() + b"\1"


def test_files_of_other_writers_are_read() -> None:
    head = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "w": {"data_offsets": [0, 4], "dtype": "BF16", "shape": [2]},
        }
    ).encode()
    found = safetensors.unpacked(len(head).to_bytes(8, "little") + head + b"\x80\x3f\0\x40", "x")
    assert found["w"].astype(np.float32).tolist() == [1, 2]


def test_files(tmp_path: Path) -> None:
    safetensors.save(tmp_path / "w.safetensors", {"w": np.arange(3)})
    assert safetensors.load(tmp_path / "w.safetensors")["w"].tolist() == [0, 1, 2]
    (tmp_path / "text").write_text("no tensors")
    with pytest.raises(ValueError, match="text: is not a safetensors file, or is damaged"):
        safetensors.load(tmp_path / "text")


def test_values_that_the_format_cannot_hold() -> None:
    with pytest.raises(ValueError, match="a variable cannot be called '__metadata__'"):
        safetensors.packed({"__metadata__": np.zeros(1)})
    with pytest.raises(ValueError, match="arrays of uint16 have no data type here"):
        safetensors.packed({"w": np.zeros(1, np.uint16)})
