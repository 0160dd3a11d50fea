"""Bodies of generics on vectors: what they compute for several neighbouring positions at once."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.ir import types as ty
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith
from penstock.passes.loops.write.loop_writer import LoopWriter


def write_lanewise(
    writer: LoopWriter,
    ops: Iterable[Operation],
    mapping: dict[Value, Value],
    shape: tuple[int, ...],
) -> None:
    """Write ops of a body here, on vectors of this shape; `mapping` learns their results.

    What depends on no vector stays a scalar. Values that `mapping` lacks are the body's own.
    """
    for op in ops:
        if op.terminator:
            continue
        if isinstance(op, arith.Constant):
            mapping[op.results[0]] = writer.constant(op.value)
            continue
        operands = [mapping.get(value, value) for value in op.operands]
        if not any(isinstance(value.type, ty.VectorType) for value in operands):
            mapping.update(zip(op.results, writer.pure(op.clone(mapping)), strict=True))
            continue
        operands = [as_vector(writer, value, shape) for value in operands]
        types = [ty.VectorType(shape, result.type) for result in op.results]
        vector_op = type(op)(operands, types, op.attributes, location=op.location)
        mapping.update(zip(op.results, writer.here(vector_op), strict=True))


def as_vector(writer: LoopWriter, value: Value, shape: tuple[int, ...]) -> Value:
    """A value as a vector of this shape: itself, or repeated."""
    return value if isinstance(value.type, ty.VectorType) else writer.splat(value, shape)
