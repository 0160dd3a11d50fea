"""Jobs on groups of ranks over MPI: what they compute in lock step, and their checkpoints."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.runtime import checkpoint

HERE = Path(__file__).parent
PROGRAM = HERE / "between_groups.py"


@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.long)])
def test_groups_compute_what_they_do_in_lock_step(
    ranks: int, on_ranks: Callable[..., Any], tmp_path: Path
) -> None:
    words = str(ranks), str(tmp_path / "saved")
    result = on_ranks(PROGRAM.read_text(), *words, ranks=ranks)
    assert result.returncode == 0, result
    command = [sys.executable, PROGRAM, str(ranks), str(tmp_path / "other")]
    alone = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert alone.returncode == 0, alone.stderr
    assert result.stdout == alone.stdout
    assert result.stdout.count(": True, ") == len(result.stdout.splitlines()) > 0
    for number in range(1, 1 + len(result.stdout.splitlines())):
        saved, other = (checkpoint.get(tmp_path / f"{n}{number}") for n in ("saved", "other"))
        assert isinstance(saved, dict)
        assert isinstance(other, dict)
        assert {name: one.numpy().tobytes() for name, one in saved.items()} == {
            name: one.numpy().tobytes() for name, one in other.items()
        }
