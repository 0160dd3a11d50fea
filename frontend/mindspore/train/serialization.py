"""Checkpoints of cells: `save_checkpoint`, `load_checkpoint` and `load_param_into_net`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.parameter import Parameter
from penstock.mindspore.tensor import plain, wrapped
from penstock.saving.reading import load
from penstock.saving.writing import save


def save_checkpoint(save_obj: Any, ckpt_file_name: str | os.PathLike[str]) -> None:
    """Write the parameters of a cell, or of a list of {"name": ..., "data": ...}, to a path.

    What was there before is replaced once all of it is written. The format is that of `flow.save`.

    >>> import tempfile
    >>> import penstock.mindspore as ms
    >>> net, other = ms.nn.Dense(2, 1, "ones"), ms.nn.Dense(2, 1, "zeros")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ms.save_checkpoint(net, f"{folder}/net.ckpt")
    ...     ms.load_param_into_net(other, ms.load_checkpoint(f"{folder}/net.ckpt"))
    []
    >>> print(other.weight.asnumpy())
    [[1. 1.]]
    """
    if isinstance(save_obj, Cell):
        found: dict[str, Any] = dict(save_obj.parameters_dict())
    elif isinstance(save_obj, list) and all(isinstance(one, dict) for one in save_obj):
        found = {one["name"]: one["data"] for one in save_obj}
    else:
        raise located(
            TypeError,
            'save_checkpoint takes a cell, or a list of {"name": ..., "data": ...}, got '
            f"{kind_of(save_obj)}",
        )
    save({name: plain(one).detach() for name, one in found.items()}, ckpt_file_name)


def load_checkpoint(
    ckpt_file_name: str | os.PathLike[str], net: Cell | None = None, strict_load: bool = False
) -> dict[str, Parameter]:
    """The parameters of a checkpoint by name; with `net`, they are also loaded into this cell."""
    found = {name: Parameter(wrapped(one), name) for name, one in load(ckpt_file_name).items()}
    if net is not None:
        load_param_into_net(net, found, strict_load)
    return found


def load_param_into_net(net: Any, parameter_dict: Any, strict_load: bool = False) -> list[str]:
    """Overwrite the parameters of a cell by those of the same names; the names that had none.

    A parameter of another shape raises a located ValueError, as does, with `strict_load`, one that
    is missing.
    """
    if not isinstance(net, Cell) or not isinstance(parameter_dict, Mapping):
        wrong = parameter_dict if isinstance(net, Cell) else net
        raise located(
            TypeError, f"load_param_into_net takes a cell and parameters, got {kind_of(wrong)}"
        )
    missing = []
    for name, parameter in net.parameters_dict().items():
        if name in parameter_dict:
            parameter.set_data(parameter_dict[name])
        else:
            missing.append(name)
    if missing and strict_load:
        raise located(ValueError, f"the checkpoint has no {', '.join(missing)}; the cell needs it")
    return missing
