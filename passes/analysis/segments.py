"""Partitions the generics of a group into segments, each with one loop nest.

    %m = max of x[d0, d1] over d1        dimensions (r, c): m[r] from x[r, c]
    %e = exp(x[d0, d1] - m[d0])                             e[r, c] from x[r, c], m[r]

A *segment* is a sequence of generics with one numbering of dimensions. A dimension is *common* if
all generics iterate over it in parallel, and read each other's results at the iteration that wrote
them. The loops over common dimensions are shared. Dimensions that are always adjacent are
collapsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import prod

from penstock.ir.affine import Const, Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import linalg
from penstock.ir.record import Record, replace
from penstock.passes.analysis import generics
from penstock.passes.analysis.combiners import may_regroup
from penstock.passes.analysis.linked_dims import LinkedDims

FOLDED = 16
"""The least number of rows for accumulating them in memory, rather than in registers."""
UNCACHED_ELEMENTS = 1 << 16
"""The least number of elements in these rows together. So many do not stay in cache."""


class Access(Record):
    """The element of a tensor at a point of a segment.

    Each subscript has the tensor dimensions collapsed into it, and its expression.
    """

    value: Value
    subscripts: tuple[tuple[tuple[int, ...], Expr], ...]

    def dims(self) -> set[int]:
        return {dim for _, expr in self.subscripts for dim in expr.dims()}

    def shape(self) -> list[int]:
        """The extents of the tensor as it is subscripted."""
        extents = generics.shape_of(self.value)
        return [prod(extents[p] for p in positions) for positions, _ in self.subscripts]

    def strides(self, dim: int, rank: int) -> list[int] | None:
        """The factor of a dimension in each subscript; None if it occurs in a nonlinear one."""
        factors = []
        for _, expr in self.subscripts:
            found = generics.coefficients(expr, rank)
            if found is None:
                if dim in expr.dims():
                    return None
                found = [0] * rank
            factors.append(found[dim])
        return factors


class Statement(Record, frozen=False):
    """A generic in a segment."""

    op: linalg.Generic
    dims: list[int]
    """For each dimension of the op, the segment's dimension; -1 if its extent is 1."""
    reads: dict[int, Access]
    """The inputs that the body uses, by their number."""
    writes: list[Access]
    indices: set[int]
    """The segment's dimensions for which the body has a `linalg.index`."""

    @property
    def parallel(self) -> list[int]:
        return self._of_kind("parallel")

    @property
    def reductions(self) -> list[int]:
        return self._of_kind("reduction")

    def _of_kind(self, wanted: str) -> list[int]:
        pairs = zip(self.dims, self.op.iterator_types, strict=True)
        return [dim for dim, kind in pairs if kind == wanted and dim >= 0]

    def accesses(self) -> Iterator[Access]:
        yield from self.reads.values()
        yield from self.writes


class Segment(Record, frozen=False):
    """Generics in one loop nest.

    `common` are the dimensions of the shared loops. Most statements iterate over them in parallel.
    A statement that reduces over them is *folded*, and nothing in the segment reads its results.
    """

    statements: list[Statement] = field(default_factory=list)
    extents: list[int] = field(default_factory=list)
    common: list[int] = field(default_factory=list)
    folded: list[Statement] = field(default_factory=list)
    """The statements that reduce over the common dimensions: each row accumulates into them."""
    writers: dict[Value, tuple[Statement, int]] = field(default_factory=dict)
    """For each value defined here, the statement and the number of the result."""

    @property
    def rank(self) -> int:
        return len(self.extents)

    def own(self, statement: Statement) -> list[int]:
        """The dimensions of a statement that are not common."""
        return [d for d in dict.fromkeys(statement.dims) if d >= 0 and d not in self.common]

    def own_reductions(self, statement: Statement) -> list[int]:
        """The dimensions of a statement that are not common and that it reduces over."""
        return [d for d in self.own(statement) if d in statement.reductions]

    def is_read_in_place(self, access: Access) -> bool:
        """Whether a value defined here is read at the iteration that writes it."""
        statement, which = self.writers[access.value]
        return statement.writes[which].subscripts == access.subscripts


