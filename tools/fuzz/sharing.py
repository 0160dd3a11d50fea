"""Random ways to share a job among ranks: any signature for each op, and any state for each input.

Each op takes a signature that its lowering allows on each axis of a mesh; half of the ops take one
for which few operands are converted. Conversions, their buckets and their overlap are then those of
the compiler.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any, cast

from penstock.ir.attributes import IntegerAttr, StringAttr, attribute, numpy_dtype
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import MESH, RANKS, SIGNATURE, STATE, Box
from penstock.ir.dialects.job.sharding import (
    axis_states,
    has_two_reductions,
    is_partial,
    joined,
    local_shape,
    split,
    split_dim,
)
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.passes.placement.box import InsertBoxes
from penstock.passes.placement.bucket import Bucket
from penstock.passes.placement.overlap import Overlap

MESHES = ((2,), (3,), (4,), (2, 2))
BUCKETS = (1.0, 600.0, 25e6)
"""Bytes of a bucket."""


def with_random_states(
    module: Module, mesh: tuple[int, ...], seed: object, keeps_order: bool = False
) -> Module:
    """The job of stage `grad` at stage `placed`, shared by the ranks of a mesh.

    What an op takes depends on the seed, on the op, and on how many like it are before it, so most
    stay when the program around is reduced. With `keeps_order`, ranks split no sum, so the order of
    additions is that of one rank.
    """
    found = cast(Module, module.clone())
    found.attributes |= {RANKS: IntegerAttr(prod(mesh)), MESH: attribute(list(mesh))}
    job = found.job
    states: dict[Value, str] = {}
    every: list[dict[str, Any]] = []
    for i, argument in enumerate(job.arguments):
        own = job.argument_attributes(i)
        names = [str(own[role]) for role in ("job.feed", "job.variable") if role in own]
        states[argument] = _state_of(
            tensor(argument).shape, mesh, random.Random(f"{seed} {names or i}")
        )
        every.append({**own, STATE: StringAttr(states[argument])})
    job.set_all_argument_attributes(every)
    seen: Counter[str] = Counter()
    for op in list(job.body):
        if isinstance(op, Box):
            # The program's own, whose states are those of another mesh.
            op.result.replace_all_uses_with(op.x)
            op.erase()
        elif isinstance(op, TensorOp):
            key = " ".join([op.name, *(str(value.type) for value in (*op.operands, *op.results))])
            seen[key] += 1
            _share(op, mesh, states, random.Random(f"{seed} {key} {seen[key]}"), keeps_order)
    InsertBoxes().run(found)
    Bucket(bytes=random.Random(f"{seed} bucket").choice(BUCKETS)).run(found)
    Overlap().run(found)
    return found


def _state_of(shape: Sequence[int], mesh: tuple[int, ...], choose: random.Random) -> str:
    """A state that leaves no rank without elements."""
    splits = [split(d) for d, extent in enumerate(shape) if extent >= prod(mesh)]
    state = joined(choose.choice(["B", *splits]) for _ in mesh)
    if any(0 in local_shape(shape, state, mesh, rank) for rank in range(prod(mesh))):
        return joined("B" for _ in mesh)
    return state


def _share(
    op: TensorOp,
    mesh: tuple[int, ...],
    states: dict[Value, str],
    choose: random.Random,
    keeps_order: bool,
) -> None:
    """Give an op a random signature on each axis, one that leaves no rank without elements."""
    values = [*op.operands, *op.results]
    candidates = [
        one
        for one in signatures(op)
        if not (keeps_order and splits_sums(one)) and not _narrows(op, one)
    ]
    axes: list[SbpSignature] = []
    for axis in range(len(mesh)):
        rest = [SbpSignature(("B",) * len(op.operands), ("B",) * len(op.results))] * (
            len(mesh) - axis - 1
        )
        fitting = [one for one in candidates if _fits([*axes, one, *rest], values, mesh)]
        if choose.random() < 0.5:
            cost = {
                one: sum(
                    axis_states(states[value])[axis] != state
                    for value, state in zip(op.operands, one.operands, strict=True)
                )
                for one in fitting
            }
            fitting = [one for one in fitting if cost[one] == min(cost.values())]
        axes.append(choose.choice(fitting))
    operands, results = (
        [joined(word) for word in zip(*words, strict=True)]
        for words in ([one.operands for one in axes], [one.results for one in axes])
    )
    op.attributes[SIGNATURE] = attribute({"operands": operands, "results": results})
    states.update(zip(op.results, results, strict=True))


def splits_sums(one: SbpSignature) -> bool:
    """Whether ranks add parts of a sum."""
    return bool(one.exchanges) or any(map(is_partial, (*one.operands, *one.results)))


def _narrows(op: TensorOp, one: SbpSignature) -> bool:
    """Whether ranks would add in a narrower type than one rank does: it rounds once, and they each
    of their parts, for which its rounding error leaves no room."""
    given, made = (
        [_size(value) for value, state in zip(values, states, strict=True) if is_partial(state)]
        for values, states in ((op.operands, one.operands), (op.results, one.results))
    )
    return bool(given and made) and min(made) < max(given)


def _size(value: Value) -> int:
    """The bytes of an element."""
    return numpy_dtype(tensor(value).element).itemsize


def _fits(axes: Sequence[SbpSignature], values: Sequence[Value], mesh: tuple[int, ...]) -> bool:
    for axis, one in enumerate(axes):
        if one.blocks % prod(mesh[: axis + 1]):
            return False
    for i, value in enumerate(values):
        own = [(*one.operands, *one.results)[i] for one in axes]
        if has_two_reductions(own):
            return False
        state = joined(own)
        shape = tensor(value).shape
        is_split = any(split_dim(word) is not None for word in axis_states(state))
        if is_split and 0 in local_shape(shape, state, mesh, prod(mesh) - 1):
            return False
    return True
