"""The graph of a job: its ops, kernels, layers and phases, and where each is drawn.

Ops are in kernels, kernels and other ops in layers, and layers in the job, or in its backward ops
or its optimizer. Each of these groups folds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from penstock.ir.attributes import StringAttr
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN
from penstock.ir.meaning.cost import Cost
from penstock.ir.record import Record
from penstock.tools.page.groups import Member, groups_of
from penstock.tools.page.kernels import KernelNode
from penstock.tools.page.layout import Edge
from penstock.tools.page.lines import Places
from penstock.tools.page.scopes import FORWARD, PHASES, scopes_of

_HEIGHT, _LETTER, _MARGIN, _WIDEST = 34.0, 6.7, 18.0, 300.0
_ROLES = {
    "job.feed": "feed", "job.variable": "variable", "job.fetch": "fetch", "job.update": "update",
}  # fmt: skip


class _Node(Record):
    label: str
    name: str
    kind: str
    type: str
    set: int
    line: int
    cost: Cost

    def plain(self) -> list[Any]:
        cost = self.cost
        return [self.label, self.name, self.kind, self.type, self.set, self.line, cost.flops,
                cost.bytes]  # fmt: skip

    @property
    def size(self) -> tuple[float, float]:
        letters = max(len(self.label), len(self.type))
        return min(_WIDEST, max(60.0, _LETTER * letters + _MARGIN)), _HEIGHT


FIELDS = ("label", "name", "kind", "type", "set", "line", "flops", "bytes")


def graph_of(
    module: Module,
    kernels: Sequence[KernelNode],
    places: Places,
    lines: Mapping[Operation, int],
    costs: Mapping[Operation, Cost],
) -> dict[str, Any]:
    """Nodes, kernels, groups, edges and positions, in plain JSON values.

    The first nodes are the ops of the body, in order. `lines` has the line of each op in the text
    of its stage, from 1, and `costs` has the known costs. `links` are the edges from node to node;
    those of groups lead from one of their items to another.
    """
    nodes, every = _nodes(module, places, lines, costs)
    found = scopes_of(module)
    scopes = [*found.ops, *found.arguments, *found.results]
    home = _homes(kernels)
    shown: dict[int, list[int]] = {}
    for number, place in sorted(home.items()):
        shown.setdefault(place, []).append(number)
    # Where a kernel is shown: with the most costly op of its first phase. Ops that it computes
    # anew, for itself, say nothing.
    order = {phase: place for place, phase in enumerate(PHASES)}
    main = {
        place: min(
            shown.get(place, kernel.ops),
            key=lambda n: (order[scopes[n].phase], -nodes[n].cost.flops),
        )
        for place, kernel in enumerate(kernels)
    }
    edges = list(dict.fromkeys(_handed_on(every, kernels, home)))
    constants = {n for n, op in enumerate(module.job.body) if op.pure and not op.operands}
    members = [
        Member(
            node.size,
            scopes[main[home[n]] if n in home else n],
            home.get(n, -1),
            node.kind == "op",
            n in constants,
        )
        for n, node in enumerate(nodes)
    ]
    last = max((n for n, scope in enumerate(found.ops) if scope.phase == FORWARD), default=-1)
    return {
        "fields": FIELDS,
        "nodes": [node.plain() for node in nodes],
        "kernels": [
            {
                "name": kernel.name, "flops": kernel.cost.flops, "bytes": kernel.cost.bytes,
                "phase": scopes[main[place]].phase, "ops": shown.get(place, list(kernel.ops)),
                "device": kernel.device,
            }
            for place, kernel in enumerate(kernels)
        ],
        "groups": groups_of(members, edges, [kernel.name for kernel in kernels], last),
        "links": edges,
    }  # fmt: skip


def _homes(kernels: Sequence[KernelNode]) -> dict[int, int]:
    """The kernel in which an op is shown: the first of several that compute it."""
    home: dict[int, int] = {}
    for place in reversed(range(len(kernels))):
        if len(kernels[place].ops) > 1:
            home.update(dict.fromkeys(kernels[place].ops, place))
    return home


def _handed_on(
    edges: Iterable[Edge], kernels: Sequence[KernelNode], home: Mapping[int, int]
) -> Iterator[Edge]:
    """The edges. A kernel that recomputes what one of its ops reads has no edge from there, but
    from what it reads to recompute that.
    """
    where: dict[int, set[int]] = {}
    for place, kernel in enumerate(kernels):
        for number in kernel.ops:
            where.setdefault(number, set()).add(place)
    edges = list(edges)
    read: dict[int, list[int]] = {}
    for a, b in edges:
        read.setdefault(b, []).append(a)

    def recomputed(a: int, b: int) -> bool:
        kernel = home.get(b)
        return kernel in where.get(a, ()) and home.get(a) != kernel

    for a, b in edges:
        waiting, seen = [a], {a}
        while waiting:
            reader = waiting.pop()
            if not recomputed(reader, b):
                yield reader, b
                continue
            more = [one for one in read.get(reader, ()) if one not in seen]
            seen.update(more)
            waiting += more


def _nodes(
    module: Module,
    places: Places,
    lines: Mapping[Operation, int],
    costs: Mapping[Operation, Cost],
) -> tuple[list[_Node], list[Edge]]:
    """Nodes for the ops of the body, the job's arguments and its results; and who reads whom."""
    job = module.job
    body = [op for op in job.body if not op.terminator]
    nodes = [
        _op_node(op, places.of(op.location), lines.get(op, 0), costs.get(op, Cost())) for op in body
    ]
    maker: dict[Value, int] = {r: n for n, op in enumerate(body) for r in op.results}
    for i, argument in enumerate(job.arguments):
        maker[argument] = len(nodes)
        kind, name = _role(job.argument_attributes(i), argument.name)
        nodes.append(_value_node(argument, kind, name, places))
    edges = [
        (maker[value], number)
        for number, op in enumerate(body)
        for value in _read(op)
        if value in maker and maker[value] != number
    ]
    if job.body.last is not None and job.body.last.terminator:
        for i, value in enumerate(job.returned.operands):
            kind, name = _role(job.result_attributes(i), "")
            edges.append((maker[value], len(nodes)))
            nodes.append(_value_node(value, kind, name, places))
    return nodes, list(dict.fromkeys(edges))


