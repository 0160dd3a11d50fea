"""Runs LLVM in a separate compiler process.

There are three reasons. Loading LLVM's library blocks all Python threads of a process for half as
long as the passes take. The library accounts for most of the memory of a compilation. And LLVM may
abort the process on input that it cannot compile. So the process that runs jobs does not load LLVM;
a worker (`codegen/objects/llvm_worker.py`) compiles, and Ctrl-C ends it at any point.

If no worker can be started, as in a program that embeds Python, threads of this process compile.
"""

from __future__ import annotations

import os
import re
import select
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache, partial
from typing import TYPE_CHECKING

from penstock.codegen.host import processor
from penstock.codegen.llvm_library import library_folder
from penstock.codegen.objects import llvm
from penstock.codegen.objects.llvm_worker import (
    ASSEMBLY,
    GREETING,
    OPTIMISED,
    PLAIN,
    REPLY,
    REQUEST,
    read_whole,
)
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError, OutOfMemory

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from penstock.ir.core import Operation

__all__ = ["Ended", "begin", "stay_inside", "submit", "submit_assembly"]

# The worker imports its own modules alone, bypassing the packages' `__init__`.
_PROGRAM = """\
import sys, types
*paths, threads = sys.argv[1:]
for name in "penstock", "penstock.codegen":
    sys.modules[name] = types.ModuleType(name)
sys.modules["penstock.codegen"].__path__ = paths[:1]
sys.path += paths[1:]
from penstock.codegen.objects.llvm_worker import main
main(int(threads))
"""

_INSIDE = "PENSTOCK_COMPILES"
"""Set in the environment of the compiler process, which must not start another one."""

_NO_MEMORY = re.compile("out of memory|bad_alloc|MemoryError|[Cc]annot allocate memory")


class Ended(RuntimeError):
    """The compiler process ended; the text says how."""

    def __init__(self, how: str = "", by_llvm: bool = False, no_memory: bool = False) -> None:
        super().__init__(how)
        self.by_llvm = by_llvm
        """Whether LLVM ended it, not the system or the user."""
        self.no_memory = no_memory
        """Whether it ran out of memory."""

    def error(self, what: str, op: Operation | None = None) -> IRError:
        """The error for what was being compiled, located at an operation if there is one."""
        if self.by_llvm:
            text = (
                f"LLVM ends with {self} where it compiles {what}, whose text it accepts; "
                "this is a defect of LLVM's, which another --target may not have"
            )
        elif self.no_memory:
            text = (
                f"the process that compiles {what} ran out of memory: it ended with {self}; allow "
                "it more, or make the job smaller"
            )
        else:
            text = f"the process that compiles {what} ended with {self}; compile again"
        kind = OutOfMemory if self.no_memory else IRError
        return kind(Diagnostic(f"{op.name}: {text}", op.location) if op else Diagnostic(text))


