"""Nests of tensors in files: round trips, files of other programs, and damaged files."""

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.runtime.store import safetensors


def round_trip(nest: Any) -> Any:
    file = io.BytesIO()
    flow.save(nest, file)
    file.seek(0)
    return flow.load(file)


DTYPES = [
    flow.float32, flow.float64, flow.float16, flow.bfloat16, flow.int8, flow.uint8, flow.int32,
    flow.int64, flow.bool,
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 2)], ids=str)
def test_tensors_of_every_type_and_shape(dtype: Any, shape: Any) -> None:
    x = flow.tensor(np.arange(int(np.prod(shape))).reshape(shape), dtype=dtype)
    loaded = round_trip(x)
    assert (loaded.dtype, loaded.shape) == (dtype, shape)
    assert loaded.tolist() == x.tolist()


def test_nests_of_everything() -> None:
    nest = {
        "list": [1, -2.5, True, None, "a\nb\u00e9"],
        "tuple": ((), (1,)),
        0: {"deep": [flow.ones(2), np.arange(3), np.float64(2.5)]},
        None: {False: flow.float16, 1.5: {}},
        "floats": [float("inf"), float("-inf")],
        "size": flow.ones(2).shape,
    }
    loaded = round_trip(nest)
    assert list(loaded) == list(nest)
    assert loaded["list"] == nest["list"]
    assert loaded["tuple"] == nest["tuple"]
    tensor, array, number = loaded[0]["deep"]
    assert tensor.tolist() == [1.0, 1.0]
    assert isinstance(array, np.ndarray)
    assert array.tolist() == [0, 1, 2]
    assert (number.dtype, number.item()) == (np.float64, 2.5)
    assert loaded[None] == {False: flow.float16, 1.5: {}}
    assert loaded["floats"] == nest["floats"]
    assert loaded["size"] == (2,)
    assert np.isnan(round_trip(float("nan")))


def test_requires_grad_is_saved() -> None:
    x = flow.ones(2, requires_grad=True)
    leaf, loaded = round_trip([x, x * 2.0])
    assert (leaf.requires_grad, loaded.requires_grad) == (True, False)


def test_a_shared_tensor_is_saved_once() -> None:
    x = flow.ones(1000)
    file = io.BytesIO()
    flow.save([x, {"again": x}], file)
    assert len(file.getvalue()) < 2 * 4000
    file.seek(0)
    first, other = flow.load(file)
    assert first is other["again"]


def test_colliding_names_are_distinct() -> None:
    loaded = round_trip(
        {"a": {"b": flow.zeros(1)}, "a.b": flow.ones(1), "__metadata__": flow.ones(2)}
    )
    assert (loaded["a"]["b"].item(), loaded["a.b"].item()) == (0.0, 1.0)
    assert loaded["__metadata__"].shape == (2,)


def test_loaded_tensors_can_be_changed() -> None:
    loaded = round_trip(flow.ones(2))
    loaded += 1.0
    assert loaded.tolist() == [2.0, 2.0]


def test_views_save_only_their_elements() -> None:
    x = flow.tensor(np.arange(6.0).reshape(2, 3))
    assert round_trip(x[:, ::2]).tolist() == [[0.0, 2.0], [3.0, 5.0]]


def test_an_optimizer_resumes_from_a_file(tmp_path: Path) -> None:
    x = flow.ones(2, requires_grad=True)
    one, other = (flow.optim.Adam([x], lr=0.5) for _ in range(2))
    x.grad = flow.ones(2)
    one.step()
    flow.save(one.state_dict(), tmp_path / "state")
    other.load_state_dict(flow.load(tmp_path / "state"))
    assert other.state["step"] == 1
    assert other.state[x]["m"].tolist() == one.state[x]["m"].tolist()
    assert other.param_groups[0]["betas"] == (0.9, 0.999)


def test_other_programs_can_read_the_tensors(tmp_path: Path) -> None:
    flow.save({"weight": flow.ones(2), "bias": flow.zeros(1)}, tmp_path / "state")
    found = safetensors.load(tmp_path / "state")
    assert {name: array.tolist() for name, array in found.items()} == {
        "weight": [1.0, 1.0],
        "bias": [0.0],
    }


def test_files_of_other_programs_are_read(tmp_path: Path) -> None:
    # As safetensors.torch writes them: no nest, and any metadata.
    array = np.arange(3, dtype=np.float32)
    (tmp_path / "state").write_bytes(safetensors.packed({"layer.w": array}, {"format": "pt"}))
    loaded = flow.load(str(tmp_path / "state"))
    assert list(loaded) == ["layer.w"]
    assert loaded["layer.w"].tolist() == [0.0, 1.0, 2.0]


