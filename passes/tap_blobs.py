"""Pass `tap-blobs`: what may be watched is shown, and what fusion has removed computed for that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import cast

from penstock.ir.attributes import DenseArrayAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, OpResult, Region, Value
from penstock.ir.dialects import func, job, linalg, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import fuse
from penstock.ir.record import Record
from penstock.ir.session import current
from penstock.passes import generics
from penstock.passes.alias import VIEWS, root
from penstock.passes.base import Pass
from penstock.passes.fuse import fuse_block
from penstock.passes.outline import Outliner


class TapBlobs(Pass):
    """Watch what `copy-blobs` has set aside, without a change to what the job computes.

        %y = func.call @matmul_relu_0(%x, %w)
    ->
        %on = "job.listening"() {names = ["h"]} : () -> i1
        scf.if %on {
          %h = func.call @matmul_0(%x, %w)
          "job.watch"(%h) {name = "h"}
        }
        %y = func.call @matmul_relu_0(%x, %w)
        "job.watch"(%y) {name = "y"}

    What fusion has left is watched ahead of its first reader. The rest is computed from what the
    job holds at a point where all of this has been made, has a reader already, and has another one
    to come: so no value lives longer, and what is updated in place still is. Blobs that are made
    from the same ops are computed together, in groups of their own, for whoever listens to one of
    them.
    """

    name = "tap-blobs"

    def run(self, module: Module) -> None:
        for function in module.functions():
            if job.BLOBS in function.attributes:
                _Taps(module, function).write()
                function.erase()


class _Blob(Record, eq=False):
    """A value that is to be shown, and from what it is made there."""

    op: job.Watchable
    place: int
    """The position in the job ahead of which it is shown."""
    ops: set[Operation]
    """The ops that make it, of those set aside."""


class _Together(Record, frozen=False):
    """Blobs that are shown at one place and have ops in common."""

    blobs: list[_Blob] = field(default_factory=list)
    ops: set[Operation] = field(default_factory=set)


class _Taps:
    """Finds where each blob can be shown, and writes that."""

    def __init__(self, module: Module, copy: func.Func) -> None:
        self.module = module
        self.copy = copy
        self.block = module.job.body
        self.ops = [op for op in self.block if not op.terminator]
        self.position = {op: i for i, op in enumerate(self.ops)}
        self.uses = self._uses()
        self.lasts = self._lasts()
        self.known = self._known()
        """For values that were set aside the same values of the job, where fusion has left them."""

    # -- what there is --------------------------------------------------------------------------

    def _uses(self) -> dict[Value, list[int]]:
        """Where the job uses each value or a view of it; the return is behind all else."""
        found: dict[Value, list[int]] = {}
        for op in self.block:
            for value in dict.fromkeys(map(root, op.operands)):
                found.setdefault(value, []).append(self.position.get(op, len(self.ops)))
        return found

    def _lasts(self) -> dict[Value, int]:
        """Up to where reading each value costs nothing; those that are not named, to the end."""
        found = {value: places[-1] for value, places in self.uses.items()}
        function = self.module.job
        results = range(len(function.type.results))
        changed = {function.result_attributes(i).get("job.update") for i in results} - {None}
        for i, argument in enumerate(function.body.arguments):
            if function.argument_attributes(i).get("job.variable") in changed:
                # One that is returned is saved at the begin.
                inside = (place for place in self.uses.get(argument, ()) if place < len(self.ops))
                found[argument] = max(inside, default=0)
            else:
                found.pop(argument, None)
        return found

    def _known(self) -> dict[Value, Value]:
        numbered: dict[tuple[int, int], Value] = {}
        for op in self.ops:
            words = op.attributes.pop(job.VALUES, None)
            if isinstance(words, DenseArrayAttr):
                pairs = zip(words.values[::2], words.values[1::2], strict=True)
                numbered.update(zip(cast("Iterable[tuple[int, int]]", pairs), op.results,
                                    strict=True))  # fmt: skip
        found = dict(zip(self.copy.arguments, self.module.job.arguments, strict=True))
        for op in self.copy.body:
            number = op.attributes.pop(job.SERIAL, None)
            if isinstance(number, IntegerAttr):
                for i, result in enumerate(op.results):
                    if (number.value, i) in numbered:
                        found[result] = numbered[number.value, i]
        return found

    def _made(self, value: Value) -> int:
        """The position of the op of the job that makes a value; -1 for an argument."""
        return self.position[value.op] if isinstance(value, OpResult) else -1

    # -- where to show it -----------------------------------------------------------------------

    def _placed(self, op: job.Watchable) -> _Blob:
        before = len(self.ops)
        while True:
            ops, needed = self._slice(op.value, before)
            latest = max(map(self._made, needed), default=-1)
            place = max([latest + 1, *map(self._first_use, needed)])
            if all(self.lasts.get(value, math.inf) >= place for value in needed):
                return _Blob(op, place, ops)
            # Do without what was made last: what that was made from is held at an earlier point.
            assert latest >= 0, "the arguments alone have no reader before the first op"
            before = latest

    def _first_use(self, value: Value) -> int:
        if isinstance(value, BlockArgument):
            return 0
        return min(self.uses.get(value, ()), default=len(self.ops))

    def _slice(self, value: Value, before: int) -> tuple[set[Operation], list[Value]]:
        """The ops that make a value from what the job has made before a position, and that."""
        ops: set[Operation] = set()
        needed: dict[Value, None] = {}
        waiting = [value]
        while waiting:
            value = waiting.pop()
            known = self.known.get(value)
            if known is not None and self._made(known) < before:
                needed[known] = None
                continue
            op = value.defining_op
            assert op is not None, "every argument is known"
            if op not in ops:
                ops.add(op)
                waiting += generics.used_values(op)
        return ops, list(needed)

    # -- writing --------------------------------------------------------------------------------

    def write(self) -> None:
        """Insert the watches, at each place those of values that are there first."""
        outliner = Outliner(self.module)
        for function in self.module.functions():
            if function.sym_visibility == "private" and not function.is_external:
                outliner.reuse(function)
        there: list[_Blob] = []
        others: list[_Together] = []
        for op in self.copy.body:
            if isinstance(op, job.Watchable):
                blob = self._placed(op)
                if all(isinstance(maker, VIEWS) for maker in blob.ops):
                    there.append(blob)
                else:
                    _join(others, blob)
        for blob in there:
            self._show(self._builder(blob.place), [blob], blob.ops)
        for each in others:
            self._compute(each, outliner)

    def _builder(self, place: int) -> Builder:
        return Builder.ahead_of(self.ops[place] if place < len(self.ops) else self.block.terminator)

    def _show(self, b: Builder, blobs: Sequence[_Blob], ops: set[Operation]) -> None:
        """Copy the ops, and watch the blobs."""
        mapping = dict(self.known)
        for op in self.copy.body:
            if op in ops:
                b.insert(op.clone(mapping))
        for blob in blobs:
            b.location = blob.op.location
            b.create(job.Watch, mapping[blob.op.value], label=blob.op.label)

    def _compute(self, each: _Together, outliner: Outliner) -> None:
        """Watch blobs that are computed if anyone listens."""
        session = current()
        b = self._builder(each.blobs[0].place)
        b.location = fuse(*(blob.op.location for blob in each.blobs))
        names = [blob.op.label for blob in each.blobs]
        on = b.create(job.Listening, names=names).on
        then = Block()
        b.create(scf.If, on, types=[], regions=[Region(then), Region()])
        with b.inside(then):
            self._show(b, each.blobs, each.ops)
            b.create(scf.Yield, [])
        session.count("tap-blobs", then.terminator, free=True)
        fuse_block(then, session)
        outliner.outline_block(then)


def _join(others: list[_Together], blob: _Blob) -> None:
    """Put a blob with those at its place with which it shares an op that computes."""
    computing = {op for op in blob.ops if isinstance(op, linalg.Generic) and op.inputs}
    made = _Together()
    for each in list(others):
        if each.blobs[0].place == blob.place and each.ops & computing:
            others.remove(each)
            made.blobs += each.blobs
            made.ops |= each.ops
    made.blobs.append(blob)
    made.ops |= blob.ops
    others.append(made)
