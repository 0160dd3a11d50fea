"""Jobs on a GPU, usually the simulated one: what they compute, and share with the CPU."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from levels import fuses

import penstock as flow
import penstock.typing as tp
from penstock.functions.callouts import call_out
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import GPU_STAGES
from penstock.runtime.gpu import devices

DEVICE = os.environ.get("PENSTOCK_TEST_DEVICE", "gpu-sim")
"""The device of jobs that are compared with the CPU; `make gpu` has it be the GPU."""

X = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)


def weight() -> flow.Blob:
    initializer = flow.random_uniform_initializer(-0.5, 0.5)
    return flow.get_variable("w", (8, 3), initializer=initializer)


def train_on(kind: str, handler: Callable[[Any], None] | None = None) -> Any:
    """A train job on a device: dropout, a schedule of two rates, momentum, a watched blob."""

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement(kind, "0:0"):
            y = flow.nn.dropout(flow.matmul(x, weight()), rate=0.5)
            if handler is not None:
                flow.watch(y, handler)
            loss = flow.math.reduce_sum(flow.math.square(y), axis=1)
            rates = flow.optimizer.PiecewiseConstantScheduler([2], [0.1, 0.01])
            flow.optimizer.SGD(rates, momentum=0.9).minimize(loss)
        return loss

    return train_job


def values() -> dict[str, Any]:
    """All variables."""
    return {name: each.numpy() for name, each in flow.get_all_variables().items()}


def evaluated() -> Any:
    """A job on the CPU that reads the weight, and one that changes it."""

    @flow.global_function()
    def evaluate(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return flow.matmul(x, weight())

    return evaluate


def test_a_training_on_the_gpu_is_that_on_the_cpu() -> None:
    """Steps, a job on the CPU between them, watches, variables from and to the host."""
    found: dict[str, list[Any]] = {}
    for kind in ("cpu", DEVICE):
        flow.clear_default_session()
        told = found[kind] = []

        def handler(blob: tp.Numpy, told: list[Any] = told) -> None:
            told.append(np.array(blob))

        train, evaluate = train_on(kind, handler), evaluated()
        told += [evaluate(X), train(X), evaluate(X), train(X), train(X)]
        seen: list[tuple[str, Any]] = []
        stop = train.watch("*", lambda name, blob, seen=seen: seen.append((name, blob)))
        told.append(train(X))
        stop()
        told += [blob for name, blob in sorted(seen, key=lambda each: each[0])]
        told.append(values()["w"])
        flow.load_variables({"w": np.ones((8, 3), np.float32)})
        told += [train(X), *values().values()]
    cpu, gpu = found["cpu"], found[DEVICE]
    assert len(cpu) == len(gpu) > 30
    # GPUs have fused multiply-add; code for processors without it rounds products, too.
    bound = 0.0 if fuses() else 1e-5
    for one, other in zip(cpu, gpu, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=bound, atol=bound, strict=True)


def test_the_precision_of_products() -> None:
    """Of one job, else of all; the default is that of float32."""
    x = np.random.default_rng(1).standard_normal((4, 32)).astype(np.float32)
    exact = x.astype(np.float64) @ x.astype(np.float64).T

    def off(precision: str | None) -> float:
        flow.clear_default_session()
        config = flow.function_config()
        if precision is not None:
            config.float32_matmul_precision(precision)

        @flow.global_function(function_config=config)
        def product(x: tp.Numpy.Placeholder((4, 32))) -> tp.Numpy:
            with flow.scope.placement(DEVICE, "0:0"):
                return flow.matmul(x, x, transpose_b=True)

        return float(np.abs(product(x) - exact).max())

    assert off(None) < 2e-5 < off("tf32") < 0.1
    assert off("3xtf32") < 2e-5
    flow.clear_default_session()
    flow.config.enable_tensor_float_32_compute()

    @flow.global_function()
    def every(x: tp.Numpy.Placeholder((4, 32))) -> tp.Numpy:
        with flow.scope.placement(DEVICE, "0:0"):
            return flow.matmul(x, x, transpose_b=True)

    assert 'mma = "tf32"' in every.lower().as_text("scheduled")
    assert '"tf32"' in every.lower().as_text("job")


def test_a_job_on_the_cpu_and_one_on_the_gpu_train_the_same_variable() -> None:
    def step_on(kind: str, name: str) -> Any:
        def body(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
            with flow.scope.placement(kind, "0:0"):
                w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
                loss = w * x
                rates = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
                flow.optimizer.SGD(rates, momentum=0).minimize(loss)
            return loss

        body.__name__ = name
        return flow.global_function(type="train")(body)

    jobs = [step_on(kind, f"train_{kind[:3]}") for kind in ("cpu", DEVICE)]
    x = np.array([0.5, 1], np.float32)
    losses = [jobs[number](x) for number in (0, 0, 1, 1, 0, 1, 0, 0)]
    expected = [(1 - x / 2 * step) * x for step in range(8)]
    assert np.array_equal(losses, expected)
    assert np.array_equal(values()["w"], 1 - x * 4)


def test_a_checkpoint_has_what_is_on_the_gpu(tmp_path: Any) -> None:
    job = train_on(DEVICE)
    job(X)
    before = values()["w"]
    flow.checkpoint.save(str(tmp_path / "saved"))
    job(X)
    assert not np.array_equal(values()["w"], before)
    flow.load_variables(flow.checkpoint.get(str(tmp_path / "saved")))
    assert np.array_equal(values()["w"], before)


def test_what_a_handler_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the step, with a note; PENSTOCK_GPU=sim has "gpu" be the simulated device."""
    monkeypatch.setenv("PENSTOCK_GPU", "sim")

    def handler(blob: tp.Numpy) -> None:
        raise KeyError("mine")

    job = train_on("gpu", handler)
    with pytest.raises(KeyError, match="mine") as caught:
        job(X)
    assert "raised by a handler of 'dropout'" in caught.value.__notes__[0]
    assert values()["System-Train-TrainStep-train_job"] == 1


