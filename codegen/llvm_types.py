"""How types and constants of the IR are spelled in LLVM's text (LLVM language reference)."""

from __future__ import annotations

from functools import cache

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    float_bits,
    float_from_bits,
)
from penstock.ir.types import Type, element_of

# LLVM widens and rounds a bfloat by calls of its runtime library, even to move it in a vector. Its
# bits are enough: what computes with it has rows of its own.
_FLOATS = {"f16": "half", "bf16": "i16", "f32": "float", "f64": "double"}
_WIDTHS = (1, 8, 16, 32, 64)


@cache
def llvm_type(type: Type) -> str:
    """The LLVM type of a value; TypeError for types that no register holds.

    Nor does one hold a vector of one lane: passes of LLVM take it for a scalar, which others that
    follow do not expect, and end the process.

    >>> llvm_type(ty.VectorType((16,), ty.f32))
    '<16 x float>'
    """
    if isinstance(type, ty.FloatType):
        return _FLOATS[type.name]
    if isinstance(type, ty.IntegerType) and type.width in _WIDTHS:
        return f"i{type.width}"
    if type is ty.index:
        return "i64"
    if isinstance(type, (ty.MemRefType, ty.UnrankedMemRefType)):
        return "ptr"
    if isinstance(type, ty.VectorType) and type.rank == 1 and type.shape[0] > 1:
        return f"<{type.shape[0]} x {llvm_type(type.element)}>"
    raise TypeError(
        f"values of type {type} have no LLVM type: expected a float, an integer of "
        f"{', '.join(map(str, _WIDTHS))} bits, index, a memref or a vector of one dimension "
        "with two lanes or more"
    )


def suffix(type: Type) -> str:
    """The type as it ends the name of an overloaded intrinsic.

    >>> suffix(ty.VectorType((16,), ty.f32)), suffix(ty.index), suffix(ty.ui8)
    ('v16f32', 'i64', 'i8')
    """
    if isinstance(type, ty.VectorType):
        return f"v{type.count}{suffix(type.element)}"
    if type is ty.bf16:
        return llvm_type(type)
    return "i64" if type is ty.index else str(type).removeprefix("u")


def like(type: Type, element: Type) -> Type:
    """`element`, or as many of them as `type` has."""
    return ty.VectorType(type.shape, element) if isinstance(type, ty.VectorType) else element


def constant(value: Attribute) -> str:
    """A constant without its type; TypeError for constants that no register holds.

    >>> constant(FloatAttr.of(0.1, ty.f32))
    '0x3FB99999A0000000'
    """
    if isinstance(value, FloatAttr):
        return _float(value.bits, value.type)
    if isinstance(value, IntegerAttr):
        return _integer(value.value, value.type)
    if isinstance(value, DenseElementsAttr) and isinstance(value.type, ty.VectorType):
        return _vector(value)
    raise TypeError(f"{value} is not a constant of a float, integer or vector type")


def number(value: float, type: Type) -> str:
    """A number as a constant of a float or integer type, in every element of a vector."""
    element = element_of(type)
    if isinstance(element, ty.FloatType):
        text = _float(float_bits(value, element), element)
    else:
        text = _integer(int(value), element)
    return text if element is type else f"splat ({llvm_type(element)} {text})"


def _float(bits: int, type: Type) -> str:
    """The exact bits: LLVM spells a `float` as the bits of the `double` with the same value."""
    if type is ty.f16:
        return f"0xH{bits:04X}"
    if type is ty.bf16:
        return _integer(bits, ty.i16)
    if type is ty.f64:
        return f"0x{bits:016X}"
    value = float_from_bits(bits, type)
    if value != value:  # Python's conversion would make every NaN a quiet one
        bits = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return f"0x{bits:016X}"
    return f"0x{float_bits(value, ty.f64):016X}"


def _integer(value: int, type: Type) -> str:
    """In the signed range, so that a constant has one spelling."""
    width = type.width if isinstance(type, ty.IntegerType) else 64
    if width == 1:
        return "true" if value & 1 else "false"
    low = value & ((1 << width) - 1)
    return str(low - (1 << width) if low >> (width - 1) else low)


def _vector(value: DenseElementsAttr) -> str:
    words = lane_constants(value)
    return f"splat ({words[0]})" if value.is_splat else f"<{', '.join(words)}>"


def lane_constants(value: DenseElementsAttr) -> list[str]:
    """The elements of a dense constant, each with its type; TypeError for what no register holds.

    A splat has one.
    """
    element = value.type.element
    width = ty.byte_width(element)
    kind = llvm_type(element)
    words = []
    for i in range(0, len(value.data), width):
        bits = int.from_bytes(value.data[i : i + width], "little")
        is_float = isinstance(element, ty.FloatType)
        words.append(f"{kind} {_float(bits, element) if is_float else _integer(bits, element)}")
    return words
