"""examples/mlp.c, built as its comment says, prints the same numbers as Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.codegen.host import host_levels

ROOT = Path(__file__).resolve().parents[2]
BATCH, SIDE, CLASSES, STEPS = 100, 28, 10, 20

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler, cc")


def draw(seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The numbers that the program's `draw` returns."""
    images = np.zeros((BATCH, SIDE * SIDE), np.float32)
    labels = np.zeros(BATCH, np.int32)
    half = np.float32(0.5)
    for i in range(BATCH):
        seed = (seed * 1664525 + 1013904223) % 2**32
        labels[i] = (seed >> 16) % CLASSES
        noise = np.zeros(SIDE * SIDE, np.float32)
        for j in range(SIDE * SIDE):
            seed = (seed * 1664525 + 1013904223) % 2**32
            noise[j] = np.float32(seed >> 16) / np.float32(65536)
        bright = np.arange(SIDE * SIDE) // SIDE // 2 == labels[i] + 2
        images[i] = np.where(bright, half + noise / 2, noise / 2)
    return images.reshape(BATCH, 1, SIDE, SIDE), labels


def expected() -> str:
    """What the program prints, computed by the jobs in this process."""
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        import train_mnist
    finally:
        sys.path.remove(str(ROOT / "examples"))
        sys.modules.pop("train_mnist", None)
    lines = []
    for step in range(STEPS):
        total = np.float32(0)
        for loss in train_mnist.train_job(*draw(step)):
            total = total + loss
        lines.append(f"step {step:2}: loss {float(total / np.float32(BATCH)):.9g}")
    images, labels = draw(STEPS)
    right = int((train_mnist.predict_job(images).argmax(1) == labels).sum())
    return "\n".join([*lines, f"{right} of {BATCH} right", ""])


def test_it_prints_the_same_numbers_as_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The library chooses the best level, too. It asks the processor itself, so it contains no level
    # that Penstock was told the processor lacks.
    monkeypatch.delenv("PENSTOCK_TARGET", raising=False)
    levels = ",".join(host_levels()[:3])
    source = ROOT / "examples" / "mlp.c"
    jobs = f"{ROOT}/examples/train_mnist.py:train_job,predict_job"
    penstock = [sys.executable, "-m", "penstock.tools.cli"]
    command = [*penstock, "compile", jobs, "--emit", "so,header", "--target", levels, "-o", "mlp"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    warnings = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c11"]
    link = ["-I.", "-L.", "-lmlp", "-Wl,-rpath,$ORIGIN", "-o", "mlp"]
    subprocess.run(["cc", "-O2", *warnings, str(source), *link], cwd=tmp_path, check=True)
    environment = {"PATH": os.environ["PATH"]}  # no Python variables
    printed = {
        subprocess.run(
            ["./mlp"], cwd=tmp_path, env=environment | {"PENSTOCK_NUM_THREADS": threads},
            check=True, capture_output=True, text=True,
        ).stdout
        for threads in ("1", "4")
    }  # fmt: skip
    assert printed == {expected()}
