"""The plan of a job's launches: what the host does in a step, as plain data.

The host's part of a module at stage `gpu` consists of views of the arena, calls of groups, launches
of kernels, copies and taps. All offsets are known, so that a step is a list:

    {"kernels": {name: {"block": [x, y, z], "grid": [x, y, z], "shared": bytes, "dynamic": bytes,
                        "cluster": [x, y, z], "loc": "file:line",
                        "parameters": [{"offset", "size", "align", "bytes", "written"}]}},
     "arena": bytes, "constants": bytes,
     "steps": [{"launch": kernel, "arguments": [reference or ["value", bytes]], "loc"},
               {"copy": [source, target, bytes], "loc"},
               {"tap": number, "source": reference, "bytes", "element", "shape", "loc"},
               {"give": number, "source": reference, "bytes", "loc"},
               {"take": number, "target": reference, "bytes", "loc"},
               {"when": [tap numbers], "steps": [...]}]}

A reference is ["arena", offset], ["argument", number, offset] or ["constant", offset]. An argument
may also be the tensor map of a buffer, which the runtime encodes for its device:

    ["map", reference, {"element", "dims", "strides", "box", "swizzle"}]

with dimensions from the densest on, and strides in bytes from the second on. A parameter that is an
address says how many bytes from there on the kernel may reach, and whether it writes them. The
steps of `when` are taken if anybody listens to one of these taps. `give` and `take` are copies to
and from the host in the middle of the step, by their numbers in the job. `constants` is one blob.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.codegen.gpu.kernel_text import (
    kernel_name,
    kernels_of,
    pointer_alignment,
    shared_bytes,
)
from penstock.codegen.memref_values import ALIGNMENT, byte_size, strides_of
from penstock.codegen.text.call_text import TAP
from penstock.codegen.text.effects import Effects
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, DictAttr, FloatAttr, IntegerAttr, python_value
from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.dialects import arith, func, gpu, memref, nvgpu, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.gpu import GpuFunc
from penstock.ir.dialects.memref import row_major, strides_and_offset
from penstock.ir.dialects.nvgpu.tensor_maps import (
    MAP_ALIGNMENT,
    MAP_BYTES,
    STEP,
    check_tensor,
    checked_box,
)
from penstock.ir.record import Record, replace
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import MemRefType

Plan = dict[str, Any]


def launch_plan(module: Module) -> Plan:
    """The plan of a verified module. Raises a located `IRError` for what no plan can express."""
    return _Planner(module).plan()


def launch_sizes(launch: gpu.LaunchFunc) -> tuple[list[int], list[int], int]:
    """The blocks and threads of a launch along x, y and z, and its dynamic bytes."""
    grid = [_number(launch, value) for value in launch.grid_sizes]
    block = [_number(launch, value) for value in launch.block_sizes]
    return grid, block, sum(_number(launch, value) for value in launch.shared_bytes)


def _number(op: Operation, value: Value) -> int:
    maker = value.defining_op
    held = maker.value if isinstance(maker, arith.Constant) else None
    if not isinstance(held, IntegerAttr):
        op.fail("has a size that is no constant: expected constants, as a step is planned ahead")
    return held.value


class _Buffer(Record):
    """Memory of the device: which, and the byte from which on it is meant."""

    type: MemRefType
    space: tuple[Any, ...]
    """("arena",), ("argument", number) or ("constant",)."""
    offset: int = 0

    @property
    def reference(self) -> list[Any]:
        return [*self.space, self.offset]


class _Flag(Record):
    """A condition that holds if anybody listens to one of these taps."""

    taps: tuple[int, ...]


class _Load(Record):
    """The flag of a tap, as it was read."""

    tap: int


class _Map(Record):
    """The tensor map of a buffer."""

    buffer: _Buffer
    box: nvgpu.TensorMapBox

    @property
    def argument(self) -> list[Any]:
        """What a plan says of it."""
        type = self.buffer.type
        strides, _ = strides_and_offset(type)
        width = ty.byte_width(type.element)
        described = {
            "element": str(type.element),
            "dims": list(type.shape[::-1]),
            "strides": [stride * width for stride in strides[-2::-1]],
            "box": list(self.box.shape[::-1]),
            "swizzle": self.box.swizzle,
        }
        return ["map", self.buffer.reference, described]


Meaning = _Buffer | _Flag | _Load | _Map | IntegerAttr | FloatAttr


class _Planner:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.functions = {f.sym_name: f for f in module.functions()}
        self.kernels = {kernel.sym_name: kernel for kernel in kernels_of(module)}
        self.described: dict[str, Plan] = {}
        self.constants = bytearray()
        self.places: dict[str, int] = {}
        self.globals = {op.sym_name: op for op in module.body if isinstance(op, memref.Global)}
        self.arena = 0

    def plan(self) -> Plan:
        job = self.module.job
        values: dict[Value, Meaning] = {}
        for i, argument in enumerate(job.arguments):
            type = argument.type
            if not isinstance(type, MemRefType):
                job.fail(f"takes {type}: expected memrefs")
            size = job.argument_attributes(i).get("job.arena")
            if isinstance(size, IntegerAttr):
                self.arena = size.value
                values[argument] = _Buffer(type, ("arena",))
            elif "job.taps" in job.argument_attributes(i):
                values[argument] = _Buffer(type, ("taps",))
            else:
                values[argument] = _Buffer(type, ("argument", i))
        steps = self.block(job.body, values)
        return {
            "kernels": self.described,
            "arena": self.arena,
            "constants": bytes(self.constants),
            "steps": steps,
        }

    # -- the host's ops ---------------------------------------------------------------------------

    def block(self, block: Block, values: dict[Value, Meaning]) -> list[Plan]:
        """The steps of a block."""
        steps: list[Plan] = []
        for op in block:
            if op.terminator:
                continue
            steps += self.op(op, values)
        return steps

    def op(self, op: Operation, values: dict[Value, Meaning]) -> list[Plan]:
        """The steps of an op; results become known in `values`."""
        known = self.known(op, values)
        if known is not None:
            values[op.results[0]] = known
            return []
        match op:
            case func.Call():
                return self.call(op, values)
            case gpu.LaunchFunc():
                return [self.launch(op, values)]
            case memref.Copy():
                return [self.copy(op, values)]
            case scf.If() if not op.results and op.else_block is None:
                return self.branch(op, values)
            case _:
                op.fail(
                    "has no place in a plan of launches: expected views, calls, launches, copies "
                    "and taps outside of kernels; move it into a kernel"
                )

    def known(self, op: Operation, values: dict[Value, Meaning]) -> Meaning | None:
        """What the result of an op is, if it takes no step."""
        match op:
            case arith.Constant() if isinstance(op.value, IntegerAttr | FloatAttr):
                return op.value
            case memref.GetGlobal():
                return self.constant(op)
            case memref.View():
                return self.view(op, values)
            case memref.SubView():
                return self.subview(op, values)
            case memref.CollapseShape() | memref.ExpandShape() | memref.Cast():
                return _as_typed(_buffer(op, op.source, values), op.results[0])
            case nvgpu.CreateTensorMap():
                return self.map(op, values)
            case memref.Load() | arith.CmpI() | arith.OrI():
                return self.flag(op, values)
            case _:
                return None

    def constant(self, op: memref.GetGlobal) -> _Buffer:
        """A constant of the module, which goes into the blob when it is first used."""
        found = self.globals.get(op.symbol)
        if found is None or not isinstance(found.initial_value, DenseElementsAttr):
            op.fail(f"there is no constant @{op.symbol} with a dense value in the module")
        type, value = op.results[0].type, found.initial_value
        assert isinstance(type, MemRefType)
        if op.symbol not in self.places:
            data = value.data * (type.count if value.is_splat else 1)
            self.constants += bytes(-len(self.constants) % ALIGNMENT)
            self.places[op.symbol] = len(self.constants)
            self.constants += data
        return _Buffer(type, ("constant",), self.places[op.symbol])

    def map(self, op: nvgpu.CreateTensorMap, values: dict[Value, Meaning]) -> _Map:
        buffer, box = _buffer(op, op.tensor, values), checked_box(op, op.map.type)
        sides = tuple(_number(op, value) for value in op.box)
        if sides != box.shape:
            op.fail(f"has a box of {list(sides)}: expected {list(box.shape)}, as its type says")
        check_tensor(op, buffer.type, len(box.shape))
        if buffer.offset % STEP:
            op.fail(f"describes memory from byte {buffer.offset} on: expected a multiple of {STEP}")
        return _Map(buffer, box)

    def view(self, op: memref.View, values: dict[Value, Meaning]) -> _Buffer:
        source, shift = _buffer(op, op.source, values), values.get(op.byte_shift)
        if not isinstance(shift, IntegerAttr) or not isinstance(op.results[0].type, MemRefType):
            op.fail("has an offset that is no constant: expected one")
        return _Buffer(op.results[0].type, source.space, source.offset + shift.value)

    def subview(self, op: memref.SubView, values: dict[Value, Meaning]) -> _Buffer:
        source, type = _buffer(op, op.source, values), op.results[0].type
        given = iter(op.offsets)
        offset = 0
        strides = strides_of(source.type, op)
        for static, stride in zip(op.static_offsets, strides, strict=True):
            value = values.get(next(given)) if static == DYNAMIC_INDEX else IntegerAttr(static)
            if not isinstance(value, IntegerAttr):
                op.fail("has an offset that is no constant: expected one")
            offset += value.value * stride
        assert isinstance(type, MemRefType)
        width = ty.byte_width(type.element)
        return _Buffer(type, source.space, source.offset + offset * width)

    def call(self, op: func.Call, values: dict[Value, Meaning]) -> list[Plan]:
        """A tap, or the steps of a group with what it is passed."""
        callee = self.functions.get(op.callee)
        if callee is None:
            op.fail(f"@{op.callee} is not a function")
        if callee.is_external:
            facts = callee.attributes.get("job.callout")
            if isinstance(facts, DictAttr) and facts.get("copy") is not None:
                return [self.copied(op, python_value(facts), values)]
            return [self.tap(op, values)]
        inner: dict[Value, Meaning] = {}
        for argument, value in zip(callee.arguments, op.operands, strict=True):
            inner[argument] = _meaning(op, value, values)
        return self.block(callee.body, inner)

    def copied(self, op: func.Call, facts: Plan, values: dict[Value, Meaning]) -> Plan:
        """A copy to the host, or from it."""
        buffer = _dense(op, _buffer(op, op.operands[0], values))
        words = ("give", "source") if facts["operands"] else ("take", "target")
        said = dict(zip(words, (facts["copy"], buffer.reference), strict=True))
        return {**said, "bytes": byte_size(buffer.type), **_line(op)}

    def tap(self, op: func.Call, values: dict[Value, Meaning]) -> Plan:
        number = values.get(op.operands[0]) if len(op.operands) == 2 else None
        if not op.callee.startswith(TAP) or not isinstance(number, IntegerAttr):
            op.fail(
                f"@{op.callee} has no body, and only taps come from outside of a job on a GPU: "
                "expected a body"
            )
        buffer = _dense(op, _buffer(op, op.operands[1], values))
        return {
            "tap": number.value,
            "source": buffer.reference,
            "bytes": byte_size(buffer.type),
            "element": str(buffer.type.element),
            "shape": list(buffer.type.shape),
            **_line(op),
        }

    def flag(self, op: Operation, values: dict[Value, Meaning]) -> Meaning:
        """`taps[i]`, `taps[i] != 0`, or a disjunction of such conditions."""
        known = [values.get(value) for value in op.operands]
        match op, known:
            case memref.Load(), [_Buffer(space=("taps",)), IntegerAttr() as place]:
                return _Load(place.value)
            case arith.CmpI(predicate="ne"), [_Load() as load, IntegerAttr(value=0)]:
                return _Flag((load.tap,))
            case arith.OrI(), [_Flag() as one, _Flag() as other]:
                return _Flag(one.taps + other.taps)
            case _:
                op.fail(
                    "has no place in a plan of launches: the host decides by the flags of taps "
                    "alone, as taps[i] != 0"
                )

    def branch(self, op: scf.If, values: dict[Value, Meaning]) -> list[Plan]:
        condition = values.get(op.condition)
        if not isinstance(condition, _Flag):
            op.fail("has a condition that is no flag of a tap: expected taps[i] != 0")
        steps = self.block(op.then_block, values)
        return [{"when": list(condition.taps), "steps": steps}] if steps else []

    def copy(self, op: memref.Copy, values: dict[Value, Meaning]) -> Plan:
        source, target = (_dense(op, _buffer(op, v, values)) for v in (op.source, op.target))
        if source.type.shape != target.type.shape:
            op.fail(f"copies {source.type} to {target.type}: expected one shape")
        return {
            "copy": [source.reference, target.reference, byte_size(source.type)],
            **_line(op),
        }

    # -- launches ---------------------------------------------------------------------------------

    def launch(self, op: gpu.LaunchFunc, values: dict[Value, Meaning]) -> Plan:
        kernel = self.kernels[op.kernel[-1]]
        name = kernel_name(kernel)
        described = _described(kernel, op)
        if self.described.setdefault(name, described) != described:
            op.fail(
                f"launches @{kernel.sym_name} with other sizes than another launch does: expected "
                "a kernel for each, or the same sizes"
            )
        arguments = [
            self.passed(op, kernel, i, _meaning(op, value, values))
            for i, value in enumerate(op.passed)
        ]
        return {"launch": name, "arguments": arguments, **_line(op)}

    def passed(
        self, op: gpu.LaunchFunc, kernel: GpuFunc, position: int, meaning: Meaning
    ) -> list[Any]:
        """An argument: a reference to memory, or the bytes of a scalar."""
        match meaning:
            case IntegerAttr():
                width = ty.byte_width(meaning.type)
                data = (meaning.value % (1 << 8 * width)).to_bytes(width, "little")
                return ["value", data]
            case FloatAttr():
                return ["value", meaning.bits.to_bytes(ty.byte_width(meaning.type), "little")]
            case _Buffer():
                align = pointer_alignment(kernel, position)
                if meaning.offset % align:
                    op.fail(
                        f"passes byte {meaning.offset} of a buffer as argument {position} of "
                        f"@{kernel.sym_name}, which promises an alignment of {align}: set "
                        "llvm.align"
                    )
                return meaning.reference
            case _Map():
                return meaning.argument
            case _:
                op.fail(f"passes a flag as argument {position}: expected buffers and constants")


def _as_typed(buffer: _Buffer, value: Value) -> _Buffer:
    """The same memory in the type of a value; an unranked one keeps its own."""
    return replace(buffer, type=value.type) if isinstance(value.type, MemRefType) else buffer


def _described(kernel: GpuFunc, launch: gpu.LaunchFunc) -> Plan:
    """The entry of a kernel in the plan."""
    grid, block, dynamic = launch_sizes(launch)
    cluster = [_number(launch, value) for value in launch.cluster_sizes]
    return {
        "block": block,
        "grid": grid,
        "shared": shared_bytes(kernel),
        "dynamic": dynamic,
        "cluster": cluster or kernel.known_cluster_size or [1, 1, 1],
        "parameters": parameters_of(kernel),
        **_line(kernel),
    }


def parameters_of(kernel: GpuFunc) -> list[Plan]:
    """Where each parameter is in the memory of parameters: each at a multiple of its size."""
    found: list[Plan] = []
    offset, written = 0, _written(kernel)
    for argument in kernel.arguments:
        facts: Plan = {}
        if nvgpu.box_of(argument.type) is not None:
            size, align = MAP_BYTES, MAP_ALIGNMENT
        elif isinstance(argument.type, MemRefType):
            size = align = 8
            if argument.type.is_static:
                facts = {"bytes": byte_size(argument.type), "written": argument in written}
        else:
            size = align = ty.byte_width(argument.type)
        offset += -offset % align
        found.append({"offset": offset, "size": size, "align": align, **facts})
        offset += size
    return found


def _written(kernel: GpuFunc) -> set[Value]:
    """The arguments that a kernel may write; all of them, if it writes to what a loop passes on."""
    roots = Effects({}).written_by(kernel)
    own: set[Value] = {*kernel.arguments, *kernel.workgroup_buffers}
    if any(isinstance(root, BlockArgument) and root not in own for root in roots):
        return own
    return roots


def _line(op: Operation) -> dict[str, str]:
    return {"loc": op.location.describe()} if op.location.files() else {}


def _meaning(op: Operation, value: Value, values: dict[Value, Meaning]) -> Meaning:
    found = values.get(value)
    if found is None:
        op.fail(f"uses %{value.name or '?'}, which the host does not know ahead of a step")
    return found


def _buffer(op: Operation, value: Value, values: dict[Value, Meaning]) -> _Buffer:
    found = values.get(value)
    if not isinstance(found, _Buffer):
        op.fail(f"expected a buffer of the device, got %{value.name or '?'} of type {value.type}")
    return found


def _dense(op: Operation, buffer: _Buffer) -> _Buffer:
    """The buffer, which must be row-major and of static shape."""
    strides: Sequence[int] = strides_of(buffer.type, op)
    dense = row_major(buffer.type.shape)
    gaps = any(
        extent != 1 and stride != step
        for extent, stride, step in zip(buffer.type.shape, strides, dense, strict=True)
    )
    if gaps or not buffer.type.is_static:
        op.fail(f"moves {buffer.type}: expected a row-major buffer of static shape")
    return buffer
