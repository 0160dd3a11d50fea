"""Kernels and the modules that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    TypeAttr,
    unit,
)
from penstock.ir.codecs import ATTRIBUTE, INTEGER, INTEGERS32, STRING, UNIT
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects.gpu.exchanges import exchanged
from penstock.ir.dialects.signatures import (
    FunctionOp,
    array_of,
    attributes_text,
    check_entries,
    entry_of,
    listed,
    read_arguments,
    read_results,
    replaced,
)
from penstock.ir.opdef import attribute, operands, region
from penstock.ir.quoting import bare_or_quoted
from penstock.ir.types import MemRefType, Type

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

CONTAINER = "gpu.container_module"
"""The attribute of a module that holds kernels and launches them."""
WORKGROUP = OpaqueAttr("#gpu.address_space<workgroup>")
"""The memory that the threads of a block share."""
PRIVATE = OpaqueAttr("#gpu.address_space<private>")
"""The memory of one thread."""
ALIGN = "llvm.align"
"""The attribute of a workgroup buffer with its alignment in bytes."""

MIN_BLOCKS = "nvvm.minctasm"
"""The attribute of a kernel with the blocks that a multiprocessor must have room for."""
MAX_REGISTERS = "nvvm.maxnreg"
"""The attribute of a kernel with the most registers of a thread."""

MAX_THREADS = 1024
"""The most threads of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute
Capability")."""
MAX_BLOCK = (1024, 1024, 64)
"""The most threads of a block along x, y and z."""
MAX_GRID = (2**31 - 1, 65535, 65535)
"""The most blocks of a grid along x, y and z."""

_SHOWN = (
    "sym_name", "function_type", "arg_attrs", "res_attrs", "gpu.kernel",
    "workgroup_attributions", "workgroup_attrib_attrs", "private_attrib_attrs",
)  # fmt: skip


class GpuModule(Operation):
    """A module of kernels, which are compiled together."""

    name = "gpu.module"
    isolated = True
    symbol_table = True
    sym_name = attribute(STRING)
    targets = attribute(ATTRIBUTE, optional=True)
    members = region(terminated=False)

    @staticmethod
    def empty(name: str) -> GpuModule:
        """A module without kernels."""
        module = GpuModule(regions=[Region(Block())])
        module.sym_name = name
        return module

    def kernels(self) -> list[GpuFunc]:
        """Its kernels, in order."""
        return [op for op in self.body if isinstance(op, GpuFunc)]

    def write(self, p: Printer, indent: str) -> None:
        """`gpu.module @kernels [#nvvm.target<chip = "sm_80">] attributes {...} { ... }`"""
        p.out.append(f"{self.name} @{bare_or_quoted(self.sym_name)} ")
        if self.targets is not None:
            p.out.append(f"{self.targets} ")
        rest = p.attribute_dictionary(self, ["sym_name", "targets"])
        p.out.append(f"attributes {rest} " if rest else "")
        p.scoped_region(self, self.region, indent)

    @classmethod
    def read(cls, p: Parser) -> GpuModule:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {"sym_name": StringAttr(p.symbol_name())}
        if p.word == "[":
            attributes["targets"] = p.attribute()
        if p.accept("attributes"):
            attributes = p.dictionary(attributes)
        region = p.region(isolated=True)
        if not region.blocks:
            region.append(Block())
        return cls(attributes=attributes, regions=[region])

    def verify(self) -> None:
        if len(self.region.blocks) != 1 or self.body.arguments:
            self.fail("has several blocks or block arguments: expected one block without any")


