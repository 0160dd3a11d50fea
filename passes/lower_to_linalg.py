"""Pass `lower`: from named tensor ops to structured loops."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.passes.base import Pass

ORIGIN = "flow.op"
"""The attribute of a `linalg.generic` that says which op it was made of."""


@dataclass(frozen=True)
class LowerToLinalg(Pass):
    """Replace every tensor op of the job by what its class lowers it to, until none is left.

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
    """

    name = "lower"

    def run(self, module: Module) -> None:
        for function in module.functions():
            if not function.is_external:
                for op in function.body:
                    if isinstance(op, TensorOp):
                        lower(op)


def lower(op: TensorOp) -> None:
    """Replace one op, and those its composition is made of, in order."""
    before = op.previous
    values = op.lower(Builder.ahead_of(op))
    assert op.block is not None
    first = op.block.first if before is None else before.next
    for result, value in zip(op.results, values, strict=True):
        if value.type is not result.type:
            op.fail(f"lowers a result of {result.type} to {value.type}")
        result.replace_all_uses_with(value)
    made: list[Operation] = []
    while first is not None and first is not op:
        made.append(first)
        first = first.next
    op.erase()
    for inner in made:
        if isinstance(inner, TensorOp):
            lower(inner)
        elif isinstance(inner, linalg.Generic):
            inner.attributes.setdefault(ORIGIN, StringAttr(op.name.partition(".")[2]))
