"""Functions whose gradients the user writes."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.autograd import Function, grad


def leaf(*numbers: float) -> Any:
    return flow.tensor(list(numbers), dtype=flow.float64, requires_grad=True)


class Product(Function):
    """x * y + z times a number, and x unchanged by gradients."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, factor: float) -> Any:
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        return x * y * factor

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, y = ctx.saved_tensors
        return gradient * y * ctx.factor, gradient * x * ctx.factor, None


class Exponential(Function):
    """Saves its result."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = flow.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (y,) = ctx.saved_tensors
        return gradient * y


def test_gradients_are_the_users() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 5.0)
    made = Product.apply(x, y, 10.0)
    assert made.tolist() == [30.0, 100.0]
    assert made.grad_fn.name() == "Product_backward"
    made.sum().backward()
    assert x.grad.tolist() == [30.0, 50.0]
    assert y.grad.tolist() == [10.0, 20.0]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_gradients_of_gradients(order: int) -> None:
    x = leaf(0.5, 1.0)
    y = Exponential.apply(x) + Product.apply(x, x, 1.0) * x
    for _ in range(order):
        (y,) = grad(y.sum(), x, create_graph=True)
    cube = {1: 3 * x.numpy() ** 2, 2: 6 * x.numpy(), 3: 6.0}[order]
    np.testing.assert_allclose(y.numpy(), np.exp(x.numpy()) + cube)


def test_nothing_is_recorded_where_nobody_asks() -> None:
    asked: list[Any] = []

    class Noted(Exponential):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            asked.append((ctx.needs_input_grad, flow.is_grad_enabled()))
            return x * 2.0

    assert not Noted.apply(flow.ones(2)).requires_grad
    with flow.no_grad():
        assert not Noted.apply(leaf(1.0)).requires_grad
    assert Noted.apply(leaf(1.0)).requires_grad
    assert asked == [((False,), False), ((True,), False), ((True,), False)]


def test_several_results_and_those_without_gradient() -> None:
    given: list[Any] = []

    class Sorted(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            order = flow.argsort(x)
            ctx.mark_non_differentiable(order)
            ctx.order = order
            return x[order], order, x * 2.0

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            given.extend(gradients)
            made = flow.zeros_like(gradients[0])
            made[ctx.order] = gradients[0]
            return made + gradients[2] * 2.0

    x = leaf(3.0, 1.0, 2.0)
    values, order, _ = Sorted.apply(x)
    assert (values.requires_grad, order.requires_grad) == (True, False)
    (values * flow.tensor([1.0, 10.0, 100.0], dtype=flow.float64)).sum().backward()
    assert x.grad.tolist() == [100.0, 1.0, 10.0]
    assert given[2].tolist() == [0.0, 0.0, 0.0]  # in place of no gradient


def test_none_where_zeros_are_not_asked_for() -> None:
    given: list[Any] = []

    class Twice(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 1.0, x * 2.0

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            given.append(second)
            return first

    Twice.apply(leaf(1.0))[0].backward()
    assert given == [None]


def test_an_argument_that_is_given_back_is_a_tensor_of_its_own() -> None:
    class Reversal(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return -gradient

    x = leaf(1.0)
    made = Reversal.apply(x)
    assert made is not x
    assert x.is_leaf
    (made * 3.0).backward()
    assert x.grad.tolist() == [-3.0]


def test_what_is_saved_goes_with_the_result() -> None:
    x = leaf(1.0)
    y = x * 2.0
    made = Product.apply(y, y, 1.0)
    kept = weakref.ref(y)
    assert not gc.isenabled()  # as in all tests
    del y
    assert kept() is not None
    del made
    assert kept() is None


class TestErrors:
    def test_a_second_backward(self) -> None:
        made = Product.apply(leaf(1.0), leaf(2.0), 1.0)
        made.backward()
        with pytest.raises(RuntimeError, match=r"Product of .*test_autograd_function.py:\d+ a sec"):
            made.backward()

    def test_a_change_in_place(self) -> None:
        x = leaf(1.0)
        y = x * 1.0
        made = Product.apply(y, y, 1.0)
        y *= 2.0
        with pytest.raises(RuntimeError, match=r"backward of Product of .*changed in place since"):
            made.backward()

    @pytest.mark.parametrize(
        ("gradients", "text"),
        [
            (lambda g: (g, g), "1 gradient, one for each argument of forward, got 2"),
            (lambda g: g.sum(), r"a gradient of shape \(2,\) for argument 0, got shape \(\)"),
            (lambda g: 1.0, r"a gradient of shape \(2,\) for argument 0, got 1.0"),
        ],
    )
    def test_gradients_that_do_not_fit(self, gradients: Any, text: str) -> None:
        class Wrong(Exponential):
            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradients(gradient)

        with pytest.raises(RuntimeError, match=f"backward of Wrong must return {text}"):
            Wrong.apply(leaf(1.0, 2.0)).sum().backward()

    def test_none_for_more_arguments_than_there_are_is_let_pass(self) -> None:
        class Many(Exponential):
            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradient, None, None

        x = leaf(1.0)
        Many.apply(x).backward()
        assert x.grad.tolist() == [1.0]

    def test_results_are_tensors(self) -> None:
        class Plain(Exponential):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 1.0, 2.0

        # That a method of the package was compiled doesn't make its lines the user's.
        flow.jit(Exponential.apply)(leaf(1.0))
        with pytest.raises(
            TypeError, match=r"test_autograd_function.py:\d+: forward of Plain must"
        ):
            Plain.apply(leaf(1.0))

    def test_methods_that_are_missing(self) -> None:
        class Empty(Function):
            pass

        with pytest.raises(NotImplementedError, match="static method forward"):
            Empty.apply(leaf(1.0))

    def test_saving_what_is_no_tensor(self) -> None:
        class Saving(Exponential):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(1.0)

        with pytest.raises(TypeError, match="save_for_backward takes tensors, got 1.0; set an"):
            Saving.apply(leaf(1.0))
