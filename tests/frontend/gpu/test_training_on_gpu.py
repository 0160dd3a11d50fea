"""Whole train jobs on the simulated GPU: the CPU's losses, weights and random numbers."""

import os
import re
from typing import Any

import numpy as np
import pytest
from test_whole_jobs import JOBS, SEQUENCES, STEPS

import penstock as flow
from penstock.ir.text.printer import print_module
from penstock.loaded.loading import LoadedJob
from penstock.process import devices

DEVICE = os.environ.get("PENSTOCK_TEST_DEVICE", "gpu-sim")
"""The simulated GPU; `make gpu` has it be the GPU."""
Array = np.ndarray[Any, Any]
TOLERANCE = 1e-5
"""Of losses of a few units in f32."""


def loaded(name: str, monkeypatch: pytest.MonkeyPatch, kind: str) -> LoadedJob:
    """A job by the text of its first stage, placed on a device by the session's configuration."""
    flow.clear_default_session()
    if kind != "cpu":
        monkeypatch.setenv(devices.GPU, "sim" if kind == "gpu-sim" else "")
        flow.config.gpu_device_num(1)
    return flow.compile(JOBS[name]().lower().as_text("placed"))


def feeds(name: str, random: np.random.Generator) -> list[Array]:
    """The feeds of one step."""
    if name == "gpt":
        words = random.integers(0, 12, SEQUENCES).astype(np.int32)
        return [words, random.integers(0, 12, words.size).astype(np.int32)]
    shape, classes = ((12, 16), 6) if name == "mlp" else ((6, 1, 12, 12), 5)
    images = random.standard_normal(shape).astype(np.float32)
    return [images, random.integers(0, classes, shape[0]).astype(np.int32)]


@pytest.mark.parametrize("name", ["mlp", "lenet", "gpt"])
def test_a_job_trains_as_on_the_cpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on_cpu = loaded(name, monkeypatch, "cpu")
    on_gpu = loaded(name, monkeypatch, DEVICE)
    assert on_gpu.stages.modules.device.startswith(DEVICE)
    assert not on_cpu.stages.modules.device
    if name == "gpt":
        text = print_module(on_gpu.stages.modules["gpu"])
        kernels = re.findall(r"gpu\.func @(attention[\w.]*)", text)
        assert kernels == ["attention_0.0", "attention_query_grad_0.0", "attention_key_grad_0.0"]
    on_gpu.load_variables(on_cpu.variables())
    random = np.random.default_rng(3)
    first: float | None = None
    for _ in range(STEPS):
        given = feeds(name, random)
        losses = [np.asarray(job(*given)) for job in (on_cpu, on_gpu)]
        np.testing.assert_allclose(losses[1], losses[0], TOLERANCE, TOLERANCE)
        first = float(losses[0].mean()) if first is None else first
        assert np.isfinite(losses[0]).all()
    before, after = on_cpu.variables(), on_gpu.variables()
    assert before.keys() == after.keys()
    for variable, value in before.items():
        np.testing.assert_allclose(after[variable], value, 1e-4, 1e-5, err_msg=variable)


def test_the_same_bits_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are added in an order that sizes alone decide."""
    jobs = [loaded("gpt", monkeypatch, DEVICE) for _ in range(2)]
    jobs[1].load_variables(jobs[0].variables())
    given = feeds("gpt", np.random.default_rng(4))
    for job in jobs:
        job(*given)
    one, other = (job.variables() for job in jobs)
    assert all((one[name] == other[name]).all() for name in one)