def segments_of(ops: Sequence[linalg.Generic]) -> list[Segment]:
    """Partition ops into segments, in order. Ops that cannot share loops get their own."""
    found: list[Segment] = []
    linked = LinkedDims(ops)
    for op in ops:
        if not found or not _may_join(found[-1], op) or not _join(found[-1], op, linked):
            found.append(Segment())
            _add(found[-1], op, _dims_for(found[-1], op))
            _begin(found[-1])
    for segment in found:
        _drop_ones(segment)
        _merge(segment)
    return found


def segment_of(ops: Sequence[linalg.Generic]) -> Segment | None:
    """All ops in one segment, whose common dimensions are the parallel ones of the first.

    None if another op lacks one of these, or reads a value at another index than it is written.
    """
    segment = Segment()
    linked = LinkedDims(ops)
    _add(segment, ops[0], _dims_for(segment, ops[0]))
    segment.common = segment.statements[0].parallel
    for op in ops[1:]:
        if not (is_plain(op) or generics.places(op)) or not _join(segment, op, linked):
            return None
    if segment.common != segment.statements[0].parallel:
        return None
    _drop_ones(segment)
    _merge(segment)
    return segment


def is_plain(op: linalg.Generic) -> bool:
    """Whether an op can share loops.

    Each iteration of its parallel dimensions must write its own element. A reduction must start
    from a constant. Contractions cannot share loops.
    """
    if 0 in op.extents or generics.is_contraction(op):
        return False
    if any(kind not in ("parallel", "reduction") for kind in op.iterator_types):
        return False
    parallel = {d for d, kind in enumerate(op.iterator_types) if kind == "parallel"}
    for o in range(len(op.results)):
        map = generics.output_map(op, o)
        if not map.is_projected_permutation or set(map.dims()) != parallel:
            return False
        if generics.reads_old(op, o) and generics.fill_constant(op.outputs[o].defining_op) is None:
            return False
    return not any(inner.regions for inner in op.body)


def _may_join(segment: Segment, op: linalg.Generic) -> bool:
    return is_plain(op) and is_plain(segment.statements[0].op)


def _join(segment: Segment, op: linalg.Generic, linked: LinkedDims) -> bool:
    """Add an op to a segment if some dimensions remain common."""
    if any(value in segment.writers for value in generics.captured(op)):
        return False
    if any(v in segment.writers and segment.writers[v][0] in segment.folded for v in op.operands):
        return False
    dims = _dims_for(segment, op)
    _link_ahead(dims, segment, op, linked)
    numbers = _numbered(segment, dims)
    kinds = dict(zip(numbers, op.iterator_types, strict=True))
    kept = _kept_in_place(segment, op, numbers)
    common = [dim for dim in kept if kinds.get(dim) == "parallel"]
    inside = {numbers[dim] for dim in dense_dims(op)}
    reduced = [dim for dim in kept if kinds.get(dim) == "reduction" and dim not in inside]
    folds = _is_long(op, [segment.extents[d] for d in reduced]) and may_regroup(op)
    if folds:
        common = reduced
    elif _goes_down_columns(op, numbers, common):
        return False
    if segment.folded and common != segment.common:
        return False
    if not common and (segment.common or op.extents):
        return False
    _add(segment, op, dims)
    segment.common = common
    if folds:
        segment.folded.append(segment.statements[-1])
    return True


def dense_dims(op: linalg.Generic) -> set[int]:
    """The contiguous dimensions of an op's operands of highest rank, which dominate its traffic."""
    most = max(len(map.results) for map in op.indexing_maps)
    maps = (map for map in op.indexing_maps if len(map.results) == most)
    return {dim for map in maps for expr in map.results[-1:] for dim in expr.dims()}


def _begin(segment: Segment) -> None:
    """Choose the common dimensions for the first statement: its parallel ones, or the reduced ones
    if a long reduction is over the outer dimensions of what it reads."""
    (statement,) = segment.statements
    op = statement.op
    segment.common = statement.parallel
    extents = [segment.extents[d] for d in statement.reductions]
    if not is_plain(op) or not may_regroup(op) or not _is_long(op, extents):
        return
    reductions = set(statement.reductions)
    # Ignore inputs that all rows share, such as one number per column.
    reads = [access for access in statement.reads.values() if reductions & set(access.dims())]
    first = {dim for access in reads for dim in access.subscripts[0][1].dims()}
    last = {dim for access in reads for dim in access.subscripts[-1][1].dims()}
    if first <= reductions and not last & reductions:
        segment.common = statement.reductions
        segment.folded = [statement]


