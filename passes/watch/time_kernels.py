"""Pass `time-kernels`: have each kernel's time recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import attribute
from penstock.ir.core import Operation
from penstock.ir.dialects import func, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.location import Location
from penstock.ir.meaning.cost import Cost, bytes_of, cost_of
from penstock.ir.meaning.timing import TIMED
from penstock.passes.base import Order, Pass
from penstock.passes.loops.tiles.pairs import count_pairs

TRANSCENDENTAL = 16
"""How many flops a function such as exp counts for when a kernel's time is shared out to lines."""


class TimeKernels(Pass):
    """Number the calls of the job's kernels, and say what each computes.

        %y = func.call @matmul_relu_0(%x, %w)
    ->
        %y = func.call @matmul_relu_0(%x, %w) {job.timed = {id = 0, name = "matmul_relu_0", ...}}

    The code generator records when such a call begins and ends, if a profile is attached. Kernels
    are not changed. A kernel may compute what several lines of the user say. Each of them gets a
    weight by which to share out the kernel's time: the flops, and the iterations of its loops.
    Kernels that run only while somebody watches a blob are not numbered.
    """

    name = "time-kernels"
    before: ClassVar[Order] = {"bufferize": "buffers hide the work of a kernel"}
    after: ClassVar[Order] = {"outline-groups": None}

    def run(self, module: Module) -> None:
        functions = {function.sym_name: function for function in module.functions()}
        costs: dict[str, tuple[Cost, tuple[int, int]]] = {}
        calls = [op for op in module.job.body if isinstance(op, func.Call)]
        for number, call in enumerate(calls):
            function = functions[call.callee]
            if call.callee not in costs:
                costs[call.callee] = cost_of(function), _kinds(function)
            cost, kinds = costs[call.callee]
            weights = _weights(function, call.location)
            call.attributes[TIMED] = attribute({
                "id": number, "name": call.callee,
                "flops": cost.flops, "doubles": kinds[0], "pairs": kinds[1],
                "transcendentals": cost.transcendentals,
                "read": cost.read, "written": cost.written,
                "arena": 0,  # known when buffers are placed
                "places": list(weights), "weights": list(weights.values()),
            })  # fmt: skip


def _kinds(function: func.Func) -> tuple[int, int]:
    """How many flops are on f64, and how many multiply bf16 for a sum; their peaks differ."""
    doubles = pairs = 0
    for op in function.walk():
        if isinstance(op, linalg.Generic):
            points = math.prod(op.extents)
            inside = [inner for outer in op.body for inner in outer.walk()]
            doubles += points * sum(one.flops for one in inside if _is_double(one))
            pairs += 2 * points * count_pairs(op)
        elif isinstance(op, Kernel) and _is_double(op):
            doubles += op.count_flops()
    return doubles, pairs


def _is_double(op: Operation) -> bool:
    types = (value.type for value in op.operands)
    return any((t.element if isinstance(t, ty.ShapedType) else t) is ty.f64 for t in types)


def _weights(function: func.Func, location: Location) -> Mapping[str, int]:
    """The lines of a call, and the weight of each."""
    first, own = _described(function.location), _described(location)
    # Equal groups share a function, which has the locations of the first.
    lines = dict(zip(first, own, strict=True)) if len(first) == len(own) else {}
    found = dict.fromkeys(own, 0)
    for op in function.walk():
        weight = _weight(op)
        places = [lines[place] for place in _described(op.location) if place in lines] or own
        for place in places:
            found[place] += weight // len(places)
    return {line: max(1, weight) for line, weight in found.items()}


def _described(location: Location) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.describe() for place in location.files()))


def _weight(op: Operation) -> int:
    if isinstance(op, linalg.Generic):
        cost = cost_of(op)
        return cost.flops + TRANSCENDENTAL * cost.transcendentals + math.prod(op.extents)
    if isinstance(op, Kernel):
        return op.count_flops() + bytes_of(op.operands)
    return 0
