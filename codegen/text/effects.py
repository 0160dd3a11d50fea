"""The buffers that ops write. A step can be stopped until the first op that writes a variable."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import func
from penstock.ir.dialects.func import Func
from penstock.ir.types import MemRefType, UnrankedMemRefType


class Effects:
    """The write effects of the functions of one module."""

    def __init__(self, functions: Mapping[str, Func]) -> None:
        self._functions = functions
        self._written: dict[str, set[int]] = {}

    def written_by(self, op: Operation) -> set[Value]:
        """The buffers that an op may write: allocations and arguments (of tasks and loops, too)."""
        found: set[Value] = set()
        for inner in op.walk():
            if inner.writes is not None:
                found.add(_root(inner.operands[inner.writes]))
            elif isinstance(inner, func.Call):
                places = self.written_arguments(inner)
                found |= {_root(inner.operands[i]) for i in places}
        return found

    def written_arguments(self, call: func.Call) -> set[int]:
        """The positions of the arguments that the callee may write."""
        callee = self._functions.get(call.callee)
        if callee is None or callee.is_external:
            # A tap: the handler does not get a buffer of the job.
            return set()
        written = self._written.get(call.callee)
        if written is None:
            self._written[call.callee] = set()  # provisional, for recursive calls
            roots = self.written_by(callee)
            written = {i for i, a in enumerate(callee.arguments) if a in roots}
            self._written[call.callee] = written
        return written


def _root(value: Value) -> Value:
    """The buffer that a view aliases."""
    while not isinstance(value, BlockArgument):
        maker = value.defining_op
        assert maker is not None
        if not maker.operands or not isinstance(
            maker.operands[0].type, (MemRefType, UnrankedMemRefType)
        ):
            return value
        value = maker.operands[0]
    return value
