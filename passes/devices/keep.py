"""Pass `keep-device`: the part of a job that one of its devices runs."""

from __future__ import annotations

from typing import Any, ClassVar

from penstock.ir.attributes import StringAttr, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.between_devices import DEVICE, DEVICES, CopyHd, Give, Take
from penstock.ir.dialects.job.sbp import PLACEMENT, SIGNATURE
from penstock.passes.base import Order, Pass
from penstock.passes.devices.box import name_of


class KeepDevice(Pass):
    """Keep what one device computes, and the ends of copies there.

        %h = "flow.relu"(%x) ...
        %0 = "sbp.copy_hd"(%h) {source = "cpu 0:0", target = "gpu 0:0"}
        %y = "flow.matmul"(%0, %w) ...
    ->                                          device = "cpu 0:0"
        %h = "flow.relu"(%x) ...
        "sbp.give"(%h) {number = 0}
    ->                                          device = "gpu 0:0"
        %0 = "sbp.take"() {number = 0}
        %y = "flow.matmul"(%0, %w) ...

    A value is given as soon as it is computed, and taken where it is first read, so the other
    device may compute meanwhile. Both parts have their ends of copies in the order of the job, so
    neither waits for what comes later in the other. Feeds stay where they are read, those that
    nobody reads on the CPU. Jobs on one device stay as they are.
    """

    name = "keep-device"
    device: str = "cpu 0:0"
    before: ClassVar[Order] = {"lower": "that forgets where ops are"}
    after: ClassVar[Order] = {"box-devices": None, "autodiff": None}

    def run(self, module: Module) -> None:
        known = module.attributes.pop(DEVICES, None)
        if known is None:
            return
        devices: list[str] = python_value(known)
        if self.device not in devices:
            module.fail(f"is on {' and '.join(devices)}: expected one of these, got {self.device}")
        _Part(module, self.device, self.device == devices[0]).run()
        if self.device != devices[0]:
            module.attributes[DEVICE] = StringAttr(self.device)


class _Part:
    def __init__(self, module: Module, device: str, is_host: bool) -> None:
        self.job = module.job
        self.device = device
        self.is_host = is_host
        self.ops = [op for op in self.job.body if not op.terminator]
        self.positions = {op: i for i, op in enumerate(self.ops)}
        self.positions[self.job.returned] = len(self.ops)
        self.elsewhere: set[Operation] = set()
        self.unread = {value for value in self.job.arguments if not value.uses}

    def run(self) -> None:
        self._keep_results()
        copies = [op for op in self.ops if isinstance(op, CopyHd)]
        for number, copy in enumerate(copies):
            self._take_part(copy, number)
        for op in self.ops:
            if op in copies or name_of(op.attributes[PLACEMENT]) != self.device:
                self.elsewhere.add(op)
            else:
                for name in (PLACEMENT, SIGNATURE):
                    op.attributes.pop(name, None)
        for op in reversed(self.ops):
            if op in self.elsewhere:
                op.erase()
        self._keep_arguments()
        self.job.update_type()

    def _is_here(self, value: Value) -> bool:
        """Whether a value that is returned is on this device."""
        made = value.defining_op
        if made is not None:
            return name_of(made.attributes[PLACEMENT]) == self.device
        place = self.job.argument_attributes(self.job.arguments.index(value)).get(PLACEMENT)
        return self.is_host if place is None else name_of(place) == self.device

    def _keep_results(self) -> None:
        returned = self.job.returned
        kept = [i for i, value in enumerate(returned.operands) if self._is_here(value)]
        results: list[dict[str, Any]] = [dict(self.job.result_attributes(i)) for i in kept]
        returned.operands = [returned.operands[i] for i in kept]
        self.job.update_type()
        self.job.set_all_result_attributes(results)

    def _take_part(self, copy: CopyHd, number: int) -> None:
        """Insert this device's end of a copy."""
        if copy.source == self.device:
            Builder.ahead_of(copy).create(Give, copy.x, number=number)
        if copy.target != self.device:
            return
        readers = [op for op in copy.y.users() if op in self.positions]
        if not readers:
            return
        first = min(readers, key=self.positions.__getitem__)
        b = Builder.ahead_of(first)
        b.location = copy.location
        taken = b.create(Take, types=[copy.y.type], number=number)
        taken.result.name = copy.y.name
        copy.y.replace_all_uses_with(taken.result)

    def _keep_arguments(self) -> None:
        """Drop the variables of other devices, and the feeds that are read there alone."""
        body, entries = self.job.body, []
        for i in reversed(range(len(body.arguments))):
            value, own = body.arguments[i], dict(self.job.argument_attributes(i))
            place = own.pop(PLACEMENT, None)
            if place is None:
                is_kept = bool(value.uses) or (self.is_host and value in self.unread)
            else:
                is_kept = name_of(place) == self.device
            if is_kept:
                entries.append(own)
            else:
                body.erase_argument(i)
        self.job.set_all_argument_attributes(entries[::-1])
