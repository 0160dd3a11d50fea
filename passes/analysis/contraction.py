"""Recognises contractions, and assigns roles to their dimensions and factors.

    c[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]
    y[n, f, i] = sum over c, r of x[n, c, i * 2 + r] * w[f, c, r]

A dimension of both factors and the result is *batch*. A dimension of one factor and the result is
*rows* or *lanes*. A dimension of both factors alone is reduced, in order. The lanes belong to the
factor that has the last dimension of the result, along which the result is contiguous. A factor
that is read by windows, such as `x` above, has the rows: its elements are read one at a time, with
any stride.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from penstock.ir.affine import Dim
from penstock.ir.attributes import Attribute
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math, tensor
from penstock.ir.record import Record, replace
from penstock.ir.types import IntegerType, Type
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group, initial_value, is_only_initial
from penstock.passes.analysis.index_maps import TILES
from penstock.passes.analysis.padding import Padding, padding_of
from penstock.passes.analysis.segments import Access, Segment, Statement, segment_of


class Factor(Record, eq=False):
    """One of the two multiplied values, with the ops of the body that compute it."""

    value: Value
    """A value of the body: an argument or the result of an op."""
    ops: Sequence[Operation]
    """The ops of the body that compute it, in order."""
    reads: Sequence[tuple[Value, Access]]
    """The body arguments that it depends on, each with its access."""

    @property
    def dims(self) -> set[int]:
        return {dim for _, access in self.reads for dim in access.dims()}

    def lies_along(self, dim: int) -> bool:
        """Whether all its tensors that have a dimension are contiguous along it."""
        found = [_dims(access) for _, access in self.reads if dim in access.dims()]
        return bool(found) and all(dims is not None and dims[-1] == dim for dims in found)

    @property
    def is_plain(self) -> bool:
        """Whether it is a plain element of one tensor, without computation."""
        return not self.ops and len(self.reads) == 1

    @property
    def is_of_windows(self) -> bool:
        """Whether it is read by windows: some subscript is not a single dimension."""
        return any(_dims(access) is None for _, access in self.reads)

    def ends_in(self, dim: int) -> bool:
        """Whether a dimension is the last subscript of all its tensors."""
        return all(a.subscripts and a.subscripts[-1][1] == Dim(dim) for _, a in self.reads)

    def runs_along(self, dim: int) -> bool:
        """Whether a dimension occurs only in the last subscript of all its tensors, so that the
        stride is constant."""
        steps = (access.strides(dim, dim + 1) or [0] for _, access in self.reads)
        return all(each[-1] > 0 and not any(each[:-1]) for each in steps)

    def moves_with(self, dims: Sequence[int]) -> bool:
        """Whether one of these dimensions occurs in a subscript with other terms."""
        exprs = (expr for _, access in self.reads for _, expr in access.subscripts)
        return any(not isinstance(e, Dim) and set(dims) & set(e.dims()) for e in exprs)

    def takes(self, dims: Sequence[int]) -> bool:
        """Whether tiles can read vectors of it along these dimensions."""
        return all(TILES.takes(access, dims) for _, access in self.reads)

    def overlaps(self, segment: Segment) -> bool:
        """Whether windows overlap, or a tensor is padded."""
        for _, access in self.reads:
            for _, expr in access.subscripts:
                factors = generics.coefficients(expr, segment.rank) or []
                dims = sorted((abs(n), segment.extents[d]) for d, n in enumerate(factors) if n)
                if any(n * (extent - 1) >= step for (n, extent), (step, _) in pairwise(dims)):
                    return True
        return any(padding_of(access.value.defining_op) is not None for _, access in self.reads)

    def step(self, dim: int) -> int:
        """The factor of a dimension in the one subscript that it occurs in.

        0 if it occurs in several subscripts, or differently in different tensors.
        """
        steps = (access.strides(dim, dim + 1) or [] for _, access in self.reads)
        found = {tuple(filter(None, each)) for each in steps} - {()}
        only = found.pop() if len(found) == 1 else ()
        return only[0] if len(only) == 1 else 0


class Contraction(Record, eq=False):
    """A group that is a contraction with an elementwise epilogue."""

    segment: Segment
    rows: Factor
    lanes: Factor
    outer: tuple[int, ...]
    """Result dimensions, other than the lane, with separate panels, outermost first."""
    above: tuple[int, ...]
    """The remaining result dimensions, other than the row. They share panels, as rows do."""
    row: int | None
    """The dimension of a tile's rows; None if absent."""
    lane: int
    """The dimension of a panel's lanes (or of the lanes that share one broadcast element)."""
    sums: tuple[int, ...]
    """The reduced dimensions, innermost last."""
    initial: Attribute | None
    """The constant that the reduction starts from; None if it starts from the output's value."""
    padding: Padding | None = None
    """The padding that makes the tensor that is read by windows, if any."""
    pairs: int | None = None
    """The dimension that is reduced in pairs of positions; None if absent."""

    @property
    def root(self) -> Statement:
        return self.segment.statements[0]

    @property
    def epilogue(self) -> Sequence[Statement]:
        return self.segment.statements[1:]

    @property
    def written(self) -> Access:
        """The access of the result."""
        return self.root.writes[0]

    @property
    def old(self) -> Access:
        """The access of the output's initial value, if that is not a constant."""
        return Access(self.root.op.outputs[0], self.written.subscripts)

    @property
    def is_lane_by_lane(self) -> bool:
        """Whether both factors have the lane dimension, so that each lane has its own rows."""
        return self.lane in self.rows.dims

    @property
    def is_uniform(self) -> bool:
        """Whether the element of the lanes' factor is broadcast to all lanes."""
        return self.lane not in self.lanes.dims

    @property
    def is_turned(self) -> bool:
        """Whether the result is contiguous along the rows rather than the lanes."""
        dims = _dims(self.written) or []
        return self.row is not None and dims.index(self.row) > dims.index(self.lane)

    @property
    def element(self) -> Type:
        """The element type of the sum."""
        return generics.tensor_type(self.root.op.results[0]).element

    @property
    def overlapping(self) -> tuple[int, ...]:
        """The result dimensions along which windows overlap, outermost first."""
        sums = set(self.sums)
        if not self.rows.is_of_windows:
            return ()
        exprs = [expr for _, access in self.rows.reads for _, expr in access.subscripts]
        near = {d for expr in exprs if sums & set(expr.dims()) for d in expr.dims()}
        return tuple(d for d in _dims(self.written) or [] if d in near)

    @property
    def beside(self) -> int | None:
        """The innermost dimension above the rows along which no windows overlap."""
        return next((d for d in reversed(self.above) if d not in self.overlapping), None)

    @property
    def is_odd(self) -> bool:
        """Whether the paired dimension has an odd extent."""
        return self.pairs is not None and self.segment.extents[self.pairs] % 2 > 0

    def extent(self, dim: int | None) -> int:
        """The extent of a dimension; the number of pairs for the paired dimension."""
        extent = 1 if dim is None else self.segment.extents[dim]
        return (extent + 1) // 2 if dim is not None and dim == self.pairs else extent


