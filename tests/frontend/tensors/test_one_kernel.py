"""Functions of several ops that run as one kernel: the numbers and errors of the ops one by one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.nn.functional as F
from penstock.nn.functional.convolution import _linear
from penstock.nn.functional.normalizing import _layer_norm
from penstock.tensor_functions.one_kernel import OneKernel
from penstock.tensor_functions.pointwise import add, mul
from penstock.tensors import kernels


def drawn(*shape: int, dtype: Any = flow.float32, requires_grad: bool = True) -> Any:
    values = np.random.default_rng(len(shape) + sum(shape)).standard_normal(shape)
    return flow.tensor(values, dtype=dtype, requires_grad=requires_grad)


def results(function: Callable[..., Any], operands: list[Any], **options: Any) -> list[Any]:
    """The result, and the gradient of each operand."""
    y = function(*operands, **options)
    wanted = [one for one in operands if one is not None]
    weights = drawn(*y.shape, dtype=y.dtype, requires_grad=False)
    return [y, *flow.autograd.grad(y, wanted, weights)]


FORMS = [
    (_linear, [drawn(5, 7), drawn(3, 7), drawn(3)], {}),
    (_linear, [drawn(2, 5, 7), drawn(3, 7), drawn(3)], {}),
    (_linear, [drawn(2, 5, 7, dtype=flow.float64), drawn(3, 7, dtype=flow.float64), None], {}),
    (_linear, [drawn(7), drawn(3, 7), drawn(3)], {}),
    (_linear, [drawn(0, 7), drawn(3, 7), None], {}),
    (_layer_norm, [drawn(6, 10), drawn(10), drawn(10)], {"normalized_shape": 10, "eps": 1e-5}),
    (_layer_norm, [drawn(6, 10), None, drawn(10)], {"normalized_shape": (10,), "eps": 0.1}),
    (_layer_norm, [drawn(2, 3, 4), drawn(3, 4), None], {"normalized_shape": [3, 4], "eps": 1e-5}),
    (_layer_norm, [drawn(6, 10), None, None], {"normalized_shape": (10,), "eps": 1e-5}),
]


@pytest.mark.parametrize("number", range(len(FORMS)))
class TestResults:
    def test_are_those_of_the_ops(self, number: int) -> None:
        function, operands, options = FORMS[number]
        expected = results(function.body, operands, **options)
        for _ in range(3):  # compiled, kept, run natively
            got = results(function, operands, **options)
            assert got[0].numpy().tobytes() == expected[0].numpy().tobytes()
            for mine, other in zip(got[1:], expected[1:], strict=True):
                assert np.allclose(mine.numpy(), other.numpy(), rtol=1e-5, atol=1e-5)

    def test_have_one_node(self, number: int) -> None:
        function, operands, options = FORMS[number]
        for _ in range(2):
            node = function(*operands, **options).grad_fn
            given = [one for one in operands if one is not None]
            assert [leaf.variable for leaf, _ in node.next_functions] == given
            assert node.name() == f"{function.name.partition('.')[2]}_backward"


def test_other_forms_are_other_kernels() -> None:
    x, w = drawn(4, 6, requires_grad=False), drawn(6, requires_grad=False)
    for eps in (0.0, -0.0, 0.5, 1, True, 1.0):
        for scale, shift in ((w, None), (None, w), (w, w)):
            for _ in range(2):
                with contextlib.suppress(TypeError):
                    got = F.layer_norm(x, (6,), scale, shift, eps)
                    body = _layer_norm.body(x, scale, shift, normalized_shape=(6,), eps=eps)
                    assert got.numpy().tobytes() == body.numpy().tobytes()


def test_types_are_promoted_as_by_the_ops() -> None:
    w, b = drawn(3, 5), drawn(3)
    for dtype in (flow.float32, flow.float64, flow.float16):
        scale, shift = w.to(dtype), b.to(dtype)
        x = drawn(2, 5).to(dtype)
        expected, got = _linear.body(x, scale, shift), F.linear(x, scale, shift)
        assert got.dtype is expected.dtype
        assert got.numpy().tobytes() == expected.numpy().tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: F.linear(drawn(2, 5), drawn(3, 4)), "F.linear takes an input [..., in]"),
        (lambda: F.linear(drawn(2, 5), drawn(3, 5), drawn(4)), "bias of F.linear"),
        (lambda: F.layer_norm(drawn(2, 5), (4,)), "F.layer_norm takes an input whose last"),
        (lambda: F.layer_norm(drawn(2, 5), {}), "normalized_shape of F.layer_norm must be ints"),
        (lambda: F.layer_norm(drawn(2, 5), (5,), eps=[]), "eps of F.layer_norm"),
        (lambda: F.layer_norm(drawn(2, 5), (5,), eps=-1), "eps of F.layer_norm"),
    ],
)
def test_errors_are_those_of_the_ops(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as found:
        call()
    assert message in str(found.value)
    assert "test_one_kernel.py" in str(found.value)


def test_gradients_of_gradients() -> None:
    def penalty(function: Callable[..., Any], *operands: Any, **options: Any) -> list[Any]:
        y = function(*operands, **options)
        (slope,) = flow.autograd.grad((y * y).sum(), operands[0], create_graph=True)
        return list(flow.autograd.grad((slope * slope).sum(), operands[1:]))

    forms = (
        (_linear, (drawn(3, 4), drawn(2, 4), drawn(2)), {}),
        (_layer_norm, (drawn(3, 4), drawn(4), drawn(4)), {"normalized_shape": 4, "eps": 0.1}),
    )
    for function, operands, options in forms:
        expected = penalty(function.body, *operands, **options)
        for mine, other in zip(penalty(function, *operands, **options), expected, strict=True):
            assert np.allclose(mine.numpy(), other.numpy(), rtol=1e-4, atol=1e-5)


def test_a_changed_operand_is_an_error() -> None:
    x, w = drawn(2, 3), drawn(4, 3)
    for _ in range(2):
        y = F.linear(x, w).sum()
        with flow.no_grad():
            w.mul_(2.0)
        with pytest.raises(RuntimeError, match="backward of flow.linear .* changed in place"):
            y.backward()


def test_ops_run_one_by_one_where_each_matters() -> None:
    x, w = drawn(2, 3), drawn(4, 3)
    with flow.autograd.detect_anomaly():
        assert F.linear(x, w).grad_fn.name() == "matmul_backward"
    compiled = flow.jit(lambda x: F.linear(x, w))
    assert np.allclose(compiled(x).numpy(), F.linear(x, w).numpy())


def test_a_new_number_of_rows_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    w = drawn(12, requires_grad=False)
    for count in (300, 301):
        x = drawn(count, 12, requires_grad=False)
        assert F.layer_norm(x, (12,), w, w).shape == (count, 12)
        monkeypatch.setattr(kernels, "compile_stages", None)


def test_any_function_of_ops() -> None:
    fused = OneKernel(lambda x, y, factor: add(mul(x, factor), y), "flow.axpy")
    x, y = drawn(3, 4), drawn(4)
    for factor in (2.0, 3.0, 2.0):
        got = fused(x, y, factor=factor)
        assert np.allclose(got.numpy(), x.numpy() * factor + y.numpy())
        got.sum().backward()
    assert np.allclose(x.grad.numpy(), 7.0)
    assert np.allclose(y.grad.numpy(), 9.0)
