"""How long a function takes on both sides."""

from __future__ import annotations

import functools
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record
from penstock.testing.duals.dual import MISSING, DualObject, get_args
from penstock.testing.duals.run import timing

WARM_UP, RUNS = 5, 50


class Timing(Record):
    """The median times of one call."""

    name: str
    pytorch: float | None
    """Seconds on PyTorch; None if it is not installed."""
    oneflow: float
    """Seconds on tensors of penstock."""

    def __str__(self) -> str:
        theirs = "not installed" if self.pytorch is None else f"{self.pytorch * 1e6:.1f} us"
        return f"{self.name}: PyTorch {theirs}, penstock {self.oneflow * 1e6:.1f} us"


def profile(op: Any) -> Callable[[Callable[..., Any]], Callable[..., list[Timing]]]:
    """Decorates a function that calls `op`, such as `torch.add`: time each of these calls.

    The decorated function prints and returns the times. They depend on the machine and on what
    else runs there.
    """
    if not isinstance(op, DualObject):
        raise located(
            TypeError, f"profile takes a function of torch, such as torch.add, got {kind_of(op)}"
        )

    def decorate(function: Callable[..., Any]) -> Callable[..., list[Timing]]:
        @functools.wraps(function)
        def timed(*args: Any, **named: Any) -> list[Timing]:
            found: list[Timing] = []
            with timing(op.name, lambda dual, a, n: found.append(timed_call(dual, a, n))):
                function(*args, **named)
            for one in found:
                print(one)
            return found

        return timed

    return decorate


def profile_dual_object(op: DualObject) -> Callable[..., Timing]:
    """A function that times a call of `op` on these arguments."""

    def timed(*args: Any, profile_description: str | None = None, **named: Any) -> Timing:
        return timed_call(op, args, named, profile_description or "")

    return timed


def timed_call(dual: DualObject, args: Any, named: Any, description: str = "") -> Timing:
    """The times of a call."""
    has_torch = dual._pytorch is not MISSING
    typed = dual._pytorch if has_torch else dual.oneflow
    their_args, their_named, our_args, our_named = get_args(typed, *args, **named)
    theirs = None
    if has_torch:
        theirs = _seconds(lambda: dual._pytorch(*their_args, **their_named))
    ours = _seconds(lambda: dual.oneflow(*our_args, **our_named))
    name = f"{dual.name} {description}".strip()
    return Timing(name, theirs, ours)


def _seconds(call: Callable[[], object]) -> float:
    for _ in range(WARM_UP):
        call()
    times = []
    for _ in range(RUNS):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return median(times)
