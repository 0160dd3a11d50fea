"""What rewriting has done so far: counts, times and fuel, kept apart from the rewrites themselves.

A pass manager opens a session around its passes; rewrites report to the session that is open. Where
none is, they report to one that counts and never stops.
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
    """What became of an op that reads another one's result; both said with the user's lines.

    `fused` is whether the two share their loops; `why` completes the sentence.
    """

    producer: str
    consumer: str
    fused: bool
    why: str

    def __str__(self) -> str:
        verdict = "fused" if self.fused else "not fused"
        return f"{self.producer} -> {self.consumer}: {verdict}: {self.why}"


class Session(Record, frozen=False):
    """Counters of one pipeline.

    `fuel` is how many rewrites are still allowed, None for any number: a bisection gives it to find
    the rewrite that breaks a program. `timed` has patterns timed, too.
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
    """What was fused and what was not, in order; None where nobody asks."""
    lowered: Callable[[Func], object] = lambda function: None
    """Is told of each function of loops when these are written, of the job last."""

    def may_rewrite(self) -> bool:
        """Whether there is fuel for one more rewrite."""
        return self.fuel is None or self.fuel > 0

    def count(self, pattern: str, op: Operation, free: bool = False) -> None:
        """Take note that `pattern` changed `op`; a `free` rewrite takes no fuel."""
        self.rewrites[pattern] += 1
        if self.fuel and not free:
            self.fuel -= 1
            if not self.fuel:
                self.last = f"{pattern} on {op.name} at {op.location.describe()}"


_open: ContextVar[Session | None] = ContextVar("penstock rewrite session", default=None)


def current() -> Session:
    """The open session."""
    return _open.get() or Session()


@contextmanager
def opened(session: Session) -> Iterator[Session]:
    """Have the rewrites inside the `with` report to `session`."""
    token = _open.set(session)
    try:
        yield session
    finally:
        _open.reset(token)
