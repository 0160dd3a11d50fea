"""Lowered ops on the part of one rank."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg, tensor
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.base import tensor as type_of
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import Box
from penstock.ir.dialects.job.sharding import (
    BROADCAST,
    axis_states,
    coordinates,
    joined,
    part,
    split_dim,
)
from penstock.ir.meaning.boxing import Step
from penstock.ir.meaning.sbp_rules import ANY, Rule, SbpSignature, inner_rules
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.types import TensorType, Type
from penstock.passes.placement.states import Signature


def local_lowering(
    op: TensorOp,
    types: Sequence[Type],
    signature: Signature,
    mesh: tuple[int, ...],
    rank: int,
) -> Func:
    """The lowering of an op on the parts of one rank; `types` are those of the whole operands.

    An `sbp.box` in it is what ranks reduce inside the op.
    """
    function = lowered_copy(op, types)
    for axis, (count, place) in enumerate(zip(mesh, coordinates(mesh, rank), strict=True)):
        if count > 1:
            own = SbpSignature(*signature.on_axis(axis))
            localize_on_axis(function, op, own, mesh, axis, place)
    return function


def exchanges_of(function: Func) -> dict[Box, Step]:
    """What ranks reduce inside a local lowering: the step of each `sbp.box`."""
    found = {}
    for box in function.body:
        if isinstance(box, Box):
            pairs = zip(axis_states(box.source), axis_states(box.target), strict=True)
            (axis,) = [axis for axis, (before, after) in enumerate(pairs) if before != after]
            found[box] = Step("all_reduce", axis, box.source, box.target)
    return found


def localize_on_axis(
    function: Func,
    op: TensorOp,
    signature: SbpSignature,
    mesh: tuple[int, ...],
    axis: int,
    place: int,
) -> None:
    """Cut the lowering of an op down to what one of several ranks computes, in place.

    `signature` is one of the op's and `place` the rank's place on the axis of the mesh. Scalar
    bodies keep the numbers of the whole: a mean is divided by the count of all elements. What ranks
    reduce is an `sbp.box`.

        linalg.generic ins(%x : tensor<8x4xf32>) outs(%0 : tensor<8xf32>)
    ->                                                         S(0), 2 ranks
        linalg.generic ins(%x : tensor<4x4xf32>) outs(%0 : tensor<4xf32>)

    Fails where the ranks cannot share the op so.
    """
    found = inner_rules(function, signature, mesh[axis], op.by_place)
    if found is None:
        op.fail(
            f"cannot be shared by {mesh[axis]} ranks as {signature}: it is none of its signatures"
        )
    _Localization(function, op, signature, *found, mesh, axis, place).run()


class _Localization:
    def __init__(
        self,
        function: Func,
        op: TensorOp,
        signature: SbpSignature,
        states: dict[Value, str],
        rules: dict[Operation, Rule],
        mesh: tuple[int, ...],
        axis: int,
        place: int,
    ) -> None:
        self.function = function
        self.op = op
        self.signature = signature
        self.states = states
        self.rules = rules
        self.mesh = mesh
        self.axis = axis
        self.count = mesh[axis]
        self.place = place

    def run(self) -> None:
        *ops, terminator = self.function.body
        for argument in self.function.arguments:
            argument.type = self._local(argument, self.states[argument])
        for op in ops:
            match op:
                case tensor.CollapseShape() | tensor.ExpandShape():
                    self._view(op)
                case linalg.Generic() | Kernel():
                    self._compute(op)
                    if self.rules[op].exchange:
                        self._exchange(op, self.rules[op].exchange)
                case Box():
                    op.y.type = op.x.type
        for i, value in enumerate(terminator.operands):
            if self.states[value] == ANY:
                made = self._empty(terminator, value, self.signature.results[i])
                terminator.set_operand(i, made)
        self.function.update_type()

    def _local(self, value: Value, state: str) -> TensorType:
        """The type of the rank's part of a value whose type is that of the whole."""
        type, dim = type_of(value), split_dim(state)
        if dim is None:
            return type
        _, extent = part(type.shape[dim], self.count, self.place)
        return TensorType((*type.shape[:dim], extent, *type.shape[dim + 1 :]), type.element)

    def _empty(self, user: Operation, value: Value, state: str) -> Value:
        """A tensor of no elements yet, for a use of one whose elements are never read."""
        type = self._local(value, state)
        return linalg.empty(Builder.ahead_of(user), type.shape, type.element)

    def _view(self, op: tensor.CollapseShape | tensor.ExpandShape) -> None:
        state = self.states[op.view]
        if state == ANY:
            return
        op.view.type = self._local(op.view, state)
        if isinstance(op, tensor.ExpandShape):
            op.static_output_shape = list(type_of(op.view).shape)

    def _compute(self, op: linalg.Generic | Kernel) -> None:
        rule = self.rules[op]
        used = list(dict.fromkeys([*op.operands, *_extracted(op)]))
        wanted = dict(zip(used, rule.used, strict=True))
        extents = op.extents if isinstance(op, linalg.Generic) else []
        for user in (op, *(op.body if isinstance(op, linalg.Generic) else ())):
            for i, value in enumerate(user.operands):
                if value in wanted and self.states[value] == ANY:
                    user.set_operand(i, self._empty(op, value, wanted[value]))
        for result, state in zip(op.results, rule.results, strict=True):
            result.type = self._local(result, state)
        if isinstance(op, linalg.Generic):
            self._shift(op, rule.dimension, extents)
        elif op.result_shape:
            setattr(op, op.result_shape, list(type_of(op.results[0]).shape))

    def _exchange(self, op: Operation, state: str) -> None:
        """Have ranks reduce the results of an op, which are partial."""
        states = [BROADCAST] * len(self.mesh)
        target = joined(states)
        states[self.axis] = state
        for result in op.results:
            uses = list(result.uses)
            assert op.next is not None
            b = Builder.ahead_of(op.next)
            box = b.create(Box, result, source=joined(states), target=target)
            self.states[box.y] = BROADCAST
            for user, i in uses:
                user.set_operand(i, box.y)

    def _shift(self, op: linalg.Generic, dimension: int | None, extents: list[int]) -> None:
        """Make positions along the split dimension those in the whole, but where the body reads
        the rank's part of a tensor."""
        if dimension is None or not self.op.by_place:
            return
        start, _ = part(extents[dimension], self.count, self.place)
        for index in [i for i in op.body if isinstance(i, linalg.Index) and i.dim == dimension]:
            uses = [
                (user, i) for user, i in index.value.uses if not isinstance(user, tensor.Extract)
            ]
            if start and uses:
                assert index.next is not None
                moved = structured.offset(Builder.ahead_of(index.next), index.value, start)
                for user, i in uses:
                    user.set_operand(i, moved)


def _extracted(op: Operation) -> list[Value]:
    """The tensors that a generic's body reads by index."""
    if not isinstance(op, linalg.Generic):
        return []
    return [inner.operands[0] for inner in op.body if isinstance(inner, tensor.Extract)]
