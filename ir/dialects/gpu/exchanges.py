"""Buffers through which the threads of one launch may exchange values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.ir.core import Operation, Value
from penstock.ir.types import MemRefType
from penstock.ir.verify.reach import AccessInterface


class Meeting(Operation):
    """An op at which threads wait for each other, to see what others wrote."""

    __slots__ = ()


def exchanged(kernel: Operation, buffers: Sequence[Value]) -> list[Value]:
    """Those arguments of a kernel that it reads and writes, if its threads meet.

    Behind a barrier a thread may read what another one wrote ahead of it. LLVM must not take such a
    buffer for `noalias`: no other thread could then change it, so a read may move ahead of the
    barrier.
    """
    found = [buffer for buffer in buffers if {"reads", "writes"} <= set(_verbs(buffer))]
    return found if found and any(isinstance(op, Meeting) for op in kernel.walk()) else []


def _verbs(buffer: Value) -> Iterator[str]:
    """`reads` or `writes`, for each access to a buffer or to a part of it."""
    for user in buffer.users():
        for result in user.results:
            if isinstance(result.type, MemRefType):
                yield from _verbs(result)
        if isinstance(user, AccessInterface):
            yield from (reach.verb for reach in user.reaches() if reach.buffer is buffer)
