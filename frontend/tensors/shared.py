"""Global tensors on several ranks: how ops pass on the signatures of their operands.

Each process has all elements of a global tensor; its signature says which of them are the rank's.
Eager ops compute whole tensors, so that ranks exchange elements only where local tensors become
global. Graphs and jobs share the computation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sharding import BROADCAST, PARTIAL, part_of, split
from penstock.ir.meaning.sbp_rules import signatures
from penstock.process import devices
from penstock.sbp import Signature, broadcast, partial_sum
from penstock.sbp import split as split_signature
from penstock.tensors.device import Layout
from penstock.tensors.kernels import OneOp
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]


def is_shared(layout: Layout | None) -> bool:
    """Whether several ranks have a part in a tensor."""
    return layout is not None and layout.placement.ranks.size > 1


def state_of(signature: Signature) -> str:
    """The signature as the compiler writes it."""
    if signature.axis is not None:
        return split(signature.axis)
    return PARTIAL if signature == partial_sum else BROADCAST


def joined_state(layout: Layout) -> str:
    """The state on all axes of the placement."""
    return ", ".join(map(state_of, layout.sbp))


def described(layout: Layout) -> dict[str, Any]:
    """The placement as an attribute in the IR."""
    each = devices.ranks_of_machine()
    ranks = [divmod(int(rank), each) for rank in layout.placement.ranks.flat]
    names = [f"{machine}:{device}" for machine, device in ranks]
    return {"device": "cpu", "ranks": names, "mesh": list(layout.placement.hierarchy)}


def whole_on(layout: Layout) -> Layout:
    """Where results of graphs are: every rank of the placement has them."""
    return Layout(layout.placement, (broadcast,) * len(layout.sbp))


def _signature(state: str) -> Signature:
    if state.startswith("S"):
        return split_signature(int(state[2:-1]))
    return partial_sum if state == PARTIAL else broadcast


def share_results(op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
    """Give the results of an op the placement of its operands, and signatures that follow from
    theirs.

    Raises a located TypeError for local tensors beside global ones, and a ValueError for operands
    on different ranks.
    """
    layouts = [operand.layout for operand in operands]
    found = next((one for one in layouts if one is not None and is_shared(one)), None)
    if found is None:
        return
    for operand, layout in zip(operands, layouts, strict=True):
        if layout is None and operand.array.ndim:
            raise located(
                TypeError,
                f"{op.name} takes either global or local tensors, got one of shape "
                f"{tuple(operand.shape)} that is local beside one on {found.placement}; make it "
                "global with to_global, or the other local with to_local",
            )
        if layout is not None and layout.placement != found.placement:
            raise located(
                ValueError,
                f"{op.name} takes tensors on one placement, got {found.placement} and "
                f"{layout.placement}; convert one with to_global",
            )
    axes = [
        _passed_on(op, [BROADCAST if one is None else state_of(one.sbp[axis]) for one in layouts])
        for axis in range(len(found.sbp))
    ]
    for result, states in zip(results, zip(*axes, strict=True), strict=True):
        result.layout = Layout(found.placement, tuple(map(_signature, states)))


def _passed_on(op: OneOp, states: Sequence[str]) -> list[str]:
    """The states of the results on one axis, from those of the operands."""
    known = op.passed_on.get(tuple(states))
    if known is None:
        known = op.passed_on[tuple(states)] = _through(op, states)
    return known


def _through(op: OneOp, states: Sequence[str]) -> list[str]:
    inner = op.inner_ops
    block = inner[0].block
    assert block is not None
    held: dict[Value, str] = dict(zip(block.arguments, states, strict=True))
    last: Sequence[Value] = ()
    for one in inner:
        before = [held[value] for value in one.operands]
        held.update(zip(one.results, cheapest(one, before), strict=True))
        last = one.results
    if len(last) != len(op.results):
        return [BROADCAST] * len(op.results)
    return [held[value] for value in last]


def cheapest(op: TensorOp, states: Sequence[str]) -> tuple[str, ...]:
    """The states of an op's results by the signature that converts the fewest bytes of operands in
    these states; of several, one that converts the fewest operands.

    >>> from penstock.ir.dialects.flow.base import instance
    >>> a, b = np.zeros((2, 3), "f4"), np.zeros((3, 4), "f4")
    >>> cheapest(instance("flow.matmul", a, b), ["S(1)", "S(0)"])
    ('P',)
    """
    sizes = [tensor(value).count for value in op.operands]

    def cost(wanted: Sequence[str]) -> tuple[float, int]:
        pairs = list(zip(states, wanted, sizes, strict=True))
        return (
            sum(size * _CONVERSION[own[0], to[0]] for own, to, size in pairs if own != to),
            sum(own != to for own, to, _ in pairs),
        )

    # Global tensors have no partial maxima or minima.
    known = [s for s in signatures(op) if not {"P(max)", "P(min)"} & {*s.operands, *s.results}]
    return min(known, key=lambda one: (*cost(one.operands), one.results)).results


_CONVERSION: Mapping[tuple[str, str], float] = {
    ("S", "S"): 0.5, ("S", "B"): 1.0, ("B", "S"): 0.0, ("P", "S"): 1.0, ("P", "B"): 2.0,
    ("S", "P"): 4.0, ("B", "P"): 4.0,
}  # fmt: skip
"""From one kind of state to another, in sizes of the tensor. Partial sums are reduced later."""


def own_index(layout: Layout) -> int | None:
    """The place of this process in the placement; None if it has no part in it."""
    ranks = [int(rank) for rank in layout.placement.ranks.flat]
    return ranks.index(devices.own_rank()) if devices.own_rank() in ranks else None


def own_part(layout: Layout, shape: Sequence[int]) -> list[tuple[int, int]]:
    """Where this rank's elements are: the offset and size along each dimension."""
    index = own_index(layout)
    if index is None:
        return [(0, 0) for _ in shape]
    return part_of(shape, joined_state(layout), layout.placement.hierarchy, index)


