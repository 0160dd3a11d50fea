"""Lowering in few words: element-by-element loops, fills and views of tensors.

Bodies are closed: they make their constants themselves and use no value from outside but tensors
they extract from, so that a group of them can be cut out as a function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.folding import constant_of

ScalarBody = Callable[..., "Value | Sequence[Value]"]


def filled(b: Builder, value: float, shape: Sequence[int], element: Type) -> Value:
    """A tensor whose elements are all `value`."""
    rank = len(shape)

    def body(b: Builder, _: Sequence[BlockArgument]) -> list[Value]:
        return [scalars.constant(b, value, element)]

    target = linalg.empty(b, shape, element)
    maps = [AffineMap.identity(rank)]
    return linalg.generic(b, [], [target], maps, ["parallel"] * rank, body).results[0]


def splat(value: Value) -> Any:
    """The number that all elements are known to equal, or None."""
    op = value.defining_op
    while op is not None and (shown := view_source(op)) is not None:
        value, op = shown, shown.defining_op
    if isinstance(op, linalg.Generic) and not op.inputs and op.is_parallel:
        yielded = op.body.terminator.operands[0].defining_op
        if isinstance(yielded, arith.Constant) and len(op.results) == 1:
            return arith.scalar_of(yielded.value)
    constant = constant_of(value)
    if isinstance(constant, DenseElementsAttr) and constant.is_splat:
        return constant.numbers()[0]
    return None


def pointwise(
    b: Builder, values: Sequence[Value], types: Sequence[TensorType], body: ScalarBody
) -> list[Value]:
    """One parallel loop over tensors of one shape; operands broadcast as NumPy does.

    `body(b, *scalars)` gets one scalar per operand and gives one per type. Operands whose elements
    are known to be equal become constants inside it.
    """
    shape = types[0].shape
    rank = len(shape)
    known = [splat(value) for value in values]
    read = [broadcast(b, v, shape) for v, k in zip(values, known, strict=True) if k is None]
    maps = [map for _, map in read] + [AffineMap.identity(rank)] * len(types)

    def scalar_body(b: Builder, arguments: Sequence[BlockArgument]) -> Sequence[Value]:
        remaining = iter(arguments)
        elements = [
            next(remaining) if k is None else scalars.constant(b, k, tensor(v).element)
            for v, k in zip(values, known, strict=True)
        ]
        generic = body(b, *elements)
        return [generic] if isinstance(generic, Value) else generic

    outputs = [linalg.empty(b, shape, type.element) for type in types]
    inputs = [value for value, _ in read]
    generic = linalg.generic(b, inputs, outputs, maps, ["parallel"] * rank, scalar_body)
    return list(generic.results)


def broadcast(b: Builder, value: Value, shape: Sequence[int]) -> tuple[Value, AffineMap]:
    """The value and the map that reads it at a point of `shape`.

    Dimensions that repeat are left out of the map; those of extent 1 go through a view, so that
    maps stay projections.
    """
    own = tensor(value).shape
    missing = len(shape) - len(own)
    kept = [i for i, extent in enumerate(own) if extent == shape[missing + i]]
    view = reshaped(b, value, [own[i] for i in kept])
    return view, AffineMap.select(len(shape), [missing + i for i in kept])


def reshaped(b: Builder, value: Value, shape: Sequence[int]) -> Value:
    """A view in another shape of as many elements; views of views are skipped."""
    wanted = tuple(shape)
    while tensor(value).shape != wanted:
        op = value.defining_op
        if not isinstance(op, tensors.CollapseShape | tensors.ExpandShape):
            break
        value = op.source
    own = tensor(value).shape
    if own == wanted:
        return value
    if prod(own) != prod(wanted):
        raise ValueError(f"a tensor of shape {own} has no view of shape {wanted}")
    down = reassociation(own, wanted)
    if down is not None:
        return _collapse(b, value, wanted, down)
    up = reassociation(wanted, own)
    if up is not None:
        return _expand(b, value, wanted, up)
    flat = _collapse(b, value, (tensor(value).count,), [list(range(len(own)))])
    return _expand(b, flat, wanted, [list(range(len(wanted)))])


def reassociation(long: Sequence[int], short: Sequence[int]) -> list[list[int]] | None:
    """Which neighbours of `long` join to each dimension of `short`; None where they do not.

    >>> reassociation((2, 3, 1, 4), (6, 4))
    [[0, 1, 2], [3]]
    """
    if len(short) > len(long):
        return None
    if not short:
        return [] if all(extent == 1 for extent in long) else None
    groups: list[list[int]] = []
    position = 0
    for i, extent in enumerate(short):
        left = len(short) - i - 1
        group, total = [position], long[position]
        position += 1
        while position < len(long) - left and (total != extent or long[position] == 1):
            total *= long[position]
            group.append(position)
            position += 1
        if total != extent:
            return None
        groups.append(group)
    return groups if position == len(long) else None


def _collapse(b: Builder, value: Value, shape: tuple[int, ...], groups: list[list[int]]) -> Value:
    type = TensorType(shape, tensor(value).element)
    return b.create(
        tensors.CollapseShape, value, types=[type], reassociation=to_attribute(groups)
    ).result


def _expand(b: Builder, value: Value, shape: tuple[int, ...], groups: list[list[int]]) -> Value:
    type = TensorType(shape, tensor(value).element)
    return b.create(
        tensors.ExpandShape,
        value,
        [],
        types=[type],
        reassociation=to_attribute(groups),
        static_output_shape=shape,
    ).result


# -- elements by position -------------------------------------------------------------------------


def computed(
    b: Builder, type: TensorType, body: Callable[[Builder, Sequence[Value]], Value]
) -> Value:
    """A tensor whose elements `body` computes from their positions, one index per dimension."""

    def scalar_body(b: Builder, _: Sequence[BlockArgument]) -> list[Value]:
        return [body(b, [b.create(linalg.Index, dim=d).result for d in range(type.rank)])]

    target = linalg.empty(b, type.shape, type.element)
    maps = [AffineMap.identity(type.rank)]
    return linalg.generic(b, [], [target], maps, ["parallel"] * type.rank, scalar_body).results[0]


def sliced(
    b: Builder, source: Value, shape: Sequence[int], spans: Sequence[tuple[int, int]]
) -> Value:
    """A part of a tensor: along each dimension every `step`-th element from `start` on."""

    def body(b: Builder, here: Sequence[Value]) -> Value:
        places = [
            offset(b, scaled(b, position, step), start)
            for position, (start, step) in zip(here, spans, strict=True)
        ]
        return b.create(tensors.Extract, source, places).result

    return computed(b, TensorType(tuple(shape), tensor(source).element), body)


def placed(b: Builder, value: Value, target: Value, axis: int, start: int) -> Value:
    """The target with a tensor in a part of it, which begins at `start` along an axis.

    The first part of several is written by a subscript that has a dimension of one element as well,
    of an operand that is there for its shape alone: else it would be all of the target.
    """
    shape, whole = tensor(value).shape, tensor(target).shape
    if 0 in shape:
        return target
    rank = len(shape)
    exprs: list[Expr] = list(map(Dim, range(rank)))
    inputs, maps = [value], [AffineMap.identity(rank)]
    if shape != whole and start:
        exprs[axis] = Dim(axis) + start
    elif shape != whole:
        exprs[axis] = Dim(axis) + Dim(rank)
        inputs.append(linalg.empty(b, [1], tensor(target).element))
        rank += 1
        maps = [AffineMap.select(rank, range(rank - 1)), AffineMap.select(rank, [rank - 1])]
    maps.append(AffineMap(rank, tuple(exprs)))
    kinds = ["parallel"] * rank
    return linalg.generic(b, inputs, [target], maps, kinds, lambda _, given: [given[0]]).results[0]


def offset(b: Builder, position: Value, by: int) -> Value:
    """position + by; the position itself for 0."""
    return scalars.add(b, position, scalars.constant(b, by, ty.index)) if by else position


def scaled(b: Builder, position: Value, by: int) -> Value:
    """position * by; the position itself for 1."""
    return scalars.mul(b, position, scalars.constant(b, by, position.type)) if by != 1 else position


def divided(b: Builder, position: Value, by: int) -> tuple[Value, Value]:
    """The quotient and the rest of a position, which is not negative; of powers of two by bits."""
    bits = by.bit_length() - 1
    kinds = (arith.ShRUI, arith.AndI) if by == 1 << bits else (arith.DivUI, arith.RemUI)
    numbers = (bits, by - 1) if by == 1 << bits else (by, by)
    quotient, rest = (
        b.create(kind, position, scalars.constant(b, number, ty.index)).result
        for kind, number in zip(kinds, numbers, strict=True)
    )
    return quotient, rest


def read_or(
    b: Builder,
    source: Value,
    here: Sequence[Value],
    starts: Sequence[int],
    steps: Sequence[int],
    shape: Sequence[int],
    other: Value,
) -> Value:
    """The element i of `source` that stands at starts + i * steps, if that is here; else `other`.

    It reads inside the source in any case. `shape` is that of the result: dimensions that agree
    with the source's are read as they are.
    """
    if not tensor(source).count:
        return other
    inside: Value | None = None
    places = []
    for d, extent in enumerate(tensor(source).shape):
        if extent == shape[d]:
            places.append(here[d])
            continue
        place, found = _place(b, offset(b, here[d], -starts[d]), steps[d], extent)
        places.append(place)
        inside = found if inside is None else scalars.both(b, inside, found)
    element = b.create(tensors.Extract, source, places).result
    return element if inside is None else scalars.select(b, inside, element, other)


def _place(b: Builder, away: Value, step: int, extent: int) -> tuple[Value, Value]:
    """The subscript of the element `away` from the first, moved inside, and whether it is one."""
    if step == 1:
        return moved_inside(b, away, extent)
    zero = scalars.constant(b, 0, ty.index)
    last = scalars.constant(b, extent - 1, ty.index)
    ahead = scalars.maximum(b, away, zero)
    by = scalars.constant(b, step, ty.index)
    place = scalars.minimum(b, b.create(arith.DivSI, ahead, by).result, last)
    return place, scalars.compare(b, "eq", scalars.mul(b, place, by), away)


def moved_inside(b: Builder, position: Value, extent: int) -> tuple[Value, Value]:
    """The position below `extent`, at least 1, that is nearest, and whether that is itself."""
    zero = scalars.constant(b, 0, ty.index)
    last = scalars.constant(b, extent - 1, ty.index)
    place = scalars.minimum(b, scalars.maximum(b, position, zero), last)
    return place, scalars.compare(b, "eq", place, position)


def view_source(op: Operation) -> Value | None:
    """What a view shows; None for other ops."""
    return op.source if isinstance(op, tensors.CollapseShape | tensors.ExpandShape) else None
