"""Pass `keep-local`: values of the mirrored view stay on their ranks."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import Attribute, StringAttr, attribute, python_value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import HINT, MESH
from penstock.ir.dialects.job.sharding import BROADCAST, joined
from penstock.ir.dialects.job.views import MIRRORED, ToLocal
from penstock.passes.base import Order, Pass
from penstock.passes.placement.follow import shared_ops


class KeepLocal(Pass):
    """Have each rank compute what it alone has: such values have state `B`, each rank its own.

        %y = "flow.relu"(%x)            %x is a feed with `sbp.mirrored`
    ->
        %y = "flow.relu"(%x) {sbp.hint = ["B"]}

    What depends on an `sbp.from_local` is free to be in any state; all else has shapes that may
    differ by rank, or is computed of such. Variables are whole, unless the program says otherwise:
    the ranks' modules may differ, and must agree on them. Jobs without values of the mirrored view
    stay as they are.
    """

    name = "keep-local"
    for_ranks = True
    before: ClassVar[Order] = {
        "choose": "it says what the choice is bound to",
        "box": "conversions follow from signatures",
        "localize": "parts follow from signatures",
        "lower": None,
    }
    after: ClassVar[Order] = {"place": "the mesh is known", "autodiff": None}

    def run(self, module: Module) -> None:
        job = module.job
        mirrored = [i for i in range(len(job.arguments)) if MIRRORED in job.argument_attributes(i)]
        mesh = module.attributes.get(MESH)
        if mesh is None or not (mirrored or any(isinstance(op, ToLocal) for op in job.body)):
            return
        whole = joined([BROADCAST] * len(python_value(mesh)))
        _keep_arguments(job, StringAttr(whole))
        shared = set(shared_ops(job))
        for op in job.body:
            if op not in shared and op.results:
                op.attributes[HINT] = attribute([whole] * len(op.results))


def _keep_arguments(job: Func, whole: Attribute) -> None:
    every = [dict(job.argument_attributes(i)) for i in range(len(job.arguments))]
    for entry in every:
        if MIRRORED in entry or "job.variable" in entry:
            entry.setdefault(HINT, whole)
    job.set_all_argument_attributes(every)
