"""Kills a process at each system call of some work, deterministically.

A test starts a `Victims` process for a script. For each kill the process forks; the fork counts its
system calls, and at the one that the test chose it reports and waits. Then it is killed by SIGKILL.
So the work dies before each of its system calls, and in the middle of every file, since writes are
split.

This module is imported on both sides; in the victims it imports only the standard library.
"""

from __future__ import annotations

import builtins
import fcntl
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

CALLS = (
    "chmod", "fchmod", "fsync", "link", "mkdir", "open", "remove", "rename", "replace", "rmdir",
    "symlink", "truncate", "unlink", "utime",
)  # fmt: skip
"""The counted calls besides writing and locking. Calls that change nothing on disk need no kill."""
LEAST = 4096
"""Writes of fewer bytes are not split."""

assert shutil.rmtree  # shutil must be imported before the system calls are replaced.


class Victims:
    """A process that imports a script once, and forks for each kill.

    The script defines `work(*arguments)`, which calls `arm()` to start counting and `say(word)` to
    tell the test something.
    """

    def __init__(self, script: str) -> None:
        program = "from stopping import arm, say, serve\n" + script + "\nserve(work)\n"
        folder = str(Path(__file__).parent)
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import sys\nsys.path.append({folder!r})\n{program}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # A fork has one thread, so no other thread may hold a lock.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )

    def __enter__(self) -> Victims:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__(None, None, None)
        assert self._process.returncode == 0

    def killed_at(self, point: int, *arguments: object) -> tuple[str, list[str]]:
        """Kill one at call number `point`; returns the name of that call and what was said before.

        The name is empty if the work ended before that call.
        """
        self.begin(point, *arguments)
        return self.end()

    def begin(self, point: int, *arguments: object) -> None:
        """Let one run up to call number `point`, counted from 1."""
        assert self._process.stdin is not None
        print(json.dumps([point, *arguments]), file=self._process.stdin, flush=True)

    def end(self) -> tuple[str, list[str]]:
        """Wait until it reaches that call, and kill it."""
        kind, pid = self._said()
        assert kind == "pid"
        words = []
        while True:
            kind, word = self._said()
            if kind != "word":
                break
            words.append(word)
        assert kind in ("stopped", "done"), f"{kind} {word}"
        if kind == "stopped":
            os.kill(int(pid), signal.SIGKILL)
        assert self._said() == ("ended", "-9" if kind == "stopped" else "0")
        return (word if kind == "stopped" else ""), words

    def _said(self) -> tuple[str, str]:
        assert self._process.stdout is not None
        kind, _, word = self._process.stdout.readline().rstrip("\n").partition(" ")
        return kind, word


_left = 0
"""The number of calls until the fork stops; 0 before counting starts."""
_chosen = 0


def arm() -> None:
    """Start counting."""
    global _left
    _left = _chosen


def say(word: object, kind: str = "word") -> None:
    os_write(1, f"{kind} {word}\n".encode())


def serve(work: Callable[..., object]) -> None:
    """Fork for each line of standard input, which has a call number and arguments of `work`."""
    global _chosen
    _replace_calls()
    for line in sys.stdin:
        _chosen, *arguments = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _run(work, arguments)
        say(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "ended")


def _run(work: Callable[..., object], arguments: list[Any]) -> NoReturn:
    say(os.getpid(), "pid")
    try:
        work(*arguments)
        say("", "done")
    except BaseException:
        say(repr(traceback.format_exc()), "failed")
    os._exit(0)


os_write = os.write


def _point(name: str) -> None:
    global _left
    if _left:
        _left -= 1
        if not _left:
            say(name, "stopped")
            while True:
                signal.pause()


def _cut(data: Any) -> memoryview:
    """The part of some data that one write takes."""
    view = memoryview(data).cast("B") if len(data) else memoryview(b"")
    return view[: max(LEAST, len(view) // 2)]


class _File(io.FileIO):
    def write(self, data: Any) -> int:
        _point("write")
        return super().write(_cut(data))


def _replace_calls() -> None:
    def counted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            _point(name)
            return call(*arguments, **options)

        return wrapper

    plain = builtins.open

    def opened(file: Any, mode: str = "r", buffering: int = -1, *more: Any, **options: Any) -> Any:
        _point("open")
        if buffering == 0 and not more and set(options) <= {"closefd"}:
            return _File(file, mode.replace("b", ""), **options)
        return plain(file, mode, buffering, *more, **options)

    def written(descriptor: int, data: Any) -> int:
        _point("write")
        return os_write(descriptor, _cut(data))

    for name in CALLS:
        setattr(os, name, counted(name, getattr(os, name)))
    fcntl.flock = counted("flock", fcntl.flock)
    os.write = written
    builtins.open = opened
