"""Moves, comparisons and selections. PTX ISA, "Comparison and Selection" and "Data Movement"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import TYPES, Code, Decoded, Decoder
from penstock.runtime.gpu.simulator.arithmetic.elementwise import elementwise
from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.formats.rounding import bf16_value, flush
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS, Pair, Symbol, Vector

__all__ = ["DECODERS"]

Comparison = Callable[[Array, Array], Array]

ORDERED: dict[str, Comparison] = {
    "eq": np.equal,
    "ne": lambda a, b: (a < b) | (a > b),
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "num": lambda a, b: (a == a) & (b == b),
    "nan": lambda a, b: (a != a) | (b != b),
    "equ": lambda a, b: ~((a < b) | (a > b)),
    "neu": np.not_equal,
    "ltu": lambda a, b: ~(a >= b),
    "leu": lambda a, b: ~(a > b),
    "gtu": lambda a, b: ~(a <= b),
    "geu": lambda a, b: ~(a < b),
}
INTEGERS: dict[str, Comparison] = {
    **{name: ORDERED[name] for name in ("eq", "lt", "le", "gt", "ge")},
    "ne": np.not_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}
FLOATS = ("f16", "bf16", "f32", "f64")


def _move(code: Code) -> Decoded:
    source, result = code.operands[1], code.operands[0]
    type = code.type(
        (*(f"{k}{b}" for k in "bus" for b in (16, 32, 64)), "f32", "f64", "pred", "b128")
    )
    if isinstance(source, Vector) or isinstance(result, Vector):
        return _pack(code, type) if isinstance(source, Vector) else _unpack(code, type)
    if isinstance(source, Symbol) and type[0] == "f":
        code.refuse("the address of a variable as a floating-point number")
    return elementwise(code, lambda a: a if len(a) == 1 else a.copy(), [type], type)


def _pack(code: Code, type: str) -> Decoded:
    code.finish(2)
    items = code.items(1)
    size = WIDTHS[type] // len(items)
    if size * len(items) != WIDTHS[type] or size not in (1, 2, 4) or type == "b128":
        code.refuse("a vector of this many elements")
    reads = code.joined(items, f"b{8 * size}")
    write = code.writer(0, type)
    wide = TYPES[f"b{8 * WIDTHS[type]}"]

    def step(machine: Machine) -> None:
        total = reads[0](machine).astype(wide)
        for place, read in enumerate(reads[1:], 1):
            total = total | read(machine).astype(wide) << wide.type(8 * size * place)
        write(machine, total)

    return Decoded(step)


def _unpack(code: Code, type: str) -> Decoded:
    code.finish(2)
    items = code.items(0)
    size = WIDTHS[type] // len(items)
    if size * len(items) != WIDTHS[type] or size not in (1, 2, 4) or type == "b128":
        code.refuse("a vector of this many elements")
    read = code.reader(1, f"b{8 * WIDTHS[type]}")
    writes = [code.write(item, f"b{8 * size}") for item in items]
    part = TYPES[f"b{8 * size}"]

    def step(machine: Machine) -> None:
        value = read(machine)
        for place, write in enumerate(writes):
            write(machine, (value >> value.dtype.type(8 * size * place)).astype(part))

    return Decoded(step)


# -- comparisons ---------------------------------------------------------------------------------


def _compare(code: Code) -> Decoded:
    type = code.type()
    if type in ("f16x2", "bf16x2"):
        return _compare_halves(code, type)
    table = ORDERED if type in FLOATS else INTEGERS
    comparison = table[code.choice(tuple(table))]
    if type == "pred":
        code.refuse(f"a comparison of .{type}")
    ftz = code.flag("ftz")
    combine = code.choice(("and", "or", "xor"), "none")
    code.finish(4 if combine != "none" else 3)
    first, second = code.reader(1, type), code.reader(2, type)
    third = code.reader(3, "pred") if combine != "none" else None
    result = code.operands[0]
    write = code.write(result.first if isinstance(result, Pair) else result, "pred")
    other = code.write(result.second, "pred") if isinstance(result, Pair) else None
    mix = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "none": None}[combine]

    def operand(value: Array) -> Array:
        value = bf16_value(value) if type == "bf16" else value
        return flush(value) if ftz else value

    plain = type != "bf16" and not ftz

    def step(machine: Machine) -> None:
        a, b = first(machine), second(machine)
        found = comparison(a, b) if plain else comparison(operand(a), operand(b))
        if third is None or mix is None:
            write(machine, found)
            if other is not None:
                other(machine, ~found)
            return
        extra = third(machine)
        write(machine, mix(found, extra))
        if other is not None:
            other(machine, mix(~found, extra))

    return Decoded(step)


def _compare_halves(code: Code, type: str) -> Decoded:
    """`setp.f16x2 p|q, a, b`: of the lower halves, and of the upper ones."""
    comparison = ORDERED[code.choice(tuple(ORDERED))]
    ftz = code.flag("ftz")
    code.finish(3)
    reads = [code.reader(place, "b32") for place in (1, 2)]
    result = code.operands[0]
    if not isinstance(result, Pair):
        code.refuse("one result")
    writes = [code.write(each, "pred") for each in (result.first, result.second)]

    def half(value: Array, shift: int) -> Array:
        bits = (value >> np.uint32(shift)).astype(np.uint16)
        number = bf16_value(bits) if type == "bf16x2" else bits.view(np.float16)
        return flush(number) if ftz else number

    def step(machine: Machine) -> None:
        a, b = (read(machine) for read in reads)
        found = [comparison(half(a, shift), half(b, shift)) for shift in (0, 16)]
        for write, value in zip(writes, found, strict=True):
            write(machine, value)

    return Decoded(step)


def choose(a: Array, b: Array, holds: Array) -> Array:
    """`a` where the predicate holds, else `b`."""
    return np.where(holds, a, b)


def _select(code: Code) -> Decoded:
    type = code.type((*(f"{k}{b}" for k in "bus" for b in (16, 32, 64)), "f32", "f64"))
    return elementwise(code, choose, [type, type, "pred"], type)


def _slct(code: Code) -> Decoded:
    condition = code.type(("s32", "f32"))
    type = code.type((*(f"{k}{b}" for k in "bus" for b in (16, 32, 64)), "f32", "f64"))
    ftz = code.flag("ftz")
    if ftz:
        code.refuse(".ftz")
    return elementwise(code, lambda a, b, c: choose(a, b, c >= 0), [type, type, condition], type)


DECODERS: Mapping[str, Decoder] = {
    "mov": _move,
    "setp": _compare,
    "selp": _select,
    "slct": _slct,
}
