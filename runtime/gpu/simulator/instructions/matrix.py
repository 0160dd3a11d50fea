"""Matrices of a warp: `mma`, `ldmatrix`, `stmatrix`. PTX ISA, "Warp Level Matrix Instructions".

Products are added in f64 and rounded once, without the order and the truncation of a device, which
PTX leaves open; a device's f32 results differ by some units in the last place of the largest term.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Decoder, Reader
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.formats.fragments import FRAGMENTS, Shape
from penstock.runtime.gpu.simulator.formats.rounding import bf16_value
from penstock.runtime.gpu.simulator.instructions.memory import address_of
from penstock.runtime.gpu.simulator.machine.gates import complete_warps
from penstock.runtime.gpu.simulator.machine.spaces import load, restore, store, with_lanes
from penstock.runtime.gpu.simulator.machine.state import Machine

__all__ = ["DECODERS", "FACTOR_BITS", "factor_elements"]

FACTOR_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "f64": 64}


def factor_elements(words: Array, type: str) -> Array:
    """The elements in registers of a factor, in f64: [..., register] -> [..., element]."""
    if type == "f64":
        return words.view(np.float64)
    words = np.ascontiguousarray(words)
    if type == "tf32":  # the low 13 bits are ignored
        return (words & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    if type == "bf16":
        return bf16_value(words.view(np.uint16)).astype(np.float64)
    kinds = {"f16": np.float16, "s8": np.int8, "u8": np.uint8}
    found: Array = words.view(kinds[type]).astype(np.float64)
    return found


def _stack(machine: Machine, reads: Sequence[Reader]) -> Array:
    """Registers of whole warps: [warp, lane, register]."""
    columns = [spread(read(machine), machine.count) for read in reads]
    return np.stack(columns, 1).reshape(-1, 32, len(columns))


def _multiply(code: Code) -> Decoded:
    """`mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32`."""
    if not (code.flag("sync", "aligned") and code.flag("row", "col")):
        code.refuse("expected .sync.aligned and .row.col")
    types = code.modifiers[-4:]
    shape_name = code.choice(tuple(name for name, _ in FRAGMENTS))
    del code.modifiers[-4:]
    code.finish(4)
    if len(types) != 4:
        code.refuse("expected four types")
    result, left, right, start = types
    shape = FRAGMENTS.get((shape_name, FACTOR_BITS.get(left, 0)))
    signed = {left, right} <= {"s8", "u8"}
    allowed = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",)}
    good = result == start and result in (("s32",) if signed else allowed.get(left, ()))
    if shape is None or not good or (left != right and not signed):
        code.refuse(f"a product {shape_name} of .{'.'.join(types)}")
    return _product_step(code, shape, (left, right), result)


def _product_step(code: Code, shape: Shape, factors: tuple[str, str], result: str) -> Decoded:
    counts = [
        _registers(shape.left.rows.shape[1], factors[0]),
        _registers(shape.right.rows.shape[1], factors[1]),
    ]
    elements = shape.result.rows.shape[1]
    counts += [elements // 2 if result == "f16" else elements]
    word = "b64" if result == "f64" else "b32"
    if [len(code.items(place)) for place in (1, 2, 3)] != counts or len(code.items(0)) != counts[2]:
        code.refuse(f"expected {counts[0]}, {counts[1]} and {counts[2]} registers")
    reads = [code.registers(place, word) for place in (1, 2, 3)]
    writes = [code.write(item, word) for item in code.items(0)]

    def step(machine: Machine) -> None:
        a = shape.left.matrix(factor_elements(_stack(machine, reads[0]), factors[0]))
        b = shape.right.matrix(factor_elements(_stack(machine, reads[1]), factors[1]))
        start = _stack(machine, reads[2])
        kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}[result]
        total = shape.result.elements(np.matmul(a, b)) + start.view(kind).astype(np.float64)
        if result == "s32":
            total = total.astype(np.int64)
        words = np.ascontiguousarray(total.astype(kind)).view(start.dtype)
        for place, write in enumerate(writes):
            write(machine, np.ascontiguousarray(words[..., place]).reshape(-1))

    return Decoded(step, gate=complete_warps, exact=True)


def _registers(elements: int, type: str) -> int:
    return max(elements * FACTOR_BITS[type] // 32, 1) if type != "f64" else elements


# -- matrices of eight rows of 16 bytes ----------------------------------------------------------


def _matrix_form(code: Code) -> tuple[int, bool]:
    """Take the modifiers of `ldmatrix` and `stmatrix`: how many matrices, and transposed or not."""
    code.type(("b16",))
    if not code.flag("shared::cta"):
        code.choice(("shared",))
    if not (code.flag("sync", "aligned") and code.flag("m8n8")):
        code.refuse("expected .sync.aligned.m8n8")
    count = int(code.choice(("x1", "x2", "x4"))[1:])
    transposed = code.flag("trans")
    code.finish(2)
    return count, transposed


def _row_lanes(machine: Machine, count: int) -> Array:
    """The positions of the lanes whose addresses count: eight per matrix."""
    return np.flatnonzero(np.arange(machine.count) % 32 < 8 * count)


def _load_matrix(code: Code) -> Decoded:
    count, transposed = _matrix_form(code)
    if len(code.items(0)) != count:
        code.refuse(f"expected {count} results")
    address, ins = address_of(code, 1), code.instruction
    writes = [code.write(item, "b32") for item in code.items(0)]

    def step(machine: Machine) -> None:
        lanes = _row_lanes(machine, count)
        places = spread(address(machine), machine.count)[lanes]
        with_lanes(machine, lanes)
        rows = np.stack(load(machine, ins, "shared", places, 4, 4), 1)
        restore(machine)
        halves = rows.view(np.uint16).reshape(-1, count, 8, 8)
        if transposed:
            halves = halves.swapaxes(2, 3)
        words = np.ascontiguousarray(halves).view(np.uint32).reshape(-1, count, 32)
        for place, write in enumerate(writes):
            write(machine, np.ascontiguousarray(words[:, place]).reshape(-1))

    return Decoded(step, gate=complete_warps, exact=True)


def _store_matrix(code: Code) -> Decoded:
    count, transposed = _matrix_form(code)
    if len(code.items(1)) != count:
        code.refuse(f"expected {count} values")
    address, ins, reads = address_of(code, 0), code.instruction, code.registers(1, "b32")

    def step(machine: Machine) -> None:
        lanes = _row_lanes(machine, count)
        places = spread(address(machine), machine.count)[lanes]
        columns = [spread(read(machine), machine.count).reshape(-1, 32) for read in reads]
        halves = np.stack(columns, 1).view(np.uint16).reshape(-1, count, 8, 8)
        if transposed:
            halves = np.ascontiguousarray(halves.swapaxes(2, 3))
        rows = halves.reshape(-1, 8).view(np.uint32)
        with_lanes(machine, lanes)
        store(machine, ins, "shared", places, 4, [rows[:, place] for place in range(4)])
        restore(machine)

    return Decoded(step, gate=complete_warps, exact=True)


DECODERS: Mapping[str, Decoder] = {
    "mma": _multiply,
    "ldmatrix": _load_matrix,
    "stmatrix": _store_matrix,
}
