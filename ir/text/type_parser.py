"""Parsing types and locations from text."""

from __future__ import annotations

import re

from penstock.ir import types as ty
from penstock.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr
from penstock.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
    fuse,
)
from penstock.ir.quoting import unquote
from penstock.ir.text.affine_parser import AffineParser
from penstock.ir.text.lexer import short
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


class TypeParser(AffineParser):
    """The part of the parser that reads types; texts of types seen before are looked up."""

    def __init__(self, text: str, source: str) -> None:
        self.known_types: dict[str, tuple[Type, int]] = {}
        """Memoises parsed types by their text, with their nesting depth."""
        self.known_signatures: dict[str, tuple[ty.FunctionType, int]] = {}
        self.known_locations: dict[str, Location] = {}
        super().__init__(text, source)

    def attribute(self) -> Attribute:
        """An attribute (defined by the subclass, which reads them)."""
        raise NotImplementedError

    def alias(self, name: str, start: int, end: int) -> Type | Attribute | Location:
        """What `#name` or `!name` there stands for (defined by the subclass, which reads them)."""
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
            self.reach(self.depth + found[1])
            self.jump(match.end())
            return found[0]
        begin = self.start
        parsed, height = self.measured(self._type)
        text = self.text[begin : begin + len(key)]
        if self.text[begin : self.start].rstrip() == text:
            self.known_types[key] = parsed, height
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
        start, end, word = self.start, self.end, self.word
        self.advance()
        if self.word == "<" and self.start == end:
            return ty.OpaqueType(self.balanced(start))
        if "." in word:
            return ty.OpaqueType(word)
        found = self.alias(word, start, end)
        assert isinstance(found, Type)
        return found

    def _shaped(self, word: str) -> Type:
        self.enter()
        self.advance()
        if self.word != "<":
            self.fail(f"expected '<' after {word!r}, got {self.shown()}")
        if word == "memref" and self.text.startswith("*x", self.end):
            self.jump(self.end + 2)
            type: Type = self._unranked()
        else:
            type = self._ranked(word)
        self.expect(">")
        self.leave()
        return type

    def _unranked(self) -> Type:
        element = self._element("memref")
        return ty.UnrankedMemRefType(element, self._space() if self.accept(",") else None)

    def _ranked(self, word: str) -> Type:
        opened = self.start
        shape = self._shape()
        element = self._element(word)
        if word == "memref":
            return self._memref(shape, element)
        if word == "tensor":
            return ty.TensorType(shape, element, self.attribute() if self.accept(",") else None)
        if min(shape, default=1) < 1:
            self.fail("a vector type has extents of 1 and more", opened, self.start)
        return ty.VectorType(shape, element)

    def _shape(self) -> tuple[int, ...]:
        """`4x?x`, up to the element type; the bracket before it is in hand."""
        shape: list[int] = []
        self.advance()
        position = self.start
        while match := _DIMENSION.match(self.text, position):
            if match[1] and (len(match[1]) > 19 or int(match[1]) >= 1 << 63):
                self.fail("the extent does not fit 64 bits", match.start(), match.end() - 1)
            shape.append(int(match[1]) if match[1] else ty.DYNAMIC)
            position = match.end()
            if len(shape) > MAX_RANK:
                self.fail(f"more than {MAX_RANK} dimensions", match.start(), match.end())
        self.jump(position)
        return tuple(shape)

    def _element(self, word: str) -> Type:
        start = self.start
        element = self.type()
        allowed: tuple[type[Type], ...] = (ty.IntegerType, ty.FloatType, ty.IndexType)
        if word != "vector":
            allowed += (ty.VectorType,)
        if word == "tensor":
            allowed += (ty.OpaqueType,)
        if not isinstance(element, allowed):
            self.fail(f"a {word} of {element}: expected numbers", start, start + 1)
        return element

    def _memref(self, shape: tuple[int, ...], element: Type) -> Type:
        layout: Attribute | None = None
        space: Attribute | None = None
        if self.accept(","):
            start = self.start
            attribute = self.attribute()
            if isinstance(attribute, StridedLayoutAttr):
                layout, rank = attribute, len(attribute.strides)
            elif isinstance(attribute, AffineMapAttr):
                layout, rank = None if attribute.map.is_identity else attribute, attribute.map.rank
            else:
                return ty.MemRefType(shape, element, None, _usual(attribute))
            if rank != len(shape):
                self.fail(f"the layout is of rank {rank}, the type of {len(shape)}", start)
            space = self._space() if self.accept(",") else None
        return ty.MemRefType(shape, element, layout, space)

    def _space(self) -> Attribute | None:
        """A memory space; None for 0, the usual one."""
        return _usual(self.attribute())

    def function_type(self) -> ty.FunctionType:
        """`(a, b) -> c`"""
        begin = self.start
        match = _SIGNATURE.match(self.text, begin)
        if match is not None:
            known = self.known_signatures.get(match[0])
            if known is not None:
                self.reach(self.depth + known[1])
                self.jump(match.end())
                return known[0]
        parsed, height = self.measured(self._function_type)
        if match is not None and self.text[begin : self.start].rstrip() == match[0]:
            self.known_signatures[match[0]] = parsed, height
        return parsed

    def _function_type(self) -> ty.FunctionType:
        self.enter()
        inputs = self.type_list_in_parentheses()
        self.expect("->")
        results = self.result_types()
        self.leave()
        return ty.FunctionType(tuple(inputs), tuple(results))

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
        found = self._location()
        self.leave()
        return found

    def _location(self) -> Location:
        if self.kind == "hash":
            start, end, name = self.start, self.end, self.word
            self.advance()
            found = self.alias(name, start, end)
            if not isinstance(found, Location):
                self.fail(f"{short(name)} is an attribute: expected a location", start, end)
            return found
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
            return self._position(name)
        if self.accept("("):
            child = self.location()
            self.expect(")")
            return NameLocation(name, child)
        return NameLocation(name, UNKNOWN)

    def _position(self, file: str) -> FileLocation:
        """`20:8`, or a range `20:8 to 21:4`, `20:8 to :12`."""
        line = self._number_in_file("a line number")
        self.expect(":")
        column = self._number_in_file("a column number")
        until = None
        if self.accept("to"):
            last = line if self.word == ":" else self._number_in_file("a line number")
            self.expect(":")
            until = (last, self._number_in_file("a column number"))
        return FileLocation(file, line, column, None if until == (line, column) else until)

    def _number_in_file(self, what: str) -> int:
        start, end = self.start, self.end
        number = self.integer(what)
        if not 0 <= number < 1 << 32:
            self.fail(f"expected {what}, got {number}", start, end)
        return number

    def _fused(self) -> Location:
        metadata = None
        if self.accept("<"):
            metadata = self.attribute()
            self.expect(">")
        self.expect("[")
        parts: list[Location] = []
        while not self.accept("]"):
            if parts:
                self.expect(",")
            parts.append(self.location())
        return fuse(*parts, metadata=metadata)


def _usual(space: Attribute) -> Attribute | None:
    """A memory space, None where it is 0: the usual one."""
    return None if isinstance(space, IntegerAttr) and space.value == 0 else space
