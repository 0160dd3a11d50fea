"""Has LLVM make objects, in a process of its own.

Loading LLVM's library holds up all Python threads of a process for as long as half of the passes
take, its pages are most of the memory that compiling needs, and where it meets what it cannot
compile it may end the process that it is in. So the process that runs jobs does without it, and
another one (`codegen/objects/llvm_worker.py`) compiles; Ctrl-C ends that one, whatever it is at.

Where no such process can be had, as in a program that embeds Python, threads of this one compile.
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
    GREETING,
    OPTIMISED,
    REPLY,
    REQUEST,
    read_whole,
)
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import Diagnostic, IRError, OutOfMemory

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from penstock.ir.core import Operation

__all__ = ["Ended", "begin", "stay_inside", "submit"]

# Only the modules of the worker are imported there, without what packages import when they begin.
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
"""In the environment of the process that compiles, which begins no other, whatever runs there."""

_NO_MEMORY = re.compile("out of memory|bad_alloc|MemoryError|[Cc]annot allocate memory")


class Ended(RuntimeError):
    """How a process ended that compiled, in words."""

    def __init__(self, how: str = "", by_llvm: bool = False, no_memory: bool = False) -> None:
        super().__init__(how)
        self.by_llvm = by_llvm
        """Whether LLVM ended it, and not the system or somebody."""
        self.no_memory = no_memory
        """Whether it ran out of memory."""

    def error(self, what: str, op: Operation | None = None) -> IRError:
        """The error that says so of what was compiled, at an operation where there is one."""
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
    """A process that compiles, and what it has been asked and has answered."""

    def __init__(self) -> None:
        """Raises OSError where the system gives no process."""
        # Only who compiles needs it; `socket` itself takes long to load, for its enumerations.
        import _socket as socket

        _reap_left()
        threads = len(os.sched_getaffinity(0))
        here = os.path.dirname(os.path.abspath(__file__))
        folders = [os.path.dirname(here), library_folder()]
        # -I: what the environment says of Python is said of this process's program.
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM, *folders, str(threads)]
        self._socket, theirs = socket.socketpair()
        with closing(theirs), ExitStack() as passed, ExitStack() as kept:
            kept.callback(self._socket.close)
            self._said = os.memfd_create("penstock")
            kept.callback(os.close, self._said)
            # Where streams of this process are closed, these may have their numbers.
            files = [fcntl(file, F_DUPFD_CLOEXEC, 3) for file in (theirs, self._said)]
            for file in files:
                passed.callback(os.close, file)
            moves = [(os.POSIX_SPAWN_DUP2, files[at == 2], at) for at in range(3)]
            # In a session of its own: Ctrl-C at a terminal is for this process alone.
            self._pid = os.posix_spawn(
                sys.executable,
                command,
                os.environ | {_INSIDE: "1"},
                file_actions=moves,
                setsid=True,
            )
            # Its input ends, and so does it.
            self._close = weakref.finalize(self, kept.pop_all().close)
        self._input = select.poll()
        self._input.register(self._socket, select.POLLIN)
        self._flags = socket.MSG_NOSIGNAL
        self._shutdown = partial(self._socket.shutdown, socket.SHUT_RDWR)
        self._asking, self._reading = threading.Lock(), threading.Lock()
        self._asked = 0
        self._answers: dict[int, tuple[bool, bytes]] = {}
        self.greeted = False
        """Whether it has begun to serve."""
        self.stopped = False
        """Whether this process ended it."""
        self._end: Ended | None = None

    def ask(self, head: Sequence[int], parts: Sequence[bytes]) -> int:
        """Send a request, which gets a number. Raises `Ended`."""
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

    def answer(self, number: int) -> tuple[bool, bytes]:
        """Wait for the answer to a request: whether it is an object, and what it is.

        Whoever waits reads what comes, for all that wait. Raises `Ended`.
        """
        while True:
            with self._reading:
                if number in self._answers:
                    return self._answers.pop(number)
                if self._end is None:
                    self._read()
                if self._end is not None:
                    raise Ended(str(self._end), self._end.by_llvm, self._end.no_memory)

    def has_ended(self) -> bool:
        """Whether it is known to be gone; while a thread waits for it, that one will see."""
        if self._end is None and self._reading.acquire(blocking=False):
            try:
                while self._end is None and self._input.poll(0):
                    self._read()
            finally:
                self._reading.release()
        return self._end is not None

    def close(self) -> None:
        """End it, when nobody waits for it."""
        self._close()
        if self._end is None:
            _reap(self._pid)

    def _read(self) -> None:
        """Take the next answer."""
        try:
            if not self.greeted:
                self.greeted = read_whole(self._socket.fileno(), len(GREETING)) == GREETING
                return
            number, made, size = REPLY.unpack(read_whole(self._socket.fileno(), REPLY.size))
            self._answers[number] = made, read_whole(self._socket.fileno(), size)
        except (EOFError, ConnectionError):
            if self._end is None:
                self._end = self._found()
        except BaseException:
            # What is half read says nothing to who reads on.
            self._stop()
            raise

    def _stop(self) -> None:
        """End it, whatever it is at; threads that wait for it see that."""
        if self._end is None:
            self._end, self.stopped = Ended("it was stopped"), True
            _left.append(self._pid)
            with suppress(OSError):
                self._shutdown()

    def _found(self) -> Ended:
        """How it ended, and the line that says why."""
        # Only who meets one needs it; it takes long to load.
        from signal import SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV

        status = _reap(self._pid) or 0
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        lines = os.pread(self._said, 1 << 16, 0).decode(errors="replace").splitlines()
        # LLVM writes where in its own code it was after the error, Python before it.
        why = [line for line in lines if "error" in line.lower()] or lines[-1:]
        is_fault = -status in (SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV)
        no_memory = any(_NO_MEMORY.search(line) for line in lines)
        told = f"{how} and says {why[0].strip()!r}" if why else how
        return Ended(told, is_fault and not no_memory, no_memory)


_left: list[int] = []
"""Processes that were told to end."""


def _reap_left() -> None:
    _left[:] = [pid for pid in _left if _reap(pid, os.WNOHANG) is None]


def _reap(pid: int, options: int = 0) -> int | None:
    """The exit status of a process that ends, minus the signal that ended it.

    None where it is not to be waited for and still runs.
    """
    try:
        found, status = os.waitpid(pid, options)
    except ChildProcessError:
        # Another part of the program waits for all children.
        return 0
    return os.waitstatus_to_exitcode(status) if found else None


class _Shared:
    """The process that all threads ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        # An application made of Python may be called so, too.
        is_python = os.path.basename(sys.executable or "").startswith("python")
        self._alone = getattr(sys, "frozen", False) or not is_python or _INSIDE in os.environ
        """Whether this process compiles itself."""
        self.has_no_threads = False
        """Whether it does so on the thread that asks."""

    def stay_alone(self) -> None:
        """Have no other process, from here on."""
        with self._lock:
            self._alone = self.has_no_threads = True
            self._worker = None

    def worker(self) -> _Worker | None:
        """A process that is alive, as far as is known; None where there can be none."""
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
    """From here on the thread that waits for an object compiles it, in this process.

    That is for a process which may be ended with all it does, and whose memory is limited: where
    that is short, Python waits for ever for a thread to begin.
    """
    _shared.stay_alone()


