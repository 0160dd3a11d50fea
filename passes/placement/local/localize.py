"""Pass `localize`: the job of one rank, on its parts of the values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar, cast

from penstock.ir.attributes import Attribute, IntegerAttr, attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import (
    BUCKET,
    DEFERRED,
    GROUP,
    LOCAL,
    PART,
    PLACEMENT,
    SIGNATURE,
    STATE,
    Box,
)
from penstock.ir.dialects.job.sharding import local_shape, part_of
from penstock.ir.dialects.job.views import FromLocal
from penstock.ir.meaning.boxing import Step
from penstock.ir.types import TensorType, Type
from penstock.passes.base import Order, Pass
from penstock.passes.placement.local.exchanges import Conversion, convert, exchange, steps_of
from penstock.passes.placement.local.groups import Group, Groups
from penstock.passes.placement.local.local_ops import LocalOp, exchanges_of
from penstock.passes.placement.local.places import ExtentSizes, PartSizes, Places
from penstock.passes.placement.local.states import (
    Signature,
    argument_state,
    links_of,
    ranks_of,
    signature_of,
    whole,
)
from penstock.passes.placement.local.transfers import Move


class Localize(Pass):
    """Replace each op that ranks share by its lowering on the parts of one rank.

        %y = "flow.relu"(%x) {sbp.signature = {operands = ["S(0)"], results = ["S(0)"]}}
          : (tensor<8xf32>) -> tensor<8xf32>
        %z = "sbp.box"(%y) {source = "S(0)", target = "B"} : (tensor<8xf32>) -> tensor<8xf32>
    ->                                                                  two ranks
        %0 = tensor.empty() : tensor<4xf32>
        %1 = linalg.generic ... ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>)
        %z = "sbp.collective"(%1) {kind = "all_gather", ranks = array<i64: 0, 1>, ...}
          : (tensor<4xf32>) -> tensor<8xf32>

    Ops that every rank computes in full are left to `lower`. A variable is the rank's part of it; a
    feed is the whole, of which the rank takes its part, unless it is `sbp.local`. Ops of groups of
    ranks that the rank is not in are removed, and the rank has no elements of their variables.
    Modules of one rank stay as they are.
    """

    name = "localize"
    for_ranks = True
    rank: int = 0
    before: ClassVar[Order] = {"lower": "that lowers whole ops"}
    after: ClassVar[Order] = {"autodiff": None}

    def run(self, module: Module) -> None:
        count = ranks_of(module)
        if count == 1:
            return
        if not 0 <= self.rank < count:
            module.fail(f"is for {count} ranks: expected a rank below that, got {self.rank}")
        localize(module, self.rank)


def localize(module: Module, rank: int) -> Places:
    """What the pass does; returns what the code of the rank depends on."""
    localizer = _Localizer(module, rank)
    localizer.run()
    return localizer.places


class _Localizer:
    def __init__(self, module: Module, rank: int) -> None:
        self.job = module.job
        self.groups = Groups(module)
        self.links = links_of(module)
        self.rank = rank
        self.places = Places(self.job, rank)
        self.types: dict[Operation, list[Type]] = {}
        """The types of whole operands."""
        self.absent: set[Operation] = set()
        """Ops whose results this rank does not have."""

    def run(self) -> None:
        ops = list(self.job.body)
        self.types = {op: [value.type for value in op.operands] for op in ops}
        self._return_absent()
        self._localize_arguments()
        for bucket, found in groupby(ops, key=_bucket):
            here: list[Operation] = []
            for op in found:
                if self._place(self.groups.of(op)) is not None or self._gives(op):
                    here.append(op)
                else:
                    self.absent.add(op)
            if bucket is None:
                for op in here:
                    self._replace(op)
            elif here:
                self._convert([box for box in here if isinstance(box, Box)])
        for op in reversed(ops):
            if op in self.absent:
                op.erase()
        self.job.update_type()

    def _place(self, group: int) -> int | None:
        """This rank's place in a group; None if it is not in it."""
        return self.groups.every[group].place(self.rank)

    def _gives(self, op: Operation) -> bool:
        """Whether this rank has what an op takes to another group."""
        return isinstance(op, Box) and self.groups.source(op).place(self.rank) is not None

    def _return_absent(self) -> None:
        """Return variables of groups that this rank is not in as they are: without elements."""
        returned = self.job.returned
        variables = {
            self.job.argument_attributes(i).get("job.variable"): value
            for i, value in enumerate(self.job.arguments)
        }
        for i in range(len(returned.operands)):
            if self._place(self.groups.of_result(i)) is None:
                name = self.job.result_attributes(i)["job.update"]
                returned.set_operand(i, variables[name])

    def _localize_arguments(self) -> None:
        every = []
        for i, argument in enumerate(self.job.arguments):
            attributes: dict[str, Any] = dict(self.job.argument_attributes(i))
            number = self.groups.of_argument(i)
            group = self.groups.every[number]
            state = argument_state(self.job, i, group.mesh)
            attributes.pop(STATE, None)
            attributes.pop(GROUP, None)
            if group.place(self.rank) is not None:
                self.places.depends_on.add(PartSizes(group, tensor(argument).shape, state))
            if number or state != whole(group.mesh):
                if "job.variable" in attributes:
                    attributes[PART] = self._part(argument, state, group)
                elif attributes.pop(LOCAL, None) is not None:
                    shape = local_shape(tensor(argument).shape, state, group.mesh, self.rank)
                    argument.type = TensorType(shape, tensor(argument).element)
                else:
                    self._take_part(argument, state)
            every.append(attributes)
        self.job.set_all_argument_attributes(every)
        results = [dict(self.job.result_attributes(i)) for i in range(len(self.job.type.results))]
        for one in results:
            one.pop(STATE, None)
        self.job.set_all_result_attributes(results)

    def _part(self, argument: Value, state: str, group: Group) -> Attribute:
        """Make an argument this rank's part of a variable; says which part that is."""
        type, place = tensor(argument), group.place(self.rank)
        if place is not None:
            argument.type = TensorType(
                local_shape(type.shape, state, group.mesh, place), type.element
            )
            return self._origin(type, state, group)
        argument.type = TensorType((0, *type.shape[1:]), type.element)
        return attribute({"whole": list(type.shape), "origin": [0] * type.rank})

    def _origin(self, type: TensorType, state: str, group: Group) -> Attribute:
        """Which part of a tensor this rank has."""
        place = group.place(self.rank)
        assert place is not None
        origin = [offset for offset, _ in part_of(type.shape, state, group.mesh, place)]
        return attribute({"whole": list(type.shape), "origin": origin})

    def _take_part(self, argument: Value, state: str) -> None:
        """Have readers of a feed read this rank's part of it."""
        first = self.job.body.first
        assert first is not None
        uses = list(argument.uses)
        mesh = self.groups.every[0].mesh
        b, states = Builder.ahead_of(first), (whole(mesh), state)
        taken = convert(
            b, argument, tensor(argument), states, self.groups.every[0], self.places,
            links=self.links,
        )  # fmt: skip
        for user, i in uses:
            user.set_operand(i, taken)

    def _replace(self, op: Operation) -> None:
        group = self.groups.every[self.groups.of(op)]
        if isinstance(op, Box):
            self._box(op, group)
        elif isinstance(op, FromLocal):
            _replace(op, [op.x])
        elif isinstance(op, TensorOp):
            signature = signature_of(op, group.mesh)
            if not signature.is_whole:
                self._localize(op, signature, group)
        elif op.takes_parts:
            (state,) = signature_of(op, group.mesh).operands
            if state != whole(group.mesh):
                type = cast(TensorType, self.types[op][0])
                op.attributes[PART] = self._origin(type, state, group)
        for name in (PLACEMENT, SIGNATURE, GROUP):
            op.attributes.pop(name, None)

    def _box(self, box: Box, group: Group) -> None:
        states, type, b = (box.source, box.target), tensor(box.y), Builder.ahead_of(box)
        if box.giver is None:
            deferred = DEFERRED in box.attributes
            _replace(
                box,
                [convert(b, box.x, type, states, group, self.places, deferred, self.links)],
            )
            return
        move = Move(type, states, self.groups.source(box), group)
        made = move.lower(b, box.x if self._gives(box) else None, self.places)
        if made is not None:
            _replace(box, [made])
        else:
            self.absent.add(box)

    def _convert(self, boxes: Sequence[Box]) -> None:
        """Replace conversions that one collective does together."""
        b = Builder.ahead_of(boxes[-1])
        group = self.groups.every[self.groups.of(boxes[0])]
        steps = [
            steps_of(tensor(box.y), (box.source, box.target), group.mesh, self.links)
            for box in boxes
        ]
        if {len(each) for each in steps} != {1} or len({_together(each[0]) for each in steps}) != 1:
            boxes[0].fail("is in a bucket with conversions that no single collective does")
        conversions = [
            Conversion(step, tensor(box.y).shape, group, self.places, DEFERRED in box.attributes)
            for box, (step,) in zip(boxes, steps, strict=True)
        ]
        made = exchange(b, conversions, [box.x for box in boxes])
        for box, value in zip(boxes, made, strict=True):
            _replace(box, [value])

    def _localize(self, op: TensorOp, signature: Signature, group: Group) -> None:
        """Lower an op that ranks share to what this rank computes."""
        place = group.place(self.rank)
        assert place is not None
        local = LocalOp(op, self.types[op], signature, group.mesh, place)
        for box, step in exchanges_of(local.function).items():
            reduction = Conversion(step, tensor(box.x).shape, group, self.places)
            _replace(box, [reduction.lower(Builder.ahead_of(box), box.x)])
        self.places.depends_on |= {ExtentSizes(group, axis, n) for axis, n in local.split}
        places = [self.places.on(group, axis) for axis in local.axes]
        _replace(op, _inlined(local.function, op, [*op.operands, *places]))


def _bucket(op: Operation) -> int | None:
    """The number of the bucket that a conversion is in."""
    found = op.attributes.get(BUCKET)
    return found.value if isinstance(op, Box) and isinstance(found, IntegerAttr) else None


def _together(step: Step) -> tuple[str, int, str | None]:
    """What steps have in common that one collective does."""
    return step.kind, step.axis, step.reduction


def _inlined(function: Func, op: Operation, operands: Sequence[Value]) -> list[Value]:
    """Copy the body of a function before an op, on these operands; the values that it returns."""
    mapping: dict[Value, Value] = dict(zip(function.arguments, operands, strict=True))
    b = Builder.ahead_of(op)
    *inner, terminator = function.body
    for one in inner:
        b.insert(one.clone(mapping))
    return [mapping[value] for value in terminator.operands]


def _replace(op: Operation, values: list[Value]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()
