"""Recorders of instructions on registers: arithmetic, conversions, comparisons, warps, `mma.sync`.

A form is an instruction whose operands are names: `A`, `B` and so on are inputs, and `X`, `Y` are
results, each in a register of its type. 256 threads run it on seeded inputs with special values.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from form_names import form_of
from recorder import Array, Recorder, size_of

THREADS = 256


@dataclass(frozen=True)
class Form:
    """An instruction, the types of its operands, and how far a device may differ.

    `bound` is 0 for equal bits but NaNs; else relative to the largest result of a thread's row.
    """

    text: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    arch: str = "sm_80"
    bound: float = 0.0

    @property
    def name(self) -> str:
        """As `form_names` has it."""
        return form_of(re.sub(r"\b[A-D]\d?\b", "%r1", self.text.rstrip(";")))


def _simple(text: str, type: str, count: int, result: str = "", **options: Any) -> Form:
    """A form `text X, A, B, ...;` with operands of one type."""
    names = "ABC"[:count]
    operands = ", ".join(("X", *names))
    return Form(f"{text} {operands};", dict.fromkeys(names, type), {"X": result or type}, **options)


def _integer() -> Iterator[Form]:
    for type in ("u16", "s16", "u32", "s32", "u64", "s64"):
        for name in ("add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"):
            yield _simple(f"{name}.{type}", type, 2)
        yield _simple(f"mad.lo.{type}", type, 3)
        if type[0] == "s":
            yield _simple(f"abs.{type}", type, 1)
            yield _simple(f"neg.{type}", type, 1)
        yield Form(f"shr.{type} X, A, B;", {"A": type, "B": "u32s"}, {"X": type})
    for type, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        yield _simple(f"mul.wide.{type}", type, 2, wide)
        yield Form(f"mad.wide.{type} X, A, B, C;", {"A": type, "B": type, "C": wide}, {"X": wide})


def _bits() -> Iterator[Form]:
    for bits in ("pred", "b16", "b32", "b64"):
        for name in ("and", "or", "xor"):
            yield _simple(f"{name}.{bits}", bits, 2)
        yield _simple(f"not.{bits}", bits, 1)
        yield _simple(f"mov.{bits}", bits, 1)
    for bits in ("b16", "b32", "b64"):
        yield Form(f"shl.{bits} X, A, B;", {"A": bits, "B": "u32s"}, {"X": bits})
    for way in ("l.wrap", "r.wrap", "l.clamp", "r.clamp"):
        yield Form(
            f"shf.{way}.b32 X, A, B, C;", {"A": "b32", "B": "b32", "C": "u32s"}, {"X": "b32"}
        )
    for bits in ("b32", "b64"):
        for name in ("popc", "clz"):
            yield _simple(f"{name}.{bits}", bits, 1, "u32")
        yield _simple(f"brev.{bits}", bits, 1)
        yield Form(
            f"bfi.{bits} X, A, B, C, D;",
            {"A": bits, "B": bits, "C": "u32s", "D": "u32s"},
            {"X": bits},
        )


def _fields() -> Iterator[Form]:
    for type in ("u32", "s32", "u64", "s64"):
        yield _simple(f"bfind.{type}", type, 1, "u32")
        yield Form(f"bfe.{type} X, A, B, C;", {"A": type, "B": "u32s", "C": "u32s"}, {"X": type})
    yield _simple("prmt.b32", "b32", 3)
    yield Form("lop3.b32 X, A, B, C, 0x96;", dict.fromkeys("ABC", "b32"), {"X": "b32"})
    for name in ("add", "min", "max"):
        yield _simple(f"{name}.s16x2", "b32", 2, arch="sm_90")


def _floating() -> Iterator[Form]:
    half = {"f16": "sm_80", "f16x2": "sm_80", "bf16": "sm_90", "bf16x2": "sm_90"}
    for type, arch in (*half.items(), ("f32", "sm_80"), ("f64", "sm_80")):
        mode = "" if type in half and type.startswith("bf") else ".rn"
        for name in ("add", "sub", "mul"):
            yield _simple(f"{name}{mode}.{type}", type, 2, arch=arch)
        yield _simple(f"fma.rn.{type}", type, 3)
        for name in ("min", "max"):
            yield _simple(f"{name}.{type}", type, 2)
        for name in ("neg", "abs"):
            yield _simple(f"{name}.{type}", type, 1)
        if type != "f64":
            for name in ("max.NaN", "min.NaN"):
                yield _simple(f"{name}.{type}", type, 2)


def _rounded() -> Iterator[Form]:
    for mode in ("rz", "rm", "rp"):
        for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
            yield _simple(f"{name}.{mode}.f32", "f32", count)
    for name, count in (("add.rn", 2), ("mul.rn", 2), ("fma.rn", 3), ("max", 2)):
        yield _simple(f"{name}.ftz.f32", "f32", count)
    yield _simple("add.rn.sat.f32", "f32", 2)
    for type in ("f32", "f64"):
        yield _simple(f"div.rn.{type}", type, 2)
        yield _simple(f"sqrt.rn.{type}", type, 1)
        yield _simple(f"rcp.rn.{type}", type, 1)
        yield _simple(f"copysign.{type}", type, 2)
        for test in ("finite", "infinite", "number", "notanumber", "subnormal"):
            yield Form(f"testp.{test}.{type} X, A;", {"A": type}, {"X": "pred"})


def _approximate() -> Iterator[Form]:
    for name, bound in (("div.full", 2.0**-22), ("div.approx", 2.0**-22)):
        yield _simple(f"{name}.f32", "f32", 2, bound=bound)
    for name in ("rcp", "sqrt", "rsqrt", "ex2", "lg2"):
        yield _simple(f"{name}.approx.f32", "f32", 1, bound=2.0**-21)
        yield _simple(f"{name}.approx.ftz.f32", "f32", 1, bound=2.0**-21)
    for name in ("sin", "cos"):
        yield Form(f"{name}.approx.f32 X, A;", {"A": "angle32"}, {"X": "f32"}, bound=2.0**-20)
    yield _simple("tanh.approx.f32", "f32", 1, bound=2.0**-10)
    yield _simple("ex2.approx.f16", "f16", 1, bound=2.0**-9)
    yield _simple("tanh.approx.f16", "f16", 1, bound=2.0**-9)


def _conversions() -> Iterator[Form]:
    integers = [f"{kind}{bits}" for bits in (8, 16, 32, 64) for kind in "us"]
    for result in integers[2:]:
        yield _simple(f"cvt.{result}.s8", "s16", 1, result)
    for source in integers[2:]:
        for result in integers:
            if source != result:
                yield _simple(f"cvt.{result}.{source}", source, 1, result)
        for mode, result in (("rn", "f16"), ("rn", "f32"), ("rn", "f64"), ("rz", "f32")):
            if (mode, source[1:]) != ("rz", "64"):
                yield _simple(f"cvt.{mode}.{result}.{source}", source, 1, result)


def _float_conversions() -> Iterator[Form]:
    for source in ("f16", "f32", "f64"):
        for mode in ("rni", "rzi", "rmi", "rpi"):
            yield _simple(f"cvt.{mode}.{source}.{source}", source, 1)
            for result in ("s32", "u32", "s64", "u64"):
                yield _simple(f"cvt.{mode}.{result}.{source}", source, 1, result)
        yield _simple(f"cvt.rzi.s16.{source}", source, 1, "s16")
    for mode in ("rn", "rz", "rm", "rp"):
        yield _simple(f"cvt.{mode}.f32.f64", "f64", 1, "f32")
    for mode in ("rn", "rz"):
        yield _simple(f"cvt.{mode}.f16.f32", "f32", 1, "f16")
        yield _simple(f"cvt.{mode}.bf16.f32", "f32", 1, "bf16")
        for pair in ("f16x2", "bf16x2"):
            yield Form(f"cvt.{mode}.{pair}.f32 X, A, B;", dict.fromkeys("AB", "f32"), {"X": pair})
    yield _simple("cvt.rn.relu.bf16x2.f32", "f32", 2, "bf16x2")
    yield _simple("cvt.rn.f16.f64", "f64", 1, "f16")
    yield _simple("cvt.f32.f16", "f16", 1, "f32")
    yield _simple("cvt.f64.f16", "f16", 1, "f64")
    yield _simple("cvt.f64.f32", "f32", 1, "f64")
    yield _simple("cvt.f32.bf16", "bf16", 1, "f32", arch="sm_90")
    yield _simple("cvt.sat.f32.f32", "f32", 1)
    yield _simple("cvt.ftz.f32.f32", "f32", 1)
    yield _simple("cvt.rna.tf32.f32", "f32", 1, "b32")


def _comparisons() -> Iterator[Form]:
    ordered = ("eq", "ne", "lt", "le", "gt", "ge")
    for type in ("u16", "s16", "u32", "s32", "u64", "s64"):
        for name in ordered:
            yield _simple(f"setp.{name}.{type}", type, 2, "pred")
    for type in ("b16", "b32", "b64"):
        for name in ("eq", "ne"):
            yield _simple(f"setp.{name}.{type}", type, 2, "pred")
    for type in ("f16", "f32", "f64"):
        for name in (*ordered, *(f"{each}u" for each in ordered), "num", "nan"):
            yield _simple(f"setp.{name}.{type}", type, 2, "pred")
    for name in (*ordered, "neu"):
        yield Form(
            f"setp.{name}.f16x2 X|Y, A, B;",
            dict.fromkeys("AB", "f16x2"),
            dict.fromkeys("XY", "pred"),
        )
    for type in ("b16", "b32", "b64", "f32", "f64"):
        yield Form(f"selp.{type} X, A, B, C;", {"A": type, "B": type, "C": "pred"}, {"X": type})
    yield Form("mov.b32 X, {A, B};", dict.fromkeys("AB", "b16"), {"X": "b32"})
    yield Form("mov.b32 {X, Y}, A;", {"A": "b32"}, {"X": "b16", "Y": "b16"})
    yield Form("mov.b64 X, {A, B};", dict.fromkeys("AB", "b32"), {"X": "b64"})
    yield Form("mov.b64 {X, Y}, A;", {"A": "b64"}, {"X": "b32", "Y": "b32"})


def _warps() -> Iterator[Form]:
    for mode, clamp in (("up", 0), ("down", 31), ("bfly", 31), ("idx", 31), ("down", 0x181F)):
        yield Form(
            f"shfl.sync.{mode}.b32 X|Y, A, B, {clamp}, -1;",
            {"A": "b32", "B": "u32s"},
            {"X": "b32", "Y": "pred"},
        )
        yield Form(
            f"shfl.sync.{mode}.b32 X, A, B, {clamp}, -1;", {"A": "b32", "B": "u32s"}, {"X": "b32"}
        )
    for name in ("all", "any", "uni"):
        yield Form(f"vote.sync.{name}.pred X, A, -1;", {"A": "pred"}, {"X": "pred"})
    yield Form("vote.sync.ballot.b32 X, A, -1;", {"A": "pred"}, {"X": "b32"})
    for name, type in (("add", "u32"), ("min", "s32"), ("max", "u32"), ("min", "u32")):
        yield Form(f"redux.sync.{name}.{type} X, A, -1;", {"A": "warp32"}, {"X": type})
    for name in ("and", "or", "xor"):
        yield Form(f"redux.sync.{name}.b32 X, A, -1;", {"A": "warp32"}, {"X": "b32"})
    yield Form("match.any.sync.b32 X, A, -1;", {"A": "u32s"}, {"X": "b32"})
    yield Form("activemask.b32 X;", {}, {"X": "b32"})
    yield Form("elect.sync X|Y, -1;", {}, {"X": "b32", "Y": "pred"}, arch="sm_90")


def _products() -> Iterator[Form]:
    shapes = (
        ("m16n8k8", "f16", "f32", 2, 1),
        ("m16n8k16", "f16", "f32", 4, 2),
        ("m16n8k8", "bf16", "f32", 2, 1),
        ("m16n8k16", "bf16", "f32", 4, 2),
        ("m16n8k4", "tf32", "f32", 2, 1),
        ("m16n8k8", "tf32", "f32", 4, 2),
        ("m16n8k16", "s8", "s32", 2, 1),
        ("m16n8k32", "s8", "s32", 4, 2),
    )
    for shape, type, result, left, right in shapes:
        factor = {"f16": "small16x2", "bf16": "smallb16x2", "tf32": "small32", "s8": "b32"}[type]
        a, b = [f"A{i}" for i in range(left)], [f"B{i}" for i in range(right)]
        c, x = [f"C{i}" for i in range(4)], [f"X{i}" for i in range(4)]
        start = "small32" if result == "f32" else "s32h"
        text = ", ".join("{" + ", ".join(each) + "}" for each in (x, a, b, c))
        yield Form(
            f"mma.sync.aligned.{shape}.row.col.{result}.{type}.{type}.{result} {text};",
            {**dict.fromkeys((*a, *b), factor), **dict.fromkeys(c, start)},
            dict.fromkeys(x, result),
            bound=2.0**-18 if result == "f32" else 0.0,
        )


# -- inputs --------------------------------------------------------------------------------------

_SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-40,
    1e-310,
    6e-8,
    65504,
)


def _inputs(form: Form, name: str) -> dict[str, Array]:
    """The seeded inputs of a form, as unsigned integers of each operand's size."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    found = {key: _values(type, generator) for key, type in form.inputs.items()}
    if {"A", "B"} <= set(found) and form.inputs["A"] == form.inputs["B"]:
        found["B"][::7] = found["A"][::7]  # some pairs are equal
    return found


