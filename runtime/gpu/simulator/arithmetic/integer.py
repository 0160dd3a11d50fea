"""Integer arithmetic and logic. PTX ISA, "Integer Arithmetic" and "Logic and Shift"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import TYPES, Code, Decoded, Decoder
from penstock.runtime.gpu.simulator.arithmetic.elementwise import Function, elementwise, step_of
from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS

__all__ = ["DECODERS"]

INTEGERS = ("u16", "u32", "u64", "s16", "s32", "s64")
BITS = ("pred", "b16", "b32", "b64")
PAIRS = {"u16x2": np.dtype(np.uint16), "s16x2": np.dtype(np.int16)}
PAIRED = ("add", "min", "max")
WIDE = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


def _same(function: Function, sources: int) -> Decoder:
    """An instruction whose operands and result have one integer type."""

    def decode(code: Code) -> Decoded:
        type = code.type((*INTEGERS, *PAIRS) if code.mnemonic in PAIRED else INTEGERS)
        if type in PAIRS:
            return elementwise(code, _in_halves(function, PAIRS[type]), ["b32"] * sources, "b32")
        return elementwise(code, function, [type] * sources, type)

    return decode


def _in_halves(function: Function, half: np.dtype[Any]) -> Function:
    """A function of both 16-bit halves of 32-bit words."""

    def run(*values: Array) -> Array:
        count = max(len(value) for value in values)
        parts = [np.array(np.broadcast_to(value, (count,))).view(half) for value in values]
        return function(*parts).view(np.uint32)

    return run


def _logic(function: Function, sources: int) -> Decoder:
    def decode(code: Code) -> Decoded:
        type = code.type(BITS)
        return elementwise(code, function, [type] * sources, type)

    return decode


# -- products ------------------------------------------------------------------------------------


def high_product(a: Array, b: Array) -> Array:
    """The upper half of the double-width product of integers of one type."""
    size = a.dtype.itemsize
    if size < 8:
        wide = np.dtype(f"{a.dtype.kind}{2 * size}")
        result: Array = (a.astype(wide) * b.astype(wide) >> wide.type(8 * size)).astype(a.dtype)
        return result
    low, thirty_two = np.uint64(0xFFFFFFFF), np.uint64(32)
    x, y = a.view(np.uint64), b.view(np.uint64)
    x0, x1, y0, y1 = x & low, x >> thirty_two, y & low, y >> thirty_two
    middle = x1 * y0 + (x0 * y0 >> thirty_two)
    other = x0 * y1 + (middle & low)
    high = x1 * y1 + (middle >> thirty_two) + (other >> thirty_two)
    if a.dtype.kind == "i":
        high = high - np.where(a < 0, y, np.uint64(0)) - np.where(b < 0, x, np.uint64(0))
    whole: Array = high.view(a.dtype)
    return whole


def _wide_product(type: str) -> Function:
    wide = TYPES[WIDE[type]]
    return lambda a, b: a.astype(wide) * b.astype(wide)


def _product(code: Code) -> Decoded:
    type = code.type(INTEGERS)
    part = code.choice(("lo", "hi", "wide"))
    if part == "wide":
        if type not in WIDE:
            code.refuse(f"a wide product of .{type}")
        return elementwise(code, _wide_product(type), [type, type], WIDE[type])
    function = np.multiply if part == "lo" else high_product
    return elementwise(code, function, [type, type], type)


def _product_sum(code: Code) -> Decoded:
    type = code.type(INTEGERS)
    part = code.choice(("lo", "hi", "wide"))
    if part == "wide":
        if type not in WIDE:
            code.refuse(f"a wide product of .{type}")
        wide = _wide_product(type)
        return elementwise(
            code, lambda a, b, c: wide(a, b) + c, [type, type, WIDE[type]], WIDE[type]
        )
    product = np.multiply if part == "lo" else high_product
    return elementwise(code, lambda a, b, c: product(a, b) + c, [type] * 3, type)


# -- quotients -----------------------------------------------------------------------------------


def quotient(a: Array, b: Array) -> Array:
    """The quotient rounded to zero. By zero it is all ones, which PTX leaves unspecified."""
    zero = b == 0
    found = np.floor_divide(a, np.where(zero, b.dtype.type(1), b))
    if a.dtype.kind == "i":
        inexact = found * b != a
        found = found + (inexact & ((a < 0) != (b < 0)) & ~zero).astype(a.dtype)
    return np.where(zero, ~np.zeros(1, a.dtype), found)


def remainder(a: Array, b: Array) -> Array:
    """What the quotient rounded to zero leaves."""
    result: Array = a - quotient(a, b) * b
    return result


# -- bits ----------------------------------------------------------------------------------------


def _shift_left(code: Code) -> Decoded:
    type = code.type(BITS[1:])
    kind = TYPES[type]
    return elementwise(code, lambda a, n: a << n.astype(kind), [type, "u32"], type)


def _shift_right(code: Code) -> Decoded:
    type = code.type((*BITS[1:], *INTEGERS))
    kind = TYPES[type]
    limit = np.uint32(8 * WIDTHS[type] - (kind.kind == "i"))
    return elementwise(
        code, lambda a, n: a >> np.minimum(n, limit).astype(kind), [type, "u32"], type
    )


def _funnel_shift(code: Code) -> Decoded:
    left = code.choice(("l", "r")) == "l"
    wrap = code.choice(("wrap", "clamp")) == "wrap"
    type = code.type(("b32",))

    def shift(low: Array, high: Array, count: Array) -> Array:
        count = count & np.uint32(31) if wrap else np.minimum(count, np.uint32(32))
        both = high.astype(np.uint64) << np.uint64(32) | low
        if left:
            return (both << count.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)
        return (both >> count.astype(np.uint64)).astype(np.uint32)

    return elementwise(code, shift, [type, type, "u32"], type)


def population(a: Array) -> Array:
    """The number of ones in unsigned integers, as u32."""
    octets = a.reshape(-1, 1).view(np.uint8)
    result: Array = _ONES[octets].sum(1, dtype=np.uint32)
    return result


_ONES = np.array([bin(value).count("1") for value in range(256)], np.uint32)


def leading_bit(a: Array) -> Array:
    """The place of the highest one in unsigned integers, and -1 for 0, as s64."""
    found = np.full(len(a), -1, np.int64)
    rest = a.astype(np.uint64)
    for step in (32, 16, 8, 4, 2, 1):
        larger = rest >> np.uint64(step) != 0
        found = found + np.where(larger, step, 0)
        rest = np.where(larger, rest >> np.uint64(step), rest)
    result: Array = found + (rest != 0)
    return result


def _count(function: Function) -> Decoder:
    def decode(code: Code) -> Decoded:
        type = code.type(("b32", "b64"))
        return elementwise(code, function, [type], "u32")

    return decode


def _leading_zeros(a: Array) -> Array:
    return (8 * a.dtype.itemsize - 1 - leading_bit(a)).astype(np.uint32)


def _find_bit(code: Code) -> Decoded:
    type = code.type(("u32", "s32", "u64", "s64"))
    amount = code.flag("shiftamt")

    def find(a: Array) -> Array:
        bits = np.where(a < 0, ~a, a).view(UNSIGNED[a.dtype.itemsize])
        place = leading_bit(bits)
        if amount:
            place = np.where(place < 0, -1, 8 * a.dtype.itemsize - 1 - place)
        return place.astype(np.int32).view(np.uint32)

    return elementwise(code, find, [type], "u32")


def _reverse(a: Array) -> Array:
    octets = _REVERSED[a.reshape(-1, 1).view(np.uint8)[:, ::-1]]
    return np.ascontiguousarray(octets).view(a.dtype).reshape(-1)


_REVERSED = np.array([int(f"{value:08b}"[::-1], 2) for value in range(256)], np.uint8)


def _extract(code: Code) -> Decoded:
    type = code.type(("u32", "s32", "u64", "s64"))
    size = 8 * WIDTHS[type]
    kind = UNSIGNED[WIDTHS[type]]
    signed = type[0] == "s"

    def extract(a: Array, place: Array, length: Array) -> Array:
        start = (place & np.uint32(255)).astype(np.int64)
        count = (length & np.uint32(255)).astype(np.int64)
        bits = a >> start.clip(max=size - signed).astype(a.dtype)
        bits = np.where(
            count < size,
            bits.view(kind) & ((kind.type(1) << count.astype(kind)) - kind.type(1)),
            bits.view(kind),
        )
        if signed:
            top = np.minimum(start + count - 1, size - 1).clip(min=0).astype(a.dtype)
            negative = ((a >> top) & a.dtype.type(1) != 0) & (count > 0)
            fill = np.where(count < size, ~np.zeros(1, kind) << count.astype(kind), kind.type(0))
            bits = np.where(negative, bits | fill, bits)
        result: Array = bits.view(a.dtype)
        return result

    return elementwise(code, extract, [type, "u32", "u32"], type)


def _insert(code: Code) -> Decoded:
    type = code.type(("b32", "b64"))
    kind = TYPES[type]
    size = 8 * WIDTHS[type]

    def insert(a: Array, b: Array, place: Array, length: Array) -> Array:
        start = (place & np.uint32(255)).astype(kind)
        count = (length & np.uint32(255)).astype(kind)
        ones = np.where(count < size, (kind.type(1) << count) - kind.type(1), ~np.zeros(1, kind))
        mask = ones << start
        result: Array = (b & ~mask) | (a << start & mask)
        return result

    return elementwise(code, insert, [type, type, "u32", "u32"], type)


def permute_bytes(a: Array, b: Array, selector: Array) -> Array:
    """`prmt.b32`: each nibble of the selector picks a byte, or copies its sign."""
    both = b.astype(np.uint64) << np.uint64(32) | a
    result = np.zeros(np.broadcast(a, b, selector).shape, np.uint32)
    for place in range(4):
        nibble = selector >> np.uint32(4 * place) & np.uint32(15)
        octet = (both >> (np.uint64(8) * (nibble & np.uint32(7))) & np.uint64(255)).astype(
            np.uint32
        )
        sign = np.where(octet & np.uint32(128), np.uint32(255), np.uint32(0))
        octet = np.where(nibble & np.uint32(8), sign, octet)
        result |= octet << np.uint32(8 * place)
    return result


def _permute(code: Code) -> Decoded:
    code.type(("b32",))
    code.finish(4)
    reads = [*code.joined(code.operands[1:3], "b32"), code.reader(3, "b32")]
    return Decoded(step_of(permute_bytes, reads, code.writer(0, "b32")))


def _any_logic(code: Code) -> Decoded:
    """`lop3.b32`: the bits of the immediate are the results for each three input bits."""
    code.type(("b32",))
    code.finish(5)
    table = code.integer(4)
    code.operands = code.operands[:4]

    def logic(a: Array, b: Array, c: Array) -> Array:
        found = np.zeros(np.broadcast(a, b, c).shape, np.uint32)
        for row in range(8):
            if table >> row & 1:
                found |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
        return found

    return elementwise(code, logic, ["b32"] * 3, "b32")


def _absolute(a: Array) -> Array:
    return np.abs(a)


def _bit_not(a: Array) -> Array:
    return ~a


DECODERS: Mapping[str, Decoder] = {
    "add": _same(np.add, 2),
    "sub": _same(np.subtract, 2),
    "mul": _product,
    "mad": _product_sum,
    "div": _same(quotient, 2),
    "rem": _same(remainder, 2),
    "abs": _same(_absolute, 1),
    "neg": _same(np.negative, 1),
    "min": _same(np.minimum, 2),
    "max": _same(np.maximum, 2),
    "sad": _same(lambda a, b, c: np.where(a < b, b - a, a - b) + c, 3),
    "and": _logic(np.bitwise_and, 2),
    "or": _logic(np.bitwise_or, 2),
    "xor": _logic(np.bitwise_xor, 2),
    "not": _logic(_bit_not, 1),
    "cnot": _logic(lambda a: (a == 0).astype(a.dtype), 1),
    "shl": _shift_left,
    "shr": _shift_right,
    "shf": _funnel_shift,
    "popc": _count(population),
    "clz": _count(_leading_zeros),
    "bfind": _find_bit,
    "brev": lambda code: elementwise(code, _reverse, [t := code.type(("b32", "b64"))], t),
    "bfe": _extract,
    "bfi": _insert,
    "prmt": _permute,
    "lop3": _any_logic,
}
