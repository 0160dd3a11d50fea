"""Error bounds of sums of f32 that add a few elements in f32 before widening to f64.

An element passes at most seven roundings to f32: two where the lanes of a vector are halved twice,
three where eight rows are added pairwise, seven where eight rows are added in sequence. Each costs
at most 2**-24 of the sum of |x|; each addition in f64 costs 2**-53.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tensor_programs import FUSED, lowered
from test_rows import job, run

from penstock.ir.dialects import scf
from penstock.ir.dialects.flow.reductions import reduction
from penstock.ir.text.printer import print_module
from penstock.passes.analysis import segments
from penstock.passes.costs import task_count
from penstock.passes.loops.rows import row_plan

Array = np.ndarray[Any, Any]
STEP = 2.0**-24
"""The largest relative error of one rounding to f32."""


@pytest.fixture(params=["one task", "many tasks"])
def pairs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sum may be pairwise; with small tasks, small tensors are parallelised."""
    monkeypatch.setattr(reduction, "LEAST_NARROW_SUM", 1)
    if request.param == "many tasks":
        for name, value in (
            ("LOOP_SERIAL_CYCLES", 20),
            ("LOOP_TASK_CYCLES", 20),
            ("MOST_LOOP_TASKS", 5),
        ):
            monkeypatch.setattr(task_count, name, value)
        for name, value in (("PARTIAL", 2), ("SUMMED_ROWS", 3)):
            monkeypatch.setattr(row_plan, name, value)
        monkeypatch.setattr(segments, "FOLDED", 2)
        monkeypatch.setattr(segments, "UNCACHED_ELEMENTS", 10)


def total(x: Array, axes: tuple[int, ...], wide: bool = False) -> Array:
    """The sum that a job computes; with `wide` after an explicit cast to f64."""
    kept = "".join(f"{n}x" for axis, n in enumerate(x.shape) if axis not in axes)
    numbers = ", ".join(map(str, axes))
    element = "f64" if wide else "f32"
    whole = "".join(f"{n}x" for n in x.shape) + element
    source = (
        '%w = "flow.cast"(%a0) {element = f64} : (!t0) -> tensor<' + whole + ">\n" if wide else ""
    )
    result = f"tensor<{kept}{element}>"
    body = (
        f'{source}%y = "flow.reduce_sum"({"%w" if wide else "%a0"}) '
        f"{{axes = array<i64: {numbers}>}} : (tensor<{whole}>) -> {result}"
    )
    return run(job([(x.shape, "f32")], body, result), x)[0]


def uneven(*shape: int) -> Array:
    """Numbers of both signs, from 1e-3 to 1e3 in size, so that most of a sum cancels."""
    random = np.random.default_rng(5)
    sizes = 10.0 ** random.uniform(-3, 3, shape)
    return (sizes * random.choice([-1, 1], shape)).astype(np.float32)


@pytest.mark.sampled
@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize(
    "shape", [(3, 4, 41), (7, 35, 2), (33, 3, 1), (2, 1, 64), (19, 2, 33), (1, 6, 130)]
)
def test_the_bound(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = uneven(*shape)
    wide = x.astype(float)
    exact, scale = wide.sum(axes), np.abs(wide).sum(axes)
    got = total(x, axes)
    assert got.dtype == np.float32
    rounded = np.spacing(np.abs(exact).astype(np.float32)) / 2
    assert (np.abs(got - exact) <= 7 * STEP * scale + rounded).all()


@pytest.mark.parametrize(("shape", "axis"), [((1 << 14,), 0), ((3, 1 << 13), 1), ((1 << 13, 8), 0)])
def test_small_terms_beside_a_large_one_are_not_lost(shape: tuple[int, ...], axis: int) -> None:
    """1 + 2**-24 is 1 in f32, so accumulators in f32, even several, would lose hundreds."""
    x = np.full(shape, STEP, np.float32)
    first = np.zeros(1, np.intp)
    np.put_along_axis(x, first.reshape((1,) * x.ndim), 1, axis)
    if x.ndim == 2:
        x.swapaxes(axis, 0)[0] = 1
    exact = x.astype(float).sum(axis)
    got = total(x, (axis,))
    # Only the neighbours added to 1 before it is widened are lost: seven at most.
    assert (np.abs(got - exact) <= 8 * STEP).all()


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_an_explicit_sum_in_f64_is_in_f64(axes: tuple[int, ...]) -> None:
    x = uneven(35, 130)
    wide = x.astype(float)
    got = total(x, axes, wide=True)
    scale = np.abs(wide).sum(axes)
    assert got.dtype == np.float64
    assert (np.abs(got - wide.sum(axes)) <= x.size * 2.0**-53 * scale).all()


def test_only_long_sums_of_f32_are_pairwise() -> None:
    for dtype, count, marked in (("f32", 64, True), ("f32", 63, False), ("f64", 64, False)):
        body = f'%y = "flow.reduce_sum"(%a0) {{axes = array<i64: 1>}} : (!t0) -> tensor<3x{dtype}>'
        module = job([((3, count), dtype)], body, f"tensor<3x{dtype}>")
        text = print_module(lowered(module, FUSED))
        assert (reduction.PAIRWISE in text) is marked, (dtype, count)


def test_sums_along_rows_interleave_four_rows() -> None:
    """One stream of loads does not saturate the memory; remaining rows run one by one."""
    x = uneven(11, 96)
    body = '%y = "flow.reduce_sum"(%a0) {axes = array<i64: 1>} : (!t0) -> tensor<11xf32>'
    got, result = run(job([((11, 96), "f32")], body, "tensor<11xf32>"), x)
    wide = x.astype(float)
    assert (np.abs(got - wide.sum(1)) <= 3 * STEP * np.abs(wide).sum(1)).all()
    carried = [len(op.results) for op in result.walk() if isinstance(op, scf.For) and op.results]
    assert carried == [4, 1]
