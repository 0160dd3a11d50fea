"""Queries on `linalg.generic`, on which the passes below the stage `fused` base their decisions.

The answers depend on maps, iterators and bodies, never on the op that a generic was lowered from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import cast

from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr
from penstock.ir.attributes import StringAttr
from penstock.ir.core import Block, BlockArgument, Operation, OpResult, Value
from penstock.ir.dialects import arith, job, linalg, math
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.rewriting.lowering import SEGMENT
from penstock.ir.types import ShapedType, TensorType

SOURCE = "flow.op"
"""Attribute with the name of the op that a generic was lowered from. It is only for display."""


def each(module: Module) -> Iterator[linalg.Generic]:
    """All generics of a module, in order. The current one may be replaced during iteration."""
    for function in module.functions():
        if not function.is_external:
            for op in function.body:
                if isinstance(op, linalg.Generic):
                    yield op


def tensor_type(value: Value) -> TensorType:
    return cast(TensorType, value.type)


def shape_of(value: Value) -> tuple[int, ...]:
    return cast(ShapedType, value.type).shape


def input_arguments(op: linalg.Generic) -> Sequence[BlockArgument]:
    """The body's arguments for the inputs."""
    return op.body.arguments[: len(op.inputs)]


def output_arguments(op: linalg.Generic) -> Sequence[BlockArgument]:
    """The body's arguments for the outputs: the accumulators."""
    return op.body.arguments[len(op.inputs) :]


def output_map(op: linalg.Generic, position: int) -> AffineMap:
    """The indexing map of a result."""
    return op.indexing_maps[len(op.inputs) + position]


def captured(op: Operation) -> list[Value]:
    """The values from outside that the regions of an op use, with duplicates."""
    inside, used = set[Block](), list[Value]()
    _look_inside(op, inside, used)
    return [value for value in used if _block_of(value) not in inside]


def _look_inside(op: Operation, blocks: set[Block], used: list[Value]) -> None:
    """Collect the blocks in the regions of an op, and the operands of the ops there."""
    for region in op.regions:
        for block in region.blocks:
            blocks.add(block)
            for inner in block:
                used += inner.operands
                if inner.regions:
                    _look_inside(inner, blocks, used)


