"""The arithmetic of schedules: of Python's numbers, or of ops that an artifact computes.

A formula takes one of these, so that a rate is defined once. Numbers are added and multiplied by
operators; the rest are methods. Ops compute in f64, as Python does.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make


class Arithmetic(Protocol):
    """What a formula needs beyond + - * /."""

    def floor_divide(self, x: Any, y: int) -> Any: ...
    def power(self, x: Any, y: Any) -> Any: ...
    def cos(self, x: Any) -> Any: ...
    def minimum(self, x: Any, y: float) -> Any: ...
    def maximum(self, x: Any, y: float) -> Any: ...
    def at_least(self, x: Any, y: float, then: Any, otherwise: Any) -> Any:
        """`then` if x >= y."""


class Python:
    """Python's numbers."""

    def floor_divide(self, x: Any, y: int) -> Any:
        return x // y

    def power(self, x: Any, y: Any) -> Any:
        return x**y

    def cos(self, x: Any) -> Any:
        return math.cos(x)

    def minimum(self, x: Any, y: float) -> Any:
        return min(x, y)

    def maximum(self, x: Any, y: float) -> Any:
        return max(x, y)

    def at_least(self, x: Any, y: float, then: Any, otherwise: Any) -> Any:
        return then if x >= y else otherwise


PYTHON = Python()


class Number:
    """A value of rank 0 and f64."""

    def __init__(self, b: Builder, value: Value) -> None:
        self.b = b
        self.value = value

    def _op(self, name: str, x: Any, y: Any) -> Number:
        pair = [one.value if isinstance(one, Number) else float(one) for one in (x, y)]
        return Number(self.b, getattr(make, name)(self.b, *pair))

    def __add__(self, other: Any) -> Number:
        return self._op("add", self, other)

    def __radd__(self, other: Any) -> Number:
        return self._op("add", other, self)

    def __sub__(self, other: Any) -> Number:
        return self._op("subtract", self, other)

    def __rsub__(self, other: Any) -> Number:
        return self._op("subtract", other, self)

    def __mul__(self, other: Any) -> Number:
        return self._op("multiply", self, other)

    def __rmul__(self, other: Any) -> Number:
        return self._op("multiply", other, self)

    def __truediv__(self, other: Any) -> Number:
        return self._op("divide", self, other)


class Ops:
    """Ops that compute the numbers."""

    def __init__(self, like: Number) -> None:
        self._like = like

    def value(self, x: Any) -> Value:
        """A number as a value."""
        if isinstance(x, Number):
            return x.value
        return (self._like * 0.0 + float(x)).value

    def floor_divide(self, x: Any, y: int) -> Number:
        return Number(self._like.b, make.unary(self._like.b, "floor", (x / y).value))

    def power(self, x: Any, y: Any) -> Any:
        if not isinstance(x, Number) and not isinstance(y, Number):
            return x**y
        return self._like._op("power", x, y)

    def cos(self, x: Any) -> Number:
        return Number(self._like.b, make.unary(self._like.b, "cos", x.value))

    def minimum(self, x: Any, y: float) -> Number:
        return self._like._op("minimum", x, y)

    def maximum(self, x: Any, y: float) -> Number:
        return self._like._op("maximum", x, y)

    def at_least(self, x: Any, y: float, then: Any, otherwise: Any) -> Number:
        b = self._like.b
        condition = make.compare(b, "greater_equal", x.value, float(y))
        return Number(b, make.where(b, condition, self.value(then), self.value(otherwise)))
