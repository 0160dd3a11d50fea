"""Emits LLVM text for GPUs from the kernels of a module at stage `gpu`.

    @k__s = internal addrspace(3) global [128 x i8] undef, align 16    memory that a block shares
    define ptx_kernel void @k(ptr noalias align 64 %x, i32 %n) #0      a kernel

A kernel takes a pointer for each memref and scalars by value. Pointers are generic here; LLVM finds
the memory that they point to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.codegen.gpu import gpu_text, mbarrier_text, nvgpu_text, warpgroup_text
from penstock.codegen.gpu.architectures import Architecture
from penstock.codegen.gpu.lines import with_lines
from penstock.codegen.math.device_functions import define_called
from penstock.codegen.memref_values import ALIGNMENT, argument_buffer, byte_size
from penstock.codegen.text import control_text, memref_text
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.vectors import vector_memory_text, vector_shape_text, vector_text
from penstock.codegen.writer import LLVMText, Writer
from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import gpu, memref, nvgpu
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.gpu import GpuFunc
from penstock.ir.dialects.nvgpu.tensor_maps import ALIGNMENT as BOX_ALIGNMENT
from penstock.ir.dialects.nvgpu.tensor_maps import MAP_ALIGNMENT, MAP_BYTES
from penstock.ir.types import MemRefType

WORKGROUP_ALIGNMENT = 16
"""Bytes of a vector access, to which the memory that a block shares is aligned."""

_MEMORY = (
    memref.Load, memref.Store, memref.View, memref.SubView, memref.CollapseShape,
    memref.ExpandShape, memref.Cast,
)  # fmt: skip
_RULES: dict[type[Operation], Rule] = {
    **control_text.RULES,
    **{op: memref_text.RULES[op] for op in _MEMORY},
    **vector_text.RULES,
    **vector_memory_text.RULES,
    **vector_shape_text.RULES,
    **gpu_text.RULES,
    **nvgpu_text.RULES,
    **mbarrier_text.RULES,
    **warpgroup_text.RULES,
}


def kernels_of(module: Module) -> list[GpuFunc]:
    """The kernels of a module, in order; a located error where two have the same symbol."""
    found: dict[str, GpuFunc] = {}
    for op in module.body:
        for kernel in op.kernels() if isinstance(op, gpu.GpuModule) else ():
            name = kernel_name(kernel)
            if name in found:
                kernel.fail(
                    f"has the symbol @{name} of another kernel, at "
                    f"{found[name].location.describe()}: give it another name"
                )
            found[name] = kernel
    return list(found.values())


def kernel_name(kernel: GpuFunc) -> str:
    """The symbol of a kernel in PTX, which allows letters, digits, `_` and `$`."""
    name = re.sub(r"[^\w$]", "_", kernel.sym_name, flags=re.ASCII)
    return f"k{name}" if not name or name[0].isdigit() or name[0] == "$" else name


def emit_kernels(module: Module, architecture: Architecture) -> LLVMText:
    """The LLVM text of all kernels of a verified module, errors as of `emit_llvm`.

    Instructions carry the lines of the user's program that they come from.
    """
    writer = Writer()
    texts = _Kernels(writer, architecture)
    for kernel in kernels_of(module):
        texts.write(kernel)
    texts.finish()
    return with_lines(writer.text())


class _Kernels:
    """Writes kernels, and what they share."""

    def __init__(self, writer: Writer, architecture: Architecture) -> None:
        self.writer = writer
        self.architecture = architecture
        self._attributes: dict[str, int] = {}

    def write(self, kernel: GpuFunc) -> None:
        """One kernel, after the memory that its blocks share."""
        w, name = self.writer, kernel_name(kernel)
        w.begin_function()
        w.op = kernel
        text = FunctionText(w, _RULES, {}, {}, self.architecture.text_target, name)
        taken = [self._parameter(text, kernel, i) for i in range(len(kernel.arguments))]
        shared = [self._shared(kernel, i, name) for i in range(len(kernel.workgroup_buffers))]
        w.line("")
        w.line(f"define ptx_kernel void @{name}({', '.join(taken)}) {self._words(kernel)} {{")
        w.begin_body()
        for value, symbol in zip(kernel.workgroup_buffers, shared, strict=True):
            generic = f"addrspacecast ptr addrspace(3) @{symbol} to ptr"
            pointer = w.assign(value.name or "shared", generic)
            align = kernel.alignment(value.index - len(kernel.arguments)) or WORKGROUP_ALIGNMENT
            text.bind(value, argument_buffer(value.type, pointer, kernel, align))
        for value in kernel.private_buffers:
            gpu_text.bind_scratch(text, kernel, value)
        text.region(kernel, kernel.region)
        w.line("  ret void")
        w.line("}")

    def finish(self) -> None:
        """The attributes of kernels, and the functions of ours that they call."""
        w = self.writer
        w.op = None
        for words, number in self._attributes.items():
            w.line(f"attributes #{number} = {{ mustprogress nounwind {words} }}")
        define_called(w.declarations, w.line)

    def _words(self, kernel: GpuFunc) -> str:
        """The group of attributes with what is known of launches."""
        if kernel.known_block_size is None:
            kernel.fail("has no known_block_size: expected the threads per block of all launches")
        words = f'"nvvm.reqntid"="{_listed(kernel.known_block_size)}"'
        if kernel.known_cluster_size is not None:
            words += f' "nvvm.cluster_dim"="{_listed(kernel.known_cluster_size)}"'
        for key in (gpu.MIN_BLOCKS, gpu.MAX_REGISTERS):
            value = kernel.attributes.get(key)
            if isinstance(value, IntegerAttr):
                words += f' "{key}"="{value.value}"'
        return f"#{self._attributes.setdefault(words, len(self._attributes))}"

    def _parameter(self, text: FunctionText, kernel: GpuFunc, position: int) -> str:
        """The declaration of a parameter, which is bound to the argument."""
        value = kernel.arguments[position]
        name = self.writer.fresh(value.name or f"arg{position}")
        if nvgpu.box_of(value.type) is not None:
            text.bind(value, name)
            # Without the attribute, LLVM would copy it to the stack.
            return (
                f'ptr byval([{MAP_BYTES} x i8]) align {MAP_ALIGNMENT} "nvvm.grid_constant" {name}'
            )
        if not isinstance(value.type, MemRefType):
            if isinstance(value.type, ty.VectorType):
                kernel.fail(f"takes {value.type}: expected memrefs and scalars")
            text.bind(value, name)
            return f"{text.type(kernel, value.type)} {name}"
        if value.type.space is not None:
            kernel.fail(f"takes {value.type}: expected memory of the whole device")
        align = pointer_alignment(kernel, position)
        text.bind(value, argument_buffer(value.type, name, kernel, align))
        words = ["ptr"]
        if "llvm.noalias" in kernel.argument_attributes(position):
            words.append("noalias")
        words.append(f"align {align}")
        if size := byte_size(value.type):
            words.append(f"dereferenceable({size})")
        return " ".join([*words, name])

    def _shared(self, kernel: GpuFunc, position: int, name: str) -> str:
        """Define the memory of a buffer that a block shares, as many bytes as it has."""
        value = kernel.workgroup_buffers[position]
        size = byte_size(_memref(kernel, value.type))
        align = kernel.alignment(position) or WORKGROUP_ALIGNMENT
        hint = re.sub(r"\W", "_", value.name, flags=re.ASCII)
        symbol = f"{name}__{hint}_{position}"
        self.writer.line(
            f"@{symbol} = internal addrspace(3) global [{size} x i8] undef, align {align}"
        )
        return symbol


def pointer_alignment(kernel: GpuFunc, position: int) -> int:
    """The bytes that divide the address of a buffer that is passed to a kernel.

    It is what `llvm.align` of the argument says; else a line for whole buffers, and an element for
    parts of buffers, whose types have a layout.
    """
    align = kernel.argument_attributes(position).get("llvm.align")
    if isinstance(align, IntegerAttr):
        return align.value
    type = _memref(kernel, kernel.arguments[position].type)
    return ALIGNMENT if type.layout is None else ty.byte_width(type.element)


def shared_bytes(kernel: GpuFunc) -> int:
    """The bytes of static memory that a block shares, as buffers are laid out in order."""
    total = 0
    for position, value in enumerate(kernel.workgroup_buffers):
        align = kernel.alignment(position) or WORKGROUP_ALIGNMENT
        total = -(-total // align) * align + byte_size(_memref(kernel, value.type))
    for op in kernel.walk():
        if isinstance(op, nvgpu.CreateBarriers):
            total = -(-total // BOX_ALIGNMENT) * BOX_ALIGNMENT + mbarrier_text.barrier_bytes(op)
    return total


def _memref(kernel: GpuFunc, type: ty.Type) -> MemRefType:
    if not isinstance(type, MemRefType):
        kernel.fail(f"has a buffer of type {type}: expected a memref")
    return type


def _listed(sizes: Sequence[int]) -> str:
    return ",".join(map(str, sizes))
