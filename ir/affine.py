"""Affine expressions and maps: how an iteration space indexes its operands.

The text follows the MLIR language reference, "Affine Maps"; symbols are parsed and printed but no
stage of ours makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PRECEDENCE = {"+": 0, "*": 1, "floordiv": 1, "ceildiv": 1, "mod": 1}


class Expr:
    """Base of affine expressions; the operators build simplified ones, as MLIR's parser does."""

    __slots__ = ()

    def __add__(self, other: Expr | int) -> Expr:
        return _sum(self, _expr(other))

    def __sub__(self, other: Expr | int) -> Expr:
        return _sum(self, _product(_expr(other), Const(-1)))

    def __mul__(self, other: Expr | int) -> Expr:
        return _product(self, _expr(other))

    def __neg__(self) -> Expr:
        return _product(self, Const(-1))

    def dims(self) -> Iterator[int]:
        """The iteration dimensions it reads, left to right, repeated ones too."""
        return iter(())

    def substitute(self, dims: Sequence[Expr]) -> Expr:
        """The expression with every dimension replaced."""
        return self

    def evaluate(self, dims: Sequence[int]) -> int:
        """The value at one point of the iteration space."""
        raise TypeError(f"{self} has symbols, so it has no value")


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
        if self.kind == "*" and self.right == Const(-1):
            return f"-{self._side(self.left, 2)}"
        mine = _PRECEDENCE[self.kind]
        chain = isinstance(self.left, Binary) and self.left.kind == self.kind
        left = self._side(self.left, mine if chain or self.kind == "+" else mine + 1)
        if self.kind == "+":
            positive = _negated(self.right)
            if positive is not None:
                return f"{left} - {self._side(positive, 1)}"
        return f"{left} {self.kind} {self._side(self.right, mine + 1)}"

    @staticmethod
    def _side(side: Expr, bound: int) -> str:
        wrap = isinstance(side, Binary) and _PRECEDENCE[side.kind] < bound
        return f"({side})" if wrap else str(side)

    def dims(self) -> Iterator[int]:
        yield from self.left.dims()
        yield from self.right.dims()

    def substitute(self, dims: Sequence[Expr]) -> Expr:
        left, right = self.left.substitute(dims), self.right.substitute(dims)
        return combine(self.kind, left, right)

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


def _expr(value: Expr | int) -> Expr:
    return Const(value) if isinstance(value, int) else value


def combine(kind: str, left: Expr, right: Expr) -> Expr:
    """`left kind right`, simplified where the operands allow it."""
    if kind == "+":
        return _sum(left, right)
    if kind == "*":
        return _product(left, right)
    if isinstance(right, Const) and right.value > 0:
        if right.value == 1:
            return Const(0) if kind == "mod" else left
        if isinstance(left, Const):
            return Const(Binary(kind, left, right).evaluate(()))
    return Binary(kind, left, right)


def _sum(left: Expr, right: Expr) -> Expr:
    """left + right, in canonical order: dimensions ascending, one constant last."""
    first, before = _split(left)
    second, after = _split(right)
    number = before + after
    turned = isinstance(first, Dim) and isinstance(second, Dim) and first.index > second.index
    if isinstance(first, Const) or turned:
        first, second = second, first
    both = first if isinstance(second, Const) else Binary("+", first, second)
    if isinstance(both, Const):
        return Const(number)
    return Binary("+", both, Const(number)) if number else both


def _split(expr: Expr) -> tuple[Expr, int]:
    """Split off the constant that an expression adds last. A constant splits into Const(0) and
    itself."""
    if isinstance(expr, Const):
        return Const(0), expr.value
    if isinstance(expr, Binary) and expr.kind == "+" and isinstance(expr.right, Const):
        return expr.left, expr.right.value
    return expr, 0


def _product(left: Expr, right: Expr) -> Expr:
    """left * right, with one constant last."""
    if isinstance(left, Const):
        left, right = right, left
    if not isinstance(right, Const):
        return Binary("*", left, right)
    if isinstance(left, Const):
        return Const(left.value * right.value)
    if isinstance(left, Binary) and left.kind == "*" and isinstance(left.right, Const):
        return _product(left.left, Const(left.right.value * right.value))
    if right.value in (0, 1):
        return left if right.value else right
    return Binary("*", left, right)


def _negated(expr: Expr) -> Expr | None:
    """The negation of a negative constant or multiple, so that a sum can print a subtraction."""
    if isinstance(expr, Const) and expr.value < 0:
        return Const(-expr.value)
    if isinstance(expr, Binary) and expr.kind == "*" and isinstance(expr.right, Const):
        return _product(expr, Const(-1)) if expr.right.value < 0 else None
    return None


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

    def simplified(self) -> AffineMap:
        """The same map in the form that its text reads back as."""
        return self.substitute(self.rank, [Dim(i) for i in range(self.rank)])

    @property
    def is_identity(self) -> bool:
        return self == AffineMap.identity(self.rank)

    @property
    def is_projected_permutation(self) -> bool:
        """Whether each result is a dimension, without duplicates."""
        picked = [expr.index for expr in self.results if isinstance(expr, Dim)]
        return len(picked) == len(self.results) == len(set(picked))

    def dims(self) -> list[int]:
        """The dimension of each result, for a map whose results are all plain dimensions."""
        return [expr.index for expr in self.results if isinstance(expr, Dim)]

    def substitute(self, rank: int, dims: Sequence[Expr]) -> AffineMap:
        """The same map over another iteration space, old dimension i being `dims[i]`."""
        results = tuple(expr.substitute(dims) for expr in self.results)
        return AffineMap(rank, results, self.symbols)

    def evaluate(self, point: Sequence[int]) -> tuple[int, ...]:
        """The element addressed at one point of the iteration space."""
        return tuple(expr.evaluate(point) for expr in self.results)
