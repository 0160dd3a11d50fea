"""The conversions between states, on the parts of one rank: slices, identities, collectives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job.collective import Collective
from penstock.ir.dialects.job.sharding import (
    axis_states,
    coordinates,
    group_of,
    local_shape,
    part_of,
    split_dim,
)
from penstock.ir.meaning.boxing import Step, sequence
from penstock.ir.types import TensorType, Type, byte_width
from penstock.ir.write import scalars

Part = Sequence[tuple[int, int]]
"""The offset and size along each dimension."""


class Conversion:
    """One step of the conversion of a tensor of a shape, as one rank of a mesh does it."""

    def __init__(
        self,
        step: Step,
        shape: Sequence[int],
        mesh: tuple[int, ...],
        rank: int,
        deferred: bool = False,
    ) -> None:
        self.step = step
        self.deferred = deferred
        self.shape = shape
        self.mesh = mesh
        self.rank = rank
        self.group = group_of(mesh, step.axis, rank)
        self.place = coordinates(mesh, rank)[step.axis]
        before, after = (axis_states(state)[step.axis] for state in (step.source, step.target))
        self.source_dim, self.target_dim = split_dim(before), split_dim(after)

    def lower(self, b: Builder, x: Value) -> Value:
        """The rank's part of the result, from its part x of the operand."""
        return _LOWERINGS[self.step.kind](self, b, x)

    # -- parts ----------------------------------------------------------------------------------

    def _part(self, state: str, rank: int) -> Part:
        return part_of(self.shape, state, self.mesh, rank)

    def _shape(self, state: str, rank: int) -> tuple[int, ...]:
        return local_shape(self.shape, state, self.mesh, rank)

    @property
    def _own(self) -> tuple[int, ...]:
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
        return self._cut(b, x, self._part(self.step.target, self.rank))

    def _cut(self, b: Builder, x: Value, wanted: Part) -> Value:
        """The elements of this rank's operand that are at a part of the whole."""
        held = self._part(self.step.source, self.rank)
        starts = [offset - start for (offset, _), (start, _) in zip(wanted, held, strict=True)]
        return _sliced(b, x, starts, [size for _, size in wanted])

    def _identity(self, element: Type) -> float:
        """What does not change the reduction of the step."""
        ends = {"max": scalars.lowest, "min": scalars.highest}
        reduction = self.step.reduction or ""
        return ends[reduction](element) if reduction in ends else 0.0

    def _pad(self, b: Builder, x: Value) -> Value:
        held, wanted = (
            self._part(state, self.rank) for state in (self.step.source, self.step.target)
        )
        element = tensor(x).element
        if 0 in tensor(x).shape:
            return make.full(b, self._identity(element), self._own, element)
        before = [start - first for (start, _), (first, _) in zip(held, wanted, strict=True)]
        after = [
            first + size - start - extent
            for (start, extent), (first, size) in zip(held, wanted, strict=True)
        ]
        inside, value = [0] * len(before), self._identity(element)
        return make.op(b, "pad", x, before=before, after=after, inside=inside, value=value)

    def _keep(self, b: Builder, x: Value) -> Value:
        return x if not self.place else make.full(b, 0.0, self._own, tensor(x).element)

    # -- collectives ----------------------------------------------------------------------------

    def _all_reduce(self, b: Builder, x: Value) -> Value:
        count = math.prod(self._own)
        made = self._collective(b, _flat(b, x), count, [count])
        return make.reshape(b, made, self._own)

    def _all_gather(self, b: Builder, x: Value) -> Value:
        shapes = [self._shape(self.step.source, rank) for rank in self.group]
        counts = [math.prod(shape) for shape in shapes]
        made = self._collective(b, _flat(b, x), sum(counts), counts)
        return self._unpacked(b, made, shapes)

    def _reduce_scatter(self, b: Builder, x: Value) -> Value:
        counts = [math.prod(self._shape(self.step.target, rank)) for rank in self.group]
        made = self._collective(b, self._packed(b, x), counts[self.place], counts)
        return make.reshape(b, made, self._own)

    def _all_to_all(self, b: Builder, x: Value) -> Value:
        given = [self._size(self._met(self.rank, rank)) for rank in self.group]
        shapes = [[size for _, size in self._met(rank, self.rank)] for rank in self.group]
        taken = [math.prod(shape) for shape in shapes]
        made = self._collective(b, self._packed(b, x), sum(taken), given, taken)
        return self._unpacked(b, made, shapes)

    def _size(self, part: Part) -> int:
        return math.prod(size for _, size in part)

    def _collective(
        self, b: Builder, x: Value, count: int, counts: list[int], receives: list[int] | None = None
    ) -> Value:
        type = TensorType((count,), tensor(x).element)
        kind = self.step.kind
        reduction = self.step.reduction if "reduce" in kind else None
        made = b.create(
            Collective, [x], types=[type], kind=kind, reduction=reduction, ranks=self.group,
            counts=counts, receives=receives, deferred=self.deferred or None,
        )  # fmt: skip
        return made.results[0]

    def _packed(self, b: Builder, x: Value) -> Value:
        """What goes to each rank of the group, one after the other."""
        assert self.target_dim is not None
        if _is_outermost(tensor(x).shape, self.target_dim) or not tensor(x).count:
            return _flat(b, x)
        parts = [self._met(self.rank, rank) for rank in self.group]
        return _joined(
            b, [_flat(b, self._cut(b, x, part)) for part in parts if self._size(part)], 0
        )

    def _unpacked(self, b: Builder, x: Value, shapes: Sequence[Sequence[int]]) -> Value:
        """The result, from what each rank of the group has sent, one after the other."""
        assert self.source_dim is not None
        if _is_outermost(self._own, self.source_dim) or not tensor(x).count:
            return make.reshape(b, x, self._own)
        parts, start = [], 0
        for shape in shapes:
            count = math.prod(shape)
            if count:
                parts.append(make.reshape(b, _sliced(b, x, [start], [count]), shape))
            start += count
        return _joined(b, parts, self.source_dim)


