"""Random programs with random schedules on the simulated GPU: see `penstock fuzz --schedules`."""

from __future__ import annotations

import os
from typing import Any, cast

import numpy as np
import pytest

from penstock.ir.attributes import python_value
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.gpu_target import GpuChoice
from penstock.lowering.modules import Modules
from penstock.passes.costs.gpu_target import GpuLevel
from penstock.tools.fuzz import schedules
from penstock.tools.fuzz.trial import Workbench, failure_of, trial
from penstock.tools.fuzz.ways import ways_of

PROGRAMS = int(os.environ.get("PENSTOCK_SCHEDULED_PROGRAMS", "0"))


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")


@pytest.mark.parametrize("seed", [9, *range(1000, 1000 + PROGRAMS)])
def test_schedules_are_refused_in_one_sentence_or_followed(seed: int) -> None:
    outcome = trial(seed, schedules=2)
    assert outcome.failure is None, f"penstock fuzz --schedules 2 --seed {seed}: {outcome.failure}"
    assert all("\n" not in said for said in outcome.refusals)
    if seed == 9:
        assert outcome.followed
        assert outcome.refusals


FOR_TENSOR_CORES = """
module @program attributes {job.type = "predict", job.device = "gpu-sim 0:0"} {
  func.func @program(%q: tensor<80x64xbf16> {job.feed = "q"}, %x: tensor<9xf32> {job.feed = "x"})
      -> (tensor<80x64xbf16> {job.fetch = "0"}, tensor<80x80xbf16> {job.fetch = "1"},
          tensor<9xf32> {job.fetch = "2"}) {
    %y, %l = "flow.attention"(%q, %q, %q) {scale = 0.125 : f64}
        : (tensor<80x64xbf16>, tensor<80x64xbf16>, tensor<80x64xbf16>)
        -> (tensor<80x64xbf16>, tensor<80xf32>)
    %p = "flow.matmul"(%q, %q) {transpose_b = true}
        : (tensor<80x64xbf16>, tensor<80x64xbf16>) -> tensor<80x80xbf16>
    %s, %i = "flow.sort"(%x) {axis = 0 : i64, descending = false}
        : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xi32>)
    func.return %y, %p, %s : tensor<80x64xbf16>, tensor<80x80xbf16>, tensor<9xf32>
  }
}"""


@pytest.mark.parametrize("arch", ["sm_80", "sm_90a"])
def test_all_ways_of_kernels_are_drawn(arch: GpuLevel, monkeypatch: pytest.MonkeyPatch) -> None:
    """By threads, by warps, by warpgroups where the GPU has them, and loops of tasks."""
    monkeypatch.setattr(schedules, "_refusal", lambda module, level: None)
    module = Modules("job", parse_module(FOR_TENSOR_CORES), on=GpuChoice(arch))["scheduled"]
    drawn: dict[str, set[str]] = {}
    for seed in range(30):
        for op in schedules.with_random_schedules(module, seed, arch).module.walk():
            if schedules.KEY in op.attributes:
                given = python_value(cast(Any, op.attributes[schedules.KEY]))
                ways = {"thread", "warp", "warpgroups"} & {*given} or {given["block"]}
                drawn.setdefault(given["kind"], set()).update(ways)
    ways = {"thread", "warp"} | ({"warpgroups"} if arch == "sm_90a" else set())
    assert drawn["attention"] == drawn["tile"] == ways
    assert len(drawn["tasks"]) > 3


CONTINUED = """
module @program attributes {job.type = "predict"} {
  func.func @program(%x: tensor<2x2x5xui8> {job.feed = "x"}, %w: tensor<3x2x2xui8>
      {job.feed = "w"}) -> (tensor<2x3x4xf32> {job.fetch = "0"}) {
    %c = "flow.conv"(%x, %w) {channels_last = false, dilations = array<i64: 1>,
        strides = array<i64: 1>}
        : (tensor<2x2x5xui8>, tensor<3x2x2xui8>) -> tensor<2x3x4xui8>
    %y = "flow.cast"(%c) {element = f32} : (tensor<2x3x4xui8>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}"""


def test_sums_that_go_on_from_a_copy() -> None:
    """Only their own kernel reads them, but the copy needs their buffer."""
    module = parse_module(CONTINUED)
    draw = np.random.default_rng(0)
    inputs = {
        "feed x": draw.integers(0, 9, (2, 2, 5), np.uint8),
        "feed w": draw.integers(0, 9, (3, 2, 2), np.uint8),
    }
    bench = Workbench()
    for way in ways_of(0, schedules=6):
        assert failure_of(module, inputs, way, workbench=bench) is None
    assert bench.followed > 6
