"""The work of ops in flops, transcendental functions and bytes, derived from their maps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func
from penstock.ir.record import Record
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.types import ShapedType

__all__ = ["Cost", "bytes_of", "cost_of"]


class Cost(Record):
    """An amount of work.

    >>> Cost(flops=2, read=8) + Cost(flops=1, written=4)
    Cost(flops=3, transcendentals=0, read=8, written=4)
    """

    flops: int = 0
    """Operations on floats; a multiply-add is two."""
    transcendentals: int = 0
    """Functions such as exp or sqrt."""
    read: int = 0
    """Bytes of the elements that are read, each counted once."""
    written: int = 0

    @property
    def bytes(self) -> int:
        """Bytes that are read and written."""
        return self.read + self.written

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.flops + other.flops, self.transcendentals + other.transcendentals,
            self.read + other.read, self.written + other.written,
        )  # fmt: skip


def bytes_of(values: Iterable[Value]) -> int:
    """The bytes of tensors or buffers of static shape. Duplicate values count once."""
    total = 0
    for value in dict.fromkeys(values):
        type = value.type
        if isinstance(type, ShapedType):
            total += type.count * numpy_dtype(type.element).itemsize
    return total


def cost_of(op: Operation | Func, lowered: Func | None = None) -> Cost:
    """The work of a tensor op, a `linalg.generic`, or all those in a function.

    A tensor op does the work of its lowering. It reads the operands' elements that are used, and
    writes its results; a view, such as a reshape, moves nothing. A function moves its arguments and
    results, since intermediate values need not leave the caches. Elements read at data-dependent
    indices count as often as they may be read, but no more than there are. If passes have optimised
    the `lowered_copy` of a tensor op, the cost is that of the optimised function.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> job = parse_module('''
    ... func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) -> tensor<4x2xf32> {
    ...   %z = "flow.matmul"(%x, %y) {transpose_a = false, transpose_b = false}
    ...     : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    ...   func.return %z : tensor<4x2xf32>
    ... }''').job
    >>> cost_of(job.body.first)
    Cost(flops=128, transcendentals=0, read=192, written=32)
    """
    if isinstance(op, linalg.Generic):
        return _arithmetic([op]) + _moved([op], dict.fromkeys(_used(op)), op.results)
    if isinstance(op, TensorOp):
        function = lowered or lowered_copy(op)
        # Each operand has its own argument, even if two operands are the same value.
        same = dict(zip(function.arguments, op.operands, strict=True))
        return _function_cost(function, same)
    if isinstance(op, Func):
        return _function_cost(op, {argument: argument for argument in op.arguments})
    return Cost()


def _function_cost(function: Func, arguments: Mapping[Value, Value]) -> Cost:
    workers = [op for op in function.walk() if isinstance(op, linalg.Generic | Kernel)]
    results = [v for v in function.returned.operands if root(v) not in arguments]
    return _arithmetic(workers) + _moved(workers, arguments, results)


def root(value: Value) -> Value:
    """The source of a chain of views; the value itself if it is not a view."""
    op = value.defining_op
    while isinstance(op, tensors.CollapseShape | tensors.ExpandShape):
        value = op.source
        op = value.defining_op
    return value


def _moved(
    workers: Iterable[linalg.Generic | Kernel],
    arguments: Mapping[Value, Value | None],
    results: Iterable[Value],
) -> Cost:
    """What is read of arguments, those that stand for one value together, and the results."""
    read: Counter[Value] = Counter()
    for op in workers:
        for value, count in _reads(op):
            if value in arguments or (value := root(value)) in arguments:
                read[arguments[value] or value] += count
    total = sum(_bytes(value, min(count, _count(value))) for value, count in read.items())
    return Cost(read=total, written=bytes_of(results))


def _bytes(value: Value, count: int) -> int:
    type = cast(ShapedType, value.type)
    return count * numpy_dtype(type.element).itemsize


def _count(value: Value) -> int:
    return cast(ShapedType, value.type).count


def _used(op: linalg.Generic) -> list[Value]:
    return [value for value, _ in _reads(op)]


def _reads(op: linalg.Generic | Kernel) -> Iterator[tuple[Value, int]]:
    """The tensors that are read, and how many elements at most."""
    if isinstance(op, Kernel):
        yield from ((value, _count(value)) for value in op.operands)
        return
    extents = op.extents
    for argument, value, map in zip(op.body.arguments, op.operands, op.indexing_maps, strict=True):
        if argument.uses:
            yield value, reached(map, extents)
    for inner in op.body:
        if isinstance(inner, tensors.Extract):
            yield inner.operands[0], math.prod(extents)


def reached(map: AffineMap, extents: Sequence[int]) -> int:
    """The number of elements that a map reaches from all points of these extents.

    >>> from penstock.ir.affine import Dim
    >>> reached(AffineMap(2, (Dim(0) * 2 + Dim(1),)), [4, 3])
    9
    """
    if 0 in extents:
        return 0
    total, left = 1, list(map.results)
    while left:
        group, dims = [left.pop()], set()
        dims = set(group[0].dims())
        for expr in list(left):
            if dims & set(expr.dims()):
                left.remove(expr)
                group.append(expr)
                dims |= set(expr.dims())
        places = math.prod(extents[d] for d in dims)
        total *= min(places, math.prod(_values(expr, extents) for expr in group))
    return total


MANY = 1 << 22


def _values(expr: Expr, extents: Sequence[int]) -> int:
    """The number of values of an index; an upper bound if there are too many to enumerate."""
    if isinstance(expr, Dim):
        return extents[expr.index]
    dims = list(dict.fromkeys(expr.dims()))
    places = math.prod(extents[d] for d in dims)
    if places > MANY:
        return places
    grid = np.indices([extents[d] for d in dims]).reshape(len(dims), places)
    point: list[Any] = [0] * len(extents)
    for d, positions in zip(dims, grid, strict=True):
        point[d] = positions
    return len(np.unique(expr.evaluate(point)))


def _arithmetic(workers: Iterable[linalg.Generic | Kernel]) -> Cost:
    flops = transcendentals = 0
    for op in workers:
        if isinstance(op, Kernel):
            flops += op.count_flops()
            continue
        iterations = math.prod(op.extents)
        inside = [inner for outer in op.body for inner in outer.walk()]
        flops += iterations * sum(inner.flops for inner in inside)
        transcendentals += iterations * sum(inner.transcendentals for inner in inside)
    return Cost(flops, transcendentals)
