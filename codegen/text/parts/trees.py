"""Trees of ops with their own row, which computes the whole in fewer steps than the ops one by one.

A tree is the ops that a function of `penstock.ir.write.scalars` writes. Where a block has the same
ops on the same operands, and nothing else uses the inner values, codegen writes the row instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import signature

from penstock.codegen.math.vector_math import Table
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith
from penstock.ir.types import element_of
from penstock.ir.write import scalars


def _gate(b: Builder, x: Value, y: Value) -> Value:
    """tanh(x) sigmoid(y), as gates of LSTMs and of WaveNet have it."""
    return scalars.mul(b, scalars.tanh(b, x), scalars.sigmoid(b, y))


TREES: Mapping[str, Callable[..., Value]] = {"math.sigmoid": scalars.sigmoid, "math.gate": _gate}
"""The function that writes each tree, by the name of its row. It takes a builder and the
operands."""


class Trees:
    """The trees of a block: `rows` has the row and the operands of each last op."""

    def __init__(self, block: Block, table: Table) -> None:
        self.rows: dict[Operation, tuple[str, Sequence[Value]]] = {}
        self.covered: set[Operation] = set()
        """Ops that need no code, since a row replaces them."""
        for name in TREES:
            root = _tree(name)
            for op in block:
                if type(op) is type(root) and _row(name, op) in table:
                    self._match(op, name, root)

    def _match(self, op: Operation, name: str, root: Operation) -> None:
        """Record `op` if it is the last op of a tree whose inner values have no other use."""
        inside: set[Operation] = set()
        operands: dict[Value, Value] = {}
        if not _same(root.results[0], op.results[0], inside, operands):
            return
        inner = inside - {op}
        # In tanh(x) sigmoid(tanh(x)) an operand is also an inner value.
        if any(value.defining_op in inner for value in operands.values()):
            return
        if all(use in inside for part in inner for use in part.results[0].users()):
            self.rows[op] = name, list(operands.values())
            self.covered |= inner


def _row(name: str, op: Operation) -> str:
    element = element_of(op.results[0].type)
    return f"{name} {element} {element}"


@cache
def _tree(name: str) -> Operation:
    """The last op of a tree, on floats of 32 bits."""
    write = TREES[name]
    block = Block([ty.f32] * (len(signature(write).parameters) - 1))
    root = write(Builder.at_end(block), *block.arguments)
    assert root.defining_op is not None
    return root.defining_op


def _same(
    wanted: Value, operand: Value, inside: set[Operation], operands: dict[Value, Value]
) -> bool:
    """Whether a value is computed like another one; collects the ops, and the values that match
    operands.
    """
    tree, op = wanted.defining_op, operand.defining_op
    if tree is None:
        return operands.setdefault(wanted, operand) is operand
    if op is None or type(tree) is not type(op):
        return False
    if isinstance(tree, arith.Constant) and isinstance(op, arith.Constant):
        return bool(arith.scalar_of(tree.value) == arith.scalar_of(op.value))
    if any(op.attributes.get(name) != value for name, value in tree.attributes.items()):
        return False
    orders = [op.operands, op.operands[::-1]] if op.commutative else [op.operands]
    for order in orders:
        more, found = {op}, dict(operands)
        if all(_same(*pair, more, found) for pair in zip(tree.operands, order, strict=True)):
            inside |= more
            operands |= found
            return True
    return False
