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
_METH_FASTCALL, _METH_KEYWORDS = 0x80, 0x02


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
    """What `tap` and `poll` get: when to check for a signal next and how, Python's thread state;
    taps, context, a list for what handlers raise, and the function to call with that afterwards.
    """

    _fields_ = [
        ("due", ctypes.c_int64),
        ("look", ctypes.c_void_p),
        ("state", ctypes.c_void_p),
        ("taps", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("errors", ctypes.c_void_p),
        ("how", ctypes.c_void_p),
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


class _Method(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


def _function_maker() -> Callable[[int, object, object], Callable[..., Any]]:
    make = ctypes.pythonapi.PyCFunction_NewEx
    # A private prototype: the attribute of `pythonapi` is shared.
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    made: Any = kind(ctypes.cast(make, ctypes.c_void_p).value or 0)
    return lambda method, owner, module: made(method, owner, module)


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
    ) -> None:
        self._methods = (_Method * 3)(
            _Method(b"call", call, _METH_FASTCALL, None),
            _Method(b"invoke", invoke, _METH_FASTCALL, None),
            _Method(b"serve", serve, _METH_FASTCALL | _METH_KEYWORDS, None),
        )
        self._make = _function_maker()
        self.invoke = self._function(1, None)
        """`invoke(entry, context, arguments, run)`, all addresses; returns the run's status."""
        self.poll, self.look, self.act, self.tap = poll, look, act, tap
        self._claim = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(claim)
        self._claim_block = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(claim_block)

    def _function(self, number: int, owner: object) -> Callable[..., Any]:
        method = ctypes.addressof(self._methods) + number * ctypes.sizeof(_Method)
        return self._make(method, owner, None)

    def call(self, table: Table) -> Callable[..., Any]:
        """A function that calls a table's job, or returns NotImplemented to ask for the slow
        path."""
        return self._function(0, table)

    def serve(self, table: Table, slow_path: Callable[..., Any]) -> Callable[..., Any]:
        """The same, but it calls the slow path itself, also with keywords."""
        table.slow_path = slow_path
        table.slow = id(slow_path)
        return self._function(2, table)

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
