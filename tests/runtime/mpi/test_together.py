"""What processes of a run have in common: plans, parameters of graphs; and what they don't keep."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.runtime import checkpoint

HERE = Path(__file__).parent
PROGRAM = (HERE / "together.py").read_text()
MESHED = (HERE / "meshed.py").read_text()
TRAINING = (HERE / "training.py").read_text()
DISAGREEING = (HERE / "disagreeing.py").read_text()

KILLED = """
import os, signal, sys
from penstock.runtime.mpi import saving
from penstock.runtime.mpi.launched import launch
write = saving.write_variable
def killed(place, array):
    write(place, array)
    if launch().rank == 1 and os.path.exists(sys.argv[2] + "-early"):
        os.kill(os.getpid(), signal.SIGKILL)
saving.write_variable = killed
"""


def lines(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(word)]


def test_ranks_have_the_same_and_keep_their_parts(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(PROGRAM, "2")
    assert result.returncode == 0, result
    command = [sys.executable, HERE / "together.py", "2"]
    alone = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    for word in ("graph", "text", "callout", "large"):
        wanted = lines(alone, word)
        assert wanted
        assert sorted(lines(result.stdout, word)) == sorted(2 * wanted)
    # The variable and both of its moments are 48 MiB, of which a rank makes and has half. Compiled
    # code and gradients take less than the other half; whole variables would take more than that,
    # at first too.
    taken = [float(word) for line in lines(result.stdout, "taken") for word in line.split()[1:]]
    assert len(taken) == 4
    assert max(taken) < 1.2, taken


@pytest.mark.long
def test_a_mesh_gives_what_it_gives_in_lock_step(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(MESHED, ranks=4)
    assert result.returncode == 0, result
    command = [sys.executable, HERE / "meshed.py"]
    alone = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    for word, count in (("loss", 3), ("variable", 6)):
        wanted = lines(alone, word)
        assert len(wanted) >= count
        assert sorted(lines(result.stdout, word)) == sorted(4 * wanted)


@pytest.mark.long
def test_a_kill_while_saving_leaves_the_last_checkpoint(
    on_ranks: Callable[..., Any], tmp_path: Path
) -> None:
    result = on_ranks(KILLED + TRAINING, "2", str(tmp_path / "saved"))
    assert result.returncode != 0
    assert "rank 1 of 2 was ended by SIGKILL" in result.stderr
    # The program saves twice; the kill came in the second save.
    assert not (tmp_path / "saved").exists()
    found: Any = checkpoint.get(tmp_path / "saved-early")
    assert found["w"].numpy().shape == (4, 5)


@pytest.mark.long
def test_a_checkpoint_goes_from_2_ranks_to_1_to_4_to_3(
    on_ranks: Callable[..., Any], tmp_path: Path
) -> None:
    folders = [tmp_path / f"after-{number}" for number in range(4)]
    again = TRAINING.replace("flow.checkpoint.save(folder) if not others else None", "").replace(
        "    print(*shown([]))\n", "    shown([])\n    flow.checkpoint.save(folder)\n"
    )
    for number, ranks in enumerate((2, 1, 4, 3)):
        words = [str(ranks), str(folders[number])]
        if number:
            words.append(str(folders[number - 1]))
        result = on_ranks(again if number else TRAINING, *words, ranks=ranks)
        assert result.returncode == 0, result
    found: list[Any] = [checkpoint.get(folder) for folder in folders]
    values = [{name: one.numpy().tobytes() for name, one in each.items()} for each in found]
    assert values[0]["w"]
    assert all(each == values[0] for each in values[1:])
    assert len(os.listdir(folders[3] / "w")) > 1


def test_feeds_of_other_types_are_refused(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(DISAGREEING, "dtype")
    assert result.returncode != 0
    assert result.stderr.count("feed x is float32 of 2 dimensions on rank 0 and float64") == 1


def test_jobs_in_another_order_exchange_nothing(
    on_ranks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_DEADLINE", "2")
    result = on_ranks(DISAGREEING, "order")
    assert result.returncode != 0
    assert not result.stdout.strip()
    assert "program.py:30, has waited" in result.stderr
