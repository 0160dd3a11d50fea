"""Integers as linear forms over symbols, and bounds of these forms.

    %i in 0 to 12 step 4;  %j = %i * 8 + 3     ->     8*i + 3, which is 3 to 67

A symbol is a value that is not a sum of others: an induction variable, a quotient, an element of
memory. Its bounds are forms over earlier symbols. So to bound a form, its latest symbol is replaced
by the symbol's bounds, repeatedly, until no symbol is left. This keeps what interval arithmetic
loses: `%i + 16 - %i` is 16, and `%j` in `%i to min(%i + 16, 100)` is less than `%i + 16`.

A form equals the machine's value modulo 2^64. So a comparison of two values implies a fact about
their forms only if both forms fit in 64 bits (`fits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

LEAST, MOST = -(2**63), 2**63 - 1
"""The range of an index."""
MAX_STEPS = 4000
"""The most replacements for one bound of one form. Beyond that, the form counts as unbounded."""

DEPTH = 100
"""The most nested replacements. Beyond that, only constant bounds are used."""

Terms = tuple[tuple["Symbol", int], ...]
"""Symbols with their nonzero factors, in order of creation."""
Scaled = tuple[int, "Form"]
"""A multiple of a symbol, and the form that bounds it."""


class Form:
    """A sum of multiples of symbols, and a constant."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Terms = (), constant: int = 0) -> None:
        self.terms = terms
        self.constant = constant

    def __add__(self, other: Form) -> Form:
        constant = self.constant + other.constant
        if not other.terms:
            return Form(self.terms, constant)
        if not self.terms:
            return Form(other.terms, constant)
        factors = dict(self.terms)
        for symbol, factor in other.terms:
            factors[symbol] = factors.get(symbol, 0) + factor
        kept = [(s, f) for s, f in factors.items() if f]
        kept.sort(key=_number)
        return Form(tuple(kept), constant)

    def __sub__(self, other: Form) -> Form:
        return self + other * -1

    def __mul__(self, factor: int) -> Form:
        if factor == 1:
            return self
        if not factor or not self.terms:
            return Form((), self.constant * factor)
        terms = tuple((s, f * factor) for s, f in self.terms)
        return Form(terms, self.constant * factor)

    def plus(self, constant: int) -> Form:
        """The form with a number added."""
        return Form(self.terms, self.constant + constant) if constant else self

    @property
    def number(self) -> int | None:
        """Its value if it has no symbols, else None."""
        return None if self.terms else self.constant

    @property
    def told(self) -> bool:
        """Whether its range is known from the program text alone."""
        return all(symbol.told for symbol, _ in self.terms)

    def modulo(self) -> tuple[int, int]:
        """(m, r) such that all its values are r modulo m; m is 0 for a constant."""
        divisor, rest = 0, self.constant
        for symbol, factor in self.terms:
            divisor = gcd(divisor, factor * symbol.step)
            rest += factor * symbol.rest
        return divisor, rest % divisor if divisor else rest

    def __str__(self) -> str:
        words = [f"{f}*s{s.number}" for s, f in self.terms]
        return " + ".join([*words, str(self.constant)])


def _number(term: tuple[Symbol, int]) -> int:
    return term[0].number


class Symbol:
    """A value with bounds: `m * value <= form` for each of `upper`, `>=` for each of `lower`.

    It is `rest` modulo `step`.
    """

    __slots__ = ("divided", "form", "lower", "number", "rest", "step", "told", "upper")

    def __init__(self, number: int, step: int, rest: int, told: bool) -> None:
        self.number = number
        self.told = told
        """Whether its bounds are known from the program text: from constants and loops, not from
        data or arguments."""
        self.lower: list[Scaled] = []
        self.upper: list[Scaled] = []
        self.step = step
        self.rest = rest
        self.form = Form(((self, 1),))
        self.divided: Scaled | None = None
        """The divisor and the dividend, if it is a quotient rounded down."""

    def bounds(self, above: bool) -> list[Scaled]:
        return self.upper if above else self.lower


def _coarse(terms: Terms, above: bool) -> int:
    """A bound from the constant bounds of the symbols."""
    total = 0
    for symbol, factor in terms:
        bounds = symbol.bounds(above == (factor > 0))
        total += factor * next(b.constant for scale, b in bounds if scale == 1 and not b.terms)
    return total


Facts = Sequence[Form]
"""Forms that are known to be nonnegative."""


