"""Freed memory is used again, within bounds, and never while anybody can reach it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from penstock.runtime import memory
from penstock.runtime.memory import KEPT_BYTES, Allocation, trim

SIZES = (1 << 17, (1 << 22) + 4096)
F32 = np.dtype(np.float32)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    trim(math.inf)


@pytest.mark.parametrize("size", SIZES)
def test_freed_memory_is_used_again(size: int) -> None:
    first = Allocation(size)
    address = first.address
    del first
    assert Allocation(size + 64).address != address
    assert Allocation(size).address == address


@pytest.mark.parametrize("size", SIZES)
def test_memory_is_not_freed_while_a_view_lives(size: int) -> None:
    first = Allocation(size)
    address = first.address
    view = first.array((size // 4,), F32)[3:5]
    view[:] = 7
    del first
    other = Allocation(size)
    assert other.address != address
    other.array((size // 4,), F32)[:] = 0
    assert view.tolist() == [7, 7]


def test_no_more_is_kept_than_the_bound() -> None:
    size = KEPT_BYTES // 4
    blocks = [Allocation(size) for _ in range(7)]
    del blocks[:]
    assert memory._freed._bytes == KEPT_BYTES
    trim(math.inf)
    assert memory._freed._bytes == 0
    assert memory._freed._by_size == {}


def test_what_was_freed_lately_stays() -> None:
    address = Allocation(SIZES[0]).address
    trim(before=0.0)
    assert Allocation(SIZES[0]).address == address