def contraction_of(group: Group) -> Contraction | None:
    """The group as a contraction; None if it is not one.

    The first generic must multiply two values and accumulate (`math.fma`; for integers `arith.muli`
    and `arith.addi`). All maps are projected permutations, except that one factor may be read by
    windows. Every other generic is elementwise on the same space.
    """
    ops = [op for op in group.ops if not is_only_initial(op)]
    padding = padding_of(ops[0]) if len(ops) > 1 else None
    if padding is not None:
        ops = ops[1:]
    if not ops or "reduction" not in ops[0].iterator_types or 0 in ops[0].extents:
        return None
    segment = segment_of(ops)
    if segment is None or not _fits(segment):
        return None
    root = segment.statements[0]
    factors = _factors(root)
    if factors is None:
        return None
    constant = initial_value(root.op, 0)
    if constant is None and generics.produced(root.op.outputs[0]) is not None:
        return None
    contraction = _with_roles(segment, factors, constant)
    if contraction is None or padding is None:
        return contraction
    return _with_padding(group, contraction, padding)


def _with_padding(group: Group, contraction: Contraction, padding: Padding) -> Contraction | None:
    """The contraction with its padding, if the contraction is the padding's only reader."""
    reads = [access.value for _, access in contraction.rows.reads]
    users = {op for op, _ in padding.padded.uses}
    alone = users == {contraction.root.op} and padding.padded not in group.returned
    if not alone or reads != [padding.padded]:
        return None
    contraction = replace(contraction, padding=padding)
    return (
        _with_last_sum_last(contraction, padding)
        if _may_turn(contraction, padding)
        else contraction
    )


def _may_turn(contraction: Contraction, padding: Padding) -> bool:
    """Whether padded copies can be transposed to have the innermost reduction last.

    Blocks of that dimension and of the rows, which are last now, are then transposed.
    """
    ((_, read),) = contraction.rows.reads
    *ahead, (_, expr) = read.subscripts
    if not contraction.sums or Dim(contraction.sums[-1]) not in [other for _, other in ahead]:
        return False
    if (
        set(expr.dims()) - set(contraction.sums) != {contraction.row}
        or contraction.row not in contraction.overlapping
    ):
        return False
    whole = [p for p, e in ahead if len(p) > 1 or e == Dim(contraction.sums[-1])]
    return not any(padding.around(d) for places in whole for d in places)


