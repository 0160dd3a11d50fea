"""Every op of the registry on tensors: its numbers are its reference's, its gradients its `grad`'s.

By default one call of each op, and those of no elements and of rank 0; of ops that go by element,
which have the same kernels for all shapes, every second one's numbers and the others' gradients.
PENSTOCK_LONG tries all calls that the class lists.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from penstock.ir.meaning.interpreter import interpret
from penstock.tensor_functions import methods  # noqa: F401 - tensors have their methods
from penstock.tensors.engine import gradients_of
from penstock.tensors.execute import run
from penstock.tensors.tensor import Tensor, wrap
from penstock.testing.accuracy import error_in_ulps, exact_and_unit
from penstock.testing.cases import Case, cases_of, in_float64, tensor_ops
from penstock.testing.gradients import derivative_program, differentiable

OPS = {name: cls for name, cls in tensor_ops().items() if name.startswith("flow.")}
LONG = bool(os.environ.get("PENSTOCK_LONG"))


def _params(names: list[str], turn: int) -> list[Any]:
    """Every second op that goes by element is left to the long form."""
    in_turn = [name for name in OPS if OPS[name].by_element][turn::2]
    return [
        pytest.param(name, marks=pytest.mark.long) if name in in_turn else name for name in names
    ]


def _cases(name: str) -> list[Case]:
    own = cases_of(OPS[name])
    if LONG:
        return own
    odd = [case for case in own if not case.count or () in case.shapes]
    return [*own[:1], *odd[:1]]


def _tensors(case: Case, requires_grad: bool = False) -> list[Tensor]:
    made = [wrap(array) for array in case.arrays()]
    for one in made:
        if requires_grad and one.dtype.is_float:
            one.requires_grad_()
    return made


def _run(case: Case, operands: list[Tensor]) -> list[Tensor]:
    variadic = any(group.variadic for group in case.cls.definition.operands)
    given: list[Any] = [operands] if variadic else list(operands)
    return run(case.cls.name, given, dict(case.sample.attributes))


@pytest.mark.parametrize("name", _params([*OPS], 0))
def test_numbers(name: str) -> None:
    for case in _cases(name):
        operands = _tensors(case)
        got = _run(case, operands)
        arrays = [operand.array for operand in operands]
        for mine, (exact, unit) in zip(got, exact_and_unit(case.reference, arrays), strict=True):
            off = error_in_ulps(mine.array, exact, unit, case.cls.moves, case.cls.least)
            assert off <= case.cls.ulps, case


@pytest.mark.parametrize(
    "name", _params([name for name in OPS if "grad" not in OPS[name].waived], 1)
)
def test_gradients(name: str) -> None:
    # The gradient is that of float64, and computed in the types of the case: the bound is a few
    # hundred units of float32 for what is summed up.
    cases = [case for case in cases_of(OPS[name]) if differentiable(case)]
    for case in cases if LONG else cases[:1]:
        analytic = derivative_program(case, 1)
        random = np.random.default_rng(case.number)
        shapes = [argument.type.shape for argument in analytic.arguments[len(case.types) :]]  # type: ignore[attr-defined]
        drawn = [random.standard_normal(shape) for shape in shapes]
        wanted = interpret(analytic, [*in_float64(case.arrays()), *drawn], promote=True)
        for create_graph in (False, True):
            operands = _tensors(case, requires_grad=True)
            results = [r for r in _run(case, operands) if r.dtype.is_float]
            weights = iter(drawn)
            seeds = [wrap(next(weights).astype(r.array.dtype)) for r in results]
            roots = [one for one in operands if one.dtype.is_float]
            got = gradients_of(results, roots, seeds, None, create_graph, "backward")
            for mine, exact in zip(got, wanted, strict=True):
                found = np.zeros_like(exact) if mine is None else mine.array.astype(np.float64)
                scale = max(1.0, float(np.abs(exact).max(initial=0)))
                assert np.abs(found - exact).max(initial=0) <= 3e-5 * scale, case
