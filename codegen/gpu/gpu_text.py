"""Rules for the ops of dialect `gpu`: places of threads, barriers, shuffles, scratch."""

from __future__ import annotations

from math import prod

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.memref_values import argument_buffer, byte_size
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Vector
from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import gpu, math, memref, nvvm
from penstock.ir.dialects.gpu.places import AXES, WARP, AxisPlace
from penstock.ir.types import MemRefType, Type

DYNAMIC = "penstock_dynamic"
"""The symbol of the memory that a block shares and whose size each launch says."""
DYNAMIC_ALIGNMENT = 1024
"""Bytes. Tiles that are swizzled for TMA and wgmma repeat after so many."""

_REGISTERS = {
    gpu.ThreadId: "tid", gpu.BlockId: "ctaid", gpu.BlockDim: "ntid", gpu.GridDim: "nctaid",
}  # fmt: skip
_MODES = {"xor": "bfly", "down": "down", "up": "up", "idx": "idx"}


def kernel_around(op: Operation) -> gpu.GpuFunc:
    """The kernel that an op stands in; a located error where there is none."""
    kernel = gpu.kernel_of(op)
    if kernel is None:
        op.fail("stands outside a gpu.func")
    return kernel


def write_place(text: FunctionText, op: AxisPlace) -> None:
    """A special register, or a constant where only one value is possible."""
    kernel, axis = kernel_around(op), op.attributes["dimension"]
    is_extent = isinstance(op, gpu.BlockDim | gpu.GridDim)
    known = getattr(kernel, op.size) is not None
    most = op.extent(kernel)
    if known and (is_extent or most == 1):
        text.bind(op.results[0], str(most if is_extent else 0))
        return
    letter = next(a for a in AXES if f" {a}>" in str(axis))
    text.bind(op.results[0], _register(text, _REGISTERS[type(op)], letter, most + is_extent))


def _register(text: FunctionText, name: str, axis: str, end: int) -> str:
    """A special register below `end`, as an index."""
    w, callee = text.writer, f"llvm.nvvm.read.ptx.sreg.{name}.{axis}"
    w.declare(callee, f"declare i32 @{callee}()")
    value = w.assign(name, f"call range(i32 0, {min(end, 2**31 - 1)}) i32 @{callee}()")
    return w.assign(name, f"zext nneg i32 {value} to i64")


def _number_in_block(text: FunctionText, op: Operation) -> str:
    """The number of the thread in its block, x first: 32 such neighbours are a warp."""
    kernel, w = kernel_around(op), text.writer
    sizes = kernel.known_block_size
    if sizes is None:
        op.fail("stands in a kernel without known_block_size")
    total = ""
    for axis in reversed(range(3)):
        if sizes[axis] == 1:
            continue
        place = _register(text, "tid", AXES[axis], sizes[axis])
        if total:
            scaled = w.assign("row", f"mul nuw nsw i64 {total}, {sizes[axis]}")
            place = w.assign("number", f"add nuw nsw i64 {scaled}, {place}")
        total = place
    return total or "0"


def write_lane(text: FunctionText, op: gpu.LaneId) -> None:
    """The number of the thread modulo 32."""
    number = _number_in_block(text, op)
    text.bind(op.results[0], text.writer.assign("lane", f"and i64 {number}, {WARP - 1}"))


def write_subgroup(text: FunctionText, op: gpu.SubgroupId) -> None:
    """The number of the thread divided by 32."""
    if prod(kernel_around(op).known_block_size or (WARP,)) <= WARP:
        text.bind(op.results[0], "0")
        return
    number = _number_in_block(text, op)
    shift = WARP.bit_length() - 1
    text.bind(op.results[0], text.writer.assign("warp", f"lshr i64 {number}, {shift}"))


def write_barrier(text: FunctionText, op: gpu.Barrier) -> None:
    """`bar.sync 0`"""
    name = "llvm.nvvm.barrier.cta.sync.aligned.all"
    text.writer.declare(name, f"declare void @{name}(i32)")
    text.writer.line(f"  call void @{name}(i32 0)")


