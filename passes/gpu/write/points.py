"""Elements of a group's tensors at the points of a thread: read, computed there, or known."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from penstock.ir.affine import AffineMap
from penstock.ir.core import Value
from penstock.ir.dialects import linalg
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import initial_value
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.loops.linalg_to_loops import write_body

Point = Mapping[int, Value]
"""The value of each dimension of an op."""


class Points:
    """Reads and computes elements in one kernel. `inlined` are ops computed where they are read."""

    def __init__(self, writer: KernelWriter, inlined: Collection[linalg.Generic] = ()) -> None:
        self.writer = writer
        self.inlined = inlined

    def subscripts(self, map: AffineMap, point: Point) -> list[Value]:
        """Where a map leads from a point."""
        return [self.writer.affine(expr, point) for expr in map.results]

    def read(self, value: Value, indices: Sequence[Value]) -> Value:
        """An element of a tensor."""
        producer = value.defining_op
        if isinstance(producer, linalg.Generic) and producer in self.inlined:
            number = producer.results.index(value)  # type: ignore[arg-type]
            dims = generics.output_map(producer, number).dims()
            values = self.compute(producer, dict(zip(dims, indices, strict=True)), {})
            return values[number]
        return self.writer.load(self.writer.outside[value], indices, movable=False)

    def compute(
        self,
        op: linalg.Generic,
        point: Point,
        known: Mapping[Value, Value],
        totals: Sequence[Value] | None = None,
    ) -> Sequence[Value]:
        """The results of an op at a point; `known` has elements of tensors there.

        `totals` are what a reduction has added up so far.
        """
        mapping = {**self.writer.outside}
        maps = op.indexing_maps
        for value, argument, map in zip(
            op.inputs, generics.input_arguments(op), maps, strict=False
        ):
            if argument.uses:
                mapping[argument] = self._operand(value, map, point, known)
        for k, argument in enumerate(generics.output_arguments(op)):
            if argument.uses:
                constant = initial_value(op, k)
                if totals is not None:
                    mapping[argument] = totals[k]
                elif constant is not None:
                    mapping[argument] = self.writer.constant(constant)
                else:
                    map = maps[len(op.inputs) + k]
                    mapping[argument] = self._operand(op.outputs[k], map, point, known)
        self.writer.location = op.location
        write_body(self.writer, op, point, mapping, self.read)
        return [mapping.get(value, value) for value in op.body.terminator.operands]

    def _operand(
        self, value: Value, map: AffineMap, point: Point, known: Mapping[Value, Value]
    ) -> Value:
        found = known.get(value)
        return self.read(value, self.subscripts(map, point)) if found is None else found

    def store(self, op: linalg.Generic, point: Point, values: Sequence[Value]) -> None:
        """Write those results of an op at a point that memory holds."""
        for k, value in enumerate(values):
            buffer = self.writer.outside.get(op.results[k])
            if buffer is not None:
                indices = self.subscripts(generics.output_map(op, k), point)
                self.writer.store(value, buffer, indices)
