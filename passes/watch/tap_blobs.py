"""Pass `tap-blobs`: what may be watched is shown, and what fusion has removed computed for that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from penstock.ir.attributes import DenseArrayAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, OpResult, Region, Value
from penstock.ir.dialects import func, job, linalg, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import fuse
from penstock.ir.record import Record
from penstock.ir.rewriting.session import current
from penstock.passes.analysis import generics
from penstock.passes.analysis.alias import root
from penstock.passes.base import Pass
from penstock.passes.fusion.fuse import fuse_block
from penstock.passes.fusion.outline import Outliner


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


class _Point(Record):
    """Where and from what a blob is shown."""

    place: int
    """The position in the job ahead of which that is."""
    before: int
    """Of what the job makes, only what it makes before this position is used."""


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
        self.order = {op: i for i, op in enumerate(copy.body)}
        self.needs = self._needs()
        self.parts = self._parts()

    # -- what there is --------------------------------------------------------------------------

    def _uses(self) -> dict[Value, list[int]]:
        """Where the job uses each value or a view of it; the return is behind all else."""
        found: dict[Value, list[int]] = {}
        for op in self.block:
            for value in dict.fromkeys(map(root, op.operands)):
                found.setdefault(value, []).append(self.position.get(op, len(self.ops)))
        return found

    def _lasts(self) -> dict[Value, int]:
        """Up to where reading each value costs nothing; others may be read up to the end."""
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
                for i, result in enumerate(op.results):
                    serial, which = words.values[2 * i : 2 * i + 2]
                    numbered[int(serial), int(which)] = result
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

    def _point(self, value: Value) -> _Point:
        before = len(self.ops)
        needed = self._needed(value)
        while True:
            latest = max(map(self._made, needed), default=-1)
            place = max([latest + 1, *map(self._first_use, needed)])
            if all(self.lasts.get(value, math.inf) >= place for value in needed):
                return _Point(place, before)
            # Do without what was made last: what that was made from is held at an earlier point.
            before = latest
            needed = list(self._slice([value], before)[1].values())

    def _first_use(self, value: Value) -> int:
        if isinstance(value, BlockArgument):
            return 0
        return min(self.uses.get(value, ()), default=len(self.ops))

    def _needed(self, value: Value) -> Iterable[Value]:
        """From which values of the job one that was set aside is made."""
        known = self.known.get(value)
        return [known] if known is not None else self.needs[cast(OpResult, value).op]

    def _needs(self) -> dict[Operation, Mapping[Value, None]]:
        """The same for all results of each op that was set aside."""
        self.needs = {}
        for op in self.copy.body:
            used = generics.used_values(op)
            self.needs[op] = {needed: None for value in used for needed in self._needed(value)}
        return self.needs

    def _slice(
        self, values: Sequence[Value], before: int
    ) -> tuple[list[Operation], dict[Value, Value]]:
        """The ops, in order, that make values from what the job has made before a position.

        Beside them what was set aside of that, each with the same value of the job.
        """
        ops: set[Operation] = set()
        there: dict[Value, Value] = {}
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            known = self.known.get(value)
            if known is not None and self._made(known) < before:
                there[value] = known
            elif (op := cast(OpResult, value).op) not in ops:
                ops.add(op)
                waiting += generics.used_values(op)
        return sorted(ops, key=self.order.__getitem__), there

    # -- writing --------------------------------------------------------------------------------

    def write(self) -> None:
        """Insert the watches, at each place those of values that are there first."""
        outliner = Outliner(self.module)
        for function in self.module.functions():
            if function.sym_visibility == "private" and not function.is_external:
                outliner.reuse(function)
        there: list[tuple[_Point, job.Watchable]] = []
        others: dict[tuple[_Point, int], list[job.Watchable]] = {}
        for op in self.copy.body:
            if isinstance(op, job.Watchable):
                point, source = self._point(op.value), root(op.value)
                if source in self.known and self._made(self.known[source]) < point.before:
                    there.append((point, op))
                else:
                    others.setdefault((point, self.parts[cast(OpResult, source).op]), []).append(op)
        for point, op in there:
            self._show(self._builder(point), [op], point.before)
        for (point, _), blobs in others.items():
            self._compute(point, blobs, outliner)

    def _builder(self, point: _Point) -> Builder:
        here = self.ops[point.place] if point.place < len(self.ops) else self.block.terminator
        return Builder.ahead_of(here)

    def _show(self, b: Builder, blobs: Sequence[job.Watchable], before: int) -> None:
        """Copy what makes blobs, and watch each as soon as it is made."""
        ops, mapping = self._slice([blob.value for blob in blobs], before)
        waiting: dict[Value, list[job.Watchable]] = {}
        for blob in blobs:
            waiting.setdefault(blob.value, []).append(blob)

        def watch(value: Value) -> None:
            for blob in waiting.pop(value, ()):
                b.location = blob.location
                b.create(job.Watch, mapping[value], label=blob.label)

        for value in list(mapping):
            watch(value)
        for op in ops:
            b.insert(op.clone(mapping))
            for result in op.results:
                watch(result)

    def _compute(self, point: _Point, blobs: Sequence[job.Watchable], outliner: Outliner) -> None:
        """Watch blobs that are computed if anyone listens."""
        session = current()
        b = self._builder(point)
        b.location = fuse(*(blob.location for blob in blobs))
        on = b.create(job.Listening, names=[blob.label for blob in blobs]).on
        then = Block()
        b.create(scf.If, on, types=[], regions=[Region(then), Region()])
        with b.inside(then):
            self._show(b, blobs, point.before)
            b.create(scf.Yield, [])
        session.count("tap-blobs", then.terminator, free=True)
        fuse_block(then, session)
        outliner.outline_block(then)

    def _parts(self) -> dict[Operation, int]:
        """Numbers that are the same for ops that were set aside where one computes from another."""
        found: dict[Operation, int] = {}
        members: dict[int, list[Operation]] = {}
        for number, op in enumerate(self.copy.body):
            found[op], members[number] = number, [op]
            for value in generics.used_values(op):
                maker = root(value).defining_op
                if maker is None or root(value) in self.known or not _computes(maker):
                    continue
                one, other = sorted((found[op], found[maker]), key=lambda n: len(members[n]))
                if one != other:
                    found.update(dict.fromkeys(members[one], other))
                    members[other] += members.pop(one)
        return found


def _computes(op: Operation) -> bool:
    """Whether an op is more than a constant, which each reader has of its own."""
    return generics.computes(op) and not (isinstance(op, linalg.Generic) and not op.inputs)
