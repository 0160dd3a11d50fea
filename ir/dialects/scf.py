"""`scf`: loops and branches with regions (MLIR's `scf` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from penstock.ir import types as ty
from penstock.ir.constraints import BOOLEAN, INDEX
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.form_reader import other_types
from penstock.ir.opdef import operand, operands, region, results
from penstock.ir.types import Type

if TYPE_CHECKING:
    from penstock.ir.parser import Parser
    from penstock.ir.printer import Printer


class For(Operation):
    """`for i = lower to upper step s` with values carried from turn to turn."""

    name = "scf.for"
    lower = operand(INDEX)
    upper = operand(INDEX)
    step = operand(INDEX)
    initial = operands()
    outcomes = results()
    code = region()

    @staticmethod
    def code_for(carried: Sequence[Value] = (), name: str = "") -> Region:
        """The region of a loop that carries values of these types: index first."""
        return Region(Block([ty.index, *(v.type for v in carried)], [name]))

    def infer(self) -> Sequence[Type]:
        return [v.type for v in self.operands[3:]]

    @property
    def induction(self) -> BlockArgument:
        return self.body.arguments[0]

    def write(self, p: Printer, indent: str) -> None:
        """`scf.for %i = %a to %b step %s iter_args(%x = %init) -> (t) { ... }`"""
        if any(p.location(a.location) for a in self.body.arguments):
            # This form has no place for them.
            p.generic_form(self, indent)
            return
        lower, upper, step, *initial = map(p.name, self.operands)
        names = list(map(p.name, self.body.arguments))
        p.out.append(f"scf.for {names[0]} = {lower} to {upper} step {step} ")
        if initial:
            pairs = [f"{name} = {v}" for name, v in zip(names[1:], initial, strict=True)]
            types = ", ".join(str(a.type) for a in self.body.arguments[1:])
            p.out.append(f"iter_args({', '.join(pairs)}) -> ({types}) ")
        p.region(self.region, indent, skip_terminator=_unsaid(p, self, self.body))
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> For:
        """The inverse of `write`."""
        names = [_read_name(p, "the loop's variable, such as %i")]
        p.expect("=")
        operands = [p.value()]
        for word in ("to", "step"):
            p.expect(word)
            operands.append(p.value())
        types: list[Type] = []
        if p.accept("iter_args"):
            p.expect("(")
            while not p.accept(")"):
                if len(names) > 1:
                    p.expect(",")
                names.append(_read_name(p, "a carried value, such as %x"))
                p.expect("=")
                operands.append(p.value())
            p.expect("->")
            start = p.start
            types = p.type_list_in_parentheses()
            given = [v.type for v in operands[3:]]
            if types != given:
                p.fail(other_types("the carried values start with", given, types), start)
        region = _read_block(p, Block([ty.index, *types]), names)
        return _finish(p, cls(operands, types, p.optional_dictionary(), [region]))

    def verify(self) -> None:
        _check_blocks(self)
        if not self.body.arguments or self.induction.type is not ty.index:
            self.fail("expected an index as the first argument of its region")
        carried = [a.type for a in self.body.arguments[1:]]
        yielded = [v.type for v in self.body.terminator.operands]
        if carried != list(self.infer()) or yielded != carried:
            self.fail(
                f"carries {ty.result_text(tuple(carried))}, starts with "
                f"{ty.result_text(tuple(self.infer()))} and yields "
                f"{ty.result_text(tuple(yielded))}: expected one list of types"
            )


class If(Operation):
    """Run the first region if the condition holds, else the second, which may be empty."""

    name = "scf.if"
    condition = operand(BOOLEAN)
    outcomes = results()
    then_code = region()
    else_code = region(optional=True)

    def write(self, p: Printer, indent: str) -> None:
        """`scf.if %c -> (t) { ... } else { ... }`"""
        p.out.append(f"scf.if {p.value_list(self.operands)} ")
        if self.results:
            p.out.append(f"-> ({', '.join(str(r.type) for r in self.results)}) ")
        for word, block in (("", self.then_block), (" else ", self.else_block)):
            if block is not None and block.region is not None:
                p.out.append(word)
                p.region(block.region, indent, skip_terminator=_unsaid(p, self, block))
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> If:
        """The inverse of `write`."""
        condition = p.value()
        types = p.result_types() if p.accept("->") else []
        regions = [_read_block(p, Block(), [])]
        regions.append(_read_block(p, Block(), []) if p.accept("else") else Region())
        return _finish(p, cls([condition], types, p.optional_dictionary(), regions))

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        return self.regions[1].blocks[0] if self.regions[1].blocks else None

    def verify(self) -> None:
        _check_blocks(self)
        if any(block.arguments for inside in self.regions for block in inside.blocks):
            self.fail("a region of it has arguments: expected none")
        expected = [r.type for r in self.results]
        if expected and self.else_block is None:
            self.fail("gives results and has no else region")
        for block in (self.then_block, self.else_block):
            if block is not None and [v.type for v in block.terminator.operands] != expected:
                self.fail("a region yields other types than its results")


class Yield(Operation):
    """End a region of a loop or a branch and give its values."""

    name = "scf.yield"
    terminator = True
    values = operands()
    assembly = "attr-dict ($values^ `:` type($values))?"


def _check_blocks(op: Operation) -> None:
    for inside in op.regions:
        if len(inside.blocks) > 1:
            op.fail(f"a region of it has {len(inside.blocks)} blocks: expected one")
        for block in inside.blocks:
            if not isinstance(block.terminator, Yield):
                op.fail(f"a region of it ends in {block.terminator.name}: expected scf.yield")


O = TypeVar("O", For, If)  # noqa: E741


def _unsaid(p: Printer, op: For | If, block: Block) -> bool:
    """Whether the terminator of a block goes without saying: it gives nothing, and its location,
    where these are printed, is the op's."""
    end = block.terminator
    if end.operands or end.attributes or not isinstance(end, Yield):
        return False
    if end.previous is not None and end.previous.terminator:
        # Reading adds an end to what has none.
        return False
    return not p.locations or end.location == op.location


def _read_name(p: Parser, what: str) -> tuple[int, str]:
    """`%x`, a name for an argument of the block that follows, and where it stands."""
    return p.start, p.new_name(what)


def _read_block(p: Parser, block: Block, names: Sequence[tuple[int, str]]) -> Region:
    """Read a region of one block whose arguments the custom form has named."""
    outer = p.scopes
    p.scopes = [*outer, {}]
    for argument, (start, name) in zip(block.arguments, names, strict=True):
        p.define(name, [argument], start)
    opened = p.start
    region = p.region(block)
    if len(region.blocks) != 1:
        p.fail("a region of this op has one block", opened, opened + 1)
    p.scopes = outer
    return region


def _finish(p: Parser, op: O) -> O:
    """Read the location, and add the terminators that went without saying: they share it."""
    op.location = p.trailing_location()
    for block in (block for inside in op.regions for block in inside.blocks):
        if block.last is None or not block.last.terminator:
            block.append(Yield(location=op.location))
    return op
