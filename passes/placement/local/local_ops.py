"""Lowered ops on the part of one rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg, tensor
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
from penstock.ir.write import scalars
from penstock.passes.placement.local.places import PLACE_TYPE, start_of_part
from penstock.passes.placement.local.states import Signature


class LocalOp:
    """The lowering of an op on the parts of one rank; `types` are those of the whole operands.

    An `sbp.box` in it is what ranks reduce inside the op.
    """

    def __init__(
        self,
        op: TensorOp,
        types: Sequence[Type],
        signature: Signature,
        mesh: tuple[int, ...],
        rank: int,
    ) -> None:
        self.function = lowered_copy(op, types)
        self.axes: list[int] = []
        """The axes on which the rank's places are further arguments of the function."""
        self.split: set[tuple[int, int]] = set()
        """The axes and the extents that are split on them."""
        axes = []
        for axis, (count, place) in enumerate(zip(mesh, coordinates(mesh, rank), strict=True)):
            if count > 1:
                own = SbpSignature(*signature.on_axis(axis))
                axes.append(localize_on_axis(self.function, op, own, mesh, axis, place))
        for each in axes:
            self.split |= {(each.axis, extent) for extent in each.split}
            if each.shifts:
                self._shift(each)

    def _shift(self, on: _Localization) -> None:
        """Make positions along the dimensions that an axis splits those in the whole."""
        place = self.function.body.add_argument(PLACE_TYPE, "place")
        self.axes.append(on.axis)
        for op, dimension, extent in on.shifts:
            _moved(op, dimension, lambda b, e=extent: start_of_part(b, place, e, on.count))  # type: ignore[misc]


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
) -> _Localization:
    """Cut the lowering of an op down to what one of several ranks computes, in place.

    `signature` is one of the op's and `place` the rank's place on the axis of the mesh. Scalar
    bodies keep the numbers of the whole: a mean is divided by the count of all elements. What ranks
    reduce is an `sbp.box`. Positions in the whole are left to `LocalOp`.

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
    localized = _Localization(function, op, signature, *found, mesh, axis, place)
    localized.run()
    return localized


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
        self.split: set[int] = set()
        """The extents that are split."""
        self.shifts: list[tuple[linalg.Generic, int, int]] = []
        """Bodies that use positions in the whole: the dimension that is split, and its extent."""

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
        self.split.add(type.shape[dim])
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
        """Have positions along the split dimension become those in the whole."""
        if dimension is not None and self.op.by_place:
            self.shifts.append((op, dimension, extents[dimension]))


def _moved(op: linalg.Generic, dimension: int, start: Callable[[Builder], Value]) -> None:
    """Add a start to positions along a dimension, but where the body reads the rank's part of a
    tensor."""
    for index in [i for i in op.body if isinstance(i, linalg.Index) and i.dim == dimension]:
        uses = [(user, i) for user, i in index.value.uses if not isinstance(user, tensor.Extract)]
        if uses:
            assert index.next is not None
            b = Builder.ahead_of(index.next)
            moved = scalars.add(b, index.value, start(b))
            for user, i in uses:
                user.set_operand(i, moved)


def _extracted(op: Operation) -> list[Value]:
    """The tensors that a generic's body reads by index."""
    if not isinstance(op, linalg.Generic):
        return []
    return [inner.operands[0] for inner in op.body if isinstance(inner, tensor.Extract)]
