"""Pass `box`: convert values from the state they are made in to the states they are read in."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import IntegerAttr, attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import GROUP, SIGNATURE, Box
from penstock.ir.dialects.job.sharding import axis_states, is_partial
from penstock.passes.base import Order, Pass
from penstock.passes.placement.local.groups import Groups
from penstock.passes.placement.local.states import (
    argument_state,
    ranks_of,
    returned_state,
    signature_of,
    whole,
)


class InsertBoxes(Pass):
    """Insert an `sbp.box` where an op reads a value in another state than it is made in.

        %h = "flow.matmul"(%x, %w) {sbp.signature = {operands = ["S(1)", "S(0)"], results = ["P"]}}
        %y = "flow.relu"(%h) {sbp.signature = {operands = ["S(0)"], results = ["S(0)"]}}
    ->
        %h = "flow.matmul"(%x, %w) ...
        %0 = "sbp.box"(%h) {source = "P", target = "S(0)"}
        %y = "flow.relu"(%0) ...

    Readers that want one state share the conversion. An op that takes parts, as a blob's mark for
    watching, reads the value as it is; if that is partial sums, then where they have been added, or
    it is removed. Where an op of another group of ranks reads
    the value, the box has `giver`, the number of the group that has it. Modules of one rank stay as
    they are.
    """

    name = "box"
    for_ranks = True
    before: ClassVar[Order] = {
        "localize": "a rank needs the parts that its ops read",
        "lower": None,
    }
    after: ClassVar[Order] = {"place": "it says how many ranks there are", "autodiff": None}

    def run(self, module: Module) -> None:
        if ranks_of(module) > 1:
            _Boxing(module).run()


class _Boxing:
    def __init__(self, module: Module) -> None:
        self.job = module.job
        self.groups = Groups(module)
        self.of = self.groups.of_values()
        self.states: dict[Value, str] = {
            argument: argument_state(self.job, i, self._mesh(self.groups.of_argument(i)))
            for i, argument in enumerate(self.job.arguments)
        }
        self.boxes: dict[tuple[Value, int, str], Value] = {}
        self.arrived: dict[tuple[Value, int], Value] = {}
        """What has come to another group, where it may be converted again."""

    def run(self) -> None:
        returned = self.job.returned
        takers: list[Operation] = []
        for op in list(self.job.body):
            if op.takes_parts and not self.of[op.operands[0]]:
                takers.append(op)
            elif op is not returned and (op.operands or op.results):
                group = self.groups.of(op)
                signature = signature_of(op, self._mesh(group))
                for i, state in enumerate(signature.operands):
                    self._convert(op, i, group, state)
                self.states.update(zip(op.results, signature.results, strict=True))
        for i in range(len(returned.operands)):
            group = self.groups.of_result(i)
            self._convert(returned, i, group, returned_state(self.job, i, self._mesh(group)))
        for op in takers:
            self._give_parts(op)

    def _give_parts(self, op: Operation) -> None:
        """Have an op read its operand in a state that is no partial sum."""
        (value,) = op.operands
        boxes = self.boxes.items()
        made = [(state, boxed) for (of, at, state), boxed in boxes if of is value and not at]
        for state, found in [(self.states[value], value), *made]:
            if not any(map(is_partial, axis_states(state))):
                op.set_operand(0, found)
                # Behind all others: it must not keep a conversion from going on meanwhile.
                op.move_before(self.job.returned)
                op.attributes[SIGNATURE] = attribute({"operands": [state], "results": []})
                return
        op.erase()

    def _mesh(self, group: int) -> tuple[int, ...]:
        return self.groups.every[group].mesh

    def _convert(self, op: Operation, position: int, group: int, wanted: str) -> None:
        """Have an op of a group read an operand in the state that it wants."""
        value = op.operands[position]
        if (self.of[value], self.states[value]) != (group, wanted):
            known = self.boxes.get((value, group, wanted))
            if known is None:
                source = self.arrived.get((value, group), value)
                known = self._converted(op, source, group, wanted)
                self.boxes[value, group, wanted] = known
                if source is value and self.of[value] != group and not self._is_everywhere(value):
                    self.arrived[value, group] = known
            op.set_operand(position, known)

    def _converted(self, op: Operation, value: Value, group: int, wanted: str) -> Value:
        state = self.states[value]
        if (self.of[value], state) == (group, wanted):
            return value
        b = Builder.ahead_of(op)
        giver = self.of[value] if self.of[value] != group else None
        box = b.create(Box, value, source=state, target=wanted, giver=giver)
        if group:
            box.attributes[GROUP] = IntegerAttr(group)
        self.of[box.result], self.states[box.result] = group, wanted
        return box.result

    def _is_everywhere(self, value: Value) -> bool:
        """Whether each rank has the whole, so that none has to send anything."""
        return not self.of[value] and self.states[value] == whole(self._mesh(0))