def _forget() -> None:
    """A child that was forked shares the pipes and must leave them alone."""
    global _shared
    _shared = _Shared()
    _threads.cache_clear()


os.register_at_fork(after_in_child=_forget)


@cache
def _threads() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(len(os.sched_getaffinity(0)), "penstock compile")


def begin() -> None:
    """Have the process ready when the first text is written."""
    _shared.worker()


def submit(source: LLVMText, cpu: str | None = None) -> Callable[[], bytes]:
    """Begin to compile a text for a processor, the host's where None.

    What is given back waits for the relocatable object. It raises `IRError`, at the operation whose
    line LLVM rejects, and `Ended` where LLVM ends the process that compiles this text.
    """
    worker = _shared.worker()
    if worker is None:
        if _shared.has_no_threads:
            return partial(llvm.compile_object, source, cpu)
        try:
            return _threads().submit(llvm.compile_object, source, cpu).result
        except RuntimeError:
            # The system has no thread to give.
            return partial(llvm.compile_object, source, cpu)
    return _Request(worker, source, cpu).result


class _Request:
    """A text that a process was asked to compile."""

    def __init__(self, worker: _Worker, source: LLVMText, cpu: str | None) -> None:
        self._source, self._cpu = source, cpu
        name, features = processor(cpu)
        self._parts = [text.encode() for text in (name, features, source.text)]
        flags = OPTIMISED if llvm.has_scalar_loops(source.text) else 0
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
                return self._checked(*self._worker.answer(self._number))
            except Ended:
                # Another text may have ended it, or another thread; or it had nothing to do.
                self._worker = None
        return self._alone()

    def _alone(self) -> bytes:
        """The object, from a process that compiles nothing else."""
        try:
            worker = _Worker()
        except OSError:
            return llvm.compile_object(self._source, self._cpu)
        try:
            return self._checked(*worker.answer(worker.ask(self._head, self._parts)))
        except Ended:
            if worker.greeted:
                raise
        finally:
            worker.close()
        # Nothing of ours runs there.
        return llvm.compile_object(self._source, self._cpu)

    def _checked(self, made: bool, answer: bytes) -> bytes:
        if not made:
            raise llvm.rejection(self._source, answer.decode())
        return answer
