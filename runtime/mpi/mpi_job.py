"""A job of several ranks over MPI, called like a job of one: each process runs its own rank."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.execution.executable import Executable, Form
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.mpi.agreement import agree
from penstock.runtime.mpi.engine import engine
from penstock.runtime.mpi.parts import Layout, Parts, layouts, parts_of
from penstock.runtime.mpi.world import World
from penstock.runtime.ranks.ranked_job import whole_description
from penstock.runtime.store.variables import VariableStore

__all__ = ["MpiJob"]

Array = np.ndarray[Any, Any]

class MpiJob(Executable):
    """The executable of this process's rank.

    Its description is that of the job on whole tensors, and so is the session's store. Each call
    gives the whole feeds to every rank, and returns whole fetches.
    """

    def __init__(self, own: Executable, world: World, facts: Mapping[str, str] | None) -> None:
        """`facts` are what all ranks must agree on before the first step; None for a job that each
        rank runs for itself, on variables that it may share with jobs of several ranks."""
        super().__init__(own.entry_address, whole_description(own.description), own.keep_alive)
        self.world = world
        self.own = own
        self._facts = facts
        self._layouts: dict[str, Layout] | None = {} if facts is None else None
        job = own.description.job
        own.connect(engine(world).exchange(own.description.collectives, job))
        self._own_stores: WeakKeyDictionary[VariableStore, VariableStore] = WeakKeyDictionary()

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        self.own.provide(functions)

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """None: every call is one of `run`."""
        return None

    def run(
        self, feeds: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        arrays = self.accept(feeds)
        if self._layouts is None:
            self._join(feeds)
        return self.run_accepted(arrays, store, handlers)

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        if self._layouts is None:
            self._join(arrays)
        found: list[Array] = []

        def step() -> None:
            found.extend(self.own.run_accepted(arrays, self._bring_up(store), handlers))
            parts = parts_of(store)
            for argument in self.own.description.variables if parts is not None else ():
                if argument.updated:
                    parts.stepped(argument.name, self._layout(argument))

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return found

    def _join(self, feeds: Sequence[Array]) -> None:
        """Check that all ranks begin the same job, and learn the parts of each."""
        shown = {
            f"feed {argument.name}": f"{np.asarray(feed).dtype} of rank {np.ndim(feed)}"
            for argument, feed in zip(self.description.feeds, feeds, strict=True)
        }
        job, facts = self.description.job, self._facts or {}
        agree(self.world, f"job {job!r}", {"the job": job, **facts, **shown})
        places = {
            argument.name: [[o, n] for o, n in zip(argument.origin, argument.shape, strict=True)]
            for argument in self.own.description.variables
            if argument.is_part
        }
        what = f"all ranks to compare the parts of job {job!r}"
        said = self.world.exchange(json.dumps(places).encode(), what)
        self._layouts = layouts([json.loads(data) for data in said])

    def _layout(self, argument: Argument) -> Layout | None:
        """How ranks share a variable in this job; None if each has the whole."""
        assert self._layouts is not None
        return self._layouts.get(argument.name)

    def _bring_up(self, store: VariableStore) -> VariableStore:
        """The variables of this rank, up to date."""
        own = self._own_stores.get(store)
        if own is None:
            own = self._own_stores[store] = VariableStore()
        job = self.description.job
        pairs = zip(self.description.variables, self.own.description.variables, strict=True)
        for whole, argument in pairs:
            layout = self._layout(argument)
            if layout is not None:
                parts = parts_of(store) or Parts(self.world, store)
                array = parts.bring_up(argument, whole, layout, job)
            else:
                array = store.ensure(whole, job)
                if store.keeper is not None:
                    store.keeper.refresh([whole.name])
            if argument.name not in own:
                own.share(argument, job, array)
        return own
