"""Parsing affine maps and strided layouts from text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr, Symbol, combine
from penstock.ir.attributes import AffineMapAttr, StridedLayoutAttr
from penstock.ir.text.lexer import Lexer

MAX_OPERATORS = 100
"""The most operators of one map, which bounds the depth of its expressions."""


class AffineParser(Lexer):
    """The part of the parser that reads affine maps and layouts."""

    def affine_map(self) -> AffineMapAttr:
        """`affine_map<(d0, d1) -> (d0)>`; the current token is `affine_map`."""
        start = self.start
        self.advance()
        self.expect("<")
        self.operators = 0
        names: dict[str, Expr] = {}
        rank = self._dimensions(names, "(", ")", Dim)
        symbols = self._dimensions(names, "[", "]", Symbol) if self.word == "[" else 0
        self.expect("->")
        self.expect("(")
        results: list[Expr] = []
        while not self.accept(")"):
            if results:
                self.expect(",")
            results.append(self._sum(names))
        self.expect(">")
        for number in (c.value for expr in results for c in _constants(expr)):
            if abs(number) >= 1 << 63:
                self.fail("a number of the map does not fit 64 bits", start)
        return AffineMapAttr(AffineMap(rank, tuple(results), symbols))

    def _dimensions(
        self, names: dict[str, Expr], opening: str, closing: str, make: Callable[[int], Expr]
    ) -> int:
        """`(d0, d1)`: binds the names and returns their number."""
        self.expect(opening)
        count = 0
        while not self.accept(closing):
            if count:
                self.expect(",")
            start, end = self.start, self.end
            name = self.take("word", "the name of a dimension")
            if name in names:
                self.fail(f"dimension {name!r} is named twice", start, end)
            names[name] = make(count)
            count += 1
        return count

    def _sum(self, names: dict[str, Expr]) -> Expr:
        self.enter()
        left = self._product(names)
        while True:
            if self.accept("+"):
                left = left + self._product(names)
            elif self.accept("-"):
                left = left - self._product(names)
            elif self.kind == "number" and self.word.startswith("-"):
                left = left + self._product(names)
            else:
                self.leave()
                return left
            self._count_operator()

    def _count_operator(self) -> None:
        self.operators += 1
        if self.operators > MAX_OPERATORS:
            self.fail(f"the map has more than {MAX_OPERATORS} operators")

    def _product(self, names: dict[str, Expr]) -> Expr:
        left = self._factor(names)
        while self.kind in ("punct", "word") and self.word in ("*", "floordiv", "ceildiv", "mod"):
            kind, start = self.word, self.start
            self._count_operator()
            self.advance()
            right = self._factor(names)
            if kind != "*" and right == Const(0):
                self.fail(f"{kind} by zero", start)
            if _has_dims(right) and (kind != "*" or _has_dims(left)):
                self.fail(
                    f"{left} {kind} {right} is not affine: expected a number or a symbol on the "
                    "right",
                    start,
                )
            left = combine(kind, left, right)
        return left

    def _factor(self, names: dict[str, Expr]) -> Expr:
        if self.accept("("):
            inner = self._sum(names)
            self.expect(")")
            return inner
        if self.accept("-"):
            self.enter()
            negated = -self._factor(names)
            self.leave()
            return negated
        if self.kind == "number":
            return Const(self.integer())
        if self.kind != "word" or self.word not in names:
            known = ", ".join(list(names)[:20]) or "a number: the map has no dimensions"
            self.fail(f"unknown dimension {self.shown()}: expected one of {known}")
        found = names[self.word]
        self.advance()
        return found

    def strided_layout(self) -> StridedLayoutAttr:
        """`strided<[4, 1], offset: ?>`; the current token is `strided`."""
        self.advance()
        self.expect("<")
        self.expect("[")
        strides: list[int] = []
        while not self.accept("]"):
            if strides:
                self.expect(",")
            strides.append(self._step("a stride"))
        offset = 0
        if self.accept(","):
            self.expect("offset")
            self.expect(":")
            offset = self._step("an offset")
        self.expect(">")
        return StridedLayoutAttr(tuple(strides), offset)

    def _step(self, what: str) -> int:
        """A number, or `?` for an unknown one."""
        if self.accept("?"):
            return ty.DYNAMIC
        if self.kind == "number" and self.word.startswith("-"):
            self.fail(f"{what} of {self.word} is not supported: expected 0 or more, or ?")
        return self.integer(f"{what} or ?")


def _constants(expr: Expr) -> Iterator[Const]:
    if isinstance(expr, Const):
        yield expr
    elif isinstance(expr, Binary):
        yield from _constants(expr.left)
        yield from _constants(expr.right)


def _has_dims(expr: Expr) -> bool:
    return next(expr.dims(), None) is not None
