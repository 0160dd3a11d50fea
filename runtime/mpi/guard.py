"""Ends the whole job when one of its ranks fails, instead of leaving the others waiting.

Under MPI alone, a rank that raises an exception waits at its end for the others, which wait for it
in a collective. `install` makes three things fail the job: an exception that nobody handles, a wait
for a rank that has ended its program, and a wait that is longer than the deadline.
"""

import atexit
import faulthandler
import fcntl
import os
import signal
import stat
import sys
import termios
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

from penstock.runtime.mpi.launched import DEADLINE, Launch, deadline
from penstock.runtime.mpi.siblings import first_to_fail, living

__all__ = ["Wait", "fail", "install", "on_exit", "waiting", "watch"]

_LOOK = 0.25
"""Seconds between two looks at what this rank waits for."""
_SOON = 1.0
"""Seconds of a wait after which the others are looked at."""
_SURE = 1.5
"""Seconds for which a wait goes on after a rank has ended, before that is the reason: what it had
sent may only now be read."""
_REPORT = 2.0
"""Seconds that a rank has for its report before another one may end the job."""
_READ = 0.5
"""Seconds that the launcher has to read what a rank reports."""
_PASSED_ON = 0.01
"""Seconds between two looks at that, and after the last one, in which the launcher writes it."""
_LAST = 2.0
"""Seconds that MPI has to end the job, before this process ends itself by a signal."""


class Wait(NamedTuple):
    """What this rank waits for, and since when, by `time.monotonic`."""

    what: str
    since: float


class _Guard:
    """The guard of this process."""

    process = 0
    launch: Launch | None = None
    wait: Wait | None = None
    waits: Callable[[], Wait | None] | None = None
    ended: Callable[[], int | None] | None = None
    thread: threading.Thread | None = None
    seconds = 0.0


def install(launch: Launch) -> None:
    """Guard this process from now on; ValueError if the environment's deadline is invalid."""
    if _Guard.process == os.getpid():
        return
    _Guard.seconds = deadline()
    _Guard.process, _Guard.launch = os.getpid(), launch
    if not faulthandler.is_enabled() and sys.stderr is not None:
        faulthandler.enable()
    usual = sys.excepthook

    def failed(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if os.getpid() != _Guard.process:  # the child of a fork
            usual(kind, error, trace)
            return

        def report() -> None:
            if launch.local_ranks and living() < launch.local_ranks:
                return  # the one that has ended has said why
            print(f"penstock: rank {launch.rank} of {launch.ranks} failed:", file=sys.stderr)
            usual(kind, error, trace)

        fail(1, report)

    sys.excepthook = failed


def watch(waits: Callable[[], Wait | None], ended: Callable[[], int | None]) -> None:
    """Watch waits of native code too, and learn from MPI which rank has ended its program."""
    _Guard.waits, _Guard.ended = waits, ended
    _start()


def on_exit(leave: Callable[[], None]) -> None:
    """Have this process leave the job in order when its program ends."""

    def leaving() -> None:
        if os.getpid() == _Guard.process:
            leave()

    atexit.register(leaving)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Fail the job if the `with` takes too long or waits for a rank that has ended."""
    before, _Guard.wait = _Guard.wait, Wait(what, time.monotonic())
    _start()
    try:
        yield
    finally:
        _Guard.wait = before


def fail(code: int, report: Callable[[], None] | str) -> None:
    """Report why, unless another rank of this machine has reported a failure, and end all ranks.

    The exit code of the job is this one if MPI has started, and not 0 anyway.
    """
    if not first_to_fail():
        time.sleep(_REPORT)  # the first one ends the job, once it has reported
    elif callable(report):
        report()
    else:
        print(f"penstock: {report}", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
                _await_reader(stream.fileno())
            except (AttributeError, OSError, ValueError):
                continue  # nobody reads it, or it is no file of ours
    # A launcher ends the job of a process that a signal ended, whether or not it used MPI.
    kill = threading.Timer(_LAST, os.kill, (os.getpid(), signal.SIGKILL))
    kill.daemon = True
    kill.start()
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized():
        mpi.COMM_WORLD.Abort(code)
    os.kill(os.getpid(), signal.SIGKILL)


def _await_reader(descriptor: int) -> None:
    """Wait until what was written to a pipe has been read, for a while.

    A launcher that ends the job drops what is left in the pipes of its ranks.
    """
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return
    left = array("i", [1])
    end = time.monotonic() + _READ
    while left[0] and time.monotonic() < end:
        fcntl.ioctl(descriptor, termios.FIONREAD, left)
        time.sleep(_PASSED_ON)


def _start() -> None:
    if _Guard.launch is None or (_Guard.thread is not None and _Guard.thread.is_alive()):
        return
    _Guard.thread = threading.Thread(target=_look, name="penstock-ranks", daemon=True)
    _Guard.thread.start()


def _look() -> None:
    """Look at what this rank waits for, again and again."""
    launch = _Guard.launch
    assert launch is not None
    pause = threading.Event()
    suspect: tuple[Wait, float] | None = None
    while not pause.wait(_LOOK):
        now = time.monotonic()
        wait = _Guard.wait or (_Guard.waits() if _Guard.waits else None)
        if wait is None:
            continue
        seconds = now - wait.since
        trouble = _trouble(wait, launch) if seconds > _SOON else None
        if trouble is not None:
            if suspect is None or suspect[0] != wait:
                suspect = wait, now
            if now - suspect[1] < _SURE:
                continue
        elif seconds > _Guard.seconds:
            trouble = (
                f"has waited {seconds:.0f} s for {wait.what}, which is longer than the deadline: "
                f"look for a rank that is stuck, or set {DEADLINE} to more seconds"
            )
        if trouble is not None:
            fail(1, f"rank {launch.rank} of {launch.ranks}{_users_line()} {trouble}")


def _trouble(wait: Wait, launch: Launch) -> str | None:
    """What is wrong with the ranks that this one waits for; None if they may still come."""
    gone = _Guard.ended() if _Guard.ended else None
    if gone is not None:
        return (
            f"waits for {wait.what}, and rank {gone} has ended its program; every rank must run "
            "the same jobs in the same order"
        )
    if launch.local_ranks and living() < launch.local_ranks:
        return f"waits for {wait.what}, and a rank of this machine has ended; see its own error"
    return None


_STANDARD = os.path.dirname(os.__file__)
"""The folder of the standard library."""


def _users_line() -> str:
    """Where the program calls what waits; empty if it does not, such as at its end."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    is_ours = False
    while frame is not None:
        file, name = frame.f_code.co_filename, str(frame.f_globals.get("__name__"))
        if name.partition(".")[0] == "penstock":
            is_ours = True
        elif is_ours and not file.startswith(("<", _STANDARD)):
            return f", at {file}:{frame.f_lineno},"
        frame = frame.f_back
    return ""
