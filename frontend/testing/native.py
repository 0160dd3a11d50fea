"""Native code of many calls, compiled as one job, against float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.printer import print_module
from penstock.ir.types import TensorType
from penstock.loading import compile as compile_text
from penstock.testing.accuracy import error_in_ulps, exact_and_unit
from penstock.testing.cases import Array, Case, cases_of, trying
from penstock.testing.failures import Failure
from penstock.testing.variants import corner_cases, in_other_dtypes, more_shapes, with_other_types

WANTED_SHAPES = 8
"""How many shapes of operands an op is compiled for, at least."""
MOST = 200
"""How many elements the operands of a call have together that is only there to be one more."""


@dataclass(frozen=True)
class Call:
    """Something to compile: types and arrays of its operands, and how its results are made."""

    name: str
    types: Sequence[TensorType]
    arrays: Sequence[Array]
    build: Callable[[Builder, Sequence[Value]], Sequence[Value]]
    evaluate: Callable[[Sequence[Array]], Sequence[Any]]
    """The results in NumPy; in float64 where the operands are."""
    ulps: float
    least: float = 0.0
    moves: bool = False


def call_of(case: Case) -> Call:
    """The call of an op."""
    return Call(
        str(case), case.types, case.arrays(), lambda b, values: case.create(b, values).results,
        case.reference, case.cls.ulps, case.cls.least, case.cls.moves,
    )  # fmt: skip


def job_of(calls: Sequence[Call]) -> Module:
    """A job whose feeds are the operands of all calls, and whose fetches are their results."""
    module = Module.empty("calls")
    module.attributes["job.type"] = StringAttr("predict")
    function = Func.make("calls", [type for call in calls for type in call.types])
    module.body.append(function)
    b = Builder.at_end(function.body)
    given = iter(function.arguments)
    results: list[Value] = []
    for call in calls:
        results += call.build(b, [next(given) for _ in call.types])
    b.create(Return, results)
    function.update_type()
    for position in range(len(function.arguments)):
        function.set_argument_attributes(position, {"job.feed": f"x{position}"})
    for position in range(len(results)):
        function.set_result_attributes(position, {"job.fetch": str(position)})
    return module


def errors_of(calls: Sequence[Call]) -> list[float]:
    """Compile and run all calls as one job: the largest error of each in its units."""
    module = job_of(calls)
    types = iter([tensor(value) for value in module.job.returned.operands])
    job = compile_text(print_module(module))
    made = job(*(array for call in calls for array in call.arrays))
    got = iter(made if isinstance(made, tuple | list) else [made])
    errors = []
    for call in calls:
        pairs = exact_and_unit(call.evaluate, call.arrays)
        worst = 0.0
        for exact, unit in pairs:
            mine, type = np.asarray(next(got)), next(types)
            right = (mine.shape, mine.dtype) == (type.shape, numpy_dtype(type.element))
            error = error_in_ulps(mine, exact, unit, call.moves, call.least)
            worst = max(worst, error if right else float("inf"))
        errors.append(worst)
    return errors


def check_calls(calls: Sequence[Call]) -> int:
    """How many calls there are; Failure names those whose native results are wrong."""
    try:
        errors = errors_of(calls)
    except Exception:
        for call in calls:  # which of them it is, when that does not hold of all together alone
            with trying(call.name):
                errors_of([call])
        raise
    wrong = [
        f"{call.name}: native code is off by {error:.1f} units, {call.ulps} are allowed"
        for call, error in zip(calls, errors, strict=True)
        if not error <= call.ulps
    ]
    if wrong:
        raise Failure("\n".join(wrong))
    return len(calls)


def derived_cases(cls: type[TensorOp]) -> list[Case]:
    """Calls of corners that the class does not list, and one for each other dtype that it takes, of
    operands or by an attribute.

    With those of the class they are of 8 shapes at least, where `infer` lets them.
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


def check_own_calls(cls: type[TensorOp]) -> int:
    """The calls that the class lists, as native code; how many there are."""
    return check_calls([call_of(case) for case in cases_of(cls)])


def check_derived_calls(cls: type[TensorOp]) -> int:
    """The calls of other shapes and dtypes, as native code; how many there are."""
    cases = derived_cases(cls)
    shapes = {case.shapes for case in (*cases_of(cls), *cases)}
    if len(shapes) >= WANTED_SHAPES and "shapes" in cls.waived:
        raise Failure(f"{cls.name} waives shapes, and there are calls of {len(shapes)}")
    if len(shapes) < WANTED_SHAPES and "shapes" not in cls.waived:
        raise Failure(
            f"{cls.name}: there are calls of {len(shapes)} shapes, expected {WANTED_SHAPES}: list "
            "more in `samples`, or say why not in `waived`"
        )
    return check_calls([call_of(case) for case in cases]) if cases else 0