def test_safetensors_reads_and_writes_the_same(tmp_path: Path) -> None:
    other = pytest.importorskip("safetensors.numpy")
    flow.save({"w": flow.ones(2)}, tmp_path / "ours")
    assert other.load_file(tmp_path / "ours")["w"].tolist() == [1.0, 1.0]
    other.save_file({"w": np.ones(2, np.float32)}, tmp_path / "theirs")
    assert flow.load(tmp_path / "theirs")["w"].tolist() == [1.0, 1.0]


def test_an_error_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "state"
    flow.save(flow.ones(2), path)
    with pytest.raises(TypeError):
        flow.save({"x": flow.ones(2), "f": len}, path)
    assert flow.load(path).tolist() == [1.0, 1.0]
    assert os.listdir(tmp_path) == ["state"]


@pytest.mark.parametrize(
    ("nest", "text"),
    [
        ({"a": [len]}, "got a builtin_function_or_method, at a.0"),
        ({"a": {(1, 2): 1}}, "keys are strings and numbers, got a tuple of 2, at a"),
        ({"a": np.ones(2, np.uint16)}, "arrays of .*, got uint16, at a"),
        (1j, "got a complex"),
    ],
)
def test_values_that_are_not_nests_are_errors(nest: Any, text: str) -> None:
    with pytest.raises(TypeError, match=f"test_saving.py:[0-9]+: flow.save takes .*{text}"):
        flow.save(nest, io.BytesIO())


def test_recursive_nests_are_errors() -> None:
    nest: list[Any] = []
    nest.append(nest)
    with pytest.raises(ValueError, match="nests of at most 200 levels"):
        flow.save(nest, io.BytesIO())


def test_too_many_numbers_are_an_error() -> None:
    with pytest.raises(ValueError, match="at most 16 MiB and 200,000 values.*put many numbers"):
        flow.save(list(range(300_000)), io.BytesIO())


class TestDamagedFiles:
    def file(self, tree: Any, arrays: Any = None) -> io.BytesIO:
        text = tree if isinstance(tree, str) else json.dumps(tree)
        arrays_by_name = arrays or {"w": np.ones(2, np.float32)}
        return io.BytesIO(safetensors.packed(arrays_by_name, {"penstock.nest": text}))

    @pytest.mark.parametrize(
        ("tree", "text"),
        [
            ("{", "its nest is not JSON"),
            ({"tensor": "v"}, "a missing array 'v'"),
            ({"tensor": ["w"]}, "a missing array"),
            ({}, "the unknown tag ''"),
            ({"code": "1"}, "the unknown tag 'code'"),
            ({"tuple": 1}, "a malformed tuple"),
            ({"dict": [[1]]}, "a malformed dict"),
            ({"dict": [[[1], 1]]}, "a malformed dict"),
            ({"dict": 1}, "a malformed dict"),
            ({"float": "1e5"}, "a malformed float"),
            ({"float": []}, "a malformed float"),
            ({"dtype": "object"}, "the unknown dtype 'object'"),
            ("[" * 5000 + "]" * 5000, "more than 200 levels|not JSON"),
        ],
    )
    def test_nests(self, tree: Any, text: str) -> None:
        with pytest.raises(ValueError, match=f"test_saving.py:[0-9]+: .*{text}"):
            flow.load(self.file(tree))

    def test_truncated_and_changed_files_are_detected(self) -> None:
        data = self.file([{"tensor": "w"}]).getvalue()
        for end in range(len(data)):
            with pytest.raises(ValueError, match="the file"):
                flow.load(io.BytesIO(data[:end]))

    def test_missing_data_is_not_allocated(self) -> None:
        entry = {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}
        head = json.dumps({"w": entry}).encode()
        with pytest.raises(ValueError, match="do not fill it"):
            flow.load(io.BytesIO(len(head).to_bytes(8, "little") + head))

    def test_metadata_are_texts(self) -> None:
        head = json.dumps({"__metadata__": {"penstock.nest": []}}).encode()
        with pytest.raises(ValueError, match="its metadata is not all strings"):
            flow.load(io.BytesIO(len(head).to_bytes(8, "little") + head))

    @pytest.mark.parametrize("start", [b"PK\x03\x04", b"\x80\x02}q"])
    def test_pickles_are_refused(self, start: bytes) -> None:
        with pytest.raises(ValueError, match="pickled objects; flow.load does not read them"):
            flow.load(io.BytesIO(start + b"\0" * 50))

    def test_paths(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="flow.load cannot read .*none"):
            flow.load(tmp_path / "none")
        with pytest.raises(ValueError, match="is a folder; read the folder of a checkpoint"):
            flow.load(tmp_path)
        with pytest.raises(IsADirectoryError, match="flow.save cannot write"):
            flow.save(1, tmp_path)
        with pytest.raises(TypeError, match="a path or a file open for reading, got 1"):
            flow.load(1)
        with pytest.raises(TypeError, match="a path or a file open for writing, got 1"):
            flow.save(1, 1)
