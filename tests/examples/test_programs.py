"""The programs in examples/ do what they say."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "examples" / "train_mnist.py"


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PENSTOCK_DATA_DIR"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=environment, text=True, capture_output=True, check=False
    )


def test_the_watched_relu(tmp_path: Path) -> None:
    result = run(ROOT / "examples" / "watch_relu.py", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "in:  [-2. -1.  0.  1.  2.]\nout: [0. 0. 0. 1. 2.]\n"


def test_training_on_the_digits(tmp_path: Path) -> None:
    options = ("--data", "digits", "--epochs", "10", "--save", tmp_path / "saved")
    result = run(TRAIN, *options, "--stage", "loops", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "15 batches of 100 from the handwritten digits that ship with penstock"
    losses = [
        float(loss) for loss in re.findall(r"^epoch \d+: loss ([\d.]+),", result.stdout, re.M)
    ]
    assert len(losses) == 10
    assert losses[-1] < 0.2 < 1.0 < losses[0]
    (accuracy,) = re.findall(r"^test accuracy: ([\d.]+) %$", result.stdout, re.M)
    assert float(accuracy) >= 90
    names = {path.name for path in (tmp_path / "saved").iterdir()}
    assert {"hidden-weight", "hidden-bias", "output-weight", "output-bias"} <= names
    assert re.search(r"^train_job at the stage 'loops', 40 of \d+ lines:$", result.stdout, re.M)
    assert "memref" in result.stdout


def test_a_folder_without_images_is_one_sentence(tmp_path: Path) -> None:
    result = run(TRAIN, "--data", tmp_path, cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"out_dir names {tmp_path}, which holds neither [^\n]+\.\n", result.stderr)
