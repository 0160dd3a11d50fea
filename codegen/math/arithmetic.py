"""Writes LLVM text of arithmetic on f64 from Python expressions, and numbers of two parts.

A sum of two floats, of which the second is at most half a unit in the last place of the first, has
106 bits (Dekker 1971; Muller et al., Handbook of Floating-Point Arithmetic, chapter 14).
"""

from __future__ import annotations

from typing import NamedTuple

from penstock.codegen.llvm_types import number
from penstock.ir import types as ty


class Code:
    """Lines of one function; `fma` needs a processor that has it."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, type: str, text: str) -> Term:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return Term(self, type, name)

    def constant(self, value: float) -> Term:
        return Term(self, "double", number(value, ty.f64))

    def whole(self, value: int) -> Term:
        return Term(self, "i64", str(value))

    def fma(self, x: Term, y: Term | float, z: Term | float) -> Term:
        y, z = x.same(y), x.same(z)
        taken = ", ".join(f"double {each.name}" for each in (x, y, z))
        return self.line("double", f"call double @llvm.fma.f64({taken})")

    def unary(self, name: str, x: Term) -> Term:
        """An intrinsic of one operand, such as `sqrt`."""
        return self.line("double", f"call double @llvm.{name}.f64(double {x.name})")

    def abs(self, x: Term) -> Term:
        return self.unary("fabs", x)

    def sqrt(self, x: Term) -> Term:
        return self.unary("sqrt", x)

    def choose(self, condition: Term, one: Term | float, other: Term | float) -> Term:
        """`one` where the condition holds, else `other`."""
        first = one if isinstance(one, Term) else other
        assert isinstance(first, Term)
        one, other = first.same(one), first.same(other)
        kind = first.type
        text = f"select i1 {condition.name}, {kind} {one.name}, {kind} {other.name}"
        return self.line(kind, text)

    def bits(self, x: Term) -> Term:
        return self.line("i64", f"bitcast double {x.name} to i64")

    def from_bits(self, x: Term) -> Term:
        return self.line("double", f"bitcast i64 {x.name} to double")

    def polynomial(self, x: Term, coefficients: tuple[float, ...] | list[float]) -> Term:
        """By Horner's rule; the constant term comes first."""
        total = self.constant(coefficients[-1])
        for value in reversed(coefficients[:-1]):
            total = self.fma(total, x, value)
        return total

    def with_sign(self, size: Term, of: Term) -> Term:
        """A nonnegative number with the sign of another."""
        sign = self.bits(of) & -(1 << 63)
        return self.from_bits(self.bits(size) | sign)


class Term:
    """An LLVM value of type double, i1 or an integer."""

    def __init__(self, code: Code, type: str, name: str) -> None:
        self.code, self.type, self.name = code, type, name

    def same(self, other: Term | float) -> Term:
        """A number as a term of this type."""
        if isinstance(other, Term):
            return other
        if self.type == "double":
            return self.code.constant(float(other))
        return Term(self.code, self.type, str(other))

    def _two(self, name: str, other: Term | float) -> Term:
        text = f"{name} {self.type} {self.name}, {self.same(other).name}"
        return self.code.line(self.type, text)

    def _pick(self, float_name: str, integer_name: str) -> str:
        return float_name if self.type == "double" else integer_name

    def __add__(self, other: Term | float) -> Term:
        return self._two(self._pick("fadd", "add"), other)

    def __sub__(self, other: Term | float) -> Term:
        return self._two(self._pick("fsub", "sub"), other)

    def __mul__(self, other: Term | float) -> Term:
        return self._two(self._pick("fmul", "mul"), other)

    def __truediv__(self, other: Term | float) -> Term:
        return self._two("fdiv", other)

    def __and__(self, other: Term | int) -> Term:
        return self._two("and", other)

    def __or__(self, other: Term | int) -> Term:
        return self._two("or", other)

    def __xor__(self, other: Term | int) -> Term:
        return self._two("xor", other)

    def __lshift__(self, other: Term | int) -> Term:
        return self._two("shl", other)

    def __rshift__(self, other: Term | int) -> Term:
        """Zeros come in."""
        return self._two("lshr", other)

    def signed_shift(self, other: int) -> Term:
        return self._two("ashr", other)

    def __neg__(self) -> Term:
        return self.code.line("double", f"fneg double {self.name}")

    def compare(self, predicate: str, other: Term | float) -> Term:
        name = self._pick("fcmp", "icmp")
        text = f"{name} {predicate} {self.type} {self.name}, {self.same(other).name}"
        return self.code.line("i1", text)

    def less(self, other: Term | float) -> Term:
        return self.compare(self._pick("olt", "slt"), other)

    def more(self, other: Term | float) -> Term:
        return self.compare(self._pick("ogt", "sgt"), other)

    def equals(self, other: Term | float) -> Term:
        return self.compare(self._pick("oeq", "eq"), other)

    def is_nan(self) -> Term:
        return self.compare("uno", self)

    def cast(self, how: str, type: str) -> Term:
        return self.code.line(type, f"{how} {self.type} {self.name} to {type}")


class Pair(NamedTuple):
    """A number as the sum of two floats."""

    high: Term
    low: Term

    def __neg__(self) -> Pair:
        return Pair(-self.high, -self.low)


def quick_sum(x: Term, y: Term) -> Pair:
    """x + y exactly, where x is not the smaller one."""
    total = x + y
    return Pair(total, y - (total - x))


def exact_sum(x: Term, y: Term | float) -> Pair:
    """x + y exactly."""
    y = x.same(y)
    total = x + y
    back = total - x
    return Pair(total, (x - (total - back)) + (y - back))


def exact_product(x: Term, y: Term | float) -> Pair:
    """x * y exactly."""
    product = x * y
    return Pair(product, x.code.fma(x, y, -product))


def add(x: Pair, y: Pair) -> Pair:
    total = exact_sum(x.high, y.high)
    return quick_sum(total.high, total.low + (x.low + y.low))


def multiply(x: Pair, y: Pair) -> Pair:
    product = exact_product(x.high, y.high)
    code = x.high.code
    rest = code.fma(x.high, y.low, code.fma(x.low, y.high, product.low))
    return quick_sum(product.high, rest)


def divide(x: Pair, y: Pair) -> Pair:
    code, first = x.high.code, x.high / y.high
    rest = code.fma(-first, y.high, x.high) + code.fma(-first, y.low, x.low)
    return quick_sum(first, rest / y.high)


def root(x: Pair) -> Pair:
    """The square root of a positive number; 0 for 0."""
    code = x.high.code
    first = code.sqrt(x.high)
    rest = code.fma(-first, first, x.high) + x.low
    is_zero = first.equals(0.0)
    step = rest / (first + first)
    return quick_sum(first, code.choose(is_zero, 0.0, step))
