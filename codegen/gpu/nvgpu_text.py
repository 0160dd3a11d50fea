"""Rules for the ops of dialect `nvgpu`: tensor cores, and copies that arrive asynchronously."""

from __future__ import annotations

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.memref_values import alignment, first_element, moved
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Vector
from penstock.ir import types as ty
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import nvgpu
from penstock.ir.types import VectorType

SHARED = "ptr addrspace(3)"
GLOBAL = "ptr addrspace(1)"


def _pointer(
    text: FunctionText, op: Operation, value: Value, indices: list[Value], align: int, space: str
) -> str:
    """The address of an element, in a space, which must lie at a multiple of `align` bytes."""
    w = text.writer
    buffer = text.buffer(op, value)
    place = moved(w, buffer, text.values(op, indices), buffer.strides)
    known = alignment(w, place)
    if known % align:
        op.fail(
            f"accesses {value.type} where {known} bytes divide the address: expected a proof that "
            f"{align} do, by subscripts that are multiples of what it moves"
        )
    return w.assign("place", f"addrspacecast ptr {first_element(w, place)} to {space}")


def write_load_matrix(text: FunctionText, op: nvgpu.LoadMatrix) -> None:
    """`ldmatrix.sync.aligned.m8n8.x4.shared.b16`"""
    w, type = text.writer, op.results[0].type
    assert isinstance(type, VectorType)
    count = type.shape[0]
    pointer = _pointer(text, op, op.source, list(op.indices), 16, SHARED)
    turned = ".trans" if op.transpose else ""
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{count}{turned}.b16.p3"
    kind = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    w.declare(name, f"declare {kind} @{name}({SHARED})")
    loaded = w.assign("matrices", f"call {kind} @{name}({SHARED} {pointer})")
    words = (
        [loaded]
        if count == 1
        else [w.assign("word", f"extractvalue {kind} {loaded}, {i}") for i in range(count)]
    )
    pair = llvm_type(VectorType((2,), type.element))
    names = tuple(w.assign("pair", f"bitcast i32 {word} to {pair}") for word in words)
    text.bind(op.results[0], Vector(type, text.target.lanes, names))


def write_mma(text: FunctionText, op: nvgpu.MmaSync) -> None:
    """`mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32`"""
    w, type = text.writer, op.results[0].type
    assert isinstance(type, VectorType)
    left, right, total = (text.vector(op, value) for value in op.operands)
    element = left.type.element
    words = []
    for vector in (left, right):
        pair = llvm_type(VectorType((2,), element))
        wanted = "i32" if element is ty.bf16 else pair
        for name in vector.names:
            if wanted == "i32":
                name = w.assign("word", f"bitcast {pair} {name} to i32")
            words.append(f"{wanted} {name}")
    for name in total.names:
        words += [
            f"float {w.assign('sum', f'extractelement <2 x float> {name}, i64 {i}')}"
            for i in (0, 1)
        ]
    kinds = ".bf16" if element is ty.bf16 else ".f32.f32"
    callee = f"llvm.nvvm.mma.m16n8k16.row.col{kinds}"
    kind = "{ float, float, float, float }"
    taken = ", ".join(word.partition(" %")[0] if "%" in word else word.split()[0] for word in words)
    w.declare(callee, f"declare {kind} @{callee}({taken})")
    made = w.assign("sums", f"call {kind} @{callee}({', '.join(words)})")
    names = []
    for row in (0, 1):
        pair = "poison"
        for i in (0, 1):
            part = w.assign("sum", f"extractvalue {kind} {made}, {2 * row + i}")
            pair = w.assign("pair", f"insertelement <2 x float> {pair}, float {part}, i64 {i}")
        names.append(pair)
    text.bind(op.results[0], Vector(type, text.target.lanes, tuple(names)))


def write_copy(text: FunctionText, op: nvgpu.AsyncCopy) -> None:
    """`cp.async.cg.shared.global` of 16 bytes, or `cp.async.ca` of 4 and 8."""
    w = text.writer
    size = op.count * ty.byte_width(op.source.type.element)  # type: ignore[attr-defined]
    target = _pointer(text, op, op.target, list(op.target_indices), size, SHARED)
    source = _pointer(text, op, op.source, list(op.source_indices), size, GLOBAL)
    cache = "cg" if op.bypass and size == 16 else "ca"
    name = f"llvm.nvvm.cp.async.{cache}.shared.global.{size}"
    w.declare(name, f"declare void @{name}({SHARED}, {GLOBAL})")
    w.line(f"  call void @{name}({SHARED} {target}, {GLOBAL} {source})")


def write_group(text: FunctionText, op: nvgpu.AsyncGroup) -> None:
    """`cp.async.commit_group`"""
    name = "llvm.nvvm.cp.async.commit.group"
    text.writer.declare(name, f"declare void @{name}()")
    text.writer.line(f"  call void @{name}()")


def write_wait(text: FunctionText, op: nvgpu.AsyncWait) -> None:
    """`cp.async.wait_group`"""
    name = "llvm.nvvm.cp.async.wait.group"
    text.writer.declare(name, f"declare void @{name}(i32 immarg)")
    text.writer.line(f"  call void @{name}(i32 {op.pending or 0})")


RULES: dict[type[Operation], Rule] = {
    nvgpu.LoadMatrix: write_load_matrix,
    nvgpu.MmaSync: write_mma,
    nvgpu.AsyncCopy: write_copy,
    nvgpu.AsyncGroup: write_group,
    nvgpu.AsyncWait: write_wait,
}
