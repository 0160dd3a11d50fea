"""What one rank does when a tensor goes from a group of ranks to another.

Ranks of the first group scatter partial sums, so that each element is sent once. Then ranks of the
first group send those of the second the elements of their parts, and ranks of the second gather
what each of them needs. A rank that is in both groups keeps what it has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.collective import Collective
from penstock.ir.dialects.job.sharding import BROADCAST, axis_states, local_shape, part_of
from penstock.ir.meaning.boxing import Step, Transfer, sequence, transfer
from penstock.ir.types import TensorType, byte_width
from penstock.passes.placement.local.exchanges import Conversion, Part, flat, joined, sliced
from penstock.passes.placement.local.groups import Group
from penstock.passes.placement.local.places import Places
from penstock.passes.placement.local.states import whole

Message = tuple[int, int, Part]
"""A rank that gives, a rank that takes, and the part of the whole tensor: offsets and sizes."""


class Move:
    """The conversion of a tensor from a state in one group of ranks to a state in another."""

    def __init__(
        self, type: TensorType, states: tuple[str, str], giver: Group, taker: Group
    ) -> None:
        self.type = type
        self.shape = type.shape
        self.giver, self.taker = giver, taker
        self.itemsize = byte_width(type.element)
        self.way = self._way(*states)
        self.messages: list[Message] = [
            (self._nearest(giver.ranks[give], taker.ranks[take]), taker.ranks[take], part)
            for give, take, part in self.way.messages(self.shape, giver.mesh, taker.mesh)
        ]
        sent = [(give, take) for give, take, _ in self.messages if give != take]
        self.ranks = sorted({rank for pair in sent for rank in pair})
        """The ranks that send something to another one, or get something."""

    def _way(self, source: str, target: str) -> Transfer:
        everywhere = whole(self.taker.mesh)
        if _is_whole(source) and set(self.taker.ranks) <= set(self.giver.ranks):
            after = sequence(everywhere, target, self.shape, self.itemsize, self.taker.mesh)
            return Transfer((), source, everywhere, after)
        return transfer(source, target, self.shape, self.itemsize, self.giver.mesh, self.taker.mesh)

    def _nearest(self, giver: int, taker: int) -> int:
        """The rank that gives: the taker itself if all ranks of the first group have the whole."""
        has_whole = _is_whole(self.way.source) and taker in self.giver.ranks
        return taker if has_whole else giver

    def sent(self, rank: int) -> int:
        """The bytes that a rank sends to others."""
        total = sum(
            math.prod(size for _, size in part) * self.itemsize
            for give, take, part in self.messages
            if give == rank != take
        )
        for steps, group in ((self.way.before, self.giver), (self.way.after, self.taker)):
            place = group.place(rank)
            if place is not None:
                total += sum(s.sent(self.shape, self.itemsize, group.mesh, place) for s in steps)
        return total

    def lower(self, b: Builder, x: Value | None, places: Places) -> Value | None:
        """A rank's part of the result, from its part x of the operand; None if it is not in a
        group. `places` are those of the rank."""
        rank = places.rank
        if x is not None:
            x = self._converted(b, x, self.way.before, self.giver, places)
        blocks = [
            (part, self._cut(b, x, part, rank))
            for give, take, part in self.messages
            if give == take == rank and x is not None
        ]
        if rank in self.ranks:
            blocks += self._exchanged(b, x, rank)
        if rank not in self.taker.ranks:
            return None
        made = self._assembled(b, blocks, rank)
        return self._converted(b, made, self.way.after, self.taker, places)

    def _converted(
        self, b: Builder, x: Value, steps: Sequence[Step], group: Group, places: Places
    ) -> Value:
        for step in steps:
            x = Conversion(step, self.shape, group, places).lower(b, x)
        return x

    def _cut(self, b: Builder, x: Value, wanted: Part, rank: int) -> Value:
        """The elements of this rank's operand that are at a part of the whole."""
        place = self.giver.place(rank)
        assert place is not None
        held = part_of(self.shape, self.way.source, self.giver.mesh, place)
        starts = [offset - start for (offset, _), (start, _) in zip(wanted, held, strict=True)]
        return sliced(b, x, starts, [size for _, size in wanted])

    def _exchanged(self, b: Builder, x: Value | None, rank: int) -> list[tuple[Part, Value]]:
        """Send what others take, and return the blocks that they give."""
        given = {take: part for give, take, part in self.messages if give == rank != take}
        taken = {give: part for give, take, part in self.messages if take == rank != give}
        element = self.type.element
        pieces = []
        for other in self.ranks:
            if other in given:
                assert x is not None
                pieces.append(flat(b, self._cut(b, x, given[other], rank)))
        source = joined(b, pieces, 0) if pieces else make.full(b, 0, (0,), element)
        receives = self._counts(taken)
        made = b.create(
            Collective, [source], types=[TensorType((sum(receives),), element)],
            kind="all_to_all", ranks=self.ranks, counts=self._counts(given), receives=receives,
        ).results[0]  # fmt: skip
        found, start = [], 0
        for other, count in zip(self.ranks, receives, strict=True):
            if count:
                sizes = [size for _, size in taken[other]]
                block = make.reshape(b, sliced(b, made, [start], [count]), sizes)
                found.append((taken[other], block))
            start += count
        return found

    def _counts(self, parts: Mapping[int, Part]) -> list[int]:
        """The elements of the part for, or of, each rank that takes part."""
        return [
            math.prod(size for _, size in parts[rank]) if rank in parts else 0
            for rank in self.ranks
        ]

    def _assembled(self, b: Builder, blocks: list[tuple[Part, Value]], rank: int) -> Value:
        """A rank's part of the tensor, from the blocks that it is made of."""
        if not blocks:
            place = self.taker.place(rank)
            assert place is not None
            shape = local_shape(self.shape, self.way.target, self.taker.mesh, place)
            return make.full(b, 0, shape, self.type.element)
        return _joined(b, blocks, 0)


def _joined(b: Builder, blocks: list[tuple[Part, Value]], dim: int) -> Value:
    """The blocks of a grid, from this dimension on."""
    if len(blocks) == 1:
        return blocks[0][1]
    starts = sorted({part[dim][0] for part, _ in blocks})
    rows = [
        _joined(b, [block for block in blocks if block[0][dim][0] == start], dim + 1)
        for start in starts
    ]
    assert all(tensor(row).rank for row in rows)
    return joined(b, rows, dim)


def _is_whole(state: str) -> bool:
    return set(axis_states(state)) == {BROADCAST}
