"""The work of a step by the user's line."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.core import Operation
from penstock.ir.meaning.cost import Cost
from penstock.tools.page.kernels import KernelNode

_AMOUNTS = ("flops", "transcendentals", "read", "written")


def lines_of(
    ops: Sequence[Operation], costs: Sequence[Cost], kernels: Sequence[KernelNode]
) -> dict[str, Cost]:
    """The work of each line; all lines together have that of the kernels, or without any, of the
    ops.

    The work of a kernel is divided among its ops in proportion to the work that each has by itself.
    An op that several kernels compute has a part of each. An op of several lines counts for the
    first.
    """
    parts: dict[str, dict[str, int]] = {}
    units = [(kernel.cost, kernel.ops) for kernel in kernels] or [
        (cost, (number,)) for number, cost in enumerate(costs)
    ]
    for cost, numbers in units:
        places = [_place(ops[number]) for number in numbers]
        for amount in _AMOUNTS:
            whole = getattr(cost, amount)
            weights = [getattr(costs[number], amount) for number in numbers]
            for place, part in zip(places, _divided(whole, weights), strict=True):
                line = parts.setdefault(place, dict.fromkeys(_AMOUNTS, 0))
                line[amount] += part
    return {place: Cost(**amounts) for place, amounts in parts.items()}


def _place(op: Operation) -> str:
    lines = op.location.lines()
    return lines[0] if lines else "unknown location"


def _divided(whole: int, weights: Sequence[int]) -> list[int]:
    """Whole numbers in proportion to the weights, with this sum.

    >>> _divided(10, [1, 1, 1])
    [3, 3, 4]
    >>> _divided(5, [0, 0])
    [2, 3]
    """
    total = sum(weights)
    if not total:
        weights, total = [1] * len(weights), len(weights)
    parts, done, seen = [], 0, 0
    for weight in weights:
        seen += weight
        until = whole * seen // total
        parts.append(until - done)
        done = until
    return parts
