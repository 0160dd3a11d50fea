"""Every named blob of a compiled job can be watched, and watching changes no bit of a step.

Values seen by handlers are compared with the ops' reference in float64. The tolerance is that of
the job's narrowest dtype, relative to the largest element: one rounding per op, sums of up to 300
terms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.jobs.job import JobFunction
from penstock.loaded.loading import LoadedJob
from penstock.lowering.modules import Modules
from penstock.runtime.execution.job import Job
from penstock.stages.job_cache import compile_stages

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]

TOLERANCE = {"f64": 1e-12, "f32": 2e-5, "bf16": 4e-2}


def minimize(loss: Any, **options: Any) -> None:
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(schedule, **{"momentum": 0, **options}).minimize(loss)


def drawn() -> Any:
    return flow.random_uniform_initializer(-1, 1)


def mlp() -> JobFunction:
    @flow.global_function(type="train")
    def job(
        x: tp.Numpy.Placeholder((20, 37)), labels: tp.Numpy.Placeholder((20,), dtype=flow.int32)
    ) -> tp.Numpy:
        hidden = flow.layers.dense(
            x, 50, activation=flow.nn.relu, kernel_initializer=drawn(), name="hidden"
        )
        logits = flow.layers.dense(hidden, 10, kernel_initializer=drawn(), name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        minimize(loss)
        return loss

    return job


def momentum_and_clipping() -> JobFunction:
    """The updated variables are also returned, with their values before the step."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((9, 33))) -> tuple[tp.Numpy, tp.Numpy]:
        w = flow.get_variable("w", (33, 17), initializer=drawn())
        product = flow.matmul(x, w, name="product")
        squared = flow.math.square(flow.math.tanh(product, name="bounded"), name="squared")
        loss = flow.math.reduce_mean(squared, axis=1, name="loss")
        minimize(loss, momentum=0.9, grad_clipping=flow.optimizer.grad_clipping.by_global_norm(0.5))
        return loss, w

    return job


def normalized() -> JobFunction:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((24, 96))) -> tp.Numpy:
        gain = flow.get_variable("gain", (96,), initializer=flow.ones_initializer())
        first = flow.layers.layer_norm(x * gain, epsilon=1e-3, name="first")
        second = flow.layers.layer_norm(flow.math.exp(first * 0.5), epsilon=1e-3, name="second")
        loss = flow.math.reduce_mean(second * second * x)
        minimize(loss)
        return loss

    return job


def attention() -> JobFunction:
    """Softmax of matmuls, with transposes and reshapes in between."""

    @flow.global_function()
    def job(q: tp.Numpy.Placeholder((12, 40)), k: tp.Numpy.Placeholder((40, 12))) -> tp.Numpy:
        turned = flow.transpose(k, perm=[1, 0], name="turned")
        scores = flow.matmul(q, turned, transpose_b=True, name="scores")
        shares = flow.nn.softmax(scores * 0.2, name="shares")
        mixed = flow.matmul(shares, turned, name="mixed")
        flat = flow.reshape(mixed, (-1,), name="flat")
        return flow.math.reduce_max(flow.reshape(flat, (30, 16), name="again"), axis=1)

    return job


def doubles() -> JobFunction:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((7, 11), dtype=flow.double)) -> tp.Numpy:
        w = flow.get_variable("w", (11,), dtype=flow.double, initializer=drawn())
        y = flow.math.sigmoid(x * w, name="y")
        loss = flow.math.reduce_sum(flow.math.log(y, name="logarithm") * x)
        minimize(loss)
        return loss

    return job


def halves() -> JobFunction:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 16), dtype=flow.bfloat16)) -> tp.Numpy:
        y = flow.math.sqrt(flow.math.abs(x, name="size") + 1.0, name="root")
        return flow.cast(flow.math.reduce_sum(y * x, axis=0, name="sum"), flow.float)

    return job


def integers() -> JobFunction:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((8, 9)), n: tp.Numpy.Placeholder((8,), dtype=flow.int64)
    ) -> tp.Numpy:
        places = flow.math.argmax(x, name="places")
        near = flow.cast(places, flow.int64, name="near") + n
        is_large = flow.math.greater(x, 0.5, name="large")
        counts = flow.math.reduce_sum(flow.cast(is_large, flow.int32, name="ones"), axis=1)
        return near * flow.cast(counts, flow.int64)

    return job


