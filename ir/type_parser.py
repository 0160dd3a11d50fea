"""Parsing types, affine maps and locations from text."""

from __future__ import annotations

import re

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr, Symbol
from penstock.ir.attributes import AffineMapAttr, Attribute, StridedLayoutAttr
from penstock.ir.lexer import Lexer
from penstock.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)
from penstock.ir.text import unquote
from penstock.ir.types import Type

_WHOLE = re.compile(r"(?:tensor|memref|vector)<(?:[^<>\n]|<[^<>\n]*>)*>|[a-z]+[0-9]*(?![\w<.])")
_SIGNATURE = re.compile(
    r"\([^()\n]*\) -> (?:\([^()\n]*\)|(?:tensor|memref|vector)<(?:[^<>\n]|<[^<>\n]*>)*>"
    r"|[a-z]+[0-9]*(?![\w<.]))"
)
_DIMENSION = re.compile(r"(?:([0-9]+)|(\?))x")
_FILE = re.compile(r'loc\("([^"\\\n]*)":([0-9]{1,9}):([0-9]{1,9})\)')
_SCALAR = re.compile(r"(s|u)?i([0-9]{1,8})\Z")
_NAMED: dict[str, Type] = {
    "index": ty.index, "none": ty.none, "f16": ty.f16, "bf16": ty.bf16, "f32": ty.f32,
    "f64": ty.f64,
}  # fmt: skip
MAX_RANK = 64


