"""Live variables: a user's view of each, and overwriting all of a store at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.basics.notices import tell
from penstock.runtime import FileVariable, VariableStore
from penstock.trace.eager import Eager

Array = np.ndarray[Any, np.dtype[Any]]


class LiveVariable:
    """A variable of the session; `numpy()` copies its current value."""

    def __init__(self, name: str, store: VariableStore) -> None:
        self.name = name
        self._store = store

    def numpy(self) -> Array:
        return self._store.get(self.name)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._store.form(self.name)[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._store.form(self.name)[1]

    def __repr__(self) -> str:
        return f"<variable {self.name} of {self.dtype} and shape {self.shape}>"


Value = Array | FileVariable | LiveVariable | Eager


def load_into(
    store: VariableStore, named: Mapping[str, Value], what: str, ignore_unknown: bool
) -> None:
    """Overwrite variables of a store, as `load_variables` does for the session's."""
    values = {
        name: value.numpy() if isinstance(value, LiveVariable | Eager) else value
        for name, value in named.items()
    }
    try:
        store.load(values, ignore_unknown=ignore_unknown)
    except (TypeError, ValueError, RuntimeError) as error:
        raise located(type(error), str(error)) from None
    is_whole = any(isinstance(value, FileVariable) for value in values.values())
    left_out = store.left_out(values.keys())
    if left_out and (is_whole or any(name not in store for name in values)):
        tell(f"{what} has no value for {left_out}; these stay as they were")
