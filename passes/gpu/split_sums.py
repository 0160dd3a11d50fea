"""Pass `split-sums`: compute a long sum in parts, so that all of a GPU takes part."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, OpResult, Value
from penstock.ir.dialects import arith, linalg, math
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis import generics
from penstock.passes.analysis.combiners import may_regroup, step_of
from penstock.passes.analysis.group_storage import initial_value, start_of
from penstock.passes.base import Order, Pass
from penstock.passes.costs.gpu_target import GpuLevel, GpuTarget, target_of
from penstock.passes.gpu.rows.lane_kernel import layout_for
from penstock.passes.gpu.tiles.product import Product, blocks_of, product_of
from penstock.passes.gpu.tiles.tile_sizes import tile_for
from penstock.passes.gpu.write.kernel_split import shareable
from penstock.passes.gpu.write.schedule_data import KEY, WARP, blocks_for, positions
from penstock.passes.loops.rows.reduce_lanes import neutral

BLOCK = 256
"""Threads of a block whose threads each have a sum."""
LEAST_DEPTH = 512
"""The least depth of a part of a contraction: its panels come from memory, its sums go there."""
EACH = 4
"""The fewest elements of a part for each of its lanes."""
CLOSE = 4
"""How many times fewer parts than wanted are enough."""


class SplitSums(Pass):
    """Split reductions whose results are too few for all of a GPU's processors.

        %s = linalg.generic ["reduction", "reduction"] ins(%x : tensor<64x9000xf32>) { add }
    ->
        %p = linalg.generic ["parallel", "reduction"] ins(%x : tensor<64x9000xf32>) { add }
        %s = linalg.generic ["reduction"] ins(%p : tensor<64xf32>) { add }

    Outer dimensions become parallel, or a divisor of one does: `d0` is then `d0 * 500 + d1`. What a
    divisor leaves is added last. Sizes decide, so each run adds in the same order. Contractions of
    few tiles are split along their depth. A group that has schedules is left alone.
    """

    name = "split-sums"
    before: ClassVar[Order] = {"schedule": None, "bufferize": None}
    after: ClassVar[Order] = {"outline-groups": None}
    target: GpuLevel = "sm_80"
    processors: int = 0
    """The multiprocessors of the device; 0 stands for those of the target."""
    least: int = 1 << 15
    """The fewest elements of what is split; a kernel more takes as long as some of them."""

    def run(self, module: Module) -> None:
        for function in module.functions():
            if function is not module.job and not function.is_external:
                self._split(function)

    def _split(self, function: Func) -> None:
        ops = [op for op in function.body if isinstance(op, linalg.Generic)]
        if any(KEY in op.attributes for op in ops):
            return
        target = target_of(self.target, self.processors)
        for op in ops:
            found = self._how(op, target)
            if found is not None and current().may_rewrite():
                current().count("split-sums", op)
                _in_parts(op, found)

    def _how(self, op: linalg.Generic, target: GpuTarget) -> _Split | None:
        """How to split an op; None if it is not worthwhile, or cannot be."""
        if op.is_parallel or any(extent <= 0 for extent in op.extents):
            return None
        if prod(op.extents) < self.least or not _can_split(op):
            return None
        product = product_of(op)
        if product is not None:
            return _split_of_product(product, target)
        rows = shareable(op)
        layout = layout_for({op: rows})
        lanes, block = (layout.lanes, layout.block) if layout is not None else (1, BLOCK)
        count = positions(op.extents, rows)
        wanted = 2 * target.processors // blocks_for(count, lanes, block)
        length = prod(op.extents) // count
        return _split_into(op, min(wanted, length // (EACH * max(lanes, WARP // 2))), True)


class _Split(Record):
    """Into how many parts dimensions are split, and what is left."""

    parts: tuple[tuple[int, int], ...]
    """Dimensions, with the parts of each; they have the same size."""
    left: int = 0
    """How many positions of the only dimension no part has."""


def _can_split(op: linalg.Generic) -> bool:
    """Whether sums of parts of a reduction, added up, are its results."""
    outputs = range(len(op.results))
    return (
        may_regroup(op)
        and set(op.iterator_types) <= {"parallel", "reduction"}
        and all(generics.output_map(op, k).is_projected_permutation for k in outputs)
        and all(initial_value(op, k) is not None for k in outputs)
        and not any(isinstance(inner, linalg.Index) for inner in op.body)
    )


def _split_of_product(product: Product, target: GpuTarget) -> _Split | None:
    sizes = tile_for(product, target)
    blocks = blocks_of(product, sizes.tile)
    if sizes.warpgroups:
        return None  # a tensor map does not see parts
    deep = product.count(product.depth)
    return _split_into(product.op, min(target.processors // blocks, deep // LEAST_DEPTH), False)


def _split_into(op: linalg.Generic, wanted: int, uneven: bool) -> _Split | None:
    """A split into about so many parts, outer dimensions first."""
    if wanted < 2:
        return None
    sums = [d for d, kind in enumerate(op.iterator_types) if kind == "reduction"]
    parts: list[tuple[int, int]] = []
    count = 1
    for dim in sums:
        extent = op.extents[dim]
        most = max(n for n in range(1, min(extent, wanted // count) + 1) if extent % n == 0)
        if most > 1:
            parts.append((dim, most))
            count *= most
        if most < extent:
            break
    if count * CLOSE > wanted:
        return _Split(tuple(parts))
    longest = max(sums, key=lambda d: op.extents[d])
    if uneven and op.extents[longest] >= 2 * wanted:
        return _Split(((longest, wanted),), op.extents[longest] % wanted)
    return _Split(tuple(parts)) if parts else None


def _in_parts(op: linalg.Generic, split: _Split) -> None:
    """Replace an op by one for the parts, and one that combines them."""
    b = Builder.ahead_of(op)
    b.location = op.location
    rank = len(op.iterator_types)
    dims: list[Expr] = [Dim(d) for d in range(rank)]
    kinds, shapes, places = list(op.iterator_types), [], []
    for dim, parts in split.parts:
        each = op.extents[dim] // parts
        if each == 1:
            kinds[dim] = "parallel"
            places.append((dim, parts))
            continue
        new = len(kinds)
        kinds.append("parallel")
        dims[dim] = Dim(new) * each + Dim(dim)
        shapes.append(((parts, each), (new, dim)))
        places.append((new, parts))
    part = _summed(b, op, kinds, dims, shapes, places)
    found = _combined(b, op, part, len(places))
    if split.left:
        ((dim, parts),) = split.parts
        start = op.extents[dim] - split.left
        dims = [Dim(d) + start if d == dim else Dim(d) for d in range(rank)]
        rest = _summed(b, op, list(op.iterator_types), dims, [((split.left,), (dim,))], [])
        found = _joined(b, op, found, rest)
    for old, new_value in zip(op.results, found, strict=True):
        new_value.name = old.name
        old.replace_all_uses_with(new_value)
    op.erase()


def _summed(
    b: Builder, op: linalg.Generic, kinds: Sequence[str], dims: Sequence[Expr],
    shapes: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], places: Sequence[tuple[int, int]],
) -> Sequence[OpResult]:  # fmt: skip
    """The op over parts of its dimensions; `shapes` say how far new ones go."""
    rank, count = len(kinds), len(op.inputs)
    maps = [map.substitute(rank, dims) for map in op.indexing_maps]
    extents = [linalg.empty(b, shape, ty.f32) for shape, _ in shapes]
    own = [AffineMap.select(rank, which) for _, which in shapes]
    targets, written = [], []
    for k, result in enumerate(op.results):
        shape = [*(parts for _, parts in places), *generics.shape_of(result)]
        start = neutral(step_of(op, k), start_of(op, k)) if places else start_of(op, k)
        targets.append(_filled(b, shape, start))
        outer = (Dim(dim) for dim, _ in places)
        written.append(AffineMap(rank, (*outer, *maps[count + k].results)))

    def body(b: Builder, arguments: Sequence[Value]) -> Sequence[Value]:
        taken = [*arguments[:count], *arguments[count + len(extents) :]]
        mapping: dict[Value, Value] = dict(zip(op.body.arguments, taken, strict=True))
        for inner in op.body:
            if not inner.terminator:
                copy = b.insert(inner.clone(mapping))
                mapping.update(zip(inner.results, copy.results, strict=True))
        return [mapping.get(value, value) for value in op.body.terminator.operands]

    made = linalg.generic(
        b, [*op.inputs, *extents], targets, [*maps[:count], *own, *written], kinds, body
    )
    return _named_after(op, made).results


def _combined(
    b: Builder, op: linalg.Generic, parts: Sequence[Value], count: int
) -> Sequence[OpResult]:
    """What the results of parts add up to; their first `count` dimensions are those of parts."""
    found: list[OpResult] = []
    for k, value in enumerate(parts):
        shape = generics.shape_of(value)
        rank, step = len(shape), step_of(op, k)
        target = _filled(b, shape[count:], start_of(op, k))
        maps = [AffineMap.identity(rank), AffineMap.select(rank, range(count, rank))]
        kinds = ["reduction"] * count + ["parallel"] * (rank - count)
        made = linalg.generic(b, [value], [target], maps, kinds, _combining(step))
        found += _named_after(op, made).results
    return found


def _joined(
    b: Builder, op: linalg.Generic, one: Sequence[Value], other: Sequence[Value]
) -> Sequence[OpResult]:
    """Two sums added, element by element."""
    found: list[OpResult] = []
    for k, pair in enumerate(zip(one, other, strict=True)):
        type = generics.tensor_type(pair[0])
        target = linalg.empty(b, type.shape, type.element)
        maps = [AffineMap.identity(type.rank)] * 3
        kinds = ["parallel"] * type.rank
        made = linalg.generic(b, pair, [target], maps, kinds, _combining(step_of(op, k)))
        found += _named_after(op, made).results
    return found


def _combining(step: Operation) -> linalg.Body:
    """A body that combines its first argument with its last but for an output that is not read."""
    cls = arith.AddF if isinstance(step, math.Fma) else type(step)

    def body(b: Builder, arguments: Sequence[Value]) -> Sequence[Value]:
        return b.create(cls, arguments[1], arguments[0]).results

    return body


def _filled(b: Builder, shape: Sequence[int], value: Attribute) -> Value:
    """A tensor of one number, from which sums start."""
    constant = arith.Constant([], None, {"value": value})
    target = linalg.empty(b, shape, constant.results[0].type)

    def body(b: Builder, _: Sequence[Value]) -> Sequence[Value]:
        return b.insert(constant).results

    maps = [AffineMap.identity(len(shape))]
    return linalg.generic(b, [], [target], maps, ["parallel"] * len(shape), body).results[0]


def _named_after(op: linalg.Generic, made: linalg.Generic) -> linalg.Generic:
    made.location = op.location
    if generics.SOURCE in op.attributes:
        made.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]
    return made
