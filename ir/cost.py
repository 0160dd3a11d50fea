"""How much work ops do: operations on floats, functions, bytes; all follows from their maps."""

from __future__ import annotations

import math
from collections.abc import Iterable

from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func
from penstock.ir.lowering import lowered_copy
from penstock.ir.record import Record
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
    """Bytes of the arrays that are read, each counted once."""
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
    """The bytes of tensors or buffers of static shape, a value that is there twice counted once."""
    total = 0
    for value in dict.fromkeys(values):
        type = value.type
        if isinstance(type, ShapedType):
            total += type.count * numpy_dtype(type.element).itemsize
    return total


def cost_of(op: Operation | Func) -> Cost:
    """The work of a tensor op, a `linalg.generic`, or all those in a function.

    A tensor op does what it is lowered to, and moves its operands and results; one that lowers to
    a view, such as a reshape, moves nothing. What a function moves is its arguments and results,
    for what its ops hand to each other need not leave the caches.

    >>> from penstock.ir.parser import parse_module
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
        return _arithmetic([op]) + Cost(read=bytes_of(op.inputs), written=bytes_of(op.results))
    if isinstance(op, TensorOp):
        workers = _workers(lowered_copy(op))
        if not workers:
            return Cost()
        return _arithmetic(workers) + Cost(read=bytes_of(op.operands), written=bytes_of(op.results))
    if isinstance(op, Func):
        returned = op.returned.operands
        return _arithmetic(_workers(op)) + Cost(
            read=bytes_of(op.arguments), written=bytes_of(returned)
        )
    return Cost()


def _workers(function: Func) -> list[linalg.Generic | Kernel]:
    return [op for op in function.walk() if isinstance(op, linalg.Generic | Kernel)]


def _arithmetic(workers: Iterable[linalg.Generic | Kernel]) -> Cost:
    flops = transcendentals = 0
    for op in workers:
        if isinstance(op, Kernel):
            flops += op.count_flops()
            continue
        turns = math.prod(op.extents)
        inside = [inner for outer in op.body for inner in outer.walk()]
        flops += turns * sum(inner.flops for inner in inside)
        transcendentals += turns * sum(inner.transcendentals for inner in inside)
    return Cost(flops, transcendentals)
