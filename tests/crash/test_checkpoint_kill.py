"""kill -9 while checkpoints are saved: complete ones stay complete, partial ones are removed.

A save dies once before each of its system calls. PENSTOCK_CHECKPOINT_KILLS sets a minimum number of
kills, reached by repeating rounds.
"""

import itertools
import os
from pathlib import Path

import numpy as np
import pytest
from stopping import Victims

from penstock.runtime import checkpoint

KILLS = int(os.environ.get("PENSTOCK_CHECKPOINT_KILLS", "60"))
NAMES = [f"layer{index}-weight" for index in range(3)]

# Every value in a checkpoint is its number, so mixtures are detected. The first save removes
# leftovers of the last kill; the second one counts calls.
COMMON = f"""
import shutil, sys
from pathlib import Path
import numpy as np
from penstock.runtime import checkpoint

def arrays(number):
    names = {NAMES}
    return {{name: np.full((50, 1 + index * 80), number) for index, name in enumerate(names)}}

def work(root, number):
    save(Path(root), number + 1)
    arm()
    save(Path(root), number + 2)
"""

# Two common ways to keep checkpoints: the last few, or one with a backup.
NUMBERED = """
def save(root, number):
    checkpoint.save(root / f"snapshot_{number:08}", arrays(number))
    say(number)
    for old in sorted(root.glob("snapshot_*"))[:-3]:
        shutil.rmtree(old)
"""
ROTATED = """
def save(root, number):
    if (root / "next").exists():
        shutil.rmtree(root / "next")
    checkpoint.save(root / "next", arrays(number))
    say(number)
    if (root / "previous").exists():
        shutil.rmtree(root / "previous")
    if (root / "latest").exists():
        (root / "latest").rename(root / "previous")
    (root / "next").rename(root / "latest")
"""


def whole(folder: Path) -> int | None:
    """The number of a checkpoint; None if the folder is not a complete one."""
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
        assert value.shape == (50, 1 + index * 80)
        seen |= set(np.unique(value).tolist())
    assert len(seen) == 1, f"{folder} mixes checkpoints {seen}"
    return seen.pop()


def newest(root: Path) -> int:
    numbers = (whole(folder) for folder in root.iterdir() if not folder.name.startswith("."))
    return max((number for number in numbers if number is not None), default=0)


def leftovers(root: Path) -> list[Path]:
    return list(root.glob(".penstock-saving-*"))


@pytest.mark.parametrize("script", [NUMBERED, ROTATED], ids=["numbered", "rotated"])
def test_a_kill_loses_no_checkpoint(tmp_path: Path, script: str) -> None:
    kills = saved = torn = 0
    calls: set[str] = set()
    with Victims(COMMON + script) as victims:
        while kills < KILLS // 2:
            for point in itertools.count(1):
                call, said = victims.killed_at(point, str(tmp_path), saved)
                told, saved = int(said[-1]), newest(tmp_path)
                # Checkpoints reported as saved exist; the next one may exist, too.
                assert told <= saved <= told + 1
                # Left by this kill only: the first save removed older leftovers.
                assert len(leftovers(tmp_path)) <= 2
                if not call:
                    break
                calls.add(call)
                kills += 1
                torn += bool(leftovers(tmp_path))
    print(f"{torn} of {kills} kills came in the middle of a save; {saved} checkpoints")
    # At least a folder, two written and flushed files, and one more flush per variable.
    assert torn > len(NAMES) * 8, "the calls of a save are not seen"
    assert {"mkdir", "open", "write", "fsync", "rename", "unlink", "rmdir"} <= calls
    checkpoint.save(tmp_path / "last", {})
    assert not leftovers(tmp_path)
