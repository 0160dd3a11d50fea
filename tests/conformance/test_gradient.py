"""Each op's gradient against finite differences of its reference, in float64."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.dialects.func import Func, Return
from penstock.ir.interpreter import interpret
from penstock.passes.autodiff import backward

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, Array, Case, cases_of, has_facet, is_float

STEP = 1e-5
BOUND = 1e-6
WANTED_SHAPES = 8
WITH_GRADIENT = [name for name, cls in OPS.items() if has_facet(cls, "grad")]


def differentiable(case: Case) -> bool:
    """Floats go in, finite ones come out, and none is rounded, which would look like steps."""
    _, op = case.program()
    widths = {tensor(v).element: None for v in (*op.operands, *op.results) if is_float(v)}
    rounds = list(widths) == [ty.f64, ty.f32] or bool({ty.f16, ty.bf16} & set(widths))
    finite = all(np.isfinite(array).all() for array in computed(op, case.arrays()))
    floats = any(map(is_float, op.results)) and any(map(is_float, op.operands))
    return floats and finite and not rounds


def derivative_program(case: Case, order: int) -> Func:
    """A function of operands and of one weight per float in each derivative.

    Its result is the gradient, or the gradient of the weighted gradient.
    """
    function = Func.make("derivative", case.types)
    b = Builder.at_end(function.body)
    inputs = list(function.arguments)
    roots = [value for value in inputs if is_float(value)]
    outputs = [result for result in case.create(b, inputs).results if is_float(result)]
    for _ in range(order):
        weights = {v: function.body.add_argument(v.type) for v in dict.fromkeys(outputs)}
        found = backward(b, dict(weights), roots)
        outputs = [found.get(root) or zeros(b, root) for root in roots]
    b.create(Return, outputs)
    function.update_type()
    return function


def zeros(b: Builder, value: Value) -> Value:
    type = tensor(value)
    return make.full(b, 0, type.shape, type.element)


def weighted(function: Func, arrays: list[Array], weights: list[Array]) -> float:
    results = interpret(function, arrays, promote=True)
    return float(sum((r * w).sum() for r, w in zip(results, weights, strict=True)))


def differences(function: Func, arrays: list[Array], weights: list[Array]) -> list[Array]:
    """The gradients of the weighted results by the first float arrays, by central differences."""
    found = []
    for position, array in enumerate(arrays):
        if array.dtype.kind != "f":
            continue
        slope = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            sides = []
            for step in (STEP, -STEP):
                moved = [a.copy() for a in arrays]
                moved[position][place] += step
                sides.append(weighted(function, moved, weights))
            slope[place] = (sides[0] - sides[1]) / (2 * STEP)
        found.append(slope)
    return found


def check(case: Case, order: int) -> int:
    """Compare the derivative with differences of the one of an order less; counts gradients."""
    random = np.random.default_rng(case.number)
    inputs = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.arrays()]
    analytic, lower = derivative_program(case, order), derivative_program(case, order - 1)
    fixed = [random.standard_normal(tensor(a).shape) for a in analytic.arguments[len(inputs) :]]
    # The arguments of the function of one order less come first; its results are weighted by the
    # rest, of which there may be fewer than results where one value is several results.
    held = len(lower.arguments) - len(inputs)
    given = [*inputs, *fixed[:held]]
    weights = weights_of(case, order, lower, fixed[held:])
    got = interpret(analytic, [*inputs, *fixed], promote=True)
    wanted = differences(lower, given, weights)[: len(got)]
    for mine, other in zip(got, wanted, strict=True):
        bound = BOUND * max(1.0, float(np.abs(other).max(initial=0)))
        assert np.abs(mine - other).max(initial=0) <= bound, f"{case}: {mine} against {other}"
    return len(got)


def weights_of(case: Case, order: int, lower: Func, given: list[Array]) -> list[Array]:
    """A weight for each result of `lower`; results that are no floats weigh nothing."""
    left = dict(zip(dict.fromkeys(v for v in lower.returned.operands if is_float(v)), given,
                    strict=True))  # fmt: skip
    weights, seen = [], set()
    for value in lower.returned.operands:
        once = value in left and value not in seen
        weights.append(left[value] if once else np.zeros(tensor(value).shape))
        seen.add(value)
    return weights


@pytest.mark.parametrize("name", WITH_GRADIENT)
def test_gradient(name: str) -> None:
    checked = [case for case in cases_of(name) if differentiable(case)]
    for case in checked:
        check(case, 1)
    if checked:
        shapes = {tuple(given.shape for given in case.sample.inputs) for case in checked}
        assert len(shapes) >= WANTED_SHAPES or len(checked) >= WANTED_SHAPES, f"{len(shapes)}"


@pytest.mark.parametrize("name", WITH_GRADIENT)
def test_gradient_of_gradient(name: str) -> None:
    for case in [case for case in cases_of(name) if differentiable(case)][3:5]:
        check(case, 2)
