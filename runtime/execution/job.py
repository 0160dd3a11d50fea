"""A compiled job with its variables, to be called with arrays."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.runtime.description import Argument, Description, Tap
from penstock.runtime.execution.executable import Executable, Form
from penstock.runtime.execution.extents import cutter, returned
from penstock.runtime.memory import Refused
from penstock.runtime.store.variables import VariableStore

if TYPE_CHECKING:
    from penstock.runtime.execution.points import Pattern

__all__ = ["Job", "serve", "unattached"]

Array = np.ndarray[Any, Any]
Handler = Callable[..., object]


def unattached(*_: object) -> Any:
    """The native call of a job that has none: it leaves everything to the slow path."""
    return NotImplemented


def serve(job: object, kind: type, call: Callable[..., Any] | None) -> None:
    """Have calls of a job go to a function, without Python code in between.

    Python looks for `__call__` in the class, so the job gets a class of its own, below `kind`; with
    None it is of `kind` itself again.
    """
    job.__class__ = kind
    if call is not None:
        members = {"__call__": staticmethod(call), "__module__": kind.__module__}
        job.__class__ = type(kind.__name__, (kind,), members)


class Job:
    """A compiled job on a store of variables, which it makes where the store lacks them."""

    def __init__(self, executable: Executable, store: VariableStore) -> None:
        self._executable = executable
        self._store = store
        self._kind = type(self)
        self._handlers: dict[int, list[Handler]] = {}
        for argument in self.description.variables:
            store.ensure(argument, self.name)
        names = [fetch.name for fetch in self.fetches]
        self._places = [str(position) for position in range(len(names))]
        self._cut = cutter(self.description.fetches)
        self._form: Form = "tuple" if names else "none"
        if names == ["0"] and self._cut is None:
            self._form = "one"
        self._is_delivered = names == self._places and self._cut is None
        self._attach()

    @property
    def description(self) -> Description:
        """What the job says of itself: its feeds, variables, fetches and taps."""
        return self._executable.description

    @property
    def name(self) -> str:
        return self.description.job

    @property
    def feeds(self) -> tuple[Argument, ...]:
        """What a call takes, in order."""
        return self.description.feeds

    @property
    def fetches(self) -> tuple[Argument, ...]:
        """What a call returns, in order."""
        return returned(self.description.fetches)

    @property
    def taps(self) -> tuple[Tap, ...]:
        """The blobs that can be watched."""
        return self.description.taps

    def __repr__(self) -> str:
        feeds = ", ".join(feed.name for feed in self.feeds)
        return f"<{self.description.type} job {self.name}({feeds})>"

    def __call__(self, *arrays: Array, **named: Array) -> Any:
        """Run one step: one array per feed, in order or by name.

        Gives the array where the job returns one value, a tuple where it returned a tuple or list
        of them, else a dict by the names of the fetches, such as `losses/0`; None for nothing.
        Raises TypeError or ValueError for arrays that do not fit.
        """
        # Where results are to be delivered; otherwise `_attach` has put another method in place.
        results = NotImplemented if named else self._native(*arrays)
        if results is NotImplemented:
            results = self._call(*arrays, **named)
        return results if self._is_delivered else self._deliver(results)

    def points(self, pattern: "Pattern" = "*") -> list[Tap]:
        """The blobs that can be watched whose name is the pattern or fits it as a glob, or that
        were made at a line such as `train.py:21`; of a list of patterns, those that any means."""
        # Needed where somebody watches, and so below: most processes start without it.
        from penstock.runtime.execution.points import matching

        return matching(self.taps, pattern)

    def watch(self, pattern: "Pattern", handler: Handler) -> Callable[[], None]:
        """Call the handler with the blobs that a pattern of `points` means, in every step.

        A handler of two parameters gets the blob's name and its array, one of one parameter the
        array, which is the handler's own. What a handler raises is raised by the call, after the
        step. What is returned ends the watching. Raises ValueError where there is no such blob.
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
        """Have usual calls made natively."""
        try:
            call = self._executable.call(self._store, self._form, self._handlers)
        except Refused as error:
            raise self._error(MemoryError, f"job {self.name!r}: {error}") from None
        self._native = call or unattached
        if call is not None and self._is_delivered:
            serve(self, self._kind, self._executable.serve(self._call))

    def _call(self, *arrays: Array, **named: Array) -> Any:
        """A call that is unusual or wrong, as the native one would return it."""
        given = self._given(arrays, named)
        try:
            accepted = self._executable.accept(given)
        except (TypeError, ValueError) as error:
            raise self._error(type(error), str(error)) from None
        try:
            results = self._executable.run_accepted(accepted, self._store, self._handlers)
        except Refused as error:
            raise self._error(MemoryError, f"job {self.name!r}: {error}") from None
        if self._form == "tuple":
            return tuple(results)
        return results[0] if results else None

    def _given(self, arrays: tuple[Array, ...], named: dict[str, Array]) -> Sequence[Array]:
        """One array for each feed, in order."""
        names = [feed.name for feed in self.feeds]
        given = dict(zip(names, arrays, strict=False))
        if len(arrays) + len(named) != len(names) or {*given, *named} != set(names):
            # Where nothing is wrong, a process starts without it.
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
        given |= named
        return [given[name] for name in names]

    def _deliver(self, results: Sequence[Array]) -> Any:
        if self._cut is not None:
            results = self._cut(results)
        names = [fetch.name for fetch in self.fetches]
        if names != self._places:
            return dict(zip(names, results, strict=True))
        return results[0] if len(results) == 1 else tuple(results)

    def _error(self, kind: type[Exception], text: str) -> Exception:
        """An error of the caller's, who may be told more elsewhere."""
        return kind(text)
