"""`nvvm`: single instructions of NVIDIA's GPUs (MLIR's `nvvm` dialect)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, IntegerAttr, OpaqueAttr
from penstock.ir.codecs import opaque_choice
from penstock.ir.constraints import FLOAT, INTEGER
from penstock.ir.core import Operation
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type


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
    bits = result(INTEGER)
    assembly = "$x attr-dict"

    def infer(self) -> Sequence[Type]:
        return [ty.i32]

    def verify(self) -> None:
        if self.x.type is not ty.f32:
            self.fail(f"rounds {self.x.type}: expected f32")
