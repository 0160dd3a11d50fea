"""The choice of signatures where ops are on several groups of ranks: one group after another.

What goes between groups costs what `Move` says that ranks send, from the state in one group to that
in the other. A group is chosen as those are that were chosen before; at the end each one is chosen
again, as all others are then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.ir.attributes import IntegerAttr, StringAttr, attribute, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job import MEMORY, MEMORY_TARGETS
from penstock.ir.dialects.job.sbp import HINT, MESH, RANKS, SIGNATURE, STATE
from penstock.ir.meaning.boxing import Link
from penstock.passes.placement.local.groups import Group, Groups
from penstock.passes.placement.local.states import whole
from penstock.passes.placement.moves import Moves
from penstock.passes.sharding.reading import Moved


def choose_by_group(module: Module, choose: Choice, links: Sequence[Link]) -> None:
    """Give the ops and variables of each group their signatures and states; `choose` does so for a
    module whose ops are all on all of its ranks. `links` are those of the job."""
    groups = Groups(module)
    moves = Moves(groups, max(links, key=lambda link: 1 / link.bandwidth))
    parts = [_Part(module, groups, n, group, moves) for n, group in enumerate(groups.every)]
    # Single ranks have no choice: once their states are known, the others need one turn.
    parts.sort(key=lambda part: len(part.group.ranks) > 1)
    for part in [*parts, *parts]:
        part.choose(choose)


Choice = Callable[[Module, Moved], object]
"""Chooses for a module, where moving some of its values costs so much."""


class _Part:
    """The ops of a group as a module of its own."""

    def __init__(
        self, module: Module, groups: Groups, number: int, group: Group, moves: Moves
    ) -> None:
        self.job = module.job
        self.memory = {
            name: module.attributes[name]
            for name in (MEMORY, MEMORY_TARGETS)
            if name in module.attributes
        }
        self.groups = groups
        self.number = number
        self.group = group
        self.moves = moves
        self.chosen_for: Moved | None = None
        """What it cost to move values when the group was chosen last."""
        of = groups.of_values()
        self.ops = [op for op in self.job.body if not op.terminator and groups.of(op) == number]
        made = {value for op in self.ops for value in op.results}
        read = [value for op in self.ops for value in op.operands if value not in made]
        self.own = [
            value
            for place, value in enumerate(self.job.arguments)
            if "job.variable" in self._facts(place) and of[value] == number
        ]
        """The variables of the group."""
        if not number:
            # Ranks outside of the group of a reader have feeds, too, which are then whole.
            self.own += [
                value
                for place, value in enumerate(self.job.arguments)
                if "job.variable" not in self._facts(place)
                and all(groups.of(user) == 0 for user in value.users())
            ]
        self.given = list(dict.fromkeys([*self.own, *read]))
        self.hints = {op: op.attributes[HINT] for op in self.ops if HINT in op.attributes}
        places = {value: place for place, value in enumerate(self.job.arguments)}
        self.facts = [self._facts(places[v]) if v in self.own else {} for v in self.given]
        """What is known of the values given, before any state is chosen."""

    def _facts(self, place: int) -> dict[str, Any]:
        return dict(self.job.argument_attributes(place))

    def choose(self, choose: Choice) -> None:
        if len(self.group.ranks) == 1 or not self.ops:
            self._share_nothing()
            return
        moved = self._moved()
        if moved == self.chosen_for:
            return
        self.chosen_for = moved
        part, copies, mapping = self._module()
        choose(part, {mapping[value]: seconds for value, seconds in moved.items()})
        for op, copy in zip(self.ops, copies, strict=True):
            op.attributes.pop(HINT, None)
            if SIGNATURE in copy.attributes:
                op.attributes[SIGNATURE] = copy.attributes[SIGNATURE]
                self.moves.note(op)
        states = [part.job.argument_attributes(place)[STATE] for place in range(len(self.own))]
        self._write(dict(zip(self.own, states, strict=True)))

    def _share_nothing(self) -> None:
        state = whole(self.group.mesh)
        for op in self.ops:
            op.attributes.pop(HINT, None)
            if isinstance(op, TensorOp):
                signature = {
                    "operands": [state] * len(op.operands), "results": [state] * len(op.results)
                }  # fmt: skip
                op.attributes[SIGNATURE] = attribute(signature)
                self.moves.note(op)
        self._write(dict.fromkeys(self.own, StringAttr(state)))

    def _moved(self) -> dict[Value, Mapping[str, float]]:
        """What it costs to move values, as other groups are chosen now."""
        made = [value for op in self.ops for value in op.results]
        every = {value: self.moves.seconds(value, self.number) for value in [*self.given, *made]}
        return {value: seconds for value, seconds in every.items() if seconds is not None}

    def _write(self, states: dict[Value, Any]) -> None:
        self.moves.states.update((value, str(python_value(s))) for value, s in states.items())
        every = []
        for place, value in enumerate(self.job.arguments):
            facts = self._facts(place)
            if value in states:
                facts.pop(HINT, None)
                facts[STATE] = states[value]
            every.append(facts)
        self.job.set_all_argument_attributes(every)

    def _module(self) -> tuple[Module, list[Operation], dict[Value, Value]]:
        """The module, the copies of the ops, and those of values."""
        names = [value.name for value in self.given]
        function = Func.make(self.job.sym_name, [value.type for value in self.given], names=names)
        function.location = self.job.location
        module = Module.empty(self.job.sym_name)
        module.body.append(function)
        module.attributes[RANKS] = IntegerAttr(len(self.group.ranks))
        module.attributes[MESH] = attribute(list(self.group.mesh))
        module.attributes.update(self.memory)
        mapping: dict[Value, Value] = dict(zip(self.given, function.arguments, strict=True))
        copies = []
        for op in self.ops:
            copies.append(op.clone(mapping))
            copies[-1].attributes.pop(SIGNATURE, None)
            if op in self.hints:
                copies[-1].attributes[HINT] = self.hints[op]
            function.body.append(copies[-1])
        returned, results = self._returned(mapping)
        function.body.append(Return(returned, [], location=self.job.location))
        function.update_type()
        function.set_all_argument_attributes(self.facts)
        function.set_all_result_attributes(results)
        return module, copies, mapping

    def _returned(self, mapping: dict[Value, Value]) -> tuple[list[Value], list[dict[str, Any]]]:
        """What the group returns: new values of its variables, and what all ranks fetch."""
        values, results = [], []
        for place, value in enumerate(self.job.returned.operands):
            if value in mapping and self.groups.of_result(place) == self.number:
                values.append(mapping[value])
                results.append(dict(self.job.result_attributes(place)))
        return values, results
