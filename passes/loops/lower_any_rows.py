"""A group as loops over rows whose number is known only at run time.

    func.func private @softmax_0(%x: tensor<13x19x10xf32>) -> tensor<13x19x10xf32>
->
    func.func private @softmax_0(%x: memref<?x10xf32>, %y: memref<?x10xf32>,
                                 %lower: index, %upper: index) {
      scf.for %row = %lower to %upper { max; exp and sum; divide } }

The tensors have placeholders for their outer dimensions, whose product stands for the number of
rows. All loops inside a row are those of a known number of rows, so the bits are the same.
"""

from __future__ import annotations

from math import prod
from typing import NoReturn

from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import Refused, op_error
from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.types import MemRefType, TensorType, Type
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group
from penstock.passes.analysis.segments import Access
from penstock.passes.costs.target import Target
from penstock.passes.loops.lower_group import GroupLowering
from penstock.passes.loops.rows.any_count import AnyCount
from penstock.passes.loops.rows.row_memory import GroupPart
from penstock.passes.loops.rows.row_plan import RowPlan
from penstock.passes.loops.write.tensor_buffers import memref_type

MOST_LANES = 64
"""At least as many as a vector has."""


class AnyRows(AnyCount):
    """The loops of a group over rows."""

    least: int = 1
    """The least number of rows for which a job of that number has the same bits."""


def outer_dims(shape: tuple[int, ...], rows: int) -> int:
    """How many outer dimensions of a shape are the rows; 0 if it has none."""
    return next((n for n in range(1, len(shape) + 1) if prod(shape[:n]) == rows), 0)


def rows_buffer(type: Type, rows: int) -> MemRefType:
    """The buffer of a tensor; if it has rows, any number of them in one outermost dimension."""
    assert isinstance(type, TensorType)
    outer = outer_dims(type.shape, rows)
    if not outer:
        return memref_type(type)
    return MemRefType((ty.DYNAMIC, *type.shape[outer:]), type.element)


def lower_any_rows(group: Group, name: str, rows: int, target: Target) -> AnyRows:
    """Write the loops of a group whose tensors have `rows` rows, the placeholder for any number.

    Raises a located `Refused` for a group whose rows depend on each other, or that needs memory
    for all of them.
    """
    first = _AnyRowsLowering(group, name, rows, target)
    widest, *others = first.widths()
    loops = [(widest, first.of_width(widest))]
    for width in others:
        other = _AnyRowsLowering(group, f"{name}_by_{width}", rows, target)
        loops.append((width, other.of_width(width)))
    return AnyRows(loops, first.cycles(), least=first.least)


class _AnyRowsLowering(GroupLowering):
    def __init__(self, group: Group, name: str, rows: int, target: Target) -> None:
        self.count = rows
        super().__init__(group, {}, name, target)
        block = self.function.body
        self.rows = block.add_argument(ty.index, "lower"), block.add_argument(ty.index, "upper")
        self.function.function_type = ty.FunctionType(
            tuple(argument.type for argument in block.arguments), ()
        )
        self.function.set_all_argument_attributes([*map(self._facts, self.parameters), {}, {}])
        self._check_group()
        self.plans = [self._checked(part) for part in self.parts.parts]

    def buffer_type(self, type: Type) -> MemRefType:
        return rows_buffer(type, self.count)

    @property
    def across(self) -> list[RowPlan]:
        """The plans that have rows in the lanes of vectors."""
        return [plan for plan in self.plans if not plan.rows]

    @property
    def least(self) -> int:
        """The least number of rows for which a job of that number has the same bits.

        With few rows, they don't fill the lanes; then reductions may be along the lanes.
        """
        reduce = any(
            plan.segment.own_reductions(statement)
            for plan in self.across
            for statement in plan.segment.statements
        )
        return MOST_LANES if reduce else 1

    def widths(self) -> list[int]:
        """The numbers of rows that an iteration may have, widest first."""
        if not self.across:
            return [max((plan.block for plan in self.plans), default=1)]
        width = min(plan.width for plan in self.across)
        return list(dict.fromkeys((width, min(width, self.target.vector_bytes // 8), 1)))

    def cycles(self) -> float:
        """The estimated cycles per row."""
        return sum(plan.cycles / self.count for plan in self.plans)

    def of_width(self, width: int) -> func.Func:
        """The loops, with so many rows in the lanes of vectors."""
        for plan in self.across:
            plan.width, plan.further = width, {}
        return self.done().function

    def _check_group(self) -> None:
        function = self.group.function
        kept = [argument for argument in function.arguments if argument in self.group.place]
        alone = len(set(self.group.returned)) == len(self.group.returned)
        if self.work or self.storage.copied or kept or not alone:
            refuse(function, "needs memory for all rows")
        for op in function.body:
            if isinstance(op, tensor.Extract) and self._outer(op.tensor):
                refuse(op, "reads one row for all others")

    def _checked(self, part: GroupPart) -> RowPlan:
        """The plan of a part, whose loops go row by row, each for itself."""
        op, plan = part.ops[0], part.plan
        if plan is None or plan.tile is not None or plan.partials or plan.segment.folded:
            refuse(op, "does not go row by row")
        dims = plan.rows or [dim for dim in (plan.lanes,) if dim is not None]
        extents = [plan.segment.extents[dim] for dim in dims]
        if extents != [self.count]:
            refuse(op, f"has rows {extents}: expected {self.count}")
        (row,) = dims
        for statement in plan.segment.statements:
            if row in statement.reductions or row not in statement.dims:
                refuse(statement.op, "combines rows")
            for access in statement.accesses():
                if not self._stays_in_row(access, row):
                    refuse(statement.op, "reads or writes other rows")
            for value in generics.captured(statement.op):
                # A captured tensor is subscripted by its own dimensions.
                if self._outer(value) and (self._outer(value) > 1 or _is_made(value)):
                    refuse(statement.op, "reads other rows")
        return plan

    def _stays_in_row(self, access: Access, row: int) -> bool:
        outer = self._outer(access.value)
        if not outer:
            return row not in access.dims()
        (positions, first), *others = access.subscripts
        shape = generics.shape_of(access.value)
        return (
            first == Dim(row)
            and set(positions) >= set(range(outer))
            and all(shape[position] == 1 for position in positions[outer:])
            and not any(row in expr.dims() for _, expr in others)
        )

    def _outer(self, value: Value) -> int:
        type = value.type
        return outer_dims(type.shape, self.count) if isinstance(type, TensorType) else 0


def _is_made(value: Value) -> bool:
    return isinstance(value.defining_op, linalg.Generic)


def refuse(op: Operation, why: str) -> NoReturn:
    """Raise a `Refused` at an op."""
    error = op_error(op, f"{why}, so it cannot be lowered for an unknown number of rows")
    raise Refused(*error.diagnostics)
