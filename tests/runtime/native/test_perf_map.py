"""With PENSTOCK_PERF_MAP, perf learns the names of kernels, at addresses where their code is."""

import os
import subprocess
import sys

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

PROGRAM = """
import os
from pathlib import Path
import numpy as np
import penstock as flow
import penstock.typing as tp
from penstock.runtime.native.perf_map import map_path

@flow.global_function()
def job(x: tp.Numpy.Placeholder((64, 64))) -> tp.Numpy:
    return flow.nn.relu(flow.matmul(x, x))

result = job(np.linspace(-1, 1, 64 * 64, dtype=np.float32).reshape(64, 64))
print(result.tobytes().hex())
path = Path(map_path())
print(path.name == f"perf-{os.getpid()}.map", path.exists())
if path.exists():
    lines = [line.split(" ", 2) for line in path.read_text().splitlines()]
    path.unlink()
    code = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        extent, rights, _, device, inode, *name = line.split()
        first, end = (int(word, 16) for word in extent.split("-"))
        assert "w" not in rights or "x" not in rights, line
        if rights == "r-xp" and inode == "0" and not name:
            code.append((first, end))
    for start, size, name in lines:
        at = int(start, 16)
        assert any(a <= at and at + int(size, 16) <= b for a, b in code), name
    names = [name for _, _, name in lines]
    assert "matmul_relu_0" in names and "job" in names and "penstock_parallel_for" in names, names
    assert "matmul_relu_0.job.body" not in names
"""


def printed(setting: str) -> list[str]:
    environment = {**os.environ, "PENSTOCK_PERF_MAP": setting}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.split("\n")


def test_names_are_where_the_code_is_and_results_the_same_bits() -> None:
    usual, mapped = printed("off"), printed("on")
    assert (usual[1], mapped[1]) == ("True False", "True True")
    assert usual[0] == mapped[0]


def test_another_setting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return x + x

    monkeypatch.setenv("PENSTOCK_PERF_MAP", "1")
    with pytest.raises(ValueError, match="PENSTOCK_PERF_MAP must be on or off, got '1'"):
        job(np.ones(2, np.float32))
