"""Kernels on the simulated device: whole plans, places of threads, shuffles, maths."""

from __future__ import annotations

import double_rows
import math_rows
import ml_dtypes
import numpy as np
import pytest
from gpu_modules import ROWS, Array, kernel, run_kernel, run_plan

from penstock.codegen.gpu.program import compile_gpu
from penstock.codegen.host import host_level
from penstock.codegen.math.double_math import NAMES
from penstock.ir.dialects.parsing import parse_module

needs_fma = pytest.mark.skipif(
    host_level() < "x86-64-v3", reason="this processor has no fused multiply-add"
)


def test_a_step_of_two_kernels() -> None:
    program = compile_gpu(parse_module(ROWS))
    x = np.random.default_rng(1).normal(size=(4, 256)).astype(np.float32)
    y, taps = np.zeros(4, np.float32), np.zeros(2, np.int8)
    assert run_plan(program, [x, y, taps]) == {}
    scale = np.arange(1, 5)
    expected = np.exp(2 * x.astype(np.float64)).sum(1) * scale + 5
    np.testing.assert_allclose(y, expected, rtol=1e-6)
    shown = run_plan(program, [x, y, taps], [0])
    np.testing.assert_array_equal(shown[0].view(np.float32).reshape(4, 256), 2 * x)