def test_the_stages_of_a_job_on_the_gpu() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement("gpu", "0:0"):
            return flow.math.relu(x)

    lowered = job.lower()
    assert lowered.texts() == list(GPU_STAGES[:-1])
    assert "flow.schedule" in lowered.as_text("scheduled")
    assert lowered.memory().arena == 0
    for stage in lowered.texts():
        module = parse_module(lowered.as_text(stage))
        assert print_module(module) == lowered.as_text(stage)
    assert ".target sm_80" in lowered.ptx()
    with pytest.raises(ValueError, match="has the stages job, .*, ptx on its device, and no stage"):
        lowered.as_text("loops")


def test_the_text_of_a_stage_runs() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement(DEVICE, "0:0"):
            return flow.math.relu(x)

    for stage in ("job", "fused", "scheduled", "gpu"):
        text = job.lower().as_text(stage)
        assert np.array_equal(flow.compile(text)(X), np.maximum(X, 0)), stage


def test_all_jobs_are_on_the_gpu_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_GPU", "sim")
    flow.config.gpu_device_num(1)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return x + x

    assert np.array_equal(job(X), X + X)
    assert job.compile().modules.device == "gpu-sim 0:0"


def test_jobs_on_the_cpu_load_nothing_of_gpus() -> None:
    code = """
import sys
import numpy as np
import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    return x + x

job(np.ones(2, np.float32))
print([name for name in sys.modules if "runtime.gpu" in name or name.startswith("cuda")])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_a_gpu_that_is_not_there() -> None:
    if not devices.why_not("gpu", 0):
        pytest.skip("there is a GPU")
    job = train_on("gpu")
    said = r"test_gpu_jobs.py:\d+: job 'train_job' is placed on gpu 0:0, but .*; use flow.scope"
    with pytest.raises(ValueError, match=said):
        job(X)


def test_what_a_job_on_a_gpu_cannot_do() -> None:
    """Call Python in the middle of a step, be profiled: one sentence each."""

    @flow.global_function()
    def calling(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement("gpu-sim", "0:0"):
            (made,) = call_out(np.sin, [x], [tensor(x.value)], "sine")
        return made

    with pytest.raises(ValueError, match="job 'calling' calls functions outside of its"):
        calling(X)

    flow.clear_default_session()

    @flow.global_function()
    def plain(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement("gpu-sim", "0:0"):
            return x + x

    with pytest.raises(ValueError, match="job 'plain' is on gpu-sim 0:0 and cannot be profiled"):
        plain.profile(X)