def _goes_down_columns(op: linalg.Generic, numbers: Sequence[int], common: Sequence[int]) -> bool:
    """Whether the loops would walk down columns: the contiguous dimensions are all common, and the
    op would iterate over many rows inside."""
    own = [d for d, number in enumerate(numbers) if number not in common]
    return not dense_dims(op) & set(own) and _is_long(op, [op.extents[d] for d in own])


def _is_long(op: linalg.Generic, reduced: Sequence[int]) -> bool:
    """Whether a reduction over these extents has many rows and is large."""
    return bool(reduced) and prod(reduced) >= FOLDED and prod(op.extents) >= UNCACHED_ELEMENTS


def _kept_in_place(segment: Segment, op: linalg.Generic, numbers: Sequence[int]) -> list[int]:
    """The common dimensions along which an op reads the segment's values at the index written."""
    points = list(map(Dim, numbers))
    kept = segment.common
    for i, value in enumerate(op.operands):
        if value in segment.writers:
            statement, which = segment.writers[value]
            written = statement.writes[which].subscripts
            read = op.indexing_maps[i].substitute(0, points).results
            pairs = zip(written, read, strict=True)
            same = {w.index for (_, w), r in pairs if isinstance(w, Dim) and w == r}
            kept = [dim for dim in kept if dim in same]
    return kept


def _dims_for(segment: Segment, op: linalg.Generic) -> list[int | None]:
    """For each dimension of an op, the matching one of the segment, or None for a new one.

    They match if the op reads a statement's result with them, or else if both read the same tensor.
    """
    dims: list[int | None] = [None] * len(op.iterator_types)
    reads = [(i, v) for i, v in enumerate(op.operands) if v in segment.writers]
    for i, value in reads:
        statement, which = segment.writers[value]
        _link(dims, op, i, statement.writes[which])
    for i, value in enumerate(op.inputs):
        if value not in segment.writers:
            for statement in segment.statements:
                for access in statement.reads.values():
                    if access.value is value:
                        _link(dims, op, i, access)
    return dims


def _link_ahead(
    dims: list[int | None], segment: Segment, op: linalg.Generic, linked: LinkedDims
) -> None:
    """Match the remaining dimensions with those that later ops read at the same point."""
    number = {s.op: s.dims for s in segment.statements}
    for dim, known in enumerate(dims):
        if known is None:
            theirs = {number[other][d] for other, d in linked.of(op, dim) if other in number}
            if len(theirs) == 1 and not theirs & set(dims):
                (dims[dim],) = theirs


def _link(dims: list[int | None], op: linalg.Generic, operand: int, access: Access) -> None:
    for mine, (_, theirs) in zip(op.indexing_maps[operand].results, access.subscripts, strict=True):
        if not isinstance(mine, Dim) or not isinstance(theirs, Dim):
            continue
        if dims[mine.index] is None and theirs.index not in dims:
            dims[mine.index] = theirs.index


def _numbered(segment: Segment, dims: Sequence[int | None]) -> list[int]:
    """Assign numbers to the new dimensions."""
    free = iter(range(segment.rank, segment.rank + len(dims)))
    return [next(free) if dim is None else dim for dim in dims]


def _add(segment: Segment, op: linalg.Generic, dims: Sequence[int | None]) -> None:
    numbers = _numbered(segment, dims)
    for dim, number, extent in zip(dims, numbers, op.extents, strict=True):
        if dim is None:
            assert number == segment.rank
            segment.extents.append(extent)
    points: list[Expr] = [Dim(number) for number in numbers]
    maps = op.indexing_maps

    def access(value: Value, position: int) -> Access:
        exprs = maps[position].substitute(0, points).results
        return Access(value, tuple(((p,), expr) for p, expr in enumerate(exprs)))

    arguments = generics.input_arguments(op)
    reads = {i: access(v, i) for i, v in enumerate(op.inputs) if arguments[i].uses}
    writes = [access(v, len(op.inputs) + o) for o, v in enumerate(op.results)]
    asked = {numbers[inner.dim] for inner in op.body if isinstance(inner, linalg.Index)}
    statement = Statement(op, numbers, reads, writes, asked)
    segment.statements.append(statement)
    for o, result in enumerate(op.results):
        segment.writers[result] = statement, o


