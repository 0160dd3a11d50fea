"""A solver that takes another plan each time, as one may that a time limit ends or ties confuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.ir.dialects.builtin import Module
from penstock.passes.sharding.choose import Choose
from penstock.passes.sharding.problem import Instance, Problem


def draw_plans(monkeypatch: pytest.MonkeyPatch, seed: int) -> list[list[int]]:
    """Have `choose` draw each op's signature; returns the plans that it will have drawn."""
    numbers = np.random.default_rng(seed)
    plans: list[list[int]] = []

    def drawn(
        self: Choose, module: Module, problem: Problem
    ) -> tuple[Instance, list[int], dict[str, Any]]:
        instance = problem.instance()
        plans.append([int(numbers.integers(len(options))) for options in instance.options])
        costs = instance.costs(plans[-1])
        facts = {"seconds": costs.seconds, "compute": costs.compute, "memory": costs.memory}
        return instance, plans[-1], {"solver": "greedy", **facts}

    monkeypatch.setattr(Choose, "_chosen", drawn)
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    return plans
