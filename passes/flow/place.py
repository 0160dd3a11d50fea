"""Pass `place`: the ranks that run each op, and how its values are split. One rank so far."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from penstock.ir.attributes import DictAttr, IntegerAttr, attribute, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import PLACEMENT, RANKS, SIGNATURE
from penstock.passes.base import Order, Pass

SCOPE = "job.placement"
"""The front end's attribute on an op or the module: `{device = "cpu", ranks = ["0:0"]}`."""

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class Place(Pass):
    """Check the placement of each op, and record it with the SBP signature of the op.

        %y = "flow.relu"(%x) {job.placement = {device = "cpu", ranks = ["0:0"]}} : ...
    ->
        %y = "flow.relu"(%x) {sbp.placement = {device = "cpu", ranks = ["0:0"]},
                              sbp.signature = {operands = ["B"], results = ["B"]}} : ...

    `machine:device` is one rank, `machine:first-last` is several. The default is the first rank of
    the CPU. A single rank holds each value whole, which is state `B` (broadcast). Several ranks are
    not supported yet: the first op placed on more than one fails.
    """

    name = "place"
    before: ClassVar[Order] = {"lower": None}
    after: ClassVar[Order] = {"autodiff": None}

    def run(self, module: Module) -> None:
        default = module.attributes.get(SCOPE)
        common = _checked(module, default) if default is not None else _one("cpu", "0:0")
        for op in module.job.body:
            if not isinstance(op, TensorOp | job.Callout | job.Watch | job.Watchable):
                continue
            own = op.attributes.pop(SCOPE, None) or op.attributes.get(PLACEMENT)
            op.attributes[PLACEMENT] = common if own is None else _checked(op, own)
            whole = {"operands": ["B"] * len(op.operands), "results": ["B"] * len(op.results)}
            op.attributes[SIGNATURE] = attribute(whole)
        module.attributes.pop(SCOPE, None)
        module.attributes[RANKS] = IntegerAttr(1)


def _one(device: str, rank: str) -> DictAttr:
    placement = attribute({"device": device, "ranks": [rank]})
    assert isinstance(placement, DictAttr)
    return placement


def _checked(op: Operation, scope: Any) -> DictAttr:
    """Normalise a placement. Fails at the op if the placement cannot be run."""
    entries = python_value(scope) if isinstance(scope, DictAttr) else {}
    device, words = entries.get("device"), entries.get("ranks")
    if not isinstance(device, str) or not isinstance(words, list):
        op.fail(f'expected a placement like {{device = "cpu", ranks = ["0:0"]}}, got {scope}')
    ranks = [rank for word in words for rank in _ranks(op, word)]
    if len(set(ranks)) != 1:
        op.fail(
            f"is placed on {len(set(ranks))} ranks, {', '.join(ranks)}: only one rank is "
            'supported, so place it on "0:0"'
        )
    if device != "cpu":
        op.fail(f'is placed on "{device}": only the CPU is supported, so use "cpu"')
    return _one(device, ranks[0])


def _ranks(op: Operation, word: Any) -> Iterator[str]:
    found = _DEVICES.fullmatch(word) if isinstance(word, str) else None
    if found is None:
        op.fail(f'expected ranks like "0:0" or "0:0-3", got {word!r}')
    last = int(found[3] or found[2])
    for device in range(int(found[2]), last + 1):
        yield f"{int(found[1])}:{device}"
