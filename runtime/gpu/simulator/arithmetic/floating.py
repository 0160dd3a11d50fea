"""Floating-point arithmetic. PTX ISA, "Floating-Point", "Half Precision" and "Mixed Precision".

The approximations (`ex2.approx` and others) are computed in f64 and rounded once, so they are at
least as close as the bound that PTX states and devices may differ within: 2 units in the last
place for `div.full` and `div.approx`, 1 for `rcp.approx`, 2**-22.9 for `rsqrt.approx`, 2 units for
`ex2.approx`, 2**-22 for `lg2.approx`, 2**-20.5 for `sin.approx` and `cos.approx` in [-pi, pi], and
2**-11 for `tanh.approx`, all relative but for the absolute ones of `lg2`, `sin` and `cos`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Decoder
from penstock.runtime.gpu.simulator.arithmetic.elementwise import Function, elementwise
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.formats.rounding import (
    bf16_bits,
    bf16_value,
    canonical,
    flush,
    fma32,
    fma64,
    narrow,
    saturate,
    to_bf16,
    two_sum,
)

__all__ = ["DECODERS", "FLOATS"]

FLOATS = ("f16", "bf16", "f32", "f64", "f16x2", "bf16x2")
ROUNDINGS = ("rn", "rz", "rm", "rp")

Arithmetic = Callable[..., Array]


def _pairs(function: Function, part: np.dtype[Any]) -> Function:
    """A function of pairs in 32 bits from one of their halves."""

    def run(*values: Array) -> Array:
        count = max(len(value) for value in values)
        parts = [
            np.ascontiguousarray(np.broadcast_to(value, (count,))).view(part) for value in values
        ]
        return function(*parts).view(np.uint32)

    return run


def _of_type(type: str, half: Function, wide: Function) -> Function:
    """The function for a type: `half` takes f16 or the bits of bf16, `wide` f32 or f64."""
    if type == "f16x2":
        return _pairs(half, np.dtype(np.float16))
    if type == "bf16x2":
        return _pairs(half, np.dtype(np.uint16))
    return half if type in ("f16", "bf16") else wide


def _finish(code: Code, type: str, function: Function) -> Function:
    """Apply `.ftz`, `.sat` and `.relu`, and make NaNs canonical."""
    ftz, sat, relu = code.flag("ftz"), code.flag("sat"), code.flag("relu")
    if ftz and type not in ("f32", "f16", "f16x2"):
        code.refuse(f".ftz of type .{type}")
    if (sat or relu) and type in ("bf16", "bf16x2", "f64"):
        code.refuse(f".sat or .relu of type .{type}")
    if relu and type == "f32":
        code.refuse(".relu of type .f32")
    if type.startswith("bf16"):
        return function

    def run(*values: Array) -> Array:
        found = function(*(flush(value) for value in values)) if ftz else function(*values)
        if ftz:
            found = flush(found)
        if sat:
            return saturate(found)
        if relu:
            found = np.where(
                found > 0, found, np.where(np.isnan(found), found, found.dtype.type(0))
            )
        return canonical(found)

    return run


def _halves(type: str, function: Function) -> Function:
    """A function of f32, for f16 or for the bits of bf16: f32 has enough bits for one rounding."""
    if type.startswith("bf16"):
        return lambda *values: bf16_bits(function(*(bf16_value(value) for value in values)))
    return lambda *values: function(*(value.astype(np.float32) for value in values)).astype(
        np.float16
    )


def _build(code: Code, type: str, function: Arithmetic, sources: int) -> Decoded:
    """An instruction of `sources` operands of one type; `function` computes in f32 and f64."""
    if type.endswith("x2"):
        part = "f16" if type == "f16x2" else "bf16"
        inner = _finish(code, part, _halves(part, function))
        whole = _of_type(type, inner, inner)
    elif type in ("f16", "bf16"):
        whole = _finish(code, type, _halves(type, function))
    else:
        whole = _finish(code, type, function)
    return elementwise(code, whole, [type] * sources, type)


# -- sums and products ---------------------------------------------------------------------------


def _directed(operation: str, mode: str) -> Function:
    """A sum or product of f32 that is rounded to zero, up or down."""

    def run(a: Array, b: Array) -> Array:
        x, y = a.astype(np.float64), b.astype(np.float64)
        if operation == "mul":
            total = x * y
            return narrow(total, np.zeros_like(total), mode)
        total, missing = two_sum(x, -y if operation == "sub" else y)
        found = narrow(total, np.where(np.isfinite(total), missing, 0), mode)
        if mode == "rm":  # an exact zero of two numbers is negative only here
            signs = np.signbit(x) & np.signbit(-y if operation == "sub" else y)
            cancelled = (total == 0) & ~signs & ((x != 0) | (np.signbit(x) != np.signbit(y)))
            found = np.where(cancelled, np.float32(-0.0), found)
        return found

    return run


def _arithmetic(operation: str, function: Arithmetic) -> Decoder:
    def decode(code: Code) -> Decoded:
        type = code.type(FLOATS)
        mode = code.choice(ROUNDINGS, "rn")
        if mode == "rn":
            return _build(code, type, function, 2)
        if type != "f32":
            code.refuse(f".{mode} of type .{type}")
        return _build(code, type, _directed(operation, mode), 2)

    return decode


def _fused(code: Code) -> Decoded:
    type = code.type(FLOATS)
    mode = code.choice(ROUNDINGS)
    if type == "f64":
        if mode != "rn":
            code.refuse(f".{mode} of type .f64")
        return _build(code, type, fma64, 3)
    if type == "f32":
        return _build(code, type, lambda a, b, c: fma32(a, b, c, mode), 3)
    if mode != "rn":
        code.refuse(f".{mode} of type .{type}")
    part = type.removesuffix("x2")
    relu = part == "bf16" and code.flag("relu")

    def half(a: Array, b: Array, c: Array) -> Array:
        if part == "f16":
            x, y, z = (value.astype(np.float64) for value in (a, b, c))
            return (x * y + z).astype(np.float16)
        x, y, z = (bf16_value(value).astype(np.float64) for value in (a, b, c))
        total, missing = two_sum(x * y, z)
        bits = to_bf16(total, np.where(np.isfinite(total), missing, 0))
        return np.where((bits & np.uint16(0x8000)) != 0, np.uint16(0), bits) if relu else bits

    inner = _finish(code, part, half)
    return elementwise(code, _of_type(type, inner, inner), [type] * 3, type)


def _divide(code: Code) -> Decoded:
    type = code.type(("f32", "f64"))
    mode = code.choice(("rn", "approx", "full"))
    if mode == "approx":
        return _build(code, type, _approximate_quotient, 2)
    return _build(code, type, np.divide, 2)


def _approximate_quotient(a: Array, b: Array) -> Array:
    """Divisors from 2**126 on have a reciprocal that devices flush to zero."""
    large = (np.abs(b) > np.float32(2.0**126)) & np.isfinite(b)
    return np.where(
        large,
        np.where(np.isinf(a), np.float32(np.nan), np.copysign(np.float32(0), a) * np.sign(b)),
        a / b,
    )


# -- one operand ---------------------------------------------------------------------------------


def _sign(code: Code) -> Decoded:
    """`neg` and `abs`, which change one bit."""
    negate = code.mnemonic == "neg"
    type = code.type(FLOATS)
    ftz = code.flag("ftz")
    bits = {"f64": "b64", "f32": "b32", "f16": "b16", "bf16": "b16"}.get(type, "b32")
    top = {"b64": 1 << 63, "b32": 1 << 31, "b16": 1 << 15}[bits]
    if type.endswith("x2"):
        top = 0x80008000

    def run(a: Array) -> Array:
        if ftz:
            a = flush(a.view(np.float32)).view(a.dtype)
        one = a.dtype.type(top)
        result: Array = a ^ one if negate else a & ~one
        return result

    if ftz and type != "f32":
        code.refuse(f".ftz of type .{type}")
    return elementwise(code, run, [bits], bits)


def least(a: Array, b: Array, largest: bool = False) -> Array:
    """The smaller number, or the larger: NaN only if both are, and -0 is less than +0."""
    bits = a.dtype.str.replace("f", "u")
    if largest:
        equal = (a.view(bits) & b.view(bits)).view(a.dtype)
        found = np.where(a > b, a, np.where(b > a, b, equal))
    else:
        equal = (a.view(bits) | b.view(bits)).view(a.dtype)
        found = np.where(a < b, a, np.where(b < a, b, equal))
    missing = np.isnan(a) | np.isnan(b)
    if missing.any():
        found = np.where(np.isnan(a), b, np.where(np.isnan(b), a, found))
    return found


def _extreme(code: Code) -> Decoded:
    largest = code.mnemonic == "max"
    type = code.type(FLOATS)
    keeps_nan = code.flag("NaN")

    def run(a: Array, b: Array) -> Array:
        found = least(a, b, largest)
        if keeps_nan:
            found = np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), found)
        return found

    return _build(code, type, run, 2)


def _wide(function: Callable[[Array], Array]) -> Function:
    """A function computed in f64 and rounded once to f32."""
    return lambda a: function(a.astype(np.float64)).astype(a.dtype)


def _approximation(function: Callable[[Array], Array], *types: str) -> Decoder:
    def decode(code: Code) -> Decoded:
        type = code.type(types)
        if not code.flag("approx"):
            code.refuse("expected .approx")
        return _build(code, type, _wide(function), 1)

    return decode


def _root(code: Code) -> Decoded:
    type = code.type(("f32", "f64"))
    if code.choice(("rn", "approx")) == "approx" and type == "f64":
        code.refuse(".approx of type .f64")
    return _build(code, type, np.sqrt, 1)


def _reciprocal(code: Code) -> Decoded:
    type = code.type(("f32", "f64"))
    if code.choice(("rn", "approx")) == "approx" and type == "f64":
        code.refuse(".approx of type .f64")
    return _build(code, type, lambda a: a.dtype.type(1) / a, 1)


def _copysign(code: Code) -> Decoded:
    type = code.type(("f32", "f64"))
    return elementwise(code, lambda a, b: np.copysign(b, a), [type, type], type)


def _test(code: Code) -> Decoded:
    type = code.type(("f32", "f64"))
    what = code.choice(("finite", "infinite", "number", "notanumber", "normal", "subnormal"))
    size = 4 if type == "f32" else 8
    smallest = 2.0**-126 if size == 4 else 2.0**-1022
    tests: dict[str, Callable[[Array], Array]] = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "number": lambda a: ~np.isnan(a),
        "notanumber": np.isnan,
        "normal": lambda a: np.isfinite(a) & (np.abs(a) >= smallest),
        "subnormal": lambda a: (np.abs(a) < smallest) & (a != 0),
    }
    return elementwise(code, tests[what], [type], "pred")


def _reciprocal_root(a: Array) -> Array:
    return 1.0 / np.sqrt(a)


DECODERS: Mapping[str, Decoder] = {
    "add": _arithmetic("add", np.add),
    "sub": _arithmetic("sub", np.subtract),
    "mul": _arithmetic("mul", np.multiply),
    "fma": _fused,
    "mad": _fused,
    "div": _divide,
    "neg": _sign,
    "abs": _sign,
    "min": _extreme,
    "max": _extreme,
    "sqrt": _root,
    "rcp": _reciprocal,
    "rsqrt": _approximation(_reciprocal_root, "f32", "f64"),
    "ex2": _approximation(np.exp2, "f32", "f16", "f16x2", "bf16", "bf16x2"),
    "lg2": _approximation(np.log2, "f32"),
    "sin": _approximation(np.sin, "f32"),
    "cos": _approximation(np.cos, "f32"),
    "tanh": _approximation(np.tanh, "f32", "f16", "f16x2", "bf16", "bf16x2"),
    "copysign": _copysign,
    "testp": _test,
}
