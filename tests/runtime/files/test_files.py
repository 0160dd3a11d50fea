"""Files are written completely or not at all."""

import errno
import itertools
import os
from pathlib import Path

import pytest
from stopping import Victims

from penstock.runtime.files import replace

KILLS = int(os.environ.get("PENSTOCK_FILE_KILLS", "12"))


def test_new_and_replaced_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace(path, b"old")
    os.chmod(path, 0o640)
    replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    replace(tmp_path / "link", b"content")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"content"


def test_a_device(tmp_path: Path) -> None:
    replace("/dev/null", b"content")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        replace("/dev/full", b"content")


@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_disk_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("place", ["none/file", "."])
def test_invalid_targets(tmp_path: Path, place: str) -> None:
    with pytest.raises(OSError, match="No such file|Is a directory") as caught:
        replace(tmp_path / place, b"content")
    assert caught.value.filename == str(tmp_path / place)
    assert str(caught.value).endswith(f"{str(tmp_path / place)!r}")
    assert not list(tmp_path.iterdir())


WRITER = """\
from penstock.runtime.files import replace

def work(path, letter):
    arm()
    replace(path, letter.encode() * (1 << 20))
"""


def test_a_kill_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """Killed before each system call; PENSTOCK_FILE_KILLS sets a minimum number of kills."""
    path, kills, torn = tmp_path / "file", 0, 0
    whole = {letter: letter.encode() * (1 << 20) for letter in "ab"}
    replace(path, whole["a"])
    found, calls = "a", set()
    with Victims(WRITER) as victims:
        while kills < KILLS:
            for point in itertools.count(1):
                new = "b" if found == "a" else "a"
                call, _ = victims.killed_at(point, str(path), new)
                content = path.read_bytes()
                assert content in whole.values()
                found = content[:1].decode()
                others = [entry.name for entry in tmp_path.iterdir() if entry != path]
                assert all(name.startswith(".penstock-") for name in others)
                if not call:
                    break
                calls.add(call)
                kills += 1
                torn += len(others) > 0
                for name in others:
                    (tmp_path / name).unlink()
            assert found == new, "what nobody killed is done"
    assert torn >= 8, "the calls of a write are not seen"
    assert {"open", "write", "fsync", "rename"} <= calls
