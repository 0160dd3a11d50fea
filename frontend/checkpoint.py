"""`flow.checkpoint`: variables on disk, and live variables.

A checkpoint is a folder with one folder per variable. It is written under a temporary name and
renamed, so a kill at any moment leaves the previous checkpoint whole, and the new one whole or
absent.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.basics.checks import check_flag, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.jobs.live_variables import LiveVariable, Value, load_into
from penstock.jobs.session import refuse_in_body, started_session
from penstock.process.imported_script import refuse_in_import
from penstock.runtime import FileVariable
from penstock.runtime import checkpoint as files
from penstock.runtime.mpi.world import world
from penstock.saving.reading import load
from penstock.trace.eager import Eager

Array = np.ndarray[Any, np.dtype[Any]]


def save(
    path: str | os.PathLike[str],
    var_dict: Mapping[str, Value] | None = None,
    *,
    overwrite: bool = False,
) -> None:
    """Write all variables, or the given ones, as a checkpoint; starts the session.

    With `overwrite`, a checkpoint at `path` is replaced in one step: a kill leaves the old one or
    the new one. In a run on several ranks, all of them must call it; each writes its share.

    Raises a located ValueError if `path` is any other folder that is not empty, or cannot be made.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job() -> tp.Numpy:
    ...     return flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "first")
    ...     flow.checkpoint.save(path)
    ...     flow.checkpoint.get(path)["w"].numpy()
    array([1., 1.], dtype=float32)
    """
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise located(
            TypeError, f"flow.checkpoint.save takes the path of a folder, got {kind_of(path)}"
        )
    check_path_text(path, "flow.checkpoint.save")
    check_flag(overwrite, "overwrite of flow.checkpoint.save")
    refuse_in_import("flow.checkpoint.save writes a checkpoint")
    store = started_session("flow.checkpoint.save").store
    ranks = world()
    try:
        if ranks is not None:
            from penstock.runtime.mpi import saving
            from penstock.runtime.mpi.copies import copies_of

            if var_dict is None:
                copies, live = copies_of(store), store.live()
                saving.save(ranks, path, live, copies, value=store.value, overwrite=overwrite)
            else:
                saving.save(ranks, path, _arrays(var_dict), overwrite=overwrite)
        else:
            arrays = dict(store.items()) if var_dict is None else _arrays(var_dict)
            files.save(path, arrays, overwrite=overwrite)
    except (TypeError, ValueError) as error:
        raise located(type(error), str(error)) from None
    except OSError as error:
        raise located(
            ValueError,
            f"flow.checkpoint.save cannot write to {os.fspath(path)!r} ({error.strerror}); choose "
            "a folder that can be made or is empty",
        ) from error


def get(path: str | os.PathLike[str]) -> Any:
    """The variables of a checkpoint by name; for the folder of one variable, that variable.

    Each has `numpy()`, `shape` and `dtype`; values are read on demand. A file is read as
    `flow.load` does: the tensors of a safetensors file. Raises a located ValueError if there is no
    complete checkpoint.

    >>> import os, tempfile
    >>> import penstock as flow
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "weights.safetensors")
    ...     flow.save({"w": flow.ones(2)}, path)
    ...     flow.checkpoint.get(path)["w"].numpy()
    array([1., 1.], dtype=float32)
    """
    if not isinstance(path, str | os.PathLike):
        raise located(
            TypeError, f"flow.checkpoint.get takes the path of a folder, got {kind_of(path)}"
        )
    refuse_in_body("flow.checkpoint.get")
    if os.path.isfile(path):
        return load(path)
    try:
        found = files.get(path)
    except ValueError as error:
        raise located(ValueError, str(error)) from None
    started_session("flow.checkpoint.get")
    return found


def get_all_variables() -> dict[str, LiveVariable]:
    """The variables of all jobs by name, including optimizer state and step counters."""
    store = started_session("flow.get_all_variables").store
    return {name: LiveVariable(name, store) for name in store.names()}


def load_variables(value_dict: Mapping[str, Value], ignore_mismatch: bool = True) -> None:
    """Overwrite variables by name, all or (on an error) none; starts the session.

    Values are arrays, tensors, live variables or variables of a checkpoint. Names that are not
    variables are skipped, or raise a RuntimeError with `ignore_mismatch=False`. Raises a located
    ValueError if a shape or element type differs. If names were skipped or values come from a
    checkpoint, one log line lists the variables that training changes and that got no value.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job() -> tp.Numpy:
    ...     return flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    >>> flow.load_variables({"w": np.array([3, 4], np.float32)})
    >>> job()
    array([3., 4.], dtype=float32)
    """
    if not isinstance(value_dict, Mapping):
        raise located(
            TypeError, f"load_variables takes a dict of values by name, got {kind_of(value_dict)}"
        )
    for key in value_dict:
        if not isinstance(key, str):
            raise located(
                TypeError,
                f"load_variables takes a dict of values by name, got {kind_of(key)} as a name; "
                "flow.get_all_variables() has the names",
            )
    check_flag(ignore_mismatch, "ignore_mismatch of load_variables")
    store = started_session("flow.load_variables").store
    load_into(store, value_dict, "load_variables", ignore_mismatch)


def _arrays(values: Mapping[str, Value]) -> dict[str, Array]:
    if not isinstance(values, Mapping):
        raise located(
            TypeError,
            f"flow.checkpoint.save takes a dict of values by name, got {kind_of(values)}",
        )
    arrays: dict[str, Array] = {}
    for name, value in values.items():
        array: object = value
        if isinstance(value, FileVariable | LiveVariable | Eager):
            array = value.numpy()
        if not isinstance(array, np.ndarray):
            raise located(
                TypeError, f"flow.checkpoint.save takes arrays, got {kind_of(array)} for {name}"
            )
        arrays[name] = array
    return arrays


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.checkpoint")
