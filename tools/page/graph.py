"""The graph of a job: its ops, the kernel that computes each, and their positions.

Kernels are regions that fold. Two layouts are combined: that of kernels and of ops outside kernels,
and that of the ops inside each kernel, shown when it is unfolded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from penstock.ir.attributes import StringAttr
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Call
from penstock.ir.location import UNKNOWN, FileLocation
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.record import Record
from penstock.lowering.modules import pipeline_of
from penstock.passes.manager import run_pipeline
from penstock.tools.page.layout import Edge, Layout, layered
from penstock.tools.page.lines import Places

_MARK = "op"
_MARKED = re.compile(rf"{_MARK}:([\d,]+) (.*)")
_HEIGHT, _LETTER, _MARGIN, _WIDEST = 34.0, 6.7, 18.0, 300.0
_PADDING, _TITLE = 10.0, 22.0
_ROLES = {
    "job.feed": "feed", "job.variable": "variable", "job.fetch": "fetch", "job.update": "update",
}  # fmt: skip


class KernelNode(Record):
    """A kernel of a job: the ops that it computes, by their index in the body."""

    name: str
    ops: tuple[int, ...]
    cost: Cost


class Kernels(Record):
    """The kernels that a module at stage `placed` becomes."""

    kernels: tuple[KernelNode, ...]
    """In the order in which a step runs them; an op may be in several."""
    remarks: tuple[Mapping[str, Any], ...]
    """For each pair of ops, whether they were fused, or why not."""


def kernels_of(module: Module) -> Kernels:
    """Fuse a copy of a module in which the location of each op is its index in the body."""
    copy = cast(Module, module.clone())
    for number, op in enumerate(copy.job.body):
        op.location = FileLocation(_MARK, number)
    report = run_pipeline(copy, pipeline_of("fused"), verify_each=False, remarks=True)
    costs = {f.sym_name: cost_of(f) for f in copy.functions()[1:]}
    kernels, taken = [], set()
    for op in copy.job.body:
        numbers = [at.line for at in op.location.files() if at.file == _MARK]
        if isinstance(op, Call):
            kernels.append(KernelNode(op.callee, tuple(numbers), costs.get(op.callee, Cost())))
        taken.update(numbers)
    remarks = tuple(
        {
            "producer": _side(remark.producer), "consumer": _side(remark.consumer),
            "fused": remark.fused, "why": remark.why,
        }
        for remark in report.session.remarks or ()
    )  # fmt: skip
    return Kernels(_with_absorbed(module, kernels, taken), remarks)


def _side(text: str) -> dict[str, Any]:
    found = _MARKED.fullmatch(text)
    if found is None:
        return {"ops": [], "what": text}
    return {"ops": [int(n) for n in found[1].split(",")], "what": found[2]}


def _with_absorbed(
    module: Module, kernels: Sequence[KernelNode], taken: set[int]
) -> tuple[KernelNode, ...]:
    """Add ops that were folded or moved into their only user's kernel, such as constants."""
    numbers = {op: number for number, op in enumerate(module.job.body)}
    homes: dict[int, set[int]] = {}
    for place, kernel in enumerate(kernels):
        for number in kernel.ops:
            homes.setdefault(number, set()).add(place)
    more: dict[int, list[int]] = {}
    for op in reversed(module.job.body):
        number = numbers[op]
        if number in taken or op.terminator or not op.pure:
            continue
        users = {numbers.get(user, -1) for result in op.results for user in result.users()}
        found = set().union(*(homes.get(user, {-1}) for user in users)) if users else {-1}
        if len(found) == 1 and -1 not in found:
            homes[number] = found
            more.setdefault(min(found), []).append(number)
    return tuple(
        KernelNode(kernel.name, tuple(sorted({*kernel.ops, *more.get(place, ())})), kernel.cost)
        for place, kernel in enumerate(kernels)
    )


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
    """Nodes, kernels, edges and positions, in plain JSON values.

    The first nodes are the ops of the body, in order. `lines` has the line of each op in the text
    of its stage, from 1, and `costs` has the known costs.
    """
    nodes, every = _nodes(module, places, lines, costs)
    home = _homes(kernels)
    edges = list(_handed_on(every, kernels, home))
    keys = [("kernel", home[n]) if n in home else ("node", n) for n in range(len(nodes))]
    items = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    members: dict[int, list[int]] = {}
    for number, place in sorted(home.items()):
        members.setdefault(place, []).append(number)
    inside: dict[int, list[Edge]] = {}
    for a, b in edges:
        if a in home and home.get(b) == home[a]:
            inside.setdefault(home[a], []).append((a, b))
    sizes = [
        nodes[number].size if kind == "node" else _folded(kernels[number], len(members[number]))
        for kind, number in items
    ]
    outer = dict.fromkeys((items[keys[a]], items[keys[b]]) for a, b in edges)
    joined = [(a, b) for a, b in outer if a != b]
    layout = layered(sizes, joined)
    placed = zip(items, layout.x, layout.y, sizes, strict=False)
    return {
        "fields": FIELDS,
        "nodes": [node.plain() for node in nodes],
        "items": [[x, y, *size, kind == "kernel", n] for (kind, n), x, y, size in placed],
        "bends": _points(layout, len(sizes)),
        "layers": layout.layers,
        "edges": [[*edge, bends] for edge, bends in zip(joined, layout.bends, strict=True)],
        "kernels": [
            _kernel(kernel, members.get(place, kernel.ops), nodes, inside.get(place, ()), places)
            for place, kernel in enumerate(kernels)
        ],
        "width": layout.width,
        "height": layout.height,
    }


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
    """The edges, without those to kernels that recompute what they read."""
    where: dict[int, set[int]] = {}
    for place, kernel in enumerate(kernels):
        for number in kernel.ops:
            where.setdefault(number, set()).add(place)
    for a, b in edges:
        if home.get(a) == home.get(b) or where.get(a, set()).isdisjoint(where.get(b, set())):
            yield a, b


def _points(layout: Layout, count: int) -> list[list[float]]:
    return [[x, y] for x, y in zip(layout.x[count:], layout.y[count:], strict=True)]


def _folded(kernel: KernelNode, ops: int) -> tuple[float, float]:
    letters = max(len(kernel.name), len(f"{ops} ops, 999M flops"))
    return min(_WIDEST, _LETTER * letters + _MARGIN + 14), _HEIGHT + 4


def _kernel(
    kernel: KernelNode,
    members: Sequence[int],
    nodes: Sequence[_Node],
    edges: Iterable[Edge],
    places: Places,
) -> dict[str, Any]:
    """A kernel with the layout of its ops."""
    place = {number: i for i, number in enumerate(members)}
    edges = list(dict.fromkeys((place[a], place[b]) for a, b in edges))
    layout = layered([nodes[number].size for number in members], edges)
    sets = places.sets
    lines = dict.fromkeys(line for number in members for line in sets[nodes[number].set])
    return {
        "name": kernel.name,
        "flops": kernel.cost.flops,
        "bytes": kernel.cost.bytes,
        "set": places.set_of(list(lines)),
        "ops": list(members),
        "at": [
            [round(x + _PADDING, 1), round(y + _TITLE, 1)]
            for x, y in zip(layout.x[: len(members)], layout.y[: len(members)], strict=True)
        ],
        "bends": [
            [round(x + _PADDING, 1), round(y + _TITLE, 1)] for x, y in _points(layout, len(members))
        ],
        "edges": [[*edge, bends] for edge, bends in zip(edges, layout.bends, strict=True)],
        "width": layout.width + 2 * _PADDING,
        "height": layout.height + _TITLE + _PADDING,
    }


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
