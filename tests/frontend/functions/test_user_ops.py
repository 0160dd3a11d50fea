"""User-defined ops: in jobs, as text, in artifacts, as PTX, redefined, and invalid ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.codecs import FLOAT
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.elementwise import FloatUnary, Unary
from penstock.ir.meaning.irdl import irdl_text
from penstock.ir.opdef import attribute, operand, registry
from penstock.ir.write import scalars
from penstock.runtime import load
from penstock.testing import CHECKS, check


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    """Jobs and ops are removed after each test."""
    flow.clear_default_session()
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)


def cube() -> type[FloatUnary]:
    class Cube(FloatUnary):
        """The cube: y = x * x * x.

        Shapes: y has the shape of x. Elements: floats. Source: numpy.power with 3.

        >>> from penstock.ir.dialects.flow import evaluate
        >>> evaluate("mine.cube", [2.0])
        array([8.], dtype=float32)
        """

        name = "mine.cube"
        formula = staticmethod(lambda x: x * x * x)

        def scalar(self, b: Any, x: Any) -> Any:
            return scalars.mul(b, scalars.mul(b, x, x), x)

        def derivative(self, b: Any) -> Any:
            return make.multiply(b, make.unary(b, "square", self.x), 3)

    return Cube


X = np.array([-1, 0.5, 2], np.float32)


def job_of(op: Any) -> Any:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.call_op(op, x, name="cubed")

    return job


def test_the_class_and_the_name_call_it() -> None:
    assert np.array_equal(job_of(cube())(X), X**3)
    flow.clear_default_session()
    assert np.array_equal(job_of("mine.cube")(X), X**3)


def test_it_passes_every_test() -> None:
    counts = check(cube())
    assert counts["gradient"] >= 20
    assert min(counts.values()) > 0


def test_a_wrong_kernel_fails_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    cls = cube()
    monkeypatch.setattr(cls, "scalar", lambda self, b, x: scalars.mul(b, x, x))
    with pytest.raises(AssertionError):
        check(cls)


BREAKING: Sequence[tuple[str, Any, str, str]] = (
    ("infer", "infer", lambda self: [][0], "raised IndexError: list index out of range"),
    ("infer", "infer", lambda self: None, "gave None: expected a list of types"),
    ("infer", "formula", staticmethod(lambda x: x.cube()), "raised AttributeError: "),
    ("infer", "reference", lambda self, x: x, "gave .* expected a list of arrays"),
    ("lowered", "scalar", lambda self, b, x: 1 / 0, "raised ZeroDivisionError: division by zero"),
    ("lowered", "scalar", lambda self, b, x: x * x, "raised TypeError: unsupported operand"),
    ("lowered", "scalar", lambda self, b, x: None, "gave None: expected a value of type f32"),
    ("lowered", "lower", lambda self, b: [], r"gave \[\] of type list: expected a list of values"),
    ("lowered", "lower", lambda self, b: [make.matmul(b, self.x, self.x)],
     "made an op that is refused: flow.matmul: "),
    ("gradient", "derivative", lambda self, b: make.unary(b, "sqare", self.x),
     "raised ValueError: there is no op flow.sqare: did you mean flow.square?"),
    ("gradient", "grad", lambda self, b, given: given[0], "gave .*: expected a list of 1, "),
)  # fmt: skip


@pytest.mark.parametrize(("what", "method", "broken", "said"), BREAKING)
def test_an_exception_in_a_method_is_reported(
    what: str, method: str, broken: Any, said: str
) -> None:
    cls = cube()
    setattr(cls, method, broken)
    own = rf"its `{method}` \(.*test_user_ops\.py:\d+\) {said}"
    with pytest.raises(AssertionError, match=rf"^mine\.cube\(<.*f32>\): {own}"):
        CHECKS[what][0](cls)

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        y = flow.call_op(cls, x * flow.get_variable("w", (3,), initializer=flow.ones_initializer()))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(y)
        return y

    if method not in ("formula", "reference"):
        with pytest.raises(ValueError, match=rf"test_user_ops\.py:\d+: mine\.cube: {own}"):
            job.lower()


def test_only_ops_are_checked() -> None:
    with pytest.raises(TypeError, match=r"test_user_ops\.py:\d+: .*check takes the class or the n"):
        check(int)  # type: ignore[arg-type]


def test_text_of_each_stage_runs() -> None:
    """Even if the module has no other op."""
    lowered = job_of(cube()).lower()
    for stage in ("job", "grad", "placed", "fused", "loops"):
        assert np.array_equal(flow.compile(lowered.as_text(stage))(X), X**3), stage


def test_gradients_flow_through_it() -> None:
    cls = cube()

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        y = flow.call_op(cls, x * w)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(y)
        return w

    job(X)
    assert np.allclose(job(X), 1 - 0.5 * 3 * X**3 / 3)


def test_an_artifact_needs_no_class(tmp_path: Path) -> None:
    flow.save_artifact(tmp_path / "cube.pstk", job_of(cube()))
    del registry["mine.cube"]
    assert np.array_equal(load(tmp_path / "cube.pstk").jobs["job"](X), X**3)


def test_ptx_of_its_group() -> None:
    text = job_of(cube()).lower().ptx("sm_90")
    assert ".target sm_90" in text
    assert ".visible .entry cube_0" in text
    assert text.count("mul.rn.f32") == 2


def test_ptx_of_any_job() -> None:
    @flow.global_function()
    def product(x: tp.Numpy.Placeholder((3, 3))) -> tp.Numpy:
        return flow.matmul(x, x)

    assert ".visible .entry" in product.lower().ptx()
    with pytest.raises(ValueError, match="there is no architecture 'sm_1' to compile for"):
        product.lower().ptx("sm_1")
    with pytest.raises(ValueError, match="stage fused comes with its lower"):
        product.trace().ptx()


def test_irdl_describes_its_dialect() -> None:
    assert "irdl.dialect @mine" not in irdl_text()
    cube()
    assert "irdl.dialect @mine {\n  irdl.operation @cube {" in irdl_text()


def test_rerunning_a_cell_redefines_the_op() -> None:
    first, second = cube(), cube()
    assert registry["mine.cube"] is second
    with pytest.raises(ValueError, match="call_op: Cube is registered under no name"):
        job_of(first)(X)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("flow.relu", "op flow.relu is defined twice: by "),
        ("cube", r"the malformed op name 'cube': expected DIALECT\.NAME"),
        ("my ops.cube", "has the malformed op name"),
        ("mine.", "has the malformed op name"),
        ("mine.a.b", "has the malformed op name"),
        (3, "has the malformed op name 3"),
        (
            "flow.cube",
            "names op flow.cube in a dialect of penstock's own: expected one other",
        ),
    ],
)
def test_a_bad_name_is_refused(name: object, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        type("Cube", (FloatUnary,), {"name": name, "__doc__": "The cube."})


MEMBERS: Sequence[tuple[Any, str]] = (
    (lambda: {"a": attribute(float)},  # type: ignore[arg-type]
     r"mine.cube: a = attribute\(...\) takes one of penstock.ir.codecs such as FLOAT, got <class"),
    (lambda: {"a": attribute(FLOAT, "b")},  # type: ignore[arg-type]
     "mine.cube: a: the default must be a float, got 'b' of type str"),
    (lambda: {"q": operand(int)},  # type: ignore[arg-type]
     r"q = operand\(...\) takes one of penstock.ir.constraints such as TENSOR, got <class 'int'>"),
    (lambda: {"q": operand}, "mine.cube: q is the class operand: call it"),
    (lambda: {"location": operand()}, "cannot be an operand: every op has a location; name it oth"),
)  # fmt: skip


@pytest.mark.parametrize(("members", "said"), MEMBERS)
def test_an_invalid_member_is_refused(members: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        type("Cube", (FloatUnary,), {"name": "mine.cube", "__doc__": "The cube.", **members()})


def test_a_class_without_a_docstring_is_refused() -> None:
    with pytest.raises(TypeError, match="op mine.bare has no docstring"):
        type("Bare", (Unary,), {"name": "mine.bare", "__doc__": ""})


BUILT: Sequence[tuple[Any, str]] = (
    (lambda b, x: b.Op("mine.cub"), "there is no op 'mine.cub': did you mean 'mine.cube'"),
    (lambda b, x: b.Input("x", [x]), "call Op with its name first"),
    (lambda b, x: b.Op("mine.cube").Input("in", [x]), "has no operand 'in': expected one of 'x'"),
    (lambda b, x: b.Op("mine.cube").Input("x", x), r"Input\('x'\) takes a list of blobs, got"),
    (lambda b, x: b.Op("mine.cube").Output("out"), "has no result 'out': expected one of 'y'"),
    (lambda b, x: b.Op("mine.cube").Output("y", 0), "takes a number of at least 1, got 0"),
    (lambda b, x: b.Op("mine.cube").Attr("a", 1), "has no attribute 'a': expected one of none"),
    (lambda b, x: b.Op("mine.cube").Build(), "takes one blob as 'x', got 0"),
    (lambda b, x: b.Op("mine.cube").Input("x", [x]).Build().RemoteBlobList(), "InferAndTryRun"),
    (lambda b, x: b.Op("softmax").Input("x", [x]).Attr("axis", 3).Build().InferAndTryRun(),
     "expected axis from 0 to 0, got 3"),
    (lambda b, x: b.Op("sort").Input("x", [x]).Build().InferAndTryRun().SoleOutputBlob(),
     "has 2 results: use RemoteBlobList"),
    (lambda b, x: flow.call_op("mine.cube"), r"takes 1 operand \(x\), got 0"),
    (lambda b, x: flow.call_op("mine.cube", x, axis=0), "has no attribute 'axis': it has none"),
    (lambda b, x: flow.call_op("softmax", x, axis="a"),
     "flow.softmax: attribute axis must be an integer, got 'a' of type str"),
    (lambda b, x: flow.call_op("softmax", x, axis=0.5), "axis must be an integer, got 0.5 of type"),
    (lambda b, x: flow.call_op("softmax", x, axis=2**70), "does not fit i64"),
    (lambda b, x: flow.call_op("leaky_relu", x, alpha="1"), "alpha must be a float, got '1' of"),
    (lambda b, x: flow.call_op("transpose", x, permutation="0"), "permutation must be a list of"),
    (lambda b, x: flow.call_op("cast", x, element="f32"), "element must be a type, got 'f32' of"),
    (lambda b, x: flow.call_op(3, x), "takes the class or the name of a tensor op, got 3"),
    (lambda b, x: flow.user_op_builder(3), "takes a name, a string, got 3"),
)  # fmt: skip


@pytest.mark.parametrize(("wrong", "said"), BUILT, ids=[said for _, said in BUILT])
def test_an_invalid_call_is_an_error(wrong: Any, said: str) -> None:
    cube()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        wrong(flow.user_op_builder("call"), x)
        return x

    with pytest.raises((TypeError, ValueError), match=rf"test_user_ops\.py:\d+: .*{said}"):
        job(X)


def test_the_builder_calls_any_op() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        cast = flow.user_op_builder("whole").Op("cast").Input("x", [x]).Output("y")
        whole = cast.Attr("element", flow.int32).Build().InferAndTryRun().SoleOutputBlob()
        order = flow.user_op_builder("order").Op("flow.sort").Input("x", [x])
        found = order.Attr("descending", True).Build().InferAndTryRun()
        values, places = found.RemoteBlobList()
        assert found.RemoteBlobDict() == {"y": [values], "indices": [places]}
        return whole, values, places

    whole, values, places = job(X)
    assert whole.tolist() == [-1, 0, 2]
    assert values.tolist() == [2, 0.5, -1]
    assert places.tolist() == [2, 1, 0]


def built(op: str, inputs: dict[str, list[Any]], outputs: dict[str, int], **attributes: Any) -> Any:
    call = flow.user_op_builder().Op(op)
    for name, blobs in inputs.items():
        call = call.Input(name, blobs)
    for name, count in outputs.items():
        call = call.Output(name, count)
    for name, value in attributes.items():
        call = call.Attr(name, value)
    return call.Build().InferAndTryRun().RemoteBlobList()


def test_parts_like_other_blobs_have_gradients() -> None:
    seen = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 5))) -> list[tp.Numpy]:
        x = x + flow.get_variable("x", (2, 5), initializer=flow.zeros_initializer())
        like = [flow.zeros((2, 2)), flow.zeros((2, 3))]
        parts = built("split_like", {"in": [x], "like": like}, {"out": 2}, axis=1)
        flow.optimizer.SGD(lr=0.0).minimize(parts[0])
        flow.watch_diff(x, lambda gradient: seen.append(gradient.numpy() != 0))
        return parts

    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    left, right = job(x)
    np.testing.assert_array_equal(np.concatenate([left, right], 1), x)
    assert seen[0].tolist() == [[True, True, False, False, False]] * 2


def test_a_cast_and_a_scale() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3,)), scale: tp.Numpy.Placeholder((1,), dtype=flow.float64)
    ) -> tp.Numpy:
        return built("fused_cast_scale", {"x": [x], "scalar": [scale]}, {"y": 1})[0]

    y = job(X, np.array([0.1]))
    assert y.dtype == np.float64
    np.testing.assert_array_equal(y, X.astype(np.float64) * 0.1)


@pytest.mark.parametrize(
    ("bad", "period", "wanted"), [(1, 1, (50.0, 0)), (0, 1, (200.0, 0)), (0, 10, (100.0, 2))]
)
def test_loss_scales_follow_a_schedule(bad: int, period: int, wanted: tuple[float, int]) -> None:
    def variables() -> tuple[Any, Any]:
        start = flow.constant_initializer
        return (
            flow.get_variable("scale", (1,), initializer=start(100.0), trainable=False),
            flow.get_variable("good", (1,), flow.int64, start(1, flow.int64)),
        )

    @flow.global_function()
    def step(count: tp.Numpy.Placeholder((1,), dtype=flow.int64)) -> tp.Numpy:
        scale, good = variables()
        inputs = {"count_not_finite": [count], "loss_scale": [scale], "good_step_counter": [good]}
        built("dynamic_loss_scale_schedule", inputs, {}, increment_period=period, multiplier=2.0)
        return scale

    @flow.global_function()
    def read() -> tuple[tp.Numpy, tp.Numpy]:
        return variables()

    step(np.array([bad]))
    scale, good = read()
    assert (scale.item(), good.item()) == wanted


@pytest.mark.parametrize(
    ("op", "inputs", "said"),
    [
        (
            "split_like",
            {"in": ["x"], "like": ["x", "x"]},
            "takes blobs that are together as long as 'in'",
        ),
        ("fused_cast_scale", {"x": ["x"], "scalar": ["x"]}, r"takes a scalar of shape \(1,\)"),
        (
            "dynamic_loss_scale_schedule",
            {"count_not_finite": ["x"], "loss_scale": ["x"], "good_step_counter": ["x"]},
            r"takes blob x as flow.int64 of shape \(1,\), got flow.float32 of shape \(3,\)",
        ),
    ],
)
def test_refused_parts_of_composed_ops(op: str, inputs: dict[str, list[str]], said: str) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return built(op, {name: [x for _ in blobs] for name, blobs in inputs.items()}, {})[0]

    with pytest.raises(ValueError, match=rf"test_user_ops\.py:\d+: {op} {said}"):
        job(X)
