"""The choice on a mesh of several axes: one axis at a time, the others being as chosen before.

The slowest axis comes first, while the others hold whole tensors; then each axis in turn, until
this gains little. Where the greedy plan is better than the first one on all axes, it is where the
further turns begin. Small jobs are solved on all axes at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from time import monotonic

from penstock.ir.dialects.job.sharding import BROADCAST
from penstock.passes.sharding.greedy import choose_greedily
from penstock.passes.sharding.kinds import Allowed, Option
from penstock.passes.sharding.problem import Instance, Node, Problem

Solver = Callable[[Instance], list[int] | None]

JOINT = 1500
"""Options of all nodes on all axes, up to which these are solved at once."""
ENOUGH = 4e-3
"""The part of the cost that another axis must gain."""
CLOSE = 2e-3
"""How far from the best plan on one axis a plan may be, since other axes change it again."""
ROUNDS = 3
"""Rounds over all axes, at most."""


def joint_size(problem: Problem) -> int:
    """The number of options of all nodes on all axes together."""
    return sum(map(len, problem.instance().options))


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
        if turn == len(order) - 1:
            simple = _greedy(problem)
            if simple is not None and simple.costs(_only(simple)).seconds < cost:
                # What is better than this start is better than what OneFlow chooses, too.
                chosen = [_fixed(options[0]) for options in simple.options]
                best, least = simple, simple.costs(_only(simple)).seconds
                continue
        # Once all axes but this one have gained nothing, this one won't either.
        gained = turn < len(order) or least - cost > ENOUGH * cost
        idle = 0 if gained else idle + 1
        if plan is not None and (best is None or cost < least):
            chosen = [_fixed(o[number]) for o, number in zip(instance.options, plan, strict=True)]
            if counts:
                best, least = problem.instance(chosen), cost
        if idle >= len(order) - 1 or monotonic() > deadline:
            break
    # Where no axis was solved in time, the greedy plan is better than none.
    return best or _greedy(problem)


def _greedy(problem: Problem) -> Instance | None:
    """The greedy plan as the only options, if it fits into memory."""
    joint = problem.instance()
    plan = choose_greedily(joint)
    pairs = zip(joint.options, plan, strict=True)
    found = problem.instance([_fixed(options[number]) for options, number in pairs])
    fits = not joint.memory or found.costs(_only(found)).memory <= joint.memory
    return found if fits else None


def _only(instance: Instance) -> list[int]:
    """The plan of an instance with one option for each node."""
    return [0] * len(instance.nodes)


def _fixed(option: Option) -> Allowed:
    """The signatures of an option alone."""
    return tuple((number,) for number in option.numbers)


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