def write_warp_sync(text: FunctionText, op: nvvm.WarpSync) -> None:
    """`bar.warp.sync`"""
    (mask,) = text.values(op, [op.mask])
    name = "llvm.nvvm.bar.warp.sync"
    text.writer.declare(name, f"declare void @{name}(i32)")
    text.writer.line(f"  call void @{name}(i32 {mask}) convergent")


# -- shuffles -------------------------------------------------------------------------------------


def write_shuffle(text: FunctionText, op: gpu.Shuffle) -> None:
    """`shfl.sync` of 32 bits at a time; all lanes take part."""
    (offset,) = text.values(op, [op.offset])
    clamp = _clamp(op)
    words = _words(text, op, op.value)
    moved, valid = [], "true"
    for word in words:
        value, valid = _shuffled(text, op, word, offset, clamp)
        moved.append(value)
    text.bind(op.results[0], _joined(text, op, moved))
    text.bind(op.results[1], valid)


def _clamp(op: gpu.Shuffle) -> int:
    """The last operand of the instruction: groups of lanes, and the last lane of a group."""
    maker = op.width.defining_op
    width = maker.attributes.get("value") if maker is not None else None
    if not isinstance(width, IntegerAttr) or width.value not in (1, 2, 4, 8, 16, 32):
        op.fail("has a width that is no constant power of two up to 32: expected one")
    return (WARP - width.value) << 8 | (0 if op.mode == "up" else WARP - 1)


def _shuffled(
    text: FunctionText, op: gpu.Shuffle, word: str, offset: str, clamp: int
) -> tuple[str, str]:
    """An i32 of another lane, and whether there is that lane, if anyone asks."""
    w, asked = text.writer, bool(op.results[1].uses)
    name = f"llvm.nvvm.shfl.sync.{_MODES[op.mode]}.i32{'p' if asked else ''}"
    kind = "{ i32, i1 }" if asked else "i32"
    w.declare(name, f"declare {kind} @{name}(i32, i32, i32, i32)")
    call = f"call {kind} @{name}(i32 -1, i32 {word}, i32 {offset}, i32 {clamp})"
    value = w.assign("shuffled", call)
    if not asked:
        return value, "true"
    first = w.assign("shuffled", f"extractvalue {kind} {value}, 0")
    return first, w.assign("valid", f"extractvalue {kind} {value}, 1")


def _words(text: FunctionText, op: Operation, value: Value) -> list[str]:
    """The 32-bit words of a scalar, or of a vector's elements in turn."""
    if isinstance(value.type, ty.VectorType):
        vector, found = text.vector(op, value), []
        for piece, name in zip(vector.pieces, vector.names, strict=True):
            kind = llvm_type(piece.type(value.type.element))
            for lane in range(piece.valid):
                element = text.writer.assign("lane", f"extractelement {kind} {name}, i64 {lane}")
                found += _words_of(text, value.type.element, element)
        return found
    return _words_of(text, value.type, text.value(op, value))


def _words_of(text: FunctionText, type: Type, value: str) -> list[str]:
    w, kind = text.writer, llvm_type(type)
    bits = 64 if type is ty.index else getattr(type, "width", 0)
    if isinstance(type, ty.FloatType) and kind != f"i{bits}":
        value = w.assign("bits", f"bitcast {kind} {value} to i{bits}")
    if bits == 32:
        return [value]
    if bits < 32:
        return [w.assign("word", f"zext i{bits} {value} to i32")]
    low = w.assign("low", f"trunc i64 {value} to i32")
    high = w.assign("high", f"lshr i64 {value}, 32")
    return [low, w.assign("high", f"trunc i64 {high} to i32")]


