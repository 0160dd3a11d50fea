"""The choice by elimination of nodes, in NumPy alone.

A node is replaced by a table of its least cost for each choice of its neighbours, the one with the
smallest table first; then choices are read off backwards (Dechter, "Bucket elimination", 1999).
This is exact for costs between two nodes. A conversion that several readers share is not of this
form: each pays for it, then, in further rounds, its share of what the readers of the last plan
shared. At the end, single nodes change as long as that lowers the real cost.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from penstock.passes.sharding.improve import improved
from penstock.passes.sharding.problem import Instance
from penstock.passes.sharding.work import ELEMENT, ELIMINATED, Budget

ROUNDS = 4
PRICES, CLOSER = 24, 6
"""How many prices of memory are tried until a plan fits, and then for a cheaper one."""
LARGEST = 20_000_000
"""Elements of the largest table. Where a larger one is due, a neighbour is fixed first."""

Array = np.ndarray
Shares = Mapping[tuple[int, str], int]
"""How many readers share the conversion of a tensor to a state."""


def solve(instance: Instance, budget: Budget | None = None) -> list[int] | None:
    """A good plan within the memory of a rank, or None if none was found before the budget is
    spent."""
    budget = budget or Budget()
    limit = instance.memory
    if limit and instance.least_memory()[0] > limit:
        return None
    best, factor = _best(instance, 0.0, budget), 1e-12
    if not limit or instance.costs(best).memory <= limit:
        return best
    # A price on bytes that grows until the plan fits, then falls as long as it does.
    lowest = 0.0
    found = None
    for _ in range(PRICES):
        if budget.is_spent:
            return None
        plan = _best(instance, factor, budget)
        if instance.costs(plan).memory <= limit:
            found = _cheaper(instance, found, plan)
            break
        lowest, factor = factor, factor * 4
    for _ in range(CLOSER if found else 0):
        if budget.is_spent:
            break
        middle = math.sqrt(max(lowest, 1e-13) * factor)
        plan = _best(instance, middle, budget)
        if instance.costs(plan).memory <= limit:
            found, factor = _cheaper(instance, found, plan), middle
        else:
            lowest = middle
    return found


def _cheaper(instance: Instance, one: list[int] | None, other: list[int]) -> list[int]:
    if one is None or instance.costs(other).seconds < instance.costs(one).seconds:
        return other
    return one


def _best(instance: Instance, price: float, budget: Budget) -> list[int]:
    """The best of several rounds, with bytes that last at a price in seconds."""
    shares: Shares = {}
    prices = _prices(instance, price)
    best: list[int] = []
    least = math.inf
    for _ in range(ROUNDS):
        plan = improved(instance, _eliminated(instance, shares, prices, budget), prices)
        cost = _cost(instance, plan, price)
        if cost >= least:
            break
        best, least = plan, cost
        shares = Counter(
            (number, state)
            for number, tensor in enumerate(instance.tensors)
            for node, place in tensor.readers
            for state in [instance.options[node][plan[node]].operands[place]]
        )
    return best


def _cost(instance: Instance, plan: Sequence[int], price: float) -> float:
    costs = instance.costs(plan)
    return costs.seconds + price * costs.memory


def _prices(instance: Instance, price: float) -> list[list[float]]:
    """For each option of each node, the price of the bytes of its results while they last."""
    found = []
    for node, options in zip(instance.nodes, instance.options, strict=True):
        costs = [0.0] * len(options)
        for place, tensor in enumerate(node.makes if price else ()):
            first, last = instance.tensors[tensor].alive
            factor = price * (last - first + 1) / len(instance.nodes)
            for number, option in enumerate(options):
                costs[number] += factor * instance.bytes_of(tensor, option.results[place])
        found.append(costs)
    return found


def _pairs(instance: Instance, shares: Shares) -> dict[tuple[int, int], Array]:
    """The costs between two nodes, the first numbers first."""
    found: dict[tuple[int, int], Array] = {}
    for number, tensor in enumerate(instance.tensors):
        made = [option.results[tensor.place] for option in instance.options[tensor.maker]]
        for reader, place in tensor.readers:
            if reader == tensor.maker:
                continue
            wanted = [option.operands[place] for option in instance.options[reader]]
            costs = {
                (source, target): instance.convert(number, source, target)
                / max(1, shares.get((number, target), 1))
                for source in set(made)
                for target in set(wanted)
            }
            table = np.array([[costs[source, target] for target in wanted] for source in made])
            key, table = (
                ((tensor.maker, reader), table)
                if tensor.maker < reader
                else ((reader, tensor.maker), table.T)
            )
            found[key] = found[key] + table if key in found else table
    return found


class _Elimination:
    """Tables over nodes; `neighbours` are those that share one."""

    def __init__(
        self, instance: Instance, shares: Shares, prices: Sequence[Sequence[float]]
    ) -> None:
        count = len(instance.nodes)
        self.fixed: dict[int, int] = {}
        """The nodes that have one option, or one left, since tables would be too large: tables
        have no dimension for these, of which NumPy allows 64."""
        self.sizes = [len(options) for options in instance.options]
        self.tables: dict[int, tuple[tuple[int, ...], Array]] = {}
        self.of_node: dict[int, set[int]] = defaultdict(set)
        self.neighbours: list[set[int]] = [set() for _ in range(count)]
        for node, options in enumerate(instance.options):
            seconds = np.array([option.seconds for option in options])
            self.add((node,), seconds + np.array(prices[node]))
        for pair, table in _pairs(instance, shares).items():
            self.add(pair, table)
        for node, size in enumerate(self.sizes):
            if size == 1:
                self.fix(node)

    def add(self, nodes: tuple[int, ...], table: Array) -> None:
        number = len(self.of_node[-1])
        self.of_node[-1].add(number)
        self.tables[number] = nodes, table
        for node in nodes:
            self.of_node[node].add(number)
            self.neighbours[node].update(nodes)
            self.neighbours[node].discard(node)

    def size(self, node: int) -> int:
        """The elements of the table that eliminating a node takes."""
        return self.sizes[node] * math.prod(self.sizes[other] for other in self.neighbours[node])

    def fix(self, node: int) -> None:
        """Leave a node the one option that is best if each table is taken for itself."""
        total = np.zeros(self.sizes[node])
        for number in self.of_node[node]:
            nodes, table = self.tables[number]
            axes = tuple(axis for axis, each in enumerate(nodes) if each != node)
            total += table.min(axes) if axes else table
        best = int(total.argmin())
        self.fixed[node] = best
        self.sizes[node] = 1
        for number in self.of_node[node]:
            nodes, table = self.tables[number]
            others = tuple(each for each in nodes if each != node)
            self.tables[number] = others, table.take(best, nodes.index(node))
        for other in self.neighbours[node]:
            self.neighbours[other].discard(node)
        self.of_node[node], self.neighbours[node] = set(), set()

    def eliminate(self, node: int) -> tuple[tuple[int, ...], Array]:
        """Replace a node by a table; returns its neighbours, and its best option for each of
        their choices."""
        others = sorted(self.neighbours[node])
        axes = {each: axis for axis, each in enumerate([*others, node])}
        total = np.zeros([self.sizes[each] for each in axes])
        for number in sorted(self.of_node.pop(node)):
            nodes, table = self.tables.pop(number)
            for other in nodes:
                if other != node:
                    self.of_node[other].discard(number)
            order = np.argsort([axes[each] for each in nodes]).tolist()
            shape = [1] * len(axes)
            for i in order:
                shape[axes[nodes[i]]] = self.sizes[nodes[i]]
            total += table.transpose(order).reshape(shape)
        for other in others:
            self.neighbours[other].discard(node)
        best = total.argmin(-1)
        # Four times as fast as `min` along a short last axis.
        self.add(tuple(others), np.take_along_axis(total, best[..., None], -1)[..., 0])
        return tuple(others), best


def _eliminated(
    instance: Instance, shares: Shares, prices: Sequence[Sequence[float]], budget: Budget
) -> list[int]:
    """The best plan if costs are between two nodes only."""
    work = _Elimination(instance, shares, prices)
    left = set(range(len(instance.nodes)))
    queue = [(work.size(node), node) for node in left]
    heapq.heapify(queue)
    taken: list[tuple[int, tuple[int, ...], Array]] = []
    while queue:
        size, node = heapq.heappop(queue)
        if node not in left:
            continue
        if size != work.size(node):
            heapq.heappush(queue, (work.size(node), node))
            continue
        if size > LARGEST:
            work.fix(max(work.neighbours[node], key=work.size))
            heapq.heappush(queue, (work.size(node), node))
            continue
        left.discard(node)
        budget.spend(ELIMINATED + ELEMENT * size)
        others, best = work.eliminate(node)
        taken.append((node, others, best))
        for other in others:
            heapq.heappush(queue, (work.size(other), other))
    plan = [0] * len(instance.nodes)
    for node, others, best in reversed(taken):
        plan[node] = int(best[tuple(plan[other] for other in others)])
    for node, option in work.fixed.items():
        plan[node] = option
    return plan
