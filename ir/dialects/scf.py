"""`scf`: loops and branches with regions (MLIR's `scf` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.constraints import BOOLEAN, INDEX
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.opdef import operand, operands, region, results
from penstock.ir.types import Type


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
    def block(carried: Sequence[Value] = (), name: str = "") -> Region:
        """The region of a loop that carries values of these types: index first."""
        return Region(Block([ty.index, *(v.type for v in carried)], [name]))

    def infer(self) -> Sequence[Type]:
        return [v.type for v in self.operands[3:]]

    @property
    def induction(self) -> BlockArgument:
        return self.body.arguments[0]

    def verify(self) -> None:
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
    else_code = region()

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        return self.regions[1].blocks[0] if self.regions[1].blocks else None

    def verify(self) -> None:
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


def induction(loop: Operation) -> BlockArgument:
    """The induction variable of a loop op."""
    return cast(For, loop).induction
