"""The choice as a mixed-integer linear program, solved by HiGHS (extra `place`: SciPy).

For each node and option there is a binary variable, and for each reader of a tensor the flow from
the state it is made in to the state that the reader wants: as in a transportation problem, flows
add up to the options at either end. A conversion that several readers want is a variable that
bounds their flows. Only the options are integers; the relaxation is nearly always integral.

Repeated layers are solved as one first. If the plan costs what the relaxation says, it is proven to
be optimal; so most networks take as long as a few of their layers. Where it costs somewhat more, no
better plan has an option whose reduced cost is more than the difference, and the search is among
the others. All limits count iterations and nodes of the search, so that no clock matters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.passes.sharding.improve import improved
from penstock.passes.sharding.problem import Instance, grouped
from penstock.passes.sharding.repeats import Alike, Repeats, distinct, repeats
from penstock.passes.sharding.work import COLUMN, ITERATION, Budget

OPTIMAL, INFEASIBLE = 0, 2
"""What SciPy calls its results."""
ENOUGH = 5e-3
"""How far from the bound a plan may be if memory is bounded, which makes the search long."""
EXACT = 1e-6
"""How far from the bound a plan may be that counts as optimal, since solvers have tolerances."""
ROUNDS = (2, 5, None)
"""To which distance nodes are compared that are solved as one, until a plan costs no more than the
bound; None solves each for itself."""
COARSE = (2, 5)
"""The same where another choice follows."""
NODES = 400
"""Nodes of the search, at most."""
LARGEST = 150_000
"""Variables of a program, up to which options are taken to be integers."""


def available() -> bool:
    """Whether SciPy is installed."""
    from importlib.util import find_spec

    return find_spec("scipy") is not None


class Program:
    """The linear program of an instance.

    Where nodes and tensors are repeated, a variable is the mean over a class, and a row the sum of
    rows, so that no plan costs less than the relaxation.
    """

    def __init__(self, instance: Instance, repeated: Repeats | None = None) -> None:
        self.instance = instance
        self.repeated = repeated or distinct(instance)
        self.costs: list[float] = []
        self.integer: list[int] = []
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.factors: list[float] = []
        self.least: list[float] = []
        self.most: list[float] = []
        self.first: list[int] = []
        """The variable of each node's first option."""
        self.copies: dict[tuple[int, str], list[int]] = {}
        """The variables that add up to 1 where a tensor is converted to a state."""
        for number, options in enumerate(instance.options):
            leader = self.repeated.leaders[number]
            if leader < number:
                self.first.append(self.first[leader])
                continue
            self.first.append(len(self.costs))
            count = self.repeated.counts[number]
            numbers = [self.variable(count * option.seconds, True) for option in options]
            self.row(numbers, [1.0] * len(numbers), 1.0, 1.0)
        for alike in self.repeated.tensors:
            self._flows(alike)

    def variable(self, cost: float, integer: bool = False) -> int:
        """A new variable that is not negative; rows bound it from above."""
        self.costs.append(cost)
        self.integer.append(int(integer))
        return len(self.costs) - 1

    def row(
        self, columns: Sequence[int], factors: Sequence[float], least: float, most: float
    ) -> None:
        """Bound a sum of variables, each times its factor."""
        self.rows += [len(self.least)] * len(columns)
        self.columns += columns
        self.factors += factors
        self.least.append(least)
        self.most.append(most)

    def _flows(self, alike: Alike) -> None:
        """The variables and bounds of the conversions of a class of tensors."""
        instance, tensor, count = self.instance, alike.tensor, alike.makers.total()
        of = instance.tensors[tensor]
        made = grouped(instance.options[of.maker], "results", of.place)
        shared: dict[tuple[str, str], int] = {}
        single = sum(slot.readers.total() for slot in alike.slots.values()) == count
        for slot in alike.slots.values():
            wanted = grouped(instance.options[slot.reader], "operands", slot.place)
            readers = slot.readers.total() / count
            flows: dict[tuple[str, str], int] = {}
            for source in made:
                for target in wanted:
                    cost = count * instance.convert(tensor, source, target)
                    flow = flows[source, target] = self.variable(cost if single else 0.0)
                    if source == target:
                        continue
                    if single:
                        self.copies.setdefault((tensor, target), []).append(flow)
                    elif cost or self.instance.memory:
                        copy = shared.get((source, target))
                        if copy is None:
                            copy = shared[source, target] = self.variable(cost)
                            self.copies.setdefault((tensor, target), []).append(copy)
                        # The conversion that other readers may need, too.
                        self.row([copy, flow], [readers, -1.0], 0.0, math.inf)
            makers = {leader: readers * n / count for leader, n in alike.makers.items()}
            wanting = {leader: n / count for leader, n in slot.readers.items()}
            for source, numbers in made.items():
                self._balance([flows[source, target] for target in wanted], numbers, makers)
            for target, numbers in wanted.items():
                self._balance([flows[source, target] for source in made], numbers, wanting)

    def _balance(
        self, flows: Sequence[int], options: Sequence[int], nodes: Mapping[int, float]
    ) -> None:
        """Let flows add up to these options of the nodes, each times its factor."""
        ends = [
            (self.first[node] + each, -factor) for node, factor in nodes.items() for each in options
        ]
        columns, factors = [each for each, _ in ends], [factor for _, factor in ends]
        self.row([*flows, *columns], [*[1.0] * len(flows), *factors], 0.0, 0.0)

    def choice(self, values: Any) -> list[int]:
        """The number of the option that each node takes in a solution."""
        pairs = zip(self.first, self.instance.options, strict=True)
        return [int(np.argmax(values[first : first + len(each)])) for first, each in pairs]

    def raises(self, reduced: Any) -> list[list[float]]:
        """By how much each option of each node raises the bound, from variables' reduced costs."""
        counts = (self.repeated.counts[leader] for leader in self.repeated.leaders)
        rows = zip(self.first, self.instance.options, counts, strict=True)
        return [(reduced[a : a + len(each)] / count).tolist() for a, each, count in rows]

    def limit_memory(self, node: int) -> None:
        """Bound what is live at a node by the memory of a rank."""
        instance, limit = self.instance, self.instance.memory
        found: dict[int, float] = {}
        for number, tensor in enumerate(instance.tensors):
            if not tensor.alive[0] <= node <= tensor.alive[1]:
                continue
            first = self.first[tensor.maker]
            for position, option in enumerate(instance.options[tensor.maker]):
                size = instance.bytes_of(number, option.results[tensor.place]) / limit
                found[first + position] = found.get(first + position, 0.0) + size
        for (number, target), variables in self.copies.items():
            start, end = instance.copy_alive(number, target)
            if start <= node <= end:
                size = instance.bytes_of(number, target) / limit
                found.update(dict.fromkeys(variables, size))
        self.row(list(found), list(found.values()), -math.inf, 1.0)


