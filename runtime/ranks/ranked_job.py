"""A job of several ranks in one process, called like a job of one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Argument, Description
from penstock.runtime.execution.executable import Executable, Form
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.ranks.lock_step import LockStep
from penstock.runtime.store.variables import VariableStore

__all__ = ["RankedJob", "whole_description"]

Array = np.ndarray[Any, Any]


class RankedJob(Executable):
    """The executables of all ranks, which take their steps in lock step.

    Its description is that of the job on whole tensors. Each call gives the whole feeds to every
    rank. The store has whole variables: a step hands each rank its part, and takes back the parts
    that it changed. Handlers and call-outs see rank 0.
    """

    def __init__(self, ranks: Sequence[Executable]) -> None:
        self.ranks = list(ranks)
        self.engine = LockStep([one.description for one in ranks])
        for rank, one in enumerate(ranks):
            one.connect(self.engine.exchange(rank))
        first = ranks[0]
        super().__init__(
            first.entry_address, whole_description(first.description), first.keep_alive
        )
        self._stores = [VariableStore() for _ in ranks]

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        for one in self.ranks:
            one.provide(functions)

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """None: every call is one of `run`."""
        return None

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        results: list[Array] = []

        def step() -> None:
            for rank, one in enumerate(self.ranks):
                self._hand_out(store, self._stores[rank], one.description)
            steps = [
                lambda one=one, own=own, heard=heard: one.run_accepted(arrays, own, heard)
                for one, own, heard in zip(
                    self.ranks, self._stores, [handlers, *[None] * len(self.ranks)], strict=False
                )
            ]
            results.extend(self.engine.run(steps)[0])
            self._take_back(store)

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return results

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


def whole_description(local: Description) -> Description:
    """The description of a job on whole tensors, from that of one of its ranks."""
    arguments = [_whole(argument) for argument in local.arguments]
    return local._replace(arguments=tuple(arguments), collectives=())


def _whole(argument: Argument) -> Argument:
    if not argument.is_part:
        return argument
    return argument._replace(shape=argument.whole, whole=(), origin=())
