"""What is said of a plan: alternatives and their costs, bytes, and how sure the choice is."""

import re
from math import prod
from typing import Any

import pytest
from test_choose import network

from penstock.ir.attributes import IntegerAttr, python_value
from penstock.ir.dialects.builtin import Module
from penstock.passes.placement.box import InsertBoxes
from penstock.passes.sharding import milp
from penstock.passes.sharding.choose import PLAN, Choose
from penstock.passes.sharding.explain import Explained, summary
from penstock.tools.show import _shared


def placed(mode: Any = "eliminate", mesh: tuple[int, ...] = (4,)) -> Module:
    module = network(64, 256, 512, 256, mesh=mesh)
    module.attributes["sbp.ranks"] = IntegerAttr(prod(mesh))
    Choose(mode=mode).run(module)
    InsertBoxes().run(module)
    return module


@pytest.mark.parametrize("mesh", [(4,), (2, 2)])
def test_a_placed_module_costs_what_its_plan_said(mesh: tuple[int, ...]) -> None:
    module = placed(mesh=mesh)
    explained = Explained(module)
    costs = explained.instance.costs(explained.choice)
    assert costs.seconds == pytest.approx(python_value(module.attributes[PLAN])["seconds"])


def test_alternatives_of_the_first_product() -> None:
    module = placed()
    explained = Explained(module)
    product = next(op for op in explained.numbers if op.name == "flow.matmul")
    found = explained.why(product)
    assert found["signature"] == "B, S(0) -> S(1)"
    rows = found["alternatives"]
    assert [row["chosen"] for row in rows] == [True] + [False] * 5
    assert sorted(row["seconds"] for row in rows) == [row["seconds"] for row in rows]
    # Partial sums would be scattered for the bias: 64 x 512 floats, three quarters of a part each.
    second = rows[1]
    assert second["signature"] == "S(1), S(1) -> P"
    assert found["saved"] == second["bytes"] > 0
    lines = _shared(found)
    assert lines[0] == "shared among ranks as B, S(0) -> S(1)"
    assert lines[1] == f"boxing saved: {second['bytes']:,} bytes a rank against S(1), S(1) -> P"
    assert lines[2].startswith("  B, S(0) -> S(1): chosen; ")
    assert len(lines) == 8


def test_rows_of_conversions() -> None:
    module = placed()
    explained = Explained(module)
    rows = [explained.row(op) for op in module.job.body if op.name == "sbp.box"]
    assert {row["next"] for row in rows} == {None}
    assert sum(row["bytes"] for row in rows) == sum(explained.bytes_by_collective().values())


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("greedy", "as OneFlow v0.3.4 chooses"),
        ("eliminate", "not proven to be the least, which takes SciPy"),
        pytest.param(
            "optimal",
            "proven to be the least",
            marks=pytest.mark.skipif(not milp.available(), reason="SciPy is not installed"),
        ),
    ],
)
def test_the_summary_says_how_sure_the_choice_is(mode: str, expected: str) -> None:
    text = summary(placed(mode))
    pattern = rf"4 ranks; bytes that rank 0 sends in a step: .*reduce.* ms, {expected}"
    assert re.match(pattern, text), text


@pytest.mark.skipif(not milp.available(), reason="SciPy is not installed")
def test_the_summary_of_a_plan_on_two_axes_has_the_gap() -> None:
    module = network(8192, 512, 2048, 2048, 512, mesh=(2, 3))
    module.attributes["sbp.ranks"] = IntegerAttr(6)
    Choose().run(module)
    InsertBoxes().run(module)
    assert "2 x 3 ranks" in summary(module)
    assert "above a lower bound" in summary(module) or "proven" in summary(module)
