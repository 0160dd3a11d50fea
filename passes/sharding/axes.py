"""The choice on a mesh of several axes: one axis at a time, the others being as chosen before.

The slowest axis comes first, while the others hold whole tensors; then the others. This, and the
greedy plan with the slowest axis chosen anew, are two plans to begin with: the better one is
changed on each axis in turn, until this gains little. Small jobs are solved on all axes at once,
and so are relaxations of networks of repeated layers, whose rounded solution may be better still.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain

from penstock.ir.dialects.job.sharding import BROADCAST
from penstock.passes.sharding.greedy import choose_greedily
from penstock.passes.sharding.kinds import Allowed, Option
from penstock.passes.sharding.problem import Instance, Node, Problem
from penstock.passes.sharding.repeats import repeats
from penstock.passes.sharding.work import Budget

Solver = Callable[[Instance, Budget, float], list[int] | None]
"""Finds a plan with this budget, or somewhat more; one that is so close to the best, if it can."""

JOINT = 5000
"""Options of all nodes on all axes, up to which these are solved at once."""
ELIMINATED = 1500
"""The same for elimination, whose tables grow faster."""
FLOWS = 60_000
"""Flows of a relaxation on all axes at once, up to which it bounds the plan."""
ALIKE = 3
"""To which distance repeated nodes are compared in the relaxation on all axes, at most."""
APART = 2
"""The same in relaxations of the axes, each for itself."""
ENOUGH = 1e-2
"""The part of the cost that another axis must gain."""
CLOSE = 1e-2
"""How far from the best plan on one axis a plan may be, since other axes change it again."""
FIRST = 0.1
"""The same in the first turns, as every axis has another one."""
ROUNDS = 3
"""Rounds over all axes, at most."""


def joint_size(problem: Problem) -> int:
    """The number of options of all nodes on all axes together."""
    return sum(map(len, problem.instance().options))


def relaxed_rounds(joint: Instance) -> int | None:
    """To which distance nodes can be compared for the relaxation on all axes to be small enough;
    None if it is too large."""
    for rounds in range(ALIKE, 0, -1):
        if repeats(joint, rounds).flows(joint) <= FLOWS:
            return rounds
    return None


def solve_by_axes(problem: Problem, solver: Solver, budget: Budget) -> Instance | None:
    """The instance whose only options are those of the plan; None if there is no plan."""
    machine = problem.machine
    slowness = [link.latency * 1e6 + 1e9 / link.bandwidth for link in machine.links]
    order = sorted(range(len(machine.mesh)), key=lambda axis: -slowness[axis])
    work = _Descent(problem, solver, budget)
    chosen = [_start(node, len(machine.mesh)) for node in problem.nodes]
    for axis in order:
        # Memory counts once all axes are chosen.
        chosen = work.turn(chosen, axis, FIRST, axis == order[-1])
    greedy = _greedy(problem)
    if greedy is not None:
        # Plans are no worse than OneFlow's; and some are better where these begin.
        work.take([_fixed(options[0]) for options in greedy.options], _cost(greedy))
        if not budget.is_spent:
            work.turn([_fixed(options[0]) for options in greedy.options], order[0], CLOSE)
    idle = 0
    for axis in order * ROUNDS:
        # Once all axes but this one have gained nothing, this one won't either.
        if work.best is None or idle >= len(order) - 1 or budget.is_spent:
            break
        if axis == work.axis:
            continue
        least = work.least
        work.turn(work.best, axis, CLOSE)
        idle = 0 if least - work.least > ENOUGH * work.least else idle + 1
    work.fuse()
    return None if work.best is None else problem.instance(work.best)


class _Descent:
    """Changes plans on one axis at a time, and keeps the best."""

    def __init__(self, problem: Problem, solver: Solver, budget: Budget) -> None:
        self.problem = problem
        self.solver = solver
        self.budget = budget
        self.best: list[Allowed] | None = None
        self.least = math.inf
        self.axis: int | None = None
        """The axis on which the best plan was chosen last."""
        self.plans: list[list[Allowed]] = []
        """All plans that might have been the best."""

    def turn(
        self, chosen: Sequence[Allowed], axis: int, gap: float, counts: bool = True
    ) -> list[Allowed]:
        """A plan with an axis chosen anew; memory is limited, and the plan may be the best, if
        that counts."""
        pairs = zip(self.problem.nodes, chosen, strict=True)
        instance = self.problem.instance([_freed(node, known, axis) for node, known in pairs])
        instance.memory *= counts
        plan = self.solver(instance, self.budget, gap)
        if plan is None:
            return list(chosen)
        found = [_fixed(o[number]) for o, number in zip(instance.options, plan, strict=True)]
        if counts:
            self.take(found, instance.costs(plan).seconds, axis)
        return found

    def take(self, chosen: list[Allowed], cost: float, axis: int | None = None) -> None:
        """Keep a plan, and whether it is the best."""
        self.plans.append(chosen)
        if cost < self.least:
            self.best, self.least, self.axis = chosen, cost, axis

    def fuse(self) -> None:
        """Choose again, on all axes at once, among what each node has in some plan."""
        machine, nodes = self.problem.machine, self.problem.nodes
        known: dict[tuple[int, frozenset[Allowed]], list[Option]] = {}
        every = []
        for node, *seen in zip(nodes, *self.plans, strict=True):
            found = dict.fromkeys(seen)
            options = [option for each in found for option in node.options(machine, each)]
            alike = id(node) if node.moved else id(node.kind)
            every.append(known.setdefault((alike, frozenset(found)), options))
        instance = Instance(self.problem, every)
        plan = self.solver(instance, self.budget, 0.0)
        if plan is None:
            return
        cost = instance.costs(plan)
        if not 0 < instance.memory < cost.memory:
            fixed = [_fixed(o[number]) for o, number in zip(every, plan, strict=True)]
            self.take(fixed, cost.seconds)


def _greedy(problem: Problem) -> Instance | None:
    """The greedy plan as the only options, if it fits into memory."""
    joint = problem.instance()
    plan = choose_greedily(joint)
    pairs = zip(joint.options, plan, strict=True)
    found = problem.instance([_fixed(options[number]) for options, number in pairs])
    fits = not joint.memory or found.costs(_only(found)).memory <= joint.memory
    return found if fits else None


def _cost(instance: Instance) -> float:
    """The seconds of an instance with one option for each node."""
    return instance.costs(_only(instance)).seconds


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