class _Worker:
    """A compiler process with its pending requests and answers."""

    def __init__(self) -> None:
        """Raises OSError if the system cannot start a process."""
        # Imported here, since only compilation needs it. `socket` is slow to import.
        import _socket as socket

        _reap_left()
        threads = len(os.sched_getaffinity(0))
        here = os.path.dirname(os.path.abspath(__file__))
        folders = [os.path.dirname(here), library_folder()]
        # -I: Python's environment variables are meant for this process, not for the worker.
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM, *folders, str(threads)]
        self._socket, theirs = socket.socketpair()
        with closing(theirs), ExitStack() as passed, ExitStack() as kept:
            kept.callback(self._socket.close)
            self._said = os.memfd_create("penstock")
            kept.callback(os.close, self._said)
            # If standard streams of this process are closed, these files may have their numbers.
            files = [fcntl(file, F_DUPFD_CLOEXEC, 3) for file in (theirs, self._said)]
            for file in files:
                passed.callback(os.close, file)
            moves = [(os.POSIX_SPAWN_DUP2, files[at == 2], at) for at in range(3)]
            # In a new session, so that Ctrl-C in a terminal goes to this process alone.
            self._pid = os.posix_spawn(
                sys.executable,
                command,
                os.environ | {_INSIDE: "1"},
                file_actions=moves,
                setsid=True,
            )
            # The worker ends when its input does.
            self._close = weakref.finalize(self, kept.pop_all().close)
        self._input = select.poll()
        self._input.register(self._socket, select.POLLIN)
        self._flags = socket.MSG_NOSIGNAL
        self._shutdown = partial(self._socket.shutdown, socket.SHUT_RDWR)
        self._asking, self._reading = threading.Lock(), threading.Lock()
        self._asked = 0
        self._answers: dict[int, tuple[bool, bytes]] = {}
        self.greeted = False
        """Whether it has started serving."""
        self.stopped = False
        """Whether this process ended it."""
        self._end: Ended | None = None

    def ask(self, head: Sequence[int], parts: Sequence[bytes]) -> int:
        """Send a request and return its number. Raises `Ended`."""
        with self._asking:
            self._asked += 1
            request = REQUEST.pack(self._asked, *head), *parts
            try:
                self._socket.sendall(b"".join(request), self._flags)
            except ConnectionError:
                raise Ended from None
            except BaseException:
                self._stop()
                raise
            return self._asked

    def answer(self, number: int, seconds: float | None = None) -> tuple[bool, bytes]:
        """Wait for the answer to a request: whether it is what was asked for, and its bytes.

        One waiting thread reads the answers for all of them. Raises `Ended`. After so many seconds
        without an answer to anybody, the process is stopped.
        """
        while True:
            with self._reading:
                if number in self._answers:
                    return self._answers.pop(number)
                if self._end is None:
                    if seconds is None or self._input.poll(seconds * 1000):
                        self._read()
                    else:
                        self._stop(f"no answer for {seconds:g} seconds")
                if self._end is not None:
                    raise Ended(str(self._end), self._end.by_llvm, self._end.no_memory)

    def has_ended(self) -> bool:
        """Whether it is known to have ended. If a thread is waiting for it, that thread notices."""
        if self._end is None and self._reading.acquire(blocking=False):
            try:
                while self._end is None and self._input.poll(0):
                    self._read()
            finally:
                self._reading.release()
        return self._end is not None

    def close(self) -> None:
        """End it once no thread waits for it."""
        self._close()
        if self._end is None:
            _reap(self._pid)

    def _read(self) -> None:
        """Take the next answer."""
        try:
            if not self.greeted:
                self.greeted = read_whole(self._socket.fileno(), len(GREETING)) == GREETING
                return
            number, succeeded, size = REPLY.unpack(read_whole(self._socket.fileno(), REPLY.size))
            self._answers[number] = succeeded, read_whole(self._socket.fileno(), size)
        except (EOFError, ConnectionError):
            if self._end is None:
                self._end = self._found()
        except BaseException:
            # After a partial read, the stream is out of sync.
            self._stop()
            raise

    def _stop(self, why: str = "it was stopped") -> None:
        """Kill it. Threads that wait for it notice."""
        if self._end is None:
            self._end, self.stopped = Ended(why), True
            _left.append(self._pid)
            with suppress(OSError):
                self._shutdown()

    def _found(self) -> Ended:
        """How it ended, and the line that says why."""
        # Imported here, since it is slow and only needed after a crash.
        from signal import SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV

        status = _reap(self._pid) or 0
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        lines = os.pread(self._said, 1 << 16, 0).decode(errors="replace").splitlines()
        # LLVM prints its stack trace after the error, Python before it.
        why = [line for line in lines if "error" in line.lower()] or lines[-1:]
        is_fault = -status in (SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV)
        no_memory = any(_NO_MEMORY.search(line) for line in lines)
        told = f"{how} and says {why[0].strip()!r}" if why else how
        return Ended(told, is_fault and not no_memory, no_memory)


_left: list[int] = []
"""Processes that were told to end and are not reaped yet."""


def _reap_left() -> None:
    _left[:] = [pid for pid in _left if _reap(pid, os.WNOHANG) is None]


def _reap(pid: int, options: int = 0) -> int | None:
    """Reap a process: its exit status, or minus the signal that ended it.

    None if `options` say not to wait and it is still running.
    """
    try:
        found, status = os.waitpid(pid, options)
    except ChildProcessError:
        # Another part of the program has reaped all children.
        return 0
    return os.waitstatus_to_exitcode(status) if found else None


