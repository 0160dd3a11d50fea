"""One fused group as a GPU kernel: its text, and ptxas if it is installed."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs.ptx import emit_ptx
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.func import Func
from penstock.jobs.job import JobFunction


def chain() -> JobFunction:
    @flow.global_function()
    def chain_job(
        x: tp.Numpy.Placeholder((64, 100)), bias: tp.Numpy.Placeholder((100,))
    ) -> tp.Numpy:
        return flow.math.tanh(flow.nn.relu(x + bias) * 0.5) - flow.math.exp(x)

    return chain_job


def product() -> JobFunction:
    @flow.global_function()
    def product_job(x: tp.Numpy.Placeholder((8, 8))) -> tp.Numpy:
        return flow.matmul(x, x)

    return product_job


def group_of(job: JobFunction) -> Func:
    """The only group of a job at stage `fused`."""
    (group,) = (f for f in job.lower().modules["fused"].functions() if f.sym_visibility)
    return group


@pytest.fixture
def ptx() -> str:
    return emit_ptx(group_of(chain()))


def test_the_text_is_a_kernel(ptx: str) -> None:
    assert ".target sm_90" in ptx
    assert ptx.count(".visible .entry") == 1
    assert ptx.count(".param .u64") == 3, "x, bias and the result"
    assert ".maxntid 256" in ptx


def test_the_group_is_one_pass_over_memory(ptx: str) -> None:
    """Each operand is read once and the result written once, without intermediate buffers."""
    lines = [line.split()[0] for line in ptx.splitlines() if line.split()]
    assert sum(word.startswith("ld.global") for word in lines) == 2
    assert sum(word.startswith("st.global") for word in lines) == 1
    assert not any(word.startswith(("ld.local", "st.local", "call")) for word in lines)


def test_the_body_is_that_of_the_group(ptx: str) -> None:
    for word in ("add.rn.f32", "max", "mul", "fma.rn.f32", "setp", "%ctaid.x", "%tid.x"):
        assert word in ptx, word
    assert ", 6399;" in ptx, "the bounds check"


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_ptxas_assembles_it(tmp_path: Path, arch: str) -> None:
    ptxas = shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    source = tmp_path / "group.ptx"
    source.write_text(emit_ptx(group_of(chain()), arch))
    done = subprocess.run(
        [ptxas, f"--gpu-name={arch}", "-v", str(source), "-o", str(tmp_path / "group.cubin")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "0 bytes spill stores, 0 bytes spill loads" in done.stderr


def test_a_group_that_is_not_elementwise_is_refused() -> None:
    with pytest.raises(IRError, match=r"test_ptx\.py:\d+: error: .* has no PTX: one thread"):
        emit_ptx(group_of(product()))


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no architecture 'sm_1' to compile for"):
        emit_ptx(group_of(chain()), "sm_1")


def test_the_same_bodies_run_on_the_processor() -> None:
    """The CPU job runs the same group as the kernel, with the expected results."""
    import numpy as np

    x, bias = np.full((64, 100), 0.25, np.float32), np.full(100, 0.5, np.float32)
    expected = math.tanh(0.375) - math.exp(0.25)
    assert np.allclose(chain()(x, bias), expected, rtol=1e-6)
