"""The MLP train job against a plain float64 NumPy program, and its determinism.

A float32 sum of 784 products of values of order 1 has a relative error of about 1e-6. Three steps
at rate 0.1 do not amplify it, so a tolerance of 1e-5 is ample.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.jobs.job import JobFunction

Array = np.ndarray[Any, Any]
STEPS = 3


def train_job() -> JobFunction:
    @flow.global_function(type="train")
    def train(
        images: tp.Numpy.Placeholder((100, 1, 28, 28), dtype=flow.float),
        labels: tp.Numpy.Placeholder((100,), dtype=flow.int32),
    ) -> tp.Numpy:
        initializer = flow.truncated_normal(0.1)
        flat = flow.reshape(images, [images.shape[0], -1])
        hidden = flow.layers.dense(
            flat, 512, activation=flow.nn.relu, kernel_initializer=initializer, name="hidden"
        )
        logits = flow.layers.dense(hidden, 10, kernel_initializer=initializer, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return train


def batches() -> list[tuple[Array, Array]]:
    random = np.random.default_rng(3)
    return [
        (random.random((100, 1, 28, 28), np.float32), random.integers(0, 10, 100, np.int32))
        for _ in range(STEPS)
    ]


def weights() -> dict[str, Array]:
    random = np.random.default_rng(42)
    return {
        "hidden-weight": random.standard_normal((512, 784), np.float32) * np.float32(0.05),
        "hidden-bias": random.standard_normal(512, np.float32) * np.float32(0.01),
        "output-weight": random.standard_normal((10, 512), np.float32) * np.float32(0.06),
        "output-bias": np.zeros(10, np.float32),
    }


def numpy_losses(values: dict[str, Array]) -> list[Array]:
    """The same steps in float64, written from the formulas."""
    w1, b1, w2, b2 = (values[name].astype(np.float64) for name in weights())
    losses = []
    for images, labels in batches():
        x = images.reshape(100, -1).astype(np.float64)
        before = x @ w1.T + b1
        h = np.maximum(before, 0)
        logits = h @ w2.T + b2
        e = np.exp(logits - logits.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        losses.append(-np.log(p[np.arange(100), labels]))
        dlogits = (p - np.eye(10)[labels]) / 100
        dh = (dlogits @ w2) * (before > 0)
        w2, b2 = w2 - 0.1 * dlogits.T @ h, b2 - 0.1 * dlogits.sum(axis=0)
        w1, b1 = w1 - 0.1 * dh.T @ x, b1 - 0.1 * dh.sum(axis=0)
    return losses


def our_losses() -> tuple[list[Array], dict[str, Array]]:
    job = train_job()
    flow.load_variables(weights())
    losses = [job(*batch) for batch in batches()]
    return losses, {name: v.numpy() for name, v in flow.get_all_variables().items()}


@pytest.mark.numbers
def test_three_steps_equal_numpy_in_float64() -> None:
    ours, _ = our_losses()
    worst = max(
        float(np.max(np.abs(a - b) / np.abs(b)))
        for a, b in zip(ours, numpy_losses(weights()), strict=True)
    )
    print(f"\nlargest relative difference of a loss in {STEPS} steps: {worst:.2e}")
    assert worst <= 1e-5


@pytest.mark.numbers
def test_runs_are_deterministic() -> None:
    first, variables = our_losses()
    flow.clear_default_session()
    again, others = our_losses()
    assert [a.tobytes() for a in first] == [a.tobytes() for a in again]
    assert {n: a.tobytes() for n, a in variables.items()} == {
        n: a.tobytes() for n, a in others.items()
    }


ELSEWHERE = """
import sys
import numpy as np
import penstock as flow

job = flow.compile(sys.argv[1])
given = np.load(sys.argv[2])
job.load_variables({name[2:]: given[name] for name in given.files if name.startswith("v:")})
losses = [job(given[f"images{i}"], given[f"labels{i}"]) for i in range(int(sys.argv[3]))]
np.savez(sys.argv[4], losses=np.array(losses), step=job.variables()["System-Train-TrainStep-train"])
assert not any(name.startswith("train") for name in sys.modules), "only the text was loaded"
"""


@pytest.mark.numbers
def test_another_process_resumes_from_the_text_of_loops(tmp_path: Path) -> None:
    """Two steps here and one there give the same bits as three steps here."""
    job = train_job()
    text = tmp_path / "train.loops"
    text.write_text(job.lower().as_text("loops"))
    flow.load_variables(weights())
    steps = batches()
    for batch in steps[:2]:
        job(*batch)
    values = {f"v:{name}": v.numpy() for name, v in flow.get_all_variables().items()}
    np.savez(tmp_path / "in.npz", images0=steps[2][0], labels0=steps[2][1], **values)
    arguments = [str(text), str(tmp_path / "in.npz"), "1", str(tmp_path / "out.npz")]
    subprocess.run([sys.executable, "-c", ELSEWHERE, *arguments], check=True, timeout=120)
    there = np.load(tmp_path / "out.npz")
    assert there["losses"][0].tobytes() == job(*steps[2]).tobytes()
    assert there["step"] == 3


def test_stages_do_not_depend_on_hashing(tmp_path: Path) -> None:
    """A process with another hash seed prints the same text of every stage."""
    script = tmp_path / "stages.py"
    body = (
        "import runpy, sys\n"
        f"found = runpy.run_path({str(Path(__file__))!r})\n"
        "lowered = found['train_job']().lower()\n"
        "print(''.join(lowered.as_text(s) for s in ('job', 'grad', 'placed', 'fused', 'loops')))\n"
    )
    script.write_text(body)
    printed = [
        subprocess.run(
            [sys.executable, str(script)],
            env={"PYTHONHASHSEED": value, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for value in ("0", "7", "12345")
    ]
    assert printed[0] == printed[1] == printed[2]
    assert "func.func @train" in printed[0]
