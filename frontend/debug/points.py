"""The watch points of a job at stage `grad`, and the ops that make their values."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.attributes import StringAttr
from penstock.ir.core import BlockArgument, OpResult, Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.update import Update
from penstock.ir.record import Record
from penstock.ir.types import TensorType, is_float


class Point(Record):
    """A watch point: what its value is, and what it was computed from."""

    label: str
    op: str
    """The name of the op; empty for an argument of the job."""
    phase: str
    """"feed", "variable", "forward", "backward" or "update"."""
    location: str
    operands: tuple[str, ...]
    """The labels of the operands' watch points, or what an operand is that has none."""
    is_float: bool


def points_of(module: Module) -> Mapping[str, Point]:
    """The watch points of a job by label, in the order in which their values are computed."""
    body = module.job.body
    labels: dict[Value, list[str]] = {}
    for op in body:
        if isinstance(op, job.Watch | job.Watchable):
            labels.setdefault(op.value, []).append(op.label)
    values: list[Value] = list(body.arguments)
    for op in body:
        values += op.results
    found: dict[str, Point] = {}
    for value in values:
        for label in labels.get(value, ()):
            found[label] = _point(module, label, value, labels)
    return found


def _point(
    module: Module, label: str, value: Value, labels: Mapping[Value, list[str]]
) -> Point:  # fmt: skip
    floats = isinstance(value.type, TensorType) and is_float(value.type.element)
    if isinstance(value, BlockArgument):
        facts = module.job.argument_attributes(value.index)
        phase = "variable" if isinstance(facts.get("job.variable"), StringAttr) else "feed"
        return Point(label, "", phase, value.location.describe(), (), floats)
    assert isinstance(value, OpResult)
    op = value.op
    is_backward = not op.results[0].name or label.endswith("/grad")
    phase = "update" if isinstance(op, Update) else "backward" if is_backward else "forward"
    operands = tuple(labels.get(value, [_unlabelled(value)])[0] for value in op.operands)
    return Point(label, op.name, phase, op.location.describe(), operands, floats)


def _unlabelled(value: Value) -> str:
    op = value.defining_op
    return "a constant" if op is not None and not op.operands else "a value without a name"
