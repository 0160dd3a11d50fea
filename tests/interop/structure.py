"""Compares modules by structure: ignores names of values, and compares maps by their values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr, Symbol
from penstock.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DictAttr, TypeAttr
from penstock.ir.core import Block, Operation, Value
from penstock.ir.location import UNKNOWN
from penstock.ir.types import FunctionType, MemRefType, Type

POINTS = 20


def same(one: Operation, other: Operation, locations: bool = False) -> bool:
    """Whether two ops, including regions, are equal up to names.

    With `locations`, ops with a location in the first must have the same in the second.
    """
    return not difference(one, other, locations)


def difference(one: Operation, other: Operation, locations: bool = False) -> str:
    """The first difference of two ops, in a sentence; empty if there is none."""
    return _Comparison(locations).ops(one, other)


class _Comparison:
    def __init__(self, locations: bool) -> None:
        self.locations = locations
        self.twin: dict[Value, Value] = {}

    def ops(self, one: Operation, other: Operation) -> str:
        name = one.name
        if name != other.name:
            return f"{name} is {other.name}"
        if one.attributes.keys() != other.attributes.keys():
            return f"{name} has attributes {one.attributes} and {other.attributes}"
        for key, value in one.attributes.items():
            if not alike(value, other.attributes[key]):
                return f"{name} has {key} = {value} and {other.attributes[key]}"
        if len(one.operands) != len(other.operands):
            return f"{name} has {len(one.operands)} operands and {len(other.operands)}"
        for i, (value, twin) in enumerate(zip(one.operands, other.operands, strict=True)):
            if self.twin.get(value, value) is not twin:
                return f"operand {i} of {name} is another value"
        if self.locations and one.location not in (UNKNOWN, other.location):
            return f"{name} is at {one.location} and {other.location}"
        return self.values(name, one.results, other.results) or self.regions(one, other)

    def values(self, name: str, one: Sequence[Value], other: Sequence[Value]) -> str:
        """Values with the same definition."""
        if len(one) != len(other):
            return f"{name} defines {len(one)} values and {len(other)}"
        for value, twin in zip(one, other, strict=True):
            if not alike(value.type, twin.type):
                return f"{name} defines a {value.type} and a {twin.type}"
            self.twin[value] = twin
        return ""

    def regions(self, one: Operation, other: Operation) -> str:
        shapes = [[len(r.blocks) for r in op.regions] for op in (one, other)]
        if shapes[0] != shapes[1]:
            return f"{one.name} has regions of {shapes[0]} blocks and of {shapes[1]}"
        pairs = zip(_blocks(one), _blocks(other), strict=True)
        found = (self.blocks(one.name, block, twin) for block, twin in pairs)
        return next(filter(None, found), "")

    def blocks(self, name: str, one: Block, other: Block) -> str:
        found = self.values(name, one.arguments, other.arguments)
        ops, others = list(one), list(other)
        if not found and len(ops) != len(others):
            found = f"a block of {name} has {len(ops)} ops and {len(others)}"
        if not found and self.locations:
            pairs = zip(one.arguments, other.arguments, strict=True)
            moved = [a for a, b in pairs if a.location not in (UNKNOWN, b.location)]
            found = f"{moved[0]} is at another place" if moved else ""
        inside = (self.ops(op, twin) for op, twin in zip(ops, others, strict=not found))
        return found or next(filter(None, inside), "")


def _blocks(op: Operation) -> list[Block]:
    return [block for region in op.regions for block in region.blocks]


def alike(one: Attribute | Type | None, other: Attribute | Type | None) -> bool:
    """Whether attributes or types are equal: the same object, or maps that compute the same."""
    if one is other:
        return True
    match one, other:
        case AffineMapAttr(), AffineMapAttr():
            return _equal_maps(one.map, other.map)
        case ArrayAttr(), ArrayAttr():
            return _all_alike(one.items, other.items)
        case DictAttr(), DictAttr():
            return [name for name, _ in one.items] == [name for name, _ in other.items] and (
                _all_alike([value for _, value in one.items], [value for _, value in other.items])
            )
        case TypeAttr(), TypeAttr():
            return alike(one.value, other.value)
        case FunctionType(), FunctionType():
            return _all_alike(one.inputs, other.inputs) and _all_alike(one.results, other.results)
        case MemRefType(), MemRefType():
            return (one.shape, one.element, one.space) == (
                other.shape, other.element, other.space
            ) and alike(one.layout, other.layout)  # fmt: skip
    return False


def _all_alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))


def _equal_maps(one: AffineMap, other: AffineMap) -> bool:
    if (one.rank, one.symbols, len(one.results)) != (
        other.rank, other.symbols, len(other.results)
    ):  # fmt: skip
        return False
    choose = random.Random(0)
    points = [
        ([choose.randrange(1, 50) for _ in range(one.rank)],
         [choose.randrange(1, 50) for _ in range(one.symbols)])
        for _ in range(POINTS)
    ]  # fmt: skip
    return all(
        [value(expr, *point) for expr in one.results]
        == [value(expr, *point) for expr in other.results]
        for point in points
    )


def value(expr: Expr, dims: Sequence[int], symbols: Sequence[int]) -> int:
    """The value of an expression, symbols and all, computed without `Expr.evaluate`."""
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Binary):
        left, right = value(expr.left, dims, symbols), value(expr.right, dims, symbols)
        return {
            "+": lambda: left + right, "*": lambda: left * right, "mod": lambda: left % right,
            "floordiv": lambda: left // right, "ceildiv": lambda: -(-left // right),
        }[expr.kind]()  # fmt: skip
    if isinstance(expr, Dim):
        return dims[expr.index]
    assert isinstance(expr, Symbol)
    return symbols[expr.index]
