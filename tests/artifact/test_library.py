"""`flow.save_library`: initial values of variables, paths, and errors."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp


def counter() -> Any:
    @flow.global_function()
    def count(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return x + flow.get_variable("start", (3,), None, flow.constant_initializer(2))

    return count


def answer(path: Path, name: str) -> list[float]:
    """The result of one step of the library's job on zeros, with initial variables."""
    library = ctypes.CDLL(str(path))
    block = np.zeros(256, np.uint8)
    memory = ctypes.c_void_p(block.ctypes.data + -block.ctypes.data % 64)
    variables, x, result = ctypes.c_void_p(), (ctypes.c_float * 3)(), (ctypes.c_float * 3)()
    pointer = ctypes.byref(variables)
    assert getattr(library, f"{name}_initialize")(pointer, memory) == 0
    assert getattr(library, f"{name}_count")(pointer, x, result, None) == 0
    return list(result)


def test_variables_start_with_their_initializers(tmp_path: Path) -> None:
    flow.save_library(tmp_path / "first", counter())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.h", "libfirst.so"]
    assert answer(tmp_path / "libfirst.so", "first") == [2, 2, 2]


def test_variables_start_with_their_current_values(tmp_path: Path) -> None:
    job = counter()
    job(np.zeros(3, np.float32))
    flow.load_variables({"start": np.array([1, 2, 3], np.float32)})
    flow.save_library(tmp_path / "now", job)
    assert answer(tmp_path / "libnow.so", "now") == [1, 2, 3]


def test_variables_start_with_given_values(tmp_path: Path) -> None:
    said = {"start": np.array([5, 6, 7], np.float32)}
    flow.save_library(tmp_path / "said.so", counter(), variables=said, targets=["x86-64-v2"])
    assert answer(tmp_path / "said.so", "said") == [5, 6, 7]


def test_the_same_jobs_give_the_same_bytes(tmp_path: Path) -> None:
    job = counter()
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        flow.save_library(tmp_path / folder / "same", job)
    for name in ("libsame.so", "same.h"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize("path", [None, 3, b"", ""])
def test_invalid_paths(path: Any) -> None:
    with pytest.raises(
        TypeError, match=r"test_library.py:\d+: flow.save_library takes a file path"
    ):
        flow.save_library(path, counter())


def test_unwritable_paths(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"test_library.py:\d+: .*liba.so' cannot be written"):
        flow.save_library(tmp_path / "no" / "a", counter())


def test_jobs_that_cannot_be_compiled(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"test_library.py:\d+: a target must be one of x86-64-v2"):
        flow.save_library(tmp_path / "a", counter(), targets=["x86-64"])
    with pytest.raises(ValueError, match=r"test_library.py:\d+: .*at least one job"):
        flow.save_library(tmp_path / "a")
    assert not list(tmp_path.iterdir())