# -- fewer dimensions -----------------------------------------------------------------------------


def _map_accesses(segment: Segment, change: Mapping[Access, Access]) -> None:
    for statement in segment.statements:
        statement.reads = {i: change[a] for i, a in statement.reads.items()}
        statement.writes = [change[a] for a in statement.writes]


def _drop_ones(segment: Segment) -> None:
    """Drop dimensions of extent 1; their subscripts are collapsed into a neighbour."""
    kept: list[Expr] = [
        Const(0) if extent == 1 else Dim(d) for d, extent in enumerate(segment.extents)
    ]
    change = {}
    for statement in segment.statements:
        for access in statement.accesses():
            if access not in change:
                change[access] = _without_ones(access, kept)
        statement.dims = [-1 if segment.extents[d] == 1 else d for d in statement.dims]
    segment.common = [d for d in segment.common if segment.extents[d] != 1]
    _map_accesses(segment, change)


def _without_ones(access: Access, kept: Sequence[Expr]) -> Access:
    extents = generics.shape_of(access.value)
    subscripts: list[tuple[tuple[int, ...], Expr]] = []
    waiting: tuple[int, ...] = ()
    for (position,), expr in access.subscripts:
        if extents[position] != 1:
            subscripts.append(((*waiting, position), expr.substitute(kept)))
            waiting = ()
        elif subscripts:
            positions, before = subscripts[-1]
            subscripts[-1] = (*positions, position), before
        else:
            waiting = (*waiting, position)
    return replace(access, subscripts=tuple(subscripts))


def _merge(segment: Segment) -> None:
    """Collapse pairs of dimensions that are always adjacent, until there are none."""
    while True:
        pairs = (
            (left.index, right.index)
            for statement in segment.statements
            for access in statement.accesses()
            for (_, left), (_, right) in zip(access.subscripts, access.subscripts[1:], strict=False)
            if isinstance(left, Dim) and isinstance(right, Dim)
        )
        pair = next((p for p in dict.fromkeys(pairs) if _may_merge(segment, *p)), None)
        if pair is None:
            return
        _merge_pair(segment, *pair)


def _may_merge(segment: Segment, outer: int, inner: int) -> bool:
    if (outer in segment.common) != (inner in segment.common):
        return False
    for statement in segment.statements:
        if (outer in statement.dims) != (inner in statement.dims):
            return False
        if (outer in statement.parallel) != (inner in statement.parallel):
            return False
        if {outer, inner} & statement.indices:
            return False
        accesses = statement.accesses()
        if not all(_lie_together(a, outer, inner, segment.extents[inner]) for a in accesses):
            return False
    return True


def _lie_together(access: Access, outer: int, inner: int, extent: int) -> bool:
    """Whether an access has neither dimension, or both only as adjacent subscripts, with the inner
    one covering the tensor. (A window of one element may stop before the end.)"""
    exprs = [expr for _, expr in access.subscripts]
    uses = [p for p, expr in enumerate(exprs) for d in expr.dims() if d in (outer, inner)]
    if not uses:
        return True
    if len(uses) != 2 or uses[1] != uses[0] + 1 or access.shape()[uses[1]] != extent:
        return False
    return exprs[uses[0]] == Dim(outer) and exprs[uses[1]] == Dim(inner)


def _merge_pair(segment: Segment, outer: int, inner: int) -> None:
    """Collapse `inner` into `outer`; `inner` remains as an unused dimension."""
    segment.extents[outer] *= segment.extents[inner]
    segment.extents[inner] = 1
    segment.common = [d for d in segment.common if d != inner]
    change = {}
    for statement in segment.statements:
        for access in statement.accesses():
            if access not in change:
                change[access] = _joined(access, outer, inner)
        statement.dims = [-1 if d == inner else d for d in statement.dims]
    _map_accesses(segment, change)


def _joined(access: Access, outer: int, inner: int) -> Access:
    subscripts: list[tuple[tuple[int, ...], Expr]] = []
    for positions, expr in access.subscripts:
        if expr == Dim(inner) and subscripts and subscripts[-1][1] == Dim(outer):
            subscripts[-1] = (*subscripts[-1][0], *positions), Dim(outer)
        else:
            subscripts.append((positions, expr))
    return replace(access, subscripts=tuple(subscripts))
