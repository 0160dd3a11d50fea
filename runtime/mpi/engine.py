"""The native side of ranks over MPI: what `codegen/native/ranks.c` reads, for this process."""

import ctypes
import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NoReturn

import numpy as np

from penstock.runtime import threads
from penstock.runtime.collective import Collective, balanced
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.exchange import Exchange
from penstock.runtime.mpi import guard
from penstock.runtime.mpi.guard import Wait
from penstock.runtime.mpi.library import address, handle, library
from penstock.runtime.mpi.world import World
from penstock.runtime.native.shared_code import load_shared

__all__ = ["Engine", "engine"]

CHUNK, LEAST_CHUNK, ROOM = 1 << 20, 1 << 16, 1 << 25
"""Bytes of an all-reduce that a rank sends another at once, or fewer if all ranks' would need more
room than that. `benchmarks/ranks.py --collectives` measures them."""
MOST_RANKS = 4096
_PATIENCE, _LITTLE = 5000, 200
"""Pauses of a rank that waits, where it has a core of its own, and where it hasn't."""
WORKS = 64
TAGS, PHASES = 16000, 2
"""Collectives of a job whose tags differ, and the tags of each: MPI has at least 32,768."""
_REQUESTS, _ROOMS = 8, 2

_KINDS = {"all_reduce": 0, "reduce_scatter": 1, "all_gather": 2, "all_to_all": 3}
_REDUCTIONS = {"": 0, "sum": 0, "max": 1, "min": 2}
_ELEMENTS = {
    word: number
    for number, word in enumerate(("f32", "f64", "f16", "bf16", "i8", "ui8", "i32", "i64", "i16"))
}
_ELEMENTS["i1"] = _ELEMENTS["ui8"]

_Pointer = ctypes.c_void_p


