"""Pass `name-locations`: put the names of watchable values into the locations of their ops."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.core import Operation, OpResult
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN, NameLocation, fuse
from penstock.passes.base import Order, Pass


class NameLocations(Pass):
    """Wrap the location of an op in the name of its watchable result.

        %0 = "flow.relu"(%x) loc("train.py":20:0)
        "job.watchable"(%0) {name = "hidden"}
    ->
        %0 = "flow.relu"(%x) loc("hidden"("train.py":20:0))
        "job.watchable"(%0) {name = "hidden"}

    Rewrites keep locations, so each kernel can say what it computes. If an op has several names,
    for example after CSE, they go into one fused location. Nesting them instead could get as deep
    as the job has named ops.
    """

    name = "name-locations"
    before: ClassVar[Order] = {"lower": None, "outline-groups": None}

    def run(self, module: Module) -> None:
        labels: dict[Operation, list[str]] = {}
        for op in module.job.body:
            if isinstance(op, job.Watchable) and isinstance(op.value, OpResult):
                labels.setdefault(op.value.op, []).append(op.label)
        for maker, (first, *others) in labels.items():
            named = NameLocation(first, maker.location)
            maker.location = fuse(named, *(NameLocation(name, UNKNOWN) for name in others))
