"""The variables of a session: one array per name, shared by every job that names it."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from operator import methodcaller, setitem
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.memory import allocate, release
from penstock.runtime.store.readers_writer import Gate, ReadersWriterLock
from penstock.runtime.store.sources import Place, Source, initial, whole

if TYPE_CHECKING:
    from penstock.runtime.file_variable import FileVariable

__all__ = ["VariableStore"]

Array = np.ndarray[Any, Any]


class _Variable(NamedTuple):
    array: Array
    argument: Argument
    job: str
    is_shared: bool = False
    """Whether the array belongs to somebody else, who may read and change it."""


class Keeper(Protocol):
    """Who has newer values of variables than their store, and is told of those that are set."""

    def refresh(self, names: Collection[str]) -> None: ...
    def changed(self, names: Collection[str]) -> None: ...
    def read(self, name: str, source: Source) -> Callable[[], None] | None:
        """Read the parts that it has of a variable, if it has parts only; the call makes them the
        variable's."""


class VariableStore:
    """Variables by name.

    A variable's array keeps its address as long as the store lives: jobs read and update it in
    place. Methods here copy what they return and what they are given. A readers-writer lock gives
    exclusive access to whatever changes variables, and lets steps that only read run concurrently,
    so neither a method nor a step ever sees values of two steps. Watch handlers may call methods.

    >>> store = VariableStore()
    >>> one = {"kind": "constant", "value": 1.0}
    >>> live = store.ensure(Argument("variable", "bias", (2,), "f32", initializer=one), "train_job")
    >>> store.set("bias", np.array([3, 4], np.float32))
    >>> live.tolist(), len(store)
    ([3.0, 4.0], 1)
    """

    def __init__(self) -> None:
        self._variables: dict[str, _Variable] = {}
        self._sources: dict[str, Source] = {}
        """Of variables whose array has not got its value yet, since nobody has used it."""
        self._taught: set[str] = set()
        self._lock = ReadersWriterLock()
        self._updating_job = ""
        self._jobs: list[str] = []
        self.keeper: Keeper | None = None

    def keep(self, keeper: Keeper) -> None:
        """Have newer values than the store's be in a keeper, whom each step in this process asks.

        Raises RuntimeError if somebody else is the keeper.
        """
        if self.keeper is not None and self.keeper is not keeper:
            raise RuntimeError("variables of a run on several ranks cannot be on a GPU")
        self.keeper = keeper
        self._lock.keep_closed()

    def number(self, job: str) -> int:
        """The number, from 1 on, that identifies native steps of a job that updates variables."""
        with self._lock.copying():
            if job not in self._jobs:
                self._jobs.append(job)
            return self._jobs.index(job) + 1

    def _updating(self) -> str:
        return self._updating_job or self._jobs[self.gate.updating - 1]

    @property
    def gate(self) -> Gate:
        """The gate that native steps pass before they use the variables."""
        return self._lock.gate

    def __contains__(self, name: object) -> bool:
        return name in self._variables

    def __len__(self) -> int:
        return len(self._variables)

    def declare(self, argument: Argument, job: str, value: Array | None = None) -> None:
        """Create a job's variable on first use, without a value until somebody uses it.

        It will start with `value`, or as its initializer says. Raises what `ensure` does.
        """
        with self._lock.copying():
            self._declare(argument, job, value)

    def ensure(self, argument: Argument, job: str, value: Array | None = None) -> Array:
        """The live array of a job's variable, created on first use.

        It starts with `value`, which must have the variable's shape and dtype, or as its
        initializer says. Raises ValueError if another job declared that name with another shape or
        dtype.
        """
        with self._lock.copying():
            self._declare(argument, job, value)
            return self._valued(argument.name)

    def _declare(self, argument: Argument, job: str, value: Array | None) -> None:
        variable = self._variables.get(argument.name)
        if variable is None:
            source = initial(argument.as_whole()) if value is None else None
            array, _ = allocate(argument.shape, numpy_dtype(argument.dtype))
            if source is not None:
                self._sources[argument.name] = source
            else:
                array[...] = value
            variable = self._variables[argument.name] = _Variable(array, argument, job)
        if argument.trainable or not argument.updated:
            self._taught.add(argument.name)
        known = variable.argument
        if (known.shape, known.dtype) != (argument.shape, argument.dtype):
            raise ValueError(
                f"variable {argument.name!r} is {_form(argument)} in job "
                f"{job!r}{_place(argument)}, but job {variable.job!r}{_place(known)} made it "
                f"{_form(known)}; declare it the same in both, or rename one"
            )

    def _valued(self, name: str) -> Array:
        """The array of a variable, which has its value from now on."""
        variable = self._known(name)
        source = self._sources.get(name)
        if source is not None:
            argument = variable.argument
            source.read(
                variable.array, argument.part if argument.is_part else whole(argument.shape)
            )
            del self._sources[name]
        return variable.array

    def value(self, name: str) -> Array:
        """The live array of a variable; ValueError if there is none of that name."""
        with self._lock.copying():
            return self._valued(name)

    def read_part(self, name: str, place: Place, out: Array) -> None:
        """Copy a part of a variable; the rest needs no value for that."""
        with self._lock.copying():
            source = self._sources.get(name)
            if source is None:
                np.copyto(out, self._known(name).array[place])
            else:
                source.read(out, place)

    def has_value(self, name: str) -> bool:
        """Whether the array of a variable has its value, which may be out of date."""
        return name not in self._sources

    def outdate(self, name: str) -> None:
        """The variable has another value from now on, and its array does not have it."""
        with self._lock.copying():
            self._sources.pop(name, None)

    def share(self, argument: Argument, job: str, array: Array) -> None:
        """Make an array the variable itself, in place of a copy: steps read and update it.

        It must be contiguous, of the variable's shape and dtype, and aligned to 64 bytes, or to 16
        in the job of a graph. A step that runs must not use the variable.
        """
        if (array.shape, array.dtype) != (argument.shape, numpy_dtype(argument.dtype)):
            raise ValueError(
                f"variable {argument.name!r} is {_form(argument)}, got an array of {array.dtype} "
                f"and shape {array.shape}; pass one that matches"
            )
        with self._lock.copying():
            self._variables[argument.name] = _Variable(array, argument, job, True)
            self._sources.pop(argument.name, None)

    def is_shared(self, name: str) -> bool:
        """Whether the variable is an array of `share`."""
        return self._known(name).is_shared

    @contextmanager
    def all_or_none(self) -> Iterator[None]:
        """Drop the variables that `ensure` makes inside, if anything inside raises."""
        before, taught = set(self._variables), set(self._taught)
        try:
            yield
        except BaseException:
            with self._lock.copying():
                for name in self._variables.keys() - before:
                    del self._variables[name]
                    self._sources.pop(name, None)
                self._taught = taught
            raise

    def names(self) -> list[str]:
        """The names of all variables, in the order of creation."""
        with self._lock.copying():
            return list(self._variables)

    def left_out(self, names: Collection[str]) -> str:
        """The variables that lack a value if only these names have one, and the names that belong
        to no variable: `"w, b; not used: v"`; empty if no variable lacks a value.

        A variable needs a value if a job trains it, or if a job reads it and no step changes it.
        Optimizer state and counters need none.
        """
        with self._lock.copying():
            is_foreign = not any(name in self._variables for name in names)
            needed = self._taught or (self._variables if is_foreign else ())
            without = [n for n in self._variables if n in needed and n not in names]
            unused = [name for name in names if name not in self._variables]
        if not without:
            return ""
        return _listed(without) + (f"; not used: {_listed(unused)}" if unused else "")

    def form(self, name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """A variable's shape and dtype; ValueError if there is none of that name."""
        array = self._known(name).array
        return array.shape, array.dtype

    def get(self, name: str) -> Array:
        """A copy of a variable's value; ValueError if there is none of that name."""
        with self._lock.copying():
            if self.keeper is not None:
                self.keeper.refresh([name])
            return self._valued(name).copy()

    def items(self) -> list[tuple[str, Array]]:
        """Every name with a copy of its value: a snapshot taken between two steps."""
        with self._lock.copying():
            if self.keeper is not None:
                self.keeper.refresh(self.names())
            return [(name, self._valued(name).copy()) for name in self._variables]

    def live(self) -> dict[str, Array]:
        """The arrays of all variables themselves, which a keeper may know to be out of date, and
        which have no value before they are used; `value` gives them one."""
        with self._lock.copying():
            return {name: variable.array for name, variable in self._variables.items()}

    def set(self, name: str, value: Array) -> None:
        """Overwrite a variable with an array of its shape and dtype."""
        with self._lock.writing():
            self._known(name)
            self.load({name: value})

    def load(
        self, values: Mapping[str, "Array | FileVariable"], *, ignore_unknown: bool = True
    ) -> None:
        """Overwrite variables with arrays or checkpoint files: all of them or, on error, none.

        Raises ValueError for another shape or dtype (TypeError for what is no array). A name that
        belongs to no variable is skipped, or raises RuntimeError if `ignore_unknown` is false.
        """
        with self._lock.writing():
            accepted: dict[str, Array] = {}
            read: dict[str, tuple[Source, Callable[[], None]]] = {}
            for name, value in values.items():
                if name in self._variables:
                    part = self._parts(name, value)
                    if part is not None:
                        read[name] = part
                    else:
                        accepted[name] = self._accept(name, value)
                elif not ignore_unknown:
                    raise RuntimeError(f"{name!r} is not a variable name; {self._names()}")
            actions: list[Callable[[], object]] = []
            for name, value in accepted.items():
                array = self._variables[name].array
                if name in self._sources:  # nobody uses the array before it has a value
                    array[...] = value
                    actions.append(partial(self._sources.pop, name))
                else:
                    actions.append(partial(setitem, array, ..., value))
            # One call for all: an interrupt comes before or after it.
            deque(map(methodcaller("__call__"), actions), maxlen=0)
            if self.keeper is not None:
                self.keeper.changed(values)
            for name, (source, keep) in read.items():
                self._sources[name] = source
                release(self._variables[name].array)
                keep()

    def _parts(self, name: str, value: object) -> tuple[Source, Callable[[], None]] | None:
        """Where a checkpoint's value comes from, if parts of it are enough, which this reads; the
        call makes them the variable's."""
        if self.keeper is None or isinstance(value, np.ndarray):
            return None
        from penstock.runtime.file_variable import FileVariable

        if not isinstance(value, FileVariable):
            return None
        argument = self._variables[name].argument
        source = value.source(argument.shape, numpy_dtype(argument.dtype))
        keep = self.keeper.read(name, source)
        return None if keep is None else (source, keep)

    def _accept(self, name: str, value: object) -> Array:
        argument = self._variables[name].argument
        dtype = numpy_dtype(argument.dtype)
        if not isinstance(value, np.ndarray):
            from penstock.runtime.file_variable import FileVariable

            if isinstance(value, FileVariable):
                return value.read(argument.shape, dtype)
            raise TypeError(
                f"variable {name!r} is {_form(argument)}, got a {type(value).__name__}; "
                "pass a NumPy array or a variable from a checkpoint"
            )
        # Byte order is layout, not type: "=" selects the machine's own.
        if value.shape != argument.shape or value.dtype.newbyteorder("=") != dtype:
            raise ValueError(
                f"variable {name!r}{_place(argument)} is {_form(argument)}, got {value.dtype} of "
                f"shape {value.shape}; pass an array that matches"
            )
        return value

    def run_step(self, job: str, step: Callable[[], None]) -> None:
        """Run a step that updates variables; other threads wait until it is over.

        Raises RuntimeError if this thread is inside such a step, that is, in one of its handlers:
        the inner step's update would be lost, wholly or in part.
        """
        with self._lock.writing():
            if self._updating_job or self.gate.updating:
                raise RuntimeError(
                    f"job {job!r} updates variables and was called by a handler while a step of "
                    f"job {self._updating()!r} is updating them; call it after that step has "
                    "returned"
                )
            try:
                self._updating_job = job
                step()
            finally:
                self._updating_job = ""

    def read_step(self, step: Callable[[], None], *, calls_back: bool) -> None:
        """Run a step that reads variables; threads that change them wait until it is over.

        Several run concurrently, except one that `calls_back`: its handlers may change variables,
        so it has exclusive access.
        """
        if calls_back:
            with self._lock.writing():
                step()
        else:
            self._lock.share(step)

    def _known(self, name: str) -> _Variable:
        if name not in self._variables:
            raise ValueError(f"there is no variable {name!r}; {self._names()}")
        return self._variables[name]

    def _names(self) -> str:
        names = sorted(self._variables)
        shown = ", ".join(map(repr, names[:8])) or "none yet: a job makes them when it first runs"
        return f"the variables are {shown}{', and more' if len(names) > 8 else ''}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more


def _form(argument: Argument) -> str:
    return f"{numpy_dtype(argument.dtype)} of shape {argument.shape}"


def _place(argument: Argument) -> str:
    return f" ({argument.loc})" if argument.loc else ""
