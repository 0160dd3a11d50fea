"""The checkers detect ops that are wrong on purpose, each in one facet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make, widening
from penstock.ir.dialects.flow.base import HALVES, Gradients, TensorOp, instance
from penstock.ir.dialects.flow.elementwise import FloatUnary
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.ir.opdef import registry
from penstock.ir.types import Type
from penstock.ir.write import scalars
from penstock.testing import gradients, native, sharing, stated, work
from penstock.testing.accuracy import (
    CONFIRMING,
    DRAWINGS,
    error_in_ulps,
    errors_in_ulps,
    exact_and_unit,
)
from penstock.testing.cases import in_float64
from penstock.testing.failures import Failure
from penstock.testing.variants import CORNERS, corner_cases


@pytest.fixture
def cube() -> Iterator[type[FloatUnary]]:
    """A correct op, in the registry for one test only."""

    class Cube(FloatUnary):
        """y = x * x * x."""

        name = "mine.cube"
        formula = staticmethod(lambda x: x * x * x)

        def scalar(self, b: Builder, x: Value) -> Value:
            return scalars.mul(b, x, scalars.mul(b, x, x))

        def derivative(self, b: Builder) -> Value | None:
            return make.multiply(b, make.multiply(b, self.x, self.x), 3)

    yield Cube
    del registry["mine.cube"]


CHECKS: Sequence[Callable[[type[TensorOp]], int]] = (
    native.check_own_calls,
    native.check_derived_calls,
    gradients.check_gradient,
    gradients.check_second_derivative,
    gradients.check_native_gradient,
)


@pytest.mark.parametrize("number", range(len(CHECKS)))
def test_a_correct_op_passes(cube: type[FloatUnary], number: int) -> None:
    assert CHECKS[number](cube) > 1


def test_a_body_with_slightly_wrong_results(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    def scalar(self: FloatUnary, b: Builder, x: Value) -> Value:
        square = scalars.mul(b, x, x)
        near = scalars.mul(b, square, scalars.constant(b, 1 + 2.0**-19, x.type))
        return scalars.mul(b, x, near)

    monkeypatch.setattr(cube, "scalar", scalar)
    with pytest.raises(Failure, match=r"mine\.cube\(<f32>\): native code is off by") as failed:
        native.check_own_calls(cube)
    said = (
        r"\d units at \[\d+, \d+\] of (\S+): it gives (\S+), expected (\S+); `ulps` of the class "
        "allows 4"
    )
    found = re.search(said, str(failed.value))
    assert found is not None, failed.value
    x, got, expected = map(float, found.groups())
    assert float(np.float32(x)) ** 3 == pytest.approx(expected, rel=1e-12)
    assert got == pytest.approx(expected * (1 + 2.0**-19), rel=2.0**-22)


@pytest.mark.parametrize(("wrong", "shown"), [(np.inf, "inf"), (1e3, "1e9")])
def test_a_body_that_is_wrong_for_extreme_floats(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch, wrong: float, shown: str
) -> None:
    def scalar(self: FloatUnary, b: Builder, x: Value) -> Value:
        there = scalars.compare(b, "eq", x, scalars.constant(b, wrong, x.type))
        return scalars.select(b, there, scalars.constant(b, np.nan, x.type), right(self, b, x))

    right = cube.scalar
    monkeypatch.setattr(cube, "scalar", scalar)
    said = rf"native code gives .*nan.* of .*, expected .*{shown}"
    plain = np.printoptions(formatter={"float": lambda x: f"{x:g}".replace("+0", "")})
    with plain, pytest.raises(Failure, match=said):
        native.check_own_calls(cube)
    monkeypatch.setattr(cube, "waived", {"special": "it is wrong where floats end"})
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


def test_a_body_that_raises_for_one_dtype(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    (case,) = (c for c in native.derived_cases(cube) if str(c.types[0].element) == "f64")
    monkeypatch.setattr(cube, "scalar", lambda self, b, x: {}[x.type])
    with pytest.raises(Failure, match=r"^mine\.cube\(<.*f64>\): .*`scalar` .* raised KeyError: "):
        native.check_calls([native.call_of(case)])


@pytest.mark.parametrize("wrong", ["factor", "shape"])
def test_a_gradient_that_is_wrong(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    def derivative(self: FloatUnary, b: Builder) -> Value | None:
        square = make.multiply(b, self.x, self.x)
        right = make.multiply(b, square, 3)
        # Slightly wrong everywhere, or very wrong outside the calls that the class lists.
        many = self.out.shape == (2, 7)
        return make.multiply(b, square, 3.00001) if wrong == "factor" or many else right

    monkeypatch.setattr(cube, "derivative", derivative)
    with pytest.raises(Failure, match=r"derivative of order 1: .* by differences"):
        gradients.check_case(_case_of_shape(cube, (2, 7)), 1)
    if wrong == "factor":
        with pytest.raises(Failure):
            gradients.check_gradient(cube)


def test_a_gradient_that_is_wrong_in_16_bits(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    def halved(op: TensorOp, b: Builder, given: Gradients) -> Gradients:
        found = right(op, b, given)
        if op.out.element not in HALVES:
            return found
        return [None if value is None else make.multiply(b, value, 0.5) for value in found]

    right = widening.gradients
    monkeypatch.setattr(widening, "gradients", halved)
    with pytest.raises(
        Failure, match=r"gradient of mine\.cube\(<.*f16>\): .*\n.*bf16>\): "
    ) as failed:
        gradients.check_native_gradient(cube)
    assert "f32" not in str(failed.value)


def test_a_gradient_that_no_sample_tests(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cube, "formula", staticmethod(lambda x: x * np.inf))
    for check in CHECKS[2:]:
        with pytest.raises(Failure, match="none of its `samples` maps floats to finite"):
            check(cube)


@pytest.mark.parametrize(
    ("module", "limit", "check", "said"),
    [
        (native, "WANTED_SHAPES", native.check_derived_calls, "calls of 9"),
        (gradients, "WANTED_SHAPES", gradients.check_gradient, "differentiable calls of"),
        (gradients, "COMPILED", gradients.check_native_gradient, "listed differentiable calls of"),
    ],
)
def test_too_few_shapes(
    cube: type[FloatUnary],
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    limit: str,
    check: Callable[[type[TensorOp]], int],
    said: str,
) -> None:
    few = cube.samples()[:9]
    monkeypatch.setattr(cube, "samples", lambda: few)
    monkeypatch.setattr(gradients, "more_shapes", lambda *_: [])
    monkeypatch.setattr(native, "more_shapes", lambda *_: [])
    monkeypatch.setattr(native, "corner_cases", lambda *_: ([], {}))
    monkeypatch.setattr(module, limit, 99)
    with pytest.raises(Failure, match=f"there are {said}.* shapes, expected 99"):
        check(cube)


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
    x = np.array([1e6, -1e6, 1.0], np.float32)
    ((exact, unit),) = exact_and_unit(lambda arrays: [arrays[0].sum()], [x])
    assert exact == 1.0
    assert error_in_ulps(np.float32(1.0625), exact, unit) <= 2
    assert error_in_ulps(np.float32(3), exact, unit) > 4


@pytest.mark.parametrize("drawing", range(6))
def test_units_measure_the_rounding_of_the_forward_pass(drawing: int) -> None:
    """y * (dy - sum of dy * y) cancels if one y is near 1."""
    case = next(c for c in native.cases_of(registry["flow.softmax"]) if c.shapes == ((2, 2, 2, 2),))
    assert native.check_calls([gradients.gradient_call(case, case, drawing)]) == 1


def test_units_of_results_that_seem_wrong_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch, cube: type[FloatUnary]
) -> None:
    """The units of a few drawings may all be near 0 by chance."""
    drawn: list[int] = []

    def by_chance(evaluate: Any, arrays: Any, rounded: Any, drawings: int = DRAWINGS) -> Any:
        drawn.append(drawings)
        found = exact_and_unit(evaluate, arrays, rounded, drawings)
        return [(exact * (1.1 if drawings == DRAWINGS else 1), unit) for exact, unit in found]

    monkeypatch.setattr(native, "exact_and_unit", by_chance)
    assert native.check_own_calls(cube) > 8
    assert set(drawn) == {DRAWINGS, CONFIRMING}


def test_a_cost_that_is_wrong(cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch) -> None:
    assert work.check_cost(cube) > 8
    monkeypatch.setattr(work, "cost_of", lambda op: cost_of(op) + Cost(flops=1))
    with pytest.raises(Failure, match=r"stated as Cost\(flops=3, .* counted as Cost\(flops=2"):
        work.check_cost(cube)


def test_a_slice_costs_what_it_reads() -> None:
    op = instance("flow.slice", np.zeros((100, 8), "f4"), starts=[3, 0], sizes=[1, 8], steps=[1, 1])
    assert cost_of(op) == Cost(read=32, written=32)


def test_sharing_that_does_not_hold(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sharing.check_derived_signatures(cube) > 20
    assert sharing.check_signatures_are_complete(cube) > 20
    monkeypatch.setattr(sharing, "signatures", lambda op: [SbpSignature(("P",), ("P",))])
    with pytest.raises(Failure, match=r"the derived P -> P does not hold on 2 ranks"):
        sharing.check_derived_signatures(cube)
    monkeypatch.setattr(sharing, "signatures", lambda op: [SbpSignature(("B",), ("B",))])
    with pytest.raises(Failure, match=r"S\(0\) -> S\(0\) holds on even splits and is not derived"):
        sharing.check_signatures_are_complete(cube)


def test_facets_neither_stated_nor_waived(
    cube: type[FloatUnary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cube, "waived", {"lower": "it is written otherwise"})
    with pytest.raises(Failure, match="waives lower, which it has"):
        stated.check_stated(cube)
    monkeypatch.setattr(cube, "waived", {})
    for name, without, lacks in (
        ("formula", None, r"reference \(by `formula`\)"),
        ("reference", TensorOp.reference, "reference"),
    ):
        with monkeypatch.context() as m:
            m.setattr(cube, name, without)
            with pytest.raises(Failure, match=f"lacks {lacks}: give it, or say why not"):
                stated.check_stated(cube)


def test_windows_that_do_not_overlap_are_split_between() -> None:
    x = np.zeros((2, 2, 6, 8), "f4")
    pool = instance("flow.sum_pool", x, window=[2, 2], strides=[2, 2], channels_last=False)
    found = list(map(str, signatures(pool)))
    assert "S(2) -> S(2) (ranks divide 3)" in found
    assert "S(3) -> S(3) (ranks divide 4)" in found
    overlapping = instance("flow.sum_pool", x, window=[3, 2], strides=[2, 2], channels_last=False)
    assert not any("S(2)" in signature for signature in map(str, signatures(overlapping)))


def test_pointwise_convolutions_are_split_anywhere() -> None:
    x, w = np.zeros((2, 2, 6, 8), "f4"), np.zeros((4, 2, 1, 1), "f4")
    conv = instance("flow.conv", x, w, strides=[1, 1], dilations=[1, 1], channels_last=False)
    assert {"S(2), B -> S(2)", "S(3), B -> S(3)"} < set(map(str, signatures(conv)))


def attended(q: Any, k: Any, v: Any, scale: float, spoilt: str = "") -> tuple[Any, Any]:
    """Attention as tensor cores compute it: in float32, with chances rounded to 16 bits."""
    wide = [one.astype(np.float32) for one in (q, k, v)]
    scores = wide[0] @ np.swapaxes(wide[1], -1, -2) * np.float32(scale)
    if spoilt == "a score":
        scores[..., 1] += np.float32(2.0**-4)
    highest = scores.max(-1, keepdims=True)
    e = np.exp(scores - highest)
    rounded = e.astype(q.dtype).astype(np.float32)
    total = (rounded if spoilt == "rounded sums" else e).sum(-1, keepdims=True)
    if spoilt == "a key":
        rounded[..., -1] = 0
    y = rounded @ wide[2] / total
    if spoilt == "scaled":
        y = y * np.float32(1 + 4 * float(ml_dtypes.finfo(q.dtype).eps))
    return y.astype(q.dtype), (np.log(total) + highest)[..., 0]


@pytest.mark.parametrize("element", HALVES)
def test_kernels_may_round_chances_and_nothing_else(element: Type) -> None:
    """What rounding alone gives is within the bound, and 8 roundings of a result are not."""
    (case,) = (
        case for case in native.derived_cases(registry["flow.attention"])
        if {one.element for one in case.types} == {element} and case.shapes[0] == (2, 19, 32)
    )  # fmt: skip
    arrays, scale = case.arrays(), case.sample.attributes["scale"]
    pairs = exact_and_unit(case.reference, arrays)
    rooms = case.rounding(in_float64(arrays))

    def errors(spoilt: str, rooms: Sequence[Any]) -> float:
        return max(
            errors_in_ulps(got, exact, unit, least=case.cls.least, room=room).max()
            for got, (exact, unit), room in zip(
                attended(*arrays, scale, spoilt), pairs, rooms, strict=True
            )
        )

    assert errors("", rooms) <= 4
    assert errors("", [0.0, 0.0]) > case.cls.ulps
    for spoilt in ("a score", "rounded sums", "a key", "scaled"):
        assert errors(spoilt, rooms) > case.cls.ulps, spoilt
