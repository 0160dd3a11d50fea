"""The choice on a mesh of several axes: one axis at a time, the others being as chosen before.

The slowest axis comes first, while the others hold whole tensors; then each axis in turn, until
this gains little. Small jobs are solved on all axes at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from time import monotonic

from penstock.ir.dialects.job.sharding import BROADCAST
from penstock.passes.sharding.kinds import Allowed
from penstock.passes.sharding.problem import Instance, Node, Problem

Solver = Callable[[Instance], list[int] | None]

JOINT = 1000
"""Options of all nodes on all axes, up to which these are solved at once."""
ENOUGH = 4e-3
"""The part of the cost that another axis must gain."""
ROUNDS = 3
"""Rounds over all axes, at most."""


def joint_size(problem: Problem) -> int:
    """The number of options of all nodes on all axes together."""
    axes = len(problem.machine.mesh)
    return sum(len(node.kind.signatures) ** axes for node in problem.nodes)


def solve_by_axes(problem: Problem, solver: Solver, seconds: float) -> Instance | None:
    """The instance whose only options are those of the plan; None if there is no plan."""
    machine = problem.machine
    deadline = monotonic() + seconds
    slowness = [link.latency * 1e6 + 1e9 / link.bandwidth for link in machine.links]
    order = sorted(range(len(machine.mesh)), key=lambda axis: -slowness[axis])
    chosen = [_start(node, len(machine.mesh)) for node in problem.nodes]
    best: Instance | None = None
    least, idle = math.inf, 0
    for turn, axis in enumerate(order * ROUNDS):
        pairs = zip(problem.nodes, chosen, strict=True)
        instance = problem.instance([_freed(node, known, axis) for node, known in pairs])
        # Memory counts once all axes are chosen.
        counts = turn >= len(order) - 1
        instance.memory *= counts
        plan = solver(instance)
        cost = math.inf if plan is None else instance.costs(plan).seconds
        # Once all axes but this one have gained nothing, this one won't either.
        gained = turn < len(order) or least - cost > ENOUGH * cost
        idle = 0 if gained else idle + 1
        if plan is not None and (best is None or cost < least):
            numbers = [o[number].numbers for o, number in zip(instance.options, plan, strict=True)]
            chosen = [tuple((number,) for number in each) for each in numbers]
            if counts:
                best, least = problem.instance(chosen), cost
        if idle >= len(order) - 1 or monotonic() > deadline:
            break
    return best


def _allowed(node: Node, axes: int) -> Allowed:
    return node.allowed or (tuple(range(len(node.kind.signatures))),) * axes


def _start(node: Node, axes: int) -> Allowed:
    """On each axis the signature with whole tensors, unless hints rule it out."""
    whole = [
        number
        for number, signature in enumerate(node.kind.signatures)
        if set(chain(signature.operands, signature.results)) <= {BROADCAST}
    ]
    return tuple(tuple(set(whole) & set(each)) or each for each in _allowed(node, axes))


def _freed(node: Node, known: Sequence[tuple[int, ...]], axis: int) -> Allowed:
    """What is known, but on one axis all that hints leave."""
    free = _allowed(node, len(known))[axis]
    return tuple(free if i == axis else each for i, each in enumerate(known))
