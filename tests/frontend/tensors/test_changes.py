"""Changes in place: what they write, what gradients make of them, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import penstock as flow

Function = Callable[[flow.Tensor], flow.Tensor]


def _scaled(x: flow.Tensor) -> flow.Tensor:
    y = x * 2
    y.mul_(x)
    return y


def _row(x: flow.Tensor) -> flow.Tensor:
    y = x * 1
    y[0] = y[1] * y[2]
    return y * y


def _through_a_view(x: flow.Tensor) -> flow.Tensor:
    y = x.clone()
    view = y.t()
    view[1].mul_(3)
    return y * view.t()


def _older_view(x: flow.Tensor) -> flow.Tensor:
    y = x * 1
    view = y[1]
    y.mul_(2)
    return view * view


def _written_into_zeros(x: flow.Tensor) -> flow.Tensor:
    y = flow.zeros(3, 3, dtype=flow.float64)
    y[:, 1] = x[0] * x[1]
    y[y == 0] = 1.0
    return y * x


def _gathered(x: flow.Tensor) -> flow.Tensor:
    y = x * 1
    y[[0, 2]] = x[[2, 1]] * 5
    y += x
    return y * y


CASES = [_scaled, _row, _through_a_view, _older_view, _written_into_zeros, _gathered]


@pytest.mark.parametrize("function", CASES, ids=lambda one: one.__name__)
def test_gradients_by_differences(function: Function) -> None:
    random = np.random.default_rng(1)
    start = random.uniform(0.5, 2, (3, 3))
    weights = random.standard_normal(function(flow.tensor(start)).shape)

    def weighted(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
        return float((function(flow.tensor(array)).numpy() * weights).sum())

    x = flow.tensor(start, requires_grad=True)
    function(x).backward(flow.tensor(weights))
    assert x.grad is not None
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        slope = (weighted(start + step) - weighted(start - step)) / 2e-6
        # A difference is exact to about 1e-9 here.
        assert abs(float(x.grad.numpy()[place]) - slope) < 1e-6, place


def test_a_leaf_is_not_changed() -> None:
    x = flow.ones(2, requires_grad=True)
    for change in (lambda: x.add_(1), lambda: x[0].fill_(0), lambda: x.__setitem__(0, 1)):
        with pytest.raises(RuntimeError, match="a leaf that requires gradients"):
            change()
    with flow.no_grad():
        x.add_(1)
    assert x.tolist() == [2, 2]


def test_backward_through_what_was_overwritten_names_both_lines() -> None:
    x = flow.ones(2, requires_grad=True)
    y = x * 1
    z = y * y  # made here
    y.add_(1)  # changed here
    with pytest.raises(RuntimeError, match="was changed in place since") as caught:
        z.sum().backward()
    lines = [line for line in str(caught.value).split("test_changes.py:")[1:]]
    source = Path(__file__).read_text().splitlines()
    numbers = [int(line.split(":")[0].split(" ")[0].rstrip(",;")) for line in lines]
    found = {source[number - 1].rpartition("# ")[2] for number in numbers}
    assert {"made here", "changed here"} <= found


def test_a_result_that_backward_reads_is_not_overwritten() -> None:
    x = flow.zeros(2, requires_grad=True)
    y = x.exp()
    y.mul_(2)
    with pytest.raises(RuntimeError, match=r"backward of flow\.exp .* was changed in place"):
        y.sum().backward()


def test_views_count_the_changes_of_their_base() -> None:
    x = flow.ones(2, 2)
    view = x[0]
    view.add_(1)
    assert (x._version, view._version, x.detach()._version) == (1, 1, 1)
    assert x.tolist() == [[2, 2], [1, 1]]


def test_without_gradients_views_stay_apart_from_the_graph() -> None:
    w = flow.ones(2, requires_grad=True)
    y = w * 1
    with flow.no_grad():
        view = y[0:1]
    detached = y.detach()
    y.mul_(w)
    assert not view.requires_grad
    assert not detached.requires_grad
    assert (view.tolist(), detached.tolist()) == ([1], [1, 1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: x.copy_(flow.ones(3)), "broadcasts to shape"),
        (lambda x: x.add_(flow.ones(2, 2)), "cannot change the shape"),
        (lambda x: flow.ones(2, dtype=flow.int32).add_(0.5), "cannot put"),
        (lambda x: flow.ones(1).expand(3).add_(1), "holds each element several times"),
    ],
)
def test_what_cannot_be_changed(change: Callable[[flow.Tensor], object], message: str) -> None:
    x = flow.ones(2)
    with pytest.raises(RuntimeError, match=message):
        change(x)
    assert x.tolist() == [1, 1]
