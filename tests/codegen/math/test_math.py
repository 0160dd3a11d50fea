"""Math functions on f32: accuracy, special values, and identical bits on every processor."""

from __future__ import annotations

import itertools
import re
from functools import cache

import numpy as np
import pytest
from math_rows import (
    EXTREMES,
    LIBM,
    OPS,
    UNARY,
    Array,
    Function,
    compiled,
    loop,
    ulps,
    worst,
)
from sampling import IS_LONG

import penstock as flow
import penstock.typing as tp
from penstock.codegen.host import host_level
from penstock.codegen.math.level_rows import ROWS
from penstock.codegen.math.scaled_math import SCALED_MATH
from penstock.codegen.math.vector_math import VECTOR_MATH
from penstock.codegen.objects import llvm
from penstock.ir import types as ty

# The largest error in ulps over all 2**32 arguments, from `math_rows.py`; for powf, over the
# arguments here.
BOUNDS = {
    "exp": 1.02, "expm1": 1.45, "log": 0.89, "log1p": 1.48, "tanh": 1.94, "sin": 1.58, "cos": 1.58,
    "erf": 1.04, "sqrt": 0.5, "rsqrt": 1.5, "powf": 0.56, "acos": 0.51, "acosh": 0.51, "asin": 0.51,
    "asinh": 0.51, "atan": 0.51, "atan2": 0.51, "atanh": 0.51, "cosh": 0.54, "erfc": 0.54,
    "sinh": 0.54, "tan": 0.58, "exp2": 0.54, "log2": 0.54,
}  # fmt: skip
# The interval in which a function is neither constant nor undefined.
RANGES = {
    "exp": (-104.0, 89.0), "expm1": (-18.0, 89.0), "log": (0.0, 4.0), "log1p": (-1.0, 4.0),
    "tanh": (-10.0, 10.0), "sin": (-20.0, 20.0), "cos": (-20.0, 20.0), "erf": (-4.0, 4.0),
    "sqrt": (0.0, 4.0), "rsqrt": (0.0, 4.0), "acos": (-1.0, 1.0), "acosh": (1.0, 9.0),
    "asin": (-1.0, 1.0), "asinh": (-9.0, 9.0), "atan": (-9.0, 9.0), "atanh": (-1.0, 1.0),
    "cosh": (-90.0, 90.0), "erfc": (-4.0, 10.2), "sinh": (-90.0, 90.0), "tan": (-20.0, 20.0),
    "exp2": (-151.0, 129.0), "log2": (0.0, 4.0),
}  # fmt: skip
SPECIAL = np.array(
    [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 1e-45, 1e-40, 1.17549435e-38, 1e-20, 2.0**-26, 2.0**-12, 0.1,
     0.9999999, 1.0000001, 10.0, 17.0, 87.3, 88.72283, 88.72284, 103.9, 103.98, 104.1, 150.0,
     16777215.0, 16777216.0, 33554433.0, 1e10, 3.4028235e38, np.inf, np.nan],
    np.float32,
)  # fmt: skip


MILLION = 1 << 20
MILLIONS = 10 if IS_LONG else 2
"""The number of arguments, in millions, for which errors are measured."""
MANY = MILLION if IS_LONG else MILLION // 4
"""The number for slow functions, and for functions that another test measures too."""


@cache
def exact(name: str) -> Function:
    """The function in f64, from libm."""
    return compiled(name, 1, ty.f64, table=LIBM)


@cache
def rows(name: str, width: int = 32) -> Function:
    return compiled(name, width)


def bit_patterns(random: np.random.Generator, count: int) -> Array:
    """Random bit patterns of f32: exponents are uniform, NaN and denormals included."""
    return random.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)


@pytest.mark.parametrize("name", UNARY)
def test_millions_of_arguments(name: str) -> None:
    """Fewer suffice for functions computed in f64, which need no range reduction."""
    random = np.random.default_rng(11)
    parts, count = (MILLIONS, MILLION) if f"math.{name} f32 f32" in VECTOR_MATH else (2, MANY)
    for part in range(parts):
        if part % 2:
            x = random.uniform(*RANGES[name], count).astype(np.float32)
        else:
            x = bit_patterns(random, count)
        error, place = worst(rows(name), exact(name), [x])
        assert error <= BOUNDS[name], place


SCALED_BOUNDS = {"exp": 0.89, "tanh": 1.94}
"""The same for rows of x86-64-v4."""


