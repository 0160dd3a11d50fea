"""Writes loops, each op as far out as its operands allow, and equal ops once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from penstock.ir import types as ty
from penstock.ir.affine import Expr
from penstock.ir.attributes import Attribute, IntegerAttr
from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.dialects import arith, memref, scf
from penstock.ir.location import UNKNOWN, Location
from penstock.passes.affine_values import affine_value


@dataclass(eq=False)
class _Scope:
    """A block that is being written: a function's or a loop's."""

    block: Block
    loop: Operation | None = None
    """The loop inside it that is being written; what moves out of that goes before it."""
    known: dict[Hashable, Sequence[Value]] = field(default_factory=dict)


class LoopWriter:
    """Appends to the entry block of a function on buffers.

    Constants stand first in the function. A pure op goes into the outermost loop that has its
    operands; so does a load from a buffer that the current nest does not write.
    """

    def __init__(self, block: Block) -> None:
        self.scopes = [_Scope(block)]
        self.level: dict[Value, int] = {}
        """How many loops there are around a value."""
        self.constants: dict[Attribute, Value] = {}
        self.first: Operation | None = None
        """The first op of the function that is not a constant."""
        self.location: Location = UNKNOWN

    # -- placing --------------------------------------------------------------------------------

    def _insert(self, op: Operation, level: int) -> Operation:
        scope = self.scopes[level]
        anchor = scope.loop
        if anchor is None:
            scope.block.append(op)
        else:
            scope.block.insert_before(anchor, op)
        if level == 0 and (self.first is None or anchor is self.first):
            self.first = op
        self.level.update(dict.fromkeys(op.results, level))
        return op

    def _level(self, values: Sequence[Value]) -> int:
        return max((self.level.get(value, 0) for value in values), default=0)

    def constant(self, value: Attribute) -> Value:
        """A constant, made once for the function."""
        known = self.constants.get(value)
        if known is None:
            op = arith.Constant([], None, {"value": value})
            block = self.scopes[0].block
            if self.first is None:
                block.append(op)
            else:
                block.insert_before(self.first, op)
            known = self.constants[value] = op.result
        return known

    def index(self, number: int) -> Value:
        return self.constant(IntegerAttr(number, ty.index))

    def pure(self, op: Operation) -> Sequence[Value]:
        """Place a pure op that stands nowhere yet; the results of an equal one if there is one."""
        if isinstance(op, arith.Constant):
            return [self.constant(op.value)]
        level = self._level(op.operands)
        key = type(op), tuple(op.operands), frozenset(op.attributes.items()), _types(op)
        known = self.scopes[level].known.get(key)
        if known is None:
            known = self.scopes[level].known[key] = self._insert(op, level).results
        else:
            op.drop_all()
        return known

    def here(self, op: Operation) -> Sequence[Value]:
        """Place an op in the innermost loop, behind what is there."""
        return self._insert(op, len(self.scopes) - 1).results

    # -- memory ---------------------------------------------------------------------------------

    def begin_nest(self) -> None:
        """Forget what was loaded: the nest before may have written it."""
        known = self.scopes[0].known
        for key in [key for key in known if isinstance(key, tuple) and key[0] is memref.Load]:
            del known[key]

    def load(self, buffer: Value, indices: Sequence[Value], movable: bool) -> Value:
        """Read an element; `movable` if nothing writes the buffer meanwhile."""
        op = memref.Load([buffer, *indices], None, location=self.location)
        if not movable:
            return self.here(op)[0]
        return self.pure(op)[0]

    def store(self, value: Value, buffer: Value, indices: Sequence[Value]) -> None:
        self.here(memref.Store([value, buffer, *indices], [], location=self.location))

    def affine(self, expr: Expr, point: Mapping[int, Value]) -> Value:
        """The value of an affine expression at a point of the iteration space."""
        return affine_value(expr, point.__getitem__, self.index, self._computed)

    def _computed(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.pure(cls([x, y], location=self.location))[0]

    def offset(self, value: Value, number: int) -> Value:
        """An index plus a number."""
        if number == 0:
            return value
        return self._computed(arith.AddI, value, self.index(number))

    # -- loops ----------------------------------------------------------------------------------

    def begin_loop(
        self, lower: Value, upper: Value, step: int, initial: Sequence[Value], name: str
    ) -> Sequence[BlockArgument]:
        """Open a loop: its index, then the values carried from turn to turn."""
        region = scf.For.code_for(initial, name)
        operands = [lower, upper, self.index(step), *initial]
        loop = scf.For(operands, None, {}, [region], self.location)
        self._insert(loop, len(self.scopes) - 1)
        self.scopes[-1].loop = loop
        arguments = region.blocks[0].arguments
        self.level.update(dict.fromkeys(arguments, len(self.scopes)))
        self.scopes.append(_Scope(region.blocks[0]))
        return arguments

    def end_loop(self, carried: Sequence[Value]) -> Sequence[Value]:
        """Close the innermost loop with the values for its next turn; its results."""
        self.here(scf.Yield(carried, [], location=self.location))
        self.scopes.pop()
        loop = self.scopes[-1].loop
        assert loop is not None
        self.scopes[-1].loop = None
        return loop.results


def _types(op: Operation) -> tuple[ty.Type, ...]:
    return tuple(result.type for result in op.results)
