"""The tests that every tensor op passes, for ops of penstock's own and of others.

    from penstock.testing import check

    check(Cube)          # a class of the user's own module

runs all of them: what `infer` says against the reference, what the op lowers to, its text, its
documentation, native code in every dtype and class of shapes that it takes, gradients against
differences, sharing against brute force, costs against counts. Calls are those of the class's
`samples`, and more that are made from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from penstock.ir.dialects.flow.base import TensorOp
from penstock.testing.cases import trying
from penstock.testing.failures import Failure
from penstock.testing.gradients import (
    check_gradient,
    check_native_gradient,
    check_second_derivative,
)
from penstock.testing.meaning import (
    check_docstring,
    check_inferred_types,
    check_lowered,
    check_reference_in_float64,
    check_text,
)
from penstock.testing.native import check_derived_calls, check_own_calls
from penstock.testing.sharing import check_derived_signatures, check_signatures_are_complete
from penstock.testing.stated import check_stated
from penstock.testing.work import check_cost
from penstock.trace.user_ops import op_class

__all__ = ["CHECKS", "Failure", "check", "checks_of"]

CHECKS: Mapping[str, tuple[Callable[[type[TensorOp]], int], tuple[str, ...]]] = {
    "stated": (check_stated, ()),
    "infer": (check_inferred_types, ()),
    "docstring": (check_docstring, ()),
    "float64": (check_reference_in_float64, ()),
    "text": (check_text, ()),
    "lowered": (check_lowered, ("lower",)),
    "native": (check_own_calls, ("native",)),
    "native, derived": (check_derived_calls, ("native",)),
    "gradient": (check_gradient, ("grad",)),
    "second derivative": (check_second_derivative, ("grad",)),
    "native gradient": (check_native_gradient, ("grad", "native")),
    "cost": (check_cost, ("cost",)),
    "sharing": (check_derived_signatures, ("sbp",)),
    "sharing, complete": (check_signatures_are_complete, ("sbp",)),
}
"""Each check by name, and the facets in `waived` without which it is not run."""


def checks_of(cls: type[TensorOp]) -> list[str]:
    """The checks that are run on an op, which waives no facet that they need."""
    return [name for name, (_, facets) in CHECKS.items() if not set(facets) & set(cls.waived)]


def check(op: type[TensorOp] | str) -> dict[str, int]:
    """Run every check on an op, a class or its name: how many calls, or signatures, each tried.

    Failure, an AssertionError, says what is wrong with which call, also where a method of the class
    raises something; TypeError and ValueError where there is no such op.

    >>> from penstock.ir.dialects.flow.pointwise.unary import Relu
    >>> counts = check(Relu)
    >>> counts["docstring"], counts["gradient"] >= 20
    (1, True)
    """
    cls = op_class(op, "penstock.testing.check")
    counts = {}
    for name in checks_of(cls):
        with trying(f"check {name!r} of {cls.name}"):
            counts[name] = CHECKS[name][0](cls)
    return counts
