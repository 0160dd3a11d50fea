"""The checkers see what is wrong: ops that are wrong on purpose, each in one facet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from penstock.ir import scalars
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.elementwise import FloatUnary
from penstock.ir.opdef import registry
from penstock.testing import gradients, native
from penstock.testing.failures import Failure
from penstock.testing.variants import CORNERS, corner_cases


@pytest.fixture
def cube() -> Iterator[type[FloatUnary]]:
    """An op that is right, and in the registry for one test alone."""

    class Cube(FloatUnary):
        """y = x * x * x."""

        name = "flow.cube"
        formula = staticmethod(lambda x: x * x * x)

        def scalar(self, b: Builder, x: Value) -> Value:
            return scalars.mul(b, x, scalars.mul(b, x, x))

        def derivative(self, b: Builder) -> Value | None:
            return make.multiply(b, make.multiply(b, self.x, self.x), 3)

    yield Cube
    del registry["flow.cube"]


CHECKS: Sequence[Callable[[type[TensorOp]], int]] = (
    native.check_own_calls,
    native.check_derived_calls,
    gradients.check_gradient,
    gradients.check_second_derivative,
    lambda cls: native.check_calls(gradients.gradient_calls(cls)),
)


@pytest.mark.parametrize("number", range(len(CHECKS)))
def test_what_is_right_passes(cube: type[FloatUnary], number: int) -> None:
    assert CHECKS[number](cube) > 1


def test_a_body_that_is_off_in_the_last_places(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    def scalar(self: FloatUnary, b: Builder, x: Value) -> Value:
        square = scalars.mul(b, x, x)
        near = scalars.mul(b, square, scalars.constant(b, 1 + 2.0**-19, x.type))
        return scalars.mul(b, x, near)

    monkeypatch.setattr(cube, "scalar", scalar)
    with pytest.raises(Failure, match=r"flow\.cube\(<f32>\): native code is off by \d+\.\d units"):
        native.check_own_calls(cube)


def test_a_body_that_is_wrong_for_one_dtype(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    def scalar(self: FloatUnary, b: Builder, x: Value) -> Value:
        return scalars.mul(b, x, x) if str(x.type) == "f64" else right(self, b, x)

    right = cube.scalar
    monkeypatch.setattr(cube, "scalar", scalar)
    with pytest.raises(Failure, match="f64") as failed:
        native.check_derived_calls(cube)
    assert "f32" not in str(failed.value)


@pytest.mark.parametrize("wrong", ["factor", "shape"])
def test_a_gradient_that_is_wrong(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    def derivative(self: FloatUnary, b: Builder) -> Value | None:
        square = make.multiply(b, self.x, self.x)
        right = make.multiply(b, square, 3)
        # Wrong by a little everywhere, or by much where no call that the class lists goes.
        many = self.out.shape == (2, 7)
        return make.multiply(b, square, 3.00001) if wrong == "factor" or many else right

    monkeypatch.setattr(cube, "derivative", derivative)
    with pytest.raises(Failure, match=r"derivative of order 1: .* by differences"):
        gradients.check_case(_case_of_shape(cube, (2, 7)), 1)
    if wrong == "factor":
        with pytest.raises(Failure):
            gradients.check_gradient(cube)


def _case_of_shape(cls: type[TensorOp], shape: tuple[int, ...]) -> gradients.Case:
    case = gradients.differentiable_cases(cls)[0]
    given = case.sample.inputs[0]
    sample = type(case.sample)((type(given)(shape),), {})
    return gradients.Case(cls, 12345, sample)


def test_every_corner_is_tried_or_refused(cube: type[FloatUnary]) -> None:
    found, reasons = corner_cases(cube)
    own = [case.shapes for case in native.cases_of(cube)]
    for corner, holds in CORNERS.items():
        tried = any(holds(shapes) for shapes in (*own, *(case.shapes for case in found)))
        assert tried != (corner in reasons), corner
    assert list(reasons) == ["broadcast"]


def test_every_dtype_that_infer_takes_is_tried(cube: type[FloatUnary]) -> None:
    tried = {case.types[0].element for case in native.derived_cases(cube)}
    assert tried | {cube.samples()[0].inputs[0].element} == set(cube.elements)


def test_units_measure_sums_that_cancel() -> None:
    from penstock.testing.accuracy import error_in_ulps, exact_and_unit

    x = np.array([1e6, -1e6, 1.0], np.float32)
    ((exact, unit),) = exact_and_unit(lambda arrays: [arrays[0].sum()], [x])
    assert exact == 1.0
    assert error_in_ulps(np.float32(1.0625), exact, unit) <= 2
    assert error_in_ulps(np.float32(3), exact, unit) > 4
