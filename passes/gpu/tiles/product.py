"""A generic that adds up products, seen as a matrix multiplication: the roles of its dimensions.

    c[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]
    y[n, f, i] = sum over c, r of x[n, c, i * 2 + r] * w[f, c, r]

The second has the rows (n, i), the columns f and the depth (c, r): what is often called an implicit
GEMM. Several dimensions in a role count as one, in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.ir.attributes import Attribute
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import arith, linalg, math
from penstock.ir.record import Record
from penstock.ir.types import Type
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import initial_value


class Side(Record, eq=False):
    """One of the two factors: what the body computes it from."""

    value: Value
    """A value of the body."""
    arguments: tuple[int, ...]
    """The numbers of the inputs that it depends on."""
    ops: tuple[Operation, ...]
    """The ops of the body that compute it, in order."""
    dims: frozenset[int]
    """The dimensions that subscript those inputs."""


class Product(Record, eq=False):
    """A sum of products over the dimensions of a generic."""

    op: linalg.Generic
    left: Side
    right: Side
    batch: tuple[int, ...]
    """Dimensions of both factors and the result."""
    rows: tuple[int, ...]
    """Dimensions of the left factor and the result."""
    columns: tuple[int, ...]
    """Dimensions of the right factor and the result."""
    depth: tuple[int, ...]
    """Reduced dimensions."""

    def count(self, dims: Sequence[int]) -> int:
        """The positions of dimensions together."""
        return prod(self.op.extents[d] for d in dims)

    @property
    def element(self) -> Type:
        """The type that the sum is computed in."""
        return generics.output_arguments(self.op)[0].type

    @property
    def initial(self) -> Attribute | None:
        """The constant that the sum starts from; None if it starts from the output's value."""
        return initial_value(self.op, 0)


def product_of(op: linalg.Generic) -> Product | None:
    """The roles of a generic's dimensions; None if it does not add up products of two factors."""
    if len(op.results) != 1 or op.is_parallel or 0 in op.extents:
        return None
    if not generics.adds_products(op.body) or "window" in op.iterator_types:
        return None
    written = generics.output_map(op, 0)
    factors = _factors(op)
    if factors is None or not written.is_projected_permutation:
        return None
    sides = [_side(op, value) for value in factors]
    first, second = sides
    if first is None or second is None or set(first.arguments) & set(second.arguments):
        return None
    kinds = op.iterator_types
    depth = tuple(d for d, kind in enumerate(kinds) if kind == "reduction")
    order = [dim for dim in written.dims() if kinds[dim] == "parallel"]
    if len(order) + len(depth) < len(kinds) or not all(
        d in first.dims | second.dims for d in depth
    ):
        return None
    # The columns are the factor's that has the last dimension of the result, so that threads next
    # to each other write next to each other.
    last = next((d for d in reversed(order) if (d in first.dims) is not (d in second.dims)), None)
    if last in first.dims:
        first, second = second, first
    batch = tuple(d for d in order if (d in first.dims) is (d in second.dims))
    return Product(
        op, first, second, batch,
        tuple(d for d in order if d not in batch and d in first.dims),
        tuple(d for d in order if d not in batch and d in second.dims),
        depth,
    )  # fmt: skip


def _factors(op: linalg.Generic) -> tuple[Value, Value] | None:
    """The two values of the body that are multiplied; None if the sum is not added in the end."""
    (result,) = op.body.terminator.operands
    accumulator = generics.output_arguments(op)[0]
    added = result.defining_op
    if isinstance(added, math.Fma) and added.operands[2] is accumulator:
        return added.operands[0], added.operands[1]
    if isinstance(added, arith.AddI) and accumulator in added.operands:
        (other,) = [value for value in added.operands if value is not accumulator] or [accumulator]
        product = other.defining_op
        if isinstance(product, arith.MulI):
            return product.operands[0], product.operands[1]
    return None


def _side(op: linalg.Generic, value: Value) -> Side | None:
    """What a factor depends on; None if it reads the sum or more than elements of inputs."""
    arguments: set[int] = set()
    ops: set[Operation] = set()
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, BlockArgument):
            if found.index >= len(op.inputs):
                return None
            arguments.add(found.index)
            continue
        inner = found.defining_op
        if inner is None or inner in ops or inner.block is not op.body:
            continue
        if not inner.pure or inner.regions or isinstance(inner, linalg.Index):
            return None
        ops.add(inner)
        waiting += inner.operands
    dims = {d for i in arguments for expr in op.indexing_maps[i].results for d in expr.dims()}
    inside = tuple(inner for inner in op.body if inner in ops)
    return Side(value, tuple(sorted(arguments)), inside, frozenset(dims)) if arguments else None


def blocks_of(product: Product, tile: Sequence[int]) -> int:
    """The blocks that compute all tiles of a product."""
    rows, columns = product.count(product.rows), product.count(product.columns)
    return product.count(product.batch) * -(-rows // tile[0]) * -(-columns // tile[1])
