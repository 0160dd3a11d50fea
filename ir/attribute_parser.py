"""Parsing attributes from text."""

from __future__ import annotations

import binascii

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
    float_bits,
    numpy_dtype,
    unit,
)
from penstock.ir.text import unquote
from penstock.ir.type_parser import TypeParser
from penstock.ir.types import Type


class AttributeParser(TypeParser):
    """The part of the parser that reads attributes."""

    def __init__(self, text: str, source: str) -> None:
        self.attribute_aliases: dict[str, Attribute] = {}
        super().__init__(text, source)

    def dictionary(self) -> dict[str, Attribute]:
        """`{a = 1, b}`"""
        self.enter()
        self.expect("{")
        found: dict[str, Attribute] = {}
        while not self.accept("}"):
            if found:
                self.expect(",")
            start, end = self.start, self.end
            if self.kind not in ("word", "string"):
                self.fail(f"expected the name of an attribute, got {self.shown()}")
            name = unquote(self.word) if self.kind == "string" else self.word
            self.advance()
            if name in found:
                self.fail(f"attribute {name!r} is given twice", start, end)
            found[name] = self.attribute() if self.accept("=") else unit
        self.leave()
        return found

    def optional_dictionary(self) -> dict[str, Attribute]:
        return self.dictionary() if self.word == "{" and self.kind == "punct" else {}

    def attribute(self) -> Attribute:
        """Any attribute."""
        match self.kind:
            case "number":
                return self._number()
            case "string":
                value = unquote(self.word)
                self.advance()
                if self.accept(":"):
                    self.type()
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
        """`@name`"""
        return SymbolRefAttr(self.symbol_name())

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
        start, word = self.start, self.word
        self.advance()
        if self.word == "<" and self.start == start + len(word):
            return OpaqueAttr(self.balanced(start))
        if word[1:] in self.attribute_aliases:
            return self.attribute_aliases[word[1:]]
        if "." in word:
            return OpaqueAttr(word)
        self.fail(f"attribute alias {word} is not defined", start, start + len(word))

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
        """The integer `word` says, which must fit `type`."""
        if "." in word:
            self.fail(f"{word} is not an integer and its type is {type}", start, end)
        if len(word) > 100:
            self.fail("the number has too many digits", start, end)
        value = int(word, 16) if "x" in word else int(word)
        width = type.width if isinstance(type, ty.IntegerType) else 64
        low = 0 if isinstance(type, ty.IntegerType) and type.sign == "u" else -(1 << (width - 1))
        if not low <= value < (1 << width):
            self.fail(f"{word} does not fit {type}", start, end)
        if type is ty.i1:
            return value & 1
        signed = not (isinstance(type, ty.IntegerType) and type.sign == "u")
        return value - (1 << width) if signed and value >= 1 << (width - 1) else value

    def float_bits(self, word: str, type: ty.FloatType, start: int, end: int) -> int:
        """The bits `word` says: a decimal number, or the bits themselves in hexadecimal."""
        if "x" in word:
            bits = int(word, 16)
            if word.startswith("-") or bits >> type.width:
                self.fail(f"{word} does not fit the {type.width} bits of {type}", start, end)
            return bits
        if "." not in word:
            self.fail(f"expected a decimal point in {word}, whose type is {type}", start, end)
        return float_bits(float(word), type)

    # -- dense constants ------------------------------------------------------------------------

    def _dense_array(self) -> DenseArrayAttr:
        self.advance()
        self.expect("<")
        element = self.type()
        if not isinstance(element, ty.IntegerType):
            self.fail(f"array<{element}> is not supported: expected integers")
        values: list[int] = []
        if self.accept(":"):
            while True:
                start, end, word = self.start, self.end, self.word
                if word in ("true", "false"):
                    word = "1" if word == "true" else "0"
                elif self.kind != "number":
                    self.fail(f"expected an integer, got {self.shown()}")
                values.append(self.integer_value(word, element, start, end))
                self.advance()
                if not self.accept(","):
                    break
        self.expect(">")
        return DenseArrayAttr(element, tuple(values))

    def dense(self, type: ty.ShapedType | None) -> DenseElementsAttr:
        """`dense<...> : type`; where the type is known from elsewhere it is not read."""
        self.expect("dense")
        opening = self.start
        self.expect("<")
        body_start = self.start
        rows: list[tuple[str, int, int]] = []
        data: bytes | None = None
        shape: list[int] = []
        if self.kind == "string":
            data = self._hex_data()
        elif self.word != ">":
            shape = self._dense_items(rows)
        self.expect(">")
        if type is None:
            self.expect(":")
            given = self.type()
            if not isinstance(given, ty.ShapedType) or not given.is_static:
                self.fail(f"a dense constant has a static shape, got {given}", opening, opening + 1)
            type = given
        if data is None:
            data = self._dense_bytes(rows, type)
            if rows and shape and tuple(shape) != type.shape:
                self.fail(f"the values have shape {tuple(shape)} and the type is {type}",
                          body_start, body_start + 1)  # fmt: skip
        width = ty.byte_width(type.element)
        if len(data) != width * type.count and (len(data) != width or type.count == 0):
            self.fail(f"{len(data)} bytes do not fill {type}", body_start, body_start + 1)
        if type.count > 1 and data == data[:width] * type.count:
            data = data[:width]
        return DenseElementsAttr(type, data)

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
            if self.kind not in ("number", "word"):
                self.fail(f"expected a number, got {self.shown()}")
            rows.append((self.word, self.start, self.end))
            self.advance()
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
        element = type.element
        words = []
        for word, start, end in rows:
            if isinstance(element, ty.FloatType):
                bits = self.float_bits(word, element, start, end)
                words.append(bits.to_bytes(element.width // 8, "little"))
            else:
                number = {"true": "1", "false": "0"}.get(word, word)
                if not number.lstrip("-").isalnum() or number.isalpha():
                    self.fail(f"expected a number, got {word!r}", start, end)
                value = self.integer_value(number, element, start, end)
                words.append(np.array(value, dtype=numpy_dtype(element)).tobytes())
        return b"".join(words)
