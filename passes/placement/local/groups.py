"""The groups of ranks that compute the ops of a job.

A module whose ops are not all on all ranks has `sbp.groups`, a list of `{ranks, mesh}`. The first
one is all ranks. An op or argument has `sbp.group`, its number; 0 if it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from penstock.ir.attributes import Attribute, IntegerAttr, attribute, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import GROUP, GROUPS, Box
from penstock.ir.record import Record
from penstock.passes.placement.local.states import mesh_of, ranks_of


class Group(Record):
    """Ranks that compute some ops of a job together."""

    ranks: tuple[int, ...]
    """Their numbers, in the order of the mesh."""
    mesh: tuple[int, ...]

    def place(self, rank: int) -> int | None:
        """The place of a rank in the mesh; None if it is not in the group."""
        return self.ranks.index(rank) if rank in self.ranks else None


class Groups:
    """The groups of a module, and what is on which."""

    def __init__(self, module: Module) -> None:
        self.job = module.job
        whole = Group(tuple(range(ranks_of(module))), mesh_of(module))
        found = python_value(module.attributes[GROUPS]) if GROUPS in module.attributes else []
        self.every = [whole, *(Group(tuple(g["ranks"]), tuple(g["mesh"])) for g in found[1:])]

    @property
    def are_several(self) -> bool:
        """Whether some ops are not on all ranks."""
        return len(self.every) > 1

    def of(self, op: Operation) -> int:
        """The number of the group that computes an op, or has the result of a conversion."""
        return number_of(op.attributes)

    def of_argument(self, index: int) -> int:
        """The number of the group that has an argument."""
        return number_of(self.job.argument_attributes(index))

    def of_result(self, index: int) -> int:
        """The number of the group that returns a result: that of the variable, or all ranks."""
        name = self.job.result_attributes(index).get("job.update")
        for place in range(len(self.job.arguments)) if name is not None else ():
            if self.job.argument_attributes(place).get("job.variable") == name:
                return self.of_argument(place)
        return 0

    def of_values(self) -> dict[Value, int]:
        """The group that has each value."""
        places = enumerate(self.job.arguments)
        found: dict[Value, int] = {value: self.of_argument(place) for place, value in places}
        for op in self.job.body:
            found.update(dict.fromkeys(op.results, self.of(op)))
        return found

    def source(self, box: Box) -> Group:
        """The group that has what is converted."""
        return self.every[self.of(box) if box.giver is None else box.giver]


def number_of(attributes: Mapping[str, Any]) -> int:
    """The number of the group that attributes name."""
    found = attributes.get(GROUP)
    return found.value if isinstance(found, IntegerAttr) else 0


def described(groups: Iterable[Group]) -> Attribute:
    """Groups as an attribute of the module."""
    return attribute([{"ranks": list(g.ranks), "mesh": list(g.mesh)} for g in groups])


def box_of(states: Sequence[str], giver: int, taker: int) -> dict[str, Any]:
    """The attributes of a conversion from one group to another."""
    source, target = states
    found: dict[str, Any] = {"source": source, "target": target}
    return found if giver == taker else {**found, "giver": giver}
