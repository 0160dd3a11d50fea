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
SMALL = 1000
"""Elements of a table up to which NumPy's calls take longer than what they do."""
LARGEST, HASTY = 20_000_000, 20_000
"""Elements of the largest table, and of that once the budget is spent. Where a larger one is due, a
neighbour is fixed first."""

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
    tables = _Tables(instance)
    shared = _sharing(instance)
    best: list[int] = []
    least = math.inf
    for _ in range(ROUNDS):
        plan, exact = _eliminated(tables, shares, prices, budget)
        # After an exact elimination, what shares no conversion is as its neighbours suit it best.
        plan = improved(instance, plan, prices, shared if exact else None)
        cost = _cost(instance, plan, price)
        if cost >= least:
            break
        best, least = plan, cost
        if budget.is_spent:
            break
        shares = Counter(
            (number, state)
            for number, tensor in enumerate(instance.tensors)
            for node, place in tensor.readers
            for state in [instance.options[node][plan[node]].operands[place]]
        )
    return best


def _sharing(instance: Instance) -> set[int]:
    """The nodes that make, or read, a tensor with several readers."""
    found = set()
    for tensor in instance.tensors:
        if len(tensor.readers) > 1:
            found |= {tensor.maker, *(reader for reader, _ in tensor.readers)}
    return found


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


class _Tables:
    """The costs of conversions for each pair of options of a maker and a reader: computed once for
    all tensors, makers and readers that are alike."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._known: dict[object, Array] = {}
        self._states: dict[tuple[int, str, int], tuple[list[str], Array]] = {}

    def pairs(self, shares: Shares) -> dict[tuple[int, int], Array]:
        """The costs between two nodes, the first numbers first."""
        found: dict[tuple[int, int], Array] = {}
        for number, tensor in enumerate(self.instance.tensors):
            for reader, place in tensor.readers:
                if reader == tensor.maker:
                    continue
                table = self._table(number, reader, place)
                wanted, _ = self._of(reader, "operands", place)
                by = [max(1, shares.get((number, state), 1)) for state in wanted]
                if max(by) > 1:
                    table = table / np.array(by)[self._of(reader, "operands", place)[1]]
                key, table = (
                    ((tensor.maker, reader), table)
                    if tensor.maker < reader
                    else ((reader, tensor.maker), table.T)
                )
                found[key] = found[key] + table if key in found else table
        return found

    def _table(self, number: int, reader: int, place: int) -> Array:
        instance, tensor = self.instance, self.instance.tensors[number]
        makers, readers = instance.options[tensor.maker], instance.options[reader]
        key = tensor.form, tensor.bucketed, id(makers), tensor.place, id(readers), place
        table = self._known.get(key)
        if table is None:
            made, sources = self._of(tensor.maker, "results", tensor.place)
            wanted, targets = self._of(reader, "operands", place)
            costs = np.array([[instance.convert(number, s, t) for t in wanted] for s in made])
            table = self._known[key] = costs[np.ix_(sources, targets)]
        return table

    def _of(self, node: int, side: str, place: int) -> tuple[list[str], Array]:
        """The states that a node may have at a place, and which of them each option has."""
        options = self.instance.options[node]
        key = id(options), side, place
        found = self._states.get(key)
        if found is None:
            states = [getattr(option, side)[place] for option in options]
            numbers = {state: i for i, state in enumerate(dict.fromkeys(states))}
            found = list(numbers), np.array([numbers[state] for state in states], dtype=int)
            self._states[key] = found
        return found


class _Elimination:
    """Tables over nodes; `neighbours` are those that share one."""

    def __init__(self, tables: _Tables, shares: Shares, prices: Sequence[Sequence[float]]) -> None:
        instance = tables.instance
        count = len(instance.nodes)
        self.fixed: dict[int, int] = {}
        """The nodes that have one option, or one left, since tables would be too large: tables
        have no dimension for these, of which NumPy allows 64."""
        self.sizes = [len(options) for options in instance.options]
        self.tables: dict[int, tuple[tuple[int, ...], Array]] = {}
        self.of_node: dict[int, set[int]] = defaultdict(set)
        self.neighbours: list[set[int]] = [set() for _ in range(count)]
        self.volumes = list(self.sizes)
        """Of each node, the elements of the table that eliminating it takes."""
        for node, options in enumerate(instance.options):
            seconds = np.array([option.seconds for option in options])
            self.add((node,), seconds + np.array(prices[node]))
        for pair, table in tables.pairs(shares).items():
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
            known = self.neighbours[node]
            for other in nodes:
                if other != node and other not in known:
                    known.add(other)
                    self.volumes[node] *= self.sizes[other]

    def _part(self, node: int, other: int) -> None:
        """Leave `other` out of a node's neighbours."""
        self.neighbours[node].discard(other)
        self.volumes[node] //= self.sizes[other]

    def fix(self, node: int) -> None:
        """Leave a node the one option that is best if each table is taken for itself."""
        total = np.zeros(self.sizes[node])
        for number in self.of_node[node]:
            nodes, table = self.tables[number]
            axes = tuple(axis for axis, each in enumerate(nodes) if each != node)
            total += table.min(axes) if axes else table
        best = int(total.argmin())
        self.fixed[node] = best
        for number in self.of_node[node]:
            nodes, table = self.tables[number]
            others = tuple(each for each in nodes if each != node)
            self.tables[number] = others, table.take(best, nodes.index(node))
        for other in self.neighbours[node]:
            self._part(other, node)
        self.sizes[node] = self.volumes[node] = 1
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
            self._part(other, node)
        best = total.argmin(-1)
        if total.size <= SMALL:
            least = total.min(-1)
        else:
            # Four times as fast as `min` along a short last axis.
            least = np.take_along_axis(total, best[..., None], -1)[..., 0]
        self.add(tuple(others), least)
        return tuple(others), best


def _eliminated(
    tables: _Tables, shares: Shares, prices: Sequence[Sequence[float]], budget: Budget
) -> tuple[list[int], bool]:
    """The best plan if costs are between two nodes only, and whether it is that: where tables are
    too large, it is a good one."""
    instance = tables.instance
    work = _Elimination(tables, shares, prices)
    left = set(range(len(instance.nodes)))
    queue = [(work.volumes[node], node) for node in left]
    heapq.heapify(queue)
    taken: list[tuple[int, tuple[int, ...], Array]] = []
    exact = True
    while queue:
        size, node = heapq.heappop(queue)
        if node not in left:
            continue
        if size != work.volumes[node]:
            heapq.heappush(queue, (work.volumes[node], node))
            continue
        if size > (HASTY if budget.is_spent else LARGEST):
            exact = False
            work.fix(max(work.neighbours[node], key=work.volumes.__getitem__))
            heapq.heappush(queue, (work.volumes[node], node))
            continue
        left.discard(node)
        # Beside its tables are added: zeros, the search for the least, and reading it.
        budget.spend(ELIMINATED + ELEMENT * size * (len(work.of_node[node]) + 3))
        others, best = work.eliminate(node)
        taken.append((node, others, best))
        for other in others:
            heapq.heappush(queue, (work.volumes[other], other))
    plan = [0] * len(instance.nodes)
    for node, others, best in reversed(taken):
        plan[node] = int(best[tuple(plan[other] for other in others)])
    for node, option in work.fixed.items():
        plan[node] = option
    return plan, exact
