"""Pass `name-locations`: locations say which named value an op makes."""

from __future__ import annotations

from penstock.ir.core import Operation, OpResult
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN, NameLocation, fuse
from penstock.passes.base import Pass


class NameLocations(Pass):
    """Give ops whose results can be watched the names of these as part of their locations.

        %0 = "flow.relu"(%x) loc("train.py":20:0)
        "job.watchable"(%0) {name = "hidden"}
    ->
        %0 = "flow.relu"(%x) loc("hidden"("train.py":20:0))
        "job.watchable"(%0) {name = "hidden"}

    Whatever rewriting makes of an op has its location, so each kernel tells what it computes. An op
    with several names, as where equal ones became one, has them side by side. Nested locations
    would be as deep as the job has such ops.
    """

    name = "name-locations"

    def run(self, module: Module) -> None:
        labels: dict[Operation, list[str]] = {}
        for op in module.job.body:
            if isinstance(op, job.Watchable) and isinstance(op.value, OpResult):
                labels.setdefault(op.value.op, []).append(op.label)
        for maker, (first, *others) in labels.items():
            named = NameLocation(first, maker.location)
            maker.location = fuse(named, *(NameLocation(name, UNKNOWN) for name in others))
