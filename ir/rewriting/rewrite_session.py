"""Rewriting sessions: counters, timings and fuel, separate from the rewrites themselves.

A pass manager opens a session around its passes, and rewrites report to the open session. Without
one, they report to a default session that has unlimited fuel.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from typing import TYPE_CHECKING

from penstock.ir.record import Record

if TYPE_CHECKING:
    from penstock.ir.core import Operation
    from penstock.ir.dialects.func import Func


class Remark(Record):
    """Whether a producer and a consumer were fused; both are named with the user's lines.

    `fused` is whether the two share loops. `why` completes the sentence.
    """

    producer: str
    consumer: str
    fused: bool
    why: str

    def __str__(self) -> str:
        verdict = "fused" if self.fused else "not fused"
        return f"{self.producer} -> {self.consumer}: {verdict}: {self.why}"


class RewriteSession(Record, frozen=False):
    """Counters of one pipeline.

    `fuel` is the number of rewrites still allowed, None for no limit. A bisection sets it to find
    the rewrite that breaks a program. `timed` enables timing of patterns.
    """

    fuel: int | None = None
    timed: bool = False
    rewrites: Counter[str] = field(default_factory=Counter)
    """How often each pattern changed something."""
    tries: Counter[str] = field(default_factory=Counter)
    """How often each pattern was tried; counted when timed."""
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Time in each pattern; measured when timed."""
    last: str = ""
    """The rewrite that took the last fuel."""
    remarks: list[Remark] | None = None
    """Fusion remarks in order; None if they are disabled."""
    lowered: Callable[[Func], object] = lambda function: None
    """Called with each function once its loops are written, and with the job last."""

    def may_rewrite(self) -> bool:
        """Whether there is fuel for one more rewrite."""
        return self.fuel is None or self.fuel > 0

    def count(self, pattern: str, op: Operation, free: bool = False) -> None:
        """Record that `pattern` changed `op`; a `free` rewrite takes no fuel."""
        self.rewrites[pattern] += 1
        if self.fuel and not free:
            self.fuel -= 1
            if not self.fuel:
                self.last = f"{pattern} on {op.name} at {op.location.describe()}"


_open: ContextVar[RewriteSession | None] = ContextVar("penstock rewrite session", default=None)


def current() -> RewriteSession:
    """The open session."""
    return _open.get() or RewriteSession()


@contextmanager
def opened(session: RewriteSession) -> Iterator[RewriteSession]:
    """Have the rewrites inside the `with` report to `session`."""
    token = _open.set(session)
    try:
        yield session
    finally:
        _open.reset(token)
