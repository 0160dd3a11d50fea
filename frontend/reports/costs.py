"""The costs of a job: work by op, by the user's line, and by kernel."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Call, Func
from penstock.ir.dialects.job import AGAIN
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.record import Record
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.text.tables import quantity, text_table
from penstock.reports.tables import html_table

__all__ = ["Costs", "Item", "costs_of"]


class Item(Record):
    """An op or kernel, its source lines, and its work."""

    name: str
    """The name of its result."""
    op: str
    """The op, or the kernel; `again` follows an op that gradients compute again."""
    places: tuple[str, ...]
    """The user's lines, such as `train.py:21`."""
    cost: Cost

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"name": self.name, "op": self.op, "places": list(self.places), **_plain(self.cost)}


class Costs(Record):
    """The costs of one step of a job; printing shows a table of its ops.

    The bytes of `ops` are operands and results of each op on its own; those of `kernels` are what
    still moves after fusion.
    """

    job: str
    ops: tuple[Item, ...]
    kernels: tuple[Item, ...]
    """One for each call of a kernel; empty if the job was only traced."""

    @property
    def total(self) -> Cost:
        """All flops, and the bytes that kernels move; without kernels, those that ops move."""
        return sum((item.cost for item in self.kernels or self.ops), Cost())

    def lines(self) -> dict[str, Cost]:
        """The work of the ops by the user's line; an op of several lines counts for the first."""
        found: dict[str, Cost] = {}
        for item in self.ops:
            place = item.places[0] if item.places else "unknown location"
            found[place] = found.get(place, Cost()) + item.cost
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "job": self.job,
            "total": _plain(self.total),
            "ops": [item.to_dict() for item in self.ops],
            "kernels": [item.to_dict() for item in self.kernels],
            "lines": {place: _plain(cost) for place, cost in self.lines().items()},
        }

    def __repr__(self) -> str:
        return str(self)  # A prompt shows the table.

    def __str__(self) -> str:
        return "\n\n".join(
            f"{title}\n{text_table(_HEAD, rows, 3)}" for title, rows in self._tables() if rows
        )

    def _repr_html_(self) -> str:
        return "".join(html_table(title, _HEAD, rows, 3) for title, rows in self._tables() if rows)

    def _tables(self) -> Iterable[tuple[str, list[Sequence[str]]]]:
        for title, items in ((f"Ops of {self.job}", self.ops), ("Kernels", self.kernels)):
            total = sum((item.cost for item in items), Cost())
            yield title, [*map(_row, items), *([_row(Item("", "total", (), total))] * bool(items))]
        yield "Lines", [_row(Item("", "", (place,), c)) for place, c in self.lines().items()]


_HEAD = ("value", "op", "place", "flops", "transcendentals", "bytes", "flops/byte")


def _row(item: Item) -> Sequence[str]:
    cost = item.cost
    intensity = f"{cost.flops / cost.bytes:.2f}" if cost.bytes else ""
    amounts = [quantity(n) for n in (cost.flops, cost.transcendentals, cost.bytes)]
    return (item.name, item.op, " ".join(item.places), *amounts, intensity)


def _plain(cost: Cost) -> dict[str, int]:
    return {
        "flops": cost.flops, "transcendentals": cost.transcendentals,
        "read": cost.read, "written": cost.written,
    }  # fmt: skip


def costs_of(
    job: str, modules: Mapping[str, Module], beside: Mapping[str, Module] | None = None
) -> Costs:
    """The costs of a job that has at least stage `job`, or `fused`.

    Ops are taken from stage `placed` if it exists, with the backward ops. `beside` has stage
    `fused` of the GPU's part of a job that is on the CPU, too.
    """
    first = next((modules[stage] for stage in ("placed", "job") if stage in modules), None)
    ops = [] if first is None else [op for op in first.job.body if isinstance(op, TensorOp)]
    lowered = _without_zeros(ops)
    known: dict[Hashable, Cost] = {}

    def cost(op: TensorOp, function: Func) -> Cost:
        # It follows from what the op is lowered to, and from which operands are one value.
        key = function, tuple(op.operands.index(value) for value in op.operands)
        if key not in known:
            known[key] = cost_of(op, function)
        return known[key]

    parts = [part["fused"] for part in (modules, beside or {}) if "fused" in part]
    return Costs(
        job,
        tuple(
            Item(_name(op), _kind(op), op.location.lines(), cost(op, function))
            for op, function in zip(ops, lowered, strict=True)
        ),
        tuple(item for part in parts for item in _kernels(part)),
    )


def _kernels(fused: Module) -> Iterator[Item]:
    costs = {function.sym_name: cost_of(function) for function in fused.functions()[1:]}
    for op in fused.job.body:
        if isinstance(op, Call):
            yield Item(_name(op), op.callee, op.location.lines(), costs[op.callee])


def _without_zeros(ops: Sequence[TensorOp]) -> list[Func]:
    """What each op is lowered to; products with padding zeros are left out, as in compiled jobs."""
    # Only costs need this pass.
    from penstock.passes.manager import run_pipeline

    module = Module.empty()
    # What an op is lowered to follows from this; the layers of a network have equal ops.
    keys = [
        (type(op), tuple(v.type for v in op.operands), tuple(r.type for r in op.results),
         frozenset(op.attributes.items()))
        for op in ops
    ]  # fmt: skip
    functions: dict[Hashable, Func] = {}
    for key, op in zip(keys, ops, strict=True):
        if key not in functions:
            functions[key] = function = lowered_copy(op)
            function.sym_name = f"op_{len(functions)}"
            module.body.append(function)
    run_pipeline(module, "split-phases", verify_each=False)
    return [functions[key] for key in keys]


def _kind(op: Operation) -> str:
    return f"{op.name} again" if AGAIN in op.attributes else op.name


def _name(op: Operation) -> str:
    return ", ".join(result.name for result in op.results if result.name)
