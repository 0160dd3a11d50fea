"""Whether a generic can join a group, and which dimensions then remain common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from math import prod

from penstock.ir.affine import Dim, Expr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg, tensor
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.record import Record
from penstock.passes.analysis import generics, segments
from penstock.passes.analysis.combiners import may_regroup

LEAST_ROWS = 16
"""The fewest rows that the common dimensions must keep, so that several threads have work."""
SHORT_ROW = 4096
"""Rows of at most this many elements are too short for `LEAST_ROWS` to matter."""
READS_ALL = "the consumer reads all of a tensor whose parts are each written by loops of their own"
WRITES_ANOTHER = "each writes a part of its own of the tensor"


class FusionUnit(Record, frozen=False):
    """A group of generics, or a single other op, that is scheduled as a whole."""

    ops: list[Operation] = field(default_factory=list)
    needs: dict[FusionUnit, None] = field(default_factory=dict)
    """The units that must run first. Some may have been `merged` into others since."""
    spaces: dict[Operation, tuple[int, ...]] = field(default_factory=dict)
    """For each generic, its dimensions that correspond to the common ones, in that order."""
    folded: set[Operation] = field(default_factory=set)
    """The generics that reduce over the common dimensions."""
    contracts: bool = False
    """Whether the root is a contraction, which completes tile by tile, not row by row."""
    again: set[str] = field(default_factory=set)
    """The numbers of the segments of which it computes ops again."""
    cost: float = 0.0
    """The estimated cycles per element of its generics."""
    reads: dict[Value, None] = field(default_factory=dict)
    """The tensors that it reads from outside."""
    waiting: dict[Value, int] = field(default_factory=dict)
    """Its results that are still used by ops outside, with the number of these ops."""
    position: int = -1
    """The position of its last op in the block."""
    first: int = -1
    """The position of its first op."""
    merged: FusionUnit | None = None
    """The unit that it was merged into."""

    @property
    def is_group(self) -> bool:
        return isinstance(self.ops[0], linalg.Generic)

    @property
    def is_function(self) -> bool:
        """Whether it is outlined: a group, or a kernel (which no other op joins)."""
        return self.is_group or isinstance(self.ops[0], Kernel)

    @property
    def common(self) -> int:
        """The number of common dimensions."""
        return len(next(iter(self.spaces.values())))

    @property
    def arrays(self) -> int:
        """The number of tensors it reads and writes."""
        return len(self.reads) + len(self.waiting)

    def before(self) -> Iterator[FusionUnit]:
        """The units that must run before it."""
        for unit in self.needs:
            while unit.merged is not None:
                unit = unit.merged
            if unit is not self:
                yield unit


def parallel(op: Operation) -> tuple[int, ...]:
    """The parallel dimensions of a generic; none for other ops."""
    if not isinstance(op, linalg.Generic):
        return ()
    return tuple(d for d, kind in enumerate(op.iterator_types) if kind == "parallel")


def contracts(op: Operation) -> bool:
    """Whether an op is a generic that contracts."""
    return isinstance(op, linalg.Generic) and generics.is_contraction(op)


def reading(op: Operation, operand: int) -> str:
    """How an op reads a tensor: by "elements", in "rows" that it reduces over, or "otherwise"."""
    if not isinstance(op, linalg.Generic) or generics.is_contraction(op):
        return "otherwise"
    if op.is_parallel:
        return "elements"
    dims = [dim for expr in op.indexing_maps[operand].results for dim in expr.dims()]
    kinds = [op.iterator_types[dim] for dim in dims]
    in_order = kinds == sorted(kinds) and kinds[:1] == ["parallel"]
    return "rows" if in_order else "otherwise"


def common(op: linalg.Generic, unit: FusionUnit) -> tuple[list[int], tuple[int, ...], str]:
    """Which of a group's common dimensions remain common if an op that reads its results joins.

    Also returns the op's dimensions that correspond to them, and the reason why the op cannot join
    (empty if it can).
    """
    agreed: dict[int, int] = {}
    lost: dict[int, str] = {}
    behind, in_parts = True, False
    for found, read in _reads_of(op, unit):
        if found[0] in unit.folded:
            return [], (), "it is complete only when the loops are done"
        in_parts |= generics.places(found[0])
        places = _places(found, unit)
        for k, place in enumerate(places):
            mine = read[place] if place >= 0 else None
            if not isinstance(mine, Dim) or agreed.setdefault(k, mine.index) != mine.index:
                lost[k] = "the consumer reads elements elsewhere than where they are made"
            elif op.iterator_types[mine.index] != "parallel":
                lost[k] = "the consumer sums over a dimension that the loops share out"
        ends = [place for k, place in enumerate(places) if k not in lost]
        behind &= all(max(ends, default=-1) < places[k] for k in lost)
    kept = [k for k in range(unit.common) if k in agreed and k not in lost]
    why = _why_apart(op, unit, agreed, lost, behind)
    if why and in_parts:
        why = WRITES_ANOTHER if generics.places(op) else READS_ALL
    return kept, tuple(agreed[k] for k in kept), why


Made = tuple[linalg.Generic, int]
"""A generic and the number of one of its results."""


def _reads_of(op: linalg.Generic, unit: FusionUnit) -> Iterator[tuple[Made, Sequence[Expr]]]:
    """The results of a group that an op reads, each with the subscripts of the read."""
    for value, map in zip(op.operands, op.indexing_maps, strict=True):
        found = generics.produced(value)
        if found is not None and found[0] in unit.spaces:
            yield found, map.results


def _places(found: Made, unit: FusionUnit) -> list[int]:
    """For each common dimension, its subscript position in a result; -1 if it is absent."""
    written = list(generics.output_map(*found).results)
    dims = [Dim(d) for d in unit.spaces[found[0]]]
    return [written.index(dim) if dim in written else -1 for dim in dims]


def _why_apart(
    op: linalg.Generic, unit: FusionUnit, agreed: dict[int, int], lost: dict[int, str], behind: bool
) -> str:
    """Why an op cannot join a group, given the matched and the lost dimensions; empty if it can."""
    if not agreed and (unit.common or parallel(op)):
        return "the consumer has more dimensions, or picks elements it computes"
    if unit.contracts and lost:
        return "a product is finished tile by tile, and the consumer needs whole rows"
    if unit.contracts and any(v.defining_op in unit.spaces for v in op.outputs):
        return WRITES_ANOTHER
    if unit.contracts and not _is_epilogue(op, unit.common):
        return "what follows a product works element by element, at the element's place"
    if unit.contracts and _turns(op, unit, agreed):
        return "the consumer turns the product, whose rows are finished as they lie"
    keeps = len(lost) < len(agreed) and behind and not unit.folded and _shares_rows(unit, lost)
    return "" if not lost or keeps else next(iter(lost.values()))


def _is_epilogue(op: linalg.Generic, common: int) -> bool:
    """Whether an op is an elementwise epilogue: it reads each contraction result at its own index,
    and nothing at a computed index."""
    maps = op.indexing_maps[: -1 if generics.places(op) else None]
    plain = all(map.is_projected_permutation for map in maps) and len(op.iterator_types) == common
    computes = any(inner.regions or isinstance(inner, tensor.Extract) for inner in op.body)
    return plain and op.is_parallel and not computes


def _turns(op: linalg.Generic, unit: FusionUnit, agreed: Mapping[int, int]) -> bool:
    """Whether an op transposes a contraction: the contiguous dimension is not contiguous after."""
    root, space = next(iter(unit.spaces.items()))
    assert isinstance(root, linalg.Generic)
    lanes = generics.output_map(root, 0).results[-1:]
    mine = [agreed[k] for k, d in enumerate(space) if (Dim(d),) == lanes]
    written = [generics.output_map(op, i).results[-1:] for i in range(len(op.results))]
    return bool(mine) and not all(mine[0] in e.dims() for last in written for e in last)


def _shares_rows(unit: FusionUnit, lost: Iterable[int]) -> bool:
    """Whether a group keeps enough parallelism if each row iterates over the lost dimensions."""
    op, space = next(iter(unit.spaces.items()))
    assert isinstance(op, linalg.Generic)
    all_extents = op.extents
    extents = [all_extents[d] for d in space]
    row = prod(extents[k] for k in lost)
    return row <= SHORT_ROW or prod(extents) >= LEAST_ROWS * row


def folded(op: linalg.Generic, unit: FusionUnit) -> tuple[list[int], tuple[int, ...]] | None:
    """The common dimensions that remain if a reduction over them is folded into the loops, and the
    op's dimensions that correspond to them; None if the op cannot be folded."""
    if unit.contracts:
        return None
    agreed: dict[int, int] = {}
    for found, read in _reads_of(op, unit):
        if found[0] in unit.folded:
            return None
        for k, place in enumerate(_places(found, unit)):
            mine = read[place] if place >= 0 else None
            if not isinstance(mine, Dim) or agreed.setdefault(k, mine.index) != mine.index:
                return None
    inner = segments.dense_dims(op)
    kept = [k for k, dim in sorted(agreed.items())
            if op.iterator_types[dim] == "reduction" and dim not in inner]  # fmt: skip
    space = tuple(agreed[k] for k in kept)
    if not adds_up_rows(op, space) or (unit.folded and len(kept) < unit.common):
        return None
    return kept, space