def _with_last_sum_last(contraction: Contraction, padding: Padding) -> Contraction:
    """The contraction that reads padded copies whose last dimension is the innermost reduction."""
    ((argument, read),) = contraction.rows.reads
    found = sorted(read.subscripts, key=lambda each: each[1] == Dim(contraction.sums[-1]))
    turned = tuple(((place,), expr) for place, (_, expr) in enumerate(found))
    rows = replace(contraction.rows, reads=[(argument, replace(read, subscripts=turned))])
    return replace(contraction, rows=rows, padding=padding.turned([places for places, _ in found]))


def _fits(segment: Segment) -> bool:
    """Whether all statements can be computed together, element by element of the result."""
    root, *others = segment.statements
    written = _dims(root.writes[0])
    if len(root.writes) > 1 or not written or set(written) != set(segment.common):
        return False
    if not all(_is_lanewise(statement) for statement in segment.statements):
        return False
    if any(_dims(access) is None for statement in others for access in statement.reads.values()):
        return False
    return all(_follows(segment, statement, written) for statement in others)


def _is_lanewise(statement: Statement) -> bool:
    """Whether a body can be vectorised, with linear subscripts."""
    if any(inner.regions or isinstance(inner, tensor.Extract) for inner in statement.op.body):
        return False
    return all(TILES.takes(access, []) for access in statement.accesses())


def _follows(segment: Segment, statement: Statement, written: Sequence[int]) -> bool:
    """Whether a generic is an elementwise epilogue, reading the group's values at its own index."""
    op = statement.op
    if statement.reductions or any(a.uses for a in generics.output_arguments(op)):
        return False
    if any(value in segment.writers for value in op.outputs):  # only the last one is stored
        return False
    for access in statement.writes:
        dims = [dim for _, expr in access.subscripts for dim in expr.dims()]
        turned = dims[-1:] != written[-1:] and not generics.places(op)
        if sorted(dims) != sorted(written) or turned:
            return False
    accesses = (a for a in statement.reads.values() if a.value in segment.writers)
    return all(segment.is_read_in_place(access) for access in accesses)


def _dims(access: Access) -> list[int] | None:
    """The dimension of each subscript; None if a subscript is not a dimension, or repeats one."""
    dims = [expr.index for _, expr in access.subscripts if isinstance(expr, Dim)]
    return dims if len(set(dims)) == len(access.subscripts) else None


def _factors(root: Statement) -> tuple[Factor, Factor] | None:
    """The two values that the body of a contraction multiplies."""
    op = root.op
    ended = _product(op)
    if ended is None:
        return None
    found = [_factor(root, value) for value in ended.operands[:2]]
    if found[0] is None or found[1] is None:
        return None
    used = {id(inner) for factor in found if factor for inner in factor.ops}
    rest = [inner for inner in op.body if id(inner) not in used]
    last = op.body.terminator.operands[0].defining_op
    if [inner for inner in rest if inner not in (ended, last) and not inner.terminator]:
        return None
    return found[0], found[1]


def _product(op: linalg.Generic) -> math.Fma | arith.MulI | None:
    """The multiplication that a body accumulates: a `math.fma`, or an `arith.muli` for integers."""
    ended, before = op.body.terminator.operands[0].defining_op, op.body.arguments[-1]
    if isinstance(ended, math.Fma):
        return ended if ended.operands[2] is before else None
    if not isinstance(ended, arith.AddI) or ended.operands.count(before) != 1:
        return None
    (other,) = (value for value in ended.operands if value is not before)
    return other.defining_op if isinstance(other.defining_op, arith.MulI) else None


def _is_for_tiles(contraction: Contraction) -> bool:
    """Whether to use vector tiles.

    Integer factors that are both contiguous along the reduction, or read by windows, use loops.
    """
    if not isinstance(contraction.element, IntegerType):
        return True
    windows = (
        contraction.rows.is_of_windows
        or contraction.padding is not None
        or contraction.is_lane_by_lane
    )
    along = bool(contraction.sums) and all(
        f.lies_along(contraction.sums[-1]) for f in (contraction.rows, contraction.lanes)
    )
    return not windows and not along and contraction.row is not None


