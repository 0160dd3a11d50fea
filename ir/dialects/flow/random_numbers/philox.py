"""Random words by position: the counter-based generator Philox 4x32-10.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011. A *block* is
four words of 32 bits, a function of a counter of 128 bits and a key of 64 bits. Here the counter's
low half is the number of the block and its high half the step of the job; the key is the seed. So a
word depends on where it stands, on the step and on the seed, and on nothing that was drawn before.

The blocks of a tensor count along its rows, which are its last dimension; each row begins with a
block of its own. An element of 32 bits takes one word, an element of 64 bits two.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import Array
from penstock.ir.types import Type
from penstock.ir.write import scalars

FACTORS = (0xD2511F53, 0xCD9E8D57)
STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
WORDS = 4
"""How many words a block has."""


def _keys(seed: int) -> list[tuple[int, int]]:
    """The two halves of the key, for each round."""
    halves = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF
    return [
        ((halves[0] + n * STEPS[0]) & 0xFFFFFFFF, (halves[1] + n * STEPS[1]) & 0xFFFFFFFF)
        for n in range(ROUNDS)
    ]


# -- in NumPy -------------------------------------------------------------------------------------


def blocks(number: Array, step: int, seed: int) -> Array:
    """The words of the blocks of these numbers, along a new last dimension, as uint32.

    >>> [hex(word) for word in blocks(np.uint64(0), 0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    high = np.uint64(int(step) & (2**64 - 1))
    counter = np.asarray(number, np.uint64)
    c: list[Array] = list(
        np.broadcast_arrays(counter & low, counter >> shift, high & low, high >> shift)
    )
    for key in _keys(seed):
        first, second = c[0] * np.uint64(FACTORS[0]), c[2] * np.uint64(FACTORS[1])
        c = [
            (second >> shift) ^ c[1] ^ np.uint64(key[0]),
            second & low,
            (first >> shift) ^ c[3] ^ np.uint64(key[1]),
            first & low,
        ]
    return np.stack(c, axis=-1).astype(np.uint32)


def words(shape: Sequence[int], step: int, seed: int, dtype: Any = np.uint32) -> Array:
    """The word of each element of a tensor, as uint32 or uint64."""
    *outer, last = shape or (1,)
    each = WORDS * 4 // np.dtype(dtype).itemsize
    row = -(-last // each)
    number = np.arange(prod(outer) * row, dtype=np.uint64)
    drawn = blocks(number, step, seed).view(dtype).reshape(*outer, row * each)[..., :last]
    return np.ascontiguousarray(drawn).reshape(tuple(shape))


# -- as the body of a loop ------------------------------------------------------------------------


def word(
    b: Builder, place: Sequence[Value], shape: Sequence[int], step: Value, seed: Value, type: Type
) -> Value:
    """The word of the element at `place` in a tensor of this shape: an i32 or an i64.

    The step and the seed are i64.
    """
    each = WORDS * 4 // ty.byte_width(type)
    if not shape:
        place, shape = [scalars.constant(b, 0, ty.index)], (1,)
    shift, mask = (scalars.constant(b, n, ty.index) for n in (each.bit_length() - 1, each - 1))
    number: Value = b.create(arith.ShRUI, place[-1], shift).result
    width = -(-shape[-1] // each)
    for position, extent in zip(reversed(place[:-1]), reversed(shape[:-1]), strict=True):
        row = scalars.mul(b, position, scalars.constant(b, width, ty.index))
        number = scalars.add(b, row, number)
        width *= extent
    drawn = _block(b, scalars.cast(b, number, ty.i64), step, seed)
    if type is ty.i32:
        drawn = [scalars.cast(b, part, ty.i32) for part in drawn]
    else:
        drawn = [_joined(b, *drawn[:2]), _joined(b, *drawn[2:])]
    which = b.create(arith.AndI, place[-1], mask).result
    chosen = drawn[-1]
    for n in reversed(range(each - 1)):
        here = scalars.compare(b, "eq", which, scalars.constant(b, n, ty.index))
        chosen = scalars.select(b, here, drawn[n], chosen)
    return chosen


def _block(b: Builder, number: Value, step: Value, seed: Value) -> list[Value]:
    """The four words of a block, each in the lower half of an i64."""
    c = [number, _upper(b, number), step, _upper(b, step)]
    low = scalars.constant(b, 0xFFFFFFFF, ty.i64)
    first, second = (scalars.constant(b, factor, ty.i64) for factor in FACTORS)
    halves = seed, _upper(b, seed)
    for n in range(ROUNDS):
        one, other = (_key(b, *pair, n) for pair in zip(halves, STEPS, strict=True))
        # Halves of what is multiplied: processors do that for 32 bits by 32 at once. What stands in
        # the upper halves otherwise is never read.
        product = scalars.mul(b, scalars.both(b, c[0], low), first)
        further = scalars.mul(b, scalars.both(b, c[2], low), second)
        c = [_xor(b, _upper(b, further), _xor(b, c[1], one)), further,
             _xor(b, _upper(b, product), _xor(b, c[3], other)), product]  # fmt: skip
    return c


def _key(b: Builder, half: Value, step: int, n: int) -> Value:
    """Half a key in one of the rounds, in the lower half of an i64."""
    return scalars.add(b, half, scalars.constant(b, n * step, ty.i64)) if n else half


def _xor(b: Builder, x: Value, y: Value) -> Value:
    return b.create(arith.XOrI, x, y).result


def _upper(b: Builder, value: Value) -> Value:
    """The upper half of an i64, in the lower one."""
    return b.create(arith.ShRUI, value, scalars.constant(b, 32, ty.i64)).result


def _joined(b: Builder, low: Value, high: Value) -> Value:
    """The i64 of the lower halves of two."""
    below = scalars.both(b, low, scalars.constant(b, 0xFFFFFFFF, ty.i64))
    above = b.create(arith.ShLI, high, scalars.constant(b, 32, ty.i64)).result
    return scalars.either(b, above, below)