def _values(type: str, generator: np.random.Generator) -> Array:
    if type == "pred":
        return generator.integers(0, 2, THREADS).astype(np.uint32)
    if type == "u32s":
        return generator.integers(0, 70, THREADS).astype(np.uint32)
    if type == "warp32":  # a word per warp, with one bit of each lane's own
        words = generator.integers(0, 1 << 32, THREADS // 32).repeat(32)
        return (words ^ (1 << generator.integers(0, 32, THREADS))).astype(np.uint32)
    if type.startswith(("small", "angle")):
        return _numbers(type, generator)
    size = size_of(type)
    unsigned: np.dtype[Any] = np.dtype(f"u{size}")
    if type[0] in "bus" and not type.startswith("bf"):
        bits = generator.integers(0, 1 << 63, THREADS, dtype=np.uint64) * np.uint64(2)
        values = (bits >> np.uint64(64 - 8 * size)).astype(unsigned)
        values[::3] = generator.integers(1, 50, len(values[::3])).astype(unsigned)
        values[1::5] = np.iinfo(unsigned).max // 2 + generator.integers(0, 2, len(values[1::5]))
        values[values == 0] = 3  # a quotient by zero is unspecified
        return values
    return _numbers(type, generator)


def _numbers(type: str, generator: np.random.Generator) -> Array:
    count = THREADS * (2 if type.endswith("x2") else 1)
    scale = 0 if type.startswith(("small", "angle")) else 6
    numbers = generator.normal(size=count) * np.exp2(generator.integers(-scale, scale + 1, count))
    if scale:
        places = generator.permutation(count)[: 2 * len(_SPECIAL)]
        numbers[places] = np.tile(_SPECIAL, 2)
    with np.errstate(all="ignore"):
        if type.startswith(("bf16", "smallb16")):
            bits = numbers.astype(np.float32).view(np.uint32) >> np.uint32(16)
            halves = bits.astype(np.uint16)
            return halves.view(np.uint32) if type.endswith("x2") else halves
        if type in ("f16", "f16x2", "small16x2"):
            halves = numbers.astype(np.float16).view(np.uint16)
            return halves.view(np.uint32) if type.endswith("x2") else halves
        if type == "f64":
            return numbers.view(np.uint64)
        return numbers.astype(np.float32).view(np.uint32)


# -- recorders -----------------------------------------------------------------------------------

_PREFIX = {1: "%h", 2: "%h", 4: "%r", 8: "%d"}
_FIRST = 30
"""The number of the first register of an operand: those before hold addresses."""


def body_of(form: Form) -> str:
    """Loads its inputs, runs it, and stores its results."""
    lines: list[str] = []
    names: dict[str, str] = {}
    after: list[str] = []
    operands = [*form.inputs.items(), *form.outputs.items()]
    for place, (operand, type) in enumerate(operands):
        size, number = size_of(type), _FIRST + place
        register, bits = f"{_PREFIX[size]}{number}", f"b{8 * size}"
        address = f"mad.wide.u32 %d79, %r0, {size}, %d{place};"
        names[operand] = f"%p{place}" if type == "pred" else register
        if operand in form.inputs:
            lines += [address, f"ld.global.{bits} {register}, [%d79];"]
            if type == "pred":
                lines.append(f"setp.ne.u32 %p{place}, {register}, 0;")
            continue
        if type == "pred":
            after.append(f"selp.u32 {register}, 1, 0, %p{place};")
        after += [address, f"st.global.{bits} [%d79], {register};"]
    mnemonic, _, rest = form.text.partition(" ")
    rest = re.sub(r"\b[A-DXY]\d?\b", lambda match: names[match[0]], rest)
    return "\n".join([*lines, f"{mnemonic} {rest}", *after])


def _recorders(forms: Iterable[Form], names: set[str]) -> tuple[Recorder, ...]:
    found = []
    for form in forms:
        name = form.name if form.name not in names else f"{form.name} ({len(names)})"
        names.add(name)
        found.append(Recorder(
            name, (form.name,), body_of(form), partial(_inputs, form, name),
            {operand: (type, THREADS) for operand, type in form.outputs.items()},
            threads=THREADS, arch=form.arch, bound=form.bound,
            scale=1.0 if "mma" in form.text else 0.0,
        ))  # fmt: skip
    return tuple(found)


_names: set[str] = set()
FAMILIES: dict[str, tuple[Recorder, ...]] = {
    family: _recorders(forms(), _names)
    for family, forms in (
        ("integers", _integer), ("bits", _bits), ("fields", _fields), ("floats", _floating),
        ("rounding", _rounded), ("approximations", _approximate), ("conversions", _conversions),
        ("conversions of floats", _float_conversions), ("comparisons", _comparisons),
        ("warps", _warps), ("products of warps", _products),
    )
}  # fmt: skip
"""By family, which one module has."""
