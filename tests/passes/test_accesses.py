"""Each access at `loops` against its map at `fused`, for every point: see access_oracle.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from access_cases import KINDS, case
from access_oracle import Held, hold
from tensor_programs import FUSED

from penstock.passes.manager import run_pipeline

CASES = int(os.environ.get("PENSTOCK_ACCESS_CASES", "300"))
CHUNK = len(KINDS)


def held(seed: int) -> Held:
    found = case(seed)
    target = "x86-64-v4" if seed % 3 else "x86-64-v3"
    run_pipeline(found.module, FUSED, verify_each=False)
    return hold(found.module, found.arguments, target)


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_loops_reach_what_maps_say(first: int) -> None:
    total = Held()
    for seed in range(first, min(first + CHUNK, CASES)):
        total += held(seed)
    print(total)
    assert total.ops > CHUNK and total.points > 1000 * CHUNK
