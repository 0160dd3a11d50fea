"""Rules for constants, loops and branches: structured control flow becomes blocks and phis."""

from __future__ import annotations

from penstock.codegen.counted import Carried, Loop
from penstock.codegen.function_text import FunctionText, Rule
from penstock.codegen.llvm_types import constant
from penstock.ir.core import Operation
from penstock.ir.dialects import arith, scf


def write_constant(text: FunctionText, op: arith.Constant) -> None:
    """A constant stands where it is used."""
    try:
        text.bind(op.results[0], constant(op.value))
    except TypeError as error:
        op.fail(str(error))


def write_loop(text: FunctionText, op: scf.For) -> None:
    """A counted loop whose carried values are phis."""
    lower, upper, step, *initial = text.values(op, op.operands)
    arguments = op.body.arguments[1:]
    carried = [
        Carried(argument.name or "carried", text.type(op, argument.type), start)
        for argument, start in zip(arguments, initial, strict=True)
    ]
    loop = Loop(text.writer, lower, upper, step, op.induction.name, carried)
    for argument, name in zip(op.body.arguments, [loop.index, *loop.carried], strict=True):
        text.bind(argument, name)
    terminator = text.region(op, op.region).terminator
    yielded = text.values(terminator, terminator.operands)
    text.writer.op = op
    loop.close(yielded)
    for result, name in zip(op.results, loop.carried, strict=True):
        text.bind(result, name)


def write_branch(text: FunctionText, op: scf.If) -> None:
    """Blocks `then`, `else` where there is one, and `end`; the results are phis in `end`."""
    w = text.writer
    (condition,) = text.values(op, op.operands)
    number = w.number()
    end = f"end.{number}"
    sides = [(f"then.{number}", op.regions[0])]
    if op.else_block is not None:
        sides.append((f"else.{number}", op.regions[1]))
    otherwise = sides[1][0] if len(sides) == 2 else end
    w.line(f"  br i1 {condition}, label %{sides[0][0]}, label %{otherwise}")
    incoming: list[tuple[list[str], str]] = []
    for label, region in sides:
        w.label(label)
        terminator = text.region(op, region).terminator
        incoming.append((text.values(terminator, terminator.operands), w.block))
        w.line(f"  br label %{end}")
    w.op = op
    w.label(end)
    for i, result in enumerate(op.results):
        pairs = ", ".join(f"[ {values[i]}, %{block} ]" for values, block in incoming)
        kind = text.type(op, result.type)
        text.bind(result, w.assign(result.name or "chosen", f"phi {kind} {pairs}"))


RULES: dict[type[Operation], Rule] = {
    arith.Constant: write_constant,
    scf.For: write_loop,
    scf.If: write_branch,
}
