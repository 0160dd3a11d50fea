"""Which ranks of a job run the same code, and the numbers in which they differ.

The code of a rank depends on the shapes of its parts. On a mesh that divides all extents, all ranks
have the same; else some have parts that are longer by one. Where a part begins, and with whom the
rank exchanges elements, is data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.collective import Collective
from penstock.ir.dialects.job.sharding import group_of, part_of
from penstock.ir.record import Record
from penstock.passes.placement.local.groups import Groups
from penstock.passes.placement.local.localize import localize
from penstock.passes.placement.local.places import place_on
from penstock.passes.placement.local.states import argument_state, ranks_of, signature_of

Origin = tuple[int, ...]


class Numbers(Record):
    """What is a rank's own in the description of its job."""

    places: list[int]
    """The values of the arguments of role `place`, in their order."""
    groups: list[tuple[int, ...]]
    """The ranks of each collective."""
    variables: dict[str, Origin]
    """Where the rank's part of a variable begins in the whole, if it has a part."""
    blobs: dict[str, Origin]
    """The same of watched blobs."""


class Program:
    """Ranks of a job that run the same code: that of the first."""

    def __init__(self, placed: Module, first: int) -> None:
        """The program of a rank. The module, at stage `placed`, stays as it is."""
        own = cast(Module, placed.clone())
        self.placed = placed
        self.ranks = [first]
        self.group = Groups(placed).every[0]
        self.places = localize(own, first)
        self._collectives = [op for op in own.job.body if isinstance(op, Collective)]
        uneven = [sizes for sizes in self.places.depends_on if not sizes.is_even]
        self._sizes = [(sizes, sizes.of(first)) for sizes in uneven]

    def is_of(self, rank: int) -> bool:
        """Whether another rank runs it, too: all sizes that the code was made for are its own."""
        return all(sizes.of(rank) == known for sizes, known in self._sizes)

    def numbers(self, rank: int) -> Numbers:
        """What the description of one of its ranks differs in from that of the first one."""
        mesh = self.group.mesh
        axes = {group_of(mesh, axis, self.ranks[0]): axis for axis in range(len(mesh))}
        return Numbers(
            [place_on(group, axis, rank) for group, axis in self.places.arguments],
            [group_of(mesh, axes[tuple(op.ranks)], rank) for op in self._collectives],
            self._variables(rank),
            self._blobs(rank),
        )

    def _variables(self, rank: int) -> dict[str, Origin]:
        job, found = self.placed.job, {}
        for i, argument in enumerate(job.arguments):
            name = job.argument_attributes(i).get("job.variable")
            if isinstance(name, StringAttr):
                state = argument_state(job, i, self.group.mesh)
                found[name.value] = self._origin(tensor(argument).shape, state, rank)
        return found

    def _blobs(self, rank: int) -> dict[str, Origin]:
        found = {}
        for op in self.placed.job.body:
            name = op.attributes.get("name")
            if op.takes_parts and isinstance(name, StringAttr):
                (state,) = signature_of(op, self.group.mesh).operands
                found[name.value] = self._origin(tensor(op.operands[0]).shape, state, rank)
        return found

    def _origin(self, shape: Sequence[int], state: str, rank: int) -> Origin:
        return tuple(start for start, _ in part_of(shape, state, self.group.mesh, rank))


def programs(placed: Module) -> list[Program]:
    """The programs of all ranks of a module at stage `placed`. If some ops are not on all ranks,
    each rank has its own."""
    found: list[Program] = []
    alone = Groups(placed).are_several
    for rank in range(ranks_of(placed)):
        own = next((program for program in found if not alone and program.is_of(rank)), None)
        if own is not None:
            own.ranks.append(rank)
        else:
            found.append(Program(placed, rank))
    return found
