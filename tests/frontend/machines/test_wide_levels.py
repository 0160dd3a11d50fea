"""Tiles for registers and instructions that this machine may lack, run on this machine.

Code lowered for AVX-512 is compiled for this machine's level: vectors are wider than its registers,
and dot products of bf16 pairs without an instruction are expanded.
"""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from loading import text_run_here

import penstock as flow
import penstock.typing as tp
from penstock.artifacts.ahead import levels_for
from penstock.lowering.modules import TARGET
from penstock.runtime import threads
from penstock.runtime.artifacts.manifest import LEVELS
from penstock.runtime.native import processor

pytestmark = pytest.mark.usefixtures("threads_as_before")

Array = np.ndarray[Any, Any]
PAIRED = "x86-64-v4-bf16"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def product(m: int, n: int, k: int, left: bool, right: bool) -> Any:
    """relu(a @ b + bias); the factors may be transposed."""

    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder((k, m) if left else (m, k), flow.bfloat16),
        b: tp.Numpy.Placeholder((n, k) if right else (k, n), flow.bfloat16),
        bias: tp.Numpy.Placeholder((n,), flow.bfloat16),
    ) -> tp.Numpy:
        return flow.nn.relu(flow.matmul(a, b, transpose_a=left, transpose_b=right) + bias)

    return job


def skip_unless_run_here(level: str) -> None:
    if not processor.supports(level):
        pytest.skip(f"this machine does not run {level}")


def drawn(*shapes: tuple[int, ...]) -> list[Array]:
    draw = np.random.default_rng(7)
    return [draw.standard_normal(shape).astype(BFLOAT16) for shape in shapes]


def added_in_pairs(a: Array, b: Array) -> Array:
    """a @ b in float32; of each pair of positions, the second is added first."""
    a, b = a.astype(np.float32), b.astype(np.float32)
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in sorted(range(a.shape[1]), key=lambda k: (k // 2, -k)):
        total = total + a[:, k, None] * b[k]
    return total


@pytest.mark.parametrize(
    ("m", "n", "k", "left", "right", "level"),
    [
        # An odd length with remainders of rows and lanes; a split sum; unpacked rows, and tasks.
        (30, 50, 37, False, False, "x86-64-v4"),
        (9, 18, 33, True, True, "x86-64-v4"),
        (7, 34, 6001, True, False, "x86-64-v3"),
        (168, 128, 302, False, False, "x86-64-v3"),
        (30, 50, 37, False, False, PAIRED),
        (7, 34, 6001, True, False, PAIRED),
        (168, 128, 302, False, True, PAIRED),
    ],
)
def test_products_of_pairs(
    m: int, n: int, k: int, left: bool, right: bool, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_unless_run_here(level)
    monkeypatch.setenv(TARGET, PAIRED)
    module = product(m, n, k, left, right).lower().modules["loops"]
    kinds = {op.name for op in module.walk()}
    assert "vector.contract" in kinds
    assert ("scf.forall" in kinds) == (m == 168)
    a, b, bias = drawn((m, k), (k, n), (n,))
    feeds = [np.ascontiguousarray(a.T if left else a), np.ascontiguousarray(b.T if right else b)]
    run, found = text_run_here(level, module), []
    for number in (1, 3, 4):
        threads.set_num_threads(number)
        found += run(*feeds, bias)
    total = added_in_pairs(a, b)
    wanted = total.astype(BFLOAT16).astype(np.float32) + bias.astype(np.float32)
    for y in found:
        np.testing.assert_array_equal(y, np.maximum(wanted.astype(BFLOAT16), 0))
    # Each of k additions is off by half an ulp of a sum no larger than the sum of magnitudes.
    a, b = a.astype(np.float64), b.astype(np.float64)
    assert np.all(np.abs(total - a @ b) <= k * 2.0**-24 * (np.abs(a) @ np.abs(b)))


def test_all_products_of_a_train_step_are_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operand of a matmul, or a view of it, is stored in bf16."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 8, 24), flow.bfloat16)) -> tp.Numpy:
        initial = flow.random_normal_initializer()
        w = flow.get_variable("w", (24, 32), flow.bfloat16, initial)
        v = flow.get_variable("v", (32, 8), flow.bfloat16, initial)
        y = flow.matmul(flow.nn.relu(flow.matmul(x, w)), v)
        loss = flow.math.reduce_mean(y * y)
        flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
        return loss

    monkeypatch.setenv(TARGET, PAIRED)
    lowered = job.lower()
    products = [op for op in lowered.modules["fused"].walk() if op.name == "math.fma"]
    assert len(products) == 5
    kinds = [op.name for op in lowered.modules["loops"].walk()]
    assert kinds.count("vector.contract") >= len(products)
    assert "vector.outerproduct" not in kinds


@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_tiles_for_avx512(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matmul, rows and a chain, with remainders everywhere, against NumPy in float64."""
    skip_unless_run_here(level)

    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder((27, 45)), b: tp.Numpy.Placeholder((45, 83))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        y = flow.matmul(a, b)
        return (
            flow.math.tanh(y),
            flow.nn.softmax(y),
            flow.math.reduce_sum(b, axis=0),
            flow.math.exp(a) * 0.5 + flow.math.sqrt(flow.math.abs(a)),
        )

    monkeypatch.setenv(TARGET, "x86-64-v4")
    module = job.lower().modules["loops"]
    assert "vector<14x32xf32>" in job.lower().as_text("loops")
    draw = np.random.default_rng(1)
    a, b = draw.standard_normal((27, 45), np.float32), draw.standard_normal((45, 83), np.float32)
    found = text_run_here(level, module)(a, b)
    a, b = a.astype(np.float64), b.astype(np.float64)
    y = a @ b
    power = np.exp(y - y.max(1, keepdims=True))
    wanted = (
        np.tanh(y),
        power / power.sum(1, keepdims=True),
        b.sum(0),
        np.exp(a) * 0.5 + np.sqrt(np.abs(a)),
    )
    # A sum of 45 products, below 64, is off by at most 45 half ulps, usually far less: here 1e-5,
    # which exp propagates. Everything else is rounded a few times.
    for got, exact in zip(found, wanted, strict=True):
        np.testing.assert_allclose(got, exact, rtol=1e-5, atol=1e-5)


def test_files_have_code_for_pairs_where_a_job_multiplies_any() -> None:
    """With only a few rows the code would be that of the level below."""
    highest = PAIRED
    for m, has in ((2, False), (8, True)):
        flow.clear_default_session()
        jobs = [product(m, 8, 6, False, False)]
        expected = tuple(level for level in LEVELS if has or level != highest)
        assert levels_for(jobs) == expected
        assert levels_for(jobs, [highest]) == (highest,)
