"""Memory for large results: blocks that are reused, but never while somebody holds a result.

For a result of a few megabytes, the system's page faults cost more than the computation. So a job
keeps a few blocks for each such result. It reuses a block only when nothing but the ring has a
reference to it: an array over it has one, and so has everything made of that array.

A caller that keeps every result gets a new block each time, and the ring forgets the older ones.
The ring frees blocks that were unused for a second or two; native calls trigger that now and then.

Results of ops on tensors are held for longer, and there are many such ops. So their memory comes
from one place for all (`codegen/native/memory.c`).
"""

import os
import threading
import time
import weakref
from typing import Any, ClassVar

import numpy as np

from penstock.runtime.memory import Allocation, trim
from penstock.runtime.native.native_call import BLOCKS, RingTable, installed

__all__ = ["LARGE", "Ring"]

LARGE = 1 << 16
"""Bytes: NumPy allocates smaller results, and reuses such memory quickly itself."""

_UNUSED = 1.0  # seconds


class Ring:
    """The blocks for results of one shape and dtype, of at least `LARGE` bytes.

    `lasting` blocks are allocated at the start and stay. They are for native code that cannot ask
    for more, and that does without the ring if all are held.

    With `recycles`, native code takes the memory from what it recycles for all such rings, and this
    one never has a block.
    """

    _all: ClassVar["weakref.WeakSet[Ring]"] = weakref.WeakSet()
    _next_look = 0.0
    _lock = threading.RLock()  # guards all rings' tables against other threads, not native calls

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        lasting: int = 0,
        *,
        recycles: bool = False,
    ) -> None:
        self._shape, self._dtype = shape, dtype
        self._size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        self._blocks: list[Allocation | None] = [None] * BLOCKS
        self._seen = [(0, 0.0)] * BLOCKS
        """How often each block had been used when that last changed, and when that was noticed."""
        self._oldest = 0
        natives = installed()
        self._recycles = recycles and natives is not None and natives.eager is not None
        self.table = RingTable(-self._size if self._recycles else 0)
        for _ in range(lasting):
            self._keep(Allocation(self._size))
        if not lasting and not self._recycles:
            with Ring._lock:
                Ring._all.add(self)

    def take(self) -> tuple[np.ndarray[Any, Any], int]:
        """An array that nobody else holds, and its address."""
        natives = installed()
        now = time.monotonic()
        if now > Ring._next_look:
            Ring._next_look = now + _UNUSED
            Ring.trim_all(now)
            trim(now - _UNUSED)
        block = None if natives is None else natives.claim_block(self.table)
        if block is None:
            block = Allocation(self._size)
            if natives is not None and not self._recycles:
                self._keep(block)
        return block.array(self._shape, self._dtype), block.address

    def _keep(self, block: Allocation) -> None:
        """Put a new block into an empty slot, or replace the oldest one."""
        with Ring._lock:
            if None in self._blocks:
                place = self._blocks.index(None)
            else:
                place = self._oldest = (self._oldest + 1) % BLOCKS
                self._drop(place)
            entry = self.table.blocks[place]
            self._blocks[place] = block
            self._seen[place] = (entry.uses, time.monotonic())
            # Last, since a native call on another thread may read it at any time.
            entry.data, entry.owner = block.address, id(block)

    def _drop(self, place: int) -> None:
        self.table.blocks[place].owner = None  # first, as above
        self._blocks[place] = None

    @classmethod
    def trim_all(cls, now: float) -> None:
        """Free the blocks of any ring that were unused for a second before `now`."""
        with cls._lock:
            for ring in list(cls._all):
                ring._trim(now)

    @classmethod
    def forked(cls) -> None:
        """In the child of a fork: replace the lock, whose holder does not exist here."""
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
