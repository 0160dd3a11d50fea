"""Pass `cse`: common subexpression elimination."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import Location, fuse
from penstock.ir.rewriting.rewrite_session import RewriteSession, current
from penstock.passes.base import Pass
from penstock.passes.simplify.distinct import has_distinct_values

Known = dict[Hashable, Operation]


class CSE(Pass):
    """Replace a pure op by an earlier equal one.

        %0 = math.exp %x : f32
        %1 = math.exp %x : f32              ->  %0 = math.exp %x : f32
        %2 = arith.addf %0, %1 : f32            %2 = arith.addf %0, %0 : f32

    Two ops are equal if they have the same class, operands (in any order if commutative),
    attributes, result types and, up to value names, regions. An op before a loop replaces equal ops
    inside the loop. The body of a pure op, such as `linalg.generic`, stays self-contained: its ops
    are never replaced by ops outside it. A job with a `job.minimize` stays as it is: equal
    values may have different gradients.
    """

    name = "cse"

    def run(self, module: Module) -> None:
        if has_distinct_values(module):
            return
        eliminator = _Eliminator(current())
        try:
            eliminator.visit(module)
        finally:
            # Fuse locations once at the end: fusing one by one would copy a growing list each time.
            for op, locations in eliminator.joined.items():
                op.location = fuse(op.location, *locations)


class _Eliminator:
    def __init__(self, session: RewriteSession) -> None:
        self.session = session
        self.known: Known = {}
        self.joined: dict[Operation, list[Location]] = {}
        """For each surviving op, the locations of the ops it replaced."""

    def visit(self, op: Operation) -> None:
        """Run CSE in the regions of an op."""
        outer = self.known
        for region in op.regions:
            for block in region.blocks:
                # The copy is cheap: functions with loops have few pure ops outside the loops.
                self.known = {} if op.isolated or op.pure else dict(outer)
                self._block(block)
        self.known = outer

    def _block(self, block: Block) -> None:
        for op in block:
            if op.regions:
                self.visit(op)
            if not op.pure or not self.session.may_rewrite():
                continue
            first = self.known.setdefault(_key(op), op)
            if first is not op:
                self.session.count("cse", op)
                self.joined.setdefault(first, []).append(op.location)
                for mine, other in zip(op.results, first.results, strict=True):
                    mine.replace_all_uses_with(other)
                op.erase()


def _key(op: Operation) -> Hashable:
    """A key that two pure ops share exactly if they compute the same."""
    operands = op.operands
    if op.commutative:
        operands = sorted(operands, key=id)
    attributes = frozenset(op.attributes.items()) if op.attributes else None
    types = tuple([result.type for result in op.results])
    if not op.regions:
        return type(op), op.name, tuple(operands), attributes, types
    inside = tuple(_structure(region, {}) for region in op.regions)
    return type(op), op.name, tuple(operands), attributes, types, inside


def _structure(region: Region, numbers: dict[Value, int]) -> Hashable:
    """A region with its own values numbered, so that value names and locations do not matter."""
    return tuple(tuple(_parts(block, numbers)) for block in region.blocks)


def _parts(block: Block, numbers: dict[Value, int]) -> Iterator[Hashable]:
    for argument in block.arguments:
        numbers[argument] = len(numbers)
        yield argument.type
    for op in block:
        yield op.name
        yield tuple(numbers.get(value, value) for value in op.operands)
        yield frozenset(op.attributes.items())
        yield tuple(result.type for result in op.results)
        yield tuple(_structure(region, numbers) for region in op.regions)
        for result in op.results:
            numbers[result] = len(numbers)
