"""Rules for barriers in shared memory, and for copies of boxes of tensors that complete on them.

Each is a call of an intrinsic; a wait is a loop around one that may give up.
"""

from __future__ import annotations

from penstock.codegen.gpu.nvgpu_text import check_aligned, in_space
from penstock.codegen.memref_values import first_element
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.writer import Writer
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import nvgpu, nvvm
from penstock.ir.dialects.nvgpu.mbarriers import BYTES
from penstock.ir.dialects.nvgpu.tensor_maps import ALIGNMENT, checked_box

_SHARED = "ptr addrspace(3)"


def barrier_bytes(op: nvgpu.CreateBarriers) -> int:
    """The bytes of shared memory that barriers take.

    They fill whole patterns of a swizzle, so that dynamic memory, which follows static memory, is
    aligned to one wherever the two meet.
    """
    return -(-op.count * BYTES // ALIGNMENT) * ALIGNMENT


def write_create(text: FunctionText, op: nvgpu.CreateBarriers) -> None:
    """Static memory that the block shares."""
    w = text.writer
    symbol = f"@{text.name}__barriers_{w.number()}"
    array = f"[{barrier_bytes(op)} x i8] undef, align {ALIGNMENT}"
    w.declare(symbol, f"{symbol} = internal addrspace(3) global {array}")
    text.bind(op.group, symbol)


def _barrier(text: FunctionText, op: Operation, group: Value, number: Value) -> str:
    """A pointer to a barrier, with its type."""
    array, place = text.values(op, [group, number])
    pointer = text.writer.place(
        "barrier", f"getelementptr [{BYTES} x i8], {_SHARED} {array}, i64 {place}"
    )
    return f"{_SHARED} {pointer}"


def _narrow(w: Writer, index: str) -> str:
    """An index in 32 bits, with its type."""
    return f"i32 {index if index.isdigit() else w.place('narrow', f'trunc i64 {index} to i32')}"


def write_init(text: FunctionText, op: nvgpu.InitBarrier) -> None:
    """`mbarrier.init`"""
    barrier = _barrier(text, op, op.group, op.number)
    count = _narrow(text.writer, text.value(op, op.arrivals))
    name = "llvm.nvvm.mbarrier.init.shared"
    text.writer.declare(name, f"declare void @{name}({_SHARED}, i32)")
    text.writer.line(f"  call void @{name}({barrier}, {count})")


def write_arrive(text: FunctionText, op: nvgpu.Arrive) -> None:
    """`mbarrier.arrive`"""
    text.bind(op.token, _arrived(text, op, op.group, op.number, "arrive", "i32 1"))


def write_expect(text: FunctionText, op: nvgpu.ArriveExpect) -> None:
    """`mbarrier.arrive.expect_tx`"""
    count = _narrow(text.writer, text.value(op, op.count))
    _arrived(text, op, op.group, op.number, "arrive.expect.tx", count)


def _arrived(
    text: FunctionText, op: Operation, group: Value, number: Value, kind: str, count: str
) -> str:
    barrier = _barrier(text, op, group, number)
    name = f"llvm.nvvm.mbarrier.{kind}.scope.cta.space.cta"
    text.writer.declare(name, f"declare i64 @{name}({_SHARED}, i32)")
    return text.writer.assign("arrived", f"call i64 @{name}({barrier}, {count})")


def write_wait(text: FunctionText, op: nvgpu.WaitParity) -> None:
    """`mbarrier.try_wait.parity` until it succeeds; how long one suspends is left to the device."""
    w = text.writer
    barrier = _barrier(text, op, op.group, op.number)
    parity = w.assign("parity", f"zext i1 {text.value(op, op.parity)} to i32")
    number = w.number()
    name = "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
    w.declare(name, f"declare i1 @{name}({_SHARED}, i32)")
    w.line(f"  br label %wait.{number}")
    w.label(f"wait.{number}")
    done = w.assign("done", f"call i1 @{name}({barrier}, i32 {parity})")
    w.line(f"  br i1 {done}, label %waited.{number}, label %wait.{number}")
    w.label(f"waited.{number}")


def write_load(text: FunctionText, op: nvgpu.TensorLoad) -> None:
    """`cp.async.bulk.tensor`, to memory of the own block."""
    w = text.writer
    box = checked_box(op, op.map.type)
    target = text.buffer(op, op.target)
    check_aligned(op, w, target, 8 * box.swizzle, "copies a box")
    pointer = in_space(w, first_element(w, target), 3)
    cluster = w.place("p", f"addrspacecast {_SHARED} {pointer} to ptr addrspace(7)")
    barrier = _barrier(text, op, op.barriers, op.number)
    # In PTX the first coordinate is that along the densest dimension.
    places = [_narrow(w, value) for value in reversed(text.values(op, op.coordinates))]
    rank = len(places)
    name = f"llvm.nvvm.cp.async.bulk.tensor.g2s.tile.{rank}d"
    fixed = ["i16", "i64", "i1", "i1", "i32"]
    kinds = ["ptr addrspace(7)", _SHARED, "ptr", *["i32"] * rank, *fixed]
    w.declare(name, f"declare void @{name}({', '.join(kinds)})")
    taken = [f"ptr addrspace(7) {cluster}", barrier, f"ptr {text.value(op, op.map)}", *places]
    taken += [f"{kind} {'false' if kind == 'i1' else 0}" for kind in fixed]
    w.line(f"  call void @{name}({', '.join(taken)})")


def write_fence(text: FunctionText, op: nvvm.FenceBarrierInit) -> None:
    """`fence.mbarrier_init`"""
    fence = "fence.mbarrier_init.release.cluster;"
    text.writer.line(f'  call void asm sideeffect "{fence}", "~{{memory}}"() convergent')


RULES: dict[type[Operation], Rule] = {
    nvgpu.CreateBarriers: write_create,
    nvgpu.InitBarrier: write_init,
    nvgpu.Arrive: write_arrive,
    nvgpu.ArriveExpect: write_expect,
    nvgpu.WaitParity: write_wait,
    nvgpu.TensorLoad: write_load,
    nvvm.FenceBarrierInit: write_fence,
}