def _block_of(value: Value) -> Block | None:
    """The block that defines a value."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.block


def used_values(op: Operation) -> list[Value]:
    """Operands, then captured values, without duplicates."""
    return list(dict.fromkeys([*op.operands, *captured(op)]))


def determined(rank: int, maps: Sequence[AffineMap]) -> bool:
    """Whether operands with these maps determine the extent of each iteration dimension."""
    plain = {e.index for map in maps for e in map.results if isinstance(e, Dim)}
    return len(plain) == rank


def writes_all(op: linalg.Generic, position: int) -> bool:
    """Whether every element of a result is written, so that the output's old contents are dead.

    True for a projection, if no dimension that the result lacks has extent 0.
    """
    map = output_map(op, position)
    if not map.is_projected_permutation:
        return False
    if len(map.results) == map.rank:
        return True
    extents = op.extents
    return all(extents[d] != 0 for d in range(map.rank) if d not in map.dims())


def reads_old(op: linalg.Generic, position: int) -> bool:
    """Whether a result depends on the old contents of its output."""
    return bool(output_arguments(op)[position].uses) or not writes_all(op, position)


def is_bijective(op: linalg.Generic, position: int) -> bool:
    """Whether iterations and elements of a result correspond one to one."""
    map = output_map(op, position)
    return op.is_parallel and map.is_projected_permutation and len(map.results) == map.rank


def writes_each_once(op: linalg.Generic, position: int) -> bool:
    """Whether each element of a result is written by exactly one iteration.

    An example is the subscript `y * 2 + r` where r has extent 2. Each subscript must be a
    mixed-radix number over dimensions that occur in no other subscript.
    """
    map, extents = output_map(op, position), op.extents
    found: list[int] = []
    for expr, extent in zip(map.results, shape_of(op.results[position]), strict=True):
        factors = coefficients(expr, map.rank)
        if factors is None or expr.evaluate([0] * map.rank):
            return False
        step = 1
        for factor, dim in sorted((factor, d) for d, factor in enumerate(factors) if factor):
            if factor != step:
                return False
            step *= extents[dim]
            found.append(dim)
        if step != extent:
            return False
    return sorted(found) == list(range(map.rank))


def places(op: linalg.Generic) -> bool:
    """Whether an op overwrites a part of its output, such as `y * 2 + 1`, and keeps the rest."""
    map = output_map(op, 0)
    if not op.is_parallel or len(op.results) != 1 or map.is_projected_permutation:
        return False
    dims = [dim for expr in map.results for dim in expr.dims()]
    linear = all(coefficients(expr, map.rank) is not None for expr in map.results)
    return linear and sorted(dims) == list(range(map.rank)) and not output_arguments(op)[0].uses


def is_contraction(op: linalg.Generic) -> bool:
    """Whether an op is a reduction that reuses input elements for several result elements.

    If one input has an element for each iteration, memory traffic dominates anyway. Such an op does
    not count, unless it only accumulates products.
    """
    parallel = {d for d, kind in enumerate(op.iterator_types) if kind == "parallel"}
    shared = whole = False
    for map, argument in zip(op.indexing_maps, input_arguments(op), strict=False):
        if not argument.uses:  # the input only determines an extent
            continue
        dims = {dim for expr in map.results for dim in expr.dims()}
        whole = whole or len(dims) == len(map.results) == map.rank
        shared = shared or bool(dims - parallel and parallel - dims)
    return shared and (not whole or adds_products(op.body))


def adds_products(body: Block) -> bool:
    """Whether a body is a single multiply-accumulate, apart from casts."""
    kinds = {type(op) for op in body if not isinstance(op, arith.Cast)}
    return kinds in ({math.Fma, linalg.Yield}, {arith.MulI, arith.AddI, linalg.Yield})


def is_movement(op: linalg.Generic) -> bool:
    """Whether the body only yields an input or a constant: a transpose, broadcast or fill."""
    if len(op.results) != 1:
        return False
    value = op.body.terminator.operands[0]
    return value in input_arguments(op) or isinstance(value.defining_op, arith.Constant)


def is_widening(op: linalg.Generic) -> bool:
    """Whether the body only widens a float."""
    if len(op.results) != 1:
        return False
    producer = op.body.terminator.operands[0].defining_op
    return isinstance(producer, arith.ExtF) and producer.operands[0] in input_arguments(op)


def fill_constant(op: Operation | None) -> arith.Constant | None:
    """The constant of a fill; None for other ops."""
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return None
    producer = op.body.terminator.operands[0].defining_op
    return producer if isinstance(producer, arith.Constant) and is_bijective(op, 0) else None


MOST_LOOP_CYCLES = 320
"""The most cycles per element for one loop. Beyond that, rereading an element is cheap in
comparison, the registers do not hold the constants, and LLVM's compile time is quadratic in the
length of the loop."""
TOO_LONG = f"one loop would compute for more than {MOST_LOOP_CYCLES} cycles for each element"


def body_cost(block: Block) -> int:
    """Estimated cycles of one execution of a body, nested regions included."""
    return sum(map(_cost, block))


def _cost(op: Operation) -> int:
    """Estimated cycles of one execution of an op, nested regions included."""
    return sum(inner.cost for inner in op.walk()) if op.regions else op.cost


def lane_cost(op: linalg.Generic, dims: Collection[int]) -> float:
    """Estimated cycles of the body per point, if it is vectorised along one of these dimensions.

    A value shared by groups of neighbours, such as index >> 2, is computed once per group. A value
    that only depends on scalars is hoisted out of the loops.
    """
    groups: dict[Value, int] = {}
    ahead: set[Value] = {
        a for a, map in zip(op.body.arguments, op.indexing_maps, strict=True) if not map.results
    }
    cost = 0.0
    for inner in op.body:
        if inner.operands and ahead.issuperset(inner.operands):
            ahead.update(inner.results)
            continue
        if isinstance(inner, arith.Constant):
            ahead.update(inner.results)
        sizes = [groups[value] for value in inner.operands if value in groups]
        if isinstance(inner, linalg.Index) and inner.dim in dims:
            sizes = [1]
        elif isinstance(inner, arith.ShRUI) and isinstance(inner.lhs.defining_op, linalg.Index):
            by = inner.rhs.defining_op
            if sizes and isinstance(by, arith.Constant):
                sizes = [1 << int(arith.scalar_of(by.value))]
        groups.update(dict.fromkeys(inner.results, min(sizes)) if sizes else {})
        cost += _cost(inner) / min(sizes, default=1)
    return cost


def loop_cost(op: linalg.Generic) -> float:
    """Estimated cycles of the body per element in a vectorised loop."""
    return lane_cost(op, range(len(op.iterator_types)))


def same_position(op: linalg.Generic, value: Value, position: int) -> bool:
    """Whether each iteration reads `value` only at the index at which it writes a result.

    Then the result may overwrite the value.
    """
    if not is_bijective(op, position) or value in captured(op):
        return False
    target = output_map(op, position)
    maps = op.indexing_maps
    return all(maps[i] == target for i, v in enumerate(op.operands) if v is value)


def sources(op: Operation) -> list[str]:
    """The names of the ops that a generic was lowered and fused from, in order."""
    if isinstance(op, Kernel):
        return [op.name.partition(".")[2]]
    name = op.attributes.get(SOURCE)
    return name.value.split("+") if isinstance(name, StringAttr) and name.value else []


def again(op: Operation) -> set[str]:
    """The numbers of the segments whose ops a generic computes again, if it does nothing else."""
    words = sources(op)
    numbers = {word.rpartition(SEGMENT)[2] for word in words}
    return set() if not numbers.isdisjoint(words) else numbers


def described(op: Operation) -> str:
    """An op for messages: its location in the user's files, and its source ops."""
    places: dict[str, dict[int, None]] = {}
    for position in op.location.files():
        places.setdefault(position.file, {})[position.line] = None
    words = [f"{file}:{','.join(map(str, lines))}" for file, lines in places.items()]
    return f"{' '.join(words) or 'unknown location'} {'+'.join(sources(op)) or op.name}"


