"""Ranks that MPI joins: what they exchange, agree on and share."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from penstock.runtime.mpi import siblings
from penstock.runtime.mpi.launched import deadline, launch
from penstock.tools.launch.processes import STOPPED, process, ranks_below

JOINED = """\
import os, sys
import penstock
from penstock.runtime.mpi.agreement import agree
from penstock.runtime.mpi.world import world

ranks = world()
said = ranks.exchange(b"x" * ranks.rank, "lengths")
assert said == [b"x" * rank for rank in range(ranks.ranks)], said
agree(ranks, "job train", {"version": "1", "program": "aa"})
cores = ranks.exchange(repr(sorted(os.sched_getaffinity(0))).encode(), "cores")
if ranks.rank == 0:
    print(ranks.ranks, sys.argv[1:], os.environ.get("PENSTOCK_NUM_THREADS"), *cores)
if "--differ" in sys.argv:
    agree(ranks, "job train", {"version": "1", "program": f"{ranks.rank}"})
"""


def test_a_script_runs_on_ranks_that_share_the_cores(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(JOINED, "--epochs", "3", ranks=2)
    assert result.returncode == 0, result
    assert result.stdout.startswith("2 ['--epochs', '3'] ")
    cores = re.findall(r"\[(\d[\d, ]*)\]", result.stdout)
    assert len(cores) == 2
    allowed = sorted(os.sched_getaffinity(0))
    shares = [set(map(int, text.split(", "))) for text in cores]
    assert set.union(*shares) == set(allowed)
    assert not set.intersection(*shares) or len(allowed) < 2


def test_ranks_that_differ_say_so_once(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(JOINED, "--differ", ranks=3, way="mpiexec")
    assert result.returncode != 0
    assert result.stderr.count("Traceback") == 1, result
    assert (
        "the ranks differ in job train: program is 0 on rank 0 and 1 on rank 1; start all ranks "
        "with the same program" in result.stderr
    )


VIRTUAL = """\
import sys
import numpy as np
import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return x + x

print(sys.argv[1:], job(np.ones(3, np.float32)), len(job.executable.ranks))
"""

SAVES_ALONE = """\
from penstock.runtime.mpi.world import world
ranks = world()
ranks.exchange(b"", "all ranks to save" if ranks.rank == 0 else "all ranks to gather variable 'w'")
"""


def test_ranks_at_different_places_say_so_once(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(SAVES_ALONE)
    assert result.returncode != 0
    assert result.stderr.count("Traceback") == 1
    assert (
        "rank 0 waits for all ranks to save, and rank 1 for all ranks to gather variable 'w'; "
        "every rank must run the same jobs in the same order" in result.stderr
    )


DIFFER = """\
import numpy as np
import penstock as flow
import penstock.typing as tp
from penstock.runtime.mpi.launched import RanksDiffer, launch

flow.config.cpu_device_num(2)
rank = launch().rank
ones = flow.ones_initializer()

def body(x, name="w"):
    return x + flow.get_variable(name, (4,), initializer=ones)

def made(body):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return body(x)
    return job

def tell(body, dtype=np.float32):
    try:
        made(body)(np.ones(4, dtype))
    except RanksDiffer as error:
        print(error, flush=True)
    flow.clear_default_session()
    flow.config.cpu_device_num(2)

tell(lambda x: x + x if rank == 0 else
        x * x)
tell(lambda x: body(x, "v" if rank else "w"))
tell(lambda x: body(x) + 1.0 if rank else body(x))
tell(lambda x: x * (2.0 + rank))
made(body)(np.ones(4, np.float32 if rank == 0 else np.float16))
"""


def test_what_differs_is_named_with_its_line(on_ranks: Callable[..., Any]) -> None:
    result = on_ranks(DIFFER)
    assert result.returncode != 0
    told = [
        "program.py:21: the ranks differ in job 'job': line 2 of the program is flow.add of "
        "program.py:27 on rank 0 and flow.multiply of program.py:28 on rank 1; start all ranks "
        "with the same program",
        "program.py:21: the ranks differ in job 'job': variable w is f32 of shape (4,) on rank 0 "
        "and missing on rank 1; start all ranks with the same program",
        "program.py:21: the ranks differ in job 'job': line 4 of the program is func.return of "
        "program.py:14 on rank 0 and flow.constant of program.py:30 {value = dense<1.0> : "
        "tensor<f32>} on rank 1; start all ranks with the same program",
        "program.py:21: the ranks differ in job 'job': line 2 of the program is flow.constant of "
        "program.py:31 {value = dense<2.0> : tensor<f32>} on rank 0 and flow.constant of "
        "program.py:31 {value = dense<3.0> : tensor<f32>} on rank 1; start all ranks with the same "
        "program",
    ]
    assert sorted(result.stdout.splitlines()) == sorted(2 * told)
    assert result.stderr.count("Traceback") == 1
    assert (
        "program.py:32: the ranks differ in job 'job': feed x is float32 of 1 dimensions on rank 0 "
        "and float16 of 1 dimensions on rank 1; start all ranks with the same program"
        in result.stderr
    )


def test_virtual_ranks_are_devices_of_one_process(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(VIRTUAL)
    command = ["run", "--ranks", "3", "--virtual", str(tmp_path / "program.py"), "--twice"]
    line = [sys.executable, "-m", "penstock.tools.cli", *command]
    run = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "['--twice'] [2. 2. 2.] 3\n"


def test_launchers_are_told_apart_by_their_variables() -> None:
    openmpi = {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"}
    slurm = {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_LOCALID": "0"}
    assert str(launch(openmpi)).startswith("Launch(launcher='mpiexec of Open MPI', rank=3, ranks=4")
    assert str(launch(slurm)).startswith("Launch(launcher='srun', rank=0, ranks=2")
    assert launch({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}) is None, "a batch script is no rank"


@pytest.mark.parametrize("text", ["0", "-1", "x", "nan", "1e99"])
def test_a_deadline_is_a_positive_number(text: str) -> None:
    with pytest.raises(ValueError, match="PENSTOCK_DEADLINE is .* expected a positive number"):
        deadline({"PENSTOCK_DEADLINE": text})


def state(number: int) -> str:
    found = process(number)
    return found.state if found else ""


def test_ranks_are_found_among_the_processes_below() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    variables = os.environ | {"PMI_RANK": "1", "PMI_SIZE": "2"}
    with subprocess.Popen([sys.executable, "-c", program], env=variables, stdin=-1) as rank:
        until(lambda: 1 in ranks_below(os.getpid()), "a rank appears")
        assert ranks_below(os.getpid())[1].number == rank.pid
        assert siblings.living() >= 1
        rank.send_signal(signal.SIGSTOP)
        until(lambda: state(rank.pid) == STOPPED, "it is stopped")
        rank.send_signal(signal.SIGCONT)
        rank.communicate()
    assert process(rank.pid) is None
