"""Tests written with AutoTest pass, draw the same data again, and report misuse in one sentence."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.test_utils.automated_test_util import (
    autotest,
    constant,
    globaltest,
    nothing,
    oneof,
    random,
    random_bool,
    random_device,
    random_or_nothing,
    random_sbp,
    random_tensor,
    torch,
)
from penstock.test_utils.automated_test_util.generators import Nothing, generator
from penstock.test_utils.automated_test_util.torch_flow_dual_object import get_args
from penstock.testing import GetDualObject, Misalignment, choice_tensor, random_dtype
from penstock.trace.tracing import active_trace


class Written(unittest.TestCase):
    """As users of AutoTest write tests."""

    @autotest(n=2)
    def layers(self) -> Any:
        layer = torch.nn.Linear(3, random(1, 6).to(int))
        layer.train(random_bool())
        x = random_tensor(2, random(1, 6), 3)
        return torch.nn.functional.gelu(layer(x)) + 1

    @autotest(n=2, auto_backward=False, check_dtype=True)
    def integers(self) -> Any:
        x = random_tensor(2, 3, 4, dtype=int)
        return torch.max(x, dim=random(0, 2).to(int))

    @autotest(n=2)
    def in_place(self) -> Any:
        x = random_tensor(2, 3, random(1, 5))
        y = x * 2
        y += x.T.sum()
        return y.mul_(torch.exp(x))

    @autotest(n=1, auto_backward=False)
    def numbers(self) -> Any:
        counts = choice_tensor([1, 2, 3], 4)
        return torch.repeat_interleave(random_tensor(2, 4, 2), counts, dim=0)

    @autotest(n=2)
    def parts(self) -> Any:
        x = random_tensor(2, 4, random(1, 4))
        return torch.cat(torch.split(x, 2, dim=0), dim=1)

    @autotest(n=2)
    def drawing(self) -> Any:
        x = random_tensor(2, 3, 4).to(random_device())
        layer = torch.nn.Dropout(p=oneof(0.0, 1.0))
        return layer(x)

    @autotest(n=2, check_graph="ValidatedFalse")
    def in_part(self) -> Any:
        x = random_tensor(2, 3, random(1, 5))
        y = x * 2
        y[1:] = torch.exp(x[1:])
        return y

    @globaltest
    @autotest(n=1)
    def on_one_rank(self) -> Any:
        return torch.add(
            random_tensor(2, 2, 3), random_tensor(2, 2, 3), alpha=random_or_nothing(2, 3)
        )


@pytest.fixture(params=["numpy", "torch"])
def reference(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    if name == "torch":
        pytest.importorskip("torch")
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", name)
    return name


NAMES = ["layers", "integers", "in_place", "in_part", "numbers", "parts", "drawing", "on_one_rank"]


@pytest.mark.parametrize("name", NAMES)
def test_programs_are_aligned(name: str, reference: str) -> None:
    getattr(Written(), name)()


def test_a_run_draws_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "numpy")
    seen: list[Any] = []

    @autotest(n=3, check_graph=False)
    def draw() -> Any:
        x = random_tensor(random(1, 4), random(1, 9), low=random(-3.0, 0.0).to(float))
        seen.append((x.oneflow.numpy().tolist(), np.random.rand(), flow.rand(1).item()))
        return x

    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    draw()
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]
    first, seen = seen, []
    draw()
    assert first == seen
    assert len({str(one) for one in first}) == 3
    monkeypatch.setenv("PENSTOCK_AUTOTEST_SEED", "7")
    seen = []
    draw()
    assert first != seen


# -- generators ----------------------------------------------------------------------------------


def test_values_stay_until_they_are_drawn_anew() -> None:
    k = random(0, 10**6).to(int)
    twice, less = k * 2, 1 - k
    assert twice.value() == 2 * k.value() == k.value() + (1 - less.value())
    assert isinstance(k.value(), int)
    assert {k.eval() for _ in range(4)} != {k.value()}


@pytest.mark.parametrize(
    ("drawn", "kind"),
    [
        (random(1, 3).to(int), int),
        (random(1, 3).to(float), float),
        (random(0, 2).to(bool), bool),
        (random(0.0, 1.0), float),
        (random(0, 9), int),
        (random(1, 3).to(int | None), (int, type(None))),
        (random(1, 3).to(tuple[int, int]), list),
        (random(1, 3).to(complex), complex),
        (constant("a") | "b" | "c", str),
        (oneof(1, 2, possibility=[0.0, 1.0]), int),
        (nothing(), Nothing),
        (random_bool(), bool),
    ],
)
def test_types_of_what_is_drawn(drawn: generator, kind: Any) -> None:
    assert isinstance(drawn.value(), kind)


def test_arguments_for_both_sides() -> None:
    def function(x: int, y: float, z: Any = None) -> None: ...

    x, y = random(1, 9), random(1, 9)
    theirs, _, ours, named = get_args(function, x, y, z=nothing())
    assert theirs == ours == [x.value(), y.value()]
    assert [type(one) for one in ours] == [int, float]
    assert named == {}
    both = GetDualObject("pair", 1, 2)
    assert get_args(function, (both, 3), z=both) == ([(1, 3)], {"z": 1}, [(2, 3)], {"z": 2})


def test_random_tensors() -> None:
    assert random_tensor(0).oneflow.shape == ()
    whole = random_tensor(2, 3, 4, low=0, high=2, dtype=int).oneflow
    assert (whole.dtype, set(whole.numpy().ravel())) == (flow.int64, {0, 1})
    assert not random_tensor(1, 3, requires_grad=False).oneflow.requires_grad
    assert choice_tensor([4, 5], 3).oneflow.dtype == flow.int64
    assert random_dtype(["index"]).oneflow in (flow.int32, flow.int64)
    assert len(random_sbp(max_dim=2).value()) == 1


# -- misuse --------------------------------------------------------------------------------------


def _never_legal() -> None:
    @autotest(n=1)
    def test() -> Any:
        return torch.reshape(random_tensor(1, 3), [7])

    test()


MISUSE = [
    (lambda: autotest(n=0), ValueError, "n of autotest must be at least 1, got 0"),
    (lambda: autotest(auto_backward="yes"), ValueError, "is a bool or \"auto\", got 'yes'"),
    (lambda: autotest(rtol=-1.0), ValueError, "rtol of autotest is a number of at least 0"),
    (lambda: autotest(check_graph="maybe"), ValueError, "check_graph of autotest is a bool"),
    (lambda: autotest()(3), TypeError, "autotest decorates a function, got 3"),
    (lambda: oneof(), ValueError, "oneof needs at least one value"),
    (lambda: oneof(1, 2, 3, possibility=0.5), ValueError, "is a number only for two values, got 3"),
    (lambda: oneof(1, 2, possibility=[1.0]).value(), ValueError, "has 1 numbers for 2 values"),
    (lambda: random(3, 3).to(int).value(), ValueError, "has no integer to draw"),
    (lambda: random("a", 3).value(), TypeError, "random takes numbers as bounds, got the string"),
    (lambda: random(1, 3).to(str).value(), TypeError, "random draws int, float, bool or complex"),
    (lambda: random_tensor(7), ValueError, "makes tensors of 0 to 5 dims, got 7"),
    (
        lambda: random_tensor(dtype=str),
        TypeError,
        "dtype of random_tensor is float, int or complex",
    ),
    (lambda: random_dtype(["words"]), ValueError, "random_dtype has no group 'words'; there are"),
]


@pytest.mark.parametrize(("call", "kind", "text"), MISUSE)
def test_misuse_is_one_located_sentence(call: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as raised:
        call()
    said = str(raised.value)
    assert "test_autotest.py:" in said.split(" ")[0]
    assert text in said
    assert "\n" not in said


def test_a_test_that_returns_something_else() -> None:
    with pytest.raises(
        TypeError, match=r"test_autotest.py:\d+: a test of autotest .* got a list|3"
    ):
        autotest(n=1)(lambda: 3)()


def test_a_call_without_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "numpy")

    def only_eager(x: flow.Tensor) -> flow.Tensor:
        if active_trace() is not None:
            raise RuntimeError("it has no blobs")
        return x * 0.5

    monkeypatch.setattr(flow, "erf", only_eager)

    @autotest(n=1, auto_backward=False)
    def test() -> Any:
        return torch.erf(random_tensor(2, 3, 4, requires_grad=False))

    with pytest.raises(
        Misalignment, match="torch.erf works on tensors, and its graph fails: it has"
    ):
        test()


def test_draws_that_are_never_legal_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match="drew 20 times, and 0 of 1 runs were legal"):
        _never_legal()


def test_wrong_settings_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "jax")
    with pytest.raises(ValueError, match="_REFERENCE is torch or numpy, got 'jax'"):
        autotest(n=1)(lambda: None)()
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "numpy")
    monkeypatch.setenv("PENSTOCK_AUTOTEST_SEED", "x")
    with pytest.raises(ValueError, match="PENSTOCK_AUTOTEST_SEED is an integer"):
        autotest(n=1)(lambda: None)()


def test_what_needs_pytorch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "numpy")
    with pytest.raises(RuntimeError, match="pytorch needs PyTorch, which is not installed"):
        _ = random_tensor(1, 2).pytorch