@pytest.mark.skipif(host_level() < "x86-64-v4", reason="this processor has no AVX-512")
@pytest.mark.parametrize("name", SCALED_BOUNDS)
def test_millions_of_arguments_with_avx512(name: str) -> None:
    """And the same bits from vectors of any width, and from scalars."""
    level, random = "x86-64-v4", np.random.default_rng(22)
    rows = {key.split()[0] for key in SCALED_MATH if key.startswith("math.")}
    assert rows == {"math.exp", "math.gate", "math.tanh"}
    widths = [compiled(name, width, cpu=level) for width in (16, 32, 1, 2, 4, 8)]
    for part in range(MILLIONS):
        x = random.uniform(*RANGES[name], MILLION).astype(np.float32)
        x = x if part % 2 else bit_patterns(random, MILLION)
        error, place = worst(widths[0], exact(name), [x])
        assert error <= SCALED_BOUNDS[name], place
    x[: 2 * SPECIAL.size] = np.concatenate([SPECIAL, -SPECIAL])
    wanted = widths[0](x)
    for function in widths:
        assert np.array_equal(function(x), wanted, equal_nan=True)
    assert worst(widths[0], exact(name), [x])[0] <= SCALED_BOUNDS[name]
    if name == "tanh":
        assert np.array_equal(wanted, compiled(name, 32, cpu="x86-64-v3")(x), equal_nan=True)


