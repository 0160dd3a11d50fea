"""Gradients: of gradients, through hooks, of inputs that are no leaves, and where they stop."""

import gc
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import autograd


def leaf(*numbers: float) -> Any:
    return flow.tensor(list(numbers), dtype=flow.float64, requires_grad=True)


class TestGrad:
    def test_gradients_of_gradients(self) -> None:
        x = leaf(1.0, 2.0)
        y = (x * x * x * x).sum()
        factors = [4.0, 12.0, 24.0, 24.0, 0.0]
        for order, factor in enumerate(factors[:4]):
            (slope,) = autograd.grad(y, x, create_graph=True)
            np.testing.assert_allclose(slope.numpy(), factor * x.numpy() ** (3 - order))
            y = slope.sum()

    def test_two_inputs_and_a_mixed_derivative(self) -> None:
        x, y = leaf(1.0, 2.0), leaf(3.0, 5.0)
        (by_x,) = autograd.grad((x * x * y).sum(), [x], create_graph=True)
        by_xx, by_xy = autograd.grad(by_x.sum(), [x, y])
        assert by_xx.tolist() == [6.0, 10.0]
        assert by_xy.tolist() == [2.0, 4.0]
        assert (x.grad, y.grad) == (None, None)

    def test_an_input_in_the_middle(self) -> None:
        x = leaf(1.0, 2.0)
        middle = x * 2.0
        made = autograd.grad((middle * middle).sum(), [middle, x])
        assert [one.tolist() for one in made] == [[4.0, 8.0], [8.0, 16.0]]

    def test_an_output_that_is_an_input(self) -> None:
        x = leaf(1.0)
        y = x * 3.0
        assert autograd.grad(y, [y, x])[0].tolist() == [1.0]
        assert autograd.grad(x, x)[0].tolist() == [1.0]

    def test_seeds_and_several_outputs(self) -> None:
        x = leaf(1.0, 2.0)
        seed = flow.tensor([1.0, 10.0])  # float32, like none of the outputs
        (made,) = autograd.grad([x * x, x.sum()], x, [seed, None])
        assert made.tolist() == [3.0, 41.0]
        assert made.dtype is flow.float64

    def test_unused_inputs(self) -> None:
        x, y = leaf(1.0), leaf(2.0)
        made = autograd.grad(x * 1.0, [x, y], allow_unused=True)
        assert made[1] is None
        with pytest.raises(RuntimeError, match=r"test_autograd.py.*do not depend on input 1, of"):
            autograd.grad(x * 1.0, [x, y])

    def test_a_view_whose_base_changed(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * 1.0
        part = y[:1]
        y *= 3.0
        (made,) = autograd.grad((part * part).sum(), x)
        assert made.tolist() == [18.0, 0.0]

    def test_hooks_run_once(self) -> None:
        x, y = leaf(1.0), leaf(2.0)
        seen: list[float] = []
        x.register_hook(lambda gradient: seen.append(gradient.item()))
        y.register_hook(lambda gradient: gradient * 10.0)
        made = autograd.grad(x * y, [x, y])
        assert [one.item() for one in made] == [2.0, 10.0]
        assert seen == [2.0]

    @pytest.mark.parametrize(
        ("call", "kind", "text"),
        [
            (lambda x: autograd.grad(x, flow.ones(1)), RuntimeError, "input 0 .* requires no"),
            (lambda x: autograd.grad(x, [1]), TypeError, "inputs of autograd.grad takes tensors"),
            (lambda x: autograd.grad(1, x), TypeError, "a tensor or a list of tensors, got 1"),
            (lambda x: autograd.grad([x, x], x, [x]), RuntimeError, "must have 2 tensors.*got 1"),
            (lambda x: autograd.backward(x, inputs=[]), ValueError, "leave it out for all"),
            (
                lambda x: autograd.grad(flow.cat([x, x]), x),
                RuntimeError,
                r"of a tensor of shape \(2,\) needs a gradient",
            ),
        ],
    )
    def test_misuse_is_told(self, call: Any, kind: type[Exception], text: str) -> None:
        with pytest.raises(kind, match=f"test_autograd.py:[0-9]+: .*{text}"):
            call(leaf(1.0))


class TestBackward:
    def test_gradients_add_up(self) -> None:
        x = leaf(1.0, 2.0)
        for _ in range(3):
            autograd.backward([(x * x).sum()])
        assert x.grad.tolist() == [6.0, 12.0]

    def test_inputs_alone_are_given_theirs(self) -> None:
        x, y = leaf(1.0), leaf(2.0)
        middle = x * y
        autograd.backward(middle * middle, inputs=[middle, y])
        assert middle.grad.tolist() == [4.0]
        assert y.grad.tolist() == [4.0]
        assert x.grad is None

    def test_a_graph_that_saved_nothing_may_be_gone_through_twice(self) -> None:
        x = leaf(1.0, 2.0)
        y = x + 1.0
        y.sum().backward()
        (y + y).sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]

    def test_a_freed_graph_is_told_with_its_line(self) -> None:
        x = leaf(1.0)
        y = x * x
        y.backward(retain_graph=True)
        y.backward()
        with pytest.raises(RuntimeError, match=r"multiply of .*test_autograd.py:\d+ a second time"):
            y.backward()
        assert x.grad.tolist() == [4.0]

    def test_what_changed_in_place_is_told_with_both_lines(self) -> None:
        x = leaf(1.0)
        y = x * 2.0
        z = y * y
        y += 1.0
        with pytest.raises(
            RuntimeError,
            match=r"backward of flow.multiply of .*test_autograd.py:(\d+) needs .* by .*"
            r"test_autograd.py:(?!\1)\d+",
        ):
            z.backward()

    def test_a_kept_gradient_is_not_the_leafs(self) -> None:
        x = leaf(1.0, 2.0)
        y = x + 1.0
        y.retain_grad()
        y.sum().backward()
        x.grad.zero_()
        assert y.grad.tolist() == [1.0, 1.0]

    def test_a_leafs_gradient_is_not_the_callers(self) -> None:
        x = leaf(1.0, 2.0)
        seed = flow.ones(2, dtype=flow.float64)
        (x + 1.0).backward(seed)
        x.grad.zero_()
        assert seed.tolist() == [1.0, 1.0]

    def test_two_leaves_have_gradients_of_their_own(self) -> None:
        x, y = leaf(1.0), leaf(2.0)
        (x + y).sum().backward()
        x.grad.zero_()
        assert y.grad.tolist() == [1.0]


