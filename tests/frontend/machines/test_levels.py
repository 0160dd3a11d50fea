"""The same jobs for every processor level and for every number of threads."""

from collections.abc import Callable

import numpy as np
import pytest
from example_jobs import BATCH, JOBS, PIXELS

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs.program import compile_module
from penstock.jobs.job import JobFunction
from penstock.lowering.modules import TARGET
from penstock.passes.costs.target import TARGETS
from penstock.runtime import threads
from penstock.runtime.native import processor

pytestmark = pytest.mark.usefixtures("threads_as_before")

THREADS = (1, 2, 3, 4)


def runs_here(level: str) -> bool:
    return processor.supports(level)


@pytest.mark.sampled
@pytest.mark.parametrize("level", [name for name in TARGETS if not TARGETS[name].dots])
@pytest.mark.parametrize("job", JOBS)
def test_every_level_is_compiled_everywhere(
    job: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TARGET, level)
    program = compile_module(JOBS[job]().lower().modules["loops"])
    assert program.cpu == level
    assert all(code.startswith(b"\x7fELF") for code in program.objects)


def trained(steps: int = 3) -> list[np.ndarray]:
    """Losses, logits and variables of some steps of the job with momentum and watches."""
    flow.clear_default_session()
    job = JOBS["watched_mlp"]()
    draw = np.random.default_rng(5)
    found = []
    for _ in range(steps):
        x = draw.standard_normal((BATCH, PIXELS), np.float32)
        found += job(x, draw.integers(0, 10, BATCH, np.int32))
    variables = flow.get_all_variables()
    return [*found, *(variables[name].numpy() for name in sorted(variables))]


@pytest.mark.numbers
@pytest.mark.parametrize("level", TARGETS)
def test_all_levels_compute_the_same(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except for rounding: tiles differ, and so does the order of some sums."""
    if not runs_here(level):
        pytest.skip(f"this machine has no {level}")
    expected = trained()
    monkeypatch.setenv(TARGET, level)
    for got, wanted in zip(trained(), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-6)


@pytest.mark.numbers
def test_a_train_step_is_the_same_bits_for_any_number_of_threads() -> None:
    found = {}
    for number in THREADS:
        threads.set_num_threads(number)
        found[number] = [array.tobytes() for array in trained()]
    assert all(found[number] == found[1] for number in THREADS)


def product(m: int, n: int, k: int, dtype: object) -> JobFunction:
    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder((m, k), dtype=dtype), b: tp.Numpy.Placeholder((n, k), dtype=dtype)
    ) -> tp.Numpy:
        return flow.math.tanh(flow.matmul(a, b, transpose_b=True))

    return job


def weights(m: int, n: int, k: int, dtype: object) -> JobFunction:
    """Like the gradient of a layer by its weights: a sum over all rows."""

    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder((k, m), dtype=dtype), b: tp.Numpy.Placeholder((k, n), dtype=dtype)
    ) -> tp.Numpy:
        return flow.matmul(a, b, transpose_a=True)

    return job


def sums(m: int, n: int, dtype: object) -> JobFunction:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((m, n), dtype=dtype)) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        return (
            flow.math.reduce_sum(x, axis=0),
            flow.math.reduce_mean(x, axis=1),
            flow.math.reduce_sum(flow.math.exp(x)),
        )

    return job


def softmax(m: int, n: int, dtype: object) -> JobFunction:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((m, n), dtype=dtype)) -> tp.Numpy:
        return flow.nn.softmax(x)

    return job


@pytest.mark.sampled
@pytest.mark.numbers
@pytest.mark.parametrize("dtype", [flow.float32, flow.float64], ids=["f32", "f64"])
@pytest.mark.parametrize(
    ("make", "sizes"),
    [
        (product, (333, 257, 129)),
        (product, (1, 1000, 512)),
        (product, (64, 64, 3001)),
        (product, (1, 1, 300_001)),
        (weights, (23, 37, 8501)),
        (sums, (1000, 777)),
        (sums, (7, 300_001)),
        (softmax, (2049, 513)),
    ],
)
def test_results_are_the_same_bits_for_any_number_of_threads(
    make: Callable[..., JobFunction], sizes: tuple[int, ...], dtype: object
) -> None:
    job = make(*sizes, dtype)
    assert "scf.forall" in job.lower().as_text("loops"), "there is nothing to share out"
    kind = np.float32 if dtype is flow.float32 else np.float64
    draw = np.random.default_rng(1)
    shapes = [sizes] if len(sizes) == 2 else [(sizes[0], sizes[2]), (sizes[1], sizes[2])]
    if make is weights:
        shapes = [shape[::-1] for shape in shapes]
    feeds = [draw.standard_normal(shape).astype(kind) for shape in shapes]
    found = set()
    for number in THREADS:
        threads.set_num_threads(number)
        for _ in range(3):
            results = job(*feeds)
            arrays = results if isinstance(results, tuple) else (results,)
            found.add(tuple(array.tobytes() for array in arrays))
    assert len(found) == 1


@pytest.mark.numbers
def test_a_long_sum_is_as_exact_as_its_blocks() -> None:
    """Equal terms round the same way each time: a single accumulator would be off by more than 200
    ulps, blocks of 256 and their sums by at most their number of terms.
    """
    k = 20_011
    a, b = np.full((k, 5), 0.1, np.float32), np.ones((k, 7), np.float32)
    got = weights(5, 7, k, flow.float32)(a, b)
    assert abs(np.cumsum(a[:, 0])[-1] / (k * float(a[0, 0])) - 1) > 200 * 2**-24
    wanted = a.astype(np.float64).T @ b
    np.testing.assert_allclose(got, wanted, rtol=100 * 2**-24)
