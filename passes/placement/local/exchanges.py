"""The conversions between states, on the parts of one rank: slices, identities, collectives."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.collective import Collective
from penstock.ir.dialects.job.sharding import (
    axis_states,
    group_of,
    local_shape,
    part_of,
    split_dim,
)
from penstock.ir.meaning.boxing import COLLECTIVES, Link, Step, sequence
from penstock.ir.types import TensorType, Type, byte_width
from penstock.ir.write import scalars
from penstock.passes.placement.local.groups import Group
from penstock.passes.placement.local.places import (
    Places,
    Sizes,
    divides,
    kept_by_first,
    own_slice,
    padded,
)

Part = Sequence[tuple[int, int]]
"""The offset and size along each dimension."""


class Conversion:
    """One step of the conversion of a tensor of a shape, as one rank of a mesh does it."""

    def __init__(
        self,
        step: Step,
        shape: Sequence[int],
        group: Group,
        places: Places,
        deferred: bool = False,
    ) -> None:
        """`places` are those of the rank."""
        self.step = step
        self.deferred = deferred
        self.shape = tuple(shape)
        self.among = group
        self.places = places
        self.mesh = group.mesh
        rank = group.place(places.rank)
        assert rank is not None
        self.rank = rank
        """Its place in the group's mesh, as that of others below."""
        self.group = group_of(group.mesh, step.axis, rank)
        self.numbers = [group.ranks[place] for place in self.group]
        before, after = (axis_states(state)[step.axis] for state in (step.source, step.target))
        self.source_dim, self.target_dim = split_dim(before), split_dim(after)
        places.depends_on.add(StepSizes(group, step, self.shape))

    def lower(self, b: Builder, x: Value) -> Value:
        """The rank's part of the result, from its part x of the operand."""
        if self.is_collective:
            return exchange(b, [self], [x])[0]
        return _LOCAL[self.step.kind](self, b, x)

    # -- parts ----------------------------------------------------------------------------------

    def _part(self, state: str, rank: int) -> Part:
        return part_of(self.shape, state, self.mesh, rank)

    def _shape(self, state: str, rank: int) -> tuple[int, ...]:
        return local_shape(self.shape, state, self.mesh, rank)

    @property
    def own(self) -> tuple[int, ...]:
        """The shape of the rank's part of the result."""
        return self._shape(self.step.target, self.rank)

    def _met(self, source: int, target: int) -> Part:
        """What two ranks' parts, of the operand and of the result, have in common."""
        given, taken = self._part(self.step.source, source), self._part(self.step.target, target)
        met = []
        for (a, m), (c, n) in zip(given, taken, strict=True):
            start = max(a, c)
            met.append((start, max(min(a + m, c + n) - start, 0)))
        return met

    # -- local steps ----------------------------------------------------------------------------

    def _same(self, b: Builder, x: Value) -> Value:
        return x

    def _slice(self, b: Builder, x: Value) -> Value:
        dim, own = self.target_dim, self.own
        assert dim is not None
        if 0 in own or tensor(x).shape == own:
            return self._cut(b, x, self._part(self.step.target, self.rank))
        return own_slice(b, x, self._place, dim, self._count, own[dim])

    def _cut(self, b: Builder, x: Value, wanted: Part) -> Value:
        """The elements of this rank's operand that are at a part of the whole."""
        held = self._part(self.step.source, self.rank)
        starts = [offset - start for (offset, _), (start, _) in zip(wanted, held, strict=True)]
        return sliced(b, x, starts, [size for _, size in wanted])

    def _identity(self, element: Type) -> float:
        """What does not change the reduction of the step."""
        ends = {"max": scalars.lowest, "min": scalars.highest}
        reduction = self.step.reduction or ""
        return ends[reduction](element) if reduction in ends else 0.0

    def _pad(self, b: Builder, x: Value) -> Value:
        dim, element = self.source_dim, tensor(x).element
        assert dim is not None
        identity = self._identity(element)
        if 0 in tensor(x).shape:
            return make.full(b, identity, self.own, element)
        return padded(b, x, self._place, dim, self._count, self.own[dim], identity)

    def _keep(self, b: Builder, x: Value) -> Value:
        return kept_by_first(b, x, self._place)

    @property
    def _place(self) -> Value:
        """The rank's place on the axis."""
        return self.places.on(self.among, self.step.axis)

    @property
    def _count(self) -> int:
        return self.mesh[self.step.axis]

    # -- what collectives exchange --------------------------------------------------------------

    @property
    def is_collective(self) -> bool:
        """Whether ranks send anything."""
        return self.step.kind in COLLECTIVES

    def sent(self, b: Builder, x: Value) -> list[Value]:
        """What goes to each rank of the group, as tensors of rank 1; one that goes to all."""
        if self.target_dim is None:
            return [flat(b, x)]
        return [flat(b, self._cut(b, x, self._met(self.rank, rank))) for rank in self.group]

    @property
    def received(self) -> list[Sequence[int]]:
        """The shape of what each rank of the group has sent; one if that is reduced."""
        if self.source_dim is None:
            return [self.own]
        if self.target_dim is None:
            return [self._shape(self.step.source, rank) for rank in self.group]
        return [[size for _, size in self._met(rank, self.rank)] for rank in self.group]

    def put_together(self, b: Builder, parts: Sequence[Value]) -> Value:
        """The rank's part of the result, from what it has received, in tensors of rank 1."""
        shaped = [
            make.reshape(b, part, shape)
            for part, shape in zip(parts, self.received, strict=True)
            if math.prod(shape)
        ]
        if self.source_dim is None or not shaped:
            return make.reshape(b, parts[0], self.own)
        return joined(b, shaped, self.source_dim)

    def sizes_sent(self, x: Value) -> list[int]:
        """The elements of what goes to each rank of the group; one number if all go to all."""
        if self.target_dim is None:
            return [tensor(x).count]
        parts = [self._met(self.rank, rank) for rank in self.group]
        return [math.prod(size for _, size in part) for part in parts]

    def sends_in_order(self, x: Value) -> bool:
        """Whether what goes to the ranks is one after the other in memory."""
        return self.target_dim is None or _is_outermost(tensor(x).shape, self.target_dim)

    @property
    def sizes(self) -> Hashable:
        """The shapes of what the rank has and gets, and what goes to and comes from each other one:
        where it is in the rank's own part, and its shape."""
        own = self._shape(self.step.source, self.rank), self.own
        if not self.is_collective:
            return own
        held = [start for start, _ in self._part(self.step.source, self.rank)]
        met = [] if self.target_dim is None else [self._met(self.rank, r) for r in self.group]
        sent = tuple(
            tuple((start - first, size) for (start, size), first in zip(part, held, strict=True))
            for part in met
        )
        return own, sent, tuple(map(tuple, self.received))

    @property
    def receives_in_order(self) -> bool:
        """Whether what comes from the ranks is one after the other in the result."""
        return self.source_dim is None or _is_outermost(self.own, self.source_dim)


