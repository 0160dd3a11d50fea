"""What the lowering of a group gives: a function on buffers, and what its arguments are."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.core import Operation
from penstock.ir.dialects import func
from penstock.ir.record import Record
from penstock.ir.types import MemRefType


class BufferParameter(Record):
    """What an argument of a group on buffers is: `role` is input, result or workspace.

    A result in place of an input is passed once, as a result.
    """

    role: str
    number: int
    """Which argument of the group on tensors, which result, or which workspace."""
    type: MemRefType


class LoweredGroup(Record):
    """A group on buffers, and what its arguments are."""

    function: func.Func
    parameters: Sequence[BufferParameter]
    kernels: Sequence[Operation] = ()
    """The kernels that the function launches on a GPU."""
