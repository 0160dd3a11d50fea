"""A job of several ranks in one process, called like a job of one."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from penstock.runtime.description import Argument, Description
from penstock.runtime.execution.executable import Executable, Form
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.parts import Parts
from penstock.runtime.ranks.lock_step import LockStep
from penstock.runtime.store.variables import VariableStore

__all__ = ["RankedJob", "whole_description"]

Array = np.ndarray[Any, Any]


class RankedJob(Executable):
    """The executables of all ranks, which take their steps in lock step.

    Its description is that of the job on whole tensors. Each call gives the whole feeds to every
    rank. The store has whole variables: a step hands each rank its part, and takes back the parts
    that it changed. Handlers see the blobs of rank 0; every rank calls call-outs.

    In the mirrored view, ranks have arrays of their own: then a feed, a result or what a handler
    gets is `Parts`.
    """

    def __init__(
        self,
        ranks: Sequence[Executable],
        own_results: Container[int] = (),
        own_blobs: Container[str] = (),
    ) -> None:
        """`own_results` are numbers of results, `own_blobs` names of watched blobs, of which each
        rank has its own."""
        self.ranks = list(ranks)
        self.engine = LockStep([one.description for one in ranks])
        for rank, one in enumerate(ranks):
            one.connect(self.engine.exchange(rank))
        first = ranks[0]
        super().__init__(
            first.entry_address, whole_description(first.description), first.keep_alive
        )
        self._stores = [VariableStore() for _ in ranks]
        self._own_results = own_results
        self._own_taps = {
            tap.id
            for tap in first.description.taps
            if tap.name in own_blobs or tap.name.removesuffix("/grad") in own_blobs
        }

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        for one in self.ranks:
            one.provide(functions)

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """None: every call is one of `run`."""
        return None

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Any]:
        """As of one rank; where ranks have a feed of their own, `Parts` of what each accepts."""
        if not any(isinstance(value, Parts) for value in feeds):
            return super().accept(feeds, left_out)
        accepted = [
            one.accept(_of_rank(feeds, rank), left_out) for rank, one in enumerate(self.ranks)
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
            heard: dict[int, Parts] = {}
            steps = [
                partial(
                    one.run_accepted, _of_rank(arrays, rank), self._stores[rank],
                    self._listeners(rank, handlers or {}, heard),
                )
                for rank, one in enumerate(self.ranks)
            ]  # fmt: skip
            given = zip(*self.engine.run(steps), strict=True)
            results.extend(self._result(i, list(each)) for i, each in enumerate(given))
            self._take_back(store)
            for tap, parts in heard.items():
                for call in (handlers or {})[tap]:
                    call(cast(Any, parts))

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return results

    def _result(self, number: int, of_ranks: list[Array]) -> Any:
        return Parts(of_ranks) if number in self._own_results else of_ranks[0]

    def _listeners(self, rank: int, handlers: Handlers, heard: dict[int, Parts]) -> Handlers | None:
        """The handlers of one rank's step: rank 0's, and those that collect what each rank has."""
        found: dict[int, Sequence[Callable[[Array], object]]] = {}
        for tap, calls in handlers.items():
            if tap in self._own_taps:
                collected = heard.setdefault(tap, Parts([None] * len(self.ranks)))
                found[tap] = [partial(_keep, collected, rank)]
            elif rank == 0:
                found[tap] = calls
        return found or None

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


def _of_rank(values: Sequence[Any], rank: int) -> list[Any]:
    return [value[rank] if isinstance(value, Parts) else value for value in values]


def whole_description(local: Description) -> Description:
    """The description of a job on whole tensors, from that of one of its ranks."""
    arguments = [_whole(argument) for argument in local.arguments]
    return local._replace(arguments=tuple(arguments), collectives=())


def _whole(argument: Argument) -> Argument:
    if not argument.is_part:
        return argument
    return argument._replace(shape=argument.whole, whole=(), origin=())
