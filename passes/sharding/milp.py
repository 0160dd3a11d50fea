"""The choice as a mixed-integer linear program, solved by HiGHS (extra `place`: SciPy).

For each node and option there is a binary variable, and for each reader of a tensor the flow from
the state it is made in to the state that the reader wants: as in a transportation problem, flows
add up to the options at either end. A conversion that several readers want is a variable that
bounds their flows. Only the options are integers; the relaxation is nearly always integral.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic
from typing import Any

import numpy as np

from penstock.passes.sharding.problem import Instance, grouped

OPTIMAL, INFEASIBLE = 0, 2
"""What SciPy calls its results."""
ENOUGH = 5e-3
"""How far from the bound a plan may be if memory is bounded, which makes the search long."""
TOLERANCE = 1e-6
"""How far from integers a relaxed solution may be that counts as integral."""


def available() -> bool:
    """Whether SciPy is installed."""
    from importlib.util import find_spec

    return find_spec("scipy") is not None


class Program:
    """The linear program of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
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
        for options in instance.options:
            self.first.append(len(self.costs))
            numbers = [self.variable(option.seconds, True) for option in options]
            self.row(numbers, [1.0] * len(numbers), 1.0, 1.0)
        for tensor in range(len(instance.tensors)):
            self._flows(tensor)

    def variable(self, cost: float, integer: bool = False) -> int:
        """A new variable between 0 and 1."""
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

    def _flows(self, tensor: int) -> None:
        """The variables and bounds of the conversions of a tensor."""
        instance, of = self.instance, self.instance.tensors[tensor]
        made = grouped(instance.options[of.maker], "results", of.place)
        shared: dict[tuple[str, str], int] = {}
        single = len(of.readers) == 1
        for reader, place in of.readers:
            wanted = grouped(instance.options[reader], "operands", place)
            flows: dict[tuple[str, str], int] = {}
            for source in made:
                for target in wanted:
                    cost = instance.convert(tensor, source, target)
                    flow = flows[source, target] = self.variable(cost if single else 0.0)
                    if source == target:
                        continue
                    if single:
                        self.copies.setdefault((tensor, target), []).append(flow)
                    elif cost or self.instance.memory:
                        self._share(tensor, shared, source, target, cost, flow)
            self._balance(flows, made, wanted, of.maker, reader)

    def _share(
        self,
        tensor: int,
        shared: dict[tuple[str, str], int],
        source: str,
        target: str,
        cost: float,
        flow: int,
    ) -> None:
        """Let a flow need the conversion that other readers may need, too."""
        copy = shared.get((source, target))
        if copy is None:
            copy = shared[source, target] = self.variable(cost)
            self.copies.setdefault((tensor, target), []).append(copy)
        self.row([copy, flow], [1.0, -1.0], 0.0, math.inf)

    def _balance(
        self,
        flows: dict[tuple[str, str], int],
        made: Any,
        wanted: Any,
        maker: int,
        reader: int,
    ) -> None:
        """Flows add up to the options at either end."""
        for source, numbers in made.items():
            ends = [self.first[maker] + number for number in numbers]
            inner = [flows[source, target] for target in wanted]
            self.row([*inner, *ends], [1.0] * len(inner) + [-1.0] * len(ends), 0.0, 0.0)
        for target, numbers in wanted.items():
            ends = [self.first[reader] + number for number in numbers]
            inner = [flows[source, target] for source in made]
            self.row([*inner, *ends], [1.0] * len(inner) + [-1.0] * len(ends), 0.0, 0.0)

    def choice(self, values: Any) -> list[int]:
        """The number of the option that each node takes in a solution."""
        pairs = zip(self.first, self.instance.options, strict=True)
        return [int(np.argmax(values[first : first + len(each)])) for first, each in pairs]

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

    def __init__(self, choice: list[int] | None, bound: float, proven: bool) -> None:
        self.choice = choice
        self.bound = bound
        self.proven = proven


def solve(instance: Instance, seconds: float, gap: float = 1e-6) -> Solved:
    """The best plan within the memory of a rank, after at most this time.

    Memory is bounded where a plan exceeds it, until one does not.
    """
    deadline = monotonic() + seconds
    limit = instance.memory
    if limit and instance.least_memory()[0] > limit:
        return Solved(None, math.inf, True)
    program = Program(instance)
    bounded: set[int] = set()
    while True:
        left = max(1.0, deadline - monotonic())
        # Without a bound on memory, the relaxation is nearly always integral, and faster to solve.
        found = None if bounded else _relaxed(program, left)
        enough = max(gap, ENOUGH) if bounded else gap
        found = found or _integral(program, max(1.0, deadline - monotonic()), enough)
        if found.choice is None or not limit:
            return found
        costs = instance.costs(found.choice)
        if costs.memory <= limit:
            return found
        if costs.peak in bounded:
            return Solved(None, found.bound, False)
        bounded.add(costs.peak)
        program.limit_memory(costs.peak)


def _relaxed(program: Program, seconds: float) -> Solved | None:
    """The solution of the relaxation if it is integral, or a proof that there is none."""
    result, scale = _run(program, seconds, integral=False)
    if result.status == INFEASIBLE:
        return Solved(None, math.inf, True)
    if result.status != OPTIMAL:
        return None
    chosen = result.x[np.array(program.integer) > 0]
    if (abs(chosen - chosen.round()) > TOLERANCE).any():
        return None
    return Solved(program.choice(result.x), result.fun / scale, True)


def _integral(program: Program, seconds: float, gap: float) -> Solved:
    result, scale = _run(program, seconds, integral=True, gap=gap)
    if result.x is None:
        none = result.status == INFEASIBLE
        return Solved(None, math.inf if none else 0.0, none)
    choice = program.choice(result.x)
    return Solved(choice, result.mip_dual_bound / scale, result.status == OPTIMAL)


def lower_bound(instance: Instance, seconds: float) -> float:
    """What no plan costs less than: the optimum of the relaxation, 0 if time runs out."""
    result, scale = _run(Program(instance), seconds, integral=False)
    return float(result.fun) / scale if result.status == OPTIMAL else 0.0


def _run(program: Program, seconds: float, integral: bool, gap: float = 0.0) -> tuple[Any, float]:
    """What HiGHS returns, and the scale of its costs."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    shape = len(program.least), len(program.costs)
    matrix = csr_matrix((program.factors, (program.rows, program.columns)), shape=shape)
    costs = np.array(program.costs)
    # The solver's tolerances are absolute, so costs are scaled to those of an average node.
    scale = len(program.first) / max(float(abs(costs).sum()), 1e-30) * 1e3
    result = milp(
        costs * scale,
        constraints=LinearConstraint(matrix, program.least, program.most),
        integrality=np.array(program.integer) * integral,
        bounds=Bounds(0, 1),
        options={"time_limit": seconds, "mip_rel_gap": gap},
    )
    return result, scale
