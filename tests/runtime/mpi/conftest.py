"""Starts programs as ranks: `on_ranks` runs a text, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.tools.launch.mpiexec import OVERSUBSCRIBE, mpiexec

WAYS = {
    "penstock run": ("-m", "penstock.tools.cli", "run", "--ranks"),
    "mpiexec": (),
    "mpiexec penstock run": ("-m", "penstock.tools.cli", "run"),
}
"""How a program is started on ranks -> the words after Python's name."""

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def on_ranks(tmp_path: Path) -> Start:
    """Runs a program on ranks, in one of the `WAYS`."""
    pytest.importorskip("mpi4py")

    def start(
        program: str, *words: str, ranks: int = 2, way: str = "penstock run", seconds: int = 60
    ) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "program.py"
        path.write_text(program)
        own = [str(path), *words]
        if way == "penstock run":
            command = [sys.executable, *WAYS[way], str(ranks), *own]
        else:
            command = [mpiexec(), "-n", str(ranks), sys.executable, *WAYS[way], *own]
        # Unbuffered, each word of a line is written alone, between those of other ranks.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        environment |= OVERSUBSCRIBE  # for machines with fewer cores than ranks
        return subprocess.run(
            command,
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=seconds,
            check=False,
        )  # fmt: skip

    return start
