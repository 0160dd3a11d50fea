"""Pass `fuse-elementwise`: merge generics into the generics that read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from penstock.ir.affine import AffineMap, Expr
from penstock.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Value
from penstock.ir.dialects import arith, job, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN, Location, fuse
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import Remark, RewriteSession, current
from penstock.ir.types import FloatType, IntegerType, TensorType, index
from penstock.ir.write.affine_values import affine_value
from penstock.passes.analysis import generics
from penstock.passes.analysis.padding import spread_of, surrounded
from penstock.passes.base import Order, Pass
from penstock.passes.fusion.prologues import why_apart
from penstock.passes.linalg.fuse_parts import fuse_into_parts

_Positions = dict[Block, list[linalg.Index]]
"""Memoises the `linalg.index` ops of each body, so that merging need not search long bodies."""

CHEAP = 4
"""The highest cost of a body that may be recomputed for each element that reads its result."""
CHEAP_SCALAR = 8
"""The same for a scalar, which is hoisted out of the loops."""
MOST_INPUTS = 20
"""The most arrays that one body may read. More would exhaust the address registers and the hardware
prefetchers, and the cost of merging grows with their number."""


class FuseElementwise(Pass):
    """Merge an elementwise generic into a generic that reads its result.

        %0 = linalg.generic ins(%x : tensor<4x8xf32>) outs(%e) { exp }
        %1 = linalg.generic ins(%0, %y) outs(%e) { add }
    ->
        %1 = linalg.generic ins(%x, %y) outs(%e) { exp, add }

    The indexing maps are composed. The rules:
    - A generic that only moves elements (a transpose, broadcast or fill), or that widens a factor
      of a contraction, is merged into every reader.
    - A generic that computes is merged into its only reader, if no element is computed twice or the
      body is cheap. A reduction takes it only if the reduction reads each element once. A
      contraction also takes it as a prologue, if packing computes each element about once
      (`passes/fusion/prologues.py`).
    - A cheap scalar (a tensor of rank 0) is merged into every parallel reader.
    - No body reads more than 20 arrays. No body grows so expensive that rereading an element would
      cost little in comparison.
    - Views and padding of widened tensors are moved ahead of the widening, so that readers can
      merge it.

    A producer without other readers gives up its body instead of cloning it, and the shorter of two
    bodies moves into the longer. So a chain of n ops takes O(n log n) moves.

    An elementwise generic that reads a tensor assembled from parts is merged into the generics of
    the parts (`passes/linalg/fuse_parts.py`).

    With `windows`, a contraction that reads windows of a widened tensor widens it, too: tensor
    cores multiply narrow factors, while packing on the CPU copies windows of wide ones.

    The function that `copy-blobs` made is left alone.
    """

    name = "fuse-elementwise"
    before: ClassVar[Order] = {"outline-groups": None}
    after: ClassVar[Order] = {"lower": None}
    fuses = True
    windows: bool = False

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if not function.is_external and job.BLOBS not in function.attributes:
                fuse_block(function.body, session, self.windows)


def fuse_block(block: Block, session: RewriteSession, windows: bool = False) -> None:
    """Merge the generics of one block, then remove unused ops."""
    for op in block:
        if isinstance(op, arith.Constant):
            _fill_instead(op)
        elif isinstance(op, (tensor.CollapseShape, tensor.ExpandShape)):
            _view_first(op)
        elif isinstance(op, linalg.Generic):
            _pad_first(op)
    positions: _Positions = {}
    if windows:
        for op in block:
            if isinstance(op, linalg.Generic) and generics.is_contraction(op):
                _widen_inside(op, session, positions)
    for op in block:
        if isinstance(op, linalg.Generic) and op.regions:  # else its readers have its body
            _fuse_into(op, session, positions)
            fuse_into_parts(op, session)
    block.erase_unused()


def _fill_instead(op: arith.Constant) -> None:
    """Replace a splat constant by a fill generic, which its readers can merge."""
    value, type = op.value, op.result.type
    if not (isinstance(value, DenseElementsAttr) and value.is_splat and value.type.count):
        return
    if not isinstance(type, TensorType) or not op.result.uses:
        return
    bits = int.from_bytes(value.data, "little", signed=isinstance(type.element, IntegerType))
    number: Attribute = (
        IntegerAttr(bits, type.element)
        if isinstance(type.element, IntegerType)
        else FloatAttr(bits, type.element)
    )
    b = Builder.ahead_of(op)

    def body(b: Builder, _: Sequence[BlockArgument]) -> list[Value]:
        return [b.create(arith.Constant, value=number).result]

    target = linalg.empty(b, type.shape, type.element)
    maps = [AffineMap.identity(type.rank)]
    generic = linalg.generic(b, [], [target], maps, ["parallel"] * type.rank, body)
    op.result.replace_all_uses_with(generic.results[0])
    op.erase()


def _view_first(view: tensor.CollapseShape | tensor.ExpandShape) -> None:
    """Swap a view and the widening it reads, so that readers can merge the widening."""
    (source, *rest), (result,) = view.operands, view.results
    op = _only_widened(source)
    if op is None:
        return
    b, operand = Builder.ahead_of(view), op.inputs[0]
    narrow = TensorType(generics.shape_of(result), generics.tensor_type(operand).element)
    moved = b.insert(type(view)([operand, *rest], [narrow], view.attributes)).results[0]
    _widen_instead(b, op, moved, result)
    view.erase()


def _pad_first(pad: linalg.Generic) -> None:
    """Swap zero padding and the widening it reads, so that readers can merge the widening."""
    padding = spread_of(pad)
    op = None if padding is None else _only_widened(padding.source)
    if padding is None or op is None or padding.constant.bits:
        return
    b, operand, result = Builder.ahead_of(pad), op.inputs[0], pad.results[0]
    zero = FloatAttr(0, cast(FloatType, generics.tensor_type(operand).element))
    shape = generics.shape_of(result)
    moved = surrounded(b, operand, padding.before, shape, zero, padding.apart)
    _name_after(cast(linalg.Generic, moved.defining_op), pad)
    _widen_instead(b, op, moved, result)
    pad.erase()


def _only_widened(value: Value) -> linalg.Generic | None:
    """The generic that makes a value by widening each element in place; None for other values."""
    found = generics.produced(value)
    if found is None or not generics.is_widening(found[0]) or not found[0].is_parallel:
        return None
    op = found[0]
    return op if len(set(op.indexing_maps)) == 1 and op.indexing_maps[0].is_identity else None


def _widen_instead(b: Builder, op: linalg.Generic, moved: Value, result: Value) -> None:
    """Replace `result` by a widening of the narrow `moved`. `op` is the old widening."""
    shape, wide = generics.shape_of(result), generics.tensor_type(result).element

    def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
        return [b.create(arith.ExtF, arguments[0], types=[wide]).result]

    maps = [AffineMap.identity(len(shape))] * 2
    target = linalg.empty(b, shape, wide)
    generic = linalg.generic(b, [moved], [target], maps, ["parallel"] * len(shape), body)
    _name_after(generic, op)
    result.replace_all_uses_with(generic.results[0])


def _name_after(generic: linalg.Generic, op: linalg.Generic) -> None:
    """Copy the location and the source names of `op` to its replacement."""
    generic.location = op.location
    if generics.SOURCE in op.attributes:
        generic.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]


def _fuse_into(consumer: linalg.Generic, session: RewriteSession, positions: _Positions) -> None:
    """Merge producers into the consumer until no more can be merged."""
    while session.may_rewrite():
        _tidy(consumer)
        inputs = range(len(consumer.inputs))
        chosen = next((i for i in inputs if obstacle(consumer, i) is None), None)
        if chosen is None:
            return
        session.count("fuse-elementwise", consumer)
        if session.remarks is not None:
            _remark(session.remarks, consumer, chosen)
        _take_in(consumer, chosen, positions)


def _widen_inside(op: linalg.Generic, session: RewriteSession, positions: _Positions) -> None:
    """Have a contraction widen its own factors, whatever windows it reads of them."""
    for position, value in enumerate(op.inputs):
        if _only_widened(value) is not None and session.may_rewrite():
            session.count("fuse-elementwise", op)
            _take_in(op, position, positions)


def _remark(remarks: list[Remark], consumer: linalg.Generic, position: int) -> None:
    found = generics.produced(consumer.inputs[position])
    assert found is not None
    names = generics.described(found[0]), generics.described(consumer)
    how = "one body computes both, element by element"
    if generics.is_contraction(consumer) and not generics.is_movement(found[0]):
        how = "the product computes it where it packs that factor"
    remarks.append(Remark(*names, True, how))


def obstacle(consumer: linalg.Generic, position: int) -> str | None:
    """Why the producer of an input cannot be merged into the consumer; None if it can."""
    found = generics.produced(consumer.inputs[position])
    if found is None:
        return "no generic makes what it reads"
    producer, which = found
    if any(output.uses for output in generics.output_arguments(producer)):
        return "the producer reduces"
    if not generics.is_movement(producer) and _is_widened_by_readers(consumer):
        return "all that read it widen it for themselves"
    if not generics.is_bijective(producer, which):
        return "the producer is not computed element by element"
    why = _why_not_worthwhile(producer, which, consumer, position)
    if why is not None:
        return why
    if len({*producer.inputs, *consumer.inputs}) - 1 > MOST_INPUTS and producer.inputs:
        return f"that would read more than {MOST_INPUTS} arrays"
    if generics.is_contraction(consumer) and not _is_factor(producer, which, consumer, position):
        return "a contraction reads elements whose subscripts are its own dimensions"
    if not _maps_fit(producer, which, consumer, position):
        return "the operands that remain would not say how far each dimension extends"
    return generics.TOO_LONG if _is_too_long(producer, consumer) else None


def _widens_factors(op: linalg.Generic) -> bool:
    """Whether an op only widens floats, and a contraction reads the result.

    Contractions pack their factors, so each element is widened about once. For other readers the
    widening is cheap.
    """
    return generics.is_widening(op) and any(
        isinstance(user, linalg.Generic) and user.regions and generics.is_contraction(user)
        for user, _ in op.results[0].uses
    )


def _is_widened_by_readers(op: linalg.Generic) -> bool:
    """Whether an op widens factors and every reader can merge it.

    Then only its narrower input is stored.
    """
    return _widens_factors(op) and all(
        isinstance(user, linalg.Generic)
        and position < len(user.inputs)
        and obstacle(user, position) is None
        for user, position in op.results[0].uses
    )


def _is_too_long(producer: linalg.Generic, consumer: linalg.Generic) -> bool:
    """Whether one loop with both bodies would compute too much per element."""
    if generics.is_movement(producer):
        return False
    both = producer, consumer
    most = sum(generics.body_cost(op.body) for op in both)
    return (
        most > generics.MOST_LOOP_CYCLES
        and sum(map(generics.loop_cost, both)) > generics.MOST_LOOP_CYCLES
    )


def _why_not_worthwhile(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> str | None:
    """Why recomputation would cost more than merging saves; None if merging is worthwhile."""
    contracts = generics.is_contraction(consumer)
    if generics.is_movement(producer) or _widens_factors(producer):
        return None
    if _is_worthwhile(producer, consumer, position):
        return None
    if contracts:
        return _why_no_factor(producer, which)
    return "that would compute elements again, for other readers or at other points"


def _why_no_factor(producer: linalg.Generic, which: int) -> str | None:
    """Why a producer does not become a prologue of its readers; None if it does.

    Every reader must be a contraction that takes it. If one does not, it is stored anyway.
    """
    alone = not any(result.uses for i, result in enumerate(producer.results) if i != which)
    for user, position in producer.results[which].uses:
        if isinstance(user, linalg.Generic) and not user.regions:
            continue  # already merged elsewhere: its body is gone
        if not alone or not isinstance(user, linalg.Generic) or not generics.is_contraction(user):
            return "that would compute elements again, for other readers"
        maps = _maps_then(producer, which, user, position)
        why = why_apart(producer, user, position, maps)
        if why is not None:
            return why
    return None


def _is_worthwhile(producer: linalg.Generic, consumer: linalg.Generic, position: int) -> bool:
    """Whether merging computes each element once, or the body is cheap."""
    is_scalar = not producer.iterator_types and len(producer.results) == 1
    if _is_only_use(producer, consumer, position):
        read = consumer.indexing_maps[position]
        if read.is_projected_permutation and len(read.results) == read.rank:
            return True
    elif not is_scalar:
        return False
    limit = CHEAP_SCALAR if is_scalar else CHEAP
    return consumer.is_parallel and generics.body_cost(producer.body) <= limit


def _is_factor(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> bool:
    """Whether the merged op is still a contraction.

    Each subscript must be a single dimension, and the producer must not use positions.
    """
    maps = _maps_then(producer, which, consumer, position)
    if not all(map.is_projected_permutation for map in maps):
        return False
    return not any(isinstance(op, (linalg.Index, tensor.Extract)) for op in producer.body)


def _composed(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> list[Expr]:
    """Each dimension of the producer as an expression over the consumer's dimensions."""
    written = generics.output_map(producer, which).dims()
    read = consumer.indexing_maps[position].results
    exprs: dict[int, Expr] = dict(zip(written, read, strict=True))
    return [exprs[d] for d in range(len(written))]