class Solved:
    """What the solver says: the plan, None if there is none, and what no plan can be below."""

    def __init__(
        self,
        choice: list[int] | None,
        bound: float,
        proven: bool,
        raises: list[list[float]] | None = None,
    ) -> None:
        self.choice = choice
        self.bound = bound
        self.proven = proven
        self.raises = raises
        """By how much each option of each node raises the bound at least, where that is known."""


def solve(
    instance: Instance, budget: Budget | None = None, gap: float = EXACT, search: bool = True
) -> Solved:
    """The best plan within the memory of a rank, or the best found when the budget is spent.

    Memory is bounded where a plan exceeds it, until one does not. Without `search`, the rounded
    solution of the relaxation will do, if it fits into memory.
    """
    budget = budget or Budget()
    limit = instance.memory
    if limit and instance.least_memory()[0] > limit:
        return Solved(None, math.inf, True)
    # Without a bound on memory, the relaxation is nearly always integral, and faster to solve.
    rounded = _rounded(instance, budget, gap, ROUNDS if search else COARSE)
    if rounded.proven or (rounded.choice is not None and not search):
        return rounded
    left, numbers = _left(instance, rounded)
    found = _searched(left, budget, gap)
    if found.choice is not None:
        found.choice = [of[n] for of, n in zip(numbers, found.choice, strict=True)]
    return _better(instance, found, rounded)


def _searched(instance: Instance, budget: Budget, gap: float) -> Solved:
    """The best plan, by branch and bound."""
    program = Program(instance)
    budget.spend(COLUMN * len(program.costs))
    if len(program.costs) > LARGEST:
        return Solved(None, 0.0, False)
    bounded: set[int] = set()
    while not budget.is_spent:
        found = _integral(program, budget, max(gap, ENOUGH) if bounded else gap)
        if found.choice is None or not instance.memory:
            return found
        costs = instance.costs(found.choice)
        if costs.memory <= instance.memory:
            return found
        if costs.peak in bounded:
            return Solved(None, found.bound, False)
        for peak in _peaks(instance, found.choice):
            if peak not in bounded:
                bounded.add(peak)
                program.limit_memory(peak)
    return Solved(None, 0.0, False)


def _peaks(instance: Instance, choice: Sequence[int]) -> list[int]:
    """The nodes where a plan exceeds the memory, and those around them don't take more."""
    profile = instance.profile(choice, list(instance.conversions(choice)))
    around = zip(profile, [0, *profile], [*profile[1:], 0], strict=False)
    return [
        node
        for node, (size, before, after) in enumerate(around)
        if size > instance.memory and size > before and size >= after
    ]


def _left(instance: Instance, rounded: Solved) -> tuple[Instance, list[list[int]]]:
    """The instance without options that no plan better than the rounded one has, and the numbers
    of those that are left."""
    numbers = [list(range(len(options))) for options in instance.options]
    if rounded.choice is not None and rounded.raises is not None:
        slack = instance.costs(rounded.choice).seconds * (1 + EXACT) - rounded.bound
        for node, chosen in enumerate(rounded.choice):
            raises = rounded.raises[node]
            numbers[node] = [n for n in numbers[node] if raises[n] <= slack or n == chosen]
    pairs = zip(instance.options, numbers, strict=True)
    left = Instance(instance.problem, [[options[n] for n in each] for options, each in pairs])
    left.memory = instance.memory
    return left, numbers


