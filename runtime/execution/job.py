"""A compiled job with its variables, to be called with arrays."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from penstock.runtime.description import Argument, Description, Tap
from penstock.runtime.execution.extents import returned, trimmer
from penstock.runtime.execution.runnable import Form, Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.memory import Refused
from penstock.runtime.store.variables import VariableStore

if TYPE_CHECKING:
    from penstock.runtime.execution.points import Pattern

__all__ = ["Job", "observe", "serve", "unattached"]

Array = np.ndarray[Any, Any]
Handler = Callable[..., object]


def unattached(*_: object) -> Any:
    """The native call of a job that has none: it leaves everything to the slow path."""
    return NotImplemented


def serve(job: object, kind: type, call: Callable[..., Any] | None) -> None:
    """Make calls of a job call a function directly, without Python code in between.

    Python looks up `__call__` in the class, so the job gets its own subclass of `kind`. None makes
    it an instance of `kind` itself again.
    """
    job.__class__ = kind
    if call is not None:
        members = {"__call__": staticmethod(call), "__module__": kind.__module__}
        job.__class__ = type(kind.__name__, (kind,), members)


Run = Callable[[Runnable, Handlers], list[Array]]
Observer = Callable[["Job", Run], list[Array]]
"""Runs a step of a job by calling a function with code and handlers, and returns its results."""

_live: "WeakSet[Job]" = WeakSet()
_observers: list[Observer] = []


def observe(observer: Observer | None) -> None:
    """Let an observer run the steps of all jobs of the process from now on; None ends that."""
    _observers[:] = [] if observer is None else [observer]
    for job in list(_live):
        job._attach()


class Job:
    """A compiled job and its store of variables, to which it adds the missing ones."""

    def __init__(
        self,
        executable: Runnable,
        store: VariableStore,
        text: Callable[[str], str] | None = None,
    ) -> None:
        self._executable = executable
        self._text = text
        self._store = store
        self._kind = type(self)
        self._handlers: dict[int, list[Handler]] = {}
        executable.meet(store)
        names = [fetch.name for fetch in self.fetches]
        self._places = [str(position) for position in range(len(names))]
        self._trim = trimmer(self.description.fetches)
        self._form: Form = "tuple" if names else "none"
        if names == ["0"] and self._trim is None:
            self._form = "one"
        self._is_delivered = names == self._places and self._trim is None
        self._attach()
        _live.add(self)

    @property
    def description(self) -> Description:
        """The interface of the job: its feeds, variables, fetches and taps."""
        return self._executable.description

    @property
    def name(self) -> str:
        return self.description.job

    @property
    def feeds(self) -> tuple[Argument, ...]:
        """The arguments of a call, in order."""
        return self.description.feeds

    @property
    def fetches(self) -> tuple[Argument, ...]:
        """The results of a call, in order."""
        return returned(self.description.fetches)

    @property
    def taps(self) -> tuple[Tap, ...]:
        """The blobs that can be watched."""
        return self.description.taps

    def ranks_of(self, feed: Argument) -> int | None:
        """How many arrays a feed takes, a list of one for each rank; None if it takes one array."""
        is_own = feed.name in self._executable.own_feeds
        return self._executable.rank_count if is_own else None

    def __repr__(self) -> str:
        feeds = ", ".join(feed.name for feed in self.feeds)
        return f"<{self.description.type} job {self.name}({feeds})>"

    def __call__(self, *arrays: Array, **named: Array) -> Any:
        """Run one step: one array per feed, in order or by name.

        Returns an array if the job returns one value, a tuple if it returned a tuple or list of
        them, else a dict by the names of the fetches, such as `losses/0`; None for nothing.
        Raises TypeError or ValueError for arrays that do not match.
        """
        # If results are to be delivered; otherwise `_attach` has installed another method.
        results = NotImplemented if named else self._native(*arrays)
        if results is NotImplemented:
            results = self._call(*arrays, **named)
        return results if self._is_delivered else self._deliver(results)

    @property
    def executable(self) -> Runnable:
        """Its code."""
        return self._executable

    @property
    def store(self) -> VariableStore:
        """Its variables, and those of jobs that share them."""
        return self._store

    @property
    def handlers(self) -> Handlers:
        """The handlers of its taps, by the numbers of these."""
        return self._handlers

    def text(self, stage: str) -> str | None:
        """The text of a stage of the IR; None if it is not known."""
        try:
            return None if self._text is None else self._text(stage)
        except KeyError:
            return None

    def points(self, pattern: "Pattern" = "*") -> list[Tap]:
        """The blobs that can be watched and match the pattern: a name, a glob over names, a line
        such as `train.py:21`, or a list of these, of which any may match."""
        # Imported here and below: only watching needs it, and most processes start without it.
        from penstock.runtime.execution.points import matching

        return matching(self.taps, pattern)

    def watch(self, pattern: "Pattern", handler: Handler) -> Callable[[], None]:
        """Call the handler with the blobs that match a pattern of `points`, in every step.

        A handler with two parameters gets the blob's name and its array; one with one parameter
        gets the array. The array is the handler's own. The call raises what a handler raises, after
        the step. Call the result to stop watching. Raises ValueError if there is no such blob.
        """
        from penstock.runtime.execution.points import bound, refusal

        wrong = refusal(f"job {self.name!r}", self.taps, pattern)
        if wrong:
            raise self._error(ValueError, wrong)
        watched = [(point.id, bound(handler, point)) for point in self.points(pattern)]
        for number, call in watched:
            self._handlers.setdefault(number, []).append(call)
        self._attach()

        def stop() -> None:
            while watched:
                number, call = watched.pop()
                self._handlers[number].remove(call)
                if not self._handlers[number]:
                    del self._handlers[number]
            self._attach()

        return stop

    def _attach(self) -> None:
        """Make usual calls native."""
        try:
            call = self._executable.call(self._store, self._form, self._handlers)
        except Refused as error:
            raise self._error(MemoryError, f"job {self.name!r}: {error}") from None
        if _observers:
            call = None
            serve(self, self._kind, None)
        self._native = call or unattached
        if call is not None and self._is_delivered:
            serve(self, self._kind, self._executable.serve(self._call))

    def _call(self, *arrays: Array, **named: Array) -> Any:
        """The slow path: a call that is unusual or wrong, with the result of the native one."""
        values = self._given(arrays, named)
        try:
            accepted = self._executable.accept(values)
        except (TypeError, ValueError) as error:
            raise self._error(type(error), str(error)) from None
        try:
            if _observers:
                results = _observers[0](self, partial(self._run, accepted))
            else:
                results = self._run(accepted, self._executable, self._handlers)
        except Refused as error:
            raise self._error(MemoryError, f"job {self.name!r}: {error}") from None
        if self._form == "tuple":
            return tuple(results)
        return results[0] if results else None

    def _run(self, accepted: Sequence[Array], code: Runnable, handlers: Handlers) -> list[Array]:
        return code.run_accepted(accepted, self._store, handlers)

    def _given(self, arrays: tuple[Array, ...], named: dict[str, Array]) -> Sequence[Array]:
        """One array for each feed, in order."""
        names = [feed.name for feed in self.feeds]
        values = dict(zip(names, arrays, strict=False))
        if len(arrays) + len(named) != len(names) or {*values, *named} != set(names):
            # Imported here: only errors need it.
            from penstock.runtime.execution.points import near

            count = [f"{len(arrays)}"] if arrays or not named else []
            unknown = next((name for name in named if name not in names), "")
            arrays_wanted = "1 array" if len(names) == 1 else f"{len(names)} arrays"
            raise self._error(
                TypeError,
                f"job {self.name!r} takes {arrays_wanted} ({', '.join(names) or 'none'}), got "
                + ", ".join([*count, *(f"{name}=" for name in named)])
                + near(unknown, names),
            )
        values |= named
        return [values[name] for name in names]

    def _deliver(self, results: Sequence[Array]) -> Any:
        if self._trim is not None:
            results = self._trim(results)
        names = [fetch.name for fetch in self.fetches]
        if names != self._places:
            return dict(zip(names, results, strict=True))
        return results[0] if len(results) == 1 else tuple(results)

    def _error(self, kind: type[Exception], text: str) -> Exception:
        """A caller's error; subclasses may add to it."""
        return kind(text)
