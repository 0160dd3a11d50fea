"""The variables of a session: one array per name, shared by every job that names it."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.file_variable import FileVariable
from penstock.runtime.initializers import initialize
from penstock.runtime.memory import allocate

__all__ = ["VariableStore"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class _Variable:
    array: Array
    argument: Argument
    job: str


class VariableStore:
    """Variables by name.

    A variable's array stays where it is for as long as the store lives: jobs read and update it in
    place. What the methods here return are copies, and what they are given is copied. They wait for
    a step that is updating variables in another thread, so a set of values is never torn; calling
    them from a watch handler of that very step is fine.

    >>> store = VariableStore()
    >>> one = {"kind": "constant", "value": 1.0}
    >>> live = store.ensure(Argument("variable", "bias", (2,), "f32", initializer=one), "train_job")
    >>> store.set("bias", np.array([3, 4], np.float32))
    >>> live.tolist(), len(store)
    ([3.0, 4.0], 1)
    """

    def __init__(self) -> None:
        self._variables: dict[str, _Variable] = {}
        # Re-entrant, because handlers that run inside a step may read variables.
        self._lock = threading.RLock()
        self._updating_thread = 0
        self._updating_job = ""

    def __contains__(self, name: object) -> bool:
        return name in self._variables

    def __len__(self) -> int:
        return len(self._variables)

    def ensure(self, argument: Argument, job: str) -> Array:
        """The live array of a job's variable, made and initialised when first asked for.

        Raises ValueError if another job declared that name with another shape or dtype.
        """
        with self._lock:
            variable = self._variables.get(argument.name)
            if variable is None:
                array, _ = allocate(argument.shape, numpy_dtype(argument.dtype))
                initialize(array, argument.name, argument.initializer)
                variable = self._variables[argument.name] = _Variable(array, argument, job)
            known = variable.argument
            if (known.shape, known.dtype) != (argument.shape, argument.dtype):
                raise ValueError(
                    f"variable {argument.name!r} is {_form(argument)} in job {job!r}"
                    f"{_place(argument)}, but job {variable.job!r}{_place(known)} made it "
                    f"{_form(known)}; declare it alike in both, or rename one"
                )
            return variable.array

    def get(self, name: str) -> Array:
        """A copy of a variable's value; ValueError if there is none of that name."""
        with self._lock:
            return self._known(name).array.copy()

    def items(self) -> list[tuple[str, Array]]:
        """Every name with a copy of its value, all taken between two steps."""
        with self._lock:
            return [(name, variable.array.copy()) for name, variable in self._variables.items()]

    def set(self, name: str, value: Array) -> None:
        """Overwrite a variable with an array of its shape and dtype."""
        with self._lock:
            self._known(name)
            self.load({name: value})

    def load(
        self, values: Mapping[str, Array | FileVariable], *, ignore_unknown: bool = True
    ) -> None:
        """Overwrite variables with arrays or checkpoint files: all of them or, on error, none.

        Shapes and dtypes must agree, else ValueError (TypeError for what is no array). A name that
        is no variable is skipped, or a RuntimeError where `ignore_unknown` is false.
        """
        with self._lock:
            accepted: list[tuple[Array, Array]] = []
            for name, value in values.items():
                if name in self._variables:
                    accepted.append((self._variables[name].array, self._accept(name, value)))
                elif not ignore_unknown:
                    raise RuntimeError(f"{name!r} is not a variable name; {self._names()}")
            for array, new in accepted:
                array[...] = new

    def _accept(self, name: str, value: object) -> Array:
        argument = self._variables[name].argument
        dtype = numpy_dtype(argument.dtype)
        if isinstance(value, FileVariable):
            return value.read(argument.shape, dtype)
        if not isinstance(value, np.ndarray):
            raise TypeError(
                f"variable {name!r} is {_form(argument)}, got a {type(value).__name__}; "
                "pass a NumPy array or a variable from a checkpoint"
            )
        # Byte order is layout, not type: "=" makes it the machine's own.
        if value.shape != argument.shape or value.dtype.newbyteorder("=") != dtype:
            raise ValueError(
                f"variable {name!r}{_place(argument)} is {_form(argument)}, got {value.dtype} of "
                f"shape {value.shape}; pass an array that matches"
            )
        return value

    def run_step(self, job: str, step: Callable[[], None]) -> None:
        """Run a step that updates variables; other threads wait for their turn.

        Raises RuntimeError if this thread is inside such a step, that is, in one of its handlers:
        the inner step's update would be lost or taken half.
        """
        thread = threading.get_ident()
        if self._updating_thread == thread:
            raise RuntimeError(
                f"job {job!r} updates variables and was called by a handler while a step of job "
                f"{self._updating_job!r} is updating them; call it after that step has returned"
            )
        with self._lock:
            self._updating_thread, self._updating_job = thread, job
            try:
                step()
            finally:
                self._updating_thread = 0

    def _known(self, name: str) -> _Variable:
        if name not in self._variables:
            raise ValueError(f"there is no variable {name!r}; {self._names()}")
        return self._variables[name]

    def _names(self) -> str:
        names = sorted(self._variables)
        shown = ", ".join(map(repr, names[:8])) or "none yet: a job makes them when it first runs"
        return f"the variables are {shown}{', and more' if len(names) > 8 else ''}"


def _form(argument: Argument) -> str:
    return f"{numpy_dtype(argument.dtype)} of shape {argument.shape}"


def _place(argument: Argument) -> str:
    return f" ({argument.loc})" if argument.loc else ""
