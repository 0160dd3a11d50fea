"""A file is written whole or not at all."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
def test_places_that_are_none(tmp_path: Path, place: str) -> None:
    with pytest.raises(OSError, match="No such file|Is a directory") as caught:
        replace(tmp_path / place, b"content")
    assert caught.value.filename == str(tmp_path / place)
    assert str(caught.value).endswith(f"{str(tmp_path / place)!r}")
    assert not list(tmp_path.iterdir())


WRITER = """\
import sys
from penstock.runtime.files import replace
print("ready", flush=True)
while True:
    for letter in b"ab":
        replace(sys.argv[1], bytes([letter]) * (1 << 20))
"""


def test_a_kill_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace(path, b"b" * (1 << 20))
    for number in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(0.001 + 0.003 * number)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        content = path.read_bytes()
        assert len(content) == 1 << 20
        assert content in (b"a" * (1 << 20), b"b" * (1 << 20))
    others = [entry.name for entry in tmp_path.iterdir() if entry != path]
    assert all(name.startswith(".penstock-") for name in others)
