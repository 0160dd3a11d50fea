"""The choice as OneFlow v0.3.4 makes it: op by op in program order, the producers being fixed.

Feeds are split along their first dimension, variables are whole. Each op takes the signature of the
least order value, and of these the one that copies least (`operator.cpp` and `sbp_parallel.cpp` of
that version). Order values count operands and results split along the batch dimension, operands
that are not split and have none, and operands that are as their producers made them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from penstock.ir.dialects.job.sharding import BROADCAST, axis_states, is_partial, split, split_dim
from penstock.passes.sharding.kinds import Kind, Option
from penstock.passes.sharding.problem import Instance

SAME, SPLIT, WHOLE = -8, -1, -2
"""What an operand adds to the order value if it is as made; split along the batch; neither is."""


def choose_greedily(instance: Instance) -> list[int]:
    """The number of the option that each node takes."""
    batch: dict[int, int | None] = {}
    states: dict[int, str] = {}
    choice: list[int] = []
    sizes: set[int] = set()
    for node, options in zip(instance.nodes, instance.options, strict=True):
        _set_batch(node.kind, node.reads, node.makes, batch, sizes)
        if node.makes and instance.tensors[node.makes[0]].kept:
            number = _preferred(options, BROADCAST)
        elif not node.reads and not node.kind.operands and node.kind.cost is None:
            shape, _ = node.kind.results[0]
            if shape:
                batch[node.makes[0]] = 0
                sizes.add(shape[0])
            number = _preferred(options, split(0))
        else:
            keys = [_key(instance, node.reads, node.makes, each, states, batch) for each in options]
            number = min(range(len(options)), key=keys.__getitem__)
        choice.append(number)
        states.update(zip(node.makes, options[number].results, strict=True))
    return choice


def _preferred(options: Sequence[Option], state: str) -> int:
    """The option that has this state on most axes, an argument's only result."""
    counts = [axis_states(option.results[0]).count(state) for option in options]
    return counts.index(max(counts))


def _set_batch(
    kind: Kind,
    reads: Sequence[int],
    makes: Sequence[int],
    batch: dict[int, int | None],
    sizes: set[int],
) -> None:
    """Of each result, the dimension that a split of the operands' batch dimensions splits.

    What is broadcast along a first dimension as long as one that has the batch (`sizes`) has the
    batch there: v0.3.4 has an operand that shows it.
    """
    given = [batch.get(tensor) for tensor in reads]
    for tensor in makes:
        batch[tensor] = None
    for signature in kind.signatures:
        operands = [split_dim(state) for state in signature.operands]
        known = [(a, b) for a, b in zip(operands, given, strict=True) if a is not None]
        if known and all(a == b for a, b in known):
            for tensor, state, (shape, _) in zip(
                makes, signature.results, kind.results, strict=True
            ):
                batch[tensor] = dim = split_dim(state)
                if dim is not None:
                    sizes.add(shape[dim])
            return
        first = all(state == split(0) for state in signature.results)
        if first and not known and set(signature.operands) <= {BROADCAST}:
            for tensor, (shape, _) in zip(makes, kind.results, strict=True):
                batch[tensor] = 0 if shape[0] in sizes else None


def _key(
    instance: Instance,
    reads: Sequence[int],
    makes: Sequence[int],
    option: Option,
    states: dict[int, str],
    batch: dict[int, int | None],
) -> tuple[float, float]:
    order, copies = 0.0, 0.0
    for tensor, state in zip(reads, option.operands, strict=True):
        made, at = states[tensor], batch.get(tensor)
        for own, other in zip(axis_states(state), axis_states(made), strict=True):
            order += SAME * (own == other) + SPLIT * (split_dim(own) is not None and own == _at(at))
            order += WHOLE * (at is None and split_dim(own) is None and split_dim(other) is None)
        copies += _copied(instance, tensor, made, state)
    for tensor, state in zip(makes, option.results, strict=True):
        own_states = axis_states(state)
        order += SPLIT * sum(own == _at(batch.get(tensor)) for own in own_states)
    return order, copies


def _at(dim: int | None) -> str:
    return "" if dim is None else split(dim)


def _copied(instance: Instance, tensor: int, made: str, wanted: str) -> float:
    """What v0.3.4 takes for the cost of a copy: bytes, or numbers that rule it out."""
    if made == wanted:
        return 0.0
    if any(map(is_partial, axis_states(wanted))):
        return math.inf
    shape, itemsize = instance.tensors[tensor].form
    return float(2**31 - 1) if BROADCAST in axis_states(made) else math.prod(shape) * itemsize