class TypeParser(Lexer):
    """The part of the parser that reads types; texts of types seen before are looked up."""

    def __init__(self, text: str, source: str) -> None:
        self.known_types: dict[str, Type] = {}
        self.known_signatures: dict[str, ty.FunctionType] = {}
        self.known_locations: dict[str, Location] = {}
        self.type_aliases: dict[str, Type] = {}
        self.location_aliases: dict[str, Location] = {}
        super().__init__(text, source)

    def attribute(self) -> Attribute:
        """An attribute (defined by the subclass, which reads them)."""
        raise NotImplementedError

    # -- types ----------------------------------------------------------------------------------

    def type(self) -> Type:
        """A type."""
        match = _WHOLE.match(self.text, self.start)
        if match is None:
            return self._type()
        key = match[0]
        found = self.known_types.get(key)
        if found is not None:
            self.jump(match.end())
            return found
        begin = self.start
        parsed = self._type()
        text = self.text[begin : begin + len(key)]
        if self.text[begin : self.start].rstrip() == text:
            self.known_types[key] = parsed
        return parsed

    def _type(self) -> Type:
        word = self.word
        if self.kind == "bang":
            return self._dialect_type()
        if word == "(" and self.kind == "punct":
            return self.function_type()
        if self.kind != "word":
            self.fail(f"expected a type, got {self.shown()}")
        if word in ("tensor", "memref", "vector"):
            return self._shaped(word)
        scalar = _SCALAR.match(word)
        found = ty.IntegerType(int(scalar[2]), scalar[1] or "") if scalar else _NAMED.get(word)
        if found is None:
            self.fail(f"unknown type {self.shown()}: expected a builtin type such as f32, index, "
                      "tensor<4xf32> or memref<4xf32>")  # fmt: skip
        if isinstance(found, ty.IntegerType) and not 0 < found.width < 2**24:
            self.fail(f"an integer type has 1 to 16777215 bits, got {found.width}")
        self.advance()
        return found

    def _dialect_type(self) -> Type:
        start, word = self.start, self.word
        self.advance()
        if self.word == "<" and self.end == start + len(word) + 1:
            return ty.OpaqueType(self.balanced(start))
        if word[1:] in self.type_aliases:
            return self.type_aliases[word[1:]]
        if "." in word:
            return ty.OpaqueType(word)
        self.fail(f"type alias {word} is not defined", start, start + len(word))

    def balanced(self, start: int) -> str:
        """The text from `start` through the `>` that closes the `<` in hand."""
        depth = 0
        while True:
            if self.kind == "end":
                self.fail("'<' is never closed", start, start + 1)
            if self.kind == "punct":
                depth += (self.word == "<") - (self.word == ">")
            stop = self.end
            self.advance()
            if depth == 0:
                return self.text[start:stop]

    def _shaped(self, word: str) -> Type:
        self.enter()
        self.advance()
        if self.word != "<":
            self.fail(f"expected '<' after {word!r}, got {self.shown()}")
        unranked = self.text.startswith("*x", self.end)
        if unranked and word == "memref":
            self.jump(self.end + 2)
            made: Type = ty.UnrankedMemRefType(self.type())
        else:
            made = self._ranked(word)
        self.expect(">")
        self.leave()
        return made

    def _ranked(self, word: str) -> Type:
        shape: list[int] = []
        position = self.end
        while match := _DIMENSION.match(self.text, position):
            if match[1] and len(match[1]) > 18:
                self.fail("the extent is too large", match.start(), match.end())
            shape.append(int(match[1]) if match[1] else ty.DYNAMIC)
            position = match.end()
            if len(shape) > MAX_RANK:
                self.fail(f"more than {MAX_RANK} dimensions", match.start(), match.end())
        self.jump(position)
        start = self.start
        element = self.type()
        if not isinstance(element, (ty.IntegerType, ty.FloatType, ty.IndexType)):
            self.fail(f"elements of type {element}: expected a number", start, start + 1)
        extra: list[Attribute] = []
        while self.accept(","):
            extra.append(self.attribute())
        dims = tuple(shape)
        if word == "memref" and len(extra) <= 2:
            layout = extra[0] if extra else None
            return ty.MemRefType(dims, element, layout, extra[1] if len(extra) > 1 else None)
        if word == "tensor" and len(extra) <= 1:
            return ty.TensorType(dims, element, extra[0] if extra else None)
        if extra or ty.DYNAMIC in dims:
            self.fail(f"a {word} type takes fixed extents and no further parameters")
        return ty.VectorType(dims, element)

    def function_type(self) -> ty.FunctionType:
        """`(a, b) -> c`"""
        begin = self.start
        match = _SIGNATURE.match(self.text, begin)
        if match is not None:
            known = self.known_signatures.get(match[0])
            if known is not None:
                self.jump(match.end())
                return known
        self.enter()
        inputs = self.type_list_in_parentheses()
        self.expect("->")
        results = self.result_types()
        self.leave()
        parsed = ty.FunctionType(tuple(inputs), tuple(results))
        if match is not None and self.text[begin : self.start].rstrip() == match[0]:
            self.known_signatures[match[0]] = parsed
        return parsed

    def result_types(self) -> list[Type]:
        """What follows `->`: one type, or a list in parentheses."""
        if self.word == "(" and self.kind == "punct":
            return self.type_list_in_parentheses()
        return [self.type()]

    def type_list_in_parentheses(self) -> list[Type]:
        self.expect("(")
        found: list[Type] = []
        while not self.accept(")"):
            if found:
                self.expect(",")
            found.append(self.type())
        return found

    # -- affine maps and layouts ----------------------------------------------------------------

    def affine_map(self) -> AffineMapAttr:
        """`affine_map<(d0, d1) -> (d0)>`, the word in hand being `affine_map`."""
        self.advance()
        self.expect("<")
        names: dict[str, Expr] = {}
        counts = []
        for opening, closing, make in (("(", ")", Dim), ("[", "]", Symbol)):
            count = 0
            if opening == "[" and self.word != "[":
                counts.append(0)
                continue
            self.expect(opening)
            while not self.accept(closing):
                if count:
                    self.expect(",")
                names[self.take("word", "a dimension")] = make(count)
                count += 1
            counts.append(count)
        self.expect("->")
        self.expect("(")
        results: list[Expr] = []
        while not self.accept(")"):
            if results:
                self.expect(",")
            results.append(self._sum(names))
        self.expect(">")
        return AffineMapAttr(AffineMap(counts[0], tuple(results), counts[1]))

    def _sum(self, names: dict[str, Expr]) -> Expr:
        self.enter()
        left = self._product(names)
        while True:
            if self.accept("+"):
                left = left + self._product(names)
            elif self.accept("-"):
                left = left + self._product(names) * -1
            elif self.kind == "number" and self.word.startswith("-"):
                left = left + self._product(names)
            else:
                self.leave()
                return left

    def _product(self, names: dict[str, Expr]) -> Expr:
        left = self._factor(names)
        while self.word in ("*", "floordiv", "ceildiv", "mod"):
            kind = self.word
            self.advance()
            right = self._factor(names)
            if kind != "*" and right == Const(0):
                self.fail(f"{kind} by zero")
            left = left * right if kind == "*" else Binary(kind, left, right)
        return left

    def _factor(self, names: dict[str, Expr]) -> Expr:
        if self.accept("("):
            inner = self._sum(names)
            self.expect(")")
            return inner
        if self.accept("-"):
            return self._factor(names) * -1
        if self.kind == "number":
            return Const(self.integer())
        if self.word not in names:
            self.fail(f"unknown dimension {self.shown()}: expected one of {', '.join(names)}")
        found = names[self.word]
        self.advance()
        return found

    def strided_layout(self) -> StridedLayoutAttr:
        """`strided<[4, 1], offset: ?>`, the word in hand being `strided`."""
        self.advance()
        self.expect("<")
        self.expect("[")
        strides: list[int] = []
        while not self.accept("]"):
            if strides:
                self.expect(",")
            strides.append(ty.DYNAMIC if self.accept("?") else self.integer())
        offset = 0
        if self.accept(","):
            self.expect("offset")
            self.expect(":")
            offset = ty.DYNAMIC if self.accept("?") else self.integer()
        self.expect(">")
        return StridedLayoutAttr(tuple(strides), offset)

    # -- locations ------------------------------------------------------------------------------

    def trailing_location(self) -> Location:
        """` loc(...)` if it is next, else unknown."""
        if self.word != "loc" or self.kind != "word":
            return UNKNOWN
        match = _FILE.match(self.text, self.start)
        if match is not None:
            found = self.known_locations.get(match[0])
            if found is None:
                found = FileLocation(match[1], int(match[2]), int(match[3]))
                self.known_locations[match[0]] = found
            self.jump(match.end())
            return found
        self.advance()
        self.expect("(")
        inner = self.location()
        self.expect(")")
        return inner

    def location(self) -> Location:
        """A location, as between `loc(` and `)`."""
        self.enter()
        try:
            return self._location()
        finally:
            self.leave()

    def _location(self) -> Location:
        if self.kind == "hash":
            name = self.word[1:]
            if name not in self.location_aliases:
                self.fail(f"location alias #{name} is not defined")
            self.advance()
            return self.location_aliases[name]
        if self.accept("unknown"):
            return UNKNOWN
        if self.accept("callsite"):
            self.expect("(")
            callee = self.location()
            self.expect("at")
            caller = self.location()
            self.expect(")")
            return CallSiteLocation(callee, caller)
        if self.accept("fused"):
            return self._fused()
        name = unquote(self.take("string", "a location"))
        if self.accept(":"):
            line = self.integer("a line number")
            self.expect(":")
            return FileLocation(name, line, self.integer("a column number"))
        if self.accept("("):
            child = self.location()
            self.expect(")")
            return NameLocation(name, child)
        return NameLocation(name, UNKNOWN)

    def _fused(self) -> Location:
        if self.accept("<"):
            self.attribute()
            self.expect(">")
        self.expect("[")
        parts: list[Location] = []
        while not self.accept("]"):
            if parts:
                self.expect(",")
            parts.append(self.location())
        return FusedLocation(tuple(parts))
