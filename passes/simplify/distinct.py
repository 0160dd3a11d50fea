"""Whether the values of a module must stay distinct although they are equal."""

from __future__ import annotations

from penstock.ir.dialects.builtin import Module


def has_distinct_values(module: Module) -> bool:
    """Whether an op will take gradients in the module.

    Of two equal values, each has a gradient of its own, which may be watched, stopped, or stated by
    the program. It depends on who uses the value. So a simplification that gives the users of one
    value another, existing one must wait until the gradients are ops.
    """
    blocks = (block for op in module.body for region in op.regions for block in region.blocks)
    return any(op.takes_gradients for block in blocks for op in block)
