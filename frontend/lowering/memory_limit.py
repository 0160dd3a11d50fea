"""Limits of memory: passes aim at what they estimate, and what a step takes is read from `loops`.

A step takes its arena, variables, feeds and fetches. Estimates leave out what fusion saves, and
what kernels need for themselves and for exchanges. So a job is lowered without a limit first; as
long as it takes too much, it is lowered again with lower targets for the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeVar

from penstock.basics.errors import located
from penstock.ir.attributes import python_value
from penstock.ir.diagnostics import TooLarge
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import MEMORY_TARGETS
from penstock.passes.placement.local.groups import Groups
from penstock.passes.placement.local.states import MemoryTargets, memory_of

if TYPE_CHECKING:
    from penstock.reports.memory_map import MemoryMap

ATTEMPTS = 8
"""How often a job is lowered, at most."""
LESS, LEAST = 0.4, 0.15
"""The part to which the target of copies goes down, and what is less than copies can save."""
CLOSE = 0.95
"""The part to which a target goes down at least."""


class Attempt(Protocol):
    """The modules of a job by stage, and its rank."""

    first: str
    ranks: int
    rank: int
    device: str
    tapped: bool | Literal["every"]

    def __getitem__(self, stage: str, /) -> Module: ...
    def for_rank(self, rank: int) -> Any: ...


_Attempt = TypeVar("_Attempt", bound=Attempt)


def fit(limit: int, attempt: Callable[[MemoryTargets], _Attempt]) -> _Attempt:
    """What an attempt gives whose step takes no more than the limit, in bytes of each rank.

    Ranks split more first, and then gradients compute more again. Raises a located ValueError if
    none is found.
    """
    search = _Search(limit)
    least: tuple[int, _Attempt] | None = None
    for _ in range(ATTEMPTS):
        modules = attempt(search.targets)
        try:
            every = [(memory(one).total, one.rank, one) for one in _looked_at(modules)]
        except ValueError as error:
            if not isinstance(error.__cause__, TooLarge):
                raise
            if not search.after_failure():
                break
            continue
        taken, _, worst = max(every, key=lambda found: found[:2])
        if taken <= limit:
            return modules
        if least is None or taken < least[0]:
            least = taken, worst
        if not search.after(taken, modules):
            break
    assert least is not None, "the first attempt has no limit"
    _fail(least[1], limit, "the least of the plans tried ")


class _Search:
    """The targets to try next."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.targets = MemoryTargets()
        self.too_low = 0
        """Estimates say that parts cannot be so small."""
        self.taken = 0
        """The bytes of parts, by the estimate, with which a step takes too much."""
        self.is_last = False
        """Whether these targets are the last ones to try."""

    def after(self, taken: int, modules: Attempt) -> bool:
        """Lower the targets, since a step took so many bytes; whether there are others to try."""
        ratio = min(self.limit / taken, CLOSE)
        if self.is_last:
            return False
        if modules.ranks == 1:
            return self._keep_less(ratio)
        plan = modules["placed"].attributes.get("sbp.plan")
        known = [self.targets.parts, 0 if plan is None else int(python_value(plan)["memory"])]
        self.taken = min(filter(None, known), default=self.limit)
        parts = int(self.taken * ratio)
        if parts <= self.too_low:
            return self._keep_less(LESS)
        self.targets = self.targets._replace(parts=max(parts, 1))
        return True

    def after_failure(self) -> bool:
        """Change the targets, since estimates cannot meet them; whether there are others to try."""
        self.too_low = max(self.too_low, self.targets.parts)
        if self.is_last or self._keep_less(LESS):
            return not self.is_last
        # A step may take less than estimates say, so that this suffices.
        self.is_last = True
        self.targets = MemoryTargets(1.0, (self.too_low + self.taken) // 2)
        return True

    def _keep_less(self, ratio: float) -> bool:
        """Have gradients compute more again, until that saves nothing more."""
        if self.targets.copies <= LEAST:
            return False
        self.targets = self.targets._replace(copies=max(self.targets.copies * ratio, LEAST))
        return True


def check(modules: Attempt, limit: int) -> None:
    """Raise a located ValueError if a step takes more than so many bytes of a rank."""
    if memory(modules).total > limit:
        _fail(modules, limit, "")


def _fail(modules: Attempt, limit: int, why: str) -> NoReturn:
    found = memory(modules)
    live = found.live()
    peak = f" at {found.steps[live.index(found.peak)]}" if live else ""
    taps = ", with room for what its watch points compute" if modules.tapped else ""
    parts = [("the arena", found.arena), *((r, sum(s.values())) for r, s in found.outside.items())]
    sizes = ", ".join(f"{size:,} for {what}" for what, size in parts if size)
    raise located(
        ValueError,
        f"job {found.job!r} takes {found.total:,} bytes of a rank{peak}, {why}({sizes}){taps}, and "
        f"its memory limit is {limit:,}: raise the limit, or give it smaller batches or more ranks",
        modules[modules.first].job.location,
    )


def memory(modules: Attempt) -> MemoryMap:
    """The memory of a step of a rank."""
    from penstock.reports.memory_map import memory_of as mapped

    return mapped(modules["gpu" if modules.device else "loops"])


def _looked_at(modules: _Attempt) -> Iterator[_Attempt]:
    """The first and the last rank of each group of ranks: the first one has the largest parts, and
    others make zeros where that has a partial sum already."""
    if modules.ranks == 1:
        yield modules
        return
    groups = Groups(modules["placed"]).every
    ends = {rank for group in groups for rank in (group.ranks[0], group.ranks[-1])}
    for rank in sorted({0, *ends}):
        yield modules if rank == modules.rank else modules.for_rank(rank)


def limit_of(module: Module) -> int:
    """The bytes that a step may take and for which no targets are known; else 0."""
    return 0 if MEMORY_TARGETS in module.attributes else memory_of(module)


def described(targets: MemoryTargets) -> dict[str, Any]:
    """Targets as an attribute."""
    return {"copies": float(targets.copies), "parts": targets.parts}
