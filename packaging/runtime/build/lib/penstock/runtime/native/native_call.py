"""The tables of the native call, which calls a job from Python without Python code in between.

Whoever loads jobs provides the native functions, by `install`; in a process without them, jobs are
called through ctypes. `codegen/native/call.c` defines what the functions do, and when they
leave a call to the slow path. The structures here and those in `codegen/native/layouts.h` must
change together.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from penstock.runtime.memory import Allocation
from penstock.runtime.native.eager_call import EagerNatives
from penstock.runtime.native.methods import METH_FASTCALL, METH_KEYWORDS, Method, function_of

__all__ = [
    "BLOCKS",
    "Feed",
    "Fetch",
    "Natives",
    "RingTable",
    "Run",
    "Table",
    "TapTable",
    "described",
    "install",
    "installed",
]

FeedT = TypeVar("FeedT", "Feed", "Fetch")

BLOCKS = 4


class Feed(ctypes.Structure):
    """What an array must be: its dtype's address, rank and shape; and the argument's index."""

    _fields_ = [
        ("dtype", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("place", ctypes.c_int64),
    ]


class _BlockTable(ctypes.Structure):
    _fields_ = [
        ("owner", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("uses", ctypes.c_int64),
    ]


class RingTable(ctypes.Structure):
    """Blocks for one large result; `owner` is the address of a `Block`."""

    _fields_ = [("uses", ctypes.c_int64), ("blocks", _BlockTable * BLOCKS)]


class Fetch(ctypes.Structure):
    """What a result is; `ring` is null for a small one, whose memory NumPy allocates."""

    _fields_ = [*Feed._fields_, ("ring", ctypes.POINTER(RingTable))]


class TapTable(ctypes.Structure):
    """What a tap shows, its bytes, and the address of a tuple of handlers.

    If the job can store the value twice, also: the block of the ring that the next step fills, the
    index of its address among the arguments, and the index of the tap's flag.
    """

    _fields_ = [
        ("blob", Fetch),
        ("bytes", ctypes.c_int64),
        ("handlers", ctypes.c_void_p),
        ("filled", ctypes.c_void_p),
        ("slot", ctypes.c_void_p),
        ("flag", ctypes.c_void_p),
    ]


class Run(ctypes.Structure):
    """What `tap`, `callout` and `poll` get: when to check for a signal next and how, Python's
    thread state; taps, context, a list for what handlers raise, and the function to call with that
    afterwards; the functions of call-outs.
    """

    _fields_ = [
        ("due", ctypes.c_int64),
        ("look", ctypes.c_void_p),
        ("state", ctypes.c_void_p),
        ("taps", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("errors", ctypes.c_void_p),
        ("how", ctypes.c_void_p),
        ("callouts", ctypes.c_void_p),
    ]


class Table(ctypes.Structure):
    """Everything that a call needs about a job; `kept` holds what the addresses point to."""

    kept: object
    slow_path: object

    _fields_ = [
        ("entry", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("run", ctypes.c_void_p),
        ("feed_count", ctypes.c_int64),
        ("feeds", ctypes.POINTER(Feed)),
        ("fetch_count", ctypes.c_int64),
        ("fetches", ctypes.POINTER(Fetch)),
        ("form", ctypes.c_int64),
        ("gate", ctypes.c_void_p),
        ("writes", ctypes.c_int64),
        ("busy", ctypes.c_int64),
        ("ticks", ctypes.c_int64),
        ("slow", ctypes.c_void_p),
        ("watched", ctypes.c_int64),
    ]


def described(
    kind: type[FeedT], dtype: np.dtype[Any], shape: Sequence[int], place: int
) -> tuple[FeedT, object]:
    """A `Feed` or `Fetch`, and the object that must live as long as it."""
    dimensions = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    pointer = ctypes.cast(dimensions, ctypes.POINTER(ctypes.c_int64))
    return kind(id(dtype), len(shape), pointer, place), (dimensions, dtype)


class Natives:
    """The native functions of this process."""

    def __init__(
        self,
        call: int,
        serve: int,
        invoke: int,
        claim: int,
        claim_block: int,
        poll: int,
        look: int,
        act: int,
        tap: int,
        callout: int | None = None,
    ) -> None:
        self._call = Method(b"call", call, METH_FASTCALL, None)
        self._serve = Method(b"serve", serve, METH_FASTCALL | METH_KEYWORDS, None)
        self._invoke = Method(b"invoke", invoke, METH_FASTCALL, None)
        self.invoke = function_of(self._invoke, None)
        """`invoke(entry, context, arguments, run)`, all addresses; returns the run's status."""
        self.poll, self.look, self.act, self.tap = poll, look, act, tap
        self.callout = callout
        """None in code of a version that had no call-outs."""
        self.eager: EagerNatives | None = None
        """What runs ops on tensors, if this code has it."""
        self._claim = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(claim)
        self._claim_block = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(claim_block)

    def call(self, table: Table) -> Callable[..., Any]:
        """A function that calls a table's job, or returns NotImplemented to ask for the slow
        path."""
        return function_of(self._call, table)

    def serve(self, table: Table, slow_path: Callable[..., Any]) -> Callable[..., Any]:
        """The same, but it calls the slow path itself, also with keywords."""
        table.slow_path = slow_path
        table.slow = id(slow_path)
        return function_of(self._serve, table)

    def claim(self, table: Table) -> bool:
        """Claim the table until `busy` is set to 0; False if it is busy."""
        return bool(self._claim(ctypes.addressof(table)))

    def claim_block(self, ring: RingTable) -> Allocation | None:
        """A block of the ring that nobody else holds."""
        block: Allocation | None = self._claim_block(ctypes.addressof(ring))
        return block


class _Installed:
    natives: Natives | None = None


def install(natives: Natives | None) -> None:
    """Call jobs that are loaded from now on by these functions, which are never unloaded.

    None calls them through ctypes, as in a process without such functions.
    """
    _Installed.natives = natives


def installed() -> Natives | None:
    """The native functions of this process, if it has them."""
    return _Installed.natives
