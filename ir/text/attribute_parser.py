"""Parsing attributes from text."""

from __future__ import annotations

import binascii
from collections.abc import Mapping

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    as_stored,
    float_bits,
    unit,
)
from penstock.ir.quoting import unquote
from penstock.ir.text.lexer import short
from penstock.ir.text.type_parser import TypeParser
from penstock.ir.types import Type

MAX_BITS = 512
"""The widest integers with values. Types may be wider, but their values would exhaust memory."""


class AttributeParser(TypeParser):
    """The part of the parser that reads attributes."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text, source)

    def dictionary(self, inherited: Mapping[str, Attribute] | None = None) -> dict[str, Attribute]:
        """`{a = 1, b}`, together with the `inherited` entries."""
        self.enter()
        self.expect("{")
        found = dict(inherited) if inherited else {}
        first = True
        while not self.accept("}"):
            if not first:
                self.expect(",")
            first = False
            start, end = self.start, self.end
            if self.kind not in ("word", "string"):
                self.fail(f"expected the name of an attribute, got {self.shown()}")
            name = unquote(self.word) if self.kind == "string" else self.word
            self.advance()
            if name in found:
                self.fail(f"attribute {short(name)!r} is given twice", start, end)
            found[name] = self.attribute() if self.accept("=") else unit
        self.leave()
        return found

    def optional_dictionary(
        self, inherited: Mapping[str, Attribute] | None = None
    ) -> dict[str, Attribute]:
        """`dictionary` if one begins here, else the `inherited` entries."""
        if self.word == "{" and self.kind == "punct":
            return self.dictionary(inherited)
        return dict(inherited) if inherited else {}

    def attribute(self) -> Attribute:
        """Any attribute."""
        match self.kind:
            case "number":
                return self._number()
            case "string":
                value = unquote(self.word)
                self.advance()
                return StringAttr(value)
            case "symbol":
                return self.symbol()
            case "hash":
                return self._dialect_attribute()
            case "word":
                return self._word()
        if self.word == "[":
            return self._array()
        if self.word == "{":
            return DictAttr(tuple(self.dictionary().items()))
        if self.word in ("(", "!") or self.kind == "bang":
            return TypeAttr(self.type())
        self.fail(f"expected an attribute, got {self.shown()}")

    def symbol(self) -> SymbolRefAttr:
        """`@name` or `@outer::@name`"""
        name = self.symbol_name()
        nested: list[str] = []
        while self.accept("::"):
            nested.append(self.symbol_name())
        return SymbolRefAttr(name, tuple(nested))

    def symbol_name(self) -> str:
        word = self.take("symbol", "a symbol such as @main")[1:]
        return unquote(word) if word.startswith('"') else word

    def _word(self) -> Attribute:
        match self.word:
            case "true" | "false":
                value = self.word == "true"
                self.advance()
                return IntegerAttr(value, ty.i1)
            case "unit":
                self.advance()
                return unit
            case "dense":
                return self.dense(None)
            case "array":
                return self._dense_array()
            case "affine_map":
                return self.affine_map()
            case "strided":
                return self.strided_layout()
        return TypeAttr(self.type())

    def _array(self) -> ArrayAttr:
        self.enter()
        self.expect("[")
        items: list[Attribute] = []
        while not self.accept("]"):
            if items:
                self.expect(",")
            items.append(self.attribute())
        self.leave()
        return ArrayAttr(tuple(items))

    def _dialect_attribute(self) -> Attribute:
        start, end, word = self.start, self.end, self.word
        self.advance()
        if self.word == "<" and self.start == end:
            return OpaqueAttr(self.balanced(start))
        if "." in word:
            return OpaqueAttr(word)
        found = self.alias(word, start, end)
        if not isinstance(found, Attribute):
            self.fail(f"{short(word)} is a location: expected an attribute", start, end)
        return found

    # -- numbers --------------------------------------------------------------------------------

    def _number(self) -> Attribute:
        start, end, word = self.start, self.end, self.word
        self.advance()
        type: Type | None = self.type() if self.accept(":") else None
        whole = "." not in word
        if type is None:
            type = ty.i64 if whole else ty.f64
        if isinstance(type, ty.FloatType):
            return FloatAttr(self.float_bits(word, type, start, end), type)
        if isinstance(type, (ty.IntegerType, ty.IndexType)):
            return IntegerAttr(self.integer_value(word, type, start, end), type)
        self.fail(f"a number cannot have type {type}", start, end)

    def integer_value(self, word: str, type: Type, start: int, end: int) -> int:
        """The integer that `word` denotes, which must fit `type`."""
        if isinstance(type, ty.IntegerType) and type.width > MAX_BITS:
            self.fail(f"a number has at most {MAX_BITS} bits, and {type} has more", start, end)
        if "." in word:
            self.fail(f"{short(word)} is not an integer and its type is {type}", start, end)
        if len(word) > 100:
            self.fail("the number has too many digits", start, end)
        try:
            return as_stored(int(word, 16) if "x" in word else int(word), type)
        except ValueError:
            self.fail(f"{short(word)} does not fit {type}", start, end)

    def float_bits(self, word: str, type: ty.FloatType, start: int, end: int) -> int:
        """The bits that `word` denotes: a decimal number, or the bits in hexadecimal."""
        if "x" in word:
            bits = int(word, 16)
            if word.startswith("-") or bits >> type.width:
                self.fail(f"{short(word)} does not fit the {type.width} bits of {type}", start, end)
            return bits
        if "." not in word:
            self.fail(
                f"expected a decimal point in {short(word)}, whose type is {type}", start, end
            )
        return float_bits(float(word), type)

    # -- dense constants ------------------------------------------------------------------------

    def _dense_array(self) -> DenseArrayAttr:
        self.advance()
        self.expect("<")
        start, end = self.start, self.end
        element = self.type()
        whole = isinstance(element, ty.IntegerType) and (element is ty.i1 or element.width % 8 == 0)
        if not whole and not isinstance(element, ty.FloatType):
            self.fail(f"array<{element}>: expected i1 or a type of whole bytes", start, end)
        values: list[int] = []
        if self.accept(":"):
            while True:
                values.append(self.element(element, *self.literal()))
                if not self.accept(","):
                    break
        self.expect(">")
        return DenseArrayAttr(element, tuple(values))

    def dense(self, type: ty.ShapedType | None) -> DenseElementsAttr:
        """`dense<...> : type`; the type is not read if it is known already."""
        self.expect("dense")
        opening = self.start
        self.expect("<")
        body_start = self.start
        rows: list[tuple[str, int, int]] = []
        data: bytes | None = None
        shape: list[int] | None = None
        if self.kind == "string":
            data = self._hex_data()
        elif self.word != ">":
            shape = self._dense_items(rows)
        self.expect(">")
        if type is None:
            self.expect(":")
            type = self._dense_type(opening)
        if not isinstance(type.element, (ty.IntegerType, ty.FloatType, ty.IndexType)):
            self.fail(f"a dense constant holds numbers, got {type}", opening, opening + 1)
        if shape and tuple(shape) != type.shape:
            self.fail(
                f"the values have shape {tuple(shape)} and the type is {type}",
                body_start,
                body_start + 1,
            )
        try:
            if data is None:
                return DenseElementsAttr(type, self._dense_bytes(rows, type))
            return DenseElementsAttr(type, _unpacked(data, type))
        except ValueError as error:
            message = str(error)
        self.fail(message, body_start, body_start + 1)

    def _dense_type(self, opening: int) -> ty.ShapedType:
        type = self.type()
        if not isinstance(type, ty.ShapedType) or not type.is_static:
            self.fail(f"a dense constant has a static shape, got {type}", opening, opening + 1)
        return type

    def _hex_data(self) -> bytes:
        word = unquote(self.word)
        if not word.startswith("0x"):
            self.fail("expected hexadecimal data that begins with 0x")
        try:
            data = binascii.unhexlify(word[2:])
        except (binascii.Error, ValueError):
            self.fail("the hexadecimal data is not pairs of digits")
        self.advance()
        return data

    def _dense_items(self, rows: list[tuple[str, int, int]]) -> list[int]:
        if not self.accept("["):
            rows.append(self.literal())
            return []
        self.enter()
        inner: list[int] | None = None
        count = 0
        while not self.accept("]"):
            if count:
                self.expect(",")
            found = self._dense_items(rows)
            if inner is not None and found != inner:
                self.fail("rows of one dense constant have different lengths")
            inner = found
            count += 1
        self.leave()
        return [count, *(inner or [])]

    def _dense_bytes(self, rows: list[tuple[str, int, int]], type: ty.ShapedType) -> bytes:
        if type.count == 0:
            rows = []
        element, width = type.element, ty.byte_width(type.element)
        mask = (1 << 8 * width) - 1
        values = (self.element(element, *row) for row in rows)
        return b"".join([(value & mask).to_bytes(width, "little") for value in values])

    def literal(self) -> tuple[str, int, int]:
        """Read a number, `true` or `false`; returns its text and position."""
        found = self.word, self.start, self.end
        if self.kind != "number" and not (self.kind == "word" and self.word in ("true", "false")):
            self.fail(f"expected a number, got {self.shown()}")
        self.advance()
        return found

    def element(self, type: Type, word: str, start: int, end: int) -> int:
        """An element of a constant of that type: an integer, or the bits of a float."""
        if word in ("true", "false"):
            if type is not ty.i1:
                self.fail(f"expected a number, got {word}: the type is {type}", start, end)
            return int(word == "true")
        if isinstance(type, ty.FloatType):
            return self.float_bits(word, type, start, end)
        return self.integer_value(word, type, start, end)


def _unpacked(data: bytes, type: ty.ShapedType) -> bytes:
    """Decode hexadecimal data; i1 is packed eight per byte, or one byte for a splat."""
    if type.element is not ty.i1:
        return data
    if data in (b"\0", b"\xff"):
        return bytes([data[0] & 1]) if type.count else b""
    if len(data) != (type.count + 7) // 8:
        raise ValueError(f"{len(data)} bytes of bits do not fill {type}")
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return bits[: type.count].tobytes()
