"""Why an op of a placed module has its signature: what each alternative would cost.

An alternative is the plan with another signature of this op alone, and the conversions that this
asks for. `bytes` are those that rank 0, whose parts are largest, sends in the conversions of the
op's operands and results, and inside the op.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from penstock.ir.attributes import python_value
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import GROUPS, MESH, SIGNATURE, STATE, Box
from penstock.ir.meaning.boxing import Link, steps
from penstock.passes.placement.local.local_ops import LocalOp, exchanges_of
from penstock.passes.placement.local.states import Signature
from penstock.passes.placement.plan_of_groups import GroupPlan, signature_text
from penstock.passes.sharding.choose import PLAN, machine_of
from penstock.passes.sharding.improve import alternatives
from penstock.passes.sharding.kinds import Form, Option, form_of
from penstock.passes.sharding.machine import Machine
from penstock.passes.sharding.reading import Reader

PROVEN = 1e-5
"""The gap to a lower bound that tolerances of the solver leave."""


class Explained:
    """The plan of a placed module of several ranks, all of which compute all ops."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.mesh = tuple(python_value(module.attributes[MESH]))
        links = (Link(),) * len(self.mesh)
        self.machine = machine_of(module) or Machine(self.mesh, links)
        self.reader = Reader(module, self.machine)
        self.instance = self.reader.problem().instance()
        self.choice = self._choice()
        self.numbers = {
            origin: number
            for number, origin in enumerate(self.reader.origins)
            if isinstance(origin, Operation)
        }

    def _choice(self) -> list[int]:
        """The options that the module's signatures and states are; one is added where it is in no
        list, as a signature that was written by hand may be."""
        function = self.module.job
        chosen = []
        for number, origin in enumerate(self.reader.origins):
            options = self.instance.options[number]
            if isinstance(origin, Operation):
                found = python_value(origin.attributes[SIGNATURE])
                wanted = tuple(found["operands"]), tuple(found["results"])
            elif isinstance(origin, int):
                wanted = options[0].operands, ()
            else:
                place = list(function.arguments).index(origin)
                state = python_value(function.argument_attributes(place)[STATE])
                wanted = (state,) * len(options[0].operands), (state,)
            states = [(option.operands, option.results) for option in options]
            if wanted not in states:
                options = self.instance.options[number] = [*options, Option(*wanted, 0.0, ())]
                states.append(wanted)
            chosen.append(states.index(wanted))
        return chosen

    def bytes_by_collective(self, rank: int = 0) -> dict[str, int]:
        """The bytes that a rank sends in a step, by kind of collective."""
        found: dict[str, int] = defaultdict(int)
        for op in self.module.job.body:
            if isinstance(op, Box):
                form = form_of(op.x.type)
                for step in self._steps(form, op.source, op.target):
                    found[step.kind] += step.sent(*form, self.mesh, rank)
            elif isinstance(op, TensorOp) and op in self.numbers:
                node = self.numbers[op]
                for kind, count in self._exchanged(node, self.choice[node], rank):
                    found[kind] += count
        return {kind: count for kind, count in sorted(found.items()) if count}

    def _steps(self, form: Form, source: str, target: str) -> Any:
        return steps(source, target, *form, self.mesh, self.machine.links)

    def _exchanged(self, node: int, option: int, rank: int = 0) -> Iterator[tuple[str, int]]:
        """The kinds of collective and bytes that a rank sends inside an op that has an option."""
        op, chosen = self.reader.origins[node], self.instance.options[node][option]
        signatures = self.instance.nodes[node].kind.signatures
        if not any(signatures[number].exchanges for number in chosen.numbers):
            return
        assert isinstance(op, TensorOp)
        signature = Signature(chosen.operands, chosen.results)
        types = [value.type for value in op.operands]
        function = LocalOp(op, types, signature, self.mesh, rank).function
        for box, step in exchanges_of(function).items():
            # Its type is that of the rank's part along the other axes.
            yield step.kind, step.sent(*form_of(box.x.type), self.mesh, rank)

    def why(self, op: Operation) -> dict[str, Any]:
        """The signature of an op and its alternatives, the cheapest first, as JSON values."""
        number = self.numbers[op]
        options, chosen = self.instance.options[number], self.choice[number]
        totals = alternatives(self.instance, self.choice, number)
        rows: list[dict[str, Any]] = [
            {
                "signature": signature_text(option.operands, option.results),
                "seconds": total,
                "op": option.seconds,
                "bytes": self._boxed(number, i),
                "chosen": i == chosen,
            }
            for i, (option, total) in enumerate(zip(options, totals, strict=True))
        ]
        rows.sort(key=lambda row: (row["seconds"], not row["chosen"]))
        own = next(row for row in rows if row["chosen"])
        second = next((row for row in rows if not row["chosen"]), own)
        return {
            "op": op.name,
            "signature": own["signature"],
            "alternatives": rows,
            "saved": second["bytes"] - own["bytes"],
        }

    def row(self, op: Operation) -> dict[str, Any]:
        """An op in a table: its signature, seconds and bytes, and those of the next best one."""
        if isinstance(op, Box):
            form = form_of(op.x.type)
            found = self._steps(form, op.source, op.target)
            time = sum(
                step.picoseconds(*form, self.mesh, self.machine.links[step.axis]) for step in found
            )
            sent = sum(step.sent(*form, self.mesh, 0) for step in found)
            text = f"{op.source} -> {op.target}"
            row = {"op": op.name, "signature": text, "seconds": time * 1e-12, "bytes": sent}
            return {**row, "next": None, "more": None, "saved": None}
        found = self.why(op)
        own = next(each for each in found["alternatives"] if each["chosen"])
        second = next((each for each in found["alternatives"] if not each["chosen"]), None)
        return {
            "op": op.name,
            "signature": own["signature"],
            "seconds": own["op"],
            "bytes": own["bytes"],
            "next": second and second["signature"],
            "more": second and second["seconds"] - own["seconds"],
            "saved": found["saved"] if second else None,
        }

    def _boxed(self, node: int, option: int) -> int:
        """The bytes of conversions of operands and results, if an op has an option."""
        choice = list(self.choice)
        choice[node] = option
        of = self.instance.nodes[node]
        total = sum(count for _, count in self._exchanged(node, option))
        for tensor in dict.fromkeys((*of.reads, *of.makes)):
            made, wanted = self.instance.states(choice, tensor)
            form = self.instance.tensors[tensor].form
            for state in wanted:
                for step in self._steps(form, made, state):
                    total += step.sent(*form, self.mesh, 0)
        return total


