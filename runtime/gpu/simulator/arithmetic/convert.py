"""`cvt`: conversions with every rounding, and packing of pairs. PTX ISA, "Data Movement: cvt"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import TYPES, Code, Decoded
from penstock.runtime.gpu.simulator.arithmetic.elementwise import Function, elementwise
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.formats.rounding import (
    bf16_bits,
    bf16_value,
    canonical,
    flush,
    narrow,
    saturate,
    to_bf16,
)
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS

__all__ = ["convert"]

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = tuple(f"{kind}{bits}" for kind in "us" for bits in (8, 16, 32, 64))
TO_FLOAT = ("rn", "rz", "rm", "rp")
TO_INTEGER: dict[str, Callable[[Array], Array]] = {
    "rni": np.rint,
    "rzi": np.trunc,
    "rmi": np.floor,
    "rpi": np.ceil,
}


def convert(code: Code) -> Decoded:
    """Decode a `cvt`."""
    last = code.modifiers[-2:]
    if len(last) == 2 and last[0] in ("f16x2", "bf16x2") and last[1] == "f32":
        return _pack(code)
    if last == ["tf32", "f32"]:
        return _tf32(code)
    source = code.type((*FLOATS, *INTEGERS))
    result = code.type((*FLOATS, *INTEGERS))
    if result in INTEGERS:
        function = _integer_to_integer(code, source, result)
        if source in FLOATS:
            function = _float_to_integer(code, source, result)
    elif source in INTEGERS:
        function = _integer_to_float(code, source, result)
    else:
        function = _float_to_float(code, source, result)
    return elementwise(code, function, [source], result, wider=True)


def _integer_to_integer(code: Code, source: str, result: str) -> Function:
    wanted = TYPES[result]
    if source in FLOATS or not code.flag("sat"):
        return lambda a: a.astype(wanted)
    limits = np.iinfo(wanted)
    have = np.iinfo(TYPES[source])
    low, high = max(limits.min, have.min), min(limits.max, have.max)
    return lambda a: np.clip(a, a.dtype.type(low), a.dtype.type(high)).astype(wanted)


def _float_to_integer(code: Code, source: str, result: str) -> Function:
    rounding = TO_INTEGER[code.choice(tuple(TO_INTEGER))]
    ftz = code.flag("ftz")
    code.flag("sat")  # results are always clamped
    wanted = TYPES[result]
    limits = np.iinfo(wanted)
    wide = source == "f64" or WIDTHS[result] == 8
    missing = wanted.type(limits.min if wanted.kind == "i" else 1 << 8 * WIDTHS[result] - 1)

    def run(a: Array) -> Array:
        value = _value(a, source)
        value = rounding((flush(value) if ftz else value).astype(np.float64))
        above, below = value >= float(limits.max), value <= float(limits.min)
        nan = np.isnan(value)
        found = np.where(above | below | nan, 0.0, value).astype(wanted)
        found = np.where(above, wanted.type(limits.max), found)
        found = np.where(below, wanted.type(limits.min), found)
        return np.where(nan, missing if wide else wanted.type(0), found)

    return run


def _value(a: Array, type: str) -> Array:
    return bf16_value(a) if type == "bf16" else a


def _integer_to_float(code: Code, source: str, result: str) -> Function:
    mode = code.choice(TO_FLOAT)
    sat = code.flag("sat")
    if result == "bf16":
        if mode != "rn" or sat:
            code.refuse("this conversion to .bf16")
        return _integer_to_bf16
    wanted = TYPES[result]
    if mode != "rn" and (WIDTHS[source] == 8 or result == "f64"):
        code.refuse(f".{mode} from .{source} to .{result}")

    def run(a: Array) -> Array:
        if mode == "rn":
            found = a.astype(wanted)
        else:
            found = narrow(a.astype(np.float64), np.zeros(len(a)), mode, wanted.type)
        return saturate(found) if sat else found

    return run


def _integer_to_bf16(a: Array) -> Array:
    """Through f64, and what that misses of 64-bit integers."""
    wide = a.astype(np.float64)
    back = np.where(np.abs(wide) < 2.0**63, wide, 0).astype(np.int64).astype(a.dtype)
    missing = np.where(np.abs(wide) < 2.0**63, (a - back).astype(np.int64), 0)
    return to_bf16(wide, missing)


def _float_to_float(code: Code, source: str, result: str) -> Function:
    whole = TO_INTEGER.get(code.choice((*TO_INTEGER, *TO_FLOAT), "exact"))
    original = code.instruction.opcode
    mode = next((m for m in original if m in TO_FLOAT), "rn")
    _check_rounding(code, source, result, whole is not None)
    ftz, sat, relu = code.flag("ftz"), code.flag("sat"), code.flag("relu")
    if (ftz and "f32" not in (source, result)) or (sat and result == "bf16"):
        code.refuse("this modifier for these types")
    finish = _finishing(sat, relu, ftz and result == "f32")

    def run(a: Array) -> Array:
        value = _value(a, source)
        if ftz and source == "f32":
            value = flush(value)
        if whole is not None:
            value = whole(value)
        if result == "bf16":
            return _to_bf16(value, mode, relu)
        return finish(_to_float(value, result, mode))

    return run


def _check_rounding(code: Code, source: str, result: str, whole: bool) -> None:
    narrower = WIDTHS[result] < WIDTHS[source] or {source, result} == {"f16", "bf16"}
    if narrower and not any(m in TO_FLOAT for m in code.instruction.opcode):
        code.refuse("a rounding is missing")
    if whole and source != result:
        code.refuse("rounding to an integer while the type changes")


def _finishing(sat: bool, relu: bool, ftz: bool) -> Function:
    """Apply what the modifiers say after rounding."""

    def finish(found: Array) -> Array:
        found = saturate(found) if sat else found
        found = _relu(found) if relu else found
        found = flush(found) if ftz else found
        return canonical(np.array(found))

    return finish


def _relu(value: Array) -> Array:
    return np.where((value > 0) | np.isnan(value), value, value.dtype.type(0))


def _to_float(value: Array, result: str, mode: str) -> Array:
    wanted = TYPES[result]
    if mode == "rn" or wanted.itemsize >= value.dtype.itemsize:
        return value.astype(wanted)
    return narrow(value.astype(np.float64), np.zeros(len(value)), mode, wanted.type)


def _to_bf16(value: Array, mode: str, relu: bool) -> Array:
    if relu:
        value = _relu(value)
    if value.dtype.itemsize == 8:
        return to_bf16(value, np.zeros(len(value)))
    return bf16_bits(value.astype(np.float32), mode)


def _pack(code: Code) -> Decoded:
    """`cvt.rn.bf16x2.f32 d, a, b`: `a` is the upper half."""
    code.type(("f32",))
    result = code.type(("f16x2", "bf16x2"))
    mode = code.choice(("rn", "rz"))
    relu, satfinite = code.flag("relu"), code.flag("satfinite")
    if satfinite:
        code.refuse("the modifier .satfinite")

    def half(value: Array) -> Array:
        if relu:
            value = _relu(value)
        if result == "bf16x2":
            return bf16_bits(value, mode)
        return canonical(np.array(_to_float(value, "f16", mode))).view(np.uint16)

    def run(upper: Array, lower: Array) -> Array:
        return half(upper).astype(np.uint32) << np.uint32(16) | half(lower)

    return elementwise(code, run, ["f32", "f32"], result)


def _tf32(code: Code) -> Decoded:
    """`cvt.rna.tf32.f32`: 10 bits after the point; ties go away from zero."""
    code.type(("f32",))
    code.type(("tf32",)) if code.modifiers[-1] == "tf32" else code.refuse("the type")
    mode = code.choice(("rna", "rn", "rz"))
    relu = code.flag("relu")

    def run(a: Array) -> Array:
        if relu:
            a = _relu(a.view(np.float32)).view(np.uint32)
        add: Array = np.array([0x1000 if mode == "rna" else 0], np.uint32)
        if mode == "rn":
            add = np.uint32(0xFFF) + (a >> np.uint32(13) & np.uint32(1))
        special = (a & np.uint32(0x7F800000)) == np.uint32(0x7F800000)
        found = (a + np.where(special, np.uint32(0), add)) & np.uint32(0xFFFFE000)
        nan = special & ((a & np.uint32(0x7FFFFF)) != 0)
        return np.where(nan, np.uint32(0x7FFFFFFF), found)

    return elementwise(code, run, ["b32"], "b32")
