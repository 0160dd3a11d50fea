"""A bound that no plan on a mesh of several axes is below: the axes, each for itself.

On one axis, the others are taken to split every tensor, whatever its state there: then a conversion
costs the least that it can. An op's time is bounded by a sum of one term for each axis. If A is the
least time of its options, these are the least time with this axis' signature, less A (k-1)/k on a
mesh of k axes. Splitting work on one axis saves no less when the others don't, so that the sum is
exact where all axes but one split the op; elsewhere it is corrected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from penstock.ir.dialects.job.sharding import axis_states
from penstock.passes.sharding.kinds import Option
from penstock.passes.sharding.machine import Machine, conversion
from penstock.passes.sharding.problem import Instance, Problem


class AxisInstance(Instance):
    """What is left of a problem on one axis of the mesh."""

    def __init__(self, problem: Problem, joint: Instance, axis: int) -> None:
        whole = problem.machine
        self.others = math.prod(whole.mesh) // whole.mesh[axis]
        """The ranks that may share a tensor on the other axes."""
        terms: dict[int, list[Option]] = {}
        for options in joint.options:
            if id(options) not in terms:
                terms[id(options)] = _on_axis(options, axis, len(whole.mesh))
        super().__init__(problem, [terms[id(options)] for options in joint.options])
        self.machine = Machine((whole.mesh[axis],), (whole.links[axis],), bucket=whole.bucket)
        link = whole.links[axis]
        self.latency = Machine(
            (whole.mesh[axis],),
            (type(link)(link.latency, math.inf, math.inf),),
            bucket=whole.bucket * self.others,
        )
        """The machine without the time that bytes take."""

    def conversion(self, tensor: int, source: str, target: str) -> float:
        """The least seconds of a conversion on this axis."""
        of = self.tensors[tensor]
        waiting = conversion(self.latency, *of.form, source, target, of.bucketed)
        free = conversion(self.latency, *of.form, source, target)
        taken = conversion(self.machine, *of.form, source, target)
        return waiting + max(0.0, taken - free) / self.others


def _on_axis(options: Sequence[Option], axis: int, axes: int) -> list[Option]:
    """The options on one axis, each with its term of the bound on the time."""
    least = min(option.seconds for option in options)
    terms: list[dict[int, float]] = [{} for _ in range(axes)]
    for option in options:
        for known, number in zip(terms, option.numbers, strict=True):
            known[number] = min(known.get(number, math.inf), option.seconds)
    share = least * (axes - 1) / axes
    excess = max(
        sum(known[number] - share for known, number in zip(terms, option.numbers, strict=True))
        - option.seconds
        for option in options
    )
    found: dict[int, Option] = {}
    for option in options:
        number = option.numbers[axis]
        operands = tuple(axis_states(state)[axis] for state in option.operands)
        results = tuple(axis_states(state)[axis] for state in option.results)
        seconds = terms[axis][number] - share - max(0.0, excess) / axes
        found.setdefault(number, Option(operands, results, seconds, (number,)))
    return list(found.values())