class _Shared:
    """The compiler process that all threads share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        # A frozen application may have that name, too.
        is_python = os.path.basename(sys.executable or "").startswith("python")
        self._alone = getattr(sys, "frozen", False) or not is_python or _INSIDE in os.environ
        """Whether this process compiles without a worker."""
        self.has_no_threads = False
        """Whether it then compiles on the requesting thread."""

    def stay_alone(self) -> None:
        """Use no worker from now on."""
        with self._lock:
            self._alone = self.has_no_threads = True
            self._worker = None

    def worker(self) -> _Worker | None:
        """A worker that is alive, as far as is known; None if there can be none."""
        with self._lock:
            if self._worker is not None and self._worker.has_ended():
                self._alone |= not (self._worker.greeted or self._worker.stopped)
                self._worker = None
            if self._worker is None and not self._alone:
                try:
                    self._worker = _Worker()
                except OSError:
                    self._alone = True
            return self._worker


_shared = _Shared()


def stay_inside() -> None:
    """From now on, compile in this process, on the thread that waits for the object.

    This is for disposable processes with limited memory: when memory is short, Python can hang
    while starting a thread.
    """
    _shared.stay_alone()


def _forget() -> None:
    """Forget the worker in a forked child, which must not use the shared pipes."""
    global _shared
    _shared = _Shared()
    _threads.cache_clear()


os.register_at_fork(after_in_child=_forget)


@cache
def _threads() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(len(os.sched_getaffinity(0)), "penstock compile")


def begin() -> None:
    """Start the worker early, so that it is ready when the first text is emitted."""
    _shared.worker()


def submit(source: LLVMText, cpu: str | None = None) -> Callable[[], bytes]:
    """Start compiling a text for a processor (None for the host's).

    Returns a function that waits for the relocatable object. That raises `IRError`, at the
    operation whose line LLVM rejects, and `Ended` if LLVM crashes on this text.
    """
    flags = OPTIMISED if llvm.has_scalar_loops(source.text) else 0
    flags |= PLAIN if llvm.is_plain(source.text) else 0
    here = partial(llvm.compile_object, source, cpu)
    return _submitted(source, flags, ("", *processor(cpu)), here, None)


def submit_assembly(
    source: LLVMText, target: llvm.Foreign, seconds: float | None = None
) -> Callable[[], bytes]:
    """Start compiling a text for another family of processors, with LLVM's pipeline.

    Returns a function that waits for the assembly text, errors as of `submit`. It also raises
    `Ended` if a process that does nothing else gives no answer for so many seconds.
    """

    def here() -> bytes:
        return llvm.compile_assembly(source, llvm.foreign_machine(target), True).encode()

    names = target.triple, target.cpu, target.features
    return _submitted(source, OPTIMISED | ASSEMBLY, names, here, seconds)


def _submitted(
    source: LLVMText,
    flags: int,
    names: Sequence[str],
    here: Callable[[], bytes],
    seconds: float | None,
) -> Callable[[], bytes]:
    """Send a text to the worker; without one, `here` compiles it in this process."""
    worker = _shared.worker()
    if worker is None:
        if _shared.has_no_threads:
            return here
        try:
            return _threads().submit(here).result
        except RuntimeError:
            # The system cannot start a thread.
            return here
    return _Request(worker, source, flags, names, here, seconds).result


class _Request:
    """A text sent to a worker for compilation."""

    def __init__(
        self,
        worker: _Worker,
        source: LLVMText,
        flags: int,
        names: Sequence[str],
        here: Callable[[], bytes],
        seconds: float | None,
    ) -> None:
        self._source, self._here, self._seconds = source, here, seconds
        self._parts = [text.encode() for text in (*names, source.text)]
        self._head = [flags, *map(len, self._parts)]
        self._object: bytes | None = None
        self._worker: _Worker | None = worker
        try:
            self._number = worker.ask(self._head, self._parts)
        except Ended:
            self._worker = None

    def result(self) -> bytes:
        if self._object is None:
            self._object = self._waited()
        return self._object

    def _waited(self) -> bytes:
        if self._worker is not None:
            try:
                return self._checked(*self._worker.answer(self._number, self._seconds))
            except Ended:
                # Another text or thread may have ended it, or it was idle for too long.
                self._worker = None
        return self._alone()

    def _alone(self) -> bytes:
        """The object, from a worker that compiles nothing else."""
        try:
            worker = _Worker()
        except OSError:
            return self._here()
        try:
            number = worker.ask(self._head, self._parts)
            return self._checked(*worker.answer(number, self._seconds))
        except Ended:
            if worker.greeted or worker.stopped:
                raise
        finally:
            worker.close()
        # There is no worker.
        return self._here()

    def _checked(self, succeeded: bool, answer: bytes) -> bytes:
        if not succeeded:
            raise llvm.rejection(self._source, answer.decode())
        return answer
