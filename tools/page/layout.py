"""Graph layout: nodes in layers from top to bottom, close to their neighbours.

The time is linear in nodes and edges: layers by the longest path; a fixed number of sweeps that
order each layer by the mean of its neighbours (Sugiyama, Tagawa and Toda, "Methods for Visual
Understanding of Hierarchical System Structures", 1981); then as many sweeps that move nodes towards
that mean. An edge across at most `LONGEST` layers is routed around the nodes between. A longer one
is not routed; the caller may draw it or leave it out.
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
    """Positions of the upper left corners of nodes, and the contents of each layer."""

    x: Sequence[float]
    y: Sequence[float]
    layers: Sequence[Sequence[int]]
    """Nodes from left to right; numbers from the node count on are bends of edges."""
    bends: Sequence[Sequence[int]]
    """The bends of each edge, from its first node to its last."""
    width: float
    height: float


def layered(sizes: Sequence[tuple[float, float]], edges: Sequence[Edge]) -> Layout:
    """The layout of nodes with these widths and heights, connected by the edges.

    Edges may be duplicated, and may form cycles; one edge of each cycle goes upwards.
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
        # From the upper node to the lower one, whatever the edge's direction.
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
    """The layer of each node; nodes without predecessors are right above their first reader."""
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
        # In a cycle no node is ready: break it at the first one.
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
    """Sort each layer by the positions of neighbours, sweeping downwards and upwards in turn."""
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
    """Ranks from -0.5 to 0.5, to compare layers of different lengths."""
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
    """For each node its predecessor and successor in its chain, or -1; and the chain's length.

    A chain continues to the successor with the longest path ahead. It should be straight, the more
    so the longer it is; otherwise its other neighbours, such as weights, would bend it at each
    layer.
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
    """Place the nodes of a layer as close to their wanted positions as order and widths allow.

    This minimizes the weighted sum of squares: nodes that would overlap form one block at their
    mean.
    """
    blocks: list[list[Any]] = []
    offset = 0.0
    for position, node in enumerate(row):
        offset += sizes[node][0] / 2
        # After subtracting widths, not overlapping means not decreasing.
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
