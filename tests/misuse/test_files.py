"""Missing, unreadable, truncated, wrong and endless files wherever one is read, and unwritable
paths: one sentence, and no partial file."""

from __future__ import annotations

import _io
import builtins
import errno
import io
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import pytest

from penstock.runtime import files
from penstock.tools import cli

Said = Callable[..., str]

READING = {
    "compile": "compile {}.py -o out.pstk",
    "compile --from": "compile --from {}.mlir -o out.pstk",
    "compile --load-variables": "compile --from job.mlir -o out.pstk --load-variables {}.variables",
    "show": "show {}.pstk",
    "run": "run {}.pstk --feed x=x.npy",
    "run --feed": "run job.pstk --feed x={}.npy",
    "run --load-variables": "run job.pstk --feed x=x.npy --load-variables {}.variables",
    "opt": "opt {}.mlir",
    "dump": "dump {}.py",
    "diff before": "diff {}.mlir job.mlir",
    "diff after": "diff job.mlir {}.mlir",
    "repro": "repro {}.mlir",
    "reduce": "reduce {}.mlir",
    "reduce of a job": "reduce {}.py",
    "bisect": "bisect {}.mlir",
    "bisect --feed": "bisect job.mlir --feed x={}.npy",
    "explore": "explore {}.mlir",
    "explore of a job": "explore {}.py",
    "fuzz": "fuzz --again {}.mlir",
    "explore --profile": "explore job.mlir --stop-after job --profile {}.variables",
    "profile": "profile {}.py",
    "profile of an artifact": "profile {}.pstk",
    "profile --feed": "profile job.py --steps 1 --feed x={}.npy",
    "tune": "tune {}.py",
}
"""Every place where a command reads a file."""
STATES = {
    "missing": lambda path: None,
    "a folder": os.mkdir,
    "without its end": lambda path: path.write_bytes(SOUND[path.suffix].read_bytes()[:-9]),
    "empty": lambda path: path.write_bytes(b""),
    "random": lambda path: path.write_bytes(np.random.default_rng(1).bytes(5000)),
    "all zeros": lambda path: path.write_bytes(bytes(5000)),
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path),
    "denied": lambda path: path.write_bytes(SOUND[path.suffix].read_bytes()),
}
SOUND: dict[str, Path] = {}
HARMLESS = {("opt", "empty"), ("diff before", "empty"), ("diff after", "empty")}
"""An empty text is an empty module."""


@pytest.fixture
def sound(place: Path) -> None:
    from penstock.runtime.store import safetensors

    safetensors.save(place / "job.variables", {"v": np.ones(3, np.float32)})
    for suffix in (".py", ".mlir", ".pstk", ".variables"):
        SOUND[suffix] = place / f"job{suffix}"
    SOUND[".npy"] = place / "x.npy"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("where", READING)
def test_a_file_that_cannot_be_read(
    where: str, state: str, place: Path, sound: None, said: Said
) -> None:
    if (where, state) in HARMLESS:
        pytest.skip("an empty text is an empty module")
    words = shlex.split(READING[where].format("wrong"))
    name = next(word for word in words if "wrong" in word).removeprefix("x=")
    STATES[state](place / name)
    assert "wrong" in said(*words, around=refused(name) if state == "denied" else nullcontext())


@contextmanager
def refused(name: str) -> Iterator[None]:
    """Opening the file fails as if permission were denied, even if tests run as root."""

    def refusing(real: Callable[..., object]) -> Callable[..., object]:
        def call(path: object, *rest: object, **named: object) -> object:
            if isinstance(path, str | os.PathLike) and os.path.basename(path) == name:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return real(path, *rest, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for module, word in (
            (builtins, "open"),
            (io, "open"),
            (_io, "open_code"),
            (os, "open"),
        ):
            patch.setattr(module, word, refusing(getattr(module, word)))
        yield


WRITING = {
    "compile": "compile --from job.mlir -o {}",
    "compile --stop-after": "compile --from job.mlir --stop-after fused -o {}",
    "compile --emit": "compile --from job.mlir --emit header,so -o {}",
    "show": "show job.pstk -o {}",
    "show --stage": "show job.pstk --stage fused -o {}",
    "run --out": "run job.pstk --feed x=x.npy --out {}",
    "run --save": "run job.pstk --feed x=x.npy --save {}",
    "run --save-variables": "run job.pstk --feed x=x.npy --save-variables {}",
    "opt": "opt job.mlir -o {}",
    "opt --dump-dir": "opt job.mlir -p canonicalize --print-ir-after-all --dump-dir {}",
    "dump": "dump job.py --stage job -o {}",
    "reduce": "reduce job.mlir --test false -o {}",
    "explore": "explore job.mlir --stop-after job -o {}",
    "profile --trace": "profile job.py --steps 1 --trace {}",
    "tune": "tune job.py --seconds 0.001 -o {}",
    "ops": "ops -o {}",
}
"""Every place where a command writes a file."""


@pytest.mark.parametrize("where", WRITING)
@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("/proc/none", ""),
        ("x.npy/out", "x.npy"),
        ("no/such/folder/out", "no/such"),
        ("/dev/full", "No space left"),
    ],
)
def test_a_place_that_cannot_be_written(where: str, target: str, part: str, said: Said) -> None:
    makes_folders = where == "opt --dump-dir" and target.startswith("no/")
    if makes_folders or (
        target == "/dev/full" and where in ("compile --emit", "tune", "opt --dump-dir")
    ):
        pytest.skip("it makes the folder, or names of its own")
    assert part in said(*shlex.split(WRITING[where].format(target)))


@pytest.mark.parametrize("where", ["compile", "run --out", "run --save", "run --save-variables"])
def test_a_full_disk_keeps_the_old_file(
    where: str, place: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "out").write_bytes(b"what was there")
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        write(descriptor, bytes(data)[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "write", full)
    assert "out: No space left on device" in said(*shlex.split(WRITING[where].format("out")))


def test_every_command_that_reads_or_writes_is_here() -> None:
    reading = {key.split()[0] for key in READING}
    assert reading == set(cli.COMMANDS) - {"ops", "help", "completion"}
    writing = {key.split()[0] for key in WRITING}
    others = {"diff", "repro", "bisect", "fuzz", "help", "completion"}
    assert writing | others == set(cli.COMMANDS)
