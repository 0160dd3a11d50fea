"""Jobs that are partly on the CPU and partly on a GPU: what they compute, copy and refuse."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.functions.callouts import call_out
from penstock.ir.dialects.flow.base import tensor
from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu.simulated import SimulatedCode

DEVICE = os.environ.get("PENSTOCK_TEST_DEVICE", "gpu-sim")
"""The GPU's stand-in; `make gpu` has it be the GPU."""

random = np.random.default_rng(0)
X = random.standard_normal((4, 8)).astype(np.float32)
LABELS = np.arange(4, dtype=np.int32)
Handler = Callable[[Any], None]
Placer = Callable[[str], Any]


def on(kind: str) -> Any:
    return flow.scope.placement(kind, "0:0")


def network(kinds: str, handler: Handler | None = None, fails: Handler | None = None) -> Any:
    """A train job of four layers, each on a device: `c` is the CPU, `g` the GPU."""
    scopes = [on(DEVICE if kind == "g" else "cpu") for kind in kinds]

    @flow.global_function(type="train")
    def train_job(
        x: tp.Numpy.Placeholder((4, 8)), labels: tp.Numpy.Placeholder((4,), dtype=flow.int32)
    ) -> tuple[tp.Numpy, tp.Numpy]:
        start = flow.random_uniform_initializer(-0.5, 0.5)
        hidden = x
        for number, scope in enumerate(scopes[:-1]):
            with scope:
                width = hidden.shape[1] - 1
                weight = flow.get_variable(
                    f"w{number}", (hidden.shape[1], width), initializer=start
                )
                hidden = flow.math.tanh(flow.matmul(hidden, weight), name=f"hidden{number}")
                if handler is not None:
                    flow.watch(hidden, handler)
                    flow.watch_diff(hidden, handler)
                if number == 1 and fails is not None:
                    with on("cpu"):
                        call_out(fails, [hidden], [], "fails")
        with scopes[-1]:
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, hidden)
            rates = flow.optimizer.PiecewiseConstantScheduler([2], [0.1, 0.01])
            flow.optimizer.SGD(rates, momentum=0.9).minimize(loss)
        return loss, hidden

    return train_job


def values() -> dict[str, Any]:
    return {name: each.numpy() for name, each in flow.get_all_variables().items()}


def close(one: Any, other: Any) -> None:
    """Sums of a GPU are added in another order."""
    np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6, strict=True)


def trained(kinds: str) -> list[Any]:
    """What three steps of a network return, show and leave."""
    flow.clear_default_session()
    told: list[Any] = []
    job = network(kinds, lambda blob: told.append((len(told), np.array(blob))))
    found = []
    for _ in range(2):
        found += job(X, LABELS)
    shown = sorted((blob for _, blob in told), key=lambda blob: (blob.shape, blob.tobytes()))
    seen: list[tuple[str, Any]] = []
    stop = job.watch(["hidden*", "w1"], lambda name, blob: seen.append((name, blob)))
    found += job(X, LABELS)
    stop()
    found += job(X, LABELS)
    watched = [blob for _, blob in sorted(seen, key=lambda each: each[0])]
    return [*found, *shown, *watched, *(value for _, value in sorted(values().items()))]


@pytest.fixture(scope="module")
def alone() -> list[Any]:
    """What a network does on the CPU."""
    return trained("cccc")


@pytest.mark.parametrize("kinds", ["cggg", "gcgc"])
def test_a_job_on_both_trains_as_on_the_cpu(kinds: str, alone: list[Any]) -> None:
    """Losses, results of both devices, watched blobs and gradients, variables and momenta."""
    both = trained(kinds)
    assert len(alone) == len(both) > 30
    for one, other in zip(alone, both, strict=True):
        close(one, other)


def test_each_value_is_copied_once_and_no_feed_is() -> None:
    flow.clear_default_session()
    job = network("cgcg")
    text = job.lower().as_text("placed")
    copies = [line for line in text.splitlines() if "sbp.copy_hd" in line]
    # Three activations and their gradients, and the number of the step.
    assert len(copies) == 7
    assert not any('"sbp.copy_hd"(%x)' in line or "(%labels)" in line for line in copies)
    assert job.lower().as_text("fused").count("sbp.give") == 4
    # The loss is on the GPU.
    assert "reduce_max" not in job.lower().fuse_report()
    assert ".visible .entry" in job.compile().as_text("ptx")
    assert '"job.callout"' not in job.lower().as_text("scheduled")
    assert job.lower().as_text("gpu").count("gpu.launch_func") > 5


@pytest.mark.parametrize(("is_read", "copies"), [(True, 2), (False, 1)])
def test_a_number_of_a_variable_is_computed_on_both(is_read: bool, copies: int) -> None:
    """A square root of the GPU's scope, which the CPU reads, and the GPU perhaps."""
    flow.clear_default_session()

    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with on("cpu"):
            w = flow.get_variable("w", (1,), initializer=flow.constant_initializer(4.0))
        with on(DEVICE):
            root = flow.math.sqrt(w)
            y = flow.math.multiply(x, root) if is_read else flow.math.relu(x)
        with on("cpu"):
            return flow.math.add(y, flow.math.multiply(root, x))

    text = job.lower().as_text("placed")
    assert (text.count('"sbp.copy_hd"'), text.count('"flow.sqrt"')) == (copies, copies)
    close(job(X), (2 * X if is_read else np.maximum(X, 0)) + 2 * X)


