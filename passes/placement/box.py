"""Pass `box`: convert values from the state they are made in to the states they are read in."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import SIGNATURE, Box
from penstock.ir.dialects.job.sharding import axis_states, is_partial
from penstock.passes.base import Order, Pass
from penstock.passes.placement.states import (
    argument_state,
    mesh_of,
    ranks_of,
    returned_state,
    signature_of,
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
    it is removed. Modules of one rank stay as they are.
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
        self.mesh = mesh_of(module)
        self.states: dict[Value, str] = {
            argument: argument_state(self.job, i, self.mesh)
            for i, argument in enumerate(self.job.arguments)
        }
        self.boxes: dict[tuple[Value, str], Value] = {}

    def run(self) -> None:
        returned = self.job.returned
        takers: list[Operation] = []
        for op in list(self.job.body):
            if op.takes_parts:
                takers.append(op)
            elif op is not returned and (op.operands or op.results):
                signature = signature_of(op, self.mesh)
                for i, state in enumerate(signature.operands):
                    self._convert(op, i, state)
                self.states.update(zip(op.results, signature.results, strict=True))
        for i in range(len(returned.operands)):
            self._convert(returned, i, returned_state(self.job, i, self.mesh))
        for op in takers:
            self._give_parts(op)

    def _give_parts(self, op: Operation) -> None:
        """Have an op read its operand in a state that is no partial sum."""
        (value,) = op.operands
        made = [(state, boxed) for (of, state), boxed in self.boxes.items() if of is value]
        for state, found in [(self.states[value], value), *made]:
            if not any(map(is_partial, axis_states(state))):
                op.set_operand(0, found)
                # Behind all others: it must not keep a conversion from going on meanwhile.
                op.move_before(self.job.returned)
                op.attributes[SIGNATURE] = attribute({"operands": [state], "results": []})
                return
        op.erase()

    def _convert(self, op: Operation, position: int, wanted: str) -> None:
        """Have an op read an operand in the state that it wants."""
        value = op.operands[position]
        state = self.states[value]
        if state == wanted:
            return
        boxed = self.boxes.get((value, wanted))
        if boxed is None:
            b = Builder.ahead_of(op)
            boxed = b.create(Box, value, source=state, target=wanted).result
            self.boxes[value, wanted] = boxed
        op.set_operand(position, boxed)
