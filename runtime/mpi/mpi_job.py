"""A job of several ranks over MPI, called like a job of one: each process runs its own rank."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.execution.executable import Executable, Form
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.mpi.agreement import agree
from penstock.runtime.mpi.copies import Copies, Layout, copies_of, layouts
from penstock.runtime.mpi.engine import Engine
from penstock.runtime.parts import Parts
from penstock.runtime.ranks.ranked_job import whole_description
from penstock.runtime.store.variables import VariableStore

__all__ = ["MpiJob"]

Array = np.ndarray[Any, Any]


class MpiJob(Executable):
    """The executable of this process's rank.

    Its description is that of the job on whole tensors, and so is the session's store. Each call
    gives the whole feeds to every rank, and returns whole fetches.
    """

    def __init__(
        self,
        own: Executable,
        engine: Engine,
        facts: Mapping[str, str] | None,
        own_results: Container[int] = (),
        own_blobs: Container[str] = (),
    ) -> None:
        """`facts` are what all ranks must agree on before the first step; None for a job that each
        rank runs for itself, on variables that it may share with jobs of several ranks.
        `own_results` are numbers of results, `own_blobs` names of watched blobs, of which each rank
        has its own."""
        super().__init__(own.entry_address, whole_description(own.description), own.keep_alive)
        self.world = engine.world
        self.own = own
        self._facts = facts
        self._layouts: dict[str, Layout] | None = {} if facts is None else None
        job = own.description.job
        own.connect(engine.exchange(own.description.collectives, job))
        self._own_results = own_results
        self._own_taps = {
            tap.id
            for tap in own.description.taps
            if tap.name in own_blobs or tap.name.removesuffix("/grad") in own_blobs
        }
        self._own_stores: WeakKeyDictionary[VariableStore, VariableStore] = WeakKeyDictionary()

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        self.own.provide(functions)

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """None: every call is one of `run`."""
        return None

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Any]:
        """As of one rank; of `Parts`, this rank's."""
        if not any(isinstance(value, Parts) for value in feeds):
            return super().accept(feeds, left_out)
        mine = [value[self.world.rank] if isinstance(value, Parts) else value for value in feeds]
        return self.own.accept(mine, left_out)

    def run(
        self, feeds: Sequence[Any], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Any]:
        arrays = self.accept(feeds)
        if self._layouts is None:
            self._join(feeds if not any(isinstance(one, Parts) for one in feeds) else arrays)
        return self.run_accepted(arrays, store, handlers)

    def run_accepted(
        self, arrays: Sequence[Any], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Any]:
        if self._layouts is None:
            self._join(arrays)
        found: list[Any] = []

        def step() -> None:
            heard: dict[int, Array] = {}
            listening = self._listeners(handlers or {}, heard)
            made = self.own.run_accepted(arrays, self._bring_up(store), listening)
            found.extend(self._result(number, array) for number, array in enumerate(made))
            copies = copies_of(store)
            if copies is not None:
                changed = [v for v in self.own.description.variables if v.updated]
                copies.stepped({v.name: self._layout(v) for v in changed})

            for tap, array in heard.items():
                shown: Any = Parts(self.world.gather(array, "all ranks to show a blob"))
                for call in (handlers or {})[tap]:
                    call(shown)

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return found

    def _result(self, number: int, array: Array) -> Any:
        """A result, or `Parts` where each rank has its own."""
        if number not in self._own_results:
            return array
        what = f"all ranks to return result {number} of job {self.description.job!r}"
        return Parts(self.world.gather(array, what))

    def _listeners(self, handlers: Handlers, heard: dict[int, Array]) -> Handlers:
        """The handlers of the step; blobs of which each rank has its own are kept until its end."""
        keep = heard.__setitem__
        return {
            tap: [partial(keep, tap)] if tap in self._own_taps else calls
            for tap, calls in handlers.items()
        }

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
                copies = copies_of(store) or Copies(self.world, store)
                array = copies.bring_up(argument, whole, layout, job)
            else:
                array = store.ensure(whole, job)
                if store.keeper is not None:
                    store.keeper.refresh([whole.name])
            if argument.name not in own:
                own.share(argument, job, array)
        return own
