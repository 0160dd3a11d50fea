"""What runs a job, on whatever device: it checks feeds, waits for its turn at the variables, and
runs steps."""

import threading
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.callouts import bound
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.store.variables import VariableStore

__all__ = ["FORMS", "Form", "Runnable", "is_in_handler"]

Array = np.ndarray[Any, Any]

Form = Literal["none", "one", "tuple"]
"""How a native call returns the fetches."""
FORMS: tuple[Form, ...] = ("none", "one", "tuple")

# A job may run inside a handler of a job. Every nested run holds an arena and some of the native
# stack, so a handler that calls its own job without end is stopped well before either is exhausted.
_NESTING_LIMIT = 16
_nesting = threading.local()


class Runnable:
    """A job that can be run; subclasses say how."""

    unprofiled: ClassVar[str] = ""
    """Why steps cannot be profiled, and what to do; empty if they can."""

    rank_count = 1
    """How many ranks share it."""
    own_feeds: Container[str] = ()
    """The names of feeds that are lists of an array for each rank."""

    def __init__(self, description: Description) -> None:
        if description.is_counted:
            raise ValueError(
                f"job {description.job!r} takes arrays of any number of elements; choose their "
                "shape with Description.sized"
            )
        self.description = description
        numbered = list(enumerate(description.arguments))
        self._feeds = [
            (index, argument, numpy_dtype(argument.dtype))
            for index, argument in numbered
            if argument.role == "feed"
        ]
        self._fetches = [
            (index, argument.shape, numpy_dtype(argument.dtype))
            for index, argument in numbered
            if argument.role == "fetch"
        ]
        self._updates = description.updates_variables
        self._changes = [v.name for v in description.variables if v.updated]
        """The variables that a step changes."""
        self._called: list[Callable[[int], None]] = []
        self._copies: Mapping[int, Callable[[int], None]] | None = None
        self._around: Callable[[list[Callable[[int], None]]], list[Callable[[int], None]]] = list

    def meet(self, store: VariableStore) -> None:
        """Create the job's variables in a store, without values until somebody uses them.

        Raises ValueError if another job declared one with another shape or dtype.
        """
        for argument in self.description.variables:
            store.declare(argument, self.description.job)

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Set the functions of the job's call-outs, by name, before it is called.

        A function takes an array for each operand, and None in `missing` places, and returns an
        array of the type of the result, or a tuple of these. Raises ValueError for a call-out
        without a function, and TypeError for what is not a function.
        """
        self._called = self._around(bound(self.description, functions, self._copies))

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """A native function for steps on a store with these handlers; None: every call is one of
        `run`."""
        return None

    def serve(self, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """The function of `call`, but it calls `otherwise` if it cannot run the step itself."""
        return otherwise

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Any]:
        """The feeds as arrays of the declared shapes whose types convert safely.

        The last `left_out` feeds may be missing.
        Raises TypeError or ValueError for feeds that do not match.
        """
        # Imported here: usual calls don't need it.
        from penstock.runtime.execution.arguments import accept

        job = self.description.job
        wanted = self._feeds[: len(self._feeds) - left_out]
        if len(feeds) != len(wanted):
            names = ", ".join(argument.name for _, argument, _ in wanted) or "none"
            raise TypeError(
                f"job {job!r} takes {len(wanted)} arrays ({names}), got {len(feeds)}; "
                "pass one for each parameter"
            )
        return [
            accept(value, argument, job)
            for value, (_, argument, _) in zip(feeds, wanted, strict=True)
        ]

    def run(
        self, feeds: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Any]:
        """Run one step and return the fetches, in the description's order, as new arrays.

        `feeds` are arrays in the order of the description's feeds. Only those that are `updated`
        are written; they must not overlap each other or the rest.
        `handlers` maps a tap's id to functions, which are called on this thread, in the middle of
        the step on a CPU, after it on a GPU, with a copy of the blob. A handler must not wait for
        another thread that uses the same variables. If handlers raise, the step completes first;
        then the first exception is raised itself, with a note that names the job and the blob.
        KeyboardInterrupt is handled likewise, except that it aborts a long step that has not
        changed a variable yet.

        Raises TypeError or ValueError for feeds that do not match, and RuntimeError if a job that
        updates variables is run inside a step that is updating them.
        """
        return self.run_accepted(self.accept(feeds), store, handlers)

    def run_accepted(
        self, arrays: Sequence[Any], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Any]:
        """Like `run`, on the result of `accept`."""
        raise NotImplementedError

    def _take_turn(
        self, store: VariableStore, step: Callable[[], None], *, calls_back: bool
    ) -> None:
        if self._updates:
            store.run_step(self.description.job, step)
        elif self.description.variables:
            store.read_step(step, calls_back=calls_back)
        else:
            step()

    def _nested(self, step: Callable[[], None]) -> None:
        """Run a step with handlers, which may run jobs; RuntimeError for too many inside each
        other."""
        depth = getattr(_nesting, "depth", 0)
        if depth == _NESTING_LIMIT:
            raise RuntimeError(
                f"job {self.description.job!r} was called by handlers of handlers, {depth} deep; a "
                "handler that runs the job it watches must end the recursion"
            )
        _nesting.depth = depth + 1
        try:
            step()
        finally:
            _nesting.depth = depth


def is_in_handler() -> bool:
    """Whether this thread runs a step with handlers in a handler of another step."""
    return getattr(_nesting, "depth", 0) > 1
