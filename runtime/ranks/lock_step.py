"""The ranks of a job in one process: one of them runs at a time, until it waits for others.

Each rank has a thread. A baton goes round: the rank that has it runs until its next collective,
then the next rank does. When all ranks of a group have got there, NumPy exchanges their elements,
adding in the order of the ranks. So a step gives the same bits each time, on any machine, for any
number of ranks; and ranks whose collectives do not match are an error, not a deadlock.
"""

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from penstock.runtime.collective import AWAITED, unmatched
from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.exchange import Exchange
from penstock.runtime.ranks.exchanged import Member, exchanged

__all__ = ["LockStep"]

Array = np.ndarray[Any, Any]

_Function = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p
)


class LockStep:
    """Exchanges elements between the ranks of one job; `run` runs a step of all of them."""

    def __init__(self, descriptions: Sequence[Description]) -> None:
        """The descriptions of the ranks' modules, in order."""
        self.sent = [0] * len(descriptions)
        """The bytes that each rank has sent to others so far."""
        self._collectives = [description.collectives for description in descriptions]
        self._job = descriptions[0].job
        self._turns = [threading.Semaphore(0) for _ in descriptions]
        self._waiting: dict[int, Member] = {}
        self._ready: set[int] = set()
        """The ranks that can go on once they get the baton."""
        self._failure: BaseException | None = None
        self._alone = threading.Lock()
        self._threads: list[threading.Thread] = []

    def exchange(self, rank: int) -> Exchange:
        """What the code of one rank calls."""

        def meet(_state: int | None, number: int, source: int | None, target: int | None) -> int:
            return self._meet(rank, number, source or 0, target or 0)

        function = _Function(meet)
        address = ctypes.cast(function, ctypes.c_void_p).value
        assert address is not None
        return Exchange(address, 0, self._fail, function)

    def run(self, steps: Sequence[Callable[[], object]]) -> list[Any]:
        """Run a step of every rank, each on a thread of its own; returns what they return.

        If any raises, all end, and the first exception is raised when they have. Raises
        RuntimeError if a handler of a step calls the job itself.
        """
        if threading.current_thread() in self._threads:
            raise RuntimeError(
                f"job {self._job!r} runs on several ranks and was called by a handler of its own "
                "step; call it after that step has returned"
            )
        with self._alone:
            return self._run(steps)

    def _run(self, steps: Sequence[Callable[[], object]]) -> list[Any]:
        results: list[Any] = [None] * len(steps)
        self._waiting.clear()
        self._ready = set(range(len(steps)))
        self._failure = None

        def run(rank: int) -> None:
            self._turns[rank].acquire()
            try:
                if self._failure is None:
                    results[rank] = steps[rank]()
            except BaseException as error:
                self._stop(error)
            finally:
                self._pass_on(rank)

        self._threads = [
            threading.Thread(target=run, args=(rank,), name=f"{self._job} on rank {rank}")
            for rank in range(len(steps))
        ]
        for thread in self._threads:
            thread.start()
        self._pass_on(-1)
        interrupt = _join(self._threads)
        self._threads = []
        failure, self._failure = self._failure, None
        if interrupt is not None:
            raise interrupt
        if failure is not None:
            raise failure
        return results

    # -- the baton ------------------------------------------------------------------------------

    def _pass_on(self, rank: int) -> None:
        """Give the baton to the next rank that can go on; if all that are left wait, end them."""
        if not self._ready and self._waiting:
            self._stop(RuntimeError(self._unmatched()))
        if not self._ready:
            return
        following = [other for other in self._ready if other > rank]
        chosen = min(following or self._ready)
        self._ready.remove(chosen)
        self._turns[chosen].release()

    def _stop(self, error: BaseException) -> None:
        """Have every rank that waits go on, and fail."""
        if self._failure is None:
            self._failure = error
        self._ready |= set(self._waiting)
        self._waiting.clear()

    def _fail(self) -> NoReturn:
        assert self._failure is not None
        raise self._failure

    def _unmatched(self) -> str:
        waiting = {rank: arrival.collective for rank, arrival in sorted(self._waiting.items())}
        return unmatched(self._job, waiting)

    # -- collectives ----------------------------------------------------------------------------

    def _meet(self, rank: int, number: int, source: int, target: int) -> int:
        """A rank has got to a collective: wait for its group; whether the step has failed."""
        if number & AWAITED:
            return 0  # it was done where it began
        try:
            found = self._collectives[rank][number]
            buffers = map(_array, (source, target), found.sizes, (found.dtype, found.dtype))
            self._waiting[rank] = Member(found, *buffers)
            self._exchange_if_complete(found.ranks)
        except BaseException as error:
            self._stop(error)
        self._pass_on(rank)
        self._turns[rank].acquire()
        return int(self._failure is not None)

    def _exchange_if_complete(self, group: Sequence[int]) -> None:
        arrivals = [self._waiting[rank] for rank in group if rank in self._waiting]
        if len(arrivals) < len(group) or any(a.collective.ranks != group for a in arrivals):
            return
        first = arrivals[0].collective
        if not all(first.same_as(arrival.collective) for arrival in arrivals):
            raise RuntimeError(self._unmatched())
        for rank, sent in zip(group, exchanged(arrivals), strict=True):
            self.sent[rank] += sent
        for rank in group:
            del self._waiting[rank]
        self._ready |= set(group)


def _array(address: int, size: int, dtype: str) -> Array:
    """The elements at an address."""
    found = numpy_dtype(dtype)
    memory = (ctypes.c_uint8 * (size * found.itemsize)).from_address(address)
    array: Array = np.ctypeslib.as_array(memory).view(found)
    return array


def _join(threads: Sequence[threading.Thread]) -> BaseException | None:
    """Wait for threads, also if interrupted; returns the interrupt."""
    interrupt: BaseException | None = None
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except KeyboardInterrupt as error:
                interrupt = error
    return interrupt
