"""A job in a subinterpreter runs or raises; it never crashes the process."""

import subprocess
import sys

import pytest

pytest.importorskip("_xxsubinterpreters")

_JOB = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import penstock as flow
import penstock.typing as tp

flow.clear_default_session()

@flow.global_function()
def job(x: tp.Numpy.Placeholder((300, 300))) -> tp.Numpy:
    return flow.matmul(x, x)

for _ in range(3):
    assert job(np.ones((300, 300), np.float32)).min() == 300
print("it ran", flush=True)
"""
_PROGRAM = """
import _xxsubinterpreters
import sys
if {before}:
    exec({job!r})
inner = _xxsubinterpreters.create(isolated={isolated})
try:
    _xxsubinterpreters.run_string(inner, f"import sys; sys.path[:] = {{sys.path!r}}\\n" + {job!r})
except _xxsubinterpreters.RunFailedError as error:
    print(error)
_xxsubinterpreters.destroy(inner)
if {before}:
    exec({job!r})
"""


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("before", [False, True])
def test_a_job_in_a_subinterpreter(isolated: bool, before: bool) -> None:
    program = _PROGRAM.format(isolated=isolated, before=before, job=_JOB)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1 + 2 * before, done.stdout
    assert done.stdout.count("it ran") >= 2 * before
