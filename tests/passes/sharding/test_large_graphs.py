"""Plans of random jobs of many ops, whose values are read far from where they are made."""

from __future__ import annotations

from typing import Any, cast

import pytest
from random_graphs import random_module

from penstock.ir.attributes import attribute, python_value
from penstock.ir.dialects.builtin import Module
from penstock.passes.placement.box import InsertBoxes
from penstock.passes.sharding import milp
from penstock.passes.sharding.choose import Choose

OPS = 150
"""Of a long form. The search of HiGHS takes minutes where such graphs are larger."""
MACHINE = {"flops": 1e10, "bandwidth": 50e9, "links": ("1e-6:20e9", "1e-7:2e9"), "seconds": 10.0}
needs_scipy = pytest.mark.skipif(not milp.available(), reason="SciPy is not installed")


def plan_of(module: Module, **options: Any) -> dict[str, Any]:
    """The facts of a plan that conversions were inserted for."""
    Choose(**{**MACHINE, **options}).run(module)
    found = dict(python_value(module.attributes["sbp.plan"]))
    placed = cast(Module, module.clone())
    InsertBoxes().run(placed)
    placed.verify()
    return found


def check(seed: int, mode: str, ops: int) -> None:
    module = random_module(seed, ops, ops)
    module.attributes["sbp.mesh"] = attribute([4])
    greedy = plan_of(module, mode="greedy")
    best = plan_of(module, mode=mode)
    assert best["seconds"] <= greedy["seconds"] * (1 + 1e-9)
    if mode == "optimal":
        assert 0 < best["bound"] <= best["seconds"] * (1 + 1e-6)


@needs_scipy
@pytest.mark.long
@pytest.mark.parametrize("mode", ["optimal", "eliminate"])
@pytest.mark.parametrize("seed", range(2))
def test_plans_of_many_ops_are_feasible_and_no_dearer_than_greedy_ones(
    seed: int, mode: str
) -> None:
    check(seed, mode, OPS)


@pytest.mark.parametrize("mode", [pytest.param("optimal", marks=needs_scipy), "eliminate"])
def test_plans_of_some_ops_are_feasible_and_no_dearer_than_greedy_ones(mode: str) -> None:
    check(7, mode, 60)
