"""What is known of the numbers that indices are multiples of."""

from __future__ import annotations

from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import arith, scf


def is_multiple(value: Value, number: int) -> bool:
    """Whether an index is known to be a multiple of a number: by how it is made of others.

    A loop that begins and steps by multiples counts in multiples.
    """
    if isinstance(value, BlockArgument):
        loop = value.block.region.op if value.block.region is not None else None
        if not isinstance(loop, scf.For) or value is not loop.induction:
            return False
        return all(is_multiple(bound, number) for bound in (loop.lower, loop.step))
    op = value.defining_op
    match op:
        case arith.Constant():
            known = arith.scalar_of(op.value)
            return known is not None and int(known) % number == 0
        case arith.MulI():
            return any(is_multiple(side, number) for side in op.operands)
        case arith.AddI() | arith.SubI() | arith.MinSI() | arith.MaxSI():
            return all(is_multiple(side, number) for side in op.operands)
        case _:
            return False
