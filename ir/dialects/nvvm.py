"""`nvvm`: single instructions of NVIDIA's GPUs that `nvgpu` has no ops for (MLIR's `nvvm` dialect).

Products of warpgroups are those of PTX ISA 9.0, section 9.7.15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, IntegerAttr, OpaqueAttr
from penstock.ir.codecs import (
    ATTRIBUTE,
    INTEGER,
    INTEGER32,
    STRING,
    angled_choice,
    opaque_choice,
)
from penstock.ir.constraints import ANY, FLOAT
from penstock.ir.constraints import INTEGER as INTEGERS
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import SEGMENTS, attribute, operand, operands, result, segment_sizes
from penstock.ir.record import Record
from penstock.ir.types import OpaqueType, Type, VectorType

HIGH = 64
"""Rows of one product of a warpgroup."""
GROUP = 128
"""The threads of a warpgroup."""
REGISTERS = (24, 256)
"""How many registers a thread can ask for, in steps of 8."""
_SHAPE = re.compile(r"#nvvm\.shape<m = (\d+), n = (\d+), k = (\d+)>")
_FACTORS = {"bf16": ty.bf16, "f16": ty.f16}
_SHARED_FACTORS = {**_FACTORS, "tf32": ty.f32}
"""Those in shared memory alone may have 32 bits, of which products drop the 13 lowest."""
DEEP_BYTES = 32
"""The bytes of a factor along the reduced dimension of one product."""


class Sums(Record):
    """The sums of a warpgroup: 64 rows of `columns`, spread over its 128 threads.

    Thread 32 w + l has rows 16 w + l / 4 and 8 further, and of each 8 columns 2 l % 8 and the
    next.
    """

    columns: int

    @property
    def vector(self) -> VectorType:
        """What a thread holds: 8 columns each, the two rows, the two columns."""
        return VectorType((self.columns // 8, 2, 2), ty.f32)

    @property
    def registers(self) -> int:
        """The registers of a thread."""
        return self.columns // 2

    @property
    def type(self) -> OpaqueType:
        """The same as `nvvm.wgmma.mma_async` takes it."""
        return OpaqueType(f"!llvm.struct<({', '.join(['f32'] * self.registers)})>")


def sums_of(type: Type) -> Sums | None:
    """The sums that a type of `nvvm.wgmma.mma_async` holds; None for any other type.

    >>> sums_of(Sums(16).type)
    Sums(columns=16)
    """
    if not isinstance(type, OpaqueType) or not type.text.startswith("!llvm.struct<("):
        return None
    found = Sums(2 * (type.text.count(",") + 1))
    return found if found.type is type else None


class WarpgroupFence(Operation):
    """Products that follow see the registers of sums, and shared memory, as they are now."""

    name = "nvvm.wgmma.fence.aligned"
    assembly = "attr-dict"


class WarpgroupCommit(Operation):
    """Make a group of the products that were started since the last one."""

    name = "nvvm.wgmma.commit.group.sync.aligned"
    assembly = "attr-dict"


class WarpgroupWait(Operation):
    """Wait for all groups of products but the last few; only then may their sums be read."""

    name = "nvvm.wgmma.wait.group.sync.aligned"
    left = attribute(INTEGER, key="group")
    assembly = "$left attr-dict"

    def verify(self) -> None:
        if self.left < 0:
            self.fail(f"leaves {self.left} groups: expected 0 or more")


class WarpgroupMma(Operation):
    """Begin to add the product of two tiles in shared memory to the sums of a warpgroup.

    The left tile has 64 rows and the right one `n` columns, both 32 bytes along the reduced
    dimension. Descriptors say where they are: bits 0 to 13 the address divided by 16, from 16 on
    and from 32 on two strides divided by 16, and from 62 on the swizzle. `layoutA` is `row` and
    `layoutB` `col` where neighbours in memory are neighbours along the reduced dimension, which
    those of tf32 must be.
    """

    name = "nvvm.wgmma.mma_async"
    sums = operand(ANY)
    left = operand(INTEGERS)
    right = operand(INTEGERS)
    shape = attribute(ATTRIBUTE)
    left_type = attribute(opaque_choice("nvvm.wgmma_type", *_SHARED_FACTORS), key="typeA")
    right_type = attribute(opaque_choice("nvvm.wgmma_type", *_SHARED_FACTORS), key="typeB")
    type = attribute(opaque_choice("nvvm.wgmma_type", "f32"), key="typeD")
    keeps = attribute(opaque_choice("nvvm.wgmma_scale_out", "one", "zero"), key="scaleD")
    left_sign = attribute(opaque_choice("nvvm.wgmma_scale_in", "one"), key="scaleA")
    right_sign = attribute(opaque_choice("nvvm.wgmma_scale_in", "one"), key="scaleB")
    left_layout = attribute(opaque_choice("nvvm.mma_layout", "row", "col"), key="layoutA")
    right_layout = attribute(opaque_choice("nvvm.mma_layout", "row", "col"), key="layoutB")
    added = result(ANY)

    @staticmethod
    def of(
        sums: Value, left: Value, right: Value, element: Type, deep_left: bool, deep_right: bool,
        keeps: bool = True,
    ) -> WarpgroupMma:  # fmt: skip
        """A detached op; `deep` says that neighbours are along the reduced dimension.

        Unless it `keeps` the sums, they count as zero.
        """
        held = sums_of(sums.type)
        assert held is not None
        (word,) = (name for name, type in _SHARED_FACTORS.items() if type is element)
        words = {
            "typeA": f"wgmma_type<{word}>",
            "typeB": f"wgmma_type<{word}>",
            "typeD": "wgmma_type<f32>",
            "scaleD": f"wgmma_scale_out<{'one' if keeps else 'zero'}>",
            "scaleA": "wgmma_scale_in<one>",
            "scaleB": "wgmma_scale_in<one>",
            "layoutA": f"mma_layout<{'row' if deep_left else 'col'}>",
            "layoutB": f"mma_layout<{'col' if deep_right else 'row'}>",
            "shape": f"shape<m = {HIGH}, n = {held.columns}, k = {_deep(element)}>",
        }
        attributes: dict[str, Attribute] = {k: OpaqueAttr(f"#nvvm.{w}") for k, w in words.items()}
        return WarpgroupMma([sums, left, right], None, attributes)

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]

    @property
    def element(self) -> Type:
        """The type of the factors' elements."""
        return _SHARED_FACTORS[self.left_type]

    @property
    def deep(self) -> int:
        """The elements of a factor along the reduced dimension."""
        return _deep(self.element)

    def verify(self) -> None:
        held = sums_of(self.sums.type)
        if held is None or held.columns % 8 or not 8 <= held.columns <= 256:
            self.fail("takes sums of another type: expected a struct of 4 to 128 f32, 4 for each 8 "
                      "columns")  # fmt: skip
        shape = _SHAPE.fullmatch(str(self.shape))
        wanted = (HIGH, held.columns, self.deep)
        if shape is None or tuple(map(int, shape.groups())) != wanted:
            self.fail(f"has the shape {self.shape}: expected m, n and k of {wanted} for "
                      f"{self.left_type}")  # fmt: skip
        if self.left_type != self.right_type:
            self.fail(f"multiplies {self.left_type} by {self.right_type}: expected one type")
        if self.element is ty.f32 and (self.left_layout, self.right_layout) != ("row", "col"):
            self.fail("reads tf32 across the reduced dimension: expected layoutA = row and "
                      "layoutB = col")  # fmt: skip
        if any(value.type is not ty.i64 for value in (self.left, self.right)):
            self.fail("takes descriptors of another type: expected i64")


