"""An op's costs against counts of what the interpreter runs, reads and makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func
from penstock.ir.meaning.cost import Cost, cost_of, root
from penstock.ir.meaning.evaluate_generic import evaluate_generic
from penstock.ir.meaning.interpreter import Interpreter
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.testing.cases import Array, Case, cases_of, trying
from penstock.testing.failures import Failure
from penstock.testing.variants import corner_cases

MOST = 2000
"""The most elements of all operands of a counted call: reductions take time."""


class Counts(Interpreter):
    """What a function did: runs of scalar ops, and the elements of its arguments that were read."""

    def __init__(self, function: Func) -> None:
        super().__init__(promote=False, watch=None)
        self.flops = self.transcendentals = 0
        self.read: dict[Value, Array] = {
            argument: np.zeros(tensor(argument).shape, bool) for argument in function.arguments
        }

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        """The results of one op, with its scalar ops and reads counted."""
        if isinstance(op, linalg.Generic):
            return evaluate_generic(op, values, self)
        return super().run(op, arrays, values)

    def ran(self, op: Operation, times: int) -> None:
        """Record that a scalar op ran so many times."""
        self.flops += times * op.flops
        self.transcendentals += times * op.transcendentals

    def touched(self, value: Value, place: tuple[Array, ...]) -> None:
        """Record that elements of an argument, or of a view of one, were read."""
        mask = self.read.get(root(value))
        if mask is not None:
            mask.reshape(tensor(value).shape)[place] = True

    def read_bytes(self) -> int:
        """The bytes of all elements that were read, each counted once."""
        return sum(
            int(mask.sum()) * numpy_dtype(tensor(value).element).itemsize
            for value, mask in self.read.items()
        )


def counted(case: Case) -> tuple[Cost, Func]:
    """The counted cost, and the function that was run."""
    function = lowered_copy(case.op)
    counts = Counts(function)
    results = counts.call(function, case.arrays())
    pairs = zip(function.returned.operands, results, strict=True)
    arguments = set(function.arguments)
    written = sum(array.nbytes for value, array in pairs if root(value) not in arguments)
    return Cost(counts.flops, counts.transcendentals, counts.read_bytes(), written), function


def reads_by_data(function: Func) -> bool:
    """Whether some element is read at a subscript that depends on data."""
    return any(
        isinstance(inner, tensors.Extract) and any(map(_is_data, inner.operands[1:]))
        for op in function.body
        if isinstance(op, linalg.Generic)
        for inner in op.body
    )


def _is_data(value: Value) -> bool:
    """Whether a scalar depends on an element."""
    op = value.defining_op
    return op is None or isinstance(op, tensors.Extract) or any(map(_is_data, op.operands))


def check_cost(cls: type[TensorOp]) -> int:
    """The stated cost equals the counted one, except for kernels, whose loops run elsewhere;
    returns the number of calls.

    For reads at subscripts that depend on data, the stated bytes may be more, up to the whole
    array.
    """
    corners, _ = corner_cases(cls)
    cases = [case for case in (*cases_of(cls), *corners) if case.count <= MOST]
    tried = 0
    for case in cases:
        with trying(case):
            stated = cost_of(case.op)
            got, function = counted(case)
        if any(isinstance(op, Kernel) for op in function.body):
            continue
        more = stated.read - got.read if reads_by_data(function) else 0
        if more < 0 or got + Cost(read=more) != stated:
            raise Failure(f"{case}: costs are stated as {stated}, counted as {got}")
        tried += 1
    return tried
