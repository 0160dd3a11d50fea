"""Pass `canonicalize`: the canonical form that later passes rely on."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Pattern, Rewriter, pattern_where, rewrite
from penstock.ir.write.folding import constant_of
from penstock.passes.base import Pass
from penstock.passes.simplify.distinct import has_distinct_values
from penstock.passes.simplify.fold import fold_constants


@pattern_where(lambda cls: cls.pure)
def remove_unused(op: Operation, rewriter: Rewriter) -> None:
    """Remove a pure op that nothing uses."""
    if op.is_unused:
        rewriter.erase(op)


@pattern_where(lambda cls: cls.commutative)
def constants_last(op: Operation, rewriter: Rewriter) -> None:
    """Move the constant operands of a commutative op to the end."""
    known = [constant_of(value) is not None for value in op.operands]
    if known == sorted(known):
        return
    order = sorted(range(len(known)), key=known.__getitem__)
    op.operands = [op.operands[i] for i in order]
    rewriter.modified(op)


def class_patterns() -> Iterable[Pattern]:
    """The patterns that op classes declare in `canonicalization_patterns`, without duplicates."""
    found: dict[Pattern, None] = {}
    for cls in registry.values():
        if cls.canonicalization_patterns:
            found.update(dict.fromkeys(cls.canonicalization_patterns))
    return found


class Canonicalize(Pass):
    """Fold constants, move them last, apply each op's own patterns and remove unused pure ops.

        %c = arith.constant 2 : index
        %u = arith.addi %x, %x : index      ->  %c = arith.constant 2 : index
        %y = arith.muli %c, %x : index          %y = arith.muli %x, %c : index
        return %y : index                       return %y : index

    An op class declares its own patterns in the ClassVar `canonicalization_patterns`, a tuple. In a
    job with a `job.minimize`, nothing is folded and no such pattern applies: the values that these
    replace may have gradients of their own.
    """

    name = "canonicalize"

    def run(self, module: Module) -> None:
        if has_distinct_values(module):
            rewrite(module, [remove_unused, constants_last])
        else:
            rewrite(module, [remove_unused, fold_constants, constants_last, *class_patterns()])
