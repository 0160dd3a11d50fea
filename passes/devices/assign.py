"""Which device has each op and each variable of a job that is on several devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.ir.attributes import Attribute, DictAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.callout import OutsideCall
from penstock.ir.dialects.job.sbp import PLACEMENT

VARIABLE = "job.variable"

Scopes = Mapping[Value | Operation, DictAttr]
"""The placements that the program gave some ops and variables."""


def assign_devices(job: Func, scopes: Scopes, host: DictAttr, default: DictAttr) -> None:
    """Write a placement on every op and variable of a job.

    A variable without one is where its first placed reader is, and its update where the variable
    is. Other ops are where their first operand is that has a place; those without any, where their
    first reader is, and last on the default device. What shows a value is where the value is, and
    functions of the program run on the host.
    """
    places = _Places(job, scopes, host, default)
    every = []
    for i, value in enumerate(job.arguments):
        entries = job.argument_attributes(i)
        every.append(entries | ({PLACEMENT: places.of[value]} if value in places.of else {}))
    job.set_all_argument_attributes(every)
    for op in places.ops:
        op.attributes[PLACEMENT] = places.of[op]


class _Places:
    def __init__(self, job: Func, scopes: Scopes, host: DictAttr, default: DictAttr) -> None:
        self.ops = [op for op in job.body if not op.terminator]
        self.scopes = scopes
        self.host = host
        self.default = default
        self.positions = {op: i for i, op in enumerate(self.ops)}
        self.of: dict[Value | Operation, DictAttr] = {}
        variables = {
            name: value
            for i, value in enumerate(job.arguments)
            if (name := job.argument_attributes(i).get(VARIABLE)) is not None
        }
        updates = [
            (variables[name], value.defining_op)
            for i, value in enumerate(job.returned.operands)
            if (name := job.result_attributes(i).get("job.update")) in variables
        ]
        self._place_variables(variables, updates)
        for op in self.ops:
            self.of[op] = self.of.get(op) or self._place(op)
        for value, update in updates:
            if update is not None:
                self.of.setdefault(value, self.of[update])
        for value in variables.values():
            self.of.setdefault(value, default)

    def _place_variables(
        self,
        variables: Mapping[Attribute, Value],
        updates: Sequence[tuple[Value, Operation | None]],
    ) -> None:
        """Place the variables that the program has placed, and their updates."""
        for value in variables.values():
            place = self.scopes.get(value) or self._of_readers(value)
            if place is not None:
                self.of[value] = place
        for value, update in updates:
            if value in self.of and update is not None and update not in self.scopes:
                self.of.setdefault(update, self.of[value])

    def _place(self, op: Operation) -> DictAttr:
        if isinstance(op, OutsideCall):
            return self.scopes.get(op, self.host)
        if op in self.scopes and op.results:
            return self.scopes[op]
        for value in op.operands:
            known = self.of.get(value if value.defining_op is None else value.defining_op)
            if known is not None:
                return known
        if op in self.scopes:
            return self.scopes[op]
        found = (self._of_readers(result) for result in op.results)
        return next((place for place in found if place is not None), self.default)

    def _of_readers(self, value: Value) -> DictAttr | None:
        """Where the first op is that reads a value and that the program placed."""
        readers = [op for op in value.users() if op in self.scopes and op in self.positions]
        if not readers:
            return None
        return self.scopes[min(readers, key=self.positions.__getitem__)]
