"""The number of threads: from Python, from the environment, and the default."""

import os
from collections.abc import Iterator

import pytest

from penstock.runtime import threads


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PENSTOCK_NUM_THREADS", raising=False)
    threads.set_num_threads(None)
    yield
    monkeypatch.undo()
    threads.set_num_threads(None)


def test_one_thread_per_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads.num_threads() == len(os.sched_getaffinity(0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5})
    assert threads.num_threads() == 2


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_NUM_THREADS", "3")
    assert threads.num_threads() == 3
    threads.set_num_threads(2)
    assert threads.num_threads() == 2
    threads.set_num_threads(None)
    assert threads.num_threads() == 3
    monkeypatch.setenv("PENSTOCK_NUM_THREADS", "")
    assert threads.num_threads() == len(os.sched_getaffinity(0)), "as other empty variables"


@pytest.mark.parametrize("text", ["0", "-1", "four", "2.0", " 4", "4_0", "1025", "\u0664"])
def test_nonsense_in_the_environment(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PENSTOCK_NUM_THREADS", text)
    with pytest.raises(ValueError, match="^PENSTOCK_NUM_THREADS is '.*' in the environment: exp"):
        threads.num_threads()


@pytest.mark.parametrize("number", [0, -3, 1025])
def test_numbers_out_of_range(number: int) -> None:
    with pytest.raises(ValueError, match=f"must be from 1 to 1024, got {number}$"):
        threads.set_num_threads(number)


@pytest.mark.parametrize("number", [True, 2.0, "4"])
def test_values_that_are_not_numbers(number: object) -> None:
    with pytest.raises(TypeError, match="^a number of threads must be an int, got "):
        threads.set_num_threads(number)  # type: ignore[arg-type]
