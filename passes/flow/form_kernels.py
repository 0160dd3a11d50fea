"""Pass `form-kernels`: make one op of several where the device has a kernel for all of them."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Pattern, Rewriter, rewrite
from penstock.passes.base import Order, Pass
from penstock.passes.flow.lower_to_linalg import Device
from penstock.passes.simplify.canonicalize import remove_unused
from penstock.passes.simplify.distinct import has_distinct_values


class FormKernels(Pass):
    """Make the ops that the device has a kernel for of others that compute the same.

        %s = "flow.matmul"(%q, %k) {alpha = 0.125, transpose_b = true}
        %p = "flow.softmax"(%s) {axis = 2}          ->  %y, %l = "flow.attention"(%q, %k, %v)
        %y = "flow.matmul"(%p, %v)                                   {scale = 0.125}

    An op class says in `formed_from` and `form` what it is made of, and in `devices` where. In a
    job with a `job.minimize`, no op is formed: the values that it would replace may have gradients
    of their own.
    """

    name = "form-kernels"
    before: ClassVar[Order] = {"lower": "it leaves no tensor ops"}
    after: ClassVar[Order] = {"place": None}
    device: Device = "gpu"

    def run(self, module: Module) -> None:
        if not has_distinct_values(module):
            rewrite(module, [*self._patterns(), remove_unused])

    def _patterns(self) -> list[Pattern]:
        classes = [cls for cls in registry.values() if issubclass(cls, TensorOp)]
        return [
            _pattern(cls, cls.formed_from)
            for cls in classes
            if cls.formed_from is not None and self.device in cls.devices
        ]


def _pattern(cls: type[TensorOp], root: type[Operation]) -> Pattern:
    """The pattern by which ops of a class are formed."""

    def form(op: Operation, rewriter: Rewriter) -> None:
        for value, other in cls.form(op, rewriter):
            rewriter.replace_uses(value, other)
            made = value.defining_op
            if made is not None and made.is_unused:
                rewriter.erase(made)

    form.__name__ = f"form_{cls.name.partition('.')[2]}"
    return Pattern(form, lambda kind: issubclass(kind, root))
