"""What a table says of a placed module whose ops are on several groups of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import Box
from penstock.ir.types import byte_width
from penstock.passes.placement.local.groups import Group, Groups
from penstock.passes.placement.local.local_ops import LocalOp, exchanges_of
from penstock.passes.placement.local.states import signature_of
from penstock.passes.placement.local.transfers import Move


class GroupPlan:
    """The plan of such a module. No alternatives are known: each group was planned by itself."""

    def __init__(self, module: Module) -> None:
        self.groups = Groups(module)
        self.ranks = self.groups.every[0].ranks
        self.ops = [op for op in module.job.body if isinstance(op, TensorOp)]
        self.sent = {op: self._sent(op) for op in self.ops}
        """The bytes that each rank sends for an op, by rank."""

    def _group(self, op: Operation) -> Group:
        return self.groups.every[self.groups.of(op)]

    def _sent(self, op: TensorOp) -> list[int]:
        group = self._group(op)
        if isinstance(op, Box):
            move = Move(tensor(op.y), (op.source, op.target), self.groups.source(op), group)
            return [move.sent(rank) for rank in self.ranks]
        return [sum(self._inside(op, group, group.place(rank))) for rank in self.ranks]

    def _inside(self, op: TensorOp, group: Group, place: int | None) -> Iterator[int]:
        """The bytes of what ranks reduce inside an op."""
        signature = signature_of(op, group.mesh)
        if place is None or signature.is_whole:
            return
        types = [value.type for value in op.operands]
        function = LocalOp(op, types, signature, group.mesh, place).function
        for box, step in exchanges_of(function).items():
            type = tensor(box.x)
            yield step.sent(type.shape, byte_width(type.element), group.mesh, place)

    def rows(self) -> list[tuple[Operation, dict[str, Any]]]:
        """The ops, each with its signature, its ranks, and the most bytes that one sends."""
        return [(op, self._row(op)) for op in self.ops]

    def _row(self, op: TensorOp) -> dict[str, Any]:
        group = self._group(op)
        if isinstance(op, Box):
            giver = self.groups.source(op)
            before = f"{op.source} on {_numbers(giver)}" if giver != group else op.source
            text = f"{before} -> {op.target}"
        else:
            text = signature_text(*signature_of(op, group.mesh))
        return {
            "op": op.name, "signature": f"{text} on {_numbers(group)}", "seconds": None,
            "bytes": max(self.sent[op]), "next": None, "more": None, "saved": None,
        }  # fmt: skip

    def reasons(self) -> dict[Operation, dict[str, Any]]:
        """Of each op the only signature that is known, as `Explained.why` says it."""
        found = {}
        for op, row in self.rows():
            own = {"signature": row["signature"], "seconds": 0.0, "op": 0.0, "bytes": row["bytes"]}
            words = {"op": op.name, "signature": row["signature"], "saved": 0}
            found[op] = {**words, "alternatives": [{**own, "chosen": True}]}
        return found

    def summary(self) -> str:
        """The groups, and the bytes that each rank sends, in one line."""
        some = "; ".join(_numbers(group) for group in self.groups.every[1:])
        totals = map(sum, zip(*self.sent.values(), strict=True))
        words = ", ".join(f"{count:,}" for count in totals)
        ranks = len(self.ranks)
        return f"{ranks} ranks, some ops on {some}; bytes that each sends in a step: {words}"


def _numbers(group: Group) -> str:
    ranks = group.ranks
    return f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {', '.join(map(str, ranks))}"


def signature_text(operands: Sequence[str], results: Sequence[str]) -> str:
    """A signature on one line; states on several axes are in parentheses."""
    sides = [
        ", ".join(f"({state})" if "," in state else state for state in side)
        for side in (operands, results)
    ]
    return " -> ".join(sides).strip()
