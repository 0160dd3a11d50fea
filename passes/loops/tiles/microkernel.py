"""The innermost loop of a contraction: a tile of the result in registers.

%acc = scf.for %k = %from to %to step %one iter_args(%sum = %begin) -> (vector<6x16xf32>) {
  %a = rows k of a micropanel : vector<6xf32>
  %b = lanes k of a panel : vector<16xf32>
  %next = vector.outerproduct %a, %b, %sum : vector<6xf32>, vector<16xf32>
  scf.yield %next : vector<6x16xf32>
}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith, vector
from penstock.ir.dialects.arith import constant_attribute
from penstock.passes.loops.tiles.pairs import write_dot
from penstock.passes.loops.write.index_math import Index, IndexMath
from penstock.passes.loops.write.loop_writer import LoopWriter

Read = Callable[[Sequence[Index]], Value]
"""Reads a vector at one position of the dimensions that are added up."""
Ask = Callable[[Sequence[Index], int], None]
"""Asks for something ahead at one position of these, from which on a turn takes so many."""
LoopRange = tuple[Index, Index, bool]
"""Where a range begins and ends, and whether that is known to be later."""


def write_microkernel(
    math: IndexMath,
    bounds: Sequence[LoopRange],
    begins: Sequence[Value],
    rows: Sequence[Read],
    lanes: Read,
    fused: bool,
    is_of_pairs: bool = False,
    at_once: int = 1,
    ask: Ask | None = None,
    pace: int = 0,
    keep: Callable[[Sequence[Index], Value], None] | None = None,
) -> Sequence[Value]:
    """The sums of outer products over `bounds`, the last fastest, added to `begins` one by one, of
    each of `rows` with the same lanes; where that reads a tile, each row of it is multiplied by the
    lanes one by one.

    `fused` says whether the processor rounds a product and a sum once in one instruction,
    `is_of_pairs` that both factors are read in pairs of positions. A turn of the innermost loop
    takes `at_once` positions, of which the last bounds are a multiple where they are no numbers;
    `ask` is called where one begins, or for a `pace` where so many positions do, a part of the last
    bounds, with the first of these and how many there are, `keep` with each position and its lanes
    when they are read.
    """
    writer = math.writer
    multiply = write_dot if is_of_pairs else partial(_added, fused=fused)

    def step(position: list[Index], sums: Sequence[Value]) -> Sequence[Value]:
        if len(position) < len(bounds):
            return loop(position, bounds[len(position)], sums)
        if keep is not None:
            # Stored before rows are read, or all of these would be read before it.
            kept = lanes(position)
            keep(position, kept)
            read = [each(position) for each in rows]
        else:
            read = [each(position) for each in rows]
            kept = lanes(position)
        return [multiply(writer, a, kept, acc) for a, acc in zip(read, sums, strict=True)]

    def loop(
        position: list[Index], loop_range: LoopRange, sums: Sequence[Value]
    ) -> Sequence[Value]:
        lower, upper, is_known = loop_range
        is_last = len(position) + 1 == len(bounds)
        unroll = (pace or at_once) if is_last else 1
        rest = _left_over(lower, upper, unroll)
        whole = math.subtract(upper, rest)
        if whole != lower:
            ends = math.values([lower, whole])
            k, *carried = writer.begin_loop(ends[0], ends[1], unroll, sums, "k", is_known)
            if ask is not None and is_last:
                ask([*position, k], unroll)
            sums = writer.end_loop(along(position, k, unroll, carried))
        return along(position, whole, rest, sums)

    def along(
        position: list[Index], first: Index, count: int, sums: Sequence[Value]
    ) -> Sequence[Value]:
        if count > at_once:
            ends = math.values([first, math.add(first, count)])
            k, *carried = writer.begin_loop(ends[0], ends[1], at_once, sums, "k", True)
            return writer.end_loop(along(position, k, at_once, carried))
        for number in range(count):
            sums = step([*position, math.add(first, number)], sums)
        return sums

    return step([], begins)


def _added(writer: LoopWriter, a: Value, b: Value, acc: Value, fused: bool) -> Value:
    """Products of rows and lanes, each with each or, where there is a tile of rows, one by one."""
    if a.type is acc.type:
        b = writer.create(vector.Broadcast, b, types=[acc.type]).vector
        if fused:
            return writer.create(vector.Fma, a, b, acc).result
        product = writer.create(arith.MulF, a, b).result
        return writer.create(arith.AddF, acc, product).result
    is_whole = isinstance(cast(ty.VectorType, acc.type).element, ty.IntegerType)
    if fused or is_whole:
        return writer.create(vector.OuterProduct, a, b, [acc]).result
    product = writer.create(vector.OuterProduct, a, b, []).result
    return writer.create(arith.AddF, acc, product).result


def _left_over(lower: Index, upper: Index, unroll: int) -> int:
    """How many positions a loop leaves over that takes so many in a turn; a single one is none."""
    if isinstance(lower, int) and isinstance(upper, int):
        return 1 if upper == lower + 1 else (upper - lower) % unroll
    return 0


ReadBlock = Callable[[Index, int], Value]
"""Reads so many positions of the sum from one on: along it, or lanes x positions."""


def write_dots(
    math: IndexMath, extent: int, begin: Value, row: ReadBlock, lanes: ReadBlock, width: int
) -> Value:
    """`begin`, a tile of one row, plus the products of a row with each lane's positions.

    The sum is taken `width` positions at a time, and the partial sums are added by halves.
    """
    writer = math.writer
    tile = cast(ty.VectorType, begin.type)
    partial = ty.VectorType((tile.shape[1], width), tile.element)

    def step(k: Index, depth: int, acc: Value) -> Value:
        a, b = row(k, depth), lanes(k, depth)
        if depth < width:
            a, b = padded(a, (width,)), padded(b, partial.shape)
        a = writer.create(vector.Broadcast, a, types=[partial]).vector
        return writer.create(vector.Fma, a, b, acc).result

    def padded(value: Value, shape: tuple[int, ...]) -> Value:
        zeros = writer.splat(zero, shape)
        offsets = [0] * len(shape)
        strides = [1] * cast(ty.VectorType, value.type).rank
        return writer.create(
            vector.InsertStridedSlice, value, zeros, offsets=offsets, strides=strides
        ).result

    zero = writer.constant(constant_attribute(0, tile.element))
    acc = writer.splat(zero, partial.shape)
    whole = extent - extent % width
    if whole > width:
        bounds = math.values([0, whole])
        k, carried = writer.begin_loop(bounds[0], bounds[1], width, [acc], "k")
        acc = writer.end_loop([step(k, width, carried)])[0]
    elif whole:
        acc = step(0, width, acc)
    if extent > whole:
        acc = step(whole, extent - whole, acc)
    turned = writer.create(vector.Transpose, acc, permutation=[1, 0]).result
    rows = [writer.create(vector.Extract, turned, [], static_position=[i]) for i in range(width)]
    sums = [op.results[0] for op in rows]
    while len(sums) > 1:
        half = len(sums) // 2
        pairs = zip(sums[:half], sums[half:], strict=True)
        sums = [writer.create(arith.AddF, x, y).result for x, y in pairs]
    total = writer.create(vector.Broadcast, sums[0], types=[tile]).vector
    return writer.create(arith.AddF, begin, total).result
