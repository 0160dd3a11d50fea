"""Arenas, variables and large results are in huge pages, for fewer TLB misses."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

HUGE = 2 << 20
_ENABLED = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_MAPPING = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) ")


@pytest.fixture(autouse=True)
def _allowed() -> None:
    if not _ENABLED.exists() or "[never]" in _ENABLED.read_text():
        pytest.skip(f"this system has no huge pages for memory like ours: {_ENABLED}")


def mappings() -> Iterator[tuple[int, int, dict[str, str]]]:
    """The mappings of this process: start, end, and the kernel's statistics."""
    begin = end = 0
    facts: dict[str, str] = {}
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if found := _MAPPING.match(line):
            if end:
                yield begin, end, facts
            begin, end, facts = int(found[1], 16), int(found[2], 16), {}
        else:
            name, _, value = line.partition(":")
            facts[name] = value.strip()
    yield begin, end, facts


def in_huge_pages(address: int, size: int) -> float:
    """The fraction of a memory range's whole huge pages that are mapped as huge pages."""
    whole, mapped = size // HUGE * HUGE, 0
    assert address % HUGE == 0
    for begin, end, facts in mappings():
        if begin < address + whole and address < end:
            assert "hg" in facts["VmFlags"].split(), "nobody has asked for huge pages"
            # The mapping may be larger than the range: all of its small pages are counted.
            small = int(facts["Rss"].split()[0]) - int(facts["AnonHugePages"].split()[0])
            mapped += min(end, address + whole) - max(begin, address) - (small << 10)
    return mapped / whole


def test_arena_variables_and_results_use_huge_pages() -> None:
    @flow.global_function()
    def products(x: tp.Numpy.Placeholder((1500, 1500))) -> tp.Numpy:
        w = flow.get_variable("w", (1500, 1500), initializer=flow.ones_initializer())
        return flow.matmul(flow.matmul(x, w), x)

    x = np.ones((1500, 1500), np.float32)
    kept: list[Any] = [products(x) for _ in range(3)]
    home = products.executable._home
    assert home is not None
    roles = [argument.role for argument in products.executable.description.arguments]
    for role in ("arena", "variable"):
        address = home.frame.pointers[roles.index(role)]
        assert in_huge_pages(address, x.nbytes) > 0.5, role
    for result in kept:
        assert in_huge_pages(result.ctypes.data, x.nbytes) > 0.5, "a result"
