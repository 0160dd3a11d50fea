"""Which group of ranks computes each op, where a program places ops on some ranks of their job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.ir.attributes import IntegerAttr, attribute
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import GROUP, GROUPS, HINT
from penstock.passes.placement.local.groups import Group, described
from penstock.passes.placement.local.states import whole


def assign_groups(module: Module, every: Group, scopes: Mapping[Operation, Group]) -> None:
    """Write the groups of ops and variables.

    `every` is all ranks, `scopes` has the groups of ops that the program has placed. What the
    compiler has inserted goes where its operands are if they are in one group, or else where its
    users are. What is left, such as a learning rate for variables of several groups, each rank
    computes in full. A variable is on the group of the ops that read it. Feeds are on all ranks.
    """
    groups = list(dict.fromkeys([every, *scopes.values()]))
    if len(groups) > 1:
        numbers = {op: groups.index(group) for op, group in scopes.items()}
        _Assignment(module, numbers, whole(every.mesh)).run()
        module.attributes[GROUPS] = described(groups)


class _Assignment:
    def __init__(self, module: Module, scopes: Mapping[Operation, int], everywhere: str) -> None:
        self.job = module.job
        self.of_op: dict[Operation, int | None] = dict(scopes)
        self.of_argument: dict[Value, int | None] = {}
        self.everywhere = everywhere

    def run(self) -> None:
        variables = [
            value
            for place, value in enumerate(self.job.arguments)
            if "job.variable" in self.job.argument_attributes(place)
        ]
        self.of_argument = dict.fromkeys(self.job.arguments)
        for value in variables:
            self.of_argument[value] = self._of_users(value, set(self.of_op))
        unplaced = [op for op in self.job.body if op not in self.of_op and isinstance(op, TensorOp)]
        for op in unplaced:
            self.of_op[op] = self._of_operands(op)
        for op in reversed(unplaced):
            if self.of_op[op] is None:
                found = {self._of_users(result) for result in op.results}
                self.of_op[op] = found.pop() if len(found) == 1 else 0
        for value in variables:
            if self.of_argument[value] is None:
                self.of_argument[value] = self._of_users(value)
        self._write(unplaced)

    def _of_operands(self, op: Operation) -> int | None:
        """The only group that has operands of an op; all ranks if there are several; None if none
        has."""
        found = {self._of(value) for value in op.operands} - {None, 0}
        return next(iter(found)) if len(found) == 1 else 0 if found else None

    def _of(self, value: Value) -> int | None:
        made = value.defining_op
        return self.of_argument[value] if made is None else self.of_op.get(made, 0)

    def _of_users(self, value: Value, among: set[Operation] | None = None) -> int | None:
        """The only group that reads a value, among these ops; 0 if there are several, or if it has
        no dimension that ranks could have none of; None if no op reads it."""
        users = [user for user in value.users() if among is None or user in among]
        found = {self.of_op.get(user, 0) for user in users if not self._updates(user, value)}
        found.discard(None)
        if isinstance(value, BlockArgument) and not tensor(value).rank:
            return 0
        return next(iter(found)) if len(found) == 1 else 0 if found else None

    def _updates(self, user: Operation, value: Value) -> bool:
        """Whether a user is the return of the new value of a variable of a group."""
        if not user.terminator:
            return False
        for place, returned in enumerate(user.operands):
            name = self.job.result_attributes(place).get("job.update")
            if returned is value and name is None:
                return False
            for i, argument in enumerate(self.job.arguments):
                own = self.job.argument_attributes(i).get("job.variable")
                if returned is value and own == name and not self.of_argument[argument]:
                    return False
        return True

    def _write(self, unplaced: Sequence[Operation]) -> None:
        for op, number in self.of_op.items():
            if number:
                op.attributes[GROUP] = IntegerAttr(number)
        for op in unplaced:
            if not self.of_op[op]:
                op.attributes.setdefault(HINT, attribute([self.everywhere] * len(op.results)))
        every = []
        for place, value in enumerate(self.job.arguments):
            number = self.of_argument[value]
            group = {GROUP: IntegerAttr(number)} if number else {}
            every.append({**self.job.argument_attributes(place), **group})
        self.job.set_all_argument_attributes(every)
