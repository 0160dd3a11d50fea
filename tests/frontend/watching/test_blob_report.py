"""The report on blobs, derived from the stages and checked against a step."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs.describe import describe
from penstock.lowering.modules import Modules
from penstock.reports.blob_report import blob_report


def reported(job: Any, level: str = "x86-64-v3") -> tuple[dict[str, Any], Modules]:
    modules = Modules("job", job.trace().modules["job"], level, tapped=True)
    taps = [tap["name"] for tap in describe(modules["loops"])["taps"]]
    return blob_report(modules, taps), modules


def define(width: int) -> Any:
    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((16, width))) -> tp.Numpy:
        start = flow.random_normal_initializer(stddev=0.1)
        hidden = flow.layers.dense(
            x, width, activation=flow.nn.relu, kernel_initializer=start, name="hidden"
        )
        loss = flow.nn.softmax(hidden, name="soft")
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    return train_job


def test_a_blob_that_fusion_removed_names_its_kernel() -> None:
    report, _ = reported(define(24))
    kernels, blobs = report["kernels"], report["blobs"]
    for name in ("hidden_matmul", "hidden_bias_add"):
        assert "place" not in blobs[name]
        (number,) = blobs[name]["made"]
        assert blobs["hidden_activation"]["made"] == [number]
    assert {"matmul", "add", "relu"} <= set(kernels[number]["ops"])
    assert kernels[number]["lines"] == [f"tests/frontend/watching/test_blob_report.py:{LINE}"]
    assert blobs["hidden_activation"]["place"] == "arena"
    assert number not in blobs["hidden_activation"]["read"]
    assert blobs["x"] == {
        "made": [],
        "read": blobs["x"]["read"],
        "place": "feed",
        "name": "x",
        "bytes": 16 * 24 * 4,
    }
    assert blobs["soft"]["place"] == "fetch"
    assert blobs["hidden-weight"]["place"] == "variable"


LINE = Path(__file__).read_text().partition("hidden = flow.layers" + ".dense")[0].count("\n") + 1


@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_simultaneously_live_blobs_do_not_overlap(level: str) -> None:
    report, modules = reported(define(40), level)
    arena = modules["loops"].job.argument_attributes(0)["job.arena"]
    kept = [blob for blob in report["blobs"].values() if blob.get("place") == "arena"]
    lives = [
        (blob["offset"], blob["offset"] + blob["bytes"], blob["made"] + blob["read"])
        for blob in kept
    ]
    assert lives
    for begin, end, steps in lives:
        assert 0 <= begin < end <= arena.value  # type: ignore[attr-defined]
        assert steps
    for begin, end, steps in lives:
        for other_begin, other_end, others in lives:
            meet = min(steps) < max(others) and min(others) < max(steps)
            apart = end <= other_begin or other_end <= begin
            # Blobs with the same value have the same place.
            assert apart or not meet or (begin, end) == (other_begin, other_end)


def test_two_calls_of_one_kernel_are_distinct() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((8, 8))) -> tp.Numpy:
        weight = flow.get_variable("weight", (8, 8), initializer=flow.ones_initializer())
        first = flow.nn.relu(flow.matmul(x, weight, name="first"))
        second = flow.nn.relu(flow.matmul(first, weight, name="second"), name="overwritten")
        total = flow.math.add(flow.nn.softmax(second), first, name="total")
        return flow.matmul(flow.matmul(total, weight), weight)

    report, _ = reported(job)
    kernels = [kernel["name"] for kernel in report["kernels"]]
    assert report["blobs"]["first"]["made"] == [0]
    assert report["blobs"]["second"]["made"] == [1]
    assert len(kernels) == 5
    assert kernels[0] == kernels[1]
    # Both use one buffer, one after the other.
    one, other = report["blobs"]["overwritten"], report["blobs"]["total"]
    assert one["offset"] == other["offset"]
    assert (one["made"], one["read"]) == ([1], [2])
    assert (other["made"], other["read"]) == ([2], [3])


def test_handwritten_loops_have_an_empty_report() -> None:
    text = """\
module @job attributes {job.type = "predict"} {
  func.func @job(%a: memref<?xi8> {job.arena = 0 : i64},
                  %x: memref<2xf32> {job.feed = "x"}, %y: memref<2xf32> {job.fetch = "0"}) {
    memref.copy %x, %y : memref<2xf32> to memref<2xf32>
    return
  }
}
"""
    loaded = flow.compile(text)
    modules = loaded.stages.modules
    assert blob_report(modules, []) == {"kernels": [], "blobs": {}}
    np.testing.assert_array_equal(loaded(np.array([1, 2], np.float32)), [1, 2])