def is_summand(layout: Layout) -> bool:
    """Whether this rank holds the value of a partial sum, of which the others hold zeros."""
    places = np.unravel_index(own_index(layout) or 0, layout.placement.hierarchy)
    return not any(
        place for place, one in zip(places, layout.sbp, strict=True) if one == partial_sum
    )


def of_ranks(array: Array, layout: Layout) -> list[Array]:
    """What each rank of a placement has in place of this array.

    A process alone stands for all ranks: they run the same program, and have the same.
    """
    count = prod(layout.placement.hierarchy)
    if devices.launched() is None:
        return [array] * count
    every = _exchanged(array)
    return [every[int(rank)] for rank in layout.placement.ranks.flat]


def _exchanged(array: Array) -> list[Array]:
    """The arrays of all ranks."""
    import json

    from penstock.runtime.mpi.world import world

    ranks = world()
    assert ranks is not None
    head = json.dumps([array.shape, str(array.dtype)]).encode()
    sent = len(head).to_bytes(4, "little") + head + array.tobytes()
    found = []
    for data in ranks.exchange(sent, "to_global of all ranks"):
        end = 4 + int.from_bytes(data[:4], "little")
        shape, word = json.loads(data[4:end])
        found.append(np.frombuffer(data, np.dtype(word), offset=end).reshape(shape).copy())
    return found


def agreed(array: Array, layout: Layout) -> Array:
    """Rank 0's array in place of each rank's."""
    if devices.launched() is None or not is_shared(layout):
        return array
    return _exchanged(array)[0]


def gather_parts(tensor: Tensor) -> None:
    """Take over from the other ranks of a launched run what each has changed: its part."""
    layout = tensor.layout
    if layout is None or not is_shared(layout) or devices.launched() is None:
        return
    state, shape = joined_state(layout), tensor.array.shape
    if "S" not in state:
        return
    for index, array in enumerate(of_ranks(tensor.array, layout)):
        part = part_of(shape, state, layout.placement.hierarchy, index)
        where = tuple(slice(start, start + size) for start, size in part)
        tensor.array[where] = array[where]