def reasons(module: Module) -> dict[Operation, dict[str, Any]]:
    """Of each op of a placed module, why it has its signature: see `Explained.why`."""
    if GROUPS in module.attributes:
        return GroupPlan(module).reasons()
    explained = Explained(module)
    return {op: explained.why(op) for op in explained.numbers}


def rows(module: Module) -> list[tuple[Operation, dict[str, Any]]]:
    """The tensor ops of a placed module with what a table says of them: see `Explained.row`."""
    if GROUPS in module.attributes:
        return GroupPlan(module).rows()
    explained = Explained(module)
    return [(op, explained.row(op)) for op in module.job.body if isinstance(op, TensorOp)]


def summary(module: Module) -> str:
    """The plan of a placed module in one line: predicted time, bytes, and how sure it is."""
    if GROUPS in module.attributes:
        return GroupPlan(module).summary()
    explained = Explained(module)
    plan = dict(python_value(module.attributes[PLAN])) if PLAN in module.attributes else {}
    sent = explained.bytes_by_collective()
    words = ", ".join(f"{kind} {count:,}" for kind, count in sent.items()) or "none"
    mesh = " x ".join(map(str, explained.mesh))
    text = f"{mesh} ranks; bytes that rank 0 sends in a step: {words}"
    if "seconds" in plan:
        text += f"; predicted {1e3 * plan['seconds']:,.3f} ms, {_certainty(plan)}"
    return text


def _certainty(plan: Mapping[str, Any]) -> str:
    if plan["solver"] == "greedy":
        return "as OneFlow v0.3.4 chooses"
    if plan["solver"] == "elimination":
        return "not proven to be the least, which takes SciPy (pip install penstock[place])"
    gap = plan["seconds"] / plan["bound"] - 1 if plan.get("bound") else None
    if gap is None:
        return "not proven to be the least"
    if plan.get("proven") and gap < PROVEN:
        return "proven to be the least"
    return f"{100 * gap:.1f} % above a lower bound"