class StepSizes(Sizes):
    """The shapes of what a rank has, gets and sends in a step of a conversion, and where it cuts
    what it sends."""

    step: Step
    shape: tuple[int, ...]

    @property
    def is_even(self) -> bool:
        mesh, states = self.group.mesh, (self.step.source, self.step.target)
        return all(divides(mesh, self.shape, state) for state in states)

    def of(self, rank: int) -> Hashable:
        own = Conversion(self.step, self.shape, self.group, Places(None, rank))
        return own.sizes


def exchange(b: Builder, conversions: Sequence[Conversion], xs: Sequence[Value]) -> list[Value]:
    """One collective for steps of one kind, on one axis, with one reduction and element type."""
    first = conversions[0]
    kind, alone = first.step.kind, len(conversions) == 1
    if alone and first.sends_in_order(xs[0]):
        source, sizes = flat(b, xs[0]), [first.sizes_sent(xs[0])]
    else:
        sent = [one.sent(b, x) for one, x in zip(conversions, xs, strict=True)]
        sizes = [[tensor(part).count for part in parts] for parts in sent]
        source = joined(b, [part for parts in zip(*sent, strict=True) for part in parts], 0)
    shapes = [one.received for one in conversions]
    taken = [[math.prod(shape) for shape in each] for each in shapes]
    given_counts = [sum(each) for each in zip(*sizes, strict=True)]
    taken_counts = [sum(each) for each in zip(*taken, strict=True)]
    made = b.create(
        Collective, [source], types=[TensorType((sum(taken_counts),), tensor(source).element)],
        kind=kind, reduction=first.step.reduction if "reduce" in kind else None,
        ranks=first.numbers, counts=taken_counts if kind == "all_gather" else given_counts,
        receives=taken_counts if kind == "all_to_all" else None, deferred=first.deferred or None,
    ).results[0]  # fmt: skip
    if alone and first.receives_in_order:
        return [make.reshape(b, made, first.own)]
    parts: list[list[Value]] = [[] for _ in conversions]
    start = 0
    for counts in zip(*taken, strict=True):
        for own, count in zip(parts, counts, strict=True):
            own.append(sliced(b, made, [start], [count]))
            start += count
    return [one.put_together(b, own) for one, own in zip(conversions, parts, strict=True)]


_LOCAL: Mapping[str, Callable[[Conversion, Builder, Value], Value]] = {
    "same": Conversion._same,
    "slice": Conversion._slice,
    "pad": Conversion._pad,
    "keep": Conversion._keep,
}


def steps_of(
    type: TensorType, states: tuple[str, str], mesh: tuple[int, ...], links: Sequence[Link]
) -> Sequence[Step]:
    """The steps of a conversion from one state to another, the fastest ones on these links."""
    return sequence(*states, type.shape, byte_width(type.element), mesh, links)


def convert(
    b: Builder,
    x: Value,
    type: TensorType,
    states: tuple[str, str],
    group: Group,
    places: Places,
    deferred: bool = False,
    links: Sequence[Link] = (),
) -> Value:
    """A rank's part of a tensor in another state, from its part x; `type` is that of the whole.

    Collectives may be `deferred`.
    """
    for step in steps_of(type, states, group.mesh, links):
        x = Conversion(step, type.shape, group, places, deferred).lower(b, x)
    return x


def _is_outermost(shape: Sequence[int], dim: int) -> bool:
    """Whether parts along a dimension are one after the other in memory."""
    return math.prod(shape[:dim]) == 1


def flat(b: Builder, x: Value) -> Value:
    """The elements as a tensor of rank 1."""
    return make.reshape(b, x, [tensor(x).count])


def sliced(b: Builder, x: Value, starts: Sequence[int], sizes: Sequence[int]) -> Value:
    """So many elements from there on along each dimension."""
    if tensor(x).shape == tuple(sizes):
        return x
    starts = [start if size else 0 for start, size in zip(starts, sizes, strict=True)]
    return make.op(b, "slice", x, starts=starts, sizes=sizes, steps=[1] * len(sizes))


def joined(b: Builder, parts: Sequence[Value], axis: int) -> Value:
    """The parts one after the other along a dimension."""
    whole, *others = [part for part in parts if tensor(part).count] or parts[:1]
    for part in others:
        whole = make.op(b, "concat", whole, part, axis=axis)
    return whole
