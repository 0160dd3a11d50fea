"""Jobs on several devices: copies between these, and how the program of each takes part in them.

From stage `placed` on, the module has `job.devices = ["cpu 0:0", "gpu 0:0"]`, and each op and each
variable says in `sbp.placement` where it is. Stages from `fused` on are those of one device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, STRING
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import STORED, Array, Gradients, Input, Sample, TensorOp
from penstock.ir.dialects.job.callout import OutsideCall
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type

DEVICE = "job.device"
"""On the module from stage `placed` on: the device of a job that is not on the CPU, `gpu 0:0`.
If it is there before, it decides: `cpu` has a job compiled for the CPU that is placed on a GPU."""
DEVICES = "job.devices"
"""On the module of a job that is on several devices: these, the CPU first."""


class CopyHd(TensorOp):
    """The same value on another device: a copy between the memories of host and device.

        %y = "sbp.copy_hd"(%x) {source = "cpu 0:0", target = "gpu 0:0"}

    Shapes: y has the shape of x. Elements: any. On one device nothing moves. Source: OneFlow's
    boxing, where it is the op `CopyHd`.

    >>> evaluate("sbp.copy_hd", [1.0, 2.0], source="cpu 0:0", target="gpu 0:0")
    array([1., 2.], dtype=float32)
    """

    name = "sbp.copy_hd"
    elements = STORED
    moves = True
    x = operand(TENSOR)
    source = attribute(STRING)
    target = attribute(STRING)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "native": "on one device it moves nothing: there is no code",
    }

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        return [x]

    def reference(self, x: Array) -> Sequence[Array]:
        return [x]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """The copy back."""
        (dy,) = gradients
        if dy is None:
            return [None]
        return [b.create(CopyHd, dy, source=self.target, target=self.source).result]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        places = {"source": "cpu 0:0", "target": "gpu 0:0"}
        return [
            *(Sample((Input((3,), e),), places) for e in STORED),
            *(Sample((Input(shape),), places) for shape in ((), (0, 2), (2, 3))),
        ]


class _Copied(OutsideCall):
    """Base of the two ends of a copy; both have its number.

    Where a copy fails the step ends, and has changed no variable.
    """

    number = attribute(INTEGER)
    symbol = "penstock_callout_"
    key = "job.callout"
    keeps_variables = True
    between_devices = True

    def described(self) -> dict[str, Any]:
        return {
            "name": f"copy {self.number}",
            "operands": len(self.operands),
            "copy": self.number,
        }


class Give(_Copied):
    """Copy x to the other device of the job, whose program has an `sbp.take` of this number.

        "sbp.give"(%x) {number = 0} : (tensor<4xf32>) -> ()

    Shapes and elements: any tensor. The program goes on at once. It has an effect: no pass removes,
    repeats or reorders it relative to other effects.
    """

    name = "sbp.give"
    x = operand(TENSOR)


class Take(_Copied):
    """The value that the other device of the job gives under this number: y.

        %y = "sbp.take"() {number = 0} : () -> tensor<4xf32>

    Shapes and elements: those of the value. The program waits for it. It has an effect: no pass
    removes, repeats or reorders it relative to other effects.
    """

    name = "sbp.take"
    y = result(TENSOR)
