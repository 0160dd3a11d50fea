"""Collectives over MPI, in native code: bit for bit as in NumPy, and every byte counted."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).with_name("exchanging.py").read_text()


@pytest.mark.parametrize(
    ("ranks", "share"), [(3, 9), *(pytest.param(n, 1, marks=pytest.mark.long) for n in (2, 3, 4))]
)
def test_collectives_equal_those_in_numpy(
    ranks: int, share: int, on_ranks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_NUM_THREADS", "1")
    result = on_ranks(PROGRAM, str(share), ranks=ranks)
    assert result.returncode == 0, result
    counts = [int(text) for text in re.findall(r"(\d+) right", result.stdout)]
    assert len(counts) == ranks
    assert min(counts) >= 500 // share
