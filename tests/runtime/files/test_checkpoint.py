"""Checkpoints on disk: format, names, damage, and leftovers of other processes."""

import errno
import fcntl
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.runtime import FileVariable, checkpoint
from penstock.runtime.dtypes import DTYPE_WORDS, numpy_dtype

Array = np.ndarray[Any, Any]


def got(folder: Path) -> dict[str, FileVariable]:
    saved = checkpoint.get(folder)
    assert isinstance(saved, dict)
    return saved


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_the_format(tmp_path: Path) -> None:
    arrays: dict[str, Array] = {
        "hidden-weight": np.arange(6, dtype=np.float32).reshape(2, 3),
        "step": np.array(7, np.int64),
    }
    checkpoint.save(tmp_path / "a", arrays)
    assert files(tmp_path) == [
        "a",
        "a/hidden-weight",
        "a/hidden-weight/meta",
        "a/hidden-weight/out",
        "a/snapshot_done",
        "a/step",
        "a/step/meta",
        "a/step/out",
    ]
    assert (tmp_path / "a/hidden-weight/meta").read_text() == "shape: 2 3\ndtype: f32\n"
    assert (tmp_path / "a/step/meta").read_text() == "shape:\ndtype: i64\n"
    assert (tmp_path / "a/hidden-weight/out").read_bytes() == np.arange(6, dtype="<f4").tobytes()
    assert (tmp_path / "a/step/out").read_bytes() == b"\7" + bytes(7)
    assert (tmp_path / "a/snapshot_done").read_bytes() == b""


@pytest.mark.parametrize("word", DTYPE_WORDS)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_every_type_and_shape_comes_back(tmp_path: Path, word: str, shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape)).reshape(shape).astype(numpy_dtype(word))
    checkpoint.save(tmp_path / "a", {"w": array})
    variable = got(tmp_path / "a")["w"]
    assert (variable.shape, variable.dtype) == (shape, array.dtype)
    assert variable.numpy().dtype == array.dtype
    assert np.array_equal(variable.numpy(), array)
    assert variable.numpy().flags.writeable


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=">f4").reshape(2, 3),
        np.arange(12, dtype=np.float32).reshape(2, 6)[:, ::2] / 2,
        np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    ],
)
def test_memory_layout_is_not_saved(tmp_path: Path, array: Array) -> None:
    checkpoint.save(tmp_path / "a", {"w": array})
    assert (tmp_path / "a/w/out").read_bytes() == np.arange(6, dtype="<f4").tobytes()


@pytest.mark.skipif(sys.byteorder == "big", reason="stands in for a big-endian machine")
def test_a_big_endian_type_reads_little_endian_bytes(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.array([1, 2], np.int32)})
    (tmp_path / "a" / "w" / "meta").unlink()
    value = FileVariable(tmp_path / "a" / "w").read((2,), np.dtype(">i4"))
    assert value.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("hidden-weight", "hidden-weight"),
        ("System-Train-TrainStep-train_job", "System-Train-TrainStep-train_job"),
        ("a.b_c", "a.b_c"),
        ("a/b", "a%2Fb"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        ("/absolute", "%2Fabsolute"),
        ("..", "%2E."),
        (".", "%2E"),
        (".penstock-saving-0.lock", "%2Epenstock-saving-0.lock"),
        ("snapshot_done", "%73napshot_done"),
        ("out", "out"),
        ("meta", "meta"),
        ("100%", "100%25"),
        ("~user", "%7Euser"),
        ("a b\n\0", "a%20b%0A%00"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("%2F", "%252F"),
    ],
)
def test_no_name_escapes_the_folder(tmp_path: Path, name: str, folder: str) -> None:
    checkpoint.save(tmp_path / "a", {name: np.ones(2, np.float32)})
    expected = ["a", f"a/{folder}", f"a/{folder}/meta", f"a/{folder}/out", "a/snapshot_done"]
    assert files(tmp_path) == sorted(expected)
    assert list(got(tmp_path / "a")) == [name]


def test_all_those_names_at_once(tmp_path: Path) -> None:
    names = ["a/b", "a%2Fb", "A/B", ".", "..", "out", "snapshot_done", "%73napshot_done"]
    checkpoint.save(tmp_path / "a", {n: np.array(i, np.int32) for i, n in enumerate(names)})
    saved = got(tmp_path / "a")
    assert {name: int(saved[name].numpy()) for name in names} == {
        name: index for index, name in enumerate(names)
    }


