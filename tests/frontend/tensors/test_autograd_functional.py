"""Jacobians and products with them, against stated values."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.autograd import functional, grad


def tensor(*numbers: float) -> Any:
    return flow.tensor(list(numbers), dtype=flow.float64)


X, Y = tensor(1.0, 2.0), tensor(3.0, 5.0, 7.0)


def outer(x: Any, y: Any) -> Any:
    return x.reshape(2, 1) * y


class TestJacobian:
    def test_several_inputs(self) -> None:
        by_x, by_y = functional.jacobian(outer, (X, Y))
        assert (by_x.shape, by_y.shape) == ((2, 3, 2), (2, 3, 3))
        np.testing.assert_array_equal(by_x.numpy(), np.einsum("j,ik->ijk", Y.numpy(), np.eye(2)))
        np.testing.assert_array_equal(by_y.numpy(), np.einsum("i,jk->ijk", X.numpy(), np.eye(3)))

    def test_several_outputs(self) -> None:
        first, second = functional.jacobian(lambda x: (x * x, x.sum()), X)
        assert first.tolist() == [[2.0, 0.0], [0.0, 4.0]]
        assert second.tolist() == [1.0, 1.0]

    def test_it_can_be_differentiated(self) -> None:
        x = tensor(1.0, 2.0).requires_grad_()
        made = functional.jacobian(lambda x: x * x * x, x, create_graph=True)
        assert grad(made.sum(), x)[0].tolist() == [6.0, 12.0]

    def test_outputs_that_do_not_depend(self) -> None:
        assert functional.jacobian(lambda x: Y, X).tolist() == [[0.0, 0.0]] * 3
        with pytest.raises(RuntimeError, match="does not depend on input 0"):
            functional.jacobian(lambda x: Y, X, strict=True)

    def test_an_output_of_no_element(self) -> None:
        assert functional.jacobian(lambda x: x[:0], X).shape == (0, 2)

    def test_the_inputs_are_left_alone(self) -> None:
        x = tensor(1.0)
        functional.jacobian(lambda x: x * x, x)
        assert not x.requires_grad
        assert x.grad is None


class TestHessian:
    def test_one_input(self) -> None:
        made = functional.hessian(lambda x: (x * x * x).sum() + x[0] * x[1], X)
        assert made.tolist() == [[6.0, 1.0], [1.0, 12.0]]

    def test_several_inputs(self) -> None:
        (xx, xy), (yx, yy) = functional.hessian(lambda x, y: (x.sum() * y * y).sum(), (X, Y))
        assert xx.tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert xy.tolist() == [[6.0, 10.0, 14.0]] * 2
        assert yx.tolist() == np.transpose(xy.numpy()).tolist()
        assert yy.tolist() == (6.0 * np.eye(3)).tolist()

    def test_the_function_gives_one_number(self) -> None:
        with pytest.raises(RuntimeError, match=r"must return one number, got shape \(2,\)"):
            functional.hessian(lambda x: x, X)


class TestProducts:
    def test_vjp(self) -> None:
        v = flow.ones(2, 3, dtype=flow.float64)
        value, (by_x, by_y) = functional.vjp(outer, (X, Y), v)
        assert value.tolist() == outer(X, Y).tolist()
        assert not value.requires_grad
        assert (by_x.tolist(), by_y.tolist()) == ([15.0, 15.0], [3.0, 3.0, 3.0])

    def test_jvp(self) -> None:
        _, made = functional.jvp(outer, (X, Y), (tensor(1.0, 0.0), tensor(0.0, 0.0, 1.0)))
        assert made.tolist() == [[3.0, 5.0, 8.0], [0.0, 0.0, 2.0]]

    def test_jvp_of_a_linear_function(self) -> None:
        assert functional.jvp(lambda x: x * 3.0, X, X)[1].tolist() == [3.0, 6.0]

    def test_v_is_one_where_there_is_one_number(self) -> None:
        assert functional.vjp(lambda x: x.sum(), X)[1].tolist() == [1.0, 1.0]
        with pytest.raises(RuntimeError, match="needs v, a tensor like"):
            functional.vjp(lambda x: x, X)

    def test_v_has_the_shape(self) -> None:
        with pytest.raises(RuntimeError, match=r"must have shapes \[\(2,\)\], got \[\(3,\)\]"):
            functional.vjp(lambda x: x, X, Y)
