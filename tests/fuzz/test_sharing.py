"""Random programs that ranks share in random ways: see `penstock fuzz --ranks`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.passes.placement.local.exchanges import Conversion
from penstock.tools.fuzz import again, failure
from penstock.tools.fuzz.calls import chosen
from penstock.tools.fuzz.trial import trial

PROGRAMS = int(os.environ.get("PENSTOCK_SHARED_PROGRAMS", "0"))


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")


@pytest.mark.parametrize("seed", [3, *range(1000, 1000 + PROGRAMS)])
def test_ranks_give_what_one_gives(seed: int) -> None:
    outcome = trial(seed, shares=2)
    assert outcome.failure is None, f"penstock fuzz --ranks 2 --seed {seed}: {outcome.failure}"
    assert outcome.compiled == 2
    assert outcome.known > 0


def test_a_wrong_conversion_is_found_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Zeros are no identity of maxima and minima, unless all elements have the right sign."""
    with monkeypatch.context() as patch:
        patch.setattr(Conversion, "_identity", lambda self, element: 0.0)
        outcomes = (trial(seed, chosen(["flow.reshape"]), shares=2) for seed in range(20))
        outcome = next(one for one in outcomes if one.failure)
        assert outcome.failure is not None
        assert outcome.failure.kind == "wrong result"
        kept = failure.write(outcome.failure, tmp_path, outcome.failure.module)
        read = again.read(Path(kept.folder) / "program.mlir")
        assert again.again(read.module, read.inputs, read.way) is not None
    assert again.again(read.module, read.inputs, read.way) is None