def _read(op: Operation) -> Iterable[Value]:
    """The values that an op and the ops inside it read."""
    return dict.fromkeys(value for inner in op.walk() for value in inner.operands)


def _op_node(op: Operation, set: int, line: int, cost: Cost) -> _Node:
    result = op.results[0] if op.results else None
    callee = getattr(op, "callee", None)
    return _Node(
        callee if isinstance(callee, str) else op.name.removeprefix("flow."),
        result.name if result is not None else "",
        "op",
        _type(result) if result is not None else "",
        set,
        line,
        cost,
    )


def _value_node(value: Value, kind: str, name: str, places: Places) -> _Node:
    definition = value if isinstance(value, BlockArgument) else value.defining_op
    location = definition.location if definition is not None else UNKNOWN
    return _Node(name or kind, name, kind, _type(value), places.of(location), 0, Cost())


def _role(attributes: Mapping[str, Any], otherwise: str) -> tuple[str, str]:
    for key, kind in _ROLES.items():
        name = attributes.get(key)
        if isinstance(name, StringAttr):
            return kind, f"{kind} {name.value}" if kind in ("fetch", "update") else name.value
    return "argument", otherwise


def _type(value: Value) -> str:
    """Such as `100x512xf32`, for a tensor or buffer."""
    text = str(value.type)
    found = re.fullmatch(r"(?:tensor|memref)<([\w?]+)>", text)
    return found[1] if found else text[:40]
