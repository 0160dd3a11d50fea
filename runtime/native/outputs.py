"""Memory for large results: blocks that are used again, but never while somebody holds a result.

A result of a few megabytes costs more by the pages that the system must find for it than by what is
computed. So a job keeps a few blocks for each such result. A block is used again only when the ring
alone has a reference to it: an array over it has one, and so has all that was made of that array.

Those who keep every result get a new block each time, and the ring forgets the older ones. What it
has not needed for a second or two it gives back; native calls come by for that now and then.
"""

import os
import threading
import time
import weakref
from typing import Any, ClassVar

import numpy as np

from penstock.runtime.memory import Block
from penstock.runtime.native.native_call import BLOCKS, RingTable, installed

__all__ = ["LARGE", "Ring"]

LARGE = 1 << 16
"""Bytes: smaller results have memory of NumPy's, which finds such again quickly."""

_UNUSED = 1.0  # seconds


class Ring:
    """The blocks for results of one shape and dtype, of at least `LARGE` bytes.

    `lasting` blocks are there from the beginning and stay, for native code that cannot ask for more
    and makes do without the ring when all are held.
    """

    _all: ClassVar["weakref.WeakSet[Ring]"] = weakref.WeakSet()
    _next_look = 0.0
    _lock = threading.RLock()  # of all rings' tables, against other threads but not native calls

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], lasting: int = 0) -> None:
        self._shape, self._dtype = shape, dtype
        self._size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        self._blocks: list[Block | None] = [None] * BLOCKS
        self._seen = [(0, 0.0)] * BLOCKS
        """How often each block had been used when that was last seen to change, and when it was."""
        self._oldest = 0
        self.table = RingTable()
        for _ in range(lasting):
            self._keep(Block(self._size))
        if not lasting:
            with Ring._lock:
                Ring._all.add(self)

    def take(self) -> tuple[np.ndarray[Any, Any], int]:
        """An array that is nobody else's, and its address."""
        natives = installed()
        now = time.monotonic()
        if now > Ring._next_look:
            Ring._next_look = now + _UNUSED
            Ring.trim_all(now)
        block = None if natives is None else natives.claim_block(self.table)
        if block is None:
            block = Block(self._size)
            if natives is not None:
                self._keep(block)
        return block.array(self._shape, self._dtype), block.address

    def _keep(self, block: Block) -> None:
        """Put a new block into an empty place, or in place of the one that came longest ago."""
        with Ring._lock:
            if None in self._blocks:
                place = self._blocks.index(None)
            else:
                place = self._oldest = (self._oldest + 1) % BLOCKS
                self._drop(place)
            entry = self.table.blocks[place]
            self._blocks[place] = block
            self._seen[place] = (entry.uses, time.monotonic())
            # Last, for a native call on another thread may look at any time.
            entry.data, entry.owner = block.address, id(block)

    def _drop(self, place: int) -> None:
        self.table.blocks[place].owner = None  # first, as above
        self._blocks[place] = None

    @classmethod
    def trim_all(cls, now: float) -> None:
        """Let go of the blocks of any ring that were not used for a second before `now`."""
        with cls._lock:
            for ring in list(cls._all):
                ring._trim(now)

    @classmethod
    def forked(cls) -> None:
        """In the child of a fork: nobody is left who could give the lock back."""
        cls._lock = threading.RLock()

    def _trim(self, now: float) -> None:
        for place, block in enumerate(self._blocks):
            if block is None:
                continue
            uses, since = self._seen[place]
            if self.table.blocks[place].uses != uses:
                self._seen[place] = (self.table.blocks[place].uses, now)
            elif now - since > _UNUSED:
                self._drop(place)


os.register_at_fork(after_in_child=Ring.forked)
