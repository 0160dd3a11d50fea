"""Every system call of a save fails once: there is no partial checkpoint, and no older one is
lost."""

import contextlib
import errno
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.runtime import FileVariable, checkpoint

CALLS = ("mkdir", "open", "fsync", "rename", "listdir", "unlink", "close")


class NoSpaceError(OSError):
    pass


class Disk:
    """Counts system calls and makes number `fails` fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.fails = 0
        for name in CALLS:
            monkeypatch.setattr(os, name, self.counted(getattr(os, name)))
        monkeypatch.setattr("builtins.open", self.counted(open))

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **options: Any) -> Any:
            self.count += 1
            if self.count == self.fails:
                if call is close:
                    call(*args, **options)
                raise NoSpaceError(errno.ENOSPC, "No space left on device")
            result = call(*args, **options)
            return Full(self, result) if isinstance(result, io.FileIO) else result

        return wrapper


close = os.close


class Full:
    """A file whose every write is a system call, possibly a short write."""

    def __init__(self, disk: Disk, file: io.FileIO) -> None:
        self.file = file
        self.write = disk.counted(self.short)

    def short(self, data: memoryview) -> int:
        return self.file.write(data[:50])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def __enter__(self) -> "Full":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with monkeypatch.context() as patch:
        yield Disk(patch)


def values(folder: Path) -> dict[str, list[float]]:
    saved = checkpoint.get(folder)
    assert isinstance(saved, dict)
    return {name: variable.numpy().tolist() for name, variable in saved.items()}


def test_each_call_fails_once(tmp_path: Path, disk: Disk) -> None:
    def arrays(value: float) -> dict[str, np.ndarray[Any, Any]]:
        return {name: np.full(30, value, np.float32) for name in ("w", "b")}

    old, new = ({name: [value] * 30 for name in ("b", "w")} for value in (1.0, 2.0))
    checkpoint.save(tmp_path / "old", arrays(1))
    needed = disk.count
    assert needed > 25
    outcomes = {"nothing": 0, "whole": 0}
    for number in range(1, needed + 5):
        folder = tmp_path / f"new{number}"
        disk.count, disk.fails = 0, number
        failed = True
        with contextlib.suppress(NoSpaceError):
            checkpoint.save(folder, arrays(2))
            failed = False
        reached = disk.count >= number
        disk.fails = 0
        assert values(tmp_path / "old") == old
        if folder.exists():
            # After the rename the checkpoint exists, although it may not be on disk yet.
            outcomes["whole"] += failed
            assert values(folder) == new
        else:
            assert failed
            outcomes["nothing"] += 1
            checkpoint.save(folder, arrays(2))
            assert values(folder) == new
        if not reached:
            break
    else:
        pytest.fail("the last call was not reached")
    assert outcomes["nothing"] > 20
    assert not list(tmp_path.glob(".penstock-saving-*")), "the next save must sweep"


def test_the_variables_are_read_lazily(tmp_path: Path, disk: Disk) -> None:
    checkpoint.save(tmp_path / "a", {"w": np.ones(3, np.float32)})
    variable = FileVariable(tmp_path / "a" / "w")
    disk.count, disk.fails = 0, 1
    with pytest.raises(OSError, match="No space left"):
        variable.numpy()
