"""Variables of which each rank has a part: which copies of them are up to date.

Jobs may share a variable in different ways. The store of the session has the whole variable, each
layout has an array with this rank's part. A step brings the parts that it reads up to date, and
outdates all other copies of those that it changes. Whoever reads the store outside of steps first
gathers the parts of all ranks; all ranks must do so together. While a whole is out of date, its
pages are given back to the system.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.memory import allocate, release
from penstock.runtime.mpi.world import World
from penstock.runtime.store.variables import VariableStore

__all__ = ["Copies", "Layout", "copies_of", "layouts"]

Array = np.ndarray[Any, Any]


class Layout(NamedTuple):
    """The place of every rank's part in a variable: the offset and the size in each dimension."""

    places: tuple[tuple[tuple[int, int], ...], ...]

    def part(self, rank: int) -> tuple[slice, ...]:
        """A rank's part of the whole."""
        return tuple(slice(offset, offset + size) for offset, size in self.places[rank])


class _Variable:
    """The parts of one variable: `fresh` has the layouts that are up to date, and None for the
    whole."""

    def __init__(self) -> None:
        self.parts: dict[Layout, Array] = {}
        self.fresh: set[Layout | None] = {None}


class Copies:
    """The copies of the variables of a store."""

    def __init__(self, world: World, store: VariableStore) -> None:
        self._world = world
        self._store = store
        self._copies: dict[str, _Variable] = {}
        self._stored: dict[str, Array] = {}
        """Whole variables, which may be out of date."""
        store.keeper = self

    def bring_up(self, argument: Argument, whole: Argument, layout: Layout, job: str) -> Array:
        """This rank's part of a variable, up to date; it keeps its address."""
        copies = self._copies.setdefault(argument.name, _Variable())
        stored = self._stored[argument.name] = self._store.ensure(whole, job)
        part = copies.parts.get(layout)
        if part is None:
            part, _ = allocate(argument.shape, stored.dtype)
            part[...] = stored[argument.part]
            copies.parts[layout] = part
        if self._store.is_shared(argument.name):
            # Its owner may have changed the whole, which is always up to date between steps.
            np.copyto(part, stored[argument.part])
        elif layout not in copies.fresh:
            self.refresh([argument.name])
            np.copyto(part, stored[argument.part])
            copies.fresh = {*copies.fresh, layout} - {None}
            release(stored)
        return part

    def stepped(self, changed: Mapping[str, Layout | None]) -> None:
        """A step has changed these copies, so the others are out of date; None is the whole.

        The whole takes no memory until somebody reads it. If it belongs to somebody else, it is
        gathered at once.
        """
        for name, layout in changed.items():
            copies = self._copies.get(name)
            if copies is None:
                continue
            copies.fresh = {layout}
            if layout is not None:
                if self._store.is_shared(name):
                    self._gather(name, copies)
                    copies.fresh = {None}
                else:
                    release(self._stored[name])

    def changed(self, names: Collection[str]) -> None:
        """Whole variables were set, so parts are out of date."""
        self.stepped(dict.fromkeys(names))

    def refresh(self, names: Collection[str]) -> None:
        """Bring whole variables of the store up to date."""
        for name in names:
            copies = self._copies.get(name)
            if copies is not None and None not in copies.fresh:
                self._gather(name, copies)

    def stale(self, name: str) -> tuple[Layout, Array] | None:
        """How ranks share a variable whose whole is out of date, and this rank's part."""
        copies = self._copies.get(name)
        if copies is None or None in copies.fresh:
            return None
        layout = next(iter(copies.fresh))
        assert layout is not None
        return layout, copies.parts[layout]

    def _gather(self, name: str, copies: _Variable) -> None:
        share = self.stale(name)
        assert share is not None
        layout, own = share
        stored = self._stored[name]
        what = f"all ranks to gather variable {name!r}"
        for rank, part in enumerate(self._world.gather(own, what)):
            stored[layout.part(rank)] = part
        copies.fresh.add(None)


def copies_of(store: VariableStore) -> Copies | None:
    """The copies of a store's variables; None while every rank has all of each."""
    return store.keeper if isinstance(store.keeper, Copies) else None


def layouts(said: list[Mapping[str, Any]]) -> dict[str, Layout]:
    """The layout of each variable that is shared, from what each rank has of it.

    >>> layouts([{"w": [[0, 2]]}, {"w": [[2, 1]]}])["w"].part(1)
    (slice(2, 3, None),)
    """
    return {name: Layout(tuple(tuple(map(tuple, one[name])) for one in said)) for name in said[0]}