def test_the_fusion_of_a_job_on_the_cpu_names_its_loss() -> None:
    flow.clear_default_session()
    assert "reduce_max" in network("cccc").lower().fuse_report()


def test_the_text_of_a_stage_runs() -> None:
    flow.clear_default_session()
    job = network("cgcg")
    job(X, LABELS)
    kept, expected = values(), job(X, LABELS)
    for stage in ("job", "placed"):
        again = flow.compile(job.lower().as_text(stage))
        again.load_variables(kept)
        losses, _ = again(X, LABELS)
        assert np.array_equal(losses, expected[0]), stage
    with pytest.raises(ValueError, match="this is the part of the CPU; give stage placed of the"):
        flow.compile(job.lower().as_text("fused"))
    with pytest.raises(ValueError, match="this is the part of .*; give stage placed of the whole"):
        flow.compile(job.lower().as_text("scheduled"))


def test_a_variable_is_where_it_was_made() -> None:
    """An embedding on the CPU, whose rows a GPU reads."""

    def job_on(kind: str) -> Any:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train_job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
            with on("cpu"):
                w = flow.get_variable("w", (8, 3), initializer=flow.ones_initializer())
            with on(kind):
                loss = flow.math.reduce_sum(flow.math.square(flow.matmul(x, w)), axis=1)
                rates = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
                flow.optimizer.SGD(rates, momentum=0).minimize(loss)
            return loss

        return train_job

    found = []
    for kind in ("cpu", DEVICE):
        job = job_on(kind)
        found.append([job(X), job(X), values()["w"]])
    assert '"cpu"' in job.lower().as_text("placed").split('job.variable = "w"')[1].split("\n")[0]
    for one, other in zip(*found, strict=True):
        close(one, other)


def test_functions_of_the_program_run_on_the_cpu() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with on(DEVICE):
            doubled = x + x
        with on("cpu"):
            (made,) = call_out(lambda array: array * 10, [doubled], [tensor(x.value)], "tenfold")
        with on(DEVICE):
            return made + x

    assert np.array_equal(job(X), 2 * X * 10 + X)


def test_a_step_that_fails_has_changed_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of the program raises, then each kernel in turn fails: both devices are as
    before."""
    flow.clear_default_session()
    fail = [False]

    def maybe(array: Any) -> None:
        if fail[0]:
            raise KeyError("mine")

    job = network("cgcg", fails=maybe)
    job(X, LABELS)
    before = values()
    fail[0] = True
    with pytest.raises(KeyError, match="mine"):
        job(X, LABELS)
    fail[0] = False
    assert all(np.array_equal(value, before[name]) for name, value in values().items())
    if DEVICE != "gpu-sim":
        return
    perform, left = SimulatedCode.perform, [0]

    def failing(code: SimulatedCode, operation: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise DeviceError("planted", "train.py:7")
        perform(code, operation)

    monkeypatch.setattr(SimulatedCode, "perform", failing)
    count = 0
    while True:
        count += 1
        left[0] = count
        said = ""
        try:
            job(X, LABELS)
        except RuntimeError as error:
            said = str(error)
        if not said:
            break
        assert "job 'train_job': planted (at train.py:7)" in said
        assert all(np.array_equal(value, before[name]) for name, value in values().items())
    assert count > 10
    assert not np.array_equal(values()["w0"], before["w0"])


def test_what_a_job_on_both_cannot_do() -> None:
    """Be on two GPUs, or beside a GPU on several ranks, or be profiled: one sentence."""

    def job_of(*scopes: Any) -> Any:
        flow.clear_default_session()

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
            for scope in scopes:
                with scope:
                    x = x + x
            return x

        return job

    gpu = flow.scope.placement("gpu", "0:0")
    said = r"^\S*:\d+: flow.add: is placed on .gpu-sim. 0:0, and flow.add \(\S*:\d+\) on .gpu. 0:0"
    with pytest.raises(ValueError, match=said):
        job_of(gpu, on("gpu-sim"), on("cpu"))(X)
    mixed = job_of(on("gpu-sim"), on("cpu"))
    with pytest.raises(ValueError, match="is on cpu 0:0 and gpu-sim 0:0 and cannot be profiled"):
        mixed.profile(X)


def test_a_handler_that_runs_its_own_job() -> None:
    flow.clear_default_session()
    made: list[Any] = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with on("cpu"):
            y = x + x
            flow.watch(y, lambda blob: made.append(job(X)))
        with on(DEVICE):
            return y + y

    with pytest.raises(RuntimeError, match="job 'job': it is run by a handler of its own, and has"):
        job(X)
