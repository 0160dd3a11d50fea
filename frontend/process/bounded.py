"""Runs work with limited time and memory: in a child process, which is killed beyond the limits.

A pass that loops forever, or a library that aborts, only takes down the child. The child is a fork,
so it knows the ops of the user's modules without importing them.
"""

from __future__ import annotations

import os
import resource
import select
import time
import warnings
from collections.abc import Callable
from signal import SIGKILL
from typing import NoReturn

__all__ = ["Unbounded", "bounded"]

_DONE, _REFUSED, _NO_MEMORY, _NO_IMPORT = b"+-mi"


class Unbounded(Exception):
    """Work that failed in the child, or killed it; the message says how."""


def bounded(
    work: Callable[[], bytes],
    explain: Callable[[Exception], str],
    *,
    seconds: float,
    memory: int,
) -> bytes:
    """The result of `work`, computed in a child process.

    `memory` is the number of bytes of address space that the child may use beyond what this process
    has. Raises TimeoutError and MemoryError if the work exceeds the limits, ImportError if it lacks
    a module, and `Unbounded` if it kills the child or fails otherwise, with the text that `explain`
    made of the exception in the child.
    """
    deadline = time.monotonic() + seconds
    reader, writer = os.pipe()
    try:
        try:
            child = _forked()
            if child == 0:
                _serve(work, explain, writer, memory)
        finally:
            os.close(writer)
        return _result(child, reader, deadline)
    finally:
        os.close(reader)


def _forked() -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns if there are threads: the child lacks them, and would wait forever for
        # locks that they hold. `penstock.process.forks` takes our locks; Python and the C library
        # take theirs.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _serve(
    work: Callable[[], bytes], explain: Callable[[Exception], str], writer: int, memory: int
) -> NoReturn:
    """The child: runs the work, reports the outcome, and exits."""
    status = 1
    try:
        _limit(memory)
        try:
            kind, answer = _DONE, work()
        except MemoryError:
            kind, answer = _NO_MEMORY, b""
        except ImportError as error:
            kind, answer = _NO_IMPORT, str(error).encode(errors="replace")
        except Exception as error:
            kind, answer = _REFUSED, explain(error).encode(errors="replace")
        with os.fdopen(writer, "wb") as stream:
            stream.write(bytes([kind]))
            stream.write(answer)
        status = 0
    finally:
        # Exit handlers and buffers belong to the parent process.
        os._exit(status)


def _limit(memory: int) -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    room = pages * resource.getpagesize() + memory
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        room = min(room, hard)
    resource.setrlimit(resource.RLIMIT_AS, (room, hard))
    # A killed child must leave no core file.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _result(child: int, reader: int, deadline: float) -> bytes:
    try:
        answer = _read(reader, deadline)
    except BaseException:
        os.kill(child, SIGKILL)
        _wait(child)
        raise
    status = _wait(child)
    if not answer or status:
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        raise Unbounded(f"the process that does it ended with {how}")
    if answer[0] == _NO_MEMORY:
        raise MemoryError
    if answer[0] == _NO_IMPORT:
        raise ImportError(answer[1:].decode(errors="replace"))
    if answer[0] == _REFUSED:
        raise Unbounded(answer[1:].decode(errors="replace"))
    return answer[1:]


def _read(reader: int, deadline: float) -> bytes:
    """Everything that the child writes until it ends; TimeoutError if it does not end in time."""
    waiting = select.poll()
    waiting.register(reader, select.POLLIN)
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not waiting.poll(min(1000 * left, 1 << 30)):
            raise TimeoutError
        part = os.read(reader, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _wait(child: int) -> int:
    """The exit status of the child, or minus the signal that killed it."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:
        # Another part of the program reaps all children.
        return 0
