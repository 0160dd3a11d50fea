"""Checkpoints of logical tensors that all ranks write together, each its parts."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import numpy as np

from penstock.runtime.checkpoint import checked, saving, write_part, write_variable
from penstock.runtime.mpi.copies import Copies
from penstock.runtime.mpi.world import World

__all__ = ["save", "together"]

Array = np.ndarray[Any, Any]


def save(
    world: World,
    folder: str | os.PathLike[str],
    arrays: Mapping[str, Array],
    copies: Copies | None = None,
    *,
    value: Callable[[str], Array] | None = None,
    overwrite: bool = False,
) -> None:
    """Write variables as a checkpoint, on all ranks together; any number of ranks can load it.

    `arrays` are the same on all ranks, in the same order. `copies` has those of which each rank
    writes its part; the others are dealt out. `value` gives the array of one that has no value
    before it is used. Errors are those of
    `penstock.runtime.checkpoint.save`, on all ranks; no part of a checkpoint is then left behind.
    """
    names = {name: checked(name, array) for name, array in arrays.items()}
    with ExitStack() as stack:
        found: list[str] = []

        def begin() -> None:
            if world.rank == 0:
                found.append(stack.enter_context(saving(folder, overwrite=overwrite)))

        said = together(world, begin, lambda: "".join(found))
        temporary = said[0]

        def write() -> None:
            for number, (name, array) in enumerate(arrays.items()):
                place = os.path.join(temporary, names[name])
                share = copies.stale(name) if copies is not None else None
                if share is not None:
                    layout, own = share
                    mine = layout.places[world.rank]
                    if layout.places.index(mine) == world.rank:
                        origin = [offset for offset, _ in mine]
                        write_part(place, own, origin, array.shape, is_first=world.rank == 0)
                elif number % world.ranks == world.rank:
                    write_variable(place, array if value is None else value(name))

        together(world, write)
        together(world, stack.close)


def together(
    world: World, action: Callable[[], None], say: Callable[[], str] = lambda: ""
) -> list[str]:
    """Do something on all ranks; what each says after it. If it fails on one, all raise that."""
    trouble: OSError | ValueError | None = None
    try:
        action()
    except (OSError, ValueError) as error:
        trouble = error
    kind = [] if trouble is None else [type(trouble).__name__, *_arguments(trouble)]
    answer = json.dumps([kind, say()]).encode()
    said = [json.loads(data) for data in world.exchange(answer, "all ranks to save")]
    if trouble is not None:
        raise trouble
    for rank, (kind, _) in enumerate(said):
        if kind:
            name, *arguments = kind
            if name == "ValueError":
                raise ValueError(*arguments)
            raise OSError(arguments[0], f"{arguments[1]}, on rank {rank}", *arguments[2:])
    return [text for _, text in said]


def _arguments(error: OSError | ValueError) -> list[Any]:
    if isinstance(error, OSError):
        return [error.errno or 0, error.strerror or str(error)]
    return [str(error)]