class TestHooks:
    def test_a_hook_replaces_the_gradient(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * 3.0
        handle = y.register_hook(lambda gradient: gradient * 10.0)
        y.sum().backward(retain_graph=True)
        assert x.grad.tolist() == [30.0, 30.0]
        handle.remove()
        x.grad = None
        y.sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]

    def test_hooks_run_in_order(self) -> None:
        x = leaf(2.0)
        x.register_hook(lambda gradient: gradient + 1.0)
        x.register_hook(lambda gradient: gradient * 10.0)
        x.sum().backward()
        assert x.grad.tolist() == [20.0]

    def test_gradients_of_hooks_are_recorded(self) -> None:
        x = leaf(3.0)
        x.register_hook(lambda gradient: gradient * x)
        (slope,) = autograd.grad(x * x, x, create_graph=True)
        assert slope.tolist() == [18.0]
        assert autograd.grad(slope, x)[0].tolist() == [36.0]

    def test_a_hook_gives_a_gradient_of_that_shape(self) -> None:
        x = leaf(1.0)
        x.register_hook(lambda gradient: flow.ones(3))
        with pytest.raises(RuntimeError, match=r"gradient of .* of shape \(1,\), got .*\(3,\)"):
            x.sum().backward()

    def test_retained_gradients(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * 3.0
        y.retain_grad()
        (y * y).sum().backward()
        assert y.grad.tolist() == [6.0, 12.0]
        assert x.grad.tolist() == [18.0, 36.0]


def test_long_chains_are_gone_through_and_dropped() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(20_000):
        y = y + 1.0
    y.backward()
    assert x.grad.tolist() == [1.0]
    del y
    gc.collect()


def test_third_derivatives_of_layer_norm_are_those_of_differences() -> None:
    numbers, *weights = np.random.default_rng(0).normal(size=(3, 2, 4))
    directions = [flow.tensor(one) for one in weights]

    def along(x: Any, order: int) -> Any:
        """The derivative of that order, along a direction each time."""
        found = flow.nn.functional.layer_norm(x, [4])
        for direction in directions[:order]:
            (found,) = autograd.grad([(found * direction).sum()], [x], create_graph=True)
        return found

    x = flow.tensor(numbers, requires_grad=True)
    step = 1e-4
    (third,) = autograd.grad([(along(x, 2) * directions[0]).sum()], [x])
    for place in np.ndindex(2, 4):
        ends = []
        for sign in (1, -1):
            moved = numbers.copy()
            moved[place] += sign * step
            end = along(flow.tensor(moved, requires_grad=True), 2)
            ends.append((end * directions[0]).sum().item())
        # The rounding of the differences is about 1e-16 / step, their error step**2.
        assert third[place].item() == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-5)


class TestAnomalies:
    def test_the_op_its_line_and_the_numbers_are_told(self) -> None:
        x = flow.tensor([[1.0, 4.0], [0.0, 0.0]], requires_grad=True)
        with (
            autograd.detect_anomaly(),
            pytest.raises(
                RuntimeError,
                match=r"sqrt_backward of .*test_autograd.py:\d+ computes for operand 0 .*finite: "
                r"0 NaN and 2 Inf of 4, the first, inf, at \[1, 0\]",
            ),
        ):
            flow.sqrt(x).sum().backward()
        assert x.grad is None

    def test_it_ends_with_its_block(self) -> None:
        x = flow.tensor([0.0], requires_grad=True)
        with autograd.set_detect_anomaly(True), autograd.set_detect_anomaly(False):
            flow.sqrt(x).sum().backward()
        with autograd.detect_anomaly(check_nan=False):
            flow.sqrt(x).sum().backward()
        flow.sqrt(x).sum().backward()
        assert x.grad.item() == np.inf