JOBS = [mlp, momentum_and_clipping, normalized, attention, doubles, halves, integers]


def compiled(module: Module, tapped: bool) -> tuple[LoadedJob, Modules]:
    modules = Modules("job", cast(Module, module.clone()), tapped=tapped)
    return LoadedJob(compile_stages("job", modules)), modules


def feeds_of(loaded: LoadedJob) -> list[Array]:
    random = np.random.default_rng(8)
    found = []
    for feed in loaded.feeds:
        if feed.dtype.startswith("i"):
            found.append(random.integers(0, 10, feed.shape).astype(feed.dtype.replace("i", "int")))
        else:
            names = {"f64": np.float64, "f32": np.float32, "bf16": ml_dtypes.bfloat16}
            found.append(random.standard_normal(feed.shape).astype(names[feed.dtype]))
    return found


def references(module: Module, loaded: LoadedJob, feeds: list[Array]) -> dict[str, Array]:
    """The value of each watch point in the first step, by the reference at stage `grad`."""
    inputs = dict(zip([feed.name for feed in loaded.feeds], feeds, strict=True))
    inputs |= loaded.variables()
    arguments = []
    for i in range(len(module.job.arguments)):
        facts = module.job.argument_attributes(i)
        name = facts.get("job.variable", facts.get("job.feed"))
        assert isinstance(name, StringAttr)
        arguments.append(inputs[name.value])
    found: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        interpret(module, arguments, promote=True, watch=lambda n, a: found.update({n: a}))
    return found


def step(loaded: LoadedJob, feeds: list[Array], start: dict[str, Array]) -> list[bytes]:
    """The bits of all results and variables after a step from `start`."""
    loaded.load_variables(start)
    results = loaded(*feeds)
    results = results if isinstance(results, tuple) else (results,)
    after = loaded.variables()
    return [array.tobytes() for array in (*results, *(after[name] for name in sorted(after)))]


@pytest.mark.parametrize("make", JOBS)
def test_every_blob_alone_and_together(make: Callable[[], JobFunction]) -> None:
    module = make().lower().modules["job"]
    plain, _ = compiled(module, tapped=False)
    loaded, modules = compiled(module, tapped=True)
    feeds, start = feeds_of(loaded), loaded.variables()
    wanted = references(modules["grad"], loaded, feeds)
    assert {tap.name for tap in loaded.taps} == wanted.keys()
    assert any(tap.how != "kept" for tap in loaded.taps)
    tolerance = max(TOLERANCE.get(tap.dtype, 0.0) for tap in loaded.taps)
    silent = step(plain, feeds, start)
    assert step(loaded, feeds, start) == silent, "nobody listens"

    seen: dict[str, Array] = {}
    for pattern in ["*", *wanted]:
        names = [tap.name for tap in loaded.points(pattern)]
        stop = Job.watch(loaded, pattern, lambda name, array: seen.update({name: array}))
        assert step(loaded, feeds, start) == silent, pattern
        assert sorted(seen) == sorted(names)
        for name, array in seen.items():
            assert_near(name, array, wanted[name], tolerance)
        stop()
        seen.clear()
    assert step(loaded, feeds, start) == silent, "nobody listens any more"


def test_the_text_of_a_stage_keeps_the_watch_points() -> None:
    module = mlp().lower().modules["job"]
    loaded, modules = compiled(module, tapped=True)
    feeds, start = feeds_of(loaded), loaded.variables()
    wanted = step(loaded, feeds, start)
    for stage in ("grad", "placed", "fused", "loops"):
        again = flow.compile(print_module(modules[stage]))
        assert [(tap.name, tap.how) for tap in again.taps] == [
            (tap.name, tap.how) for tap in loaded.taps
        ], stage
        assert step(again, feeds, start) == wanted, stage


def assert_near(name: str, array: Array, wanted: Array, tolerance: float) -> None:
    assert array.shape == wanted.shape, name
    if array.dtype.kind in "iu":
        np.testing.assert_array_equal(array, wanted, err_msg=name)
        return
    scale = np.abs(wanted).max(initial=0) or 1.0
    worst = np.abs(array.astype(np.float64) - wanted).max(initial=0) / scale
    assert worst <= tolerance, f"{name} is off by {worst:.2g} of its largest element"
