"""MLIR's own lowering of our stages, run by mlir-runner, gives our results.

`loops` determines every rounding, including vectorised sums, so results without transcendental
functions are bit-identical. Functions such as `exp` are our own in our code and the C library's in
MLIR's, each within a few ulps.

`fused` leaves the order of a sum open: MLIR adds sequentially, `loops` adds by lanes and blocks.
Contractions are added in order at every stage. So jobs with only contractions are bit-identical;
other sums are close: n numbers added in two orders differ by less than n roundings, each half an
ulp of the largest partial sum, and here by far less, since roundings cancel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from example_jobs import BATCH, CLASSES, JOBS, PICTURES, PIXELS, ROWS
from interop_tools import require
from levels import fuses
from mlir_runner import run_buffers, run_tensors

import penstock as flow
from penstock.ir.dialects.builtin import Module
from penstock.stages.job_stages import Compiled

Array = np.ndarray[Any, Any]

STEPS = ("relu_value", "dense", "xent", "norm", "mlp", "convolutions")
EXACT = ("relu_value", "dense")
"""Jobs without transcendental functions and without sums other than contractions."""
LOOSE = {"loops": 8, "fused": 32}
"""Tolerance of the other jobs, in ulps of an array's largest number: the gradient of a softmax is a
difference, with cancellation."""


def feeds(job: str) -> list[Array]:
    random = np.random.default_rng(7)
    labels = random.integers(0, CLASSES, BATCH, dtype=np.int32)
    return {
        "relu_value": [np.array([-2.5, -0.0, 0.0, 1e-40, np.inf], np.float32)],
        "dense": [random.standard_normal((BATCH, PIXELS), np.float32)],
        "xent": [labels],
        "norm": [random.standard_normal(ROWS, np.float32)],
        "mlp": [random.random((BATCH, 1, 28, 28), np.float32), labels],
        "convolutions": [random.standard_normal(PICTURES, np.float32)],
    }[job]


def ulps(ours: Array, theirs: Array) -> int:
    """The largest distance between two arrays, in steps of their format."""
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    if ours.dtype.kind != "f":
        return 0 if np.array_equal(ours, theirs) else 2**63
    bits = [a.view(f"i{a.dtype.itemsize}").astype(np.int64) for a in (ours, theirs)]
    low = -(2 ** (8 * ours.dtype.itemsize - 1))
    ordered = [np.where(b < 0, low - b, b) for b in bits]
    return int(np.abs(ordered[0] - ordered[1]).max(initial=0))


def units(ours: Array, theirs: Array) -> float:
    """The largest difference of two arrays, in units in the last place of the largest number."""
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    if ours.dtype.kind != "f":
        return float(ulps(ours, theirs))
    assert np.isfinite(ours).all()
    assert np.isfinite(theirs).all()
    unit = np.spacing(np.abs(ours).max(initial=0))
    return float(np.abs(ours.astype(np.float64) - theirs).max(initial=0) / unit)


class Step:
    """One step of a job: its inputs, and our results."""

    def __init__(self, job: str) -> None:
        stages: Compiled = JOBS[job]().compile()
        self.modules = stages.modules
        self.feeds = feeds(job)
        loaded = flow.compile(stages.as_text("loops"))
        self.before = loaded.variables()
        outcome = loaded(*self.feeds)
        self.fetches = list(outcome) if isinstance(outcome, tuple) else [outcome]
        self.after = loaded.variables()

    def arguments(self, module: Module) -> Iterator[tuple[dict[str, Any], Array]]:
        """Each argument of the job's function: its attributes and its initial contents."""
        remaining = iter(self.feeds)
        fetched = iter(self.fetches)
        for i in range(len(module.job.arguments)):
            attributes = module.job.argument_attributes(i)
            if "job.arena" in attributes:
                size = attributes["job.arena"].value  # type: ignore[attr-defined]
                yield attributes, np.full(max(size, 1), -85, np.int8)
            elif "job.feed" in attributes:
                yield attributes, next(remaining)
            elif "job.variable" in attributes:
                yield attributes, self.before[self.variable(attributes)]
            else:
                yield attributes, np.full_like(next(fetched), 77)

    @staticmethod
    def variable(attributes: dict[str, Any]) -> str:
        return str(attributes["job.variable"].value)


@pytest.fixture(scope="module", params=STEPS)
def case(request: pytest.FixtureRequest) -> Iterator[tuple[str, Step]]:
    flow.clear_default_session()
    yield request.param, Step(request.param)
    flow.clear_default_session()


def compare(job: str, stage: str, ours: Sequence[Array], theirs: Sequence[Array]) -> None:
    measure, allowed = (ulps, 0) if job in EXACT else (units, LOOSE[stage])
    worst = max(measure(a, b) for a, b in zip(ours, theirs, strict=True))
    count = sum(a.size for a in ours)
    print(f"\n{job} at {stage}: {count} numbers, largest difference {worst} units")
    assert worst <= allowed


def test_loops_give_our_results(case: tuple[str, Step]) -> None:
    require("mlir-runner-22")
    job, step = case
    module = step.modules["loops"]
    pairs = list(step.arguments(module))
    results = run_buffers(module, *(array for _, array in pairs))
    ours: list[Array] = []
    theirs: list[Array] = []
    fetched = iter(step.fetches)
    for (attributes, _), result in zip(pairs, results, strict=True):
        if "job.variable" in attributes:
            ours.append(step.after[step.variable(attributes)])
        elif "job.fetch" in attributes:
            ours.append(next(fetched))
        else:
            continue
        theirs.append(result)
    compare(job, "loops", ours, theirs)


def test_fused_gives_our_results(case: tuple[str, Step]) -> None:
    require("mlir-runner-22")
    job, step = case
    module = step.modules["fused"]
    if job in EXACT and not fuses() and any(op.name == "math.fma" for op in module.walk()):
        pytest.skip("mlir-runner fuses multiply-adds, which code for this level rounds twice")
    results = run_tensors(module, *(array for _, array in step.arguments(module)))
    names = [module.job.result_attributes(i) for i in range(len(results))]
    updated = [str(a["job.update"].value) for a in names if "job.update" in a]  # type: ignore[attr-defined]
    ours = [*step.fetches, *(step.after[name] for name in updated)]
    compare(job, "fused", ours, results)


def test_the_measure_sees_one_ulp() -> None:
    x = np.array([1.0, -0.0, -3.0], np.float32)
    assert ulps(x, x) == 0
    assert ulps(x, np.array([np.nextafter(np.float32(1), np.float32(2)), 0, -3], np.float32)) == 1
    assert ulps(x, np.array([1.0, -0.0, 3.0], np.float32)) > 2**30


def test_the_loose_measure_is_by_the_largest_number() -> None:
    x = np.array([1024.0, 1.0], np.float32)
    assert units(x, x + np.array([0, 2.0**-13], np.float32)) == 1.0
    assert units(np.array([3]), np.array([4])) > 2**30
    with pytest.raises(AssertionError):
        units(x, np.array([np.nan, 1.0], np.float32))
