"""Gradients are nobody else's: what users hold stays as it is, and what was read is what counts."""

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import penstock as flow


def _leaf(*values: float) -> flow.Tensor:
    return flow.tensor(list(values), requires_grad=True)


def test_gradient_of_a_function_stays_the_functions() -> None:
    kept = flow.tensor([5.0, 5.0])

    class Fixed(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: flow.Tensor) -> flow.Tensor:
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, gradient: flow.Tensor) -> flow.Tensor:
            return kept

    w = _leaf(3.0, 3.0)
    Fixed.apply(w).sum().backward()
    w.grad.zero_()
    assert kept.tolist() == [5.0, 5.0]


@pytest.mark.parametrize("on_leaf", [True, False])
def test_gradient_that_a_hook_gave_stays_the_hooks(on_leaf: bool) -> None:
    kept = flow.tensor([7.0, 7.0])
    w = _leaf(3.0, 3.0)
    y = w + 1.0
    (w if on_leaf else y).register_hook(lambda gradient: kept)
    y.sum().backward()
    assert w.grad.tolist() == [7.0, 7.0]
    w.grad.zero_()
    assert kept.tolist() == [7.0, 7.0]


@pytest.mark.parametrize("on_leaf", [True, False])
def test_gradient_that_a_hook_was_given_stays(on_leaf: bool) -> None:
    w = _leaf(3.0, 3.0)
    y = w + 1.0
    got: list[flow.Tensor] = []
    (w if on_leaf else y).register_hook(got.append)
    (y * 2.0).sum().backward()
    w.grad.zero_()
    assert got[0].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("create_graph", [True, False])
def test_leaves_share_no_gradient(create_graph: bool) -> None:
    a, b, seed = _leaf(3.0, 3.0), _leaf(3.0, 3.0), flow.ones(2)
    y = a + b
    y.retain_grad()
    y.backward(seed, create_graph=create_graph)
    with flow.no_grad():
        a.grad.zero_()
    assert [g.tolist() for g in (b.grad, y.grad, seed)] == [[1.0, 1.0]] * 3
    with flow.no_grad():
        y.grad.zero_()
    assert [g.tolist() for g in (b.grad, seed)] == [[1.0, 1.0]] * 2


def test_copy_has_a_gradient_of_its_own() -> None:
    y = _leaf(1.0, 2.0) * 1.0
    copy = flow.zeros(2)
    copy.copy_(y)
    (found,) = flow.autograd.grad((copy * 2.0 + y * 3.0).sum(), copy)
    assert found.tolist() == [2.0, 2.0]
    number = _leaf(4.0).sum()
    filled = flow.zeros(())
    filled.fill_(number)
    (found,) = flow.autograd.grad(filled * 2.0 + number * 3.0, filled)
    assert found.item() == 2.0


def test_change_without_recording_keeps_the_gradient() -> None:
    a = _leaf(1.0, 2.0)
    x = a * 2.0
    with flow.no_grad():
        x.add_(1.0)
    assert x.requires_grad
    (x * x).sum().backward()
    assert a.grad.tolist() == [12.0, 20.0]


def test_backward_reads_what_was_there_before_data_was_set() -> None:
    w = _leaf(3.0)
    y = (w * w * w).sum()
    w.data = flow.tensor([10.0])
    (slope,) = flow.autograd.grad(y, w, create_graph=True)
    assert slope.tolist() == [27.0]
    (again,) = flow.autograd.grad(slope.sum(), w)
    assert again.tolist() == [18.0]


def test_function_reads_what_was_there_before_data_was_set() -> None:
    class Square(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: flow.Tensor) -> flow.Tensor:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, gradient: flow.Tensor) -> flow.Tensor:
            return gradient * 2.0 * ctx.saved_tensors[0]

    w = _leaf(3.0)
    y = Square.apply(w).sum()
    w.data = flow.tensor([10.0])
    y.backward()
    assert w.grad.tolist() == [6.0]


def test_read_only_array_cannot_be_changed() -> None:
    numbers = np.zeros(3, np.float32)
    numbers.flags.writeable = False
    x = flow.from_numpy(numbers)
    with pytest.raises(RuntimeError, match=r"test_shared_elements\.py:\d+: .* read-only array"):
        x.add_(1.0)
    with pytest.raises(RuntimeError, match=r"test_shared_elements\.py:\d+: .* read-only array"):
        x[0] = 1.0


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("switching")
def test_threads_add_to_one_gradient() -> None:
    w = _leaf(1.0, 1.0)
    w.sum().backward()

    def work() -> None:
        for _ in range(300):
            w.sum().backward()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert w.grad.tolist() == [2401.0, 2401.0]
