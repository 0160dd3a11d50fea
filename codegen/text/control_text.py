"""Emits constants, loops and branches: structured control flow becomes blocks and phis."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.llvm_types import constant, lane_constants
from penstock.codegen.text.parts.counted import Carried, CountedLoop
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Piece, each_piece
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, scf


def write_constant(text: FunctionText, op: arith.Constant) -> None:
    """Bind a constant, which is printed at its uses; a vector is split into registers."""
    value = op.value
    try:
        if isinstance(value, DenseElementsAttr) and isinstance(value.type, ty.VectorType):
            _write_vector(text, op, value, value.type)
        else:
            text.bind(op.results[0], constant(value))
    except TypeError as error:
        op.fail(str(error))


def _write_vector(
    text: FunctionText, op: arith.Constant, value: DenseElementsAttr, type: ty.VectorType
) -> None:
    text.kinds(op, type)
    words = lane_constants(value)
    columns = type.shape[-1]
    if value.is_splat:
        pieces = each_piece(type, text.target.lanes, lambda row, piece: f"splat ({words[0]})")
    else:
        filler = f"{words[0].partition(' ')[0]} poison"
        pieces = each_piece(
            type,
            text.target.lanes,
            lambda row, piece: _listed(words, row * columns + piece.start, piece, filler),
        )
    text.bind(op.results[0], pieces)


def _listed(words: list[str], start: int, piece: Piece, filler: str) -> str:
    lanes = words[start : start + piece.valid] + [filler] * (piece.width - piece.valid)
    return f"<{', '.join(lanes)}>"


def write_loop(text: FunctionText, op: scf.For) -> None:
    """A counted loop whose carried values are phis."""
    lower, upper, step = text.values(op, op.operands[:3])
    arguments = op.body.arguments[1:]
    starts = [text.leaves(op, value) for value in op.operands[3:]]
    carried = [
        Carried(argument.name or "carried", kind, start)
        for argument, leaves in zip(arguments, starts, strict=True)
        for kind, start in leaves
    ]
    has_turns = scf.HAS_TURNS in op.attributes
    loop = CountedLoop(text.writer, lower, upper, step, op.induction.name, carried, has_turns)
    text.bind(op.induction, loop.index)
    counts = [len(leaves) for leaves in starts]
    _bind_in_turn(text, arguments, counts, loop.carried)
    terminator = text.region(op, op.region).terminator
    yielded = [name for value in terminator.operands for _, name in text.leaves(terminator, value)]
    text.writer.op = op
    ended = loop.close(yielded, _holds_vectors(op.body), text.target.unrolls)
    _bind_in_turn(text, op.results, counts, ended)


def _bind_in_turn(
    text: FunctionText, values: Sequence[Value], counts: Sequence[int], names: Sequence[str]
) -> None:
    """Assign each value as many of the names as it has pieces."""
    start = 0
    for value, count in zip(values, counts, strict=True):
        text.bind_leaves(value, names[start : start + count])
        start += count


def _holds_vectors(block: Block) -> bool:
    return any(isinstance(v.type, ty.VectorType) for op in block for v in op.results)


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
    incoming: list[tuple[list[list[tuple[str, str]]], str]] = []
    for label, region in sides:
        w.label(label)
        terminator = text.region(op, region).terminator
        leaves = [text.leaves(terminator, value) for value in terminator.operands]
        incoming.append((leaves, w.block))
        w.line(f"  br label %{end}")
    w.op = op
    w.label(end)
    for i, result in enumerate(op.results):
        names = []
        for leaf, kind in enumerate(text.kinds(op, result.type)):
            pairs = ", ".join(f"[ {values[i][leaf][1]}, %{block} ]" for values, block in incoming)
            names.append(w.assign(result.name or "chosen", f"phi {kind} {pairs}"))
        text.bind_leaves(result, names)


RULES: dict[type[Operation], Rule] = {
    arith.Constant: write_constant,
    scf.For: write_loop,
    scf.If: write_branch,
}
