"""What the threads of a block or of a warp do together, and the memory that they share."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.codecs import angled_choice
from penstock.ir.constraints import ANY, BOOLEAN, INTEGER, MEMREF
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu.exchanges import Meeting
from penstock.ir.dialects.gpu.kernel import WORKGROUP, kernel_of
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import MemRefType, Type

SHUFFLES = ("xor", "down", "up", "idx")


class Barrier(Meeting):
    """Wait until all threads of the block arrive; they then see each other's writes."""

    name = "gpu.barrier"
    assembly = "attr-dict"

    def verify(self) -> None:
        if kernel_of(self) is None:
            self.fail("stands outside a gpu.func")


class Shuffle(Operation):
    """The value of another lane of the warp, in groups of `width` lanes, and whether it exists.

    That lane is `lane xor offset`, `lane + offset` (down), `lane - offset` (up) or `offset` (idx).
    A lane that does not exist gives the own value and false. All lanes take part.
    """

    name = "gpu.shuffle"
    mode = attribute(angled_choice("gpu.shuffle_mode", *SHUFFLES))
    value = operand(ANY)
    offset = operand(INTEGER)
    width = operand(INTEGER)
    shuffled = result(ANY)
    valid = result(BOOLEAN)
    assembly = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type, ty.i1]

    def verify(self) -> None:
        type = self.value.type
        rank = type.rank if isinstance(type, ty.VectorType) else 1
        if not isinstance(ty.element_of(type), ty.IntegerType | ty.FloatType) or rank != 1:
            self.fail(f"moves {type}: expected an integer, a float, or a vector of one dimension")
        for what, given in (("offset", self.offset), ("width", self.width)):
            if given.type is not ty.i32:
                self.fail(f"its {what} is {given.type}: expected i32")


class DynamicSharedMemory(Operation):
    """The workgroup memory whose size each launch says, in bytes."""

    name = "gpu.dynamic_shared_memory"
    pure = True
    memref = result(MEMREF)
    assembly = "attr-dict `:` type($memref)"

    def infer(self) -> Sequence[Type]:
        return [MemRefType((ty.DYNAMIC,), ty.i8, None, WORKGROUP)]

    def verify(self) -> None:
        if kernel_of(self) is None:
            self.fail("stands outside a gpu.func")
