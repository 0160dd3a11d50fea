"""Random texts from the grammar: each is parsed or gives a located error, with bounded work.

`PENSTOCK_FUZZ_TEXTS` sets how many are tried, `PENSTOCK_FUZZ_SEED` the first; failures name the
number of the text.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from grammar import Grammar, functions
from test_limits import end
from test_text import SHARES, damaged, outcome

from penstock.ir.opdef import registry

COUNT = int(os.environ.get("PENSTOCK_FUZZ_TEXTS", "800"))
SEED = int(os.environ.get("PENSTOCK_FUZZ_SEED", "0"))
LONGEST = 2**16
ELSEWHERE = {
    "builtin.module", "func.func", "func.return", "memref.global", "linalg.index", "linalg.yield",
    "scf.yield", "scf.forall.in_parallel",
}  # fmt: skip
"""Ops that contain functions, or are in regions of others."""
KERNELS = ("gpu.", "nvgpu.", "nvvm.")
"""Dialects whose ops stand in kernels, or launch these: no function alone can have them."""


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    return functions()


def text_of(number: int, known: dict[str, list[str]]) -> str:
    """The text of this number; one in hundreds is long, one in five is damaged."""
    choose = random.Random(number)
    size = LONGEST // 500 if number % 500 == 0 else choose.choice((1, 1, 2, 3))
    names = choose.choices(sorted(known), k=size)
    text = Grammar(choose).module([choose.choice(known[name]) for name in names])
    return (damaged(text, choose, [text]) if choose.random() < 0.2 else text)[:LONGEST]


def test_there_are_functions_for_every_op(known: dict[str, list[str]]) -> None:
    others = {name for name in registry if name not in known and not name.startswith(KERNELS)}
    assert others <= ELSEWHERE
    unsound = {name for name, texts in known.items() if "sound" not in map(outcome, texts)}
    elsewhere = {"func.call", "gpu.launch_func", "memref.get_global", "sbp.await"}
    assert unsound == elsewhere, "they name what is elsewhere"


@pytest.mark.parametrize("share", range(SHARES))
def test_a_text_is_parsed_or_refused(known: dict[str, list[str]], share: int) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(SEED + share, SEED + COUNT, SHARES):
        text = text_of(number, known)
        try:
            # Long texts are not read back several times.
            long = len(text) > LONGEST // 8
            outcomes[end(f"text {number}", text) if long else outcome(text)] += 1
        except Exception as error:
            error.add_note(f"text {number}:\n{text}") if hasattr(error, "add_note") else None
            raise
    assert min(outcomes["error"], outcomes["sound"]) > outcomes.total() // 8, outcomes
    assert outcomes["unsound"] > outcomes.total() // 40, outcomes