def _joined(text: FunctionText, op: gpu.Shuffle, words: list[str]) -> str | Vector:
    """The inverse of `_words`."""
    type = op.value.type
    if not isinstance(type, ty.VectorType):
        return _value_of(text, type, words)
    w, lanes = text.writer, text.target.lanes
    each = len(words) // type.count
    elements = [
        _value_of(text, type.element, words[i * each : (i + 1) * each]) for i in range(type.count)
    ]
    names = []
    for piece in text.vector(op, op.value).pieces:
        kind, vector = llvm_type(piece.type(type.element)), "poison"
        for lane in range(piece.valid):
            element = f"{llvm_type(type.element)} {elements[piece.start + lane]}"
            vector = w.assign("piece", f"insertelement {kind} {vector}, {element}, i64 {lane}")
        names.append(vector)
    return Vector(type, lanes, tuple(names))


def _value_of(text: FunctionText, type: Type, words: list[str]) -> str:
    w, kind = text.writer, llvm_type(type)
    bits = 64 if type is ty.index else getattr(type, "width", 0)
    value = words[0]
    if bits == 64:
        low = w.assign("low", f"zext i32 {words[0]} to i64")
        high = w.assign("high", f"zext i32 {words[1]} to i64")
        high = w.assign("high", f"shl i64 {high}, 32")
        value = w.assign("joined", f"or disjoint i64 {high}, {low}")
    elif bits < 32:
        value = w.assign("narrow", f"trunc i32 {value} to i{bits}")
    if isinstance(type, ty.FloatType) and kind != f"i{bits}":
        value = w.assign("value", f"bitcast i{bits} {value} to {kind}")
    return value


# -- memory ---------------------------------------------------------------------------------------


def write_dynamic(text: FunctionText, op: gpu.DynamicSharedMemory) -> None:
    """The external array whose size the launch says."""
    w = text.writer
    w.declare(
        DYNAMIC,
        f"@{DYNAMIC} = external addrspace(3) global [0 x i8], align {DYNAMIC_ALIGNMENT}",
    )
    pointer = w.assign("shared", f"addrspacecast ptr addrspace(3) @{DYNAMIC} to ptr")
    buffer = argument_buffer(op.results[0].type, pointer, op, DYNAMIC_ALIGNMENT)
    text.bind(op.results[0], buffer)


def bind_scratch(text: FunctionText, op: Operation, value: Value) -> None:
    """Bind a buffer of one thread. LLVM keeps it in registers where all subscripts are known."""
    type = value.type
    if not isinstance(type, MemRefType) or not type.is_static or type.layout is not None:
        op.fail(f"expected scratch of a static shape, row-major, got {type}")
    pointer = text.writer.fresh(value.name or "scratch")
    text.writer.insert(f"  {pointer} = alloca [{byte_size(type)} x i8], align 16")
    text.bind(value, argument_buffer(type, pointer, op, 16))


def write_alloca(text: FunctionText, op: memref.Alloca) -> None:
    """A buffer of one thread."""
    bind_scratch(text, op, op.results[0])


def write_exp2(text: FunctionText, op: math.Exp2) -> None:
    """`ex2.approx` where an approximation is asked for."""
    if not op.fast or op.results[0].type is not ty.f32:
        text.scalar(op)
        return
    name = "llvm.nvvm.ex2.approx.ftz.f"
    text.writer.declare(name, f"declare float @{name}(float)")
    call = f"call float @{name}(float {text.value(op, op.operand)})"
    text.bind(op.results[0], text.writer.assign("power", call))


RULES: dict[type[Operation], Rule] = {
    **dict.fromkeys(_REGISTERS, write_place),
    gpu.LaneId: write_lane,
    gpu.SubgroupId: write_subgroup,
    gpu.Barrier: write_barrier,
    nvvm.WarpSync: write_warp_sync,
    gpu.Shuffle: write_shuffle,
    gpu.DynamicSharedMemory: write_dynamic,
    memref.Alloca: write_alloca,
    math.Exp2: write_exp2,
}
