"""What is known about indices while text is written: constants added to them, and divisors.

The first turns neighbouring accesses into one address with constant displacements; the second says
how far a vector in memory is aligned.
"""

from __future__ import annotations

import math
from dataclasses import field

from penstock.ir.record import Record

_KEPT = ("add", "sub", "urem", "srem", "@llvm.smin", "@llvm.smax")
"""What gives one of two numbers, or their sum or difference: a remainder is the difference of the
left one and multiples of the right one."""
ZERO_DIVISOR = 1 << 20
"""The divisor of 0, which every power of two divides."""


class Indices(Record, frozen=False):
    """Facts about the LLVM values of type index of one function, by name."""

    _sums: dict[str, tuple[str, int]] = field(default_factory=dict)
    _divisors: dict[str, int] = field(default_factory=dict)

    def note_sum(self, name: str, base: str, constant: int) -> None:
        """`name` is `base` and a constant."""
        base, more = self.split(base)
        self._sums[name] = (base, more + constant)

    def split(self, name: str) -> tuple[str, int]:
        """A value and the constant that it is short of `name`; ("", n) for a number."""
        if is_number(name):
            return "", int(name)
        return self._sums.get(name, (name, 0))

    def note_divisor(self, name: str, divisor: int) -> None:
        """Every value that `name` has is a multiple of this."""
        if divisor > 1:
            self._divisors[name] = divisor

    def divisor(self, name: str) -> int:
        """A number that divides every value that `name` has."""
        if is_number(name):
            return abs(int(name)) or ZERO_DIVISOR
        return self._divisors.get(name, 1)


def is_number(text: str) -> bool:
    """Whether the text of a value is an integer constant."""
    return text.lstrip("-").isdigit()


def known_divisor(kind: str, left: int, right: int) -> int:
    """A divisor of what is computed of multiples of `left` and `right`; 1 if none is known.

    >>> known_divisor("add", 32, 48), known_divisor("mul", 32, 48), known_divisor("sdiv", 4, 2)
    (16, 1536, 1)
    >>> known_divisor("urem", 32, 48)
    16
    """
    if kind == "mul":
        return min(left * right, ZERO_DIVISOR) if ZERO_DIVISOR in (left, right) else left * right
    return math.gcd(left, right) if kind in _KEPT else 1
