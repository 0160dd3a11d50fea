"""Pass `place`: the ranks that run each op."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, ClassVar

from penstock.ir.attributes import DictAttr, IntegerAttr, attribute, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import HINT, MESH, PLACEMENT, RANKS, SIGNATURE
from penstock.ir.dialects.job.sharding import BROADCAST, joined
from penstock.ir.record import Record
from penstock.passes.base import Order, Pass

SCOPE = "job.placement"
"""The front end's attribute on an op or the module: `{device = "cpu", ranks = ["0:0"]}`."""

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class Place(Pass):
    """Check the placement of each op, and record it; on one rank with the op's SBP signature.

        %y = "flow.relu"(%x) {job.placement = {device = "cpu", ranks = ["0:0"]}} : ...
    ->
        %y = "flow.relu"(%x) {sbp.placement = {device = "cpu", ranks = ["0:0"]},
                              sbp.signature = {operands = ["B"], results = ["B"]}} : ...

    `machine:device` is one rank, `machine:first-last` is several, in a mesh of one axis unless
    `mesh = [2, 2]` says otherwise. Ops without a placement have that of the module or of the other
    ops; the default is the first rank of the CPU. A single rank holds each value whole, which is
    state `B` (broadcast); for several ranks, a later pass writes the signatures. All ranks of a
    job compute an op that is placed on some of them, in full: its results are wanted as `B`. The
    first op placed on other ranks fails.
    """

    name = "place"
    before: ClassVar[Order] = {"localize": "ranks follow from placements", "lower": None}
    after: ClassVar[Order] = {"autodiff": None}

    def run(self, module: Module) -> None:
        placed = [op for op in module.job.body if isinstance(op, _PLACED)]
        own = {op: op.attributes.pop(SCOPE, None) or op.attributes.get(PLACEMENT) for op in placed}
        scopes = {op: _checked(op, scope) for op, scope in own.items() if scope is not None}
        default = module.attributes.pop(SCOPE, None)
        common = _checked(module, default) if default is not None else _largest(scopes.values())
        whole = joined([BROADCAST] * len(common.mesh))
        for op in placed:
            found = scopes.get(op, common)
            op.attributes[PLACEMENT] = found.described
            if len(common.ranks) == len(found.ranks) == 1:
                alone = {"operands": ["B"] * len(op.operands), "results": ["B"] * len(op.results)}
                op.attributes[SIGNATURE] = attribute(alone)
            elif found != common:
                if not set(found.ranks) < set(common.ranks):
                    op.fail(
                        f"is placed on {found}, and the job on {common}: place ops on ranks of "
                        "their job"
                    )
                op.attributes[PLACEMENT] = common.described
                op.attributes.setdefault(HINT, attribute([whole] * len(op.results)))
        module.attributes[RANKS] = IntegerAttr(len(common.ranks))
        if len(common.ranks) > 1:
            module.attributes[MESH] = attribute(list(common.mesh))


def count_ranks(module: Module) -> int:
    """How many ranks share a job before the pass has run, or after; fails as it does."""
    known = module.attributes.get(RANKS)
    if isinstance(known, IntegerAttr):
        return known.value
    ops: list[Operation] = [module, *module.job.body]
    scopes = [_checked(op, op.attributes[SCOPE]) for op in ops if SCOPE in op.attributes]
    return len(_largest(scopes).ranks)


_PLACED = (TensorOp, job.Callout, job.Watch, job.Watchable)


class _Placement(Record):
    device: str
    ranks: tuple[str, ...]
    mesh: tuple[int, ...]

    @property
    def described(self) -> DictAttr:
        placement = attribute({"device": self.device, "ranks": list(self.ranks)})
        assert isinstance(placement, DictAttr)
        return placement

    def __str__(self) -> str:
        return f"{len(self.ranks)} ranks, {', '.join(self.ranks)}"


def _largest(placements: Iterable[_Placement]) -> _Placement:
    """The placement with the most ranks, the first of these."""
    alone = _Placement("cpu", ("0:0",), (1,))
    return max([*placements, alone], key=lambda placement: len(placement.ranks))


def _checked(op: Operation, scope: Any) -> _Placement:
    """Normalise a placement. Fails at the op if the placement cannot be run."""
    entries = python_value(scope) if isinstance(scope, DictAttr) else {}
    device, words = entries.get("device"), entries.get("ranks")
    if not isinstance(device, str) or not isinstance(words, list) or not words:
        op.fail(f'expected a placement like {{device = "cpu", ranks = ["0:0"]}}, got {scope}')
    ranks = tuple(rank for word in words for rank in _ranks(op, word))
    if len(set(ranks)) != len(ranks):
        op.fail(f"is placed on {', '.join(ranks)}: name each rank once")
    if device != "cpu":
        op.fail(f'is placed on "{device}": only the CPU is supported, so use "cpu"')
    mesh = tuple(entries.get("mesh", [len(ranks)]))
    if prod(mesh) != len(ranks):
        op.fail(f"is placed on {len(ranks)} ranks, which are no mesh of {list(mesh)}")
    return _Placement(device, ranks, mesh)


def _ranks(op: Operation, word: Any) -> Iterator[str]:
    found = _DEVICES.fullmatch(word) if isinstance(word, str) else None
    if found is None:
        op.fail(f'expected ranks like "0:0" or "0:0-3", got {word!r}')
    last = int(found[3] or found[2])
    for device in range(int(found[2]), last + 1):
        yield f"{int(found[1])}:{device}"
