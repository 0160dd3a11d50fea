"""The groups of a graph, one in another, and the layout of the items of each.

A group is the job, its backward ops, its optimizer, a layer or a kernel. Its items are nodes and
other groups. It is laid out with these folded; the page moves them apart where one is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from penstock.ir.record import Record
from penstock.tools.page.layout import Edge, layered
from penstock.tools.page.scopes import BACKWARD, FORWARD, OPTIMIZER, Scope

_LETTER, _WIDEST, _HEIGHT = 6.7, 300.0, 38.0
_PADDING, _TITLE = 12.0, 26.0
_SECOND_LINE = 22
"""The letters of `999 ops, 999 GB` and the like."""


class Member(Record):
    """A node: its width and height, its scope, and the number of its kernel or -1."""

    size: tuple[float, float]
    scope: Scope
    kernel: int
    computes: bool
    """Whether it is an op, and no argument or result of the job."""
    constant: bool


class _Group:
    def __init__(self, kind: str, name: str, kernel: int = -1) -> None:
        self.kind = kind
        self.name = name
        self.kernel = kernel
        self.items: dict[Edge, int] = {}
        """Groups, as (1, number), and nodes, as (0, number), and their position here."""
        self.edges: dict[Edge, None] = {}

    def add(self, item: Edge) -> None:
        self.items.setdefault(item, len(self.items))

    @property
    def size(self) -> tuple[float, float]:
        letters = max(len(self.name) + 2, _SECOND_LINE)
        return min(_WIDEST, _LETTER * letters + 18.0), _HEIGHT


def groups_of(
    members: Sequence[Member], edges: Iterable[Edge], kernels: Sequence[str], last: int
) -> list[dict[str, Any]]:
    """The groups as JSON values, the job first; each is after the one that it is in.

    `last` is the last forward node. Gradients begin there. Edges from other forward nodes to
    backward ops and to the optimizer are left out: each layer has some, and they would cross all
    others. So are edges from the optimizer to backward ops, such as that of a learning rate.
    """
    groups, paths = _nested(members, kernels)
    for number, path in enumerate(paths):
        for outer, inner in pairwise(path):
            groups[outer].add((1, inner))
        groups[path[-1]].add((0, number))
    for a, b in _drawn(members, edges, last):
        level, (one, other) = 0, (paths[a], paths[b])
        while level + 1 < min(len(one), len(other)) and one[level + 1] == other[level + 1]:
            level += 1
        group = groups[one[level]]
        ends = (_item(group, one, a, level), _item(group, other, b, level))
        if ends[0] != ends[1]:
            group.edges[ends] = None
    used = {n: position for position, n in enumerate(sorted({0, *(g for p in paths for g in p)}))}
    return [_plain(groups[n], groups, members, used) for n in used]


def _drawn(members: Sequence[Member], edges: Iterable[Edge], last: int) -> Iterator[Edge]:
    """The edges within a phase, from backward ops to the optimizer and to results, and one from the
    last forward op to backward ops.

    An edge from a constant is drawn only within a layer: layers share equal constants.
    """
    first = next((n for n, m in enumerate(members) if m.scope.phase == BACKWARD), -1)
    if last >= 0 and first >= 0 and members[last].scope.phase == FORWARD:
        yield last, first
    for a, b in edges:
        one, other = members[a], members[b]
        if one.constant and one.scope != other.scope:
            continue
        phases = one.scope.phase, other.scope.phase
        if phases[0] == phases[1] or phases == (BACKWARD, OPTIMIZER) or not other.computes:
            yield a, b


def _item(group: _Group, path: Sequence[int], node: int, level: int) -> int:
    return group.items[(1, path[level + 1]) if level + 1 < len(path) else (0, node)]


def _nested(
    members: Sequence[Member], kernels: Sequence[str]
) -> tuple[list[_Group], list[list[int]]]:
    """The groups, and for each node those that it is in, from the job down to the innermost."""
    groups = [_Group("job", "")]
    numbers: dict[tuple[int, str, object], int] = {}
    paths = []
    for member in members:
        path = [0]
        for kind, key, name in _steps(member, kernels):
            number = numbers.setdefault((path[-1], kind, key), len(groups))
            if number == len(groups):
                groups.append(_Group(kind, name, member.kernel if kind == "kernel" else -1))
            path.append(number)
        paths.append(path)
    removed = _remove_needless(groups, paths)
    return groups, [[group for group in path if group not in removed] for path in paths]


def _steps(member: Member, kernels: Sequence[str]) -> Iterator[tuple[str, object, str]]:
    """The kind, key and name of each group that a node is in, below the job."""
    phase, layer = member.scope.phase, member.scope.layer
    if phase != FORWARD:
        yield phase, phase, phase
    for place, part in enumerate(layer):
        # The number of a layer is nothing without the name that it is a number of.
        yield "layer", part, f"{layer[place - 1]}.{part}" if place and part.isdigit() else part
    if member.kernel >= 0:
        yield "kernel", member.kernel, kernels[member.kernel]


def _remove_needless(groups: Sequence[_Group], paths: Sequence[Sequence[int]]) -> set[int]:
    """The layers with one item; a layer in such a one gets both names."""
    items: list[dict[Edge, None]] = [{} for _ in groups]
    for number, path in enumerate(paths):
        for outer, inner in pairwise(path):
            items[outer][1, inner] = None
        items[path[-1]][0, number] = None
    removed = set()
    for number, group in enumerate(groups):
        if group.kind == "layer" and len(items[number]) == 1:
            removed.add(number)
            ((is_group, only),) = items[number]
            if is_group and groups[only].kind == "layer":
                groups[only].name = f"{group.name}.{groups[only].name}"
    return removed


def _plain(
    group: _Group, groups: Sequence[_Group], members: Sequence[Member], used: dict[int, int]
) -> dict[str, Any]:
    sizes = [groups[n].size if is_group else members[n].size for is_group, n in group.items]
    edges = list(group.edges)
    layout = layered(sizes, edges)
    right, down = (_PADDING, _TITLE) if group.kind != "job" else (0.0, 0.0)
    points = [
        (round(x + right, 1), round(y + down, 1)) for x, y in zip(layout.x, layout.y, strict=True)
    ]
    return {
        "name": group.name,
        "kind": group.kind,
        "kernel": group.kernel,
        "items": [
            [*points[i], *sizes[i], used[n] if is_group else -1, -1 if is_group else n]
            for i, (is_group, n) in enumerate(group.items)
        ],
        "bends": [list(point) for point in points[len(sizes) :]],
        "layers": [list(row) for row in layout.layers],
        "edges": [[*edge, list(bends)] for edge, bends in zip(edges, layout.bends, strict=True)],
        "width": layout.width + 2 * right,
        "height": layout.height + (down + _PADDING if down else 0),
    }