def _maps_fit(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> bool:
    """Whether the remaining operands still determine the extent of each dimension."""
    maps = list(consumer.indexing_maps)
    maps[position : position + 1] = _maps_then(producer, which, consumer, position)
    return generics.determined(len(consumer.iterator_types), maps)


def _maps_then(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> list[AffineMap]:
    """The maps by which the merged op would read the producer's inputs."""
    rank, dims = len(consumer.iterator_types), _composed(producer, which, consumer, position)
    return [map.substitute(rank, dims) for map in producer.indexing_maps[: len(producer.inputs)]]


class _Input(Record, frozen=False):
    """An input of the merged op. It may stand for several equal inputs of the original ops."""

    value: Value
    map: AffineMap
    arguments: list[BlockArgument]

    @property
    def used(self) -> bool:
        return any(argument.uses for argument in self.arguments)


def _take_in(consumer: linalg.Generic, position: int, positions: _Positions) -> None:
    """Merge the producer of an input into the consumer."""
    found = generics.produced(consumer.inputs[position])
    assert found is not None
    producer, which = found
    dims = _composed(producer, which, consumer, position)
    rank = len(consumer.iterator_types)
    names = [*generics.sources(producer), *generics.sources(consumer)]
    own = consumer.body
    replaced = own.arguments[position]
    outputs = generics.output_arguments(consumer)

    sources = [(value, producer.indexing_maps[i]) for i, value in enumerate(producer.inputs)]
    taken = _body_for(producer, consumer, position, positions)
    inputs = _inputs(consumer)
    inputs[position : position + 1] = [
        _Input(value, map.substitute(rank, dims), [argument])
        for (value, map), argument in zip(sources, taken.arguments, strict=False)
    ]
    kept = _kept(consumer, inputs)
    moved = _moved_positions(taken, dims, consumer.location, positions)
    moved += _index_ops(own, positions)
    yielded = taken.terminator
    replaced.name = ""
    replaced.replace_all_uses_with(yielded.operands[which])
    yielded.erase()
    body = _spliced(taken, own)
    body.terminator.location = consumer.location
    positions[body] = moved
    _read(consumer, kept, body, outputs)
    consumer.location = fuse(producer.location, consumer.location)
    if names:
        consumer.attributes[generics.SOURCE] = StringAttr("+".join(names))


def _is_only_use(producer: linalg.Generic, consumer: linalg.Generic, position: int) -> bool:
    used = [result.uses for result in producer.results if result.uses]
    return len(used) == 1 and len(used[0]) == 1 and (consumer, position) in used[0]


def _body_for(
    producer: linalg.Generic, consumer: linalg.Generic, position: int, positions: _Positions
) -> Block:
    """The producer's body: a clone if it has other readers, else the body itself, detached."""
    if not _is_only_use(producer, consumer, position):
        return producer.region.clone({}).blocks[0]
    body = producer.body
    producer.regions = []
    return body


def _spliced(first: Block, second: Block) -> Block:
    """Concatenate two bodies by moving the ops of the shorter into the longer."""
    one, other = first.first, second.first
    while one is not None and other is not None:
        one, other = one.next, other.next
    if one is not None:
        for op in second:
            op.detach()
            first.append(op)
        return first
    anchor = second.first
    assert anchor is not None
    for op in first:
        op.move_before(anchor)
    return second


def _index_ops(body: Block, positions: _Positions) -> list[linalg.Index]:
    """The `linalg.index` ops of a body."""
    if body not in positions:
        positions[body] = [op for op in body if isinstance(op, linalg.Index)]
    return positions[body]


def _moved_positions(
    body: Block, dims: Sequence[Expr], location: Location, positions: _Positions
) -> list[linalg.Index]:
    """Rewrite the `linalg.index` ops of a body whose dimensions become the expressions `dims`."""
    indices: list[linalg.Index] = []
    for op in _index_ops(body, positions):
        b = Builder.ahead_of(op)
        b.location = location
        value = _position(b, dims[op.dim], indices)
        op.value.name = ""
        op.value.replace_all_uses_with(value)
        op.erase()
    return indices


def _tidy(consumer: linalg.Generic) -> None:
    """Merge equal inputs and drop unused ones."""
    inputs = _inputs(consumer)
    kept = _kept(consumer, inputs)
    if len(kept) < len(inputs):
        _read(consumer, kept, consumer.body, generics.output_arguments(consumer))


def _inputs(op: linalg.Generic) -> list[_Input]:
    maps, arguments = op.indexing_maps, op.body.arguments
    return [_Input(v, maps[i], [arguments[i]]) for i, v in enumerate(op.inputs)]


def _kept(op: linalg.Generic, inputs: Sequence[_Input]) -> list[_Input]:
    """The inputs without duplicates, and without those that nothing needs.

    An input is needed if the body reads it, or if it alone determines an extent.
    """
    joined: dict[tuple[Value, AffineMap], _Input] = {}
    for entry in inputs:
        first = joined.setdefault((entry.value, entry.map), _Input(entry.value, entry.map, []))
        first.arguments.extend(entry.arguments)
    maps = [entry.map for entry in joined.values() if entry.used]
    maps += op.indexing_maps[len(op.inputs) :]
    kept = []
    for entry in joined.values():
        if not entry.used and generics.determined(len(op.iterator_types), maps):
            continue
        maps.append(entry.map)
        kept.append(entry)
    return kept


def _read(
    op: linalg.Generic, inputs: Sequence[_Input], body: Block, outputs: Sequence[BlockArgument]
) -> None:
    """Set an op's inputs and body. `outputs` are the body's arguments for the outputs."""
    maps = [*(entry.map for entry in inputs), *op.indexing_maps[len(op.inputs) :]]
    values = [entry.value for entry in inputs]
    targets = op.outputs
    op.attributes[SEGMENTS] = segment_sizes([values, targets])
    op.operands = [*values, *targets]
    op.indexing_maps = maps
    body.arguments = [*(_joined(entry.arguments) for entry in inputs), *outputs]
    for i, argument in enumerate(body.arguments):
        argument.block, argument.index = body, i
        argument.name, argument.location = "", UNKNOWN
    region = body.region
    assert region is not None
    op.regions = [region]
    region.op = op


def _joined(arguments: Sequence[BlockArgument]) -> BlockArgument:
    """Replace equal arguments by the one with the most uses, so that the fewest uses change."""
    kept = max(arguments, key=lambda argument: len(argument.uses))
    for argument in arguments:
        argument.replace_all_uses_with(kept)
    return kept


def _position(b: Builder, expr: Expr, positions: list[linalg.Index]) -> Value:
    """Emit an affine expression over the dimensions of the body that `b` inserts into.

    The `linalg.index` ops created are appended to `positions`.
    """

    def number(value: int) -> Value:
        return b.create(arith.Constant, value=IntegerAttr(value, index)).result

    def dimension(dim: int) -> Value:
        positions.append(b.create(linalg.Index, dim=dim))
        return positions[-1].value

    def apply(cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return b.create(cls, x, y).result

    return affine_value(expr, dimension, number, apply)
