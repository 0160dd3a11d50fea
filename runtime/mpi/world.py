"""All ranks of a job, joined by MPI. This room alone imports mpi4py, and only when it is needed."""

import ctypes
import os
import time
from functools import cache
from typing import Any

import numpy as np

from penstock.runtime.mpi import guard
from penstock.runtime.mpi.launched import Launch, RanksDiffer, launch
from penstock.runtime.mpi.library import library, version

__all__ = ["World", "world"]

Array = np.ndarray[Any, Any]

_LEFT = 1
"""The tag of the message by which a rank says that its program has ended."""


def world() -> "World | None":
    """The ranks that this process was launched with; None if it is alone.

    Starts MPI, which waits for all ranks. Raises ImportError without mpi4py, RuntimeError if the
    launcher belongs to another MPI or in the child of a fork, and ValueError if the environment's
    deadline is invalid.
    """
    found = _opened()
    if found is not None and found.process != os.getpid():
        raise RuntimeError(
            f"a process that rank {found.rank} has forked is no rank; run jobs in the rank itself"
        )
    return found


@cache
def _opened() -> "World | None":
    found = launch()
    return World(found) if found is not None and found.ranks > 1 else None


class World:
    """The ranks of a job, and which one this process is."""

    def __init__(self, launch: Launch) -> None:
        guard.install(launch)
        self.launch = launch
        self.process = os.getpid()
        with guard.waiting("all ranks to start MPI"):
            self.mpi = _started(launch)
            self._control = self.mpi.COMM_WORLD.Dup()
            # One of its own: a rank that leaves must not match the exchange that others are in.
            self._leaving = self.mpi.COMM_WORLD.Dup()
        self.rank: int = self._control.Get_rank()
        self.ranks: int = self._control.Get_size()
        self.most_tags: int = self.mpi.COMM_WORLD.Get_attr(self.mpi.TAG_UB)
        """The greatest tag of a message, at least 32,767."""
        self.has_threads = self.mpi.Query_thread() == self.mpi.THREAD_MULTIPLE
        """Whether several threads may use MPI."""
        guard.on_exit(self._leave)
        guard.watch(lambda: None, self.ended)

    def exchange(self, data: bytes, what: str) -> list[bytes]:
        """The bytes that each rank passes, in the order of ranks; `what` names the wait.

        Raises RanksDiffer on all ranks if they are not at the same exchange.
        """
        head = what.encode() + b"\0"
        found = [one.partition(b"\0") for one in self._exchanged(head + data, what)]
        places = [place.decode() for place, _, _ in found]
        other = next((rank for rank, place in enumerate(places) if place != places[0]), None)
        if other is not None:
            raise RanksDiffer(
                f"rank 0 waits for {places[0]}, and rank {other} for {places[other]}; every rank "
                "must run the same jobs in the same order"
            )
        return [rest for _, _, rest in found]

    def _exchanged(self, data: bytes, what: str) -> list[bytes]:
        with guard.waiting(what):
            sizes = np.empty(self.ranks, np.int64)
            own = np.array([len(data)], np.int64)
            self._finish(self._control.Iallgather(own, sizes))
            ends = np.cumsum(sizes)
            if ends[-1] >= 2**31:
                raise ValueError(f"ranks exchange less than 2 GiB at once, got {ends[-1]} bytes")
            room = np.empty(ends[-1], np.uint8)
            counts, starts = sizes.astype(np.int32), (ends - sizes).astype(np.int32)
            byte = self.mpi.BYTE
            received = [room, (counts, starts), byte]
            sent = [np.frombuffer(data, np.uint8), len(data), byte]
            self._finish(self._control.Iallgatherv(sent, received))
        whole = room.tobytes()
        return [whole[end - size : end] for size, end in zip(sizes, ends, strict=True)]

    def gather(self, array: Array, what: str) -> list[Array]:
        """The array that each rank passes, in the order of ranks; shapes may differ."""
        form = np.array([array.ndim, *array.shape], np.int64).tobytes()
        found = []
        for data in self.exchange(form + array.tobytes(), what):
            rank = int(np.frombuffer(data, np.int64, 1)[0])
            shape = np.frombuffer(data, np.int64, rank, 8)
            elements = np.frombuffer(data, array.dtype, offset=8 * (rank + 1))
            found.append(elements.reshape(shape).copy())
        return found

    def _finish(self, request: Any) -> None:
        """Wait without keeping a core busy, which another rank may need."""
        pause = 1e-5
        while not request.Test():
            time.sleep(pause)
            pause = min(2 * pause, 1e-3)

    def ended(self) -> int | None:
        """A rank whose program has ended; None if there is none, or MPI can't be asked."""
        if not self.has_threads:
            return None
        status = self.mpi.Status()
        known = self._control.Iprobe(self.mpi.ANY_SOURCE, _LEFT, status)
        return status.Get_source() if known else None

    def _leave(self) -> None:
        """Wait for the end of the programs of all ranks, and then end MPI."""
        if self.mpi.Is_finalized():
            return
        empty = np.empty(0, np.uint8)
        others = [rank for rank in range(self.ranks) if rank != self.rank]
        messages = [self._control.Isend(empty, other, _LEFT) for other in others]
        self._finish(self._leaving.Ibarrier())
        for other in others:
            self._control.Recv(empty, other, _LEFT)
        self.mpi.Request.Waitall(messages)
        self.mpi.Finalize()


def _started(launch: Launch) -> Any:
    """mpi4py's MPI, started."""
    try:
        import mpi4py
    except ImportError as error:
        raise ImportError(
            f"this process is rank {launch.rank} of {launch.ranks} that {launch.launcher} has "
            "launched, and mpi4py is not installed: pip install 'penstock[mpi]', or mpi4py alone "
            "where there is an MPI"
        ) from error
    # The end is ours: MPI's own would wait for ranks that failed. So is the start: mpi4py's would
    # keep Python's global lock while it waits for all ranks, and the guard needs that.
    mpi4py.rc.initialize = mpi4py.rc.finalize = False
    from mpi4py import MPI

    if not MPI.Is_initialized():
        provided = ctypes.c_int()
        library(MPI).MPI_Init_thread(None, None, MPI.THREAD_MULTIPLE, ctypes.byref(provided))
        for comm in (MPI.COMM_WORLD, MPI.COMM_SELF):
            comm.Set_errhandler(MPI.ERRORS_RETURN)
    if MPI.COMM_WORLD.Get_size() != launch.ranks:
        raise RuntimeError(
            f"{launch.launcher} has launched {launch.ranks} ranks, and {version(MPI)}, which "
            f"mpi4py has loaded, finds {MPI.COMM_WORLD.Get_size()}: use the launcher of that MPI"
        )
    return MPI
