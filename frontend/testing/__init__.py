"""The tests that every tensor op passes, for penstock's own ops and users'.

    from penstock.testing import check

    check(Cube)          # a class of the user's own module

runs them all: `infer` against the reference, the lowering, the text, the documentation, native code
in every dtype and class of shapes that the op takes, gradients against finite differences, sharding
against brute force, costs against counts. The calls come from the class's `samples`; more are
derived from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from penstock.functions.user_ops import op_class
from penstock.ir.dialects.flow.base import TensorOp
from penstock.testing.alignment.autotest import autotest as autotest
from penstock.testing.alignment.autotest import globaltest as globaltest
from penstock.testing.alignment.checking import Misalignment as Misalignment
from penstock.testing.alignment.opwise import check_call as check_call
from penstock.testing.cases import trying
from penstock.testing.duals.drawn import choice_tensor as choice_tensor
from penstock.testing.duals.drawn import random_dtype as random_dtype
from penstock.testing.duals.drawn import random_tensor as random_tensor
from penstock.testing.duals.dual import GetDualObject as GetDualObject
from penstock.testing.duals.dual import torch as torch
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
from penstock.testing.native import (
    check_derived_calls,
    check_on_simulated_gpu,
    check_own_calls,
)
from penstock.testing.sharing import check_derived_signatures, check_signatures_are_complete
from penstock.testing.stated import check_stated
from penstock.testing.work import check_cost

__all__ = [
    "CHECKS", "Failure", "GetDualObject", "Misalignment", "autotest", "check", "check_call",
    "checks_of", "choice_tensor", "globaltest", "random_dtype", "random_tensor", "torch",
]  # fmt: skip

CHECKS: Mapping[str, tuple[Callable[[type[TensorOp]], int], tuple[str, ...]]] = {
    "stated": (check_stated, ()),
    "infer": (check_inferred_types, ()),
    "docstring": (check_docstring, ()),
    "float64": (check_reference_in_float64, ()),
    "text": (check_text, ()),
    "lowered": (check_lowered, ("lower",)),
    "native": (check_own_calls, ("native",)),
    "simulated GPU": (check_on_simulated_gpu, ("native", "gpu")),
    "native, derived": (check_derived_calls, ("native",)),
    "gradient": (check_gradient, ("grad", "differences")),
    "second derivative": (check_second_derivative, ("grad", "differences")),
    "native gradient": (check_native_gradient, ("grad", "differences", "native")),
    "cost": (check_cost, ("cost",)),
    "sharing": (check_derived_signatures, ("sbp",)),
    "sharing, complete": (check_signatures_are_complete, ("sbp",)),
}
"""Each check by name, and the facets that disable it if they are in `waived`."""


def checks_of(cls: type[TensorOp]) -> list[str]:
    """The checks that apply to an op, given its waivers."""
    return [name for name, (_, facets) in CHECKS.items() if not set(facets) & set(cls.waived)]


def check(op: type[TensorOp] | str) -> dict[str, int]:
    """Run every check on an op, a class or its name; returns how many calls each check tried.

    Raises Failure, an AssertionError, that names the call and the problem, also if a method of the
    class raises something; TypeError and ValueError if there is no such op.

    >>> from penstock.ir.dialects.flow.pointwise.arithmetic import Relu
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
