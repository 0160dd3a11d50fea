"""Pass `mark-blobs`: make each named value of a job watchable."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from typing import ClassVar

from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, OpResult, Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType
from penstock.passes.base import Order, Pass


class MarkBlobs(Pass):
    """Insert `job.watchable` for the feeds, the variables and the named values of the job.

        %y = "flow.relu"(%x) : (tensor<5xf32>) -> tensor<5xf32>
    ->
        %y = "flow.relu"(%x) : (tensor<5xf32>) -> tensor<5xf32>
        "job.watchable"(%y) {name = "y"} : (tensor<5xf32>) -> ()

    Feeds and variables keep their own names. Further results of an op are `y#1` and so on. A name
    that the job already watches is skipped. Artifacts are built with this pass. With `every`,
    computed values without a name, such as parts of gradients, are marked as well, by op and
    number: `flow.multiply:3`.
    """

    name = "mark-blobs"
    every: bool = False
    before: ClassVar[Order] = {"autodiff": None, "copy-blobs": None}

    def run(self, module: Module) -> None:
        function = module.job
        watched = (job.Watch, job.WatchDiff, job.Watchable)
        taken = {op.label for op in function.body if isinstance(op, watched)}
        b = Builder.ahead_of(function.body.terminator)
        found = list(_named(function))
        if self.every:
            known = {op.value for op in function.body if isinstance(op, watched)}
            for op in function.body:
                if isinstance(op, job.OutputGradient):
                    known |= op.dependents()
            found += _unnamed(function, known)
        for name, value in found:
            if name in taken or not isinstance(value.type, TensorType):
                continue
            taken.add(name)
            b.location = value.location if isinstance(value, BlockArgument) else value.op.location
            b.create(job.Watchable, value, label=name)


def _named(function: Func) -> Iterator[tuple[str, BlockArgument | OpResult]]:
    """The named values of a job, in order."""
    for i, argument in enumerate(function.body.arguments):
        facts = function.argument_attributes(i)
        for key in ("job.feed", "job.variable"):
            name = facts.get(key)
            if isinstance(name, StringAttr):
                yield name.value, argument
    for op in function.body:
        for i, result in enumerate(op.results):
            if op.results[0].name:
                yield f"{op.results[0].name}#{i}" if i else result.name, result


def _unnamed(function: Func, marked: Container[Value]) -> Iterator[tuple[str, OpResult]]:
    """The computed values of a job that have no name and are not marked, in order."""
    count = itertools.count()
    for op in function.body:
        if op.operands and op.results and not op.results[0].name:
            for result in op.results:
                if result not in marked:
                    yield f"{op.name}:{next(count)}", result
