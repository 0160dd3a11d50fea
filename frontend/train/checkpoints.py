"""Checkpoints of a training: the last state, to go on from, and the best one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal

from penstock.basics.checks import check_number, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.checkpoint import get_all_variables, load_variables
from penstock.jobs.session import default_session
from penstock.process.imported_script import refuse_in_import
from penstock.runtime.mpi.world import world
from penstock.saving.reading import load
from penstock.saving.writing import save
from penstock.tensor_functions.random_numbers import get_rng_state, set_rng_state
from penstock.tensors.creation import from_numpy
from penstock.tensors.tensor import Tensor
from penstock.train.stopping import is_better, sign_of

Which = Literal["last", "best"]
_SUFFIX = ".safetensors"
_FORMS = [
    {"numbers": dict, "best": best, "generator": Tensor, "variables": dict, "parts": dict}
    for best in (float, NoneType)
]
"""The contents of a file and their classes."""


class Checkpoints:
    """The files `last.safetensors` and `best.safetensors` in a folder, for one training.

    They hold the variables of all jobs, the state of the random generator, and `parts`: modules,
    optimizers, schedulers, `EarlyStopping` and others with `state_dict` and `load_state_dict`, by
    name. So training goes on with the same bits. Each file is written under another name and then
    renamed: a kill at any moment leaves the old file or the new one.

    `save(value)` writes the last state, and the best one if the value is above all before, or below
    with `mode="min"`. On several ranks, all must call the methods.

    >>> import tempfile
    >>> import penstock as flow
    >>> model = flow.nn.Linear(2, 1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = flow.train.Checkpoints(folder, model=model)
    ...     kept.save(0.5, epoch=0), kept.save(0.4, epoch=1)
    ...     flow.train.Checkpoints(folder, model=model).resume()
    (True, False)
    {'epoch': 1}
    """

    def __init__(self, folder: str | os.PathLike[str], *, mode: str = "max", **parts: Any) -> None:
        if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
            raise located(
                TypeError, f"Checkpoints takes the path of a folder, got {kind_of(folder)}"
            )
        check_path_text(folder, "Checkpoints")
        for name, part in parts.items():
            if not hasattr(part, "state_dict") or not hasattr(part, "load_state_dict"):
                raise located(
                    TypeError,
                    f"{name} of Checkpoints must be a module, an optimizer or another object with "
                    f"state_dict and load_state_dict, got {kind_of(part)}",
                )
        self._folder, self._parts = os.fspath(folder), parts
        self._sign = sign_of(mode, "Checkpoints")
        self.best: float | None = None
        """The best value so far; None if there was none."""

    def path(self, which: Which = "last") -> str:
        """The path of the file of the last or the best state; it may not exist yet."""
        if which not in ("last", "best"):
            raise located(ValueError, f'expected "last" or "best", got {kind_of(which)}')
        return os.path.join(self._folder, which + _SUFFIX)

    def save(self, value: float | None = None, **numbers: Any) -> bool:
        """Write the state with numbers such as `epoch`, which `resume` returns; whether it is the
        best.

        Raises a located error, and leaves the files as they were, if they cannot be written.
        """
        refuse_in_import("save of Checkpoints writes a checkpoint")
        number = None if value is None else check_number(value, "the value of Checkpoints.save")
        better = number is not None and is_better(number, self.best, self._sign)
        best = number if better else self.best
        state = {
            "numbers": numbers,
            "best": best,
            "generator": get_rng_state(),
            "variables": _variables(),
            "parts": {name: part.state_dict() for name, part in self._parts.items()},
        }
        ranks = world()
        if ranks is None or ranks.rank == 0:
            try:
                os.makedirs(self._folder, exist_ok=True)
            except OSError as error:
                raise located(
                    type(error),
                    f"Checkpoints cannot make the folder {self._folder!r}: {error.strerror}",
                ) from error
            for which in ("best", "last") if better else ("last",):
                save(state, os.path.join(self._folder, which + _SUFFIX))
        self.best = best
        return better

    def resume(self) -> dict[str, Any]:
        """Load the last state; the numbers that were saved with it, or {} if there is none yet."""
        return self.load("last") if os.path.exists(self.path("last")) else {}

    def load(self, which: Which = "best") -> dict[str, Any]:
        """Load the best or the last state; the numbers that were saved with it.

        Raises a located FileNotFoundError if there is none, and ValueError for a file of other
        contents.
        """
        path = self.path(which)
        found = load(path)
        if not isinstance(found, dict) or {n: type(v) for n, v in found.items()} not in _FORMS:
            raise located(
                ValueError, f"{path!r} was not written by Checkpoints; read it with flow.load"
            )
        parts = found["parts"]
        if parts.keys() != self._parts.keys():
            raise located(
                ValueError,
                f"{path!r} has the parts {_names(parts)}, and these Checkpoints have "
                f"{_names(self._parts)}",
            )
        if found["variables"]:
            load_variables(found["variables"], ignore_mismatch=False)
        for name, part in self._parts.items():
            part.load_state_dict(parts[name])
        set_rng_state(found["generator"])
        self.best = found["best"]
        numbers: dict[str, Any] = found["numbers"]
        return numbers


def _variables() -> dict[str, Any]:
    """The variables of all jobs; a program of modules alone has no job."""
    if not default_session().jobs:
        return {}
    return {name: from_numpy(one.numpy()) for name, one in get_all_variables().items()}


def _names(parts: Mapping[str, Any]) -> str:
    return ", ".join(sorted(map(str, parts))) or "none"