def test_places_of_threads() -> None:
    """Each thread writes its place at its number."""
    body = (
        "%x = gpu.thread_id x %y = gpu.thread_id y %b = gpu.block_id x %g = gpu.block_id y "
        "%l = gpu.lane_id %w = gpu.subgroup_id : index %d = gpu.block_dim y "
        "memref.store %l, %out[%g, %b, %y, %x, %c0] : memref<2x3x4x24x3xindex> "
        "memref.store %w, %out[%g, %b, %y, %x, %c1] : memref<2x3x4x24x3xindex> "
        "memref.store %d, %out[%g, %b, %y, %x, %c2] : memref<2x3x4x24x3xindex> "
    )
    constants = "".join(f"%c{i} = arith.constant {i} : index " for i in range(3))
    out = np.full((2, 3, 4, 24, 3), -1, np.int64)
    run_kernel(
        kernel(constants + body, "%out: memref<2x3x4x24x3xindex>", (24, 4, 1), (3, 2, 1)), out
    )
    number = np.arange(96).reshape(4, 24)
    assert (out[..., 0] == number % 32).all()
    assert (out[..., 1] == number // 32).all()
    assert (out[..., 2] == 4).all()


@pytest.mark.parametrize("mode", ["xor", "down", "up", "idx"])
@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(mode: str, width: int) -> None:
    lanes = np.arange(32)
    group, inside = lanes // width * width, lanes % width
    wanted = {"xor": inside ^ 3, "down": inside + 3, "up": inside - 3, "idx": inside * 0 + 3}[mode]
    valid = (wanted >= 0) & (wanted < width)
    data = np.random.default_rng(2).normal(size=32)
    moved, told = data.copy(), np.zeros(32, np.int8)
    body = (
        f"%o = arith.constant 3 : i32 %w = arith.constant {width} : i32 %t = gpu.thread_id x "
        f"%v = memref.load %x[%t] : memref<32xf64> "
        f"%r, %ok = gpu.shuffle {mode} %v, %o, %w : f64 "
        "memref.store %r, %x[%t] : memref<32xf64> %b = arith.extui %ok : i1 to i8 "
        "memref.store %b, %y[%t] : memref<32xi8>"
    )
    run_kernel(kernel(body, "%x: memref<32xf64>, %y: memref<32xi8>"), moved, told)
    np.testing.assert_array_equal(told, valid)
    np.testing.assert_array_equal(moved, np.where(valid, data[group + wanted % width], data))


def apply(name: str, element: str, *arrays: Array) -> Array:
    """An op on arrays, element by element."""
    count = arrays[0].size
    type = f"memref<{count}x{element}>"
    loads = "".join(f"%v{i} = memref.load %x{i}[%i] : {type} " for i in range(len(arrays)))
    operands = ", ".join(f"%v{i}" for i in range(len(arrays)))
    body = (
        f"%t = gpu.thread_id x %b = gpu.block_id x %n = gpu.block_dim x %o = arith.muli %b, %n : "
        f"index %i = arith.addi %o, %t : index {loads} %w = {name} {operands} : {element} "
        f"memref.store %w, %x0[%i] : {type}"
    )
    arguments = ", ".join(f"%x{i}: {type}" for i in range(len(arrays)))
    copies = [np.ascontiguousarray(array.copy()) for array in arrays]
    run_kernel(kernel(body, arguments, (128, 1, 1), (count // 128, 1, 1)), *copies)
    return copies[0]


FLOATS = {"f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize("element", FLOATS)
def test_remainders_are_exact(element: str) -> None:
    """As C's `fmod`, whatever the quotient."""
    random, dtype = np.random.default_rng(3), FLOATS[element]
    bits = np.uint32 if element == "f32" else np.uint64
    patterns = random.integers(0, np.iinfo(bits).max, (2, 2048), bits, endpoint=True).view(dtype)
    special = np.array([0.0, 1.0, 3.0, np.inf, np.nan, 5e-324, 1e-45, 1e-39, 1e-310], dtype)
    special = np.concatenate([special, -special])
    pairs = np.stack([each.ravel() for each in np.meshgrid(special, special)])
    x, y = np.concatenate([patterns, random.normal(size=(2, 2048)).astype(dtype), pairs], 1)
    x, y = x[: x.size // 128 * 128], y[: y.size // 128 * 128]
    with np.errstate(all="ignore"):
        expected = np.fmod(x, y)
    found = apply("arith.remf", element, x, y)
    np.testing.assert_array_equal(found, expected)
    same = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[same]), np.signbit(expected[same]))


def filled(array: Array) -> Array:
    """An array of whole blocks of threads."""
    return np.resize(array, -(-array.size // 128) * 128)


def check_bits(found: Array, expected: Array) -> None:
    """Equal bits, or NaN of any kind."""
    same = found.view(np.uint8) == expected.view(np.uint8)
    whole = same.reshape(found.size, -1).all(1)
    assert (whole | (np.isnan(found) & np.isnan(expected))).all()


@needs_fma
@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_functions_of_f64_have_the_bits_of_a_processor(name: str) -> None:
    """`tests/codegen/math` measures their errors there."""
    arguments = [
        filled(np.concatenate(parts)) for parts in zip(*double_rows.samples(name, 64), strict=True)
    ]
    op = "math.powf" if name == "pow" else f"math.{name}"
    check_bits(apply(op, "f64", *arguments), double_rows.compiled(name)(*arguments))


@needs_fma
@pytest.mark.sampled
@pytest.mark.parametrize("name", [*math_rows.OPS, *math_rows.EXTREMES])
def test_functions_of_f32_have_the_bits_of_a_processor(name: str) -> None:
    random = np.random.default_rng(8)
    patterns = random.integers(0, 1 << 32, (2, 256), np.uint32).view(np.float32)
    near = random.normal(size=(2, 256)).astype(np.float32)
    special = np.array([0.0, 1.0, 0.5, 1e-45, 1e-39, 88.7, 3e38, np.inf, np.nan], np.float32)
    pairs = np.stack([each.ravel() for each in np.meshgrid(special, special)])
    x = np.concatenate([patterns, near, pairs, -pairs], 1)
    binary = name in ("powf", "atan2", *math_rows.EXTREMES)
    arguments = [filled(each) for each in x[: 1 + binary]]
    op = f"arith.{name}" if name in math_rows.EXTREMES else f"math.{name}"
    expected = math_rows.compiled(name, 1, cpu="x86-64-v3")(*arguments)
    check_bits(apply(op, "f32", *arguments), expected)


@pytest.mark.parametrize("name", ["math.sqrt", "math.floor", "math.absf", "arith.negf"])
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_every_16_bit_float(name: str, element: str) -> None:
    """Widened, computed and rounded once, to the bits of NumPy."""
    dtype = np.float16 if element == "f16" else ml_dtypes.bfloat16
    x = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    function = {"math.sqrt": np.sqrt, "math.floor": np.floor, "math.absf": np.abs,
                "arith.negf": np.negative}[name]  # fmt: skip
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float32)).astype(dtype)
    found = apply(name, element, x)
    nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), nan)
    np.testing.assert_array_equal(found.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])
