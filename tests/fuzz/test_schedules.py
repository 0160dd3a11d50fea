"""Random programs with random schedules on the simulated GPU: see `penstock fuzz --schedules`."""

from __future__ import annotations

import os

import numpy as np
import pytest

from penstock.ir.dialects.parsing import parse_module
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
