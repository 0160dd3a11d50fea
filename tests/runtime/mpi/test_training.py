"""Jobs on ranks over MPI: what they compute in lock step, and their checkpoints."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.runtime import checkpoint

HERE = Path(__file__).parent
PROGRAM = (HERE / "training.py").read_text()


def alone(*words: str) -> str:
    """What the program prints in a process of its own."""
    command = [sys.executable, HERE / "training.py", *words]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("ranks", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 4))])
def test_a_job_computes_what_it_does_in_lock_step(
    ranks: int, on_ranks: Callable[..., Any], tmp_path: Path
) -> None:
    result = on_ranks(PROGRAM, str(ranks), str(tmp_path / "saved"), ranks=ranks, way="mpiexec")
    assert result.returncode == 0, result
    assert result.stdout == alone(str(ranks), str(tmp_path / "other"))
    parts = sorted(os.listdir(tmp_path / "saved-early" / "w"))
    assert parts[0] == "meta"
    assert len(parts) == 1 + ranks, "each rank writes its part"
    saved, other = (checkpoint.get(tmp_path / name) for name in ("saved-early", "other-early"))
    assert isinstance(saved, dict)
    assert isinstance(other, dict)
    assert {name: one.numpy().tobytes() for name, one in saved.items()} == {
        name: one.numpy().tobytes() for name, one in other.items()
    }
    loaded = alone("1", "unused", str(tmp_path / "saved-early"))
    assert loaded.partition("] ")[2] == result.stdout.partition("] ")[2]


def test_ranks_have_the_plan_of_rank_0(
    on_ranks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    program = HERE / "undecided.py"
    result = on_ranks(program.read_text(), ranks=2, way="mpiexec")
    assert result.returncode == 0, result
    command = [sys.executable, program]
    alone = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == alone.stdout
    assert result.stdout