@pytest.mark.skipif(host_level() < "x86-64-v4", reason="this processor has no AVX-512")
@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_with_avx512(name: str) -> None:
    """For every two special values: NaN if either is NaN, and -0 < 0."""
    special = np.concatenate([SPECIAL, -SPECIAL])
    count = -(-(special.size**2) // 32) * 32
    x, y = (np.resize(part, count) for part in (special.repeat(special.size), special))
    wanted = (np.maximum if name == "maximumf" else np.minimum)(x, y)
    zeros = (x == 0) & (y == 0)
    signs = [np.signbit(part[zeros]) for part in (x, y)]
    minus = signs[0] & signs[1] if name == "maximumf" else signs[0] | signs[1]
    wanted[zeros] = np.where(minus, np.float32(-0.0), np.float32(0.0))
    known = ~np.isnan(wanted)
    assert len(set(zip(*signs, strict=True))) == 4
    assert 0.9 < known.mean() < 1
    for width in (1, 2, 4, 8, 16, 32):
        got = compiled(name, width, cpu="x86-64-v4")(x, y)
        np.testing.assert_array_equal(np.isnan(got), ~known)
        assert np.array_equal(got.view(np.uint32)[known], wanted.view(np.uint32)[known]), width


def vector_words(name: str, width: int) -> list[str]:
    """The arithmetic instructions of an op for x86-64-v4, without those for constants."""
    text = loop(name, width, table=ROWS["x86-64-v4"])
    body = llvm.compile_assembly(text, llvm.target_machine("x86-64-v4"))
    words = re.findall(r"^\t(v\w+)", body, re.MULTILINE)
    return [word for word in words if not re.match("v(mov|p?broadcast|zeroupper)", word)]


@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("name", EXTREMES)
def test_an_extreme_is_three_instructions_with_avx512(name: str, width: int) -> None:
    assert sorted(vector_words(name, width)) == ["vcmpunordps", "vrangeps"], "and a move by mask"


def test_an_exponential_is_twelve_instructions_with_avx512() -> None:
    words = vector_words("exp", 16)
    assert words.count("vrangeps") == words.count("vscalefps") == 1
    assert len(words) == 12


def test_millions_of_powers() -> None:
    random = np.random.default_rng(12)
    for part in range(max(MILLIONS, 3)):
        if part % 3 == 0:
            x, y = bit_patterns(random, MILLION), bit_patterns(random, MILLION)
        elif part % 3 == 1:  # results between 0 and infinity for any base
            x = np.abs(bit_patterns(random, MILLION))
            with np.errstate(all="ignore"):
                y = (random.uniform(-150, 129, MILLION) / np.log2(x)).astype(np.float32)
        else:  # negative bases with integer exponents, and bases near 1
            x = random.uniform(-2, 2, MILLION).astype(np.float32)
            y = random.integers(-60, 60, MILLION).astype(np.float32)
        error, place = worst(rows("powf"), exact("powf"), [x, y])
        assert error <= BOUNDS["powf"], place


def test_two_million_angles() -> None:
    random = np.random.default_rng(18)
    for part in range(2):
        x = bit_patterns(random, MILLION) if part else random.uniform(-2, 2, MILLION)
        y = np.float32(x)[random.permutation(MILLION)]
        error, place = worst(rows("atan2"), exact("atan2"), [x.astype(np.float32), y])
        assert error <= BOUNDS["atan2"], place


def test_millions_of_arguments_of_sigmoid() -> None:
    """As one tree of ops, and as separate ops if the tree has another reader."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((MILLION,))) -> tp.Numpy:
        return flow.math.sigmoid(x)

    @flow.global_function()
    def parts(x: tp.Numpy.Placeholder((MILLION,))) -> tuple[tp.Numpy, tp.Numpy]:
        return flow.math.sigmoid(x), flow.math.exp(flow.math.negative(flow.math.abs(x)))

    def sigmoid(x: Array) -> Array:
        e = np.exp(-np.abs(x))
        return np.asarray(np.where(x < 0, e, 1) / (1 + e))

    random = np.random.default_rng(15)
    for part in range(MILLIONS):
        low = (-110.0, -20.0)[part % 2]
        x = bit_patterns(random, MILLION) if part == 0 else random.uniform(low, 20, MILLION)
        error, place = worst(job, sigmoid, [x.astype(np.float32)])
        assert error <= 1.84, place
    error, place = worst(lambda x: parts(x)[0], sigmoid, [x.astype(np.float32)])
    assert error <= 2, place
    assert not np.array_equal(parts(x.astype(np.float32))[0], job(x.astype(np.float32)))


def test_five_million_gates() -> None:
    """tanh x sigmoid y is one quotient, in either order, and as accurate as the product of the
    two.
    """

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((MILLION,)), y: tp.Numpy.Placeholder((MILLION,))) -> tp.Numpy:
        return flow.math.sigmoid(y) * flow.math.tanh(x)

    def gate(x: Array, y: Array) -> Array:
        e = np.exp(-np.abs(y))
        return np.asarray(np.tanh(x) * np.where(y < 0, e, 1) / (1 + e))

    # Four interleaved vectors.
    assert job.compile().program.llvm.count("fdiv") == 4
    random = np.random.default_rng(21)
    for size in (None, 1e-3, 2, 12, 105):
        if size is None:
            x, y = bit_patterns(random, MILLION), bit_patterns(random, MILLION)
        else:
            x, y = random.uniform(-size, size, (2, MILLION)).astype(np.float32)
        error, place = worst(job, gate, [x, y])
        assert error <= 4, place
        result = job(x, y)
        assert (np.isnan(result) | (np.signbit(result) == np.signbit(x))).all()


@pytest.mark.parametrize("function", ["tanh", "sigmoid"])
def test_a_gate_by_its_own_factor(function: str) -> None:
    """In tanh x sigmoid(tanh x) an operand of the gate is an intermediate value of it."""
    other = {"tanh": "sigmoid", "sigmoid": "tanh"}[function]

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 5))) -> tp.Numpy:
        y = getattr(flow.math, function)(x)
        return y * getattr(flow.math, other)(y)

    x = np.linspace(-3, 3, 15).reshape(3, 5)
    meant = {"tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}
    y = meant[function](x.astype(np.float32).astype(np.float64))
    np.testing.assert_allclose(job(x.astype(np.float32)), y * meant[other](y), rtol=1e-6)


F64 = {"exp": 1.2, "log": 1.0, "tanh": 1.6}
"""Functions that are not libm's in f64 either, with the largest error found here."""


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double is no wider than f64")
@pytest.mark.parametrize("name", F64)
def test_many_arguments_of_f64(name: str) -> None:
    random = np.random.default_rng(17)
    low, high = {"exp": (-746.0, 710.0), "log": (0.0, 4.0), "tanh": (-20.0, 20.0)}[name]
    # A long double takes as long as ten doubles.
    anything = random.integers(0, 1 << 64, MANY // 2, dtype=np.uint64).view(np.float64)
    special = np.concatenate([SPECIAL, -SPECIAL, np.zeros(2)]).astype(np.float64)
    for x in (
        random.uniform(low, high, MANY),
        random.uniform(-1, 1, MANY),
        anything,
        special,
    ):
        for level in (None, "x86-64-v2"):
            function = compiled(name, 4, ty.f64, cpu=level)
            error, place = worst(function, getattr(np, name), [x])
            assert error <= F64[name], place


@pytest.mark.parametrize("name", OPS)
def test_without_fused_multiplication(name: str) -> None:
    """x86-64-v2 has no FMA; the bound of 2 ulp holds there, too."""
    random = np.random.default_rng(16)
    function = compiled(name, 32, cpu="x86-64-v2")
    for part in range(2):
        low, high = RANGES.get(name, (0.0, 9.0))
        x = bit_patterns(random, MANY) if part else random.uniform(low, high, MANY)
        operands = [x.astype(np.float32)]
        if name not in UNARY:
            operands.append(random.uniform(-40, 40, MANY).astype(np.float32))
        error, place = worst(function, exact(name), operands)
        assert error <= 2, place


@pytest.mark.parametrize("name", UNARY)
def test_special_values(name: str) -> None:
    x = np.concatenate([SPECIAL, -SPECIAL])
    got, wanted = rows(name, 1)(x), exact(name)(x.astype(np.float64))
    assert ulps(got, wanted).max() <= BOUNDS[name]
    whole = (wanted == np.rint(wanted)) & (np.abs(wanted) < 4) & ((np.abs(x) < 4) | np.isinf(x))
    np.testing.assert_array_equal(got[whole], wanted[whole])


@pytest.mark.parametrize("name", [name for name in OPS if name not in UNARY])
def test_special_pairs(name: str) -> None:
    """These pairs cover the tables of C's Annex F.10.1.4 and F.10.4.4, which libm implements."""
    values = np.concatenate([SPECIAL, -SPECIAL])
    x, y = (np.array(c, np.float32) for c in zip(*itertools.product(values, values), strict=True))
    got, wanted = rows(name, 1)(x, y), exact(name)(x.astype(np.float64), y.astype(np.float64))
    assert ulps(got, wanted).max() <= BOUNDS[name]


@pytest.mark.parametrize("name", OPS)
def test_every_width_gives_the_same_bits(name: str) -> None:
    random = np.random.default_rng(13)
    x = np.concatenate([bit_patterns(random, 3000), np.tile(SPECIAL, 3)])
    ranged = random.uniform(*RANGES.get(name, (-20.0, 20.0)), 3000).astype(np.float32)
    x = np.resize(np.concatenate([x, ranged]), 6720)
    operands = [x] if name in UNARY else [x, np.roll(x, 7)]
    one = rows(name, 1)(*operands)
    known = ~np.isnan(one)
    assert 0.3 < known.mean() < 1
    for width in (2, 3, 4, 5, 7, 8, 16, 32):
        many = rows(name, width)(*operands)
        np.testing.assert_array_equal(np.isnan(many), ~known)
        np.testing.assert_array_equal(many.view(np.uint32)[known], one.view(np.uint32)[known])


@pytest.mark.parametrize("name", OPS)
def test_vectors_of_f64_work(name: str) -> None:
    x = np.random.default_rng(14).uniform(0.1, 3, 24)
    operands = [x] if name in UNARY else [x, np.roll(x, 1)]
    got = compiled(name, 4, ty.f64)(*operands)
    np.testing.assert_array_equal(got, compiled(name, 1, ty.f64)(*operands))
    np.testing.assert_allclose(got, exact(name)(*operands), rtol=5e-16)


@pytest.mark.parametrize("name", OPS)
def test_rows_are_straight_line(name: str) -> None:
    """No branches and no calls except to intrinsics, so that any width is one basic block."""
    body = loop(name, 8).text.partition("loop:")[2].partition("br i1 %more")[0]
    assert "br " not in body
    assert all(call.startswith("llvm.") for call in _called(body))


@pytest.mark.sampled
@pytest.mark.parametrize("level", ROWS)
@pytest.mark.parametrize("name", OPS)
def test_no_instruction_is_approximate(name: str, level: str) -> None:
    """Processors approximate differently, so results would differ."""
    text = loop(name, 16, table=ROWS[level])
    body = llvm.compile_assembly(text, llvm.target_machine(level))
    words = set(re.findall(r"^\t(v?[a-z]\w+)", body, re.MULTILINE))
    assert not {word for word in words if re.match(r"v?(rcp|rsqrt|exp2|getexp)", word)}
    assert any(word.lstrip("v").startswith(("mul", "sqrt", "div", "fmadd")) for word in words)


def _called(text: str) -> list[str]:
    return [part.partition("(")[0] for part in text.split("@")[1:]]
