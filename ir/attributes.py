"""Attributes: interned, immutable constants on operations; their text is MLIR's."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.quoting import bare_or_quoted, quote
from penstock.ir.types import Attribute as Attribute
from penstock.ir.types import Type

_PACK = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
_DTYPE_OF_PACK: dict[str, type[np.floating[Any]]] = {
    "<e": np.float16, "<f": np.float32, "<d": np.float64,
}  # fmt: skip


class UnitAttr(Attribute):
    """An attribute whose presence is its meaning."""

    __slots__ = ()

    def __init__(self) -> None:
        self._text = "unit"


class StringAttr(Attribute):
    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value
        self._text = quote(value)


class IntegerAttr(Attribute):
    """`7 : i64`. An i1 prints as `true` or `false`, and the text may omit `i64`."""

    __slots__ = ("type", "value")

    def __init__(self, value: int, type: Type = ty.i64) -> None:
        self.value = as_stored(int(value), type)
        self.type = type
        self._text = ("false", "true")[self.value] if type is ty.i1 else f"{self.value} : {type}"


def as_stored(value: int, type: Type) -> int:
    """`value` as an attribute of this type stores it; ValueError if it does not fit.

    A signless integer is given as signed or unsigned and stored as signed; i1 is stored as 0 or 1.

    >>> as_stored(255, ty.i8)
    -1
    """
    if isinstance(type, ty.IntegerType):
        width, sign = type.width, type.sign
    elif isinstance(type, ty.IndexType):
        width, sign = 64, "s"
    else:
        raise TypeError(f"{type} is not an integer type")
    low = 0 if sign == "u" else -(1 << (width - 1))
    high = 1 << (width - 1 if sign == "s" else width)
    if not low <= value < high:
        raise ValueError(f"an integer of {value.bit_length()} bits does not fit {type}")
    if type is ty.i1:
        return value & 1
    return value if sign or value < 1 << (width - 1) else value - (1 << width)


class FloatAttr(Attribute):
    """`1.5 : f32`: kept as its bits, so that -0.0, NaN payloads and rounding are exact."""

    __slots__ = ("bits", "type")

    def __init__(self, bits: int, type: Type) -> None:
        assert isinstance(type, ty.FloatType)
        if bits < 0 or bits >> type.width:
            raise ValueError(f"{bits:#x} does not fit the {type.width} bits of {type}")
        self.bits = bits
        self.type = type
        self._text = f"{float_text(self.value, type, bits)} : {type}"

    @staticmethod
    def of(value: float, type: Type = ty.f64) -> FloatAttr:
        """The attribute for `value` rounded to `type`.

        >>> str(FloatAttr.of(0.1, ty.f32))
        '0.1 : f32'
        """
        return FloatAttr(float_bits(value, type), type)

    @property
    def value(self) -> float:
        """The exact value as a Python float."""
        return float_from_bits(self.bits, self.type)


def float_bits(value: float, type: Type) -> int:
    """The bit pattern of `value` rounded to nearest in `type`; beyond its range, infinity."""
    assert isinstance(type, ty.FloatType)
    pack, unpack = _PACK[32 if type is ty.bf16 else type.width]
    with np.errstate(over="ignore"):
        rounded = _DTYPE_OF_PACK[pack](value)
    if type is ty.bf16:
        (wide,) = struct.unpack(unpack, struct.pack(pack, rounded))
        if math.isnan(value):
            return int(wide >> 16) | 0x40
        if float(rounded) != value:
            # Round to odd, so that the second rounding rounds the original value.
            wide = (wide - (abs(float(rounded)) > abs(value))) | 1
        return int((wide + 0x7FFF + ((wide >> 16) & 1)) >> 16)
    return int(struct.unpack(unpack, struct.pack(pack, rounded))[0])


def float_from_bits(bits: int, type: Type) -> float:
    """The value of a bit pattern of `type`."""
    assert isinstance(type, ty.FloatType)
    if type is ty.bf16:
        return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])
    pack, unpack = _PACK[type.width]
    return float(struct.unpack(pack, struct.pack(unpack, bits))[0])


def float_text(value: float, element: Type, bits: int) -> str:
    """The shortest decimal that reads back as the same bits; hexadecimal bits for inf and NaN."""
    assert isinstance(element, ty.FloatType)
    if not math.isfinite(value):
        return f"0x{bits:0{element.width // 4}X}"
    kinds: dict[str, type[np.floating[Any]]] = {"f16": np.float16, "f32": np.float32}
    if element is ty.bf16:
        rounded = (float(f"{value:.{digits}e}") for digits in range(9))
        value = next(v for v in rounded if float_bits(v, element) == bits)
    number = kinds.get(element.name, np.float64)(value)
    if 1e-4 <= abs(value) < 1e7 or value == 0:
        return np.format_float_positional(number, trim="0")
    return np.format_float_scientific(number, trim="0")


class TypeAttr(Attribute):
    __slots__ = ("value",)
    forgotten = True

    def __init__(self, value: Type) -> None:
        self.value = value
        self._text = str(value)


class ArrayAttr(Attribute):
    """`[1, "a"]`"""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Attribute, ...]) -> None:
        self.items = items
        self._text = f"[{', '.join(map(_item_text, items))}]"


def _item_text(item: Attribute) -> str:
    """An item of a list, where upstream omits the default types of numbers."""
    text = str(item).removesuffix(" : i64")
    return text if text.startswith("0x") else text.removesuffix(" : f64")


class DictAttr(Attribute):
    """`{kind = "constant", value = 0.0 : f64}`, sorted by name."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[tuple[str, Attribute], ...]) -> None:
        self.items = tuple(sorted(items, key=lambda entry: entry[0]))
        if len(dict(self.items)) != len(items):
            raise ValueError(f"a name is given twice: {', '.join(name for name, _ in self.items)}")
        self._text = f"{{{', '.join(entry_text(name, value) for name, value in self.items)}}}"

    def get(self, name: str) -> Attribute | None:
        """The entry of that name."""
        return next((value for key, value in self.items if key == name), None)