def _factor(root: Statement, value: Value) -> Factor | None:
    """The factor for a value of the body; None if it depends on the accumulator or on an index."""
    needed: dict[Value, None] = {value: None}
    ops: list[Operation] = []
    for op in reversed(root.op.body):
        if any(result in needed for result in op.results):
            if isinstance(op, linalg.Index):
                return None
            ops.insert(0, op)
            needed.update(dict.fromkeys(op.operands))
    arguments = generics.input_arguments(root.op)
    if root.op.body.arguments[-1] in needed:
        return None
    reads = [(arguments[i], access) for i, access in root.reads.items() if arguments[i] in needed]
    return Factor(value, ops, reads) if reads else None


def _with_roles(
    segment: Segment, factors: tuple[Factor, Factor], initial: Attribute | None
) -> Contraction | None:
    """Assign roles to the dimensions by where they occur."""
    result = _dims(segment.statements[0].writes[0]) or []
    windows = [factor.moves_with(result) for factor in factors]
    if all(windows):
        windows = [factor.overlaps(segment) for factor in factors]
    if any(windows):
        first, other = factors if windows[0] else factors[::-1]
        found = None if all(windows) else _with_windows(segment, result, first, other)
    else:
        found = _without_windows(segment, result, factors)
    if found is None:
        return None
    rows, lanes, row, lane = found
    sums = tuple(d for d in segment.statements[0].reductions if segment.extents[d] > 1)
    if any(d not in rows.dims or d not in lanes.dims for d in sums):
        return None
    if any(d not in rows.dims and d not in lanes.dims for d in result):
        return None
    outer = tuple(d for d in result if d in lanes.dims and d != lane)
    above = tuple(d for d in result if d not in lanes.dims and d not in (row, lane))
    contraction = Contraction(segment, rows, lanes, outer, above, row, lane, sums, initial)
    return contraction if _is_for_tiles(contraction) and _has_vectors(contraction) else None


def _has_vectors(contraction: Contraction) -> bool:
    """Whether tiles can read the factors, and write the epilogue's results, in vectors."""
    down = [] if contraction.row is None else [contraction.row]
    across = [*down, contraction.lane] if contraction.is_lane_by_lane else down
    along = (
        contraction.row
        if contraction.is_turned and contraction.row is not None
        else contraction.lane
    )
    written = (access for statement in contraction.epilogue for access in statement.writes)
    fits = all(TILES.takes(access, [along]) for access in written)
    return fits and contraction.rows.takes(across) and contraction.lanes.takes([contraction.lane])


Roles = tuple[Factor, Factor, int | None, int]
"""The rows' factor, the lanes' factor, the row dimension and the lane dimension."""


def _without_windows(
    segment: Segment, result: list[int], factors: tuple[Factor, Factor]
) -> Roles | None:
    lane = result[-1]
    rows, lanes = factors if lane in factors[1].dims else factors[::-1]
    if lane in rows.dims and lane in lanes.dims:
        both = (_with_windows(segment, result, *pair) for pair in (factors, factors[::-1]))
        return next(filter(None, both), None)
    if lane not in lanes.dims:
        return None
    alone = [d for d in result if d in rows.dims and d not in lanes.dims]
    down = [d for d in alone if rows.takes([d])] or alone
    row = max(down, key=lambda d: (segment.extents[d], result.index(d)), default=None)
    return rows, lanes, row, lane


ENOUGH = 4
"""Enough rows for a good tile. More do not justify an outer dimension as the row: the result would
then be written in smaller pieces."""


def _with_windows(segment: Segment, result: list[int], rows: Factor, lanes: Factor) -> Roles | None:
    """The roles if one factor is read by windows.

    It gets the rows, and the other factor the lanes. If it has all dimensions of the other factor,
    the lanes share a broadcast element of the other one.
    """
    across = [d for d in result if d in lanes.dims and d not in rows.dims and lanes.takes([d])]
    if not across:
        across = [d for d in result if d in lanes.dims and rows.ends_in(d) and lanes.takes([d])]
    if not across:
        across = [d for d in result[-1:] if d not in lanes.dims and rows.runs_along(d)]
    steps = {d: rows.step(d) for d in result if d not in [*lanes.dims, *across]}
    down = [d for d in result if steps.get(d, 0) > 0]
    if not across or not down:
        return None
    extents = segment.extents
    lane = max(across, key=lambda d: (extents[d], result.index(d)))
    row = max(down, key=lambda d: (min(extents[d], ENOUGH), result.index(d)))
    shared = lane in rows.dims and not all(row in access.dims() for _, access in rows.reads)
    return None if shared else (rows, lanes, row, lane)
