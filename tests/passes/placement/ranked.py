"""Runs modules of stage `placed` on virtual ranks, and takes tensors apart for them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.ir.attributes import IntegerAttr, StringAttr, attribute, unit
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import LOCAL, MESH, RANKS, STATE
from penstock.ir.dialects.job.sharding import (
    axis_states,
    coordinates,
    is_partial,
    part_of,
    split_dim,
)
from penstock.ir.types import TensorType
from penstock.lowering.modules import Modules
from penstock.lowering.user_cache import user_store
from penstock.runtime import VariableStore
from penstock.runtime.ranks.lock_step import LockStep
from penstock.stages.native import executable

Array = np.ndarray[Any, Any]
Parts = list[Array]


def ranked_module(function: Func, mesh: Sequence[int]) -> Module:
    """A module of stage `placed` with this job."""
    module = Module.empty(function.sym_name)
    module.body.append(function)
    module.attributes |= {
        "job.type": StringAttr("predict"),
        RANKS: IntegerAttr(prod(mesh)),
        MESH: attribute(list(mesh)),
    }
    return module


def local_feed(name: str, state: str) -> dict[str, Any]:
    """The attributes of a feed of which each rank is given its part."""
    return {"job.feed": name, STATE: StringAttr(state), LOCAL: unit}


def local_fetch(number: int, state: str) -> dict[str, Any]:
    """The attributes of a fetch of which each rank returns its part."""
    return {"job.fetch": str(number), STATE: StringAttr(state)}


def job_of(types: Sequence[TensorType], name: str = "ranked") -> Func:
    """A job of these operands, without a body."""
    return Func.make(name, types)


class Ranked:
    """A module of stage `placed`, compiled for each of its ranks."""

    def __init__(self, module: Module) -> None:
        first = Modules("placed", module)
        modules = [first.for_rank(rank) for rank in range(first.ranks)]
        # Kernels of equal text, as many ranks have them, are compiled once.
        codes = [executable(each.program(user_store())) for each in modules]
        self.engine = LockStep([code.description for code in codes])
        for rank, code in enumerate(codes):
            code.connect(self.engine.exchange(rank))
        self.codes = codes

    def __call__(self, feeds: Sequence[Parts]) -> list[Parts]:
        """The fetches of each rank, from the parts of each feed."""
        steps = [
            lambda code=code, rank=rank: code.run([f[rank] for f in feeds], VariableStore())
            for rank, code in enumerate(self.codes)
        ]
        return [list(parts) for parts in zip(*self.engine.run(steps), strict=True)]


def taken_apart(
    whole: Array, state: str, mesh: tuple[int, ...], random: np.random.Generator
) -> Parts:
    """The part of each rank; partial states get random parts of small integers."""
    ranks = prod(mesh)
    values = [whole.copy() for _ in range(ranks)]
    # The part of the value that this rank is in charge of, first along the first axis.
    for axis, each in enumerate(axis_states(state)):
        if not is_partial(each):
            continue
        values = _partial(values, each, mesh, axis, random)
    return [
        np.array(value[_slices(whole.shape, state, mesh, rank)], order="C")
        for rank, value in enumerate(values)
    ]


def _partial(
    values: Parts, state: str, mesh: tuple[int, ...], axis: int, random: np.random.Generator
) -> Parts:
    """Replace what the ranks of each group have in common by parts that reduce to it."""
    found = list(values)
    # The same in each group, since ranks may have to be equal along another axis.
    first = values[0]
    noise = [random.integers(0, 4, first.shape).astype(first.dtype) for _ in range(mesh[axis])]
    keeper = int(random.integers(mesh[axis]))
    for group in _groups(mesh, axis):
        whole = values[group[0]]
        for place, rank in enumerate(group):
            if state == "P":
                rest = sum((n for i, n in enumerate(noise) if i != keeper), np.zeros_like(whole))
                found[rank] = noise[place] if place != keeper else np.asarray(whole - rest)
            else:
                bound = np.minimum if state == "P(max)" else np.maximum
                found[rank] = whole if place == keeper else bound(whole, noise[place])
            found[rank] = found[rank].astype(whole.dtype)
    return found


def _groups(mesh: tuple[int, ...], axis: int) -> list[list[int]]:
    """The ranks that differ on one axis only. Ranks that differ on a later axis have the same."""
    found: dict[tuple[int, ...], list[int]] = {}
    for rank in range(prod(mesh)):
        places = coordinates(mesh, rank)
        found.setdefault((*places[:axis], *places[axis + 1 :]), []).append(rank)
    return list(found.values())


def put_together(parts: Parts, state: str, shape: Sequence[int], mesh: tuple[int, ...]) -> Array:
    """The whole that the ranks' parts represent; fails where ranks that hold the same differ."""
    states = axis_states(state)
    values: dict[int, Array] = {}
    held: dict[int, Any] = {}
    for rank, part in enumerate(parts):
        held[rank] = _slices(shape, state, mesh, rank)
        values[rank] = part
    # Reduce axis by axis: the first rank of each group then has what all have.
    ranks = list(range(prod(mesh)))
    for axis, each in enumerate(states):
        for group in _groups(mesh, axis):
            present = [rank for rank in group if rank in ranks]
            if split_dim(each) is not None or not present:
                continue
            first, *others = present
            for other in others:
                if each == "B":
                    assert np.array_equal(values[first], values[other], equal_nan=True), state
                else:
                    reduce = {"P": np.add, "P(max)": np.maximum, "P(min)": np.minimum}[each]
                    with np.errstate(invalid="ignore", over="ignore"):
                        values[first] = reduce(values[first], values[other])
                ranks.remove(other)
    whole = np.zeros(tuple(shape), parts[0].dtype)
    for rank in ranks:
        assert values[rank].shape == whole[held[rank]].shape, (state, rank)
        whole[held[rank]] = values[rank]
    return whole


def _slices(
    shape: Sequence[int], state: str, mesh: tuple[int, ...], rank: int
) -> tuple[slice, ...]:
    return tuple(slice(o, o + n) for o, n in part_of(shape, state, mesh, rank))
