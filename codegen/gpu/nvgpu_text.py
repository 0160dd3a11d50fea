"""Rules for the ops of dialects `nvgpu` and `nvvm`: tensor cores and asynchronous copies.

Each is a call of an intrinsic. What the lanes of a warp do together is `convergent`: LLVM must
neither copy nor move it into branches.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.memref_values import MemRefValue, alignment, first_element
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Vector
from penstock.codegen.text.vectors.vector_memory_text import place_of
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import nvgpu, nvvm

_MMA: dict[ty.Type, str] = {
    ty.bf16: "llvm.nvvm.mma.m16n8k16.row.col.bf16",
    ty.f16: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32",
    ty.f32: "llvm.nvvm.mma.m16n8k8.row.col.tf32",
}
_SUMS = 4
"""The sums that a lane holds."""
_PAIR: dict[ty.Type, str] = {ty.bf16: "i32", ty.f16: "<2 x half>"}
"""The LLVM type of a register with two elements."""


def write_mma(text: FunctionText, op: nvgpu.MmaSync) -> None:
    """One instruction on registers of 32 bits."""
    w, element = text.writer, ty.element_of(op.a.type)
    factors = [word for value in (op.a, op.b) for word in _registers(text, op, value)]
    kind = _PAIR.get(element, "i32")
    typed = [f"{kind} {word}" for word in factors]
    for name in text.vector(op, op.c).names:
        for lane in range(2):
            sum = w.assign("sum", f"extractelement <2 x float> {name}, i64 {lane}")
            typed.append(f"float {sum}")
    name, result = _MMA[element], f"{{ {', '.join(['float'] * _SUMS)} }}"
    kinds = ", ".join([kind] * len(factors) + ["float"] * _SUMS)
    w.declare(name, f"declare {result} @{name}({kinds})")
    sums = w.assign("sums", f"call {result} @{name}({', '.join(typed)}) convergent")
    pieces = []
    for start in (0, 2):
        vector = "poison"
        for lane in range(2):
            part = w.assign("sum", f"extractvalue {result} {sums}, {start + lane}")
            vector = w.assign(
                "sums", f"insertelement <2 x float> {vector}, float {part}, i64 {lane}"
            )
        pieces.append(vector)
    type = text.vector(op, op.c).type
    text.bind(op.results[0], Vector(type, text.target.lanes, tuple(pieces)))


def _registers(text: FunctionText, op: Operation, value: Value) -> list[str]:
    """The registers of a matrix: two elements of 16 bits, or the bits of one of 32."""
    w, vector = text.writer, text.vector(op, value)
    element, found = vector.type.element, []
    for name in vector.names:
        if element is ty.f16:
            found.append(name)
        elif element is ty.bf16:
            found.append(w.assign("pair", f"bitcast <2 x i16> {name} to i32"))
        else:
            single = w.assign("single", f"extractelement <2 x float> {name}, i64 0")
            found.append(w.assign("bits", f"bitcast float {single} to i32"))
    return found


def write_ldmatrix(text: FunctionText, op: nvgpu.LoadMatrix) -> None:
    """Each lane gives the address of a row."""
    w, count = text.writer, op.count
    place = place_of(text, op, op.source, op.indices)
    check_aligned(op, w, place, 16, "loads rows")
    pointer = in_space(w, first_element(w, place), 3)
    turned = ".trans" if op.transpose else ""
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{count}{turned}.b16.p3"
    kind = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    w.declare(name, f"declare {kind} @{name}(ptr addrspace(3))")
    call = f"call {kind} @{name}(ptr addrspace(3) {pointer}) convergent"
    loaded = w.assign("matrices", call)
    words = [loaded]
    if count > 1:
        words = [w.assign("word", f"extractvalue {kind} {loaded}, {i}") for i in range(count)]
    type = op.results[0].type
    assert isinstance(type, ty.VectorType)
    pair = f"<2 x {llvm_type(type.element)}>"
    names = tuple(w.assign("pair", f"bitcast i32 {word} to {pair}") for word in words)
    text.bind(op.results[0], Vector(type, text.target.lanes, names))


def check_aligned(op: Operation, w: Writer, place: MemRefValue, size: int, what: str) -> None:
    """Fail at an op whose address may not be aligned as the instruction needs."""
    known = alignment(w, place)
    if known % size:
        op.fail(
            f"{what} at addresses that are known to be multiples of {known} bytes: expected {size}"
        )


def in_space(w: Writer, pointer: str, space: int) -> str:
    return w.place("p", f"addrspacecast ptr {pointer} to ptr addrspace({space})")


def write_copy(text: FunctionText, op: nvgpu.AsyncCopy) -> None:
    """`cp.async`, past the first cache or through it, with zeros for what is not read."""
    w, size = text.writer, op.bytes
    source = place_of(text, op, op.source, op.source_indices)
    target = place_of(text, op, op.target, op.target_indices)
    for place in (source, target):
        check_aligned(op, w, place, size, f"copies {size} bytes")
    to = f"ptr addrspace(3) {in_space(w, first_element(w, target), 3)}"
    start = f"ptr addrspace(1) {in_space(w, first_element(w, source), 1)}"
    way = "cg" if op.past else "ca"
    name, kinds = f"llvm.nvvm.cp.async.{way}.shared.global.{size}", [3, 1]
    taken = [to, start]
    if op.source_elements:
        name += ".s"
        (count,) = text.values(op, op.source_elements)
        bytes = w.assign("bytes", f"mul i64 {count}, {source.width}")
        taken.append(f"i32 {w.assign('bytes', f'trunc i64 {bytes} to i32')}")
    parameters = [f"ptr addrspace({space})" for space in kinds]
    parameters += ["i32"] * (len(taken) - 2)
    w.declare(name, f"declare void @{name}({', '.join(parameters)})")
    w.line(f"  call void @{name}({', '.join(taken)})")
    text.bind(op.results[0], "token")


def write_group(text: FunctionText, op: nvgpu.AsyncGroup) -> None:
    """`cp.async.commit_group`"""
    _call(text.writer, "llvm.nvvm.cp.async.commit.group", [])
    text.bind(op.results[0], "token")


def write_wait(text: FunctionText, op: nvgpu.AsyncWait) -> None:
    """`cp.async.wait_group`"""
    _call(text.writer, "llvm.nvvm.cp.async.wait.group", [f"i32 {op.left or 0}"])


def _call(w: Writer, name: str, taken: Sequence[str]) -> None:
    kinds = ", ".join(each.partition(" ")[0] + " immarg" for each in taken)
    w.declare(name, f"declare void @{name}({kinds})")
    w.line(f"  call void @{name}({', '.join(taken)})")


def write_tf32(text: FunctionText, op: nvvm.ConvertToTF32) -> None:
    """`cvt.rna.tf32.f32`"""
    (x,) = text.values(op, [op.x])
    name = f"llvm.nvvm.f2tf32.{op.rounding}"
    text.writer.declare(name, f"declare i32 @{name}(float)")
    text.bind(op.results[0], text.writer.assign("bits", f"call i32 @{name}(float {x})"))


RULES: dict[type[Operation], Rule] = {
    nvgpu.LoadMatrix: write_ldmatrix,
    nvgpu.MmaSync: write_mma,
    nvgpu.AsyncCopy: write_copy,
    nvgpu.AsyncGroup: write_group,
    nvgpu.AsyncWait: write_wait,
    nvvm.ConvertToTF32: write_tf32,
}
