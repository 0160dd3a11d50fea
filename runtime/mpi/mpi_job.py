"""A job of several ranks over MPI, called like a job of one: each process runs its own rank."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from penstock.runtime.collective import Collective, check_exchanges
from penstock.runtime.description import Argument
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.mpi.agreement import agree
from penstock.runtime.mpi.copies import Copies, Layout, copies_of, layouts
from penstock.runtime.mpi.engine import Engine
from penstock.runtime.parts import Parts
from penstock.runtime.ranks.shared_job import SharedJob, of_rank
from penstock.runtime.store.variables import VariableStore

__all__ = ["MpiJob"]

Array = np.ndarray[Any, Any]


class MpiJob(SharedJob):
    """The executable of this process's rank.

    The session's store has whole variables. Each call gives the whole feeds to every rank, and
    returns whole fetches.
    """

    def __init__(
        self,
        own: Executable,
        engine: Engine,
        facts: Mapping[str, str] | None,
        own_results: Container[int] = (),
        own_blobs: Container[str] = (),
        own_feeds: Container[str] = (),
    ) -> None:
        """`facts` are what all ranks must agree on before the first step; None for a job that each
        rank runs for itself, on variables that it may share with jobs of several ranks."""
        super().__init__(own, engine.world.ranks, own_results, own_blobs, own_feeds)
        self.world = engine.world
        self.own = own
        self._facts = facts
        self._layouts: dict[str, Layout] | None = {} if facts is None else None
        self._blob_layouts: dict[str, Layout] = {}
        self._given: list[Array] = []
        own.connect(engine.exchange(own.description.collectives, own.description.job))
        self._own_stores: WeakKeyDictionary[VariableStore, VariableStore] = WeakKeyDictionary()

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().provide(functions)
        self.own.provide(functions)

    def meet(self, store: VariableStore) -> None:
        super().meet(store)
        parts = [variable for variable in self.own.description.variables if variable.is_part]
        if parts:
            copies = copies_of(store) or Copies(self.world, store)
            copies.expect(parts)

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Any]:
        """As of one rank; of `Parts`, this rank's."""
        feeds = self.parted(feeds)
        if any(isinstance(value, Parts) for value in feeds):
            feeds = of_rank(feeds, self.world.rank)
            arrays = self.own.accept(feeds, left_out)
        else:
            arrays = super().accept(feeds, left_out)
        if self._layouts is None:
            self._given = [*map(np.asarray, feeds)]
        return arrays

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

            for tap in self.by_name(heard):
                name = self.description.taps[tap].name
                parts = self.world.gather(heard[tap], f"all ranks to show blob {name!r}")
                shown = self.shown(tap, parts, self._places(name))
                for call in (handlers or {})[tap]:
                    call(shown)

        self._take_turn(store, step, calls_back=bool(handlers or self._called))
        return found

    def _result(self, number: int, array: Array) -> Any:
        """A result, or `Parts` where each rank has its own."""
        if number not in self.own_results:
            return array
        what = f"all ranks to return result {number} of job {self.description.job!r}"
        return Parts(self.world.gather(array, what))

    def _places(self, blob: str) -> Sequence[tuple[slice, ...]]:
        """Where in a blob the parts of all ranks are; empty if each has one of its own."""
        layout = self._blob_layouts.get(blob)
        return [] if layout is None else [layout.part(r) for r in range(self.world.ranks)]

    def _listeners(self, handlers: Handlers, heard: dict[int, Array]) -> Handlers:
        """The handlers of the step; blobs of which each rank has its own are kept until its end."""
        keep = heard.__setitem__
        return {
            tap: [partial(keep, tap)] if tap in self.collected else calls
            for tap, calls in handlers.items()
        }

    def _join(self, arrays: Sequence[Array]) -> None:
        """Check that all ranks begin the same job, and learn the parts of each."""
        # Arrays of other types convert, but ranks that give others run another program.
        feeds = [*self._given, *arrays[len(self._given) :]]
        self._given = []
        shown = {
            f"feed {argument.name}": f"{feed.dtype} of {feed.ndim} dimensions"
            for argument, feed in zip(self.description.feeds, feeds, strict=True)
        }
        job, facts = self.description.job, self._facts or {}
        agree(self.world, f"job {job!r}", {"the job": job, **shown, **facts})
        own = self.own.description
        places = [
            {v.name: list(zip(v.origin, v.shape, strict=True)) for v in own.variables if v.is_part},
            {t.name: list(zip(t.origin, t.shape, strict=True)) for t in own.taps if t.is_part},
        ]
        what = f"all ranks to compare the parts of job {job!r}"
        said = [json.loads(data) for data in self.world.exchange(json.dumps(places).encode(), what)]
        self._check_exchanges()
        self._layouts = layouts([variables for variables, _ in said])
        self._blob_layouts = layouts([blobs for _, blobs in said])

    def _check_exchanges(self) -> None:
        """Check that no rank would wait for another one forever; the error is that of all ranks."""
        own = self.own.description
        listed = json.dumps([one.to_dict() for one in own.collectives]).encode()
        said = self.world.exchange(listed, f"all ranks to compare the exchanges of job {own.job!r}")
        check_exchanges(own.job, [list(map(_collective, json.loads(data))) for data in said])

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


def _collective(said: Mapping[str, Any]) -> Collective:
    """What `Collective.to_dict` returned on another rank."""
    known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in said.items()}
    return Collective(**known)
