"""`scf`: loops and branches with regions (MLIR's `scf` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from penstock.ir import types as ty
from penstock.ir.constraints import BOOLEAN, INDEX
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
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
        lower, upper, step, *initial = p.value_list(self.operands).split(", ")
        p.out.append(f"scf.for {p.name(self.induction)} = {lower} to {upper} step {step} ")
        carried = self.body.arguments[1:]
        if carried:
            pairs = [f"{p.name(a)} = {v}" for a, v in zip(carried, initial, strict=True)]
            types = ", ".join(str(a.type) for a in carried)
            p.out.append(f"iter_args({', '.join(pairs)}) -> ({types}) ")
        p.region(self.region, indent, skip_terminator=not carried and _says_nothing(self.body))
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> For:
        """The inverse of `write`."""
        block = Block()
        names = [(p.start, p.take("value", "the loop's variable, such as %i")[1:])]
        block.add_argument(ty.index)
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
                names.append((p.start, p.take("value", "a carried value, such as %x")[1:]))
                p.expect("=")
                operands.append(p.value())
            p.expect("->")
            start = p.start
            types = p.type_list_in_parentheses()
            if types != [v.type for v in operands[3:]]:
                p.fail("the carried values have other types", start, start + 1)
        for type in types:
            block.add_argument(type)
        region = read_block(p, block, names, Yield)
        return cls(operands, types, p.optional_dictionary(), [region])

    def verify(self) -> None:
        _check_blocks(self)
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
                skip = not self.results and _says_nothing(block)
                p.region(block.region, indent, skip_terminator=skip)
        rest = p.attribute_dictionary(self)
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> If:
        """The inverse of `write`."""
        condition = p.value()
        types = p.result_types() if p.accept("->") else []
        regions = [read_block(p, Block(), [], Yield)]
        regions.append(read_block(p, Block(), [], Yield) if p.accept("else") else Region())
        return cls([condition], types, p.optional_dictionary(), regions)

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        return self.regions[1].blocks[0] if self.regions[1].blocks else None

    def verify(self) -> None:
        _check_blocks(self)
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


def _says_nothing(block: Block) -> bool:
    """Whether the text may leave out the end of the block."""
    return not block.terminator.attributes


def _check_blocks(op: Operation) -> None:
    for inside in op.regions:
        if len(inside.blocks) > 1:
            op.fail(f"a region of it has {len(inside.blocks)} blocks: expected one")
        for block in inside.blocks:
            if not isinstance(block.terminator, Yield):
                op.fail(f"a region of it ends in {block.terminator.name}: expected scf.yield")


def read_block(
    p: Parser, block: Block, names: Sequence[tuple[int, str]], terminator: type[Operation]
) -> Region:
    """Read a region of one block whose arguments a custom form has named; ends get a terminator."""
    outer = p.scopes
    p.scopes = [*outer, {}]
    for argument, (start, name) in zip(block.arguments, names, strict=True):
        p.define(name, [argument], start)
    region = p.region(block)
    if block.last is None or not block.last.terminator:
        block.append(terminator())
    p.scopes = outer
    return region
