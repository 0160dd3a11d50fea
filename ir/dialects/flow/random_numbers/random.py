"""Random numbers: functions of a seed, of the step of the job, and of the place in the tensor.

`penstock.ir.dialects.flow.random_numbers.philox` has the generator. Whatever the order of ops, the
fusion, the number of threads or the processor: an element is the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT, INTEGER, INTEGERS, TYPE
from penstock.ir.constraints import FLOAT_TENSOR, TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    Array,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.dialects.flow.random_numbers import philox
from penstock.ir.dialects.flow.random_numbers.quantile import upper_quantile, write_upper_quantile
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

STEP_TYPE = TensorType((), ty.i64)
SHAPES: Sequence[tuple[int, ...]] = (
    (), (5,), (0,), (2, 3), (3, 8), (4, 1), (2, 3, 7), (1, 37), (3, 1, 70),
)  # fmt: skip
LARGE = (131, 160)

DIGITS: Mapping[Type, int] = {ty.f16: 11, ty.bf16: 8, ty.f32: 24, ty.f64: 53}
"""How many bits of a word a number from 0 to 1 has: as many as make it exact."""


def bits_for(element: Type) -> Type:
    """The type of the word that an element of this type is made of."""
    return ty.i64 if element is ty.f64 else ty.i32


class Draw(TensorOp):
    """Base of what is drawn: the last operand is the step, and `seed` the key."""

    moves = True  # a draw of 16 bits is made of a word, not of a draw of 32
    waived: ClassVar[Mapping[str, str]] = {"grad": "what is drawn has no derivative"}

    by_place = True
    seed = attribute(INTEGER)
    origin = attribute(INTEGERS, default=())
    whole = attribute(INTEGERS, default=())

    def check_step(self, shape: Sequence[int]) -> None:
        """Fail unless the last operand is a step, and the result a part of the whole, if one."""
        origin, whole = list(self.origin), list(self.whole)
        if origin or whole:
            ends = [start + extent for start, extent in zip(origin, shape, strict=False)]
            fits = len(origin) == len(whole) == len(shape) and min(origin) >= 0
            if not fits or any(end > extent for end, extent in zip(ends, whole, strict=True)):
                self.fail(
                    f"expected a part of shape {list(shape)} from {origin} on to lie in a whole of "
                    f"shape {whole}: give origin and whole one number for each dimension"
                )
        step = self.operands[-1].type
        if step is not STEP_TYPE:
            self.fail(f"expected a step of type {STEP_TYPE}, got {step}")

    @property
    def word(self) -> Type:
        """The type of the word that an element is made of."""
        return ty.i32

    def extents(self, *operands: Array) -> Sequence[int]:
        """The shape of the result, from the other operands."""
        shape: Sequence[int] = operands[0].shape
        return shape

    def of_word(self, b: Builder, word: Value, *operands: Value) -> Value:
        """The element from its word and the elements of the other operands."""
        self.fail("has no scalar body")

    def of_words(self, words: Array, *operands: Array) -> Array:
        """The same in NumPy, for unsigned words."""
        self.fail("has no reference")

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        *operands, step = arrays
        dtype = np.uint64 if self.word is ty.i64 else np.uint32
        shape = self.extents(*operands)
        words = philox.words(self.whole or shape, int(step), self.seed, dtype)
        pairs = zip(self.origin or [0] * len(shape), shape, strict=True)
        words = words[tuple(slice(start, start + extent) for start, extent in pairs)]
        return [np.asarray(self.of_words(words, *operands))]

    def _scalars(self, b: Builder) -> Sequence[Value]:
        """The seed and the step, as results of one op, which no other takes in: so draws that
        differ in their seeds alone are the same code.
        """

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            return [scalars.constant(b, self.seed, ty.i64), arguments[0]]

        targets = [linalg.empty(b, (), ty.i64) for _ in range(2)]
        maps = [AffineMap.identity(0)] * 3
        return linalg.generic(b, [self.operands[-1]], targets, maps, [], body).results

    def lower(self, b: Builder) -> Sequence[Value]:
        shape = self.out.shape

        def body(b: Builder, *operands: Value) -> Value:
            *others, seed, step = operands
            here = [b.create(linalg.Index, dim=d).result for d in range(len(shape))]
            origin = self.origin or [0] * len(shape)
            place = [structured.offset(b, p, o) for p, o in zip(here, origin, strict=True)]
            word = philox.word(b, place, self.whole or shape, step, seed, self.word)
            return self.of_word(b, word, *others)

        operands = [*self.operands[:-1], *self._scalars(b)]
        return structured.pointwise(b, operands, [self.out], body)


class Shaped(Draw):
    """Base of draws that take a step alone; `shape` says how many there are."""

    result_shape = "shape"
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "what is drawn has no derivative",
    }
    kinds: ClassVar[Sequence[Type]] = FLOATS
    """The element types that there are."""

    step = operand(TENSOR)
    shape = attribute(INTEGERS)
    y = result(TENSOR)

    @property
    def made(self) -> Type:
        """The element type of the result."""
        self.fail("has no element type")

    def extents(self, *operands: Array) -> Sequence[int]:
        return self.shape

    def infer(self) -> Sequence[Type]:
        self.types()
        result = self.shaped(self.shape, self.made)
        self.check_step(result.shape)
        if self.made not in self.kinds:
            words = ", ".join(map(str, self.kinds))
            self.fail(
                f"expected elements of type {words}, got {self.made}: draw one of these and cast it"
            )
        return [result]

    @classmethod
    def options(cls) -> Sequence[Mapping[str, Any]]:
        """Other attributes to try."""
        return [{"element": element} for element in cls.kinds]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        first, *others = cls.options()
        samples = []
        for number, shape in enumerate((*SHAPES, LARGE)):
            step = Input((), ty.i64, number, number)
            samples.append(Sample((step,), {"shape": shape, "seed": number - 5, **first}))
        for number, option in enumerate(others):
            step = Input((), ty.i64, -number, 1 << 40)
            samples.append(
                Sample((step,), {"shape": (3, 37), "seed": (1 << 60) + number, **option})
            )
        return samples


class Floats(Shaped):
    """Base of draws of floats."""

    element = attribute(TYPE)

    @property
    def made(self) -> Type:
        return self.element

    @property
    def word(self) -> Type:
        return bits_for(self.element)


class RandomUniform(Floats):
    """Uniform numbers: each from 0 up to, and without, 1.

    Shapes: y has `shape`; the step has rank 0. Elements: floats, each a multiple of 2^-d, where d
    is 11 for f16, 8 for bf16, 24 for f32 and 53 for f64. Source: Salmon, Moraes, Dror and Shaw,
    "Parallel random numbers: as easy as 1, 2, 3", 2011, Philox 4x32-10: the upper d bits of a word,
    of 32 bits, or for f64 of 64; its key is `seed`, its counter the place and the step.

    >>> import numpy as np
    >>> from penstock.ir import types as ty
    >>> evaluate("flow.random_uniform", np.int64(0), shape=[3], element=ty.f32, seed=0)
    array([0.39904642, 0.88052016, 0.73571277], dtype=float32)
    """

    name = "flow.random_uniform"

    def of_words(self, words: Array, *operands: Array) -> Array:
        digits = DIGITS[self.element]
        whole = (words >> words.dtype.type(8 * words.dtype.itemsize - digits)).astype(np.float64)
        return np.asarray(whole * 2.0**-digits).astype(numpy_dtype(self.element))

    def of_word(self, b: Builder, word: Value, *operands: Value) -> Value:
        return uniform(b, word, self.element)


def uniform(b: Builder, word: Value, element: Type) -> Value:
    """A number from 0 up to 1 of the upper bits of a word."""
    digits = DIGITS[element]
    if word.type is ty.i64:
        return _wide(b, shifted(b, word, 64 - digits), digits)
    wide = ty.f32 if element in (ty.f16, ty.bf16) else element
    number = scalars.cast(b, shifted(b, word, 32 - digits), wide)
    scaled = scalars.mul(b, number, scalars.constant(b, 2.0**-digits, wide))
    return scalars.cast(b, scaled, element)


def shifted(b: Builder, word: Value, by: int) -> Value:
    """The upper bits of a word, zeros before them."""
    return b.create(arith.ShRUI, word, scalars.constant(b, by, word.type)).result


def _wide(b: Builder, whole: Value, digits: int) -> Value:
    """whole * 2^-digits as f64, for an i64 of up to 53 bits, of which processors convert 32."""
    low = scalars.both(b, whole, scalars.constant(b, (1 << 27) - 1, ty.i64))
    parts = [
        scalars.cast(b, scalars.cast(b, part, ty.i32), ty.f64)
        for part in (shifted(b, whole, 27), low)
    ]
    scaled = [
        scalars.mul(b, part, scalars.constant(b, 2.0**power, ty.f64))
        for part, power in zip(parts, (27 - digits, -digits), strict=True)
    ]
    return scalars.add(b, *scaled)


class Normal(Floats):
    """Base of normal numbers, by the quantile: sign and distance from 0 are of one word.

    The lower bits of the word, and a half, are the share of draws that lie further out, from 0 to
    1/2; the highest bit is the sign.
    """

    kinds = (ty.f32, ty.f64)
    moves = False
    ulps = 8  # a logarithm, a root, polynomials and a quotient
    least = 1.0  # near 0 it is as exact as a share near 1/2
    outside: ClassVar[float] = 0.0
    """The share of draws beyond the largest number, on each side."""

    @property
    def _digits(self) -> int:
        return 53 if self.element is ty.f64 else 31

    def of_words(self, words: Array, *operands: Array) -> Array:
        digits = self._digits
        whole = words & words.dtype.type((1 << digits) - 1)
        share = (whole.astype(np.float64) + 0.5) * 2.0 ** -(digits + 1)
        share = self.outside + share * (1 - 2 * self.outside)
        sign = np.where(words >> words.dtype.type(8 * words.dtype.itemsize - 1), -1.0, 1.0)
        return np.asarray(sign * upper_quantile(share)).astype(numpy_dtype(self.element))

    def of_word(self, b: Builder, word: Value, *operands: Value) -> Value:
        digits, element = self._digits, self.element
        whole = scalars.both(b, word, scalars.constant(b, (1 << digits) - 1, word.type))
        number = _wide(b, whole, 0) if word.type is ty.i64 else scalars.cast(b, whole, element)
        scale = 2.0 ** -(digits + 1) * (1 - 2 * self.outside)
        share = scalars.add(b, number, scalars.constant(b, 0.5, element))
        share = scalars.mul(b, share, scalars.constant(b, scale, element))
        if self.outside:
            share = scalars.add(b, share, scalars.constant(b, self.outside, element))
        distance = write_upper_quantile(b, share)
        negative = scalars.compare(b, "lt", word, scalars.constant(b, 0, word.type))
        return scalars.select(b, negative, scalars.neg(b, distance), distance)


class RandomNormal(Normal):
    """Normal numbers: of mean 0 and standard deviation 1.

    Shapes: y has `shape`; the step has rank 0. Elements: f32 and f64. The distribution's quantile
    for a word of `flow.random_uniform`'s generator: no number of f32 is further out than 6.4, none
    of f64 further than 8.3. Source: Wichura, "Algorithm AS 241: the percentage points of the normal
    distribution", 1988.

    >>> import numpy as np
    >>> from penstock.ir import types as ty
    >>> evaluate("flow.random_normal", np.int64(0), shape=[3], element=ty.f32, seed=0)
    array([ 0.25581598, -0.30411485, -0.7201615 ], dtype=float32)
    """

    name = "flow.random_normal"


class RandomTruncatedNormal(Normal):
    """Normal numbers of mean 0 and standard deviation 1, of which none is beyond -2 and 2.

    Shapes: y has `shape`; the step has rank 0. Elements: f32 and f64. The quantile as in
    `flow.random_normal`, of a share between those of -2 and 2: what drawing again would give, at
    one word for each number. Source: as `flow.random_normal`.

    >>> import numpy as np
    >>> from penstock.ir import types as ty
    >>> evaluate("flow.random_truncated_normal", np.int64(0), shape=[2], element=ty.f32, seed=0)
    array([ 0.2439368 , -0.28987336], dtype=float32)
    """

    name = "flow.random_truncated_normal"
    outside = 0.022750131948179207


class RandomMask(Shaped):
    """A mask: 0 with probability `rate`, else 1.

    Shapes: y has `shape`; the step has rank 0. Elements: i8. The rate is at least 0 and below 1; it
    is rounded to a multiple of 2^-32. Source: a word of `flow.random_uniform`'s generator each.

    >>> import numpy as np
    >>> evaluate("flow.random_mask", np.int64(0), shape=[4], rate=0.7, seed=0)
    array([1, 0, 0, 0], dtype=int8)
    """

    name = "flow.random_mask"
    kinds = (ty.i8,)
    rate = attribute(FLOAT)

    @property
    def made(self) -> Type:
        return ty.i8

    def infer(self) -> Sequence[Type]:
        if not 0 <= self.rate < 1:
            self.fail(f"expected a rate of at least 0 and below 1, got {self.rate}")
        return super().infer()

    @property
    def _limit(self) -> int:
        """The least word that gives 1; signed, words are as evenly spread as unsigned."""
        return min(round(self.rate * 2**32), 2**32 - 1) - 2**31

    def of_words(self, words: Array, *operands: Array) -> Array:
        return np.asarray(words.view(np.int32) >= self._limit, np.int8)

    def of_word(self, b: Builder, word: Value, *operands: Value) -> Value:
        kept = scalars.compare(b, "ge", word, scalars.constant(b, self._limit, ty.i32))
        return scalars.cast(b, kept, ty.i8)

    @classmethod
    def options(cls) -> Sequence[Mapping[str, Any]]:
        return [{"rate": rate} for rate in (0.3, 0.0, 0.5, 0.999)]


class Bernoulli(Draw):
    """Ones and zeros: y is 1 with probability p, else 0.

    Shapes: y has the shape of p; the step has rank 0. Elements: p floats, y numbers of type
    `element`. A p of 0 or less, or NaN, never gives 1, one of 1 or more always. Source: whether a
    number of `flow.random_uniform`, of f64 where p is and else of f32, is below p.

    >>> import numpy as np
    >>> from penstock.ir import types as ty
    >>> evaluate("flow.bernoulli", [0.5, 0.5, 1.0], np.int64(0), element=ty.i8, seed=0)
    array([1, 0, 1], dtype=int8)
    """

    name = "flow.bernoulli"
    kinds: ClassVar[Sequence[Type]] = (*FLOATS, ty.i8, ty.i32, ty.i64)
    p = operand(FLOAT_TENSOR)
    step = operand(TENSOR)
    element = attribute(TYPE)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        p, _ = self.types()
        self.check_step(p.shape)
        if p.element not in FLOATS:
            self.fail(f"expected probabilities of floats, got {p}: cast them first")
        if self.element not in self.kinds:
            words = ", ".join(map(str, self.kinds))
            self.fail(
                f"expected elements of type {words}, got {self.element}: draw one of these and "
                "cast it"
            )
        return [TensorType(p.shape, self.element)]

    @property
    def _compared(self) -> Type:
        return ty.f64 if tensor(self.p).element is ty.f64 else ty.f32

    @property
    def word(self) -> Type:
        return bits_for(self._compared)

    def of_words(self, words: Array, *operands: Array) -> Array:
        digits = DIGITS[self._compared]
        whole = words >> words.dtype.type(8 * words.dtype.itemsize - digits)
        hits = whole.astype(np.float64) * 2.0**-digits < operands[0].astype(np.float64)
        promoted = operands[0].dtype != numpy_dtype(tensor(self.p).element)
        wide = promoted and ty.is_float(self.element)
        return np.asarray(hits, np.float64 if wide else numpy_dtype(self.element))

    def of_word(self, b: Builder, word: Value, *operands: Value) -> Value:
        p = scalars.cast(b, operands[0], self._compared)
        hit = scalars.compare(b, "lt", uniform(b, word, self._compared), p)
        return scalars.cast(b, hit, self.element)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = []
        for number, shape in enumerate((*SHAPES, LARGE)):
            inputs = (Input(shape, ty.f32, 0.0, 1.0), Input((), ty.i64, number, number))
            samples.append(Sample(inputs, {"seed": number, "element": ty.f32}))
        for element in cls.kinds:
            p = Input((3, 5), element if element in FLOATS else ty.f32, 0.0, 1.0)
            samples.append(Sample((p, Input((), ty.i64, 7, 7)), {"seed": -1, "element": element}))
        return samples