_LOWERINGS: Mapping[str, Callable[[Conversion, Builder, Value], Value]] = {
    "same": Conversion._same,
    "slice": Conversion._slice,
    "pad": Conversion._pad,
    "keep": Conversion._keep,
    "all_reduce": Conversion._all_reduce,
    "all_gather": Conversion._all_gather,
    "reduce_scatter": Conversion._reduce_scatter,
    "all_to_all": Conversion._all_to_all,
}


def convert(
    b: Builder,
    x: Value,
    type: TensorType,
    states: tuple[str, str],
    mesh: tuple[int, ...],
    rank: int,
    deferred: bool = False,
) -> Value:
    """A rank's part of a tensor in another state, from its part x; `type` is that of the whole.

    Collectives may be `deferred`.
    """
    for step in sequence(*states, type.shape, byte_width(type.element), mesh):
        x = Conversion(step, type.shape, mesh, rank, deferred).lower(b, x)
    return x


def _is_outermost(shape: Sequence[int], dim: int) -> bool:
    """Whether parts along a dimension are one after the other in memory."""
    return math.prod(shape[:dim]) == 1


def _flat(b: Builder, x: Value) -> Value:
    return make.reshape(b, x, [tensor(x).count])


def _sliced(b: Builder, x: Value, starts: Sequence[int], sizes: Sequence[int]) -> Value:
    if tensor(x).shape == tuple(sizes):
        return x
    starts = [start if size else 0 for start, size in zip(starts, sizes, strict=True)]
    return make.op(b, "slice", x, starts=starts, sizes=sizes, steps=[1] * len(sizes))


def _joined(b: Builder, parts: Sequence[Value], axis: int) -> Value:
    whole = parts[0]
    for part in parts[1:]:
        whole = make.op(b, "concat", whole, part, axis=axis)
    return whole