def test_one_variable_alone(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    variable = checkpoint.get(tmp_path / "a" / "w")
    assert isinstance(variable, FileVariable)
    assert variable.numpy().tolist() == [1, 1]
    assert repr(variable) == f"FileVariable({str(tmp_path / 'a' / 'w')!r})"


def test_an_empty_checkpoint(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {})
    assert got(tmp_path / "a") == {}


def test_parent_folders_are_created_and_an_empty_folder_is_used(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "x" / "y" / "z", {"w": np.ones(2, np.float32)})
    (tmp_path / "empty").mkdir()
    checkpoint.save(str(tmp_path / "empty"), {"w": np.ones(2, np.float32)})
    (tmp_path / "link").symlink_to(tmp_path / "behind")
    checkpoint.save(tmp_path / "link", {"w": np.ones(2, np.float32)})
    for name in ("x/y/z", "empty", "link", "behind"):
        assert list(got(tmp_path / name)) == ["w"]


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    checkpoint.save("a", {"w": np.ones(2, np.float32)})
    assert list(got(Path("a"))) == ["w"]


def test_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    (tmp_path / "file").write_text("")
    for name in ("a", "file"):
        sentence = f"Non-empty directory {str(tmp_path / name)!r} already exists; save into a new f"
        with pytest.raises(ValueError, match="^" + re.escape(sentence)):
            checkpoint.save(tmp_path / name, {"w": np.zeros(2, np.float32)})
    assert got(tmp_path / "a")["w"].numpy().tolist() == [1, 1]


def test_a_folder_that_is_filled_during_the_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def late(source: str, target: str) -> None:
        os.mkdir(target)
        (Path(target) / "other").write_text("mine")
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    with pytest.raises(
        ValueError, match="^Non-empty directory '.*a' already exists; save into a n"
    ):
        checkpoint.save(tmp_path / "a", {"w": np.zeros(2, np.float32)})
    assert files(tmp_path) == ["a", "a/other"]


@pytest.mark.parametrize(
    ("name", "value", "error", "sentence"),
    [
        ("", np.ones(1), ValueError, "variable '' cannot be saved: its name is empty; give it one"),
        (
            "/" * 90,
            np.ones(1),
            ValueError,
            f"variable '{'/' * 90}' cannot be saved: its folder's name would have 270 characters, ",
        ),
        (
            "w",
            np.ones(1, np.uint16),
            ValueError,
            "variable 'w' cannot be saved: arrays of uint16 have no d",
        ),
        (
            "w",
            [1.0],
            TypeError,
            "variable 'w' cannot be saved: expected a NumPy array, got a list;",
        ),
        (3, np.ones(1), TypeError, "a variable's name must be a string, got 3;"),
    ],
)
def test_values_that_a_checkpoint_cannot_hold(
    tmp_path: Path, name: Any, value: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match="^" + re.escape(sentence)):
        checkpoint.save(tmp_path / "a", {"good": np.ones(1), name: value})
    assert files(tmp_path) == []


def test_no_checkpoint_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("missing", "file"):
        with pytest.raises(
            ValueError, match="^there is no checkpoint at '.*': not a folder; check"
        ):
            checkpoint.get(tmp_path / name)


def test_an_incomplete_checkpoint(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    (tmp_path / "a" / "snapshot_done").unlink()
    with pytest.raises(
        ValueError, match="^'.*a' has no 'snapshot_done', so it is not a checkpoint, or"
    ):
        checkpoint.get(tmp_path / "a")


def test_a_checkpoint_that_lost_a_file(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    (tmp_path / "a" / "w" / "out").unlink()
    with pytest.raises(
        ValueError, match="^'.*a' is damaged: variable 'w' has no 'out' file; use a"
    ):
        checkpoint.get(tmp_path / "a")


def test_a_duplicate_name(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    (tmp_path / "a" / "%77").mkdir()
    (tmp_path / "a" / "%77" / "out").write_bytes(b"")
    with pytest.raises(
        ValueError, match="^'.*a' is damaged: it holds variable 'w' twice; use anot"
    ):
        checkpoint.get(tmp_path / "a")


def test_unrelated_files_in_a_checkpoint_are_ignored(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    (tmp_path / "a" / "notes.txt").write_text("the good one")
    (tmp_path / "a" / ".hidden").mkdir()
    assert list(got(tmp_path / "a")) == ["w"]


def test_values_are_read_lazily(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    variable = got(tmp_path / "a")["w"]
    (tmp_path / "a" / "w" / "out").write_bytes(np.array([5, 6], "<f4").tobytes())
    assert variable.numpy().tolist() == [5, 6]


def test_no_meta(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(np.array([5, 6], "<f4").tobytes())
    variable = checkpoint.get(tmp_path)
    assert isinstance(variable, FileVariable)
    for ask in (lambda: variable.numpy(), lambda: variable.shape, lambda: variable.dtype):
        with pytest.raises(
            RuntimeError, match="^checkpoint file '.*' has no 'meta', so its shape i"
        ):
            ask()
    assert variable.read((2,), np.dtype(np.float32)).tolist() == [5, 6]
    assert variable.read((2, 1), np.dtype(np.int32)).shape == (2, 1)
    with pytest.raises(
        ValueError, match=r"has 8 bytes, but float32 of shape \(3,\) takes 12; use "
    ):
        variable.read((3,), np.dtype(np.float32))


@pytest.mark.parametrize(
    "meta",
    [
        "",
        "shape: 2\n",
        "dtype: f32\nshape: 2\n",
        "shape: 2\ndtype: f32\nmore: 1\n",
        "shape: -2\ndtype: f32\n",
        "shape: 2.0\ndtype: f32\n",
        "shape: 0x2\ndtype: f32\n",
        "shape: 0 9999999999999999999\ndtype: f32\n",
        "shape: 0 4611686018427387904 2\ndtype: f32\n",
        f"shape: {'9' * 3000}\ndtype: f32\n",
        "shape: 2\ndtype: float\n",
        "shape: 2\ndtype:\n",
        "shape: 2\ndtype: f32 f32\n",
        "shape: " + "1 " * 40 + "\ndtype: f32\n",
        "shape: " + "9" * 5000 + "\ndtype: f32\n",
        "shape: 2\ndtype: f32\n" + "\n" * 5000,
        "shape: ٢\ndtype: f32\n",
    ],
)
def test_a_damaged_meta(tmp_path: Path, meta: str) -> None:
    (tmp_path / "out").write_bytes(bytes(8))
    (tmp_path / "meta").write_text(meta, "utf-8")
    variable = FileVariable(tmp_path)
    for ask in (variable.numpy, lambda: variable.read((2,), np.dtype(np.float32))):
        with pytest.raises(
            ValueError, match="^'.*meta' is damaged: expected the lines 'shape: ...'"
        ):
            ask()


@pytest.mark.parametrize(
    ("shape", "size"),
    [("3", 8), ("1", 8), ("", 8), ("0", 8), ("2", 0), (f"{2**60} {2**60}", 8), (str(2**61), 8)],
)
def test_a_size_mismatch(tmp_path: Path, shape: str, size: int) -> None:
    """It is detected before allocation, which could fail for huge sizes."""
    (tmp_path / "out").write_bytes(bytes(size))
    (tmp_path / "meta").write_text(f"shape: {shape}\ndtype: f32\n")
    with pytest.raises(
        ValueError, match=f"^'.*out' has {size} bytes, but float32 of shape .* takes"
    ):
        FileVariable(tmp_path).numpy()


def test_a_file_that_shrinks_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_bytes(bytes(4))

    class Larger:
        st_size = 8

    monkeypatch.setattr(os, "fstat", lambda _: Larger)
    with pytest.raises(
        ValueError, match="^'.*out' ended after 4 of 8 bytes; use another checkpoint"
    ):
        FileVariable(tmp_path).read((2,), np.dtype(np.float32))


BOXES = [(slice(0, 4), slice(0, 6)), (slice(1, 3), slice(2, 6)), (slice(2, 2), slice(0, 6))]


@pytest.mark.parametrize("parts", [False, True])
def test_parts_are_read_alone(tmp_path: Path, parts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.arange(24, dtype=np.float32).reshape(4, 6)
    folder = str(tmp_path / "w")
    if parts:
        for number, (rows, columns) in enumerate(
            [((0, 3), (0, 2)), ((0, 3), (2, 6)), ((3, 4), (0, 6))]
        ):
            box = slice(*rows), slice(*columns)
            origin = (rows[0], columns[0])
            checkpoint.write_part(folder, whole[box], origin, (4, 6), is_first=not number)
    else:
        checkpoint.write_variable(folder, whole)
    # Less than two rows at once, and rows are longer than what is needed of them.
    monkeypatch.setattr("penstock.runtime.file_parts._AT_ONCE", 40)
    source = FileVariable(folder).source((4, 6), whole.dtype)
    for box in BOXES:
        found = np.empty_like(whole[box])
        source.read(found, box)
        assert found.tobytes() == whole[box].tobytes()
    changed = tmp_path / "w" / ("part.0-2.3-4" if parts else "out")
    changed.write_bytes(changed.read_bytes()[::-1])
    with pytest.raises(ValueError, match="w' has changed or gone since it was loaded, and a part"):
        source.read(np.empty((1, 2), np.float32), (slice(0, 1), slice(3, 5)))
    with pytest.raises(ValueError, match="holds float32 of shape .4, 6., but the variable is"):
        FileVariable(folder).source((6, 4), whole.dtype)
    changed.write_bytes(b"")
    with pytest.raises(ValueError, match="has 0 bytes, but float32 of shape"):
        FileVariable(folder).source((4, 6), whole.dtype)


def test_everything_is_flushed_before_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power failure only flushed data is certain to exist."""
    events: list[str] = []
    fsync, rename = os.fsync, os.rename

    def flushing(descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        events.append(re.sub(r"\.penstock-saving-\w+", "T", os.path.relpath(path, tmp_path)))
        fsync(descriptor)

    def renaming(source: str, target: str) -> None:
        events.append("rename")
        rename(source, target)

    monkeypatch.setattr(os, "fsync", flushing)
    monkeypatch.setattr(os, "rename", renaming)
    checkpoint.save(tmp_path / "new" / "a", {"w": np.ones(2, np.float32)})
    written = ["new/T/w/out", "new/T/w/meta", "new/T/w", "new/T/snapshot_done", "new/T"]
    assert events == [".", *written, "rename", "new"]


def leave_behind(folder: Path, name: str) -> Path:
    """The leftovers of a process killed in the middle of a save."""
    lock = folder / f".penstock-saving-{name}.lock"
    lock.touch()
    temporary = folder / f".penstock-saving-{name}"
    (temporary / "w").mkdir(parents=True)
    (temporary / "w" / "out").write_bytes(b"half")
    return lock


def test_leftovers_of_dead_processes_are_swept_and_those_of_live_ones_kept(tmp_path: Path) -> None:
    leave_behind(tmp_path, "dead")
    (tmp_path / ".penstock-saving-early.lock").touch()
    (tmp_path / ".penstock-saving-folder.lock").mkdir()
    living = leave_behind(tmp_path, "living")
    with living.open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            ".penstock-saving-folder.lock",
            ".penstock-saving-living",
            ".penstock-saving-living.lock",
            "a",
        ]
    checkpoint.save(tmp_path / "b", {"w": np.ones(2, np.float32)})
    assert not (tmp_path / ".penstock-saving-living").exists()
    assert not living.exists()


def test_leftovers_that_cannot_be_swept_keep_their_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = leave_behind(tmp_path, "stuck")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    assert lock.exists()
    checkpoint.save(tmp_path / "b", {"w": np.ones(2, np.float32)})
    assert not list(tmp_path.glob(".penstock-saving-*"))


def test_a_sweep_between_making_and_locking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep takes the lock the first time and removes it the second time."""
    flock, calls = fcntl.flock, []

    def contended(lock: Any, operation: int) -> None:
        calls.append(lock.name)
        if len(calls) == 1:
            raise BlockingIOError
        flock(lock, operation)
        if len(calls) == 2:
            os.unlink(lock.name)

    monkeypatch.setattr(fcntl, "flock", contended)
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    assert len(set(calls)) == 3
    assert list(got(tmp_path / "a")) == ["w"]


def test_a_disk_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    leave_behind(tmp_path, "unknown")
    monkeypatch.setattr(fcntl, "flock", unsupported)
    checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    assert list(got(tmp_path / "a")) == ["w"]
    assert (tmp_path / ".penstock-saving-unknown" / "w" / "out").exists()


def test_a_lock_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", broken)
    with pytest.raises(OSError, match="Input/output error"):
        checkpoint.save(tmp_path / "a", {"w": np.ones(2, np.float32)})
    assert not (tmp_path / "a").exists()
