"""Pass `lower`: lower tensor ops to `linalg`."""

from __future__ import annotations

from typing import ClassVar, Literal

from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.lowering import lower_function
from penstock.passes.base import Order, Pass

Device = Literal["cpu", "gpu"]


class LowerToLinalg(Pass):
    """Replace each tensor op by its class's lowering, repeatedly, until none can be lowered.

        %y = "flow.relu"(%x) : (tensor<5xf32>) -> tensor<5xf32>
    ->
        %0 = tensor.empty() : tensor<5xf32>
        %y = linalg.generic {indexing_maps = [...], iterator_types = ["parallel"]}
            ins(%x : tensor<5xf32>) outs(%0 : tensor<5xf32>) attrs = {flow.op = "relu"} {
        ^bb0(%a: f32, %b: f32):
          %zero = arith.constant 0.0 : f32
          %m = arith.maximumf %a, %zero : f32
          linalg.yield %m : f32
        } -> tensor<5xf32>

    An op that the device has a kernel for stays as it is.
    """

    name = "lower"
    required = True
    before: ClassVar[Order] = {
        "outline-groups": "every generic must be in a group",
        "bufferize": "tensor ops have no buffers",
    }

    device: Device = "cpu"

    def run(self, module: Module) -> None:
        for function in module.functions():
            if not function.is_external:
                lower_function(function, self.device)
