"""Prologues of contractions: computing a factor's elements while it is packed.

    %p = linalg.generic ins(%w, %mask) { mulf };  %y = linalg.generic ins(%x, %p) { fma }
->
    %y = linalg.generic ins(%x, %w, %mask) { mulf, fma }

This saves storing and reloading the factor, and its buffer in the arena. It is free if each part of
the factor is packed once. If several tasks pack the same part, each recomputes it. If a factor is
not packed but read in place, each tile recomputes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.ir.affine import AffineMap, Dim
from penstock.ir.core import Value
from penstock.ir.dialects import linalg, math
from penstock.ir.types import byte_width
from penstock.passes.analysis import generics
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import TARGETS
from penstock.passes.costs.tiling import model

TARGET = TARGETS["x86-64-v3"]
"""The target whose tile sizes decide. It is fixed, so that fusion is the same for every target."""
PASS = 4
"""Approximate cycles to store and reload a vector."""
PACKED_LANE_BYTES = 1024
"""From this many bytes of lanes on, packing rows pays off even if they could be read in place:
dozens of panels then read the packed rows, which is faster."""
DEAR = 8
"""Above this cost a body is slower as a prologue. Packing computes one or two vectors at a time;
separate loops interleave several, which hides latency."""


def why_apart(
    producer: linalg.Generic, consumer: linalg.Generic, position: int, maps: Sequence[AffineMap]
) -> str | None:
    """Why a producer does not become a prologue of a contraction; None if it does.

    `maps` are the indexing maps of the producer's inputs in the merged op.
    """
    if any(generics.produced(v) and generics.shape_of(v) for v in producer.inputs):
        return "the producer shares loops with what makes its operands"
    cost = generics.body_cost(producer.body)
    if cost > DEAR:
        return "so dear a body takes longer where vectors are packed one by one"
    found = _product(consumer)
    if found is None:
        return "only a product of elements packs what it reads"
    shape, lane = found
    wide = [map.dims() for map in maps if _is_wide(consumer, map)]
    if len({dims[-1] for dims in wide}) > 1:
        return "the producer's operands lie in different directions"
    choice = model(shape, TARGET)
    if lane in consumer.indexing_maps[position].dims():
        if shape.is_of_dots:
            return "it reads both factors as they lie, in vectors along the sum"
        if len(wide) > 1:
            return "several tensors are read faster in order than panel by panel"
        times = choice.grid[1]
    else:
        size = shape.above * shape.rows * shape.depth * shape.bytes
        few = choice.rows_in == "memory" and shape.lanes * shape.bytes < PACKED_LANE_BYTES
        if few or size <= TARGET.l1:
            return "it reads the rows of that factor as they lie, where packing is not worth it"
        times = 1
    if (times - 1) * cost > PASS:
        return f"{times} tasks would each compute the elements that they pack"
    return None


def _product(consumer: linalg.Generic) -> tuple[Shape, int] | None:
    """The shape on which a contraction's tiling depends, and its lane dimension.

    None if the op is not a contraction of two factors with plain subscripts.
    """
    ended = consumer.body.terminator.operands[0].defining_op
    if not isinstance(ended, math.Fma) or len(consumer.results) != 1:
        return None
    found = [_maps_behind(consumer, value) for value in ended.operands[:2]]
    result = generics.output_map(consumer, 0).dims()
    of = [{d for map in maps for d in map.dims()} for maps in found]
    plain = all(map.is_projected_permutation for maps in found for map in maps)
    extents = consumer.extents
    if not plain or not result or 0 in extents or sum(result[-1] in dims for dims in of) != 1:
        return None
    lanes, rows = (0, 1) if result[-1] in of[0] else (1, 0)
    sums = [d for d, kind in enumerate(consumer.iterator_types) if kind == "reduction"]
    alone = [d for d in result if d not in of[lanes]]
    row = max(alone, key=lambda d: (extents[d], result.index(d)), default=None)
    shape = Shape(
        prod(extents[d] for d in result[:-1] if d in of[lanes]),
        1 if row is None else extents[row],
        extents[result[-1]],
        tuple(extents[d] for d in sums),
        byte_width(generics.tensor_type(consumer.results[0]).element),
        rows_along_sum=_ends_in(found[rows], sums[-1]),
        lanes_ready=_ends_in(found[lanes], result[-1]),
        lanes_along_sum=_ends_in(found[lanes], sums[-1]),
        rows_ready=row is not None and _ends_in(found[rows], row),
        above=prod(extents[d] for d in alone if d != row),
    )
    return shape, result[-1]


def _maps_behind(consumer: linalg.Generic, value: Value) -> list[AffineMap]:
    """The indexing maps of the inputs that a value of the body depends on."""
    arguments, waiting, found = generics.input_arguments(consumer), [value], []
    while waiting:
        value = waiting.pop()
        if value in arguments:
            found.append(consumer.indexing_maps[arguments.index(value)])
        elif value.defining_op is not None:
            waiting += value.defining_op.operands
    return found


def _ends_in(maps: Sequence[AffineMap], dim: int) -> bool:
    """Whether a factor is one tensor that is contiguous along a dimension."""
    return len(maps) == 1 and maps[0].results[-1:] == (Dim(dim),)


def _is_wide(consumer: linalg.Generic, map: AffineMap) -> bool:
    """Whether a tensor varies both along the sum and across it."""
    return len({consumer.iterator_types[d] for d in map.dims()}) > 1
