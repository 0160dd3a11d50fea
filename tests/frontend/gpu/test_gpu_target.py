"""Jobs for an architecture of GPUs: how it is chosen, and that one for sm_90a trains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.process import devices

Array = np.ndarray[Any, Any]
TARGET = "PENSTOCK_GPU_TARGET"


def network() -> Any:
    """A train job of a linear layer in bf16."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(
        x: tp.Numpy.Placeholder((40, 64), dtype=flow.bfloat16),
        y: tp.Numpy.Placeholder((40, 24), dtype=flow.bfloat16),
    ) -> tp.Numpy:
        start = flow.zeros_initializer()
        w = flow.get_variable("w", (64, 24), dtype=flow.bfloat16, initializer=start)
        errors = flow.matmul(x, w) - y
        loss = flow.math.reduce_sum(flow.cast(errors * errors, flow.float), axis=1)
        rates = flow.optimizer.PiecewiseConstantScheduler([], [0.002])
        flow.optimizer.SGD(rates, momentum=0).minimize(loss)
        return loss

    return train_job


def steps(job: Any) -> tuple[Array, Array]:
    """The losses of three steps, and the weights then."""
    import ml_dtypes

    draw = np.random.default_rng(0)
    x, y = (draw.standard_normal((40, n)).astype(ml_dtypes.bfloat16) for n in (64, 24))
    losses = np.array([np.asarray(job(x, y)).sum() for _ in range(3)])
    return losses, flow.get_all_variables()["w"].numpy().astype(np.float32)


def test_a_job_for_sm_90a_trains_as_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products and their gradients are computed by warpgroups."""
    losses, weights = steps(network())
    monkeypatch.setenv(devices.GPU, "sim")
    monkeypatch.setenv(TARGET, "sm_90a")
    job = network()
    flow.config.gpu_device_num(1)
    found, trained = steps(job)
    lowered = job.lower()
    assert lowered.as_text("scheduled").count("warpgroups") == 2
    assert lowered.ptx().count("wgmma.mma_async") == 2 * 4  # 16 of a depth of 64 at a time
    np.testing.assert_allclose(found, losses, rtol=1e-2)
    np.testing.assert_allclose(trained, weights, rtol=1e-2, atol=1e-2)
    assert losses[2] < losses[0]


def test_code_is_made_for_several_architectures() -> None:
    """Whatever the job is compiled for; each follows schedules that it can."""
    lowered = network().lower()
    assert "wgmma" not in lowered.ptx()
    assert ".target sm_90a" in lowered.ptx("sm_90a")
    assert "wgmma" in lowered.ptx("sm_90a")
    assert "wgmma" not in lowered.ptx("sm_100")


def test_a_scheduled_job_says_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGET, "sm_90a")
    monkeypatch.setenv(devices.GPU, "sim")
    job = network()
    flow.config.gpu_device_num(1)
    text = job.lower().as_text("scheduled")
    assert 'job.target = "sm_90a"' in text
    monkeypatch.delenv(TARGET)
    assert "wgmma" in flow.compile(text).stages.ptx()


def test_an_unknown_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGET, "sm_9")
    job = network()
    with pytest.raises(ValueError, match=f"{TARGET} is one of sm_80, .*, got 'sm_9'; unset it for"):
        job.lower().ptx()