class GpuFunc(FunctionOp):
    """A kernel. After its arguments, its block has the buffers of its blocks and of its threads.

    `known_block_size` and `known_grid_size` are the threads per block and the blocks per grid that
    every launch has, along x, y and z. Buffers in the argument list do not overlap if they carry
    `llvm.noalias`; nor may threads of a launch pass values to each other through such a buffer, as
    LLVM moves its loads across barriers.
    """

    name = "gpu.func"
    properties = False
    implied: ClassVar[Mapping[str, Attribute]] = {"workgroup_attributions": IntegerAttr(0)}
    kernel = attribute(UNIT, optional=True, key="gpu.kernel")
    workgroup_count = attribute(INTEGER, default=0, key="workgroup_attributions")
    workgroup_attrs = attribute(ATTRIBUTE, optional=True, key="workgroup_attrib_attrs")
    private_attrs = attribute(ATTRIBUTE, optional=True, key="private_attrib_attrs")
    known_block_size = attribute(INTEGERS32, optional=True)
    known_grid_size = attribute(INTEGERS32, optional=True)
    known_cluster_size = attribute(INTEGERS32, optional=True)
    code = region()

    @staticmethod
    def make(
        name: str,
        inputs: Sequence[Type],
        block: Sequence[int],
        grid: Sequence[int],
        workgroup: Sequence[MemRefType] = (),
        private: Sequence[MemRefType] = (),
        names: Sequence[str] = (),
        cluster: Sequence[int] | None = None,
    ) -> GpuFunc:
        """A detached kernel with an empty entry block.

        `block` and `grid` are its sizes along x, y and z. `workgroup` has the types of the buffers
        that a block's threads share, `private` those of one thread's. `names` are those of the
        arguments and then of the buffers.
        """
        func = GpuFunc(regions=[Region(Block([*inputs, *workgroup, *private], names))])
        func.sym_name = name
        func.function_type = ty.FunctionType(tuple(inputs), ())
        func.kernel = True
        if workgroup:
            func.workgroup_count = len(workgroup)
        func.known_block_size = block
        func.known_grid_size = grid
        func.known_cluster_size = cluster
        return func

    @property
    def arguments(self) -> Sequence[BlockArgument]:
        """What a launch passes."""
        return self.body.arguments[: len(self.type.inputs)]

    @property
    def workgroup_buffers(self) -> Sequence[BlockArgument]:
        """The buffers that the threads of a block share."""
        start = len(self.type.inputs)
        return self.body.arguments[start : start + self.workgroup_count]

    @property
    def private_buffers(self) -> Sequence[BlockArgument]:
        """The buffers of one thread."""
        return self.body.arguments[len(self.type.inputs) + self.workgroup_count :]

    @property
    def threads(self) -> int | None:
        """The threads of a block; None where they are not known."""
        return None if self.known_block_size is None else prod(self.known_block_size)

    def alignment(self, position: int) -> int | None:
        """The alignment in bytes that a workgroup buffer asks for."""
        align = entry_of(self.workgroup_attrs, position).get(ALIGN)
        return align.value if isinstance(align, IntegerAttr) else None

    def set_alignment(self, position: int, align: int) -> None:
        """Ask for an alignment of a workgroup buffer, in bytes."""
        entries = {**entry_of(self.workgroup_attrs, position), ALIGN: IntegerAttr(align)}
        self.workgroup_attrs = replaced(
            self.workgroup_attrs, position, self.workgroup_count, entries
        )

    def write(self, p: Printer, indent: str) -> None:
        """`gpu.func @f(%x: t {...}) workgroup(%s: t) private(%p: t) kernel attributes {...} {...}`

        With buffers, each part has a line of its own.
        """
        p.out.append(f"{self.name} @{bare_or_quoted(self.sym_name)}")
        outer = p.names, p.taken, p.count
        p.names, p.taken, p.count = {}, {}, 0
        words = [
            f"{p.name(value)}: {value.type}{attributes_text(self.argument_attributes(i))}"
            f"{p.location(value.location)}"
            for i, value in enumerate(self.arguments)
        ]
        p.out.append(listed(words, indent))
        if self.type.results:
            p.out.append(f" -> {ty.result_text(self.type.results)}")
        has_buffers = len(self.body.arguments) > len(self.arguments)
        start = f"\n{indent}    " if has_buffers else " "
        for word, values, attrs in (
            ("workgroup", self.workgroup_buffers, self.workgroup_attrs),
            ("private", self.private_buffers, self.private_attrs),
        ):
            if values:
                buffers = [
                    f"{p.name(value)} : {value.type}{attributes_text(entry_of(attrs, i))}"
                    f"{p.location(value.location)}"
                    for i, value in enumerate(values)
                ]
                p.out.append(f"{start}{word}{listed(buffers, f'{indent}    ')}")
        p.out.append(f"{start}kernel" if self.kernel else "")
        rest = p.attribute_dictionary(self, _SHOWN)
        p.out.append(f" attributes {rest}" if rest else "")
        p.out.append(" ")
        p.region(self.region, indent)
        p.names, p.taken, p.count = outer

    @classmethod
    def read(cls, p: Parser) -> GpuFunc:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {"sym_name": StringAttr(p.symbol_name())}
        outer = p.scopes
        p.scopes = [{}]
        block = Block()
        start = p.start
        _, inputs, lists = read_arguments(p, block)
        if len(block.arguments) != len(inputs):
            p.fail("a kernel names its arguments, e.g. (%x: f32)", start)
        results, _ = read_results(p)
        attributes["function_type"] = TypeAttr(ty.FunctionType(tuple(inputs), tuple(results)))
        entries = {"arg_attrs": lists}
        for word in ("workgroup", "private"):
            if p.accept(word):
                _, types, entries[f"{word}_attrib_attrs"] = read_arguments(p, block)
                if word == "workgroup" and types:
                    attributes["workgroup_attributions"] = IntegerAttr(len(types))
        for name, dictionaries in entries.items():
            if (found := array_of(dictionaries)) is not None:
                attributes[name] = found
        if p.accept("kernel"):
            attributes["gpu.kernel"] = unit
        if p.accept("attributes"):
            attributes = p.dictionary(attributes)
        region = p.region(block)
        p.scopes = outer
        return cls(attributes=attributes, regions=[region])

    def verify(self) -> None:
        if len(self.region.blocks) != 1:
            self.fail("has several blocks: expected one")
        if not self.kernel or self.type.results:
            self.fail("is not a kernel without results: expected `kernel`, and no results")
        arguments, types = self.body.arguments, [a.type for a in self.body.arguments]
        count = len(self.type.inputs)
        if tuple(types[:count]) != self.type.inputs:
            self.fail(
                f"its type is {self.type} and its entry block takes ({', '.join(map(str, types))})"
            )
        if not 0 <= self.workgroup_count <= len(arguments) - count:
            self.fail(
                f"has {self.workgroup_count} workgroup buffers: expected 0 to "
                f"{len(arguments) - count}"
            )
        for values, space in (
            (self.workgroup_buffers, WORKGROUP),
            (self.private_buffers, PRIVATE),
        ):
            for value in values:
                self._check_buffer(value, space)
        check_entries(self, "arg_attrs", self.arg_attrs, count)
        check_entries(
            self, "workgroup_attrib_attrs", self.workgroup_attrs, len(self.workgroup_buffers)
        )
        check_entries(self, "private_attrib_attrs", self.private_attrs, len(self.private_buffers))
        self._check_sizes()
        self._check_exchanged()

    def _check_exchanged(self) -> None:
        marked = [
            value
            for position, value in enumerate(self.arguments)
            if "llvm.noalias" in self.argument_attributes(position)
        ]
        for value in exchanged(self, marked):
            self.fail(
                f"%{value.name} is llvm.noalias, but its threads wait for each other, and read and "
                "write it: LLVM may move a read ahead of the barrier; remove llvm.noalias"
            )

    def _check_buffer(self, value: Value, space: Attribute) -> None:
        type = value.type
        if (
            not isinstance(type, MemRefType)
            or type.space is not space
            or type.layout is not None
            or not type.is_static
        ):
            self.fail(
                f"the buffer %{value.name} is {type}: expected a static memref in row-major order "
                f"in {space}"
            )

    def _check_sizes(self) -> None:
        for name, sizes, limits in (
            ("known_block_size", self.known_block_size, MAX_BLOCK),
            ("known_grid_size", self.known_grid_size, MAX_GRID),
            ("known_cluster_size", self.known_cluster_size, (16, 16, 16)),
        ):
            if sizes is not None:
                check_sizes(self, name, sizes, limits)
        if (self.threads or 0) > MAX_THREADS:
            self.fail(f"has {self.threads} threads per block: expected {MAX_THREADS} at most")


def check_sizes(
    op: Operation, name: str, sizes: Sequence[int | None], limits: Sequence[int]
) -> None:
    """Check sizes along x, y and z; None is one that is not known."""
    if len(sizes) != 3:
        op.fail(f"{name} has {len(sizes)} sizes: expected 3, along x, y and z")
    for size, limit, axis in zip(sizes, limits, "xyz", strict=True):
        if size is not None and not 1 <= size <= limit:
            op.fail(f"{name} is {size} along {axis}: expected 1 to {limit}")


class Return(Operation):
    """End a kernel."""

    name = "gpu.return"
    terminator = True
    values = operands()
    assembly = "attr-dict ($values^ `:` type($values))?"

    def verify(self) -> None:
        function = self.parent
        if not isinstance(function, GpuFunc):
            self.fail("stands outside a gpu.func")
        function.check_returned(self)


def kernel_of(op: Operation) -> GpuFunc | None:
    """The kernel that an op stands in; None outside of kernels."""
    around = op.parent
    while around is not None and not isinstance(around, GpuFunc):
        around = around.parent
    return around