def _deep(element: Type) -> int:
    return DEEP_BYTES // ty.byte_width(element)


class WarpgroupMmaOfRegisters(Operation):
    """As `WarpgroupMma`, with the left tile in registers: 64 rows of 16 elements.

    A thread has of it what `nvgpu.SHAPES` says of the left matrix, for the 16 rows of its warp.
    Upstream's op has no such operand, so this is the instruction as text, the one that
    `nvvm.inline_ptx` may have here; $0 stands for the registers of all sums, and $1 for those of
    the left tile.
    """

    name = "nvvm.inline_ptx"
    code = attribute(STRING, key="ptxCode")
    taken = operands(ANY)
    written = operands(ANY)
    predicate = operands(ANY)
    added = result(ANY)
    assembly = "$code `ro` `(` $taken `:` type($taken) `)` attr-dict `->` type($added)"

    @staticmethod
    def of(sums: Value, left: Value, right: Value, deep_right: bool) -> WarpgroupMmaOfRegisters:
        """A detached op; `deep_right` as of `WarpgroupMma`."""
        groups = [[sums, left, right], [], []]
        code = _product_of_registers(sums, left, deep_right)
        facts = {"ptxCode": STRING.encode(code), SEGMENTS: segment_sizes(groups)}
        return WarpgroupMmaOfRegisters(groups[0], [sums.type], facts)

    @property
    def sums(self) -> Value:
        """The sums that it adds to."""
        return self.taken[0]

    @property
    def left(self) -> Value:
        """The left tile."""
        return self.taken[1]

    @property
    def right(self) -> Value:
        """The descriptor of the right tile."""
        return self.taken[2]

    @property
    def deep(self) -> bool:
        """Whether neighbours of the right tile are along the reduced dimension."""
        return self.code.endswith("0;")

    def verify(self) -> None:
        if len(self.taken) != 3 or self.written or self.predicate:
            self.fail("expected three operands that are read: sums, the left tile, a descriptor")
        held, kinds = sums_of(self.sums.type), [VectorType((4, 2), e) for e in _FACTORS.values()]
        fits = self.left.type in kinds and self.right.type is ty.i64
        if held is None or not 8 <= held.columns <= 256 or held.columns % 8 or not fits:
            types = ", ".join(str(value.type) for value in self.taken)
            self.fail(f"takes {types}: expected a struct of 4 to 128 f32, 4 for each 8 columns, "
                      "vector<4x2xbf16> or vector<4x2xf16>, and i64")  # fmt: skip
        if self.added.type is not self.sums.type:
            self.fail(f"gives {self.added.type}: expected the type of the sums, {self.sums.type}")
        known = [_product_of_registers(self.sums, self.left, deep) for deep in (True, False)]
        if self.code not in known:
            self.fail(f"is the instruction {self.code!r}: expected {known[0]!r}, or 1 at the end")


