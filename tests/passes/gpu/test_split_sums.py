"""Sums in parts: the numbers, the blocks that compute them, and the same bits in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
import scheduled_jobs
from scheduled_jobs import Array, fused, lower, operands, ops_of, run, run_simulated, schedule

from penstock.runtime.gpu.devices import simulated_in

SUM = '%y = "flow.reduce_sum"(%a0) {{axes = array<i64: {}>, keepdims = false}} : (a0) -> y'
JOBS: Mapping[str, tuple[str, str, str, Callable[..., Array], int]] = {
    "all": ("300x211xf32", "f32", SUM.format("0, 1"), np.sum, 30),
    "prime": ("40009xf32", "f32", SUM.format("0"), np.sum, 19),
    "channels": ("12x4x31x31xf32", "4xf32", SUM.format("0, 2, 3"), lambda x: x.sum((0, 2, 3)), 16),
    "columns": ("1200x32xf32", "32xf32", SUM.format("0"), lambda x: x.sum(0), 16),
    "depth": ("16x4096xf32 4096x16xf32", "16x16xf32",
              '%y = "flow.matmul"(%a0, %a1) : (a0, a1) -> y', np.matmul, 8),
}  # fmt: skip
"""Operands, result, ops, their meaning, and the blocks of the first kernel."""


@pytest.mark.parametrize("name", JOBS)
def test_a_sum_in_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    types, result, body, meaning, blocks = JOBS[name]
    monkeypatch.setattr(scheduled_jobs, "OPS", {name: (types, result, body)})
    module = fused(name)
    run(module, "split-sums,schedule")
    assert schedule(ops_of(module)[0])["grid"] == blocks
    given = operands(name)
    found = []
    for order in ("eager", "lazy", "random:1"):
        with simulated_in(order):
            found.append(run_simulated(module, given))
    assert len({each.tobytes() for each in found}) == 1
    wide = [each.astype(np.float64) for each in given]
    np.testing.assert_allclose(found[0], meaning(*wide), 2e-6, 1e-4)
    lower(module)


def test_what_has_schedules_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    types, result, body, *_ = JOBS["all"]
    monkeypatch.setattr(scheduled_jobs, "OPS", {"all": (types, result, body)})
    module = fused("all")
    run(module, "schedule")
    count = len(ops_of(module))
    run(module, "split-sums")
    assert len(ops_of(module)) == count
