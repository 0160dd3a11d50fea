"""Forked worker processes that load batches: they receive indices and send batches back."""

from __future__ import annotations

import builtins
import contextlib
import os
import random
import signal
import socket
import sys
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from penstock.basics.errors import located
from penstock.batches.collating import default_collate
from penstock.batches.datasets import IterableDataset, TensorDataset
from penstock.batches.messages import receive, send
from penstock.ir.record import Record
from penstock.tensor_functions.random_numbers import manual_seed

_KILLED = (signal.SIGKILL, signal.SIGBUS, signal.SIGSEGV)


class WorkerInfo(Record):
    """Describes the worker that this process is."""

    id: int
    """Its number, from 0."""
    num_workers: int
    seed: int
    """The seed of its random numbers."""
    dataset: Any
    """Its copy of the data set."""


class _This:
    """This process, if it is a worker."""

    info: WorkerInfo | None = None


_sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
"""The parent's sockets to its workers. Every forked process closes them; otherwise a worker would
not notice that its parent is gone, and wait for ever."""


def get_worker_info() -> WorkerInfo | None:
    """The worker that this process is, None outside; an IterableDataset chooses its share by it."""
    return _This.info


class Source:
    """Makes batches from elements by index, or from an iterator."""

    def __init__(
        self,
        dataset: Any,
        collate: Callable[[Any], Any] | None,
        batch_size: int | None,
        drop_last: bool,
    ) -> None:
        self.dataset = dataset
        self._joins = collate or (default_collate if batch_size is not None else _itself)
        self._size = batch_size
        self._drops = drop_last
        self._left: Iterator[Any] | None = None

    def start(self) -> None:
        """Restart the iteration over the data set."""
        self._left = iter(self.dataset) if isinstance(self.dataset, IterableDataset) else None

    def batch(self, numbers: Any) -> Any:
        """The batch at these indices, or the next one. Raises StopIteration at the end."""
        if self._left is None:
            if self._size is None:
                return self._joins(self.dataset[numbers])
            if type(self.dataset) is TensorDataset and self._joins is default_collate:
                return self.dataset.joined(numbers)
            return self._joins([self.dataset[number] for number in numbers])
        if self._size is None:
            return self._joins(next(self._left))
        found = [one for _, one in zip(range(self._size), self._left, strict=False)]
        if not found or (self._drops and len(found) < self._size):
            raise StopIteration
        return self._joins(found)


def _itself(value: Any) -> Any:
    return value


class Worker:
    """A forked process that loads batches in the order of the requests."""

    def __init__(
        self,
        source: Source,
        number: int,
        count: int,
        seed: int,
        begin: Callable[[int], Any] | None,
        timeout: float,
    ) -> None:
        self.number = number
        self.asked = 0
        """The number of requested batches that have not arrived."""
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        info = WorkerInfo(number, count, seed + number, source.dataset)
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Native threads do not survive a fork; the child starts its own.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if not self._pid:
            try:
                ours.close()
                _serve(its, source, info, begin)
            finally:
                os._exit(1)  # An interrupt must not let it go on with the program of its parent.
        its.close()
        ours.settimeout(timeout or None)
        self._timeout = timeout
        self._owner = os.getpid()
        self._socket = ours
        _sockets.add(ours)

    def ask(self, order: Any) -> None:
        """Send an order, ["start"] or ["load", numbers]; only the second is answered."""
        self.asked += order[0] == "load"
        # If the worker has died, the next `answer` says why.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            send(self._socket, order, "a sampler of DataLoader")

    def answer(self) -> Any:
        """The next batch. Raises StopIteration at the end, or the error of the data set."""
        try:
            kind, *rest = receive(self._socket)
        except TimeoutError:
            raise located(
                RuntimeError,
                f"worker {self.number} of DataLoader has not loaded a batch in {self._timeout:g} "
                "seconds; raise timeout",
            ) from None
        except (EOFError, ConnectionResetError):
            raise located(RuntimeError, self._why()) from None
        self.asked -= 1
        if kind == "batch":
            return rest[0]
        if kind == "end":
            raise StopIteration
        raise _error(self.number, *rest)

    def _why(self) -> str:
        """How the process ended."""
        status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._pid = 0
        if status >= 0:
            return f"worker {self.number} of DataLoader ended with exit code {status}"
        name = signal.Signals(-status).name
        advice = "; it may have taken too much memory" if -status in _KILLED else ""
        return f"worker {self.number} of DataLoader was ended by {name}{advice}"

    def stop(self) -> None:
        """End the process: at once if it is loading, else when it next waits for a request.

        Only the process that started the worker can stop it; elsewhere nothing happens. After an
        interrupt, call it again.
        """
        if os.getpid() != self._owner:
            return
        # Shut down the connection itself: other forked processes may hold a copy of the socket.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if self._pid:
            if self.asked:
                os.kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            # Only now: if an interrupt ends the wait, the next call of this waits again.
            self._pid = 0


def _error(number: int, name: str, text: str, trace: str) -> Exception:
    """The error that loading raised; its class is kept if it is a builtin one."""
    kind = getattr(builtins, name, RuntimeError)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = RuntimeError
    if issubclass(kind, UnicodeError | StopIteration | StopAsyncIteration):
        kind = RuntimeError
    told = f"{name}: {text}" if kind is RuntimeError and name != "RuntimeError" else text
    error: Exception = kind(f"worker {number} of DataLoader: {told}")
    if hasattr(error, "add_note"):
        error.add_note(f"In the worker:\n{trace}")
    return error


def _serve(
    its: socket.socket, source: Source, info: WorkerInfo, begin: Callable[[int], Any] | None
) -> NoReturn:
    """The main loop of a worker, until its parent closes the socket; never returns."""
    status = 1
    try:
        # Ctrl-C reaches all processes of the terminal; the parent ends this one.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for other in list(_sockets):
            other.close()
        _work(its, source, info, begin)
        status = 0
    except (EOFError, BrokenPipeError, ConnectionResetError):
        status = 0  # The parent is gone, or needs no more batches.
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    finally:
        if status and not isinstance(sys.exc_info()[1], SystemExit | None):
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _work(
    its: socket.socket, source: Source, info: WorkerInfo, begin: Callable[[int], Any] | None
) -> None:
    _This.info = info
    random.seed(info.seed)
    np.random.seed(info.seed % 2**32)
    manual_seed(info.seed)
    wrong: list[Any] | None = None
    try:
        if begin is not None:
            begin(info.id)
    except Exception as error:
        wrong = _told(error)
    while True:
        kind, *rest = receive(its)
        try:
            if kind == "start":
                source.start()
                continue
            found = wrong or ["batch", source.batch(rest[0])]
        except StopIteration:
            found = ["end"]
        except Exception as error:
            found = _told(error)
        try:
            send(its, found, "a batch of a worker of DataLoader")
        except TypeError as error:
            send(its, _told(error), "an error")


def _told(error: Exception) -> list[Any]:
    text = "".join(traceback.format_exception(error))
    return ["error", type(error).__name__, str(error), text]
