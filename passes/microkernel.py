"""The innermost loop of a contraction: a tile of the result in registers.

%acc = scf.for %k = %from to %to step %one iter_args(%sum = %begin) -> (vector<6x16xf32>) {
  %a = rows k of a micropanel : vector<6xf32>
  %b = lanes k of a panel : vector<16xf32>
  %next = vector.outerproduct %a, %b, %sum : vector<6xf32>, vector<16xf32>
  scf.yield %next : vector<6x16xf32>
}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir.core import Value
from penstock.ir.dialects import arith, vector
from penstock.passes.index_math import Index, IndexMath

Read = Callable[[Sequence[Index]], Value]
"""Reads a vector at one position of the dimensions that are added up."""


def write_microkernel(
    math: IndexMath,
    bounds: Sequence[tuple[Index, Index]],
    begin: Value,
    rows: Read,
    lanes: Read,
    fused: bool,
) -> Value:
    """The sum of outer products over `bounds`, the last fastest, added to `begin` one by one.

    `fused` says whether the processor rounds a product and a sum once in one instruction.
    """
    writer = math.writer

    def step(position: list[Index], acc: Value) -> Value:
        if len(position) < len(bounds):
            lower, upper = bounds[len(position)]
            return loop(position, lower, upper, acc)
        a, b = rows(position), lanes(position)
        if fused:
            return writer.create(vector.OuterProduct, a, b, [acc]).result
        product = writer.create(vector.OuterProduct, a, b, []).result
        return writer.create(arith.AddF, acc, product).result

    def loop(position: list[Index], lower: Index, upper: Index, acc: Value) -> Value:
        if isinstance(lower, int) and isinstance(upper, int) and upper == lower + 1:
            return step([*position, lower], acc)
        k, carried = writer.begin_loop(math.value(lower), math.value(upper), 1, [acc], "k")
        return writer.end_loop([step([*position, k], carried)])[0]

    return step([], begin)
