"""Variables of which each rank has a part: which copies of them are up to date.

Jobs may share a variable in different ways. The store of the session has the whole variable, each
layout has an array with this rank's part. A step brings the parts that it reads up to date, and
outdates all other copies of those that it changes. Whoever reads the store outside of steps first
gathers the parts of all ranks; all ranks must do so together. While a whole is out of date, its
pages are given back to the system. At first it has no value, and takes no memory: each rank makes
or reads the part that its jobs need.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.memory import allocate, release
from penstock.runtime.mpi.world import World
from penstock.runtime.store.sources import Place, Source
from penstock.runtime.store.variables import VariableStore

__all__ = ["Copies", "Layout", "copies_of", "layouts"]

Array = np.ndarray[Any, Any]


Box = tuple[tuple[int, int], ...]
"""The place of a part in a variable: the offset and the size in each dimension."""


class Layout(NamedTuple):
    """The place of every rank's part in a variable."""

    places: tuple[Box, ...]

    def part(self, rank: int) -> tuple[slice, ...]:
        """A rank's part of the whole."""
        return _slices(self.places[rank])


class _Variable:
    """The parts of one variable: `fresh` has the layouts that are up to date, and None for the
    whole."""

    def __init__(self) -> None:
        self.parts: dict[Layout, Array] = {}
        self.expected: set[Box] = set()
        """The parts that jobs of this rank have."""
        self.read: dict[Box, Array] = {}
        """Those of them that were read from a checkpoint and are no job's yet."""
        self.fresh: set[Layout | None] = {None}


class Copies:
    """The copies of the variables of a store."""

    def __init__(self, world: World, store: VariableStore) -> None:
        self._world = world
        self._store = store
        self._copies: dict[str, _Variable] = {}
        store.keeper = self

    def expect(self, variables: Iterable[Argument]) -> None:
        """A job of this rank has these parts of variables."""
        for one in variables:
            self._copies.setdefault(one.name, _Variable()).expected.add(_box(one))

    def read(self, name: str, source: Source) -> Callable[[], None] | None:
        """Read the parts of a variable that jobs have, if they are known; the call makes them the
        variable's."""
        copies = self._copies.get(name)
        if copies is None or not copies.expected or self._store.is_shared(name):
            return None
        dtype = self._store.form(name)[1]
        found = {}
        for box in copies.expected:
            found[box], _ = allocate(tuple(size for _, size in box), dtype)
            source.read(found[box], _slices(box))

        def keep() -> None:
            copies.read = found

        return keep

    def bring_up(self, argument: Argument, whole: Argument, layout: Layout, job: str) -> Array:
        """This rank's part of a variable, up to date; it keeps its address."""
        copies = self._copies.setdefault(argument.name, _Variable())
        self._store.declare(whole, job)
        part = copies.parts.get(layout)
        if part is None:
            part = copies.read.get(_box(argument))
            if part is None:
                part, _ = allocate(argument.shape, self._store.form(argument.name)[1])
            copies.parts[layout] = part
        if self._store.is_shared(argument.name):
            # Its owner may have changed the whole, which is always up to date between steps.
            self._store.read_part(argument.name, argument.part, part)
        elif layout not in copies.fresh:
            self.refresh([argument.name])
            found = copies.read.pop(_box(argument), None)
            if found is None:
                self._store.read_part(argument.name, argument.part, part)
            elif found is not part:
                np.copyto(part, found)
            copies.fresh = {*copies.fresh, layout}
            if self._store.has_value(argument.name):
                copies.fresh -= {None}
                release(self._store.value(argument.name))
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
            copies.read.clear()
            if layout is not None:
                self._store.outdate(name)
                if self._store.is_shared(name):
                    self._gather(name, copies)
                    copies.fresh = {None}
                else:
                    release(self._store.value(name))

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
        stored = self._store.value(name)
        what = f"all ranks to gather variable {name!r}"
        for rank, part in enumerate(self._world.gather(own, what)):
            stored[layout.part(rank)] = part
        copies.fresh.add(None)


def copies_of(store: VariableStore) -> Copies | None:
    """The copies of a store's variables; None while every rank has all of each."""
    return store.keeper if isinstance(store.keeper, Copies) else None


def _box(argument: Argument) -> Box:
    return tuple(zip(argument.origin, argument.shape, strict=True))


def _slices(box: Box) -> Place:
    return tuple(slice(offset, offset + size) for offset, size in box)


def layouts(said: list[Mapping[str, Any]]) -> dict[str, Layout]:
    """The layout of each variable that is shared, from what each rank has of it.

    >>> layouts([{"w": [[0, 2]]}, {"w": [[2, 1]]}])["w"].part(1)
    (slice(2, 3, None),)
    """
    return {name: Layout(tuple(tuple(map(tuple, one[name])) for one in said)) for name in said[0]}
