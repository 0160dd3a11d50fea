"""An op's reference against the types that it infers and against its lowering."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable, Sequence

import numpy as np

from penstock.ir.attributes import numpy_dtype
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.flow.widening import evaluate
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import function_of, interpret
from penstock.ir.text.printer import print_module
from penstock.ir.types import is_float
from penstock.ir.verify.verifier import verify
from penstock.passes.flow.lower_to_linalg import LowerToLinalg
from penstock.testing.cases import Array, Case, cases_of, in_float64, is_float_array, trying
from penstock.testing.failures import Failure
from penstock.testing.gradients import differentiable_cases
from penstock.testing.native import derived_cases

BOUNDS = {"float32": 3e-6, "float64": 1e-13, "float16": 2.0**-10, "bfloat16": 2.0**-7}
"""The tolerance of loops against the reference in the same dtype; sums may have another order."""
WORDS = ("Shapes:", "Elements:", "Source:")
"""What a docstring must state after its first line."""


def all_cases(cls: type[TensorOp]) -> list[Case]:
    """The class's calls, those of other shapes and dtypes, and those with gradients."""
    found = [*cases_of(cls), *derived_cases(cls), *differentiable_cases(cls)]
    return list({case.number: case for case in found}.values())


def near(got: Array, wanted: Array) -> bool:
    """Whether integers are equal, and floats equal up to the order of sums."""
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if not is_float_array(wanted):
        return np.array_equal(got, wanted)
    bound = BOUNDS[wanted.dtype.name]
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    return np.allclose(got, wanted, rtol=bound, atol=bound, equal_nan=True)


def _check_each(cases: Sequence[Case], problem: Callable[[Case], str | None]) -> int:
    """The number of cases; Failure for the first that has a problem."""
    for case in cases:
        with trying(case):
            found = problem(case)
        if found is not None:
            raise Failure(f"{case}: {found}")
    return len(cases)


def check_inferred_types(cls: type[TensorOp]) -> int:
    """The reference gives the shapes and dtypes that `infer` gives, for all calls."""

    def problem(case: Case) -> str | None:
        results = case.reference(case.arrays())
        for result, array in zip(case.op.results, results, strict=True):
            type = tensor(result)
            if (array.shape, array.dtype) != (type.shape, numpy_dtype(type.element)):
                got = f"{array.dtype}{list(array.shape)}"
                return f"the reference gives {got}, infer says {type}: one of them is wrong"
        return None

    return _check_each(all_cases(cls), problem)


def check_reference_in_float64(cls: type[TensorOp]) -> int:
    """If an op takes floats, its reference computes in float64 on float64 operands, close to its
    f32 results; returns the number of such calls."""

    def problem(case: Case) -> str | None:
        narrow = case.reference(case.arrays())
        wide = interpret(function_of(case.op), case.arrays(), True)
        for low, high in zip(narrow, wide, strict=True):
            if not is_float_array(low):
                continue
            bound = max(1e-5, BOUNDS[low.dtype.name])
            low = low.astype(np.float64)
            if not np.allclose(low, high, rtol=bound, atol=bound, equal_nan=True):
                return f"{low} in {narrow[0].dtype}, {high} in float64"
        for array, result in zip(case.reference(in_float64(case.arrays())), case.op.results,
                                 strict=True):  # fmt: skip
            if is_float(tensor(result).element) and array.dtype != np.float64:
                return f"a result is {array.dtype} where operands are float64"
        return None

    elements = (np.dtype(np.float32), np.dtype(np.float16))
    cases = [c for c in cases_of(cls) if any(a.dtype in elements for a in c.arrays())]
    return _check_each(cases, problem)


def check_lowered(cls: type[TensorOp]) -> int:
    """The op's lowering, interpreted, computes the reference."""

    def problem(case: Case) -> str | None:
        module, _ = case.program()
        LowerToLinalg().run(module)
        verify(module)
        left = [op.name for op in module.job.body
                if isinstance(op, TensorOp) and not isinstance(op, Kernel)]  # fmt: skip
        if left:
            return f"{', '.join(left)} is left where all tensor ops but kernels are lowered"
        arrays = case.arrays()
        for mine, wanted in zip(interpret(module, arrays), case.reference(arrays), strict=True):
            if not near(mine, wanted):
                return f"lowered {mine}, reference {wanted}"
        return None

    return _check_each(cases_of(cls), problem)


def check_text(cls: type[TensorOp]) -> int:
    """The op and its lowering, parsed from their text in both forms, print the same again."""
    seen: set[str] = set()

    def problem(case: Case) -> str | None:
        module, _ = case.program()
        written = print_module(module)
        if written in seen:
            return None
        seen.add(written)
        for lowered in (False, True):
            if lowered:
                LowerToLinalg().run(module)
            for generic in (False, True):
                text = print_module(module, generic=generic)
                again = print_module(parse_module(text), generic=generic)
                if again != text:
                    return f"reads\n{text}\nas\n{again}"
        return None

    return _check_each(cases_of(cls), problem)


def check_docstring(cls: type[TensorOp]) -> int:
    """The docstring has what a reader needs, and its examples run; returns their number."""
    text = inspect.getdoc(cls) or ""
    summary = text.partition("\n")[0]
    if len(summary) <= 10 or not summary.endswith("."):
        raise Failure(f"{cls.name}: expected a docstring whose first line is a sentence")
    for word in WORDS:
        if word not in " ".join(text.split()):
            raise Failure(f"{cls.name}: the docstring does not state {word!r}")
    test = doctest.DocTestParser().get_doctest(text, {"evaluate": evaluate}, cls.name, None, None)
    if not any(f'evaluate("{cls.name}"' in example.source for example in test.examples):
        raise Failure(f"{cls.name}: the docstring shows no evaluate({cls.name!r}, ...)")
    said: list[str] = []
    if doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed:
        raise Failure(f"{cls.name}: {''.join(said)}")
    return len(test.examples)
