"""What the code of a rank computes from its place on an axis of a mesh of ranks.

The place is an argument of the job, a tensor of one i64. So ranks whose parts have equal shapes run
the same code.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import PLACE
from penstock.ir.dialects.job.sharding import (
    axis_states,
    coordinates,
    local_shape,
    part,
    split_dim,
)
from penstock.ir.record import Record
from penstock.ir.rewriting.lowering import ORIGIN
from penstock.ir.types import TensorType
from penstock.ir.write import scalars
from penstock.passes.placement.local.groups import Group

PLACE_TYPE = TensorType((), ty.i64)


class Sizes(Record):
    """Sizes of parts that the code of a rank depends on. It depends on nothing else of the rank,
    since places are arguments."""

    group: Group

    @property
    def is_even(self) -> bool:
        """Whether they are those of all ranks."""
        raise NotImplementedError

    def of(self, rank: int) -> Hashable:
        """Those of a rank."""
        raise NotImplementedError


class PartSizes(Sizes):
    """The shape of a rank's part of a tensor in a state."""

    shape: tuple[int, ...]
    state: str

    @property
    def is_even(self) -> bool:
        return divides(self.group.mesh, self.shape, self.state)

    def of(self, rank: int) -> Hashable:
        place = self.group.place(rank)
        assert place is not None
        return local_shape(self.shape, self.state, self.group.mesh, place)


class ExtentSizes(Sizes):
    """How much a rank has of an extent that one axis splits."""

    axis: int
    extent: int

    @property
    def is_even(self) -> bool:
        return self.extent % self.group.mesh[self.axis] == 0

    def of(self, rank: int) -> Hashable:
        place = place_on(self.group, self.axis, rank)
        return part(self.extent, self.group.mesh[self.axis], place)[1]


def divides(mesh: Sequence[int], shape: Sequence[int], state: str) -> bool:
    """Whether the parts of all ranks have one shape."""
    for dim, extent in enumerate(shape):
        axes = zip(axis_states(state), mesh, strict=True)
        if extent % prod(count for each, count in axes if split_dim(each) == dim):
            return False
    return True


class Places:
    """The arguments of a rank's job that are its places, and the sizes that its code depends on."""

    def __init__(self, job: Func | None, rank: int) -> None:
        self.job = job
        self.rank = rank
        self.arguments: dict[tuple[Group, int], Value] = {}
        """For each group of ranks and axis of its mesh, in the order of the job's arguments."""
        self.depends_on: set[Sizes] = set()
        """All sizes that the code has been made for."""

    def on(self, group: Group, axis: int) -> Value:
        """The rank's place on an axis of a group's mesh."""
        known = self.arguments.get((group, axis))
        if known is None:
            assert self.job is not None
            known = self.job.body.add_argument(PLACE_TYPE, "place")
            place = IntegerAttr(place_on(group, axis, self.rank), ty.i64)
            number = len(self.job.body.arguments) - 1
            self.job.set_argument_attributes(number, {PLACE: place})
            self.arguments[group, axis] = known
        return known


def place_on(group: Group, axis: int, rank: int) -> int:
    """The place of a rank of a group on an axis of its mesh."""
    place = group.place(rank)
    assert place is not None
    return coordinates(group.mesh, place)[axis]


def start_of_part(b: Builder, place: Value, extent: int, count: int) -> Value:
    """The index at which a rank's part of a dimension begins, of so many balanced parts."""
    here = _read(b, place)
    size, more = divmod(extent, count)
    start = structured.scaled(b, here, size)
    if not more:
        return start
    longer = scalars.minimum(b, here, scalars.constant(b, more, ty.index))
    return scalars.add(b, start, longer)


def own_slice(b: Builder, x: Value, place: Value, dim: int, count: int, size: int) -> Value:
    """The rank's part of a tensor along a dimension; it has `size` elements."""
    shape = list(tensor(x).shape)
    extent, shape[dim] = shape[dim], size

    def body(b: Builder, here: Sequence[Value]) -> Value:
        # The bounds hold for each rank; stating them proves that no other number reads outside.
        first = scalars.constant(b, 0, ty.index)
        last = scalars.constant(b, extent - size, ty.index)
        start = scalars.maximum(b, start_of_part(b, place, extent, count), first)
        moved = scalars.add(b, here[dim], scalars.minimum(b, start, last))
        return b.create(tensors.Extract, x, [*here[:dim], moved, *here[dim + 1 :]]).result

    made = structured.computed(b, TensorType(tuple(shape), tensor(x).element), body)
    return _labelled(made, "slice")


def padded(
    b: Builder, x: Value, place: Value, dim: int, count: int, extent: int, other: float
) -> Value:
    """A tensor with this extent along a dimension: x in the rank's part of it, else `other`."""
    shape = list(tensor(x).shape)
    size, shape[dim] = shape[dim], extent
    element = tensor(x).element

    def body(b: Builder, here: Sequence[Value]) -> Value:
        start = start_of_part(b, place, extent, count)
        near, inside = structured.moved_inside(b, scalars.sub(b, here[dim], start), size)
        found = b.create(tensors.Extract, x, [*here[:dim], near, *here[dim + 1 :]]).result
        return scalars.select(b, inside, found, scalars.constant(b, other, element))

    made = structured.computed(b, TensorType(tuple(shape), element), body)
    return _labelled(made, "pad")


def kept_by_first(b: Builder, x: Value, place: Value) -> Value:
    """x on the first rank of an axis, and zeros on the others."""
    type = tensor(x)

    def body(b: Builder, element: Value) -> Value:
        is_first = scalars.compare(b, "eq", _read(b, place), scalars.constant(b, 0, ty.index))
        return scalars.select(b, is_first, element, scalars.constant(b, 0, type.element))

    return _labelled(structured.pointwise(b, [x], [type], body)[0], "keep")


def _labelled(made: Value, step: str) -> Value:
    """Have the generic say of which step of a conversion it is."""
    op = made.defining_op
    assert op is not None
    op.attributes[ORIGIN] = StringAttr(step)
    return made


def _read(b: Builder, place: Value) -> Value:
    return scalars.cast(b, b.create(tensors.Extract, place, []).result, ty.index)
