"""The run of an AutoTest: its settings, its draws, and what it has recorded so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from penstock.ir.record import Record
from penstock.testing.duals.choices import Choices
from penstock.testing.duals.program import Statement, Variable


class Settings(Record):
    """What `@autotest` was told."""

    n: int = 20
    auto_backward: bool | str = True
    rtol: float = 1e-4
    atol: float = 1e-5
    check_graph: bool = True
    check_allclose: bool = True
    check_dtype: bool = False
    check_grad_use_random_data: bool = True
    include_complex: bool = False


class Run(Record, eq=False, frozen=False):
    """One run of a test, while its body runs."""

    settings: Settings
    choices: Choices
    reference: Any
    """The other side: a `references.Torch`, or None for the references of the ops."""
    tape: Any
    is_global: bool = False
    statements: list[Statement] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    """The dual objects of the variables, by their numbers."""
    modules: list[Any] = field(default_factory=list)
    differences: list[Any] = field(default_factory=list)
    """Where results of calls differed from those of the reference, in order."""

    retains: bool = False
    """Whether tensors keep their gradients, to see where these go wrong."""
    draws: Any = None
    """The state of our random generator before the first call that draws and is no source."""

    def variable(self, dual: Any) -> Variable:
        """A new variable for a dual object."""
        self.values.append(dual)
        return Variable(len(self.values) - 1)


class _State(threading.local):
    run: Run | None = None
    is_global = False
    choices: Choices | None = None
    timed: tuple[str, Callable[..., object]] | None = None


_state = _State()


def current() -> Run | None:
    """The run of this thread; None outside of an AutoTest."""
    return _state.run


def choices() -> Choices:
    """The draws of the run of this thread; outside of an AutoTest, those of seed 0."""
    if _state.run is not None:
        return _state.run.choices
    if _state.choices is None:
        _state.choices = Choices([0])
    return _state.choices


@contextmanager
def running(run: Run) -> Iterator[None]:
    """Record what dual objects do."""
    before, _state.run = _state.run, run
    try:
        yield
    finally:
        _state.run = before


@contextmanager
def timing(name: str, time: Callable[..., object]) -> Iterator[None]:
    """Call `time` with each call of that function: the dual object, and its arguments."""
    before, _state.timed = _state.timed, (name, time)
    try:
        yield
    finally:
        _state.timed = before


def tell_timed(name: str, *call: Any) -> None:
    """Time a call, if calls of that name are timed."""
    if _state.timed is not None and _state.timed[0] == name:
        _state.timed[1](*call)


@contextmanager
def all_global() -> Iterator[None]:
    """Let random tensors be global ones."""
    before, _state.is_global = _state.is_global, True
    try:
        yield
    finally:
        _state.is_global = before


def is_global() -> bool:
    """Whether random tensors are global ones."""
    return _state.is_global