def only_watchable(block: Block) -> set[Operation]:
    """The ops that only `job.watchable` needs, and which would be dead without it."""
    if not any(isinstance(op, job.Watchable) for op in block):
        return set()
    unneeded = set(block)
    waiting = [
        op for op in block if op.terminator or not (op.pure or isinstance(op, job.Watchable))
    ]
    while waiting:
        op = waiting.pop()
        if op in unneeded:
            unneeded.remove(op)
            waiting += [v.defining_op for v in used_values(op) if v.defining_op is not None]
    return unneeded


def computes(op: Operation) -> bool:
    """Whether an op computes tensors: a generic, a kernel or a call of what is outside."""
    return isinstance(op, linalg.Generic | Kernel | job.OutsideCall)


def produced(value: Value) -> tuple[linalg.Generic, int] | None:
    """The generic that defines a value, and the number of the result; None for other values."""
    op = value.defining_op
    if not isinstance(op, linalg.Generic):
        return None
    return op, cast(OpResult, value).index


def coefficients(expr: Expr, rank: int) -> list[int] | None:
    """The factor of each dimension in a linear expression; None if it is not linear.

    >>> coefficients(Dim(0) * 2 + Dim(1), 2)
    [2, 1]
    """
    match expr:
        case Dim(index=index):
            return [int(i == index) for i in range(rank)]
        case Const():
            return [0] * rank
        case Binary(kind="+", left=left, right=right):
            one, other = coefficients(left, rank), coefficients(right, rank)
            if one is None or other is None:
                return None
            return [x + y for x, y in zip(one, other, strict=True)]
        case Binary(kind="*", left=left, right=Const(value=factor)):
            one = coefficients(left, rank)
            return None if one is None else [x * factor for x in one]
        case _:
            return None
