"""Pass `box-devices`: copies between the devices of a job."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import Attribute, DictAttr, attribute, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.between_devices import DEVICES, CopyHd
from penstock.ir.dialects.job.sbp import PLACEMENT, SIGNATURE
from penstock.passes.base import Order, Pass


class BoxDevices(Pass):
    """Copy each value to the other devices that read it, as soon as it is computed, and once.

        %h = "flow.relu"(%x) {sbp.placement = {device = "cpu", ranks = ["0:0"]}}
        %y = "flow.matmul"(%h, %w) {sbp.placement = {device = "gpu", ranks = ["0:0"]}}
    ->
        %h = "flow.relu"(%x) ...
        %0 = "sbp.copy_hd"(%h) {source = "cpu 0:0", target = "gpu 0:0"}
        %y = "flow.matmul"(%0, %w) ...

    A new value of a variable goes to the device of the variable. Feeds are given to every device
    that reads them. Constants, and single numbers that depend on variables alone, such as a
    learning rate, are computed on each device. Jobs on one device stay as they are.
    """

    name = "box-devices"
    before: ClassVar[Order] = {"keep-device": None, "lower": None}
    after: ClassVar[Order] = {"place": "it says where ops are", "autodiff": None}

    def run(self, module: Module) -> None:
        if DEVICES in module.attributes:
            _Boxes(module.job).run()


class _Boxes:
    def __init__(self, job: Func) -> None:
        self.job = job
        self.of_argument = {
            value: place
            for i, value in enumerate(job.arguments)
            if isinstance(place := job.argument_attributes(i).get(PLACEMENT), DictAttr)
        }
        self.copies: dict[tuple[Value, DictAttr], Value] = {}

    def run(self) -> None:
        ops = list(self.job.body)
        for op in ops:
            if not op.terminator and not isinstance(op, CopyHd):
                self._read(op, _placement(op))
        variables = {
            self.job.argument_attributes(i).get("job.variable"): place
            for i, value in enumerate(self.job.arguments)
            if (place := self.of_argument.get(value)) is not None
        }
        returned = self.job.returned
        for i, value in enumerate(returned.operands):
            name = self.job.result_attributes(i).get("job.update")
            if name is not None:
                returned.set_operand(i, self._on(value, variables[name]))
        for op in reversed(list(self.job.body)):
            is_ours = isinstance(op, CopyHd) or (not op.terminator and self._is_cheap(op))
            if is_ours and op.is_unused:
                op.erase()  # all its readers are on another device

    def _read(self, op: Operation, place: DictAttr) -> None:
        for i, value in enumerate(op.operands):
            op.set_operand(i, self._on(value, place))

    def _on(self, value: Value, place: DictAttr) -> Value:
        """The value on a device."""
        made = value.defining_op
        source = self.of_argument.get(value) if made is None else _placement(made)
        if source is None or source is place:
            return value
        if isinstance(made, CopyHd):
            return self._on(made.x, place)
        if (value, place) not in self.copies:
            self.copies[value, place] = self._copied(value, source, place)
        return self.copies[value, place]

    def _is_cheap(self, op: Operation) -> bool:
        """Whether an op is computed on each device that reads it."""
        if not op.pure or not op.operands:
            return op.pure
        are_numbers = all(tensor(value).count == 1 for value in (*op.operands, *op.results))
        makers = [value.defining_op for value in op.operands if value not in self.of_argument]
        return are_numbers and all(made is not None and self._is_cheap(made) for made in makers)

    def _copied(self, value: Value, source: DictAttr, place: DictAttr) -> Value:
        made = value.defining_op
        following = self.job.body.first if made is None else made.next
        assert following is not None
        if made is not None and self._is_cheap(made):
            again = made.clone({one: self._on(one, place) for one in made.operands})
            again.attributes[PLACEMENT] = place
            self.job.body.insert_before(following, again)
            return next(
                new for old, new in zip(made.results, again.results, strict=True) if old is value
            )
        b = Builder.ahead_of(following)
        b.location = self.job.location if made is None else made.location
        copy = b.create(CopyHd, value, source=name_of(source), target=name_of(place))
        copy.attributes[PLACEMENT] = place
        copy.attributes[SIGNATURE] = attribute({"operands": ["B"], "results": ["B"]})
        copy.result.name = value.name
        return copy.result


def _placement(op: Operation) -> DictAttr:
    place = op.attributes.get(PLACEMENT)
    if not isinstance(place, DictAttr):
        op.fail(f"expected {PLACEMENT} on every op of a job on several devices, got {place}")
    return place


def name_of(place: Attribute) -> str:
    """The device of a placement by its name, such as `gpu 0:0`."""
    entries = python_value(place)
    return f"{entries['device']} {entries['ranks'][0]}"
