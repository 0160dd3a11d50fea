"""Pass `fold`: constant folding."""

from __future__ import annotations

from penstock.ir.attributes import Attribute
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite import Rewriter, pattern_where, rewrite
from penstock.ir.write.folding import fold, materialize
from penstock.passes.base import Pass
from penstock.passes.simplify.distinct import has_distinct_values


@pattern_where(lambda cls: cls.pure and cls.fold is not Operation.fold)
def fold_constants(op: Operation, rewriter: Rewriter) -> None:
    """Replace the results by what the op class's `fold` returns."""
    folded = fold(op)
    if folded is None:
        return
    for result, known in zip(op.results, folded, strict=True):
        if known is None or not result.uses:
            continue
        if isinstance(known, Attribute):
            value = materialize(rewriter, op, known, result.type)
            if value is None:
                continue
        else:
            value = known
        if value.type is not result.type:
            op.fail(f"folds {result.type} to {value.type}")
        rewriter.replace_uses(result, value)
    if rewriter.changed and op.is_unused:
        rewriter.erase(op)


class FoldConstants(Pass):
    """Evaluate ops with constant operands at compile time.

    %a = arith.constant 2 : index
    %b = arith.constant 3 : index
    %c = arith.muli %a, %b : index      ->  %c = arith.constant 6 : index

    A job with a `job.minimize` stays as it is: values to fold may have gradients of their own.
    """

    name = "fold"

    def run(self, module: Module) -> None:
        if not has_distinct_values(module):
            rewrite(module, [fold_constants])
