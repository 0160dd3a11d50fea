"""Native code of many calls, compiled as one job, against float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.dialects.func import Func, Return
from penstock.ir.text.printer import print_module
from penstock.ir.types import TensorType
from penstock.loaded.loading import compile as compile_text
from penstock.testing.accuracy import CONFIRMING, errors_in_ulps, exact_and_unit
from penstock.testing.cases import Array, Case, cases_of, in_float64, trying
from penstock.testing.failures import Failure
from penstock.testing.special import LARGE, ROUNDS, differs, special_arrays
from penstock.testing.variants import corner_cases, in_other_dtypes, more_shapes, with_other_types

SIMULATED = "gpu-sim 0:0"
"""The simulated GPU, as a device of jobs."""
WANTED_SHAPES = 8
"""The minimum number of operand shapes that an op is compiled for."""
MOST = 200
"""The most elements in the operands of a call that only adds to the number of shapes."""


@dataclass(frozen=True)
class Call:
    """A computation to compile: types and arrays of its operands, and how its results are made."""

    name: str
    types: Sequence[TensorType]
    arrays: Sequence[Array]
    build: Callable[[Builder, Sequence[Value]], Sequence[Value]]
    evaluate: Callable[[Sequence[Array]], Sequence[Any]]
    """The results in NumPy; in float64 if the operands are."""
    ulps: float
    least: float = 0.0
    rounded: Callable[[Sequence[Array], np.random.Generator], Sequence[Any]] | None = None
    """Evaluates with other rounding of what is neither operand nor result: see `exact_and_unit`."""
    moves: bool = False
    special: bool = False
    """Whether operands may also be infinite, NaN, or the limits of integers."""
    rounding: Callable[[Sequence[Array]], Sequence[Array | float]] | None = None
    """How far results may be off on devices besides: `TensorOp.rounding_on_devices`."""
    elementwise: bool = False
    """Whether elements are not summed, so that operands may also be the largest floats."""


def call_of(case: Case) -> Call:
    """The call of an op."""
    return Call(
        str(case), case.types, case.arrays(), lambda b, values: case.create(b, values).results,
        case.reference, case.cls.ulps, case.cls.least, moves=case.cls.moves,
        special="special" not in case.cls.waived, rounding=case.rounding,
        elementwise=issubclass(case.cls, Elementwise),
    )  # fmt: skip


def job_of(calls: Sequence[Call], device: str = "") -> Module:
    """A job whose feeds are the operands of all calls and whose fetches are their results.

    It is for the CPU, or for a device such as `SIMULATED`.
    """
    module = Module.empty("calls")
    module.attributes["job.type"] = StringAttr("predict")
    if device:
        module.attributes["job.device"] = StringAttr(device)
    function = Func.make("calls", [type for call in calls for type in call.types])
    module.body.append(function)
    b = Builder.at_end(function.body)
    remaining = iter(function.arguments)
    results: list[Value] = []
    for call in calls:
        results += call.build(b, [next(remaining) for _ in call.types])
    b.create(Return, results)
    function.update_type()
    for position in range(len(function.arguments)):
        function.set_argument_attributes(position, {"job.feed": f"x{position}"})
    for position in range(len(results)):
        function.set_result_attributes(position, {"job.fetch": str(position)})
    return module


def problems_of(calls: Sequence[Call], device: str = "") -> list[str]:
    """Compile all calls as one job and run it; returns a line for each wrong one."""
    module = job_of(calls, device)
    types = iter([tensor(value) for value in module.job.returned.operands])
    job = compile_text(print_module(module))
    got = _run(job, [call.arrays for call in calls])
    wrong, counts = [], []
    for call in calls:
        found = exact_and_unit(call.evaluate, call.arrays, call.rounded)
        counts.append(len(found))
        mine = [next(got) for _ in found]
        expected = [next(types) for _ in found]
        rooms: Sequence[Array | float] = [0.0] * len(found)
        if device and call.rounding is not None:
            rooms = call.rounding(in_float64(call.arrays))
        problem = _problem(call, mine, expected, found, rooms)
        if problem:
            found = exact_and_unit(call.evaluate, call.arrays, call.rounded, CONFIRMING)
            problem = _problem(call, mine, expected, found, rooms)
        if problem:
            wrong.append(f"{call.name}: {problem}")
    return wrong or _special_problems(calls, job, counts)


def _problem(
    call: Call,
    got: Sequence[Array],
    types: Sequence[TensorType],
    expected: Sequence[tuple[Array, Array]],
    rooms: Sequence[Array | float],
) -> str:
    """The worst problem of the results, given each exact result with its unit, and how far it may
    be off besides; empty if none."""
    said: dict[float, str] = {}
    for mine, type, (exact, unit), room in zip(got, types, expected, rooms, strict=True):
        if (mine.shape, mine.dtype) != (type.shape, numpy_dtype(type.element)):
            said[np.inf] = f"native code gives {mine.dtype}{list(mine.shape)}, expected {type}"
            continue
        errors = errors_in_ulps(mine, exact, unit, call.moves, call.least, room)
        if not errors.max(initial=0.0) <= call.ulps:
            said.setdefault(float(errors.max()), _off(call, mine, exact, errors))
    return said[max(said)] if said else ""


def _off(call: Call, got: Array, exact: Array, errors: Array) -> str:
    """The problem of a result, at its worst element."""
    off = f"native code is off by {errors.max():.1f} units"
    if errors.shape != got.shape:
        actual, wanted = (f"{array.dtype}{list(array.shape)}" for array in (got, exact))
        return f"{off}: it gives {actual}, expected {wanted}"
    place = np.unravel_index(int(errors.argmax()), errors.shape)
    where = f" at {list(map(int, place))}" if place else ""
    if call.elementwise:
        operands = [np.broadcast_to(array, got.shape)[place] for array in call.arrays]
        where += f" of {', '.join(map(str, operands))}"
    knob = f"; `ulps` of the class allows {call.ulps}" if np.isfinite(errors.max()) else ""
    return f"{off}{where}: it gives {got[place]}, expected {exact[place]}{knob}"


def _run(job: Callable[..., Any], operands: Sequence[Sequence[Array]]) -> Iterator[Array]:
    """The results of all calls for these operands."""
    results = job(*(array for arrays in operands for array in arrays))
    return map(np.asarray, results if isinstance(results, tuple | list) else [results])


def _special_problems(
    calls: Sequence[Call], job: Callable[..., Any], counts: Sequence[int]
) -> list[str]:
    """A line for each call with wrong results, in `counts`, for infinite or NaN operands."""
    wrong: dict[str, str] = {}
    rounds = ROUNDS + LARGE * any(call.elementwise for call in calls)
    for number in range(rounds) if any(call.special for call in calls) else ():
        operands = [special_arrays(call.arrays, number) for call in calls]
        got = _run(job, operands)
        for call, arrays, count in zip(calls, operands, counts, strict=True):
            mine = [next(got) for _ in range(count)]
            overflows = number >= ROUNDS
            if not call.special or arrays is call.arrays or overflows > call.elementwise:
                continue
            for one, exact in zip(mine, call.evaluate(in_float64(arrays)), strict=True):
                if differs(one, np.asarray(exact), overflows):
                    said = f"native code gives {one} of {arrays}, expected {exact}"
                    wrong.setdefault(call.name, f"{call.name}: {said}")
    return list(wrong.values())


def check_calls(calls: Sequence[Call], device: str = "") -> int:
    """The number of calls; Failure names those whose native results are wrong."""
    try:
        wrong = problems_of(calls, device)
    except Exception:
        for call in calls:  # find which one fails alone
            with trying(call.name):
                problems_of([call], device)
        raise
    if wrong:
        raise Failure("\n".join(wrong))
    return len(calls)


def derived_cases(cls: type[TensorOp]) -> list[Case]:
    """Calls of corner cases that the class does not list, and one for each further dtype that it
    takes, of operands or by an attribute.

    Together with the class's calls they have at least 8 shapes, as far as `infer` allows.
    """
    own = [case for case in cases_of(cls) if case.shapes]
    named = with_other_types(cls)
    if not own:
        return named
    corners, _ = corner_cases(cls)
    shapes = {case.shapes for case in (*own, *corners)}
    for case in more_shapes(cls, WANTED_SHAPES, MOST) if len(shapes) < WANTED_SHAPES else ():
        if case.shapes not in shapes and len(shapes) < WANTED_SHAPES:
            shapes.add(case.shapes)
            corners.append(case)
    return corners + in_other_dtypes(max(own, key=lambda case: case.count)) + named


def shapes_called(cls: type[TensorOp]) -> int:
    """The number of shapes that the op is compiled for."""
    return len({case.shapes for case in (*cases_of(cls), *derived_cases(cls))})


def check_shapes(cls: type[TensorOp], count: int, wanted: int, calls: str) -> None:
    """Raise Failure if there are fewer shapes than required and no reason is stated."""
    if count < wanted and "shapes" not in cls.waived:
        raise Failure(
            f"{cls.name}: there are {calls} of {count} shapes, expected {wanted}: list more in "
            "`samples`, or say why not in `waived`"
        )


def check_own_calls(cls: type[TensorOp]) -> int:
    """The class's calls, as native code; returns their number."""
    return check_calls([call_of(case) for case in cases_of(cls)])


def check_on_simulated_gpu(cls: type[TensorOp]) -> int:
    """The class's calls, on the simulated GPU; returns their number."""
    return check_calls([call_of(case) for case in cases_of(cls)], SIMULATED)


def check_derived_calls(cls: type[TensorOp]) -> int:
    """Calls of other shapes and dtypes, as native code; returns their number."""
    cases = derived_cases(cls)
    count = len({case.shapes for case in (*cases_of(cls), *cases)})
    if count >= WANTED_SHAPES and "shapes" in cls.waived:
        raise Failure(f"{cls.name} waives shapes, and there are calls of {count}")
    check_shapes(cls, count, WANTED_SHAPES, "calls")
    return check_calls([call_of(case) for case in cases]) if cases else 0
