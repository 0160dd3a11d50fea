"""Functions of blobs against NumPy: the public names, their arguments and broadcasting."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, np.dtype[Any]]
math = flow.math

A = np.array([[0.5, -1.5, 2.0], [-0.25, 3.0, 1.0]], np.float32)
B = np.array([[1.0, 2.0, -4.0], [0.5, 3.0, -1.0]], np.float32)


def run(body: Callable[..., Any], *arrays: Array) -> Any:
    """The results of a body on these arrays, in a new job."""
    flow.clear_default_session()
    placeholders = [
        tp.Numpy.Placeholder(array.shape, dtype=getattr(flow, array.dtype.name)) for array in arrays
    ]
    if len(arrays) == 1:

        def one(x: placeholders[0]) -> tp.Bundle[tp.Numpy]:  # type: ignore[valid-type]
            return body(x)

        return flow.global_function()(one)(*arrays)

    def two(x: placeholders[0], y: placeholders[1]) -> tp.Bundle[tp.Numpy]:  # type: ignore[valid-type]
        return body(x, y)

    return flow.global_function()(two)(*arrays)


OPERATORS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("+", lambda x, y: x + y),
    ("-", lambda x, y: x - y),
    ("*", lambda x, y: x * y),
    ("/", lambda x, y: x / y),
    ("%", lambda x, y: x % y),
    ("==", lambda x, y: x == y),
    ("!=", lambda x, y: x != y),
    ("<", lambda x, y: x < y),
    ("<=", lambda x, y: x <= y),
    (">", lambda x, y: x > y),
    (">=", lambda x, y: x >= y),
]


@pytest.mark.parametrize(("sign", "formula"), OPERATORS, ids=[sign for sign, _ in OPERATORS])
def test_operators(sign: str, formula: Callable[[Any, Any], Any]) -> None:
    for other in (B, B[:, :1], B[0]):
        np.testing.assert_allclose(run(formula, A, other), formula(A, other), rtol=1e-6)
    for number in (2, -0.5, np.float32(1.5)):
        right = run(lambda x, n=number: formula(x, n), A)
        np.testing.assert_allclose(right, formula(A, np.float32(number)), rtol=1e-6)
        left = run(lambda x, n=number: formula(n, x), A)
        np.testing.assert_allclose(left, formula(np.float32(number), A), rtol=1e-6)
    result = run(formula, A, B)
    assert result.dtype == (np.float32 if sign in "+-*/%" else np.int8)


UNARY: dict[str, Callable[[Array], Any]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log1p": np.log1p,
    "negative": np.negative,
    "reciprocal": np.reciprocal,
    "relu": lambda x: np.maximum(x, 0),
    "rint": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sign": np.sign,
    "sin": np.sin,
    "sqrt": np.sqrt,
    "square": np.square,
    "tanh": np.tanh,
}


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_blob(name: str) -> None:
    x = np.abs(A) if name in ("log", "sqrt", "rsqrt", "log1p") else A
    np.testing.assert_allclose(run(getattr(math, name), x), UNARY[name](x), rtol=2e-6)


BINARY: dict[str, Callable[[Array, Array], Any]] = {
    "add": np.add,
    "divide": np.divide,
    "equal": np.equal,
    "floordiv": np.floor_divide,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "mod": np.mod,
    "multiply": np.multiply,
    "not_equal": np.not_equal,
    "pow": np.power,
    "squared_difference": lambda x, y: (x - y) ** 2,
    "subtract": np.subtract,
}


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_blobs(name: str) -> None:
    x = np.abs(A) if name == "pow" else A
    np.testing.assert_allclose(run(getattr(math, name), x, B), BINARY[name](x, B), rtol=2e-6)


def test_every_thin_function_is_tested() -> None:
    from penstock.math import _BINARY, _UNARY

    untried = {"erf", "gelu", "sigmoid_v2", "tanh_v2"}
    elsewhere = {  # in test_elementwise
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cosh", "digamma", "erfc",
        "erfinv", "exp2", "is_finite", "is_inf", "is_nan", "lgamma", "log2", "log_sigmoid",
        "logical_and", "logical_not", "logical_or", "logical_xor", "reciprocal_no_nan", "round",
        "sinh", "softplus", "tan", "xdivy", "xlogy",
    }  # fmt: skip
    assert set(_UNARY) - untried - elsewhere == set(UNARY)
    assert set(_BINARY) - elsewhere == set(BINARY) - {"squared_difference"}


def test_thin_functions_have_names_and_docstrings() -> None:
    assert math.exp.__name__ == "exp"
    assert math.exp.__module__ == "penstock.math"
    assert "e to the x" in (math.exp.__doc__ or "")
    assert math.exp is math.exp
    assert "exp" in dir(math)


C = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7 + 1


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
@pytest.mark.parametrize("axis", [None, 0, -1, [0, 2], (1,)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(name: str, axis: Any, keepdims: bool) -> None:
    reduce = getattr(math, f"reduce_{name}")
    found = run(lambda x: reduce(x, axis, keepdims), C)
    axes = tuple(axis) if isinstance(axis, list) else axis
    expected = np.asarray(getattr(np, name)(C, axis=axes, keepdims=keepdims))
    assert found.shape == (expected.shape or (1,))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def softmax(x: Array, axis: int) -> Any:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


CASES: list[tuple[str, Callable[..., Any], Callable[..., Any]]] = [
    ("add_n", lambda x: math.add_n([x, x, x]), lambda x: x * 3),
    ("argmax", lambda x: math.argmax(x), lambda x: x.argmax(-1)),
    ("argmax 0", lambda x: math.argmax(x, axis=0), lambda x: x.argmax(0)),
    ("reshape", lambda x: flow.reshape(x, (4, -1)), lambda x: x.reshape(4, -1)),
    ("reshape_like", lambda x: flow.reshape_like(x, flow.zeros((24,))), lambda x: x.reshape(24)),
    ("flatten", lambda x: flow.flatten(x), lambda x: x.reshape(-1)),
    ("flatten 1", lambda x: flow.flatten(x, 1), lambda x: x.reshape(2, 12)),
    ("expand_dims", lambda x: flow.expand_dims(x, -1), lambda x: x[..., None]),
    ("squeeze", lambda x: flow.squeeze(flow.expand_dims(x, 0)), lambda x: x),
    ("squeeze 1", lambda x: flow.squeeze(flow.expand_dims(x, 1), [1]), lambda x: x),
    ("squeeze all", lambda x: flow.squeeze(x[:1, :1, :1]), lambda x: x[:1, 0, 0]),
    ("transpose", lambda x: flow.transpose(x), lambda x: x.T),
    ("transpose 1", lambda x: flow.transpose(x, [0, -1, 1]), lambda x: x.transpose(0, 2, 1)),
    ("cast", lambda x: flow.cast(x * 0.75, flow.int32), lambda x: (x * 0.75).astype(np.int32)),
    ("identity", flow.identity, lambda x: x),
    ("where", lambda x: flow.where(x > 3, x, 0), lambda x: np.where(x > 3, x, 0)),
    ("where 1", lambda x: flow.where(x > 3, 1, x), lambda x: np.where(x > 3, 1, x)),
    ("slice", lambda x: flow.slice(x, [None, 1, -2], [1, -1, 1]), lambda x: x[:1, 1:, -2:-1]),
    (
        "slice_v2",
        lambda x: flow.slice_v2(x, [(None, None, None), (0, 3, 2), (-3, -1, 1)]),
        lambda x: x[:, 0:3:2, -3:-1],
    ),
    ("slice_v2 1", lambda x: flow.slice_v2(x, [(1, None, None)]), lambda x: x[1:]),
    ("concat", lambda x: flow.concat([x, x + 1], -1), lambda x: np.concatenate([x, x + 1], -1)),
    ("concat 1", lambda x: flow.concat(values=[x, x], axis=1), lambda x: np.concatenate([x, x], 1)),
    ("stack", lambda x: flow.stack([x, x + 1], 1), lambda x: np.stack([x, x + 1], 1)),
    (
        "pad",
        lambda x: flow.pad(x, [(0, 1), (2, 0), (1, 1)], 5),
        lambda x: np.pad(x, [(0, 1), (2, 0), (1, 1)], constant_values=5),
    ),
    (
        "broadcast_like",
        lambda x: flow.broadcast_like(flow.reshape(x, (1, 24)), flow.zeros((3, 24))),
        lambda x: np.broadcast_to(x.reshape(1, 24), (3, 24)),
    ),
    (
        "broadcast_like 1",
        lambda x: flow.broadcast_like(flow.reshape(x, (24,)), flow.zeros((24, 2)), [1]),
        lambda x: np.repeat(x.reshape(24, 1), 2, 1),
    ),
    ("constant", lambda x: flow.constant(2.5, flow.float) + x, lambda x: x + 2.5),
    ("constant_like", lambda x: flow.constant_like(x, 2), lambda x: np.full_like(x, 2)),
    ("constant_scalar", lambda x: flow.constant_scalar(2, flow.float) * x, lambda x: x * 2),
    ("zeros_like", lambda x: flow.zeros_like(x), np.zeros_like),
    ("ones_like", lambda x: flow.ones_like(x, flow.int32), lambda x: np.ones(x.shape, np.int32)),
    ("zeros", lambda x: flow.zeros((2,)), lambda x: np.zeros(2, np.float32)),
    ("ones", lambda x: flow.ones([2], flow.double), lambda x: np.ones(2)),
    ("softmax", lambda x: flow.nn.softmax(x), lambda x: softmax(x, -1)),
    ("softmax 1", lambda x: flow.nn.softmax(x, axis=1), lambda x: softmax(x, 1)),
    ("logsoftmax", lambda x: flow.nn.logsoftmax(x), lambda x: np.log(softmax(x, -1))),
    (
        "bias_add",
        lambda x: flow.nn.bias_add(x, flow.ones((3,)) * 2),
        lambda x: x + 2,
    ),
    (
        "bias_add NHWC",
        lambda x: flow.nn.bias_add(x, flow.ones((4,)), "NHWC"),
        lambda x: x + 1,
    ),
]


@pytest.mark.parametrize(("name", "body", "expected"), CASES, ids=[case[0] for case in CASES])
def test_functions(name: str, body: Callable[..., Any], expected: Callable[..., Any]) -> None:
    found, wanted = run(body, C), np.asarray(expected(C))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=2e-6)
    if wanted.dtype.kind == "f":
        assert found.dtype == wanted.dtype


def test_matmul() -> None:
    np.testing.assert_allclose(
        run(lambda a, b: flow.matmul(a, b, transpose_b=True), A, B), A @ B.T, rtol=1e-6
    )
    np.testing.assert_allclose(
        run(lambda a, b: flow.linalg.matmul(a, b, transpose_a=True, alpha=-3), A, B),
        -3 * (A.T @ B),
        rtol=1e-6,
    )


def test_one_hot() -> None:
    labels = np.array([[0, 2], [1, 0]], np.int32)
    eye = np.eye(3, dtype=np.float32)[labels]
    np.testing.assert_array_equal(run(lambda x: flow.one_hot(x, 3), labels), eye)
    found = run(lambda x: flow.one_hot(x, 3, 5, -1, axis=1, dtype=flow.int32), labels)
    np.testing.assert_array_equal(found, (eye * 6 - 1).transpose(0, 2, 1))
    assert found.dtype == np.int32


def test_cross_entropy_takes_labels_of_either_rank() -> None:
    logits = np.array([[1, 2, 3], [3, 1, 1]], np.float32)
    labels = np.array([2, 1], np.int32)
    expected = -np.log(softmax(logits, 1)[[0, 1], labels])
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits
    np.testing.assert_allclose(run(loss, labels, logits), expected, rtol=1e-6)
    np.testing.assert_allclose(run(loss, labels[:, None], logits), expected, rtol=1e-6)


def test_repr_of_a_blob() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3), dtype=flow.int32)) -> None:  # type: ignore[valid-type]
        y = flow.math.add(x, 1, name="more")
        assert y.shape == (2, 3)
        assert y.dtype is flow.int32
        assert y.unique_name == "more/out"
        assert repr(y) == "<blob more of flow.int32 and shape (2, 3)>"
        assert not y.is_dynamic
        assert y.with_distribute(flow.distribute.split(0)).value is y.value
        assert flow.math.add(x, 1, name="more").name == "more_1"
        assert len({x, y}) == 2

    job.trace()


def test_dense_keeps_outer_dimensions() -> None:
    def body(x: Any) -> Any:
        return flow.layers.dense(
            x, 2, kernel_initializer=flow.ones_initializer(), name="d",
            bias_initializer=flow.constant_initializer(0.5),
            model_distribute=flow.distribute.broadcast(),
        )  # fmt: skip

    expected = np.repeat(C.sum(-1, keepdims=True), 2, -1) + 0.5
    np.testing.assert_allclose(run(body, C), expected, rtol=1e-6)
    shapes = {name: live.shape for name, live in flow.get_all_variables().items()}
    assert shapes == {"d-weight": (2, 4), "d-bias": (2,)}
