"""Rules for products of warpgroups: `wgmma`, which runs beside the threads that started it.

A product writes registers until it has been waited for. In LLVM's text both take the sums and give
them back, so that nothing reads these in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import Registers, Vector
from penstock.codegen.writer import Writer
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import builtin, memref, nvvm


def write_mma(text: FunctionText, op: nvvm.WarpgroupMma) -> None:
    """`wgmma.mma_async`: one instruction, whose sums are registers that it reads and writes."""
    w, element, keeps = text.writer, op.left_type, op.keeps == "one"
    sums = _registers(text, op, op.sums)
    count = len(sums)
    # Factors of 32 bits cannot be transposed.
    turned = [op.left_layout == "col", op.right_layout == "row"] if op.deep == 16 else []
    # What an instruction writes without reading it needs no value ahead of it.
    first = 2 * count if keeps else count
    code = (
        f"wgmma.mma_async.sync.aligned.m64n{2 * count}k{op.deep}.f32.{element}.{element} "
        f"{_listed(0, count)}, ${first}, ${first + 1}, "
        f"{', '.join(str(int(each)) for each in (keeps, 1, 1, *turned))};"
    )
    taken = [f"i64 {text.value(op, value)}" for value in (op.left, op.right)]
    given = [f"float {name}" for name in sums] if keeps else []
    text.bind(op.added, Registers(_changed(w, code, ["float"] * count, given, ",l,l", taken)))


def write_mma_of_registers(text: FunctionText, op: nvvm.WarpgroupMmaOfRegisters) -> None:
    """The same with the left factor in registers."""
    w, sums = text.writer, _registers(text, op, op.sums)
    count, left = len(sums), words_of(text, op, op.left)
    stem, _, rest = op.code.partition(" $0, $1, $2")
    code = (
        f"{stem} {_listed(0, count)}, {_listed(2 * count, len(left))}, ${2 * count + len(left)}"
        f"{rest}"
    )
    taken = [*(f"i32 {word}" for word in left), f"i64 {text.value(op, op.right)}"]
    ways = ",r" * len(left) + ",l"
    text.bind(op.added, Registers(_tied(w, code, sums, ways, taken)))


def _listed(first: int, count: int) -> str:
    """Registers of an instruction in inline assembly."""
    return f"{{{', '.join(f'${first + i}' for i in range(count))}}}"


def _tied(
    w: Writer, code: str, sums: Sequence[str], constraints: str, taken: Sequence[str] = ()
) -> tuple[str, ...]:
    """The sums that an instruction leaves in place of those it is given."""
    given = [f"float {name}" for name in sums]
    return _changed(w, code, ["float"] * len(sums), given, constraints, taken)


def _changed(
    w: Writer, code: str, types: Sequence[str], given: Sequence[str], constraints: str,
    taken: Sequence[str] = (),
) -> tuple[str, ...]:  # fmt: skip
    """The registers that an instruction writes, in place of those it is given if there are any."""
    kind = f"{{ {', '.join(types)} }}"
    ways = ["=f" if type == "float" else "=r" for type in types]
    ways += [str(i) for i in range(len(given))]
    made = w.assign(
        "changed",
        f'call {kind} asm sideeffect "{code}", "{",".join(ways)}{constraints}"'
        f"({', '.join([*given, *taken])}) convergent",
    )
    return tuple(w.assign("part", f"extractvalue {kind} {made}, {i}") for i in range(len(types)))


def _registers(text: FunctionText, op: Operation, value: Value) -> tuple[str, ...]:
    found = text.meaning(op, value)
    if not isinstance(found, Registers):
        op.fail(f"expected the sums of a warpgroup, got {value.type}")
    return found.names


def write_wait(text: FunctionText, op: nvvm.WarpgroupWait) -> None:
    """`wgmma.wait_group`, which gives the sums of the products that it waits for.

    These are ahead of it in its block.
    """
    code = f"wgmma.wait_group.sync.aligned {op.left};"
    for value in _pending(op):
        names = _tied(text.writer, code, _registers(text, op, value), ",~{memory}")
        text.bind(value, Registers(names))


_FENCE = "wgmma.fence.sync.aligned;"
_PRODUCTS = (nvvm.WarpgroupMma, nvvm.WarpgroupMmaOfRegisters)


def _pending(op: nvvm.WarpgroupWait) -> list[Value]:
    """The sums of the groups that a wait waits for, but for those that another product adds to."""
    groups: list[list[Value]] = [[]]
    for before in op.block or ():
        if isinstance(before, nvvm.WarpgroupWait):
            # The last group is that of products that are not committed.
            last = max(len(groups) - 1 - before.left, 0)
            if before is op:
                return [value for group in groups[:last] for value in group]
            del groups[:last]
        elif isinstance(before, nvvm.WarpgroupCommit):
            groups.append([])
        elif isinstance(before, _PRODUCTS):
            for group in groups:
                group[:] = [value for value in group if value is not before.sums]
            groups[-1].append(before.added)
    return []


def write_fence(text: FunctionText, op: nvvm.WarpgroupFence) -> None:
    """`wgmma.fence`, which gives the registers that products behind it read.

    So LLVM copies registers ahead of it, and not between it and a product.
    """
    w, (sums, lefts) = text.writer, _fenced(op)
    if not sums and not lefts:
        w.line(f'  call void asm sideeffect "{_FENCE}", "~{{memory}}"() convergent')
        return
    floats = [f"float {name}" for value in sums for name in _registers(text, op, value)]
    words = [f"i32 {word}" for value in lefts for word in words_of(text, op, value)]
    types = ["float"] * len(floats) + ["i32"] * len(words)
    made = iter(_changed(w, _FENCE, types, [*floats, *words], ",~{memory}"))
    for value in sums:
        count = len(_registers(text, op, value))
        text.bind(value, Registers(tuple(islice(made, count))))
    for value in lefts:
        vector = text.vector(op, value)
        pair = f"<2 x {llvm_type(vector.type.element)}>"
        pieces = tuple(
            w.assign("pair", f"bitcast i32 {word} to {pair}")
            for word in islice(made, len(vector.names))
        )
        text.bind(value, Vector(vector.type, vector.lanes, pieces))


def words_of(text: FunctionText, op: Operation, value: Value) -> list[str]:
    """The 32-bit registers of a left factor: two elements each."""
    w, vector = text.writer, text.vector(op, value)
    pair = f"<2 x {llvm_type(vector.type.element)}>"
    return [w.assign("word", f"bitcast {pair} {name} to i32") for name in vector.names]


def _fenced(op: nvvm.WarpgroupFence) -> tuple[list[Value], list[Value]]:
    """The sums and left factors that products between a fence and the next wait read."""
    sums: dict[Value, None] = {}
    lefts: dict[Value, None] = {}
    made: set[Value] = set()
    behind = False
    for other in op.block or ():
        if behind and isinstance(other, nvvm.WarpgroupWait):
            break
        if behind and isinstance(other, _PRODUCTS):
            keeps = not isinstance(other, nvvm.WarpgroupMma) or other.keeps == "one"
            if keeps and other.sums not in made:
                sums[other.sums] = None
            if isinstance(other, nvvm.WarpgroupMmaOfRegisters):
                lefts[other.left] = None
            made.add(other.added)
        behind = behind or other is op
    return list(sums), list(lefts)


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
    nvvm.WarpgroupMmaOfRegisters: write_mma_of_registers,
    nvvm.WarpgroupWait: write_wait,
    nvvm.WarpgroupFence: write_fence,
    nvvm.WarpgroupCommit: write_commit,
    nvvm.SetMaxRegister: write_registers,
    builtin.UnrealizedConversionCast: write_cast,
    memref.AddressOf: write_address,
}