def _product_of_registers(sums: Value, left: Value, deep_right: bool) -> str:
    held, element = sums_of(sums.type), ty.element_of(left.type)
    assert held is not None
    return (
        f"wgmma.mma_async.sync.aligned.m{HIGH}n{held.columns}k16.f32.{element}.{element} "
        f"$0, $1, $2, 1, 1, 1, {int(not deep_right)};"
    )


class SetMaxRegister(Operation):
    """Give back registers, or wait for more: all warps of a warpgroup do so together."""

    name = "nvvm.setmaxregister"
    action = attribute(angled_choice("nvvm.action", "increase", "decrease"))
    count = attribute(INTEGER32, key="regCount")

    def verify(self) -> None:
        least, most = REGISTERS
        if not least <= self.count <= most or self.count % 8:
            self.fail(f"asks for {self.count} registers: expected a multiple of 8 from {least} to "
                      f"{most}")  # fmt: skip

    @staticmethod
    def of(action: str, count: int) -> SetMaxRegister:
        """A detached op."""
        attributes: dict[str, Attribute] = {
            "action": OpaqueAttr(f"#nvvm<action {action}>"),
            "regCount": IntegerAttr(count, ty.i32),
        }
        return SetMaxRegister([], [], attributes)


class WarpSync(Operation):
    """Wait for the lanes of the warp that the bits of `mask` name; accesses stay on their side."""

    name = "nvvm.bar.warp.sync"
    mask = operand(INTEGERS)
    assembly = "$mask attr-dict `:` type($mask)"


class FenceBarrierInit(Operation):
    """Barriers that were initialised are so for asynchronous copies, too."""

    name = "nvvm.fence.mbarrier.init"
    assembly = "attr-dict"


class ConvertToTF32(Operation):
    """An f32 rounded to TF32, whose fraction has 10 bits, as the bits of an f32.

    Ties go away from zero. `nvgpu.mma.sync` itself drops the bits that TF32 lacks.
    """

    name = "nvvm.convert.float.to.tf32"
    pure = True
    implied: ClassVar[Mapping[str, Attribute]] = {
        "relu": IntegerAttr(0, ty.i1),
        "sat": OpaqueAttr("#nvvm.sat_mode<none>"),
    }
    x = operand(FLOAT)
    rounding = attribute(opaque_choice("nvvm.fp_rnd_mode", "rna"), key="rnd")
    bits = result(INTEGERS)
    assembly = "$x attr-dict"

    def infer(self) -> Sequence[Type]:
        return [ty.i32]

    def verify(self) -> None:
        if self.x.type is not ty.f32:
            self.fail(f"rounds {self.x.type}: expected f32")
