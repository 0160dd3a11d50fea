"""Kills a process at each call to the system that some work makes, whatever the machine's speed.

A test starts a `Victims` process and names a function of a script. For each kill the process forks;
the fork counts its calls to the system, and at the one the test chose it says so and waits. Then
it is killed by SIGKILL. The work therefore dies before every call in turn, and inside every file it
writes, because a write is cut into several.

This module is imported on both sides, and on the side of the victims it imports nothing but the
standard library.
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
"""Besides writing and locking. Before a call that changes nothing, the disk is as before the next
one that does."""
LEAST = 4096
"""Bytes below which a write is not cut any more."""

assert shutil.rmtree  # It must see the calls as the system has them, before they are replaced.


class Victims:
    """A process that imports a script once, and forks for each kill.

    The script defines `work(*arguments)`. It calls `arm()` where counting begins, and `say(word)`
    for what it tells the test.
    """

    def __init__(self, script: str) -> None:
        program = "from stopping import arm, say, serve\n" + script + "\nserve(work)\n"
        folder = str(Path(__file__).parent)
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import sys\nsys.path.append({folder!r})\n{program}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # A fork has one thread: no other may be there to hold a lock.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )

    def __enter__(self) -> Victims:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__(None, None, None)
        assert self._process.returncode == 0

    def killed_at(self, point: int, *arguments: object) -> tuple[str, list[str]]:
        """Kill one at its call number `point`: which call that was, and what was said before.

        The call is empty where the work was done without making so many.
        """
        self.begin(point, *arguments)
        return self.end()

    def begin(self, point: int, *arguments: object) -> None:
        """Let one run, up to its call number `point`, counted from 1."""
        assert self._process.stdin is not None
        print(json.dumps([point, *arguments]), file=self._process.stdin, flush=True)

    def end(self) -> tuple[str, list[str]]:
        """Wait until it is there, and kill it."""
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
"""How many calls away the fork stops; 0 while calls do not count."""
_chosen = 0


def arm() -> None:
    """Count from here on."""
    global _left
    _left = _chosen


def say(word: object, kind: str = "word") -> None:
    os_write(1, f"{kind} {word}\n".encode())


def serve(work: Callable[..., object]) -> None:
    """Fork for each line of the standard input, which holds a point and arguments of `work`."""
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
    """The part of some data that a write takes at once."""
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