def adds_up_rows(op: linalg.Generic, space: Sequence[int]) -> bool:
    """Whether a reduction over these dimensions is large enough for one partial result per task."""
    extents = op.extents
    rows = prod(extents[dim] for dim in space)
    long = rows >= segments.FOLDED and prod(extents) >= segments.UNCACHED_ELEMENTS
    return bool(space) and long and segments.is_plain(op) and may_regroup(op)


def same_reading(op: linalg.Generic, position: int, unit: FusionUnit) -> tuple[int, ...] | None:
    """The op's dimensions that match a group's common ones, if both read an input the same way.

    None if not all common dimensions match, or the op has parallel dimensions outside them.
    """
    value, read = op.inputs[position], op.indexing_maps[position].results
    shared = set(parallel(op))
    for member, space in unit.spaces.items():
        assert isinstance(member, linalg.Generic)
        for i, other in enumerate(member.inputs):
            theirs = list(member.indexing_maps[i].results)
            if other is not value or any(Dim(d) not in theirs for d in space):
                continue
            places = [theirs.index(Dim(d)) for d in space]
            dims = tuple(e.index for e in map(read.__getitem__, places) if isinstance(e, Dim))
            inner = [p for p, e in enumerate(read) if p not in places and set(e.dims()) & shared]
            outer = max(places, default=-1)
            if len(set(dims)) == len(places) and member not in unit.folded:
                return dims if all(p > outer for p in inner) else None
    return None