class Solver:
    """Bounds forms, given facts in addition to the symbols' own bounds."""

    def __init__(self, facts: Facts = ()) -> None:
        self.facts = facts
        self.about: dict[tuple[Symbol, bool], list[Scaled]] = {}
        """The bounds, upper or lower, that facts imply for their latest symbol."""
        for fact in facts:
            if fact.terms:
                # factor * symbol + others >= 0: an upper bound where the factor is negative.
                symbol, factor = fact.terms[-1]
                others = Form(fact.terms[:-1], fact.constant)
                bound = abs(factor), others * (1 if factor < 0 else -1)
                self.about.setdefault((symbol, factor < 0), []).append(bound)
        self._found: tuple[dict[Terms, int], dict[Terms, int]] = {}, {}
        """Memoised lower and upper bounds of forms without their constants."""
        self._left = self._depth = 0
        self._dead: bool | None = None

    def most(self, form: Form) -> int:
        """An upper bound of the form."""
        return self._bound(form, True)

    def least(self, form: Form) -> int:
        """A lower bound of the form."""
        return self._bound(form, False)

    def forget(self) -> None:
        """Drop memoised bounds, since those of a symbol have become tighter."""
        for found in self._found:
            found.clear()
        self._dead = None

    @property
    def dead(self) -> bool:
        """Whether the facts are contradictory, so that the code is unreachable."""
        if self._dead is None:
            self._dead = any(self.most(fact) < 0 for fact in self.facts)
        return self._dead

    def fits(self, form: Form) -> bool:
        """Whether the form equals the machine's value exactly, not only modulo 2^64."""
        if not form.terms:
            return LEAST <= form.constant <= MOST
        return self._bound(form, False) >= LEAST and self._bound(form, True) <= MOST

    def _bound(self, form: Form, above: bool) -> int:
        if not form.terms:
            return form.constant
        found = self._found[above].get(form.terms)
        if found is None:
            self._left = MAX_STEPS
            found = self._eliminated(form.terms, above)
        return found + form.constant

    def _eliminated(self, terms: Terms, above: bool) -> int:
        """The bound of a form without a constant, by the best of its latest symbol's bounds."""
        if not terms:
            return 0
        memo = self._found[above]
        found = memo.get(terms)
        if found is not None:
            return found
        common = gcd(*(factor for _, factor in terms))
        if common > 1:
            parts = tuple((symbol, factor // common) for symbol, factor in terms)
            memo[terms] = whole = common * self._eliminated(parts, above)
            return whole
        if self._depth > DEPTH:
            return _coarse(terms, above)
        self._depth += 1
        best = self._best(terms, above)
        divisor, rest = Form(terms).modulo()
        if divisor > 1:  # the nearest number of those that it can be
            best += -((best - rest) % divisor) if above else (rest - best) % divisor
        memo[terms] = best
        self._depth -= 1
        return best

    def _best(self, terms: Terms, above: bool) -> int:
        symbol, factor = terms[-1]
        others = Form(terms[:-1])
        best: int | None = None
        for scale, bound in self._bounds(symbol, above == (factor > 0)):
            self._left -= 1
            if best is not None and self._left < 0:
                break
            # A bound of a multiple of the symbol bounds as many times the form.
            times = scale // gcd(factor, scale)
            rest = bound * (factor * times // scale)
            if others.terms:
                rest = others * times + rest
            one = self._eliminated(rest.terms, above) + rest.constant
            one = one // times if above else -(-one // times)
            if best is None or (one < best if above else one > best):
                best = one
        assert best is not None, "every symbol has a bound in numbers"
        if symbol.divided is not None and others.terms:
            other = self._with_remainder(symbol.divided, terms, above)
            if other is not None:
                return min(best, other) if above else max(best, other)
        return best

    def _with_remainder(self, divided: Scaled, terms: Terms, above: bool) -> int | None:
        """The bound of a form with its latest symbol's dividend replaced by quotient and remainder.

            q = x floordiv 8:   x - 16*q  ->  (x mod 8) - 8*q

        The bounds of q by x are those of any x, and of some x there is a closer one.
        """
        divisor, dividend = divided
        if not dividend.terms:
            return None
        symbol, factor = dividend.terms[-1]
        times, left = divmod(next((f for s, f in terms if s is symbol), 0), factor)
        rest = Form(terms[:-1]) - Form(dividend.terms) * times
        if not times or left or len(rest.terms) >= len(terms) - 1:
            return None
        # times * dividend = times * (divisor * quotient + remainder)
        quotient, number = terms[-1]
        rest = rest + quotient.form * (number + times * divisor)
        most = max(times, 0) if above else min(times, 0)
        constant = most * (divisor - 1) - times * dividend.constant
        return self._eliminated(rest.terms, above) + constant

    def _bounds(self, symbol: Symbol, above: bool) -> list[Scaled]:
        bounds = symbol.bounds(above)
        facts = self.about.get((symbol, above)) if self.about else None
        return [*facts, *bounds] if facts else bounds
