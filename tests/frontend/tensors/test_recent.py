"""What is kept of ops that ran: bounded, the last ones, and found again."""

from types import CodeType

import pytest

import penstock as flow
from penstock.basics.recent import Recent
from penstock.tensors import graph, kernels


def test_the_last_ones_are_kept() -> None:
    recent: Recent[int] = Recent(4)
    for i in range(100):
        recent.keep(i, -i)
        assert recent.get(0) == 0  # in use all the time
        assert len(recent) <= 8
    assert [recent.get(i) for i in (97, 98, 99)] == [-97, -98, -99]
    assert recent.get(5) is None


def test_first_thread_wins() -> None:
    recent: Recent[str] = Recent(4)
    assert recent.keep(1, "first") == "first"
    assert recent.keep(1, "second") == "first"


def test_ops_at_many_places_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    recent: Recent[kernels.OneOp] = Recent(8)
    monkeypatch.setattr(kernels, "_ops", recent)
    x = flow.arange(100)
    assert [x[i].item() for i in range(100)] == list(range(100))
    assert len(recent) <= 16


def test_code_that_runs_once_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[int, tuple[bool, CodeType]] = {}
    monkeypatch.setattr(graph, "_ours", kept)
    monkeypatch.setattr(graph, "MOST", 16)
    x = flow.ones(2, requires_grad=True)
    for i in range(100):
        made = eval(f"function(x, {i})", {"function": flow.mul, "x": x})
        assert made.grad_fn.line.describe().endswith(":1")
    assert len(kept) <= 17
