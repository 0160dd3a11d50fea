"""kill -9 while checkpoints are saved: what was whole stays whole, what was begun is swept.

60 kills by default; PENSTOCK_CHECKPOINT_KILLS asks for more.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from penstock.runtime import checkpoint

KILLS = int(os.environ.get("PENSTOCK_CHECKPOINT_KILLS", "60"))
NAMES = [f"layer{index}-weight" for index in range(6)]

# Saves for ever, and tells the number of each checkpoint once it is saved. Every value of a
# checkpoint is its number, so a mixture shows.
COMMON = """
import shutil, sys
from pathlib import Path
import numpy as np
from penstock.runtime import checkpoint

root, number, names = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]

def arrays():
    return {name: np.full((50, 1 + index * 40), number) for index, name in enumerate(names)}

def say():
    print(number, flush=True)

while True:
    number += 1
"""

# The two ways in which people keep checkpoints: the last few of many, or one with a spare.
NUMBERED = """
    checkpoint.save(root / f"snapshot_{number:08}", arrays())
    say()
    for old in sorted(root.glob("snapshot_*"))[:-3]:
        shutil.rmtree(old)
"""
ROTATED = """
    if (root / "next").exists():
        shutil.rmtree(root / "next")
    checkpoint.save(root / "next", arrays())
    say()
    if (root / "previous").exists():
        shutil.rmtree(root / "previous")
    if (root / "latest").exists():
        (root / "latest").rename(root / "previous")
    (root / "next").rename(root / "latest")
"""


def whole(folder: Path) -> int | None:
    """The number of a checkpoint; None where the folder is not or no longer a whole one."""
    try:
        saved = checkpoint.get(folder)
    except ValueError:
        return None
    assert isinstance(saved, dict)
    if sorted(saved) != sorted(NAMES):
        return None
    seen: set[int] = set()
    for index, name in enumerate(NAMES):
        value = saved[name].numpy()
        assert value.shape == (50, 1 + index * 40)
        seen |= set(np.unique(value).tolist())
    assert len(seen) == 1, f"{folder} mixes checkpoints {seen}"
    return seen.pop()


def newest(root: Path) -> int:
    numbers = (whole(folder) for folder in root.iterdir() if not folder.name.startswith("."))
    return max((number for number in numbers if number is not None), default=0)


def leftovers(root: Path) -> list[Path]:
    return list(root.glob(".penstock-saving-*"))


def killed(script: str, root: Path, number: int, delay: float) -> int:
    """Run a saver and kill it this long after its first checkpoint; its last word."""
    child = subprocess.Popen(
        [sys.executable, "-c", COMMON + script, str(root), str(number), *NAMES],
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    with child.stdout as said:
        first = said.readline()
        time.sleep(delay)
        child.kill()
        words = (first + said.read()).split(b"\n")[:-1]
    assert child.wait(30) == -9, "it ended by itself"
    return int(words[-1])


@pytest.mark.parametrize("script", [NUMBERED, ROTATED], ids=["numbered", "rotated"])
def test_a_kill_loses_no_checkpoint(tmp_path: Path, script: str) -> None:
    draw = random.Random(7)
    least, kills, saved, torn = -(-KILLS // 2), 0, 0, 0
    # On a busy machine few kills come in the middle of a save: then there are more of them.
    while kills < least or (torn < 3 and kills < 10 * least):
        kills += 1
        told = killed(script, tmp_path, saved, draw.uniform(0, 0.03))
        assert told > saved
        saved = newest(tmp_path)
        # What was reported as saved is there; the next one may be, too.
        assert told <= saved <= told + 1
        torn += bool(leftovers(tmp_path))
        # Left by this kill alone: the child's first save swept what the one before had left.
        assert len(leftovers(tmp_path)) <= 2
    print(f"{torn} of {kills} kills came in the middle of a save; {saved} checkpoints")
    assert torn >= 3, "hardly a kill came in the middle of a save"
    checkpoint.save(tmp_path / "last", {})
    assert not leftovers(tmp_path)
