"""From a logical module to the problem of its placement, and from a plan back to the module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any, NoReturn

from penstock.ir.attributes import python_value
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.diagnostics import Diagnostic, Impossible
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import HINT, LOCAL, SIGNATURE, STATE, Box
from penstock.ir.dialects.job.sharding import BROADCAST, axis_states, joined, problem
from penstock.ir.location import UNKNOWN
from penstock.passes.sharding.kinds import Kind, Kinds, form_of
from penstock.passes.sharding.machine import Machine
from penstock.passes.sharding.problem import Node, Problem, Tensor

Moved = Mapping[Value, Mapping[str, float]]
"""The seconds that it takes to send values to, or from, other groups of ranks, by their state."""
EXTREMA = {"P(max)", "P(min)"}
"""States of partial maxima and minima."""


class Reader:
    """Reads a module; `nodes` and `numbers` lead from the problem back to what it was read from."""

    def __init__(
        self, module: Module, machine: Machine, moved: Moved = MappingProxyType({})
    ) -> None:
        self.function = module.job
        self.machine = machine
        self.moved = moved
        self.kinds = Kinds()
        self.nodes: list[Node] = []
        self.tensors: list[Tensor] = []
        self.numbers: dict[Value, int] = {}
        """The number of each value's tensor."""
        self.origins: list[Operation | Value | int] = []
        """Of each node: the op, the argument, or the place of the result it fetches."""
        self.new_values = self._new_values()
        self._read()
        self._mark_weights()

    def problem(self) -> Problem:
        return Problem(self.nodes, self.tensors, self.machine)

    def check(self, problem: Problem) -> None:
        """Fail where hints leave no option."""
        for node, origin in zip(problem.nodes, self.origins, strict=True):
            if node.allowed is not None and not node.kind.options(self.machine, node.allowed):
                states = {option.results for option in node.kind.options(self.machine)}
                known = "; ".join(sorted({" and ".join(each) for each in states}))
                mesh = " x ".join(map(str, self.machine.mesh))
                _fail(
                    origin,
                    f"{node.label} cannot be {' and '.join(node.hint)} on a mesh of {mesh} ranks: "
                    f"{_too_short(node, self.machine.mesh)}it can be {known}; take one of these or "
                    "leave the choice to the compiler",
                )

    def _hinted(self, node: Node, hint: Any, origin: Operation | Value) -> None:
        """Keep only the signatures whose results are as the hint says, on each axis."""
        node.hint = tuple([hint] if isinstance(hint, str) else hint)
        axes = len(self.machine.mesh)
        for state, (shape, _) in zip(node.hint, node.kind.results, strict=True):
            wrong = problem(state, len(shape), axes)
            if wrong:
                _fail(origin, f"{node.label} cannot be hinted: {wrong}")
        wanted = [axis_states(state) for state in node.hint]
        node.allowed = tuple(
            tuple(
                number
                for number, signature in enumerate(node.kind.signatures)
                if all(w[axis] == s for w, s in zip(wanted, signature.results, strict=True))
            )
            for axis in range(axes)
        )

    def _new_values(self) -> dict[str, Value]:
        """The new value of each variable, by its name."""
        found: dict[str, Value] = {}
        for place, value in enumerate(self.function.returned.operands):
            name = self.function.result_attributes(place).get("job.update")
            if name is not None:
                found[str(python_value(name))] = value
        return found

    def _read(self) -> None:
        updated: dict[int, Value] = {}
        for place, argument in enumerate(self.function.arguments):
            name = self.function.argument_attributes(place).get("job.variable")
            new = None if name is None else self.new_values.get(str(python_value(name)))
            if new is not None:
                updated[len(self.nodes)] = new
            kind = self.kinds.source(form_of(argument.type), new is not None)
            node = self._add(argument.name or f"argument {place}", kind, (), [argument], argument)
            self.tensors[node.makes[0]].kept = name is not None
            facts = self.function.argument_attributes(place)
            self.tensors[node.makes[0]].given = name is None and LOCAL not in facts
            hint = facts.get(HINT) or (facts.get(STATE) if LOCAL in facts else None)
            if hint is not None:
                self._hinted(node, python_value(hint), argument)
        self._read_ops()
        self._leave_out_extrema()
        for place, value in enumerate(self.function.returned.operands):
            if "job.update" not in self.function.result_attributes(place):
                self._fetch(place, value)
        for number, value in updated.items():
            self.nodes[number].reads = (self.numbers[value],)

    def _read_ops(self) -> None:
        for op in self.function.body:
            if op.terminator or op.takes_parts:
                continue
            if isinstance(op, Box) and SIGNATURE not in op.attributes:
                # A module that is placed already: its conversions are part of the plan.
                self.numbers[op.result] = self.numbers[op.x]
                continue
            node = self._add(_label(op), self.kinds.of_op(op), op.operands, op.results, op)
            node.in_place = isinstance(op, TensorOp) and op.by_element
            if HINT in op.attributes:
                self._hinted(node, python_value(op.attributes[HINT]), op)

    def _leave_out_extrema(self) -> None:
        """Leave out signatures that read partial maxima or minima of what is never made so: whole
        values would be converted to these, and reduced again."""
        made: list[set[str]] = []
        for node in self.nodes:
            signatures = node.kind.signatures
            kept = {
                number
                for number, signature in enumerate(signatures)
                if all(
                    state not in EXTREMA or state in made[tensor]
                    for tensor, state in zip(node.reads, signature.operands, strict=False)
                )
            }
            for place in range(len(node.makes)):
                made.append({signatures[number].results[place] for number in kept} & EXTREMA)
            if len(kept) < len(signatures):
                axes = node.allowed or (tuple(range(len(signatures))),) * len(self.machine.mesh)
                node.allowed = tuple(tuple(n for n in axis if n in kept) for axis in axes)

    def _fetch(self, place: int, value: Value) -> None:
        """What is returned whole, or in the state that the result says."""
        axes = len(self.machine.mesh)
        found = self.function.result_attributes(place).get(STATE)
        state = joined([BROADCAST] * axes) if found is None else str(python_value(found))
        wrong = problem(state, len(form_of(value.type)[0]), axes)
        if wrong:
            _fail(value.defining_op, f"fetch {place} cannot be returned: {wrong}")
        states = axis_states(state)
        kind = self.kinds.fetch(form_of(value.type), tuple(dict.fromkeys(states)))
        node = self._add(f"fetch {place}", kind, [value], (), place)
        node.allowed = tuple((list(dict.fromkeys(states)).index(each),) for each in states)

    def _add(
        self,
        label: str,
        kind: Kind,
        reads: Sequence[Value],
        makes: Sequence[Value],
        origin: Operation | Value | int,
    ) -> Node:
        made = []
        for place, value in enumerate(makes):
            self.numbers[value] = len(self.tensors)
            made.append(len(self.tensors))
            self.tensors.append(Tensor(form_of(value.type), len(self.nodes), place))
        node = Node(label, kind, [self.numbers[value] for value in reads], made)
        if not self.moved.keys().isdisjoint(makes):
            node.moved = [self.moved.get(value) for value in makes]
        self.nodes.append(node)
        self.origins.append(origin)
        return node

    def _mark_weights(self) -> None:
        """Variables, their gradients (what an update reads, through ops by element), and what is
        fetched: their conversions can wait for others."""
        for tensor in self.tensors:
            tensor.bucketed = tensor.kept
        for number, node in enumerate(self.nodes):
            if isinstance(self.origins[number], int):
                self.tensors[node.reads[0]].bucketed = True
        for value in self.new_values.values():
            self._mark_gradients(value, set())

    def _mark_gradients(self, made: Value, seen: set[Operation]) -> None:
        op = made.defining_op
        if op is None or op in seen:
            return
        seen.add(op)
        for operand in op.operands:
            if operand.type is made.type:
                self.tensors[self.numbers[operand]].bucketed = True
                before = operand.defining_op
                if isinstance(before, TensorOp) and before.by_element:
                    self._mark_gradients(operand, seen)


def _too_short(node: Node, mesh: Sequence[int]) -> str:
    """The dimension that a hint splits into more parts than it has elements, if that is why no
    option is left."""
    for hint, (shape, _) in zip(node.hint, node.kind.results, strict=True):
        states = axis_states(hint)
        for dimension, extent in enumerate(shape):
            parts = prod(
                n for n, state in zip(mesh, states, strict=True) if state == f"S({dimension})"
            )
            if extent < parts:
                return (
                    f"dimension {dimension} of shape {tuple(shape)} has "
                    f"{extent} element{'s' * (extent != 1)} for {parts} ranks, and each needs one; "
                )
    return ""


def _fail(origin: object, message: str) -> NoReturn:
    location = origin.location if isinstance(origin, Operation | BlockArgument) else UNKNOWN
    raise Impossible(Diagnostic(message, location))


def _label(op: Operation) -> str:
    """The name of an op's first result, or that of the op."""
    named = op.results[0].name if op.results else ""
    return named or op.name
