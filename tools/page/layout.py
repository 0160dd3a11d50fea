"""Where the nodes of a graph stand: in layers from top to bottom, near what they are joined to.

The time grows as the number of nodes and edges does: layers by the longest path, a fixed number of
sweeps that order each layer by the mean of its neighbours (Sugiyama, Tagawa and Toda, "Methods for
Visual Understanding of Hierarchical System Structures", 1981), then as many that move nodes towards
that mean. An edge past at most `LONGEST` layers is led around what stands between; a longer one is
not, and is for whoever draws to show or to leave out.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from penstock.ir.record import Record

LONGEST = 6
GAP_X, GAP_Y = 18.0, 34.0
SWEEPS = 4
MOVES = 6
_BEND = 8.0

Edge = tuple[int, int]


class Layout(Record):
    """Positions of the upper left corners of nodes, and of all that stands in each layer."""

    x: Sequence[float]
    y: Sequence[float]
    layers: Sequence[Sequence[int]]
    """The nodes from left to right; those from the number of nodes on are bends of edges."""
    bends: Sequence[Sequence[int]]
    """Of each edge the bends it goes through, from its first node to its last."""
    width: float
    height: float


def layered(sizes: Sequence[tuple[float, float]], edges: Sequence[Edge]) -> Layout:
    """The layout of nodes of these widths and heights, which the edges join.

    Edges may be double, and may form cycles, of which one edge each goes upwards.
    """
    layer = _layers(len(sizes), edges)
    all_sizes = list(sizes)
    short: list[Edge] = []
    bends: list[list[int]] = []
    for a, b in edges:
        first, last = sorted((layer[a], layer[b]))
        between = range(first + 1, last) if 1 < last - first <= LONGEST else ()
        chain = [len(all_sizes) + i for i in range(len(between))]
        layer += between
        all_sizes += [(_BEND, 0.0)] * len(chain)
        # From the upper node to the lower one, whichever way the edge goes.
        upper, lower = (a, b) if layer[a] <= layer[b] else (b, a)
        if last - first <= LONGEST and first != last:
            path = [upper, *chain, lower]
            short += pairwise(path)
        bends.append(chain if upper == a else chain[::-1])
    rows = _rows(layer)
    above, below = _neighbours(len(all_sizes), short)
    _order(rows, above, below)
    return _placed(rows, all_sizes, len(sizes), bends, above, below)


def _layers(count: int, edges: Iterable[Edge]) -> list[int]:
    """The layer of each node; what nothing leads to stands right above the first that reads it."""
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for a, b in edges:
        if a != b:
            after[a].append(b)
            waiting[b] += 1
    sources = [node for node in range(count) if not waiting[node]]
    layer, done = [0] * count, [False] * count
    ready = list(sources)
    heapq.heapify(ready)
    rest = iter(range(count))
    for _ in range(count):
        # In a cycle nothing is ready: the first node there is breaks it.
        node = heapq.heappop(ready) if ready else next(n for n in rest if not done[n])
        done[node] = True
        for reader in after[node]:
            if done[reader]:
                continue
            layer[reader] = max(layer[reader], layer[node] + 1)
            waiting[reader] -= 1
            if not waiting[reader]:
                heapq.heappush(ready, reader)
    for node in sources:
        if after[node]:
            layer[node] = max(0, min(layer[reader] for reader in after[node]) - 1)
    return layer


def _rows(layer: Sequence[int]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node, number in enumerate(layer):
        rows[number].append(node)
    return rows


def _neighbours(count: int, edges: Iterable[Edge]) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        above[b].append(a)
        below[a].append(b)
    return above, below


def _order(
    rows: Sequence[list[int]], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]
) -> None:
    """Sort each layer by where the neighbours stand in theirs, downwards and upwards in turn."""
    rank = [0.0] * len(above)
    for row in rows:
        _rank(row, rank)
    for sweep in range(SWEEPS):
        near, order = (below, rows[::-1]) if sweep % 2 else (above, rows)
        for row in order:
            for node in row:
                if near[node]:
                    rank[node] = sum([rank[n] for n in near[node]]) / len(near[node])
            row.sort(key=rank.__getitem__)
            _rank(row, rank)


def _rank(row: Sequence[int], rank: list[float]) -> None:
    """Ranks from -0.5 to 0.5, so that layers of different lengths compare."""
    for position, node in enumerate(row):
        rank[node] = (position + 0.5) / len(row) - 0.5


def _placed(
    rows: Sequence[list[int]],
    sizes: Sequence[tuple[float, float]],
    count: int,
    bends: Sequence[Sequence[int]],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
) -> Layout:
    middle = [0.0] * len(sizes)
    for row in rows:
        total = sum(sizes[node][0] + GAP_X for node in row)
        _pack(row, sizes, middle, [-total / 2] * len(row), [1] * len(row))
    origin, heir, length = _chains(rows, above, below)
    for move in range(MOVES):
        near, main, order = (below, heir, rows[::-1]) if move % 2 else (above, origin, rows)
        for row in order:
            wanted = [_wanted(node, main[node], near[node], middle) for node in row]
            _pack(row, sizes, middle, wanted, [length[node] ** 2 for node in row])
    left = min((middle[n] - sizes[n][0] / 2 for n in range(len(sizes))), default=0.0)
    x = [round(m - size[0] / 2 - left, 1) for m, size in zip(middle, sizes, strict=True)]
    y, top = [0.0] * len(sizes), 0.0
    for row in rows:
        height = max(sizes[node][1] for node in row)
        for node in row:
            y[node] = round(top + (height - sizes[node][1]) / 2, 1)
        top += height + GAP_Y
    width = max((x[n] + sizes[n][0] for n in range(len(sizes))), default=0.0)
    return Layout(x, y, rows, bends, width, max(0.0, top - GAP_Y))


def _chains(
    rows: Sequence[Sequence[int]], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]
) -> tuple[list[int], list[int], list[int]]:
    """Of each node the one above and the one below in its chain, or -1; and the chain's length.

    A chain leads on to where most is still to come. It is to be straight, the more the longer it
    is: what hangs on it, such as weights, would draw it aside at every layer.
    """
    height, depth = [0] * len(above), [0] * len(above)
    for near, far, order in ((above, height, rows), (below, depth, rows[::-1])):
        for row in order:
            for node in row:
                far[node] = 1 + max((far[n] for n in near[node]), default=0)
    first = [max(near, key=height.__getitem__, default=-1) for near in above]
    follows = [max(near, key=depth.__getitem__, default=-1) for near in below]
    origin = [n if n >= 0 and follows[n] == node else -1 for node, n in enumerate(first)]
    heir = [n if n >= 0 and first[n] == node else -1 for node, n in enumerate(follows)]
    length = [1] * len(above)
    for main, step, order in ((origin, 1, rows), (heir, 0, rows[::-1])):
        for row in order:
            for node in row:
                if main[node] >= 0:
                    length[node] = length[main[node]] + step
    return origin, heir, length


def _wanted(node: int, main: int, near: Sequence[int], middle: Sequence[float]) -> float:
    if main >= 0:
        return middle[main]
    return sum([middle[n] for n in near]) / len(near) if near else middle[node]


def _pack(
    row: Sequence[int],
    sizes: Sequence[tuple[float, float]],
    middle: list[float],
    wanted: Sequence[float],
    weights: Sequence[int],
) -> None:
    """Put the nodes of a layer as near to where they are wanted as their order and widths allow.

    This is the least sum of squares by weight: nodes that would overlap become one block at their
    mean.
    """
    blocks: list[list[Any]] = []
    offset = 0.0
    for position, node in enumerate(row):
        offset += sizes[node][0] / 2
        # Without the widths, not to overlap is not to go backwards.
        block = [wanted[position] - offset, weights[position], position]
        offset += sizes[node][0] / 2 + GAP_X
        while blocks and blocks[-1][0] >= block[0]:
            mean, weight, first = blocks.pop()
            total = weight + block[1]
            block = [(mean * weight + block[0] * block[1]) / total, total, first]
        blocks.append(block)
    ends = [block[2] for block in blocks[1:]] + [len(row)]
    offset = 0.0
    for (mean, _, first), end in zip(blocks, ends, strict=True):
        for node in row[first:end]:
            offset += sizes[node][0] / 2
            middle[node] = mean + offset
            offset += sizes[node][0] / 2 + GAP_X
