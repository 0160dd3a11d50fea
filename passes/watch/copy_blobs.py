"""Pass `copy-blobs`: copy the watchable ops aside, so that fusion need not preserve them."""

from __future__ import annotations

from itertools import count
from typing import ClassVar, cast

from penstock.ir.attributes import Attribute, IntegerAttr, unit
from penstock.ir.core import Operation
from penstock.ir.dialects import func, job
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass


class CopyBlobs(Pass):
    """Copy the unfused job into a private function, and remove its `job.watchable`s.

        %h = linalg.generic ins(%x, %w) { matmul }
        %y = linalg.generic ins(%h) { relu }
        "job.watchable"(%h) {name = "h"}
    ->
        %h = linalg.generic ins(%x, %w) { matmul } {job.number = 0}
        %y = linalg.generic ins(%h) { relu } {job.number = 1}

        func.func private @job_blobs(%x, %w) attributes {job.blobs} {
          %h = linalg.generic ins(%x, %w) { matmul } {job.number = 0}
          "job.watchable"(%h) {name = "h"}
        }

    The job then compiles as if it had no `job.watchable`. The serial numbers let `tap-blobs` match
    the copied ops to the ops that survive fusion. A job without watchable values is unchanged.
    """

    name = "copy-blobs"
    before: ClassVar[Order] = {
        "fuse-elementwise": None,
        "outline-groups": None,
        "tap-blobs": "that pass watches the values of the copy",
    }
    after: ClassVar[Order] = {
        "autodiff": "the copy has the arguments of the finished job",
        "lower": None,
    }

    def run(self, module: Module) -> None:
        function = module.job
        points = [op for op in function.body if isinstance(op, job.Watchable)]
        if not points:
            return
        computed = [op for op in function.body if generics.computes(op)]
        # An earlier copy may refer to the numbers of ops that have one.
        known = [n.value for op in computed if isinstance(n := _number(op), IntegerAttr)]
        fresh = count(max(known, default=-1) + 1)
        for op in computed:
            if _number(op) is None:
                op.attributes[job.SERIAL] = IntegerAttr(next(fresh))
        module.body.append(_copied(module, function))
        current().count("copy-blobs", function, free=True)
        for point in points:
            point.erase()
        function.body.erase_unused()


def _number(op: Operation) -> Attribute | None:
    return op.attributes.get(job.SERIAL)


def _copied(module: Module, function: func.Func) -> func.Func:
    """A copy of the function without results that keeps the ops of watchable values alone."""
    copy = cast(func.Func, function.clone())
    taken = {f.sym_name for f in module.functions()}
    name = f"{function.sym_name}_blobs"
    while name in taken:
        name += "_"
    copy.sym_name, copy.sym_visibility = name, "private"
    copy.attributes[job.BLOBS] = unit
    copy.set_all_argument_attributes([{} for _ in copy.arguments])
    copy.set_all_result_attributes([])
    terminator = copy.body.terminator
    terminator.erase()
    copy.body.append(func.Return([], [], location=terminator.location))
    copy.update_type()
    for op in copy.body:
        if isinstance(op, job.Watch):
            op.erase()
    copy.body.erase_unused()
    return copy
