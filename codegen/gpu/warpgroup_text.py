"""Rules for products of warpgroups: `wgmma`, which runs beside the threads that started it.

A product writes registers until it has been waited for. In LLVM's text both take the sums and give
them back, so that nothing reads these in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Registers, Vector
from penstock.codegen.writer import Writer
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import builtin, memref, nvvm


def write_mma(text: FunctionText, op: nvvm.WarpgroupMma) -> None:
    """`wgmma.mma_async`: one instruction, whose sums are registers that it reads and writes."""
    w = text.writer
    sums = _registers(text, op, op.sums)
    count, element = len(sums), op.left_type
    turned = [op.left_layout == "col", op.right_layout == "row"]
    listed = ", ".join(f"${i}" for i in range(count))
    code = (
        f"wgmma.mma_async.sync.aligned.m64n{2 * count}k16.f32.{element}.{element} {{{listed}}}, "
        f"${2 * count}, ${2 * count + 1}, {int(op.keeps == 'one')}, 1, 1, "
        f"{', '.join(str(int(each)) for each in turned)};"
    )
    taken = [f"i64 {text.value(op, value)}" for value in (op.left, op.right)]
    text.bind(op.added, Registers(_tied(w, code, sums, ",l,l", taken)))


def _tied(
    w: Writer, code: str, sums: Sequence[str], constraints: str, taken: Sequence[str]
) -> tuple[str, ...]:
    """The registers that an instruction leaves in place of those it is given."""
    count = len(sums)
    kind = f"{{ {', '.join(['float'] * count)} }}"
    ways = ",".join(["=f"] * count + [str(i) for i in range(count)]) + constraints
    given = ", ".join([*(f"float {name}" for name in sums), *taken])
    made = w.assign("sums", f'call {kind} asm sideeffect "{code}", "{ways}"({given}) convergent')
    return tuple(w.assign("sum", f"extractvalue {kind} {made}, {i}") for i in range(count))


def _registers(text: FunctionText, op: Operation, value: Value) -> tuple[str, ...]:
    found = text.meaning(op, value)
    if not isinstance(found, Registers):
        op.fail(f"expected the sums of a warpgroup, got {value.type}")
    return found.names


def write_wait(text: FunctionText, op: nvvm.WarpgroupWait) -> None:
    """`wgmma.wait_group`, which gives the sums of all products ahead of it in its block."""
    if op.left:
        op.fail(f"leaves {op.left} groups: expected 0, as all sums are read behind it")
    for value in _pending(op):
        names = _tied(text.writer, _WAIT, _registers(text, op, value), ",~{memory}", [])
        text.bind(value, Registers(names))


_FENCE = "wgmma.fence.sync.aligned;"
_WAIT = "wgmma.wait_group.sync.aligned 0;"


def _pending(op: nvvm.WarpgroupWait) -> list[Value]:
    """The sums of products since the last wait, but for those that another product adds to."""
    found: list[Value] = []
    for before in op.block or ():
        if before is op:
            return found
        if isinstance(before, nvvm.WarpgroupWait):
            found = []
        elif isinstance(before, nvvm.WarpgroupMma):
            found = [value for value in found if value is not before.sums]
            found.append(before.added)
    return found


def write_fence(text: FunctionText, op: nvvm.WarpgroupFence) -> None:
    """`wgmma.fence`, which gives the sums that products behind it add to.

    So LLVM copies registers ahead of it, and not between it and a product.
    """
    for value in _fenced(op):
        names = _tied(text.writer, _FENCE, _registers(text, op, value), ",~{memory}", [])
        text.bind(value, Registers(names))


def _fenced(op: nvvm.WarpgroupFence) -> list[Value]:
    """The sums of products between a fence and the next wait, but for those of such products."""
    found: dict[Value, None] = {}
    made: set[Value] = set()
    behind = False
    for other in op.block or ():
        if behind and isinstance(other, nvvm.WarpgroupWait):
            break
        if behind and isinstance(other, nvvm.WarpgroupMma):
            if other.sums not in made:
                found[other.sums] = None
            made.add(other.added)
        behind = behind or other is op
    return list(found)


def write_commit(text: FunctionText, op: nvvm.WarpgroupCommit) -> None:
    """`wgmma.commit_group`"""
    _call(text.writer, "llvm.nvvm.wgmma.commit_group.sync.aligned")


def write_registers(text: FunctionText, op: nvvm.SetMaxRegister) -> None:
    """`setmaxnreg`"""
    way = "inc" if op.action == "increase" else "dec"
    _call(text.writer, f"llvm.nvvm.setmaxnreg.{way}.sync.aligned.u32", f"i32 {op.count}")


def _call(w: Writer, name: str, argument: str = "") -> None:
    w.declare(name, f"declare void @{name}({'i32 immarg' if argument else ''})")
    w.line(f"  call void @{name}({argument}) convergent")


def write_cast(text: FunctionText, op: builtin.UnrealizedConversionCast) -> None:
    """Sums as a vector, or as registers; other casts keep the bits of a scalar."""
    w = text.writer
    from_sums, to_sums = (nvvm.sums_of(v.type) for v in (op.source, op.result))
    if to_sums is not None:
        vector = text.vector(op, op.source)
        if vector.type is not to_sums.vector:
            op.fail(f"makes sums of {vector.type}: expected {to_sums.vector}")
        text.bind(op.result, Registers(_elements(w, vector)))
    elif from_sums is not None:
        if op.result.type is not from_sums.vector:
            op.fail(f"makes {op.result.type} of sums: expected {from_sums.vector}")
        names = _registers(text, op, op.source)
        pairs = [names[i : i + 2] for i in range(0, len(names), 2)]
        pieces = tuple(_pair(w, *pair) for pair in pairs)
        text.bind(op.result, Vector(from_sums.vector, text.target.lanes, pieces))
    else:
        text.scalar(op)


def _elements(w: Writer, vector: Vector) -> tuple[str, ...]:
    """The elements of a vector of pairs, row by row."""
    return tuple(
        w.assign("sum", f"extractelement <2 x float> {name}, i64 {lane}")
        for name in vector.names
        for lane in (0, 1)
    )


def _pair(w: Writer, first: str, second: str) -> str:
    low = w.assign("pair", f"insertelement <2 x float> poison, float {first}, i64 0")
    return w.assign("pair", f"insertelement <2 x float> {low}, float {second}, i64 1")


def write_address(text: FunctionText, op: memref.AddressOf) -> None:
    """The address of memory that the block shares, within it; 32 bits hold it."""
    w = text.writer
    buffer = text.buffer(op, op.source)
    if buffer.type.space is None:
        address = w.assign("address", f"ptrtoint ptr {buffer.pointer} to i64")
    else:
        pointer = w.place("p", f"addrspacecast ptr {buffer.pointer} to ptr addrspace(3)")
        narrow = w.assign("address", f"ptrtoint ptr addrspace(3) {pointer} to i32")
        address = w.assign("address", f"zext i32 {narrow} to i64")
    text.bind(op.address, address)


RULES: dict[type[Operation], Rule] = {
    nvvm.WarpgroupMma: write_mma,
    nvvm.WarpgroupWait: write_wait,
    nvvm.WarpgroupFence: write_fence,
    nvvm.WarpgroupCommit: write_commit,
    nvvm.SetMaxRegister: write_registers,
    builtin.UnrealizedConversionCast: write_cast,
    memref.AddressOf: write_address,
}
