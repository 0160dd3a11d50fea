"""Rows that are too long for registers: threads loop over them, and compute elements again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest
import scheduled_jobs
from scheduled_jobs import Array, edit, fused, lower, operands, ops_of, run, run_simulated

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import gpu
from penstock.ir.dialects.builtin import Module
from penstock.passes.gpu.rows.lane_kernel import MOST_HELD
from penstock.runtime.gpu.devices import simulated_in


def softmax(x: Array, axis: int = 1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(e / e.sum(axis, keepdims=True))


JOBS: Mapping[str, tuple[str, str, Callable[[Array], Array]]] = {
    "softmax": ("3x1009xf32", '%y = "flow.softmax"(%a0) {axis = 1 : i64} : (a0) -> y', softmax),
    "whole": ("3x1024xf32", '%y = "flow.softmax"(%a0) {axis = 1 : i64} : (a0) -> y', softmax),
    "log": (
        "2x700xf32", '%y = "flow.log_softmax"(%a0) {axis = 1 : i64} : (a0) -> y',
        lambda x: np.log(softmax(x)),
    ),
    "columns": (
        "150x32xf32", '%y = "flow.softmax"(%a0) {axis = 0 : i64} : (a0) -> y',
        lambda x: softmax(x, 0),
    ),
}  # fmt: skip
"""Operand and result, ops and their meaning."""


def in_one_kernel(name: str, monkeypatch: pytest.MonkeyPatch) -> Module:
    """A scheduled job whose ops are one kernel, of a warp a row, or 4 threads a column."""
    type, body, _ = JOBS[name]
    monkeypatch.setattr(scheduled_jobs, "OPS", {name: (type, type, body)})
    module = fused(name)
    run(module, "schedule")
    rows, length = map(int, re.findall(r"\d+", type)[:2])
    across = name == "columns"
    sizes = {"lanes": 32, "grid": rows, "block": 32, "across": None, "rows": [0]}
    if across:
        sizes |= {"lanes": 4, "grid": 1, "block": 128, "across": True}
        rows, length = length, rows
    assert length > MOST_HELD * int(str(sizes["lanes"]))
    for number, op in enumerate(ops_of(module)):
        first = number == 0 and across
        own = [1] if first or (across and len(op.attributes) and _is_whole(op)) else [0]
        edit(op, kernel=0, kind="rows", each=None, **(sizes | {"rows": own}))
    return module


def _is_whole(op: object) -> bool:
    return len(op.iterator_types) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", JOBS)
def test_a_long_row_is_computed_in_loops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = in_one_kernel(name, monkeypatch)
    (given,) = operands(name)
    with simulated_in(("eager", "lazy", "random:1")[list(JOBS).index(name) % 3]):
        found = run_simulated(module, [given])
    wanted = JOBS[name][2](given.astype(np.float64))
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-7)
    lower(module)
    assert len([op for op in module.walk() if isinstance(op, gpu.GpuFunc)]) == 1


def test_what_may_be_overwritten_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """`%y` may lie in the buffer of `%a0`, from which `%z` would compute `%e` again."""
    type = "3x1009xf32"
    body = (
        '%e = "flow.exp"(%a0) : (a0) -> y\n'
        '%s = "flow.reduce_sum"(%e) {axes = array<i64: 1>, keepdims = true} : (y) -> '
        "tensor<3x1xf32>\n"
        '%y = "flow.multiply"(%e, %s) : (y, tensor<3x1xf32>) -> y\n'
        '%m = "flow.reduce_max"(%y) {axes = array<i64: 1>, keepdims = true} : (y) -> '
        "tensor<3x1xf32>\n"
        '%z = "flow.subtract"(%e, %m) : (y, tensor<3x1xf32>) -> y'
    )
    one = '({result} {{job.fetch = "0"}})'
    both = f'{one[:-1]}, {{result}} {{{{job.fetch = "1"}}}})'
    text = scheduled_jobs.JOB.replace(one, both)
    text = text.replace("func.return %y : {result}", "func.return %y, %z : {result}, {result}")
    monkeypatch.setattr(scheduled_jobs, "JOB", text)
    monkeypatch.setattr(scheduled_jobs, "OPS", {"both": (type, type, body)})
    module = fused("both")
    run(module, "schedule")
    ops = ops_of(module)
    for op in ops:
        edit(op, kernel=0, kind="rows", each=None, lanes=32, grid=3, block=32, rows=[0])
    with pytest.raises(IRError, match="which they cannot compute again"):
        lower(module)