class NativeCollective(ctypes.Structure):
    """`struct collective` of layouts.h."""

    _fields_ = [
        ("id", ctypes.c_int32),
        ("kind", ctypes.c_int32),
        ("reduction", ctypes.c_int32),
        ("element", ctypes.c_int32),
        ("bytes", ctypes.c_int32),
        ("deferred", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("place", ctypes.c_int32),
        ("tag", ctypes.c_int32),
        ("ranks", _Pointer),
        ("counts", _Pointer),
        ("receives", _Pointer),
    ]


class Work(ctypes.Structure):
    """`struct work` of layouts.h."""

    _fields_ = [("what", _Pointer), ("source", _Pointer), ("target", _Pointer)]


class Stream(ctypes.Structure):
    """`struct stream` of layouts.h."""

    _fields_ = [
        ("comm", ctypes.c_int64),
        ("what", _Pointer),
        ("since", ctypes.c_int64),
        ("sent", ctypes.c_int64),
        ("requests", _Pointer),
        ("scratch", _Pointer),
    ]


class Queue(ctypes.Structure):
    """`struct queue` of layouts.h."""

    _fields_ = [
        ("thread", ctypes.c_ulong),
        ("busy", ctypes.c_int64),
        ("waited", ctypes.c_int64),
        ("runs", ctypes.c_int32),
        ("failed", ctypes.c_int32),
        ("begun", ctypes.c_uint32),
        ("done", ctypes.c_uint32),
        ("closed", ctypes.c_uint32),
        ("sleeps", ctypes.c_uint32),
        ("works", Work * WORKS),
    ]


class Ranks(ctypes.Structure):
    """`struct ranks` of layouts.h."""

    _fields_ = [
        ("isend", _Pointer),
        ("irecv", _Pointer),
        ("test", _Pointer),
        ("byte", ctypes.c_int64),
        ("chunk", ctypes.c_int64),
        ("patience", ctypes.c_int64),
        ("queue", _Pointer),
        ("streams", Stream * 2),
    ]


class Joined(ctypes.Structure):
    """`struct joined` of layouts.h."""

    _fields_ = [("ranks", _Pointer), ("collectives", _Pointer), ("numbers", _Pointer)]


class Engine:
    """Exchanges elements of compiled jobs between the ranks of this run."""

    def __init__(self, world: World, image: bytes) -> None:
        self.world = world
        code = load_shared(image, "ranks")
        names = {name: code.address(f"penstock_ranks_{name}") for name in _FUNCTIONS}
        self._function = names["collective"]
        found = library(world.mpi)
        # Each stream has a communicator of its own, so threads don't wait for each other's.
        self._comms = [world.mpi.COMM_WORLD.Dup() for _ in range(2)]
        for comm in self._comms:
            comm.Set_errhandler(world.mpi.ERRORS_ARE_FATAL)
        self._chunk = max(LEAST_CHUNK, min(CHUNK, ROOM // world.ranks))
        self._queue = Queue()
        self._kept: list[Any] = [code, self._queue]
        self._ranks = Ranks(
            *(address(found, f"MPI_{name}") for name in ("Isend", "Irecv", "Test")),
            handle(world.mpi, world.mpi.BYTE), self._chunk, _patience(world),
            ctypes.addressof(self._queue), (Stream * 2)(*map(self._stream, self._comms)),
        )  # fmt: skip
        self._what: dict[int, str] = {}
        address_of_ranks = ctypes.addressof(self._ranks)
        if world.has_threads and _has_free_core():
            start = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(names["start"])
            start(address_of_ranks)
        self._stop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(names["stop"])
        guard.watch(self._waits, world.ended)
        guard.on_exit(lambda: self._stop(address_of_ranks))

    @property
    def sent(self) -> int:
        """The bytes that this rank has sent to others so far."""
        return sum(stream.sent for stream in self._ranks.streams)

    @property
    def overlap(self) -> tuple[float, float]:
        """The seconds that deferred collectives took on their thread, and those of them for which
        jobs waited."""
        return self._queue.busy / 1e9, self._queue.waited / 1e9

    def exchange(self, collectives: Sequence[Collective], job: str) -> Exchange:
        """What the code of a job with these collectives calls.

        Raises ValueError for one that this engine can't carry out.
        """
        natives = (NativeCollective * len(collectives))()
        ids = common_ids(collectives)
        numbers = (ctypes.c_uint32 * (1 + max(ids, default=0)))()
        kept: list[Any] = [natives, numbers]
        for number, one in enumerate(collectives):
            natives[number] = self._native(one, ids[number], kept, job)
            where = f" of {one.loc}" if one.loc else ""
            self._what[ctypes.addressof(natives) + number * ctypes.sizeof(NativeCollective)] = (
                f"{one.kind} {one.id} of job {job!r}{where}"
            )
        joined = Joined(
            ctypes.addressof(self._ranks), ctypes.addressof(natives), ctypes.addressof(numbers)
        )
        kept.append(joined)

        def fail() -> NoReturn:
            raise RuntimeError(f"MPI has failed in a step of job {job!r}; see its own message")

        # Native code may still have their addresses when a job is gone.
        self._kept.append(kept)
        return Exchange(self._function, ctypes.addressof(joined), fail, self)

    def _native(self, one: Collective, id: int, kept: list[Any], job: str) -> NativeCollective:
        size = len(one.ranks)
        counts = balanced(one.counts[0], size) if one.kind == "all_reduce" else one.counts
        if one.dtype not in _ELEMENTS or size > MOST_RANKS or max(one.ranks) >= self.world.ranks:
            raise ValueError(
                f"job {job!r} exchanges {one.dtype} among ranks up to {max(one.ranks)}, and this "
                f"run has ranks 0 to {self.world.ranks - 1}; place it on these"
            )
        arrays = [
            np.array(values, dtype)
            for values, dtype in (
                (one.ranks, np.int32),
                (counts, np.int64),
                (one.receives or (0,), np.int64),
            )
        ]
        kept.append(arrays)
        return NativeCollective(
            id, _KINDS[one.kind], _REDUCTIONS[one.reduction], _ELEMENTS[one.dtype],
            numpy_dtype(one.dtype).itemsize, one.deferred, size, one.ranks.index(self.world.rank),
            self._first_tag(job) + PHASES * (id % TAGS), *(array.ctypes.data for array in arrays),
        )  # fmt: skip

    def _first_tag(self, job: str) -> int:
        """Where a job's tags begin. With those of another job, a rank that runs jobs in another
        order would exchange numbers with a job that has nothing to do with them; so it waits."""
        jobs = (self.world.most_tags + 1) // (PHASES * TAGS)
        return int.from_bytes(sha256(job.encode()).digest()[:8], "big") % jobs * PHASES * TAGS

    def _stream(self, comm: Any) -> Stream:
        ranks = self.world.ranks
        requests = np.zeros(_REQUESTS * ranks, np.int64)
        scratch = np.empty(_ROOMS * ranks * self._chunk, np.uint8)
        self._kept += [requests, scratch]
        return Stream(
            comm=handle(self.world.mpi, comm),
            requests=requests.ctypes.data,
            scratch=scratch.ctypes.data,
        )

    def _waits(self) -> Wait | None:
        """The collective that has taken longest so far."""
        begun = [(stream.since, stream.what) for stream in self._ranks.streams if stream.since]
        if not begun:
            return None
        since, what = min(begun)
        return Wait(self._what.get(what, "a collective"), since / 1e9)


def common_ids(collectives: Sequence[Collective]) -> list[int]:
    """For each collective of a rank a number of its own that has, modulo `TAGS`, the same remainder
    on all ranks of its group: ranks may be in several groups, and count different collectives.

    >>> one = Collective(0, "all_reduce", (0, 1), (1,), (1, 1), "f32", "sum")
    >>> common_ids([one, one._replace(id=1, ranks=(1, 2)), one._replace(id=2)])
    [0, 16000, 1]
    """
    groups = {
        ranks: number for number, ranks in enumerate(dict.fromkeys(c.ranks for c in collectives))
    }
    counts = dict.fromkeys(groups, 0)
    found = []
    for one in collectives:
        rounds, tag = divmod(counts[one.ranks], TAGS)
        counts[one.ranks] += 1
        found.append((rounds * len(groups) + groups[one.ranks]) * TAGS + tag)
    return found


_FUNCTIONS = ("collective", "start", "stop")


def engine(world: World, image: Callable[[], bytes]) -> Engine:
    """The engine of this process; `image` returns the shared object of its native code.

    Raises OSError if the system refuses to load that.
    """
    if world.rank not in _engines:
        _engines[world.rank] = Engine(world, image())
    return _engines[world.rank]


_engines: dict[int, Engine] = {}


def _patience(world: World) -> int:
    """For how long a rank that waits keeps its core from others."""
    ranks = world.launch.local_ranks or world.ranks
    return _PATIENCE if ranks <= (os.cpu_count() or 1) else _LITTLE


def _has_free_core() -> bool:
    """Whether this process may use a core that its steps leave free."""
    return len(os.sched_getaffinity(0)) > threads.num_threads()
