"""Affine expressions and maps: how an iteration space indexes its operands.

The text follows the MLIR language reference, "Affine Maps"; symbols are parsed and printed but no
stage of ours makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PRECEDENCE = {"+": 0, "*": 1, "floordiv": 1, "ceildiv": 1, "mod": 1}


class Expr:
    """Base of affine expressions; `+` and `*` build simplified sums and products."""

    __slots__ = ()

    def __add__(self, other: Expr | int) -> Expr:
        right = Const(other) if isinstance(other, int) else other
        if isinstance(self, Const) and isinstance(right, Const):
            return Const(self.value + right.value)
        if isinstance(right, Const) and right.value == 0:
            return self
        if isinstance(self, Const):
            return right if self.value == 0 else Binary("+", right, self)
        return Binary("+", self, right)

    def __mul__(self, other: Expr | int) -> Expr:
        right = Const(other) if isinstance(other, int) else other
        if isinstance(self, Const) and isinstance(right, Const):
            return Const(self.value * right.value)
        if isinstance(right, Const):
            return (
                self
                if right.value == 1
                else right
                if right.value == 0
                else Binary("*", self, right)
            )
        if isinstance(self, Const):
            return right * self
        return Binary("*", self, right)

    def dims(self) -> Iterator[int]:
        """The iteration dimensions it reads, left to right, repeated ones too."""
        return iter(())

    def substitute(self, dims: Sequence[Expr]) -> Expr:
        """The expression with every dimension replaced."""
        return self

    def evaluate(self, dims: Sequence[int]) -> int:
        """The value at one point of the iteration space."""
        raise TypeError(f"{self} has symbols and no value")


@dataclass(frozen=True, slots=True)
class Dim(Expr):
    index: int

    def __str__(self) -> str:
        return f"d{self.index}"

    def dims(self) -> Iterator[int]:
        yield self.index

    def substitute(self, dims: Sequence[Expr]) -> Expr:
        return dims[self.index]

    def evaluate(self, dims: Sequence[int]) -> int:
        return dims[self.index]


@dataclass(frozen=True, slots=True)
class Symbol(Expr):
    index: int

    def __str__(self) -> str:
        return f"s{self.index}"


@dataclass(frozen=True, slots=True)
class Const(Expr):
    value: int

    def __str__(self) -> str:
        return str(self.value)

    def evaluate(self, dims: Sequence[int]) -> int:
        return self.value


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """`left kind right`, kind one of `+ * floordiv ceildiv mod`."""

    kind: str
    left: Expr
    right: Expr

    def __str__(self) -> str:
        mine = _PRECEDENCE[self.kind]
        sides = []
        for side, bound in ((self.left, mine), (self.right, mine + 1)):
            wrap = isinstance(side, Binary) and _PRECEDENCE[side.kind] < bound
            sides.append(f"({side})" if wrap else str(side))
        return f"{sides[0]} {self.kind} {sides[1]}"

    def dims(self) -> Iterator[int]:
        yield from self.left.dims()
        yield from self.right.dims()

    def substitute(self, dims: Sequence[Expr]) -> Expr:
        left, right = self.left.substitute(dims), self.right.substitute(dims)
        if self.kind == "+":
            return left + right
        return left * right if self.kind == "*" else Binary(self.kind, left, right)

    def evaluate(self, dims: Sequence[int]) -> int:
        left, right = self.left.evaluate(dims), self.right.evaluate(dims)
        match self.kind:
            case "+":
                return left + right
            case "*":
                return left * right
            case "floordiv":
                return left // right
            case "ceildiv":
                return -(-left // right)
            case _:
                return left % right


@dataclass(frozen=True, slots=True)
class AffineMap:
    """`(d0, d1) -> (d0, d1 * 2)`: `rank` dimensions, `symbols` symbols, result expressions."""

    rank: int
    results: tuple[Expr, ...]
    symbols: int = 0

    def __str__(self) -> str:
        dims = ", ".join(f"d{i}" for i in range(self.rank))
        symbols = f"[{', '.join(f's{i}' for i in range(self.symbols))}]" if self.symbols else ""
        return f"({dims}){symbols} -> ({', '.join(map(str, self.results))})"

    @staticmethod
    def identity(rank: int) -> AffineMap:
        return AffineMap(rank, tuple(Dim(i) for i in range(rank)))

    @staticmethod
    def select(rank: int, dims: Sequence[int]) -> AffineMap:
        """The projection that keeps `dims`, in that order.

        >>> str(AffineMap.select(3, (0, 2)))
        '(d0, d1, d2) -> (d0, d2)'
        """
        return AffineMap(rank, tuple(Dim(i) for i in dims))

    @property
    def is_identity(self) -> bool:
        return self == AffineMap.identity(self.rank)

    @property
    def is_projected_permutation(self) -> bool:
        """Every result is one dimension, none twice: reads and writes address each element once."""
        picked = [expr.index for expr in self.results if isinstance(expr, Dim)]
        return len(picked) == len(self.results) == len(set(picked))

    def dims(self) -> list[int]:
        """The dimension of each result, for a map whose results are all plain dimensions."""
        return [expr.index for expr in self.results if isinstance(expr, Dim)]

    def compose(self, inner: AffineMap) -> AffineMap:
        """`self(inner(...))`: the map that applies `inner` first."""
        return AffineMap(inner.rank, tuple(e.substitute(inner.results) for e in self.results))

    def substitute(self, rank: int, dims: Sequence[Expr]) -> AffineMap:
        """The same map over another iteration space, old dimension i being `dims[i]`."""
        return AffineMap(rank, tuple(e.substitute(dims) for e in self.results))

    def evaluate(self, point: Sequence[int]) -> tuple[int, ...]:
        """The element addressed at one point of the iteration space."""
        return tuple(expr.evaluate(point) for expr in self.results)
