"""Pass `split-phases`: skip the zeros in contractions over zero-interleaved tensors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import gcd
from typing import ClassVar

from penstock.ir.affine import AffineMap, Const, Dim, Expr
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import structured
from penstock.ir.record import Record, replace
from penstock.ir.rewriting.rewrite_session import RewriteSession, current
from penstock.passes.analysis import generics
from penstock.passes.analysis.padding import Padding, spread_of, surrounded
from penstock.passes.base import Order, Pass


class SplitPhases(Pass):
    """Split a contraction over a tensor with zeros between its elements into ones without them.

        %d = linalg.generic { %dy with a zero between any two, and two around }
        %x = linalg.generic (q, r) ins(%d, %w) { d[q - r + 2] * w[r] }
    ->
        %0 = linalg.generic (q, t) ins(%dy around which is a zero, %w) { p[q - t + 1] * w[t * 2] }
        %1 = linalg.generic (q) ins(%0) outs(%empty) { yield } written at [q * 2]
        %2 = linalg.generic (q, t) ins(%dy, %w) { dy[q + t] * w[t * 2 + 1] }
        %x = linalg.generic (q) ins(%2) outs(%1) { yield } written at [q * 2 + 1]

    Here a window of three covers two elements at even positions and one at odd positions. These are
    *phases*, each with its own part of the filter. So the data gradient of a strided convolution
    takes as many multiplications as the convolution. Adjacent phases that read the same elements
    with the same number of taps share one generic. If a phase reads no element, the target is
    filled with zeros first.
    """

    name = "split-phases"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": None}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for op in generics.each(module):
            _split(op, session)


class PhaseRun(Record):
    """Adjacent phases of a dimension that read the same elements with the same number of taps."""

    first: int
    count: int
    turns: int
    """The number of positions of each phase."""
    taps: int
    """The number of window offsets of each phase."""
    begin: int
    """The element that the first position reads at the first tap."""
    offset: int
    """The window offset of the first tap of the first phase."""
    further: int = 0
    """The increment of `offset` from one phase to the next."""

    def with_next(self, other: PhaseRun) -> PhaseRun | None:
        """This run extended by the next phase, if that reads the same elements; else None."""
        further = other.offset - self.offset - (self.count - 1) * self.further
        alike = (self.turns, self.taps, self.begin) == (other.turns, other.taps, other.begin)
        if not alike or (self.count > 1 and self.further != further):
            return None
        return replace(self, count=self.count + 1, further=further)


class Phases(Record):
    """The phases of a position dimension, and which elements of the spread tensor they read.

    Position turn * period + phase reads element turn * ahead + tap * along + begin. The window
    offset is tap * apart + offset.
    """

    source: int
    """The dimension of the spread tensor."""
    dim: int
    """The iteration dimension of the positions."""
    window: int
    """The iteration dimension of the window offsets."""
    period: int
    apart: int
    ahead: int
    along: int
    runs: Sequence[PhaseRun]
    """The phases that read at least one element."""

    @property
    def seeing(self) -> int:
        """The number of positions that read at least one element."""
        return sum(run.count * run.turns for run in self.runs)


def _split(op: linalg.Generic, session: RewriteSession) -> None:
    """Split an op if it is a contraction over a spread tensor."""
    found = _spread_factor(op)
    fill = generics.fill_constant(op.outputs[0].defining_op)
    if found is None or fill is None or not session.may_rewrite():
        return
    place, padding = found
    shape = generics.shape_of(padding.source)
    phases = [_phases_of(op, place, padding, d) for d in range(len(shape)) if padding.apart[d] > 1]
    known = [each for each in phases if each is not None]
    dims = {d for each in known for d in (each.dim, each.window)}
    if len(known) < len(phases) or len(dims) < 2 * len(known):
        return
    session.count("split-phases", op)
    b = Builder.ahead_of(op)
    out = generics.tensor_type(op.results[0])
    zero = arith.scalar_of(fill.value)
    target = linalg.empty(b, out.shape, out.element)
    if any(each.seeing < op.extents[each.dim] for each in known):
        target = structured.filled(b, zero, out.shape, out.element)
    for runs in product(*(each.runs for each in known)):
        target = _Sum(op, place, padding, known, runs).write(b, target, zero)
    target.name, op.results[0].name = op.results[0].name, ""
    op.results[0].replace_all_uses_with(target)
    unused = [op.outputs[0].defining_op, padding.op]
    op.erase()
    for other in unused:
        if other is not None and other.is_unused:
            other.erase()


def _spread_factor(op: linalg.Generic) -> tuple[int, Padding] | None:
    """The input of a contraction that has zeros between its elements, and the op that put them
    there."""
    if len(op.results) != 1 or not generics.adds_products(op.body):
        return None
    output = generics.output_map(op, 0)
    if not output.is_projected_permutation or 0 in op.extents:
        return None
    for place, (value, argument) in enumerate(zip(op.inputs, op.body.arguments, strict=False)):
        found = spread_of(value.defining_op) if argument.uses else None
        if found is not None and max(found.apart) > 1 and found.constant.value == 0:
            return place, found
    return None


def _phases_of(op: linalg.Generic, place: int, padding: Padding, d: int) -> Phases | None:
    """The phases along a dimension of the spread tensor.

    None if the subscript is not a sum of one position and one window offset.
    """
    expr, rank, extents = op.indexing_maps[place].results[d], len(op.iterator_types), op.extents
    factors = generics.coefficients(expr, rank)
    positions = set(generics.output_map(op, 0).dims())
    used = [] if factors is None else [i for i in range(rank) if factors[i]]
    if factors is None or [i in positions for i in used].count(True) != 1 or len(used) != 2:
        return None
    dim, window = sorted(used, key=lambda i: i not in positions)
    apart, origin = padding.apart[d], expr.evaluate([0] * rank) - padding.before[d]
    period, step = (apart // gcd(apart, factors[i]) for i in (dim, window))
    runs: list[PhaseRun] = []
    for phase, offset in product(range(period), range(step)):
        place_seen = phase * factors[dim] + offset * factors[window] + origin
        taps = -(-(extents[window] - offset) // step)
        steps = -(-(extents[dim] - phase) // period)
        if place_seen % apart or taps < 1 or steps < 1:
            continue
        run = PhaseRun(phase, 1, steps, taps, place_seen // apart, offset)
        last = runs[-1] if runs else None
        both = last.with_next(run) if last and last.first + last.count == phase else None
        runs[-1:] = [both] if both else [*runs[-1:], run]
    ahead, along = factors[dim] * period // apart, factors[window] * step // apart
    return Phases(d, dim, window, period, step, ahead, along, runs)


class _Sum:
    """The contraction for one run of phases along each dimension, with its own iteration space."""

    def __init__(
        self,
        op: linalg.Generic,
        place: int,
        padding: Padding,
        phases: Sequence[Phases],
        runs: Sequence[PhaseRun],
    ) -> None:
        self.op, self.place, self.padding = op, place, padding
        self.positions = {each.dim: (each, run) for each, run in zip(phases, runs, strict=True)}
        self.windows = {each.window: (each, run) for each, run in self.positions.values()}
        self.seen = {each.source: (each, run) for each, run in self.positions.values()}
        self.extents: list[int] = []
        self.kinds: list[str] = []
        self.numbers = [self._number(d, n) for d, n in enumerate(op.extents)]
        """For each old dimension, the new one: unchanged, or the one over its turns or taps. If a
        run has several phases, a dimension over the phases precedes the one over the turns."""
        self.rank = len(self.extents)
        self.dims = [self._dim(d) for d in range(len(op.extents))]
        """The old dimensions as expressions over the new ones."""

    def _number(self, d: int, extent: int) -> int:
        kind, extents = self.op.iterator_types[d], [extent]
        if d in self.positions:
            run = self.positions[d][1]
            extents = [run.count, run.turns] if run.count > 1 else [run.turns]
        elif d in self.windows:
            extents = [self.windows[d][1].taps]
        self.extents += extents
        self.kinds += [kind] * len(extents)
        return len(self.extents) - 1

    def _dim(self, d: int) -> Expr:
        here = Dim(self.numbers[d])
        if d in self.positions:
            each, run = self.positions[d]
            return here * each.period + self._phase(each, run) + run.first
        if d in self.windows:
            each, run = self.windows[d]
            return here * each.apart + self._phase(each, run) * run.further + run.offset
        return here

    def _phase(self, each: Phases, run: PhaseRun) -> Expr:
        return Dim(self.numbers[each.dim] - 1) if run.count > 1 else Const(0)

    def write(self, b: Builder, target: Value, start: float) -> Value:
        """Emit the contraction, and copy its elements to their places in the target."""
        op = self.op
        b.location = op.location
        read, reads = self._read(b)
        inputs, maps, arguments = [], [], []
        for i, value in enumerate(op.inputs):
            if op.body.arguments[i].uses:
                map = op.indexing_maps[i].substitute(self.rank, self.dims)
                inputs.append(read if i == self.place else value)
                maps.append(reads if i == self.place else map)
                arguments.append(op.body.arguments[i])
        dims = [d for old in generics.output_map(op, 0).dims() for d in self._made(old)]
        maps.append(AffineMap.select(self.rank, dims))
        if not generics.determined(self.rank, maps):
            taps = [self.numbers[d] for d in self.windows]
            shape = [self.extents[d] for d in taps]
            inputs.append(linalg.empty(b, shape, generics.tensor_type(target).element))
            maps.insert(-1, AffineMap.select(self.rank, taps))

        def body(b: Builder, block_arguments: Sequence[BlockArgument]) -> list[Value]:
            mapping: dict[Value, Value] = dict(zip(arguments, block_arguments, strict=False))
            mapping[op.body.arguments[-1]] = block_arguments[-1]
            for inner in op.body:
                if not inner.terminator:
                    b.insert(inner.clone(mapping))
            return [mapping[v] for v in op.body.terminator.operands]

        shape = [self.extents[d] for d in dims]
        element = generics.tensor_type(target).element
        zeros = structured.filled(b, start, shape, element)
        sums = linalg.generic(b, inputs, [zeros], maps, self.kinds, body)
        if generics.SOURCE in op.attributes:
            sums.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]
        return self._placed(b, sums.results[0], target, dims)

    def _made(self, old: int) -> list[int]:
        """The new dimensions that a dimension of the result becomes."""
        several = old in self.positions and self.positions[old][1].count > 1
        return [self.numbers[old] - i for i in range(several, -1, -1)]

    def _read(self, b: Builder) -> tuple[Value, AffineMap]:
        """The tensor without zeros between its elements, padded as far as the phases read beyond
        its ends, and the map by which it is read."""
        padding, source = self.padding, self.padding.source
        shape, whole = list(padding.shape), generics.shape_of(padding.padded)
        exprs = self.op.indexing_maps[self.place].substitute(self.rank, self.dims).results
        subscripts, ends = list(exprs), []
        for d, extent in enumerate(shape):
            before, after = padding.before[d], whole[d] - extent - padding.before[d]
            if d in self.seen:
                each, run = self.seen[d]
                step, tap = Dim(self.numbers[each.dim]), Dim(self.numbers[each.window])
                reach = each.ahead * (run.turns - 1), each.along * (run.taps - 1)
                first = run.begin + sum(min(0, n) for n in reach)
                last = run.begin + sum(max(0, n) for n in reach)
                before, after = max(0, -first), max(0, last - extent + 1)
                subscripts[d] = step * each.ahead + tap * each.along + (run.begin + before)
            ends.append((before, after))
        if any(map(sum, ends)):
            source = self._padded(b, ends)
        return source, AffineMap(self.rank, tuple(subscripts))

    def _padded(self, b: Builder, ends: Sequence[tuple[int, int]]) -> Value:
        """The tensor padded with the constant by these amounts."""
        source = self.padding.source
        pairs = zip(generics.shape_of(source), ends, strict=True)
        shape = [extent + sum(end) for extent, end in pairs]
        return surrounded(b, source, [ahead for ahead, _ in ends], shape, self.padding.constant)

    def _placed(self, b: Builder, sums: Value, target: Value, sizes: Sequence[int]) -> Value:
        """Scatter the results to the positions of these phases in the target."""
        rank = len(sizes)
        inside: list[Expr] = [Const(0)] * self.rank
        for i, d in enumerate(sizes):
            inside[d] = Dim(i)
        exprs = [self.dims[d].substitute(inside) for d in generics.output_map(self.op, 0).dims()]
        maps = [AffineMap.identity(rank), AffineMap(rank, tuple(exprs))]
        written = linalg.generic(
            b, [sums], [target], maps, ["parallel"] * rank, lambda _, a: [a[0]]
        )
        if generics.SOURCE in self.op.attributes:
            written.attributes[generics.SOURCE] = self.op.attributes[generics.SOURCE]
        return written.results[0]
