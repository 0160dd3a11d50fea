"""The variables of an artifact, and loading their values from other files."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.runtime.artifacts.artifact_file import open_artifact
from penstock.runtime.artifacts.ranked import write_once
from penstock.runtime.store import safetensors
from penstock.runtime.store.variables import VariableStore

if TYPE_CHECKING:
    from penstock.runtime.mpi.world import World

__all__ = ["Variables", "read_variables"]

Array = np.ndarray[Any, Any]
Path = str | os.PathLike[str]


class Variables(Mapping[str, Array]):
    """The variables of an artifact, shared by its jobs: a mapping of copies, made on access.

    `copy` returns a consistent snapshot, taken between two steps.
    """

    def __init__(self, store: VariableStore, world: "World | None" = None) -> None:
        self._store = store
        self._world = world

    def __getitem__(self, name: str) -> Array:
        if name not in self._store:
            raise KeyError(name)
        return self._store.get(name)

    def __setitem__(self, name: str, value: Array) -> None:
        self._store.set(name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.names())

    def __len__(self) -> int:
        return len(self._store)

    def __contains__(self, name: object) -> bool:
        return name in self._store

    def __repr__(self) -> str:
        return f"<variables {', '.join(self)}>"

    def copy(self) -> dict[str, Array]:
        """All of them by name, taken between two steps."""
        return dict(self._store.items())

    def save(self, path: Path) -> None:
        """Write them as a safetensors file; in a run on ranks, all call this, and rank 0 writes."""
        values = self.copy()
        write_once(self._world, lambda: safetensors.save(path, values))

    def load(self, values: "Mapping[str, Any] | Path") -> None:
        """Overwrite variables, all of those given or, on an error, none.

        `values` are arrays by name, or the path of a safetensors file, an artifact or a checkpoint,
        which may contain more. Raises ValueError for a wrong shape or dtype, and for a file without
        a value for a variable that is trained or that no step changes; RuntimeError for a name that
        is given but unknown.
        """
        arrays = values if isinstance(values, Mapping) else read_variables(values, self._store)
        self._store.load(arrays, ignore_unknown=False)


def read_variables(path: Path, store: VariableStore) -> dict[str, Any]:
    """Those of the store's variables that a safetensors file, artifact or checkpoint has.

    Other values in it, such as a train job's, are ignored. Raises ValueError for any other file,
    and for one of another model or of a part of the model: variables would silently keep their
    initial values.
    """
    found = _read(path)
    left_out = store.left_out(found.keys())
    if left_out:
        raise ValueError(
            f"{os.fspath(path)}: has no value for {left_out}; use a file of this model, or pass "
            "the values by name, in a dict"
        )
    return {name: value for name, value in found.items() if name in store}


def _read(path: Path) -> Mapping[str, Any]:
    name = os.fspath(path)
    try:
        if os.path.isdir(path):
            # Imported here: few processes that run artifacts read checkpoints.
            from penstock.runtime import checkpoint

            found = checkpoint.get(path)
            if not isinstance(found, dict):
                raise ValueError(f"{name}: is one variable; give the folder of a checkpoint")
            return found
        if os.path.exists(path) and not os.path.isfile(path):
            raise ValueError(f"{name}: is not a file; check the path")
        with open(path, "rb") as file:
            is_zip = file.read(4) == b"PK\x03\x04"
        return open_artifact(path).variables() if is_zip else safetensors.load(path)
    except OSError as error:
        raise ValueError(f"{name}: cannot be read: {error.strerror}") from None