class SymbolRefAttr(Attribute):
    """`@dense_0`: an operation by its symbol name; `@kernels::@dense_0` by its module's, too."""

    __slots__ = ("name", "nested")

    def __init__(self, name: str, nested: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nested = nested
        self._text = "::".join(f"@{bare_or_quoted(word)}" for word in (name, *nested))


class DenseArrayAttr(Attribute):
    """`array<i64: 1, 2>`: a short list of integers, booleans or floats, these as their bits."""

    __slots__ = ("element", "values")

    def __init__(self, element: Type, values: tuple[int, ...]) -> None:
        self.element = element
        if isinstance(element, ty.FloatType):
            self.values = tuple(values)
            words = [float_text(float_from_bits(v, element), element, v) for v in values]
        else:
            self.values = tuple(as_stored(int(v), element) for v in values)
            words = [("false", "true")[v] if element is ty.i1 else str(v) for v in self.values]
        self._text = f"array<{element}{': ' if words else ''}{', '.join(words)}>"

    @property
    def numbers(self) -> list[int] | list[float]:
        """The values as plain numbers."""
        if isinstance(self.element, ty.FloatType):
            return [float_from_bits(bits, self.element) for bits in self.values]
        return list(self.values)


class AffineMapAttr(Attribute):
    __slots__ = ("map",)

    def __init__(self, map: AffineMap) -> None:
        self.map = map.simplified()
        self._text = f"affine_map<{self.map}>"


class StridedLayoutAttr(Attribute):
    """`strided<[512, 1], offset: ?>`: a memref's strides and offset, in elements."""

    __slots__ = ("offset", "strides")

    def __init__(self, strides: tuple[int, ...], offset: int = 0) -> None:
        self.strides = strides
        self.offset = offset
        words = ["?" if s == ty.DYNAMIC else str(s) for s in (*strides, offset)]
        tail = f", offset: {words[-1]}" if offset else ""
        self._text = f"strided<[{', '.join(words[:-1])}]{tail}>"


class DenseElementsAttr(Attribute):
    """`dense<0.0> : tensor<512xf32>`: a constant tensor, as its little-endian bytes.

    `data` holds one element where all are equal (a splat), else all of them in row-major order.
    """

    __slots__ = ("data", "type")
    forgotten = True

    def __init__(self, type: ty.ShapedType, data: bytes) -> None:
        width, count = ty.byte_width(type.element), type.count
        if len(data) == width * count and data == data[:width] * count:
            data = data[:width]
        if len(data) not in (width * min(count, 1), width * count):
            raise ValueError(f"{len(data)} bytes do not fill {type}")
        self.type = type
        self.data = data
        self._text = f"dense<{self._body()}> : {type}"

    def _body(self) -> str:
        width, element = ty.byte_width(self.type.element), self.type.element
        if len(self.data) <= width:
            return element_text(self.data, element) if self.data else ""
        if self.type.count > 16:
            return f'"0x{self._stored().hex().upper()}"'
        words = [
            element_text(self.data[i : i + width], element) for i in range(0, len(self.data), width)
        ]
        for extent in reversed(self.type.shape):
            words = [f"[{', '.join(words[i : i + extent])}]" for i in range(0, len(words), extent)]
        return words[0]

    def _stored(self) -> bytes:
        """The data as in the hexadecimal text: eight i1 per byte, lowest bit first."""
        if self.type.element is not ty.i1:
            return self.data
        return np.packbits(np.frombuffer(self.data, np.uint8), bitorder="little").tobytes()

    @property
    def is_splat(self) -> bool:
        return len(self.data) == ty.byte_width(self.type.element)

    def numbers(self) -> np.ndarray[Any, Any]:
        """The elements, flattened; only one for a splat, to save memory."""
        return np.frombuffer(self.data, numpy_dtype(self.type.element))

    def array(self) -> np.ndarray[Any, Any]:
        """The constant as a NumPy array of the type's shape (read-only)."""
        flat = self.numbers()
        if self.is_splat:
            return np.broadcast_to(flat.reshape(()) if flat.size else flat, self.type.shape)
        return flat.reshape(self.type.shape)

    @staticmethod
    def of(array: np.ndarray[Any, Any], type: ty.ShapedType) -> DenseElementsAttr:
        """The attribute for an array converted to `type`; equal elements become a splat."""
        converted = np.asarray(array, dtype=numpy_dtype(type.element))
        whole = np.broadcast_to(converted, type.shape)
        one = converted.size == 1 and whole.size > 0
        return DenseElementsAttr(type, converted.tobytes() if one else whole.tobytes())


def element_text(word: bytes, element: Type) -> str:
    """One element of a dense constant."""
    if isinstance(element, ty.FloatType):
        bits = int.from_bytes(word, "little")
        return float_text(float_from_bits(bits, element), element, bits)
    signed = not (isinstance(element, ty.IntegerType) and element.sign == "u")
    value = int.from_bytes(word, "little", signed=signed)
    return ("false", "true")[value & 1] if element is ty.i1 else str(value)


class OpaqueAttr(Attribute):
    """A dialect attribute kept as its text, e.g. `#linalg.iterator_type<parallel>`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text
        self._text = text


unit = UnitAttr()

_DTYPES = {
    "f16": "<f2", "f32": "<f4", "f64": "<f8", "i1": "|b1", "i8": "|i1", "i16": "<i2",
    "i32": "<i4", "i64": "<i8", "ui8": "|u1", "index": "<i8",
}  # fmt: skip


def numpy_dtype(element: Type) -> np.dtype[Any]:
    """The NumPy dtype that holds elements of this type; bf16 is ml_dtypes' own.

    >>> numpy_dtype(ty.f32)
    dtype('float32')
    """
    if element is ty.bf16:
        import ml_dtypes

        dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return dtype
    word = _DTYPES.get(str(element))
    if word is None:
        raise TypeError(f"{element} has no NumPy dtype: expected one of {', '.join(_DTYPES)}, bf16")
    return np.dtype(word)


def element_type(dtype: np.dtype[Any]) -> Type:
    """The element type of a NumPy dtype; the inverse of `numpy_dtype` (bool is i1)."""
    if dtype.name == "bfloat16":
        return ty.bf16
    words = {"f2": ty.f16, "f4": ty.f32, "f8": ty.f64, "b1": ty.i1, "i1": ty.i8, "i2": ty.i16,
             "i4": ty.i32, "i8": ty.i64, "u1": ty.ui8}  # fmt: skip
    found = words.get(dtype.str[1:])
    if found is None:
        raise TypeError(f"NumPy dtype {dtype} has no element type")
    return found


def entry_text(name: str, value: Attribute) -> str:
    """`name = value` as in an attribute dictionary; a unit attribute is its name alone."""
    if value is unit:
        return bare_or_quoted(name)
    return f"{bare_or_quoted(name)} = {value}"


def attribute(value: Any) -> Attribute:
    """The attribute for a plain Python value: bool, int (i64), float (f64), str, Type, AffineMap,
    a list or tuple of these, or a dict; attributes pass through; None and others: TypeError.

    >>> str(attribute({"axes": [0, 1], "keep": True}))
    '{axes = [0, 1], keep = true}'
    """
    match value:
        case Attribute():
            return value
        case bool():
            return IntegerAttr(value, ty.i1)
        case int():
            return IntegerAttr(value)
        case float():
            return FloatAttr.of(value)
        case str():
            return StringAttr(value)
        case Type():
            return TypeAttr(value)
        case AffineMap():
            return AffineMapAttr(value)
        case list() | tuple():
            return ArrayAttr(tuple(attribute(item) for item in value))
        case Mapping():
            return DictAttr(tuple((str(key), attribute(item)) for key, item in value.items()))
        case _:
            raise TypeError(f"{value!r} of {type(value).__name__} cannot be an attribute")


def python_value(attr: Attribute) -> Any:
    """The plain Python value of an attribute; the inverse of `attribute` where that has one."""
    match attr:
        case IntegerAttr(type=ty.i1):
            return bool(attr.value)
        case IntegerAttr() | FloatAttr() | StringAttr() | TypeAttr():
            return attr.value
        case ArrayAttr():
            return [python_value(item) for item in attr.items]
        case DictAttr():
            return {name: python_value(item) for name, item in attr.items}
        case DenseArrayAttr():
            return attr.numbers
        case AffineMapAttr():
            return attr.map
        case SymbolRefAttr():
            return attr.name
        case UnitAttr():
            return True
        case DenseElementsAttr():
            return attr.array()
        case _:
            return attr


def integers(values: Sequence[int]) -> DenseArrayAttr:
    """`array<i64: ...>`"""
    return DenseArrayAttr(ty.i64, tuple(values))
