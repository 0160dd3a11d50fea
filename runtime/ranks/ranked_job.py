"""A job of several ranks in one process, called like a job of one."""

import logging
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from penstock.runtime.collective import check_exchanges
from penstock.runtime.description import Description
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.parts import Parts
from penstock.runtime.ranks.lock_step import LockStep
from penstock.runtime.ranks.shared_job import SharedJob, of_rank
from penstock.runtime.store.variables import VariableStore

__all__ = ["RankedJob"]

Array = np.ndarray[Any, Any]


class RankedJob(SharedJob):
    """The executables of all ranks, which take their steps in lock step.

    Each call gives the whole feeds to every rank. The store has whole variables: a step hands each
    rank its part, and takes back the parts that it changed. Handlers see a blob once; every rank
    calls call-outs.
    """

    is_meant = False
    """Whether the user asked for lock step; otherwise the first job says how to run on ranks."""

    def __init__(
        self,
        ranks: Sequence[Executable],
        own_results: Container[int] = (),
        own_blobs: Container[str] = (),
        own_feeds: Container[str] = (),
    ) -> None:
        """Raises RuntimeError if the ranks' collectives do not match."""
        super().__init__(ranks[0], len(ranks), own_results, own_blobs, own_feeds)
        described = [one.description for one in ranks]
        check_exchanges(self.description.job, [one.collectives for one in described])
        self.ranks = list(ranks)
        self.engine = LockStep(described)
        for rank, one in enumerate(ranks):
            one.connect(self.engine.exchange(rank))
        self._stores = [VariableStore() for _ in ranks]
        names = [tap.name for tap in self.description.taps]
        taps = [{tap.name: tap.id for tap in one.description.taps} for one in ranks]
        self._numbers = [[numbers[name] for name in names] for numbers in taps]
        """The numbers that each rank's code has for the watched blobs of the job."""
        _tell_once(self.description.job, len(self.ranks))

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        for one in self.ranks:
            one.provide(functions)

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Any]:
        """As of one rank; where ranks have a feed of their own, `Parts` of what each accepts."""
        feeds = self.parted(feeds)
        if not any(isinstance(value, Parts) for value in feeds):
            return super().accept(feeds, left_out)
        accepted = [
            one.accept(of_rank(feeds, rank), left_out) for rank, one in enumerate(self.ranks)
        ]
        return [
            Parts(arrays) if isinstance(value, Parts) else arrays[0]
            for value, *arrays in zip(feeds, *accepted, strict=True)
        ]

    def run_accepted(
        self, arrays: Sequence[Any], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Any]:
        results: list[Any] = []

        def step() -> None:
            for rank, one in enumerate(self.ranks):
                self._hand_out(store, self._stores[rank], one.description)
            heard = {tap: Parts([None] * len(self.ranks)) for tap in handlers or {}}
            steps = [
                partial(
                    one.run_accepted, of_rank(arrays, rank), self._stores[rank],
                    self._listeners(rank, handlers or {}, heard),
                )
                for rank, one in enumerate(self.ranks)
            ]  # fmt: skip
            given = zip(*self.engine.run(steps), strict=True)
            results.extend(self._result(i, list(each)) for i, each in enumerate(given))
            self._take_back(store)
            for tap in self.by_name(self.collected.intersection(heard)):
                shown = self.shown(tap, heard[tap], self._places(tap))
                for call in (handlers or {})[tap]:
                    call(shown)

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return results

    def _result(self, number: int, of_ranks: list[Array]) -> Any:
        return Parts(of_ranks) if number in self.own_results else of_ranks[0]

    def _listeners(self, rank: int, handlers: Handlers, heard: dict[int, Parts]) -> Handlers | None:
        """The handlers of one rank's step: rank 0's, and those that collect what each rank has."""
        numbers = self._numbers[rank]
        found: dict[int, Sequence[Callable[[Array], object]]] = {}
        for tap, calls in handlers.items():
            if tap in self.collected:
                found[numbers[tap]] = [partial(_keep, heard[tap], rank)]
            elif rank == 0:
                found[tap] = calls
        return found or None

    def _places(self, tap: int) -> list[tuple[slice, ...]]:
        """Where in a blob the ranks' parts are."""
        pairs = zip(self.ranks, self._numbers, strict=True)
        return [one.description.taps[numbers[tap]].part for one, numbers in pairs]

    def _hand_out(self, store: VariableStore, own: VariableStore, local: Description) -> None:
        """Give a rank its parts of the variables."""
        for argument, part in zip(self.description.variables, local.variables, strict=True):
            whole = store.ensure(argument, local.job)
            own.ensure(part, local.job, whole[part.part])[...] = whole[part.part]

    def _take_back(self, store: VariableStore) -> None:
        """Collect the parts of the variables that the step has changed."""
        for one, own in zip(self.ranks, self._stores, strict=True):
            for argument, part in zip(
                self.description.variables, one.description.variables, strict=True
            ):
                if argument.updated:
                    whole = store.ensure(argument, one.description.job)
                    whole[part.part] = own.ensure(part, one.description.job)


def _keep(parts: Parts, rank: int, array: Array) -> None:
    parts[rank] = array.copy()


def _tell_once(job: str, ranks: int) -> None:
    if not RankedJob.is_meant:
        RankedJob.is_meant = True
        logging.getLogger("penstock").warning(
            "the %d ranks of job %r take turns in this process; penstock run --ranks %d starts "
            "%d processes",
            ranks, job, ranks, ranks,
        )  # fmt: skip
