"""Affine expressions as index arithmetic."""

from __future__ import annotations

from collections.abc import Callable

from penstock.ir.affine import Binary, Const, Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import arith

_OPS: dict[str, type[arith.IntegerBinary]] = {
    "+": arith.AddI, "*": arith.MulI, "floordiv": arith.FloorDivSI,
}  # fmt: skip


def affine_value(
    expr: Expr,
    dimension: Callable[[int], Value],
    number: Callable[[int], Value],
    apply: Callable[[type[arith.IntegerBinary], Value, Value], Value],
) -> Value:
    """The value of an expression; the functions make a dimension's, a constant and one op."""
    match expr:
        case Dim(index=index):
            return dimension(index)
        case Const(value=value):
            return number(value)
        case Binary(kind="mod", left=left, right=right):
            expr = left + Binary("floordiv", left, right) * right * -1
            return affine_value(expr, dimension, number, apply)
        case Binary(kind="ceildiv", left=left, right=right):
            expr = Binary("floordiv", left * -1, right) * -1
            return affine_value(expr, dimension, number, apply)
        case Binary(kind=kind, left=left, right=right):
            one = affine_value(left, dimension, number, apply)
            other = affine_value(right, dimension, number, apply)
            return apply(_OPS[kind], one, other)
        case _:
            raise TypeError(f"{expr} has symbols and no value")
