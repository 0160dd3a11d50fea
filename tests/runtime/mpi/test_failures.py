"""A rank that fails ends the whole job, with its own error first.

PENSTOCK_RANK_FAILURES=20 tries each failure 20 times in each way, and prints how long the job goes
on after it. Name a failure with -k, as in `-k "kill and before"`, to try it alone.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from penstock.tools.launch import supervise

TIMES = int(os.environ.get("PENSTOCK_RANK_FAILURES", "1"))

PROGRAM = """\
import os, signal, sys, time
from penstock.runtime.mpi.launched import launch

def end(how):
    with open("failed", "w") as file:
        file.write(str(time.monotonic()))
    if how == "exception":
        raise ArithmeticError("of rank 1")
    if how == "exit":
        sys.exit(3)
    if how == "message":
        sys.exit("rank 1 has had enough")
    if how == "end":
        sys.exit()
    number = {"kill": signal.SIGKILL, "segfault": signal.SIGSEGV, "stop": signal.SIGSTOP}[how]
    os.kill(os.getpid(), number)

how, when = sys.argv[1:]
is_it = launch().rank == 1
if is_it and when == "before":
    end(how)
from penstock.runtime.mpi.world import world
ranks = world()
for number in range(5):
    if is_it and number == 3:
        end(how)
    ranks.exchange(b"x", f"exchange {number}")
"""

FIRST = {
    "exception": ("ArithmeticError: of rank 1", "rank 1 of 3 failed"),
    "exit": ("rank 1 of 3 ended its program with 3", "rank 1 has ended its program"),
    "message": ("rank 1 has had enough",),
    "end": ("rank 1 has ended its program",),
    "kill": ("rank 1 of 3 was ended by SIGKILL", "BAD TERMINATION"),
    "segfault": ("Segmentation fault",),
    "stop": ("rank 1 of 3, process", "longer than the deadline"),
}
"""Failure -> what the first lines say, in one of the ways at least."""
GONE = "a rank of this machine has ended"
"""What the others say of a rank that has said nothing before MPI started."""

WAYS = ("penstock run", "mpiexec", "mpiexec penstock run")
CASES = [
    *((how, "after", way) for how in FIRST for way in WAYS),
    *((how, "before", way) for how in ("exception", "exit", "kill") for way in WAYS),
]
SHORT = {
    ("exception", "after", "penstock run"),
    ("stop", "after", "penstock run"),
    ("kill", "after", "penstock run"),
    ("exit", "after", "mpiexec"),
    ("segfault", "after", "mpiexec penstock run"),
    ("exception", "before", "mpiexec"),
}
"""What is tried in every run."""


@pytest.mark.parametrize(
    ("how", "when", "way"), [case for case in CASES if TIMES > 1 or case in SHORT]
)
def test_a_failed_rank_ends_the_job(
    how: str,
    when: str,
    way: str,
    on_ranks: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if how == "stop" and way != "penstock run":
        monkeypatch.setenv("PENSTOCK_DEADLINE", "3")
    seconds = []
    for _ in range(TIMES):
        result = on_ranks(PROGRAM, how, when, ranks=3, way=way)
        # The clock is that of the machine.
        seconds.append(time.monotonic() - float((tmp_path / "failed").read_text()))
        assert result.returncode != 0, result
        first = "\n".join(result.stderr.strip().splitlines()[:12]) + result.stdout
        expected = (*FIRST[how], GONE) if when == "before" else FIRST[how]
        assert any(text in first for text in expected), result
        assert result.stderr.count("penstock: rank") <= 2, result
    if TIMES > 1:
        with capfd.disabled():
            median = sorted(seconds)[TIMES // 2]
            print(
                f"\n{how} {when} MPI by {way}: {TIMES} times, ends after {median:.2f} s, "
                f"at most {max(seconds):.2f} s",
                flush=True,
            )


PAUSES = """\
import signal
from penstock.runtime.mpi.world import world
ranks = world()
if ranks.rank == 1:
    signal.pause()
ranks.exchange(b"", "a rank that pauses")
"""


def test_a_rank_that_waits_too_long_ends_the_job(
    on_ranks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_DEADLINE", "1.5")
    result = on_ranks(PAUSES)
    assert result.returncode != 0
    assert "for a rank that pauses, which is longer than the deadline" in result.stderr
    assert "program.py:6, has waited" in result.stderr


LOOPS = """\
from pathlib import Path
from penstock.runtime.mpi.world import world
ranks = world()
while True:
    ranks.exchange(b"", "a loop")
    Path("loops").touch()
"""


def test_an_interrupt_ends_all_ranks(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    (tmp_path / "program.py").write_text(LOOPS)
    command = ["penstock.tools.cli", "run", "--ranks", "2", "program.py"]
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as run:
        until((tmp_path / "loops").exists, "the ranks have met")
        run.send_signal(signal.SIGINT)
        _, error = run.communicate(timeout=60)
    assert (run.returncode, error) == (130, "penstock: interrupted\n")


KILLED = """
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
os.kill(os.getpid(), 9)
"""
LAUNCHER = """
import os, subprocess, sys
variables = {**os.environ, "PMI_RANK": "1", "PMI_SIZE": "2"}
child = subprocess.Popen([sys.executable, "-S", "-c", *sys.argv[1:]], env=variables)
sys.exit(-child.wait())
"""


def test_a_kill_is_told_of_if_the_launcher_is_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The launcher waits for a rank, which then has no exit code that others could read."""
    known, looks = supervise.ranks_below, []

    def ranks_below(ancestor: int) -> Any:
        found = known(ancestor)
        looks.extend(found)
        if len(looks) > 1:  # the first look's rank is watched
            (tmp_path / "go").touch()
        return found

    monkeypatch.setattr(supervise, "ranks_below", ranks_below)
    monkeypatch.setattr(supervise, "process", lambda number: None)
    command = [sys.executable, "-S", "-c", LAUNCHER, KILLED, str(tmp_path / "go")]
    assert supervise.supervise(command, os.environ, 2) == 9
    said = "penstock: rank 1 of 2 was ended by SIGKILL, or ended with 9\n"
    assert capfd.readouterr().err == said
