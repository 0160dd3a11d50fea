"""Pass `tap-blobs`: watch the watchable values, and recompute those that fusion removed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, cast

from penstock.ir.attributes import DenseArrayAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, OpResult, Region, Value
from penstock.ir.dialects import func, job, linalg, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import PART
from penstock.ir.location import fuse
from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis import generics
from penstock.passes.analysis.alias import root
from penstock.passes.base import Order, Pass
from penstock.passes.fusion.fuse import fuse_block
from penstock.passes.fusion.outline import Outliner


class TapBlobs(Pass):
    """Watch the values that `copy-blobs` copied, without changing what the job computes.

        %y = func.call @matmul_relu_0(%x, %w)
    ->
        %on = "job.listening"() {names = ["h"]} : () -> i1
        scf.if %on {
          %h = func.call @matmul_0(%x, %w)
          "job.watch"(%h) {name = "h"}
        }
        %y = func.call @matmul_relu_0(%x, %w)
        "job.watch"(%y) {name = "y"}

    A value that survived fusion is watched ahead of its first reader. Any other value is recomputed
    from values of the job. The recomputation goes where all of these have been made and read once,
    and are still to be read again. So no live range grows, and in-place updates stay in place.
    Blobs with recomputed ops in common are recomputed together, in groups of their own, if anyone
    listens to one of them.
    """

    name = "tap-blobs"
    before: ClassVar[Order] = {"bufferize": "buffers hide the values to watch"}
    after: ClassVar[Order] = {"outline-groups": None}

    def run(self, module: Module) -> None:
        for function in module.functions():
            if job.BLOBS in function.attributes:
                _Taps(module, function).write()
                function.erase()


class _Point(Record):
    """Where a blob is watched, and which values of the job it may be computed from."""

    place: int
    """The watch goes ahead of this position in the job."""
    before: int
    """Only values that the job makes before this position are used."""


class _Taps:
    """Finds where each blob can be watched, and inserts the watches."""

    def __init__(self, module: Module, copy: func.Func) -> None:
        self.module = module
        self.copy = copy
        self.block = module.job.body
        self.ops = [op for op in self.block if not op.terminator]
        self.position = {op: i for i, op in enumerate(self.ops)}
        self.uses = self._uses()
        self.lasts = self._lasts()
        self.known = self._known()
        """Maps copied values to the same values of the job, if these survived fusion."""
        self.order = {op: i for i, op in enumerate(copy.body)}
        self.needs = self._needs()
        self.parts = self._parts()

    # -- uses, live ranges and matching values --------------------------------------------------

    def _uses(self) -> dict[Value, list[int]]:
        """The positions at which the job uses each value or a view of it; the return is last."""
        found: dict[Value, list[int]] = {}
        for op in self.block:
            for value in dict.fromkeys(map(root, op.operands)):
                found.setdefault(value, []).append(self.position.get(op, len(self.ops)))
        return found

    def _lasts(self) -> dict[Value, int]:
        """The last position at which each value can be read without extending its live range.

        Values not listed can be read up to the end of the job.
        """
        found = {value: places[-1] for value, places in self.uses.items()}
        function = self.module.job
        results = range(len(function.type.results))
        changed = {function.result_attributes(i).get("job.update") for i in results} - {None}
        for i, argument in enumerate(function.body.arguments):
            if function.argument_attributes(i).get("job.variable") in changed:
                # A variable that is also returned is saved at the start of the step.
                inside = (place for place in self.uses.get(argument, ()) if place < len(self.ops))
                found[argument] = max(inside, default=0)
            else:
                found.pop(argument, None)
        return found

    def _known(self) -> dict[Value, Value]:
        numbered: dict[tuple[int, int], Value] = {}
        for op in self.ops:
            if isinstance(op, job.OutsideCall):
                number = op.attributes.pop(job.SERIAL, None)
                if isinstance(number, IntegerAttr):
                    numbered |= {(number.value, i): r for i, r in enumerate(op.results)}
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
                    value = numbered.get((number.value, i))
                    # `drop-unit-dims` may have changed the shape of only one of the two.
                    if value is not None and value.type == result.type:
                        found[result] = value
        return found

    def _made(self, value: Value) -> int:
        """The position of the op of the job that makes a value; -1 for an argument."""
        return self.position[value.op] if isinstance(value, OpResult) else -1

    # -- where to watch a blob ------------------------------------------------------------------

    def _point(self, value: Value) -> _Point:
        before = len(self.ops)
        needed = self._needed(value)
        while True:
            latest = max(map(self._made, needed), default=-1)
            place = max([latest + 1, *map(self._first_use, needed)])
            alive = all(self.lasts.get(value, math.inf) >= place for value in needed)
            if alive or (latest >= 0 and isinstance(self.ops[latest], job.OutsideCall)):
                return _Point(place, before)  # What is outside is called once, never again.
            # Recompute the value made last too: its own inputs are alive at an earlier point.
            before = latest
            needed = list(self._slice([value], before)[1].values())

    def _first_use(self, value: Value) -> int:
        if isinstance(value, BlockArgument):
            return 0
        return min(self.uses.get(value, ()), default=len(self.ops))

    def _needed(self, value: Value) -> Iterable[Value]:
        """The values of the job from which a copied value can be computed."""
        known = self.known.get(value)
        return [known] if known is not None else self.needs[cast(OpResult, value).op]

    def _needs(self) -> dict[Operation, Mapping[Value, None]]:
        """For each copied op, the values of the job from which it can be computed."""
        self.needs = {}
        for op in self.copy.body:
            used = generics.used_values(op)
            self.needs[op] = {needed: None for value in used for needed in self._needed(value)}
        return self.needs

    def _slice(
        self, values: Sequence[Value], before: int
    ) -> tuple[list[Operation], dict[Value, Value]]:
        """The ops, in order, that compute values from what the job makes before a position.

        Also returns the inputs of the slice: copied values, mapped to the same values of the job.
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
        """Insert the watches. At one position, surviving values go before recomputed ones."""
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
        """Clone the ops that compute blobs, and watch each blob as soon as it is computed."""
        ops, mapping = self._slice([blob.value for blob in blobs], before)
        waiting: dict[Value, list[job.Watchable]] = {}
        for blob in blobs:
            waiting.setdefault(blob.value, []).append(blob)

        def watch(value: Value) -> None:
            for blob in waiting.pop(value, ()):
                b.location = blob.location
                watch = b.create(job.Watch, mapping[value], label=blob.label)
                if PART in blob.attributes:
                    watch.attributes[PART] = blob.attributes[PART]

        for value in list(mapping):
            watch(value)
        for op in ops:
            b.insert(op.clone(mapping))
            for result in op.results:
                watch(result)

    def _compute(self, point: _Point, blobs: Sequence[job.Watchable], outliner: Outliner) -> None:
        """Recompute and watch blobs, if anyone listens to one of them."""
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
        """Number the connected components of the copied ops, joining the smaller into the larger.

        Ops are connected if one reads the other's result and fusion removed that result.
        """
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
    """Whether an op computes something, other than a constant: each reader clones constants."""
    return generics.computes(op) and not (isinstance(op, linalg.Generic) and not op.inputs)