def _rounded(
    instance: Instance, budget: Budget, gap: float, distances: Sequence[int | None] = ROUNDS
) -> Solved:
    """The rounded solution of the relaxation, proven if it is so close to the bound; without a
    choice if it takes too much memory."""
    rounded = Solved(None, 0.0, False)
    sizes = [(rounds, _repeats(instance, rounds).flows(instance)) for rounds in distances]
    most = distinct(instance).flows(instance)
    for rounds, size in sizes:
        if rounds not in (None, distances[0]) and 2 * size > most:
            continue
        found = relax(instance, budget, rounds)
        if found.choice is None:
            break
        costs = instance.costs(found.choice)
        if 0 < instance.memory < costs.memory:
            return Solved(None, found.bound, False)
        if rounded.choice is None or costs.seconds < instance.costs(rounded.choice).seconds:
            rounded.choice = found.choice
        if found.bound >= rounded.bound:
            rounded.bound, rounded.raises = found.bound, found.raises
        least = instance.costs(rounded.choice).seconds
        rounded.proven = least <= rounded.bound * (1 + gap)
        if rounded.proven:
            break
    return rounded


def _better(instance: Instance, found: Solved, rounded: Solved) -> Solved:
    """What was found, or the rounded plan if that costs less or the search found no other."""
    if rounded.choice is None:
        return found
    # The search is among plans that cost no more than the rounded one: no other one is better.
    cost = instance.costs(rounded.choice).seconds
    bound = max(min(found.bound, cost), rounded.bound)
    if found.choice is not None and instance.costs(found.choice).seconds <= cost:
        return Solved(found.choice, bound, found.proven)
    return Solved(rounded.choice, bound, cost <= bound * (1 + EXACT))


def _repeats(instance: Instance, rounds: int | None) -> Repeats:
    return distinct(instance) if rounds is None else repeats(instance, rounds)


def relax(instance: Instance, budget: Budget | None = None, rounds: int | None = None) -> Solved:
    """The solution of the relaxation, rounded and improved, and its bound; memory is not bounded.

    With `rounds`, repeated layers are solved as one: this takes less work, the bound may be lower,
    and the plan worse. Without a choice, and with bound 0, if the budget does not suffice.
    """
    program = Program(instance, _repeats(instance, rounds))
    solved = _relaxed(program, budget or Budget())
    if solved is None:
        return Solved(None, 0.0, False)
    result, scale = solved
    free = [[0.0] * len(options) for options in instance.options]
    choice = improved(instance, program.choice(result.x), free)
    return Solved(choice, result.fun / scale, False, program.raises(result.lower.marginals / scale))


def least(instance: Instance, budget: Budget, rounds: int) -> float:
    """The bound of `relax` alone; 0 if the budget does not suffice."""
    solved = _relaxed(Program(instance, _repeats(instance, rounds)), budget)
    return 0.0 if solved is None else float(solved[0].fun) / solved[1]


def _relaxed(program: Program, budget: Budget) -> tuple[Any, float] | None:
    """SciPy's result and the factor of its costs; None if the budget does not suffice."""
    from scipy.optimize import linprog

    rows = len(program.least)
    budget.spend(COLUMN * len(program.costs))
    matrix, costs, scale = _arrays(program)
    least, most = np.array(program.least), np.array(program.most)
    equal = least == most
    # Without memory, all other rows are bounded from below.
    result = linprog(
        costs * scale,
        A_ub=-matrix[~equal], b_ub=-least[~equal], A_eq=matrix[equal], b_eq=most[equal],
        bounds=(0, None), method="highs-ds", options={"maxiter": budget.iterations(rows)},
    )  # fmt: skip
    budget.spend(ITERATION * rows * int(result.nit))
    return (result, scale) if result.status == OPTIMAL else None


def _integral(program: Program, budget: Budget, gap: float) -> Solved:
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, costs, scale = _arrays(program)
    rows = len(program.least)
    result = milp(
        costs * scale,
        constraints=LinearConstraint(matrix, program.least, program.most),
        integrality=np.array(program.integer),
        bounds=Bounds(0, math.inf),
        options={"mip_rel_gap": gap, "node_limit": NODES},
    )
    # SciPy does not say how many iterations there were: about one for each row, few more per node.
    budget.spend(ITERATION * rows * rows * (1 + 0.1 * int(result.mip_node_count or 0)))
    if result.x is None:
        none = result.status == INFEASIBLE
        return Solved(None, math.inf if none else 0.0, none)
    choice = program.choice(result.x)
    return Solved(choice, result.mip_dual_bound / scale, result.status == OPTIMAL)


def _arrays(program: Program) -> tuple[Any, Any, float]:
    """The matrix of the rows, the costs, and a factor for these."""
    from scipy.sparse import csr_matrix

    shape = len(program.least), len(program.costs)
    matrix = csr_matrix((program.factors, (program.rows, program.columns)), shape=shape)
    costs = np.array(program.costs)
    # The solver's tolerances are absolute, so costs are scaled to those of an average node.
    scale = len(program.first) / max(float(abs(costs).sum()), 1e-30) * 1e3
    return matrix, costs, scale
