"""`flow.special`: functions of mathematics, elementwise or along a dimension."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any

from penstock.basics.dtypes import float64
from penstock.basics.names import no_such
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensor_functions.calls import as_type, op, pair
from penstock.tensor_functions.pointwise import FUNCTIONS, add, div, log_softmax, mul, pow, where
from penstock.tensor_functions.pointwise import softmax as softmax
from penstock.tensor_functions.reductions import logsumexp
from penstock.tensors.execute import cast_to
from penstock.tensors.promotion import common_type, default_float, scalar
from penstock.tensors.tensor import Tensor

__all__ = [
    "digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "log1p", "log_softmax", "logsumexp", "psi",
    "round", "softmax", "zeta",
]  # fmt: skip

digamma, erf, erfc, erfinv, exp2, expm1, log1p, round = (
    FUNCTIONS[name]
    for name in ("digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "log1p", "round")
)
psi = digamma

_TERMS = 9
_BERNOULLI = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10,
    -2.950130727918164224e12, 1.1646782814350067249e14, -4.5979787224074726105e15,
    1.8152105401943546773e17, -7.1661652561756670113e18,
)  # fmt: skip
"""(2 k)! / B(2 k), of the Euler-Maclaurin formula."""


def zeta(input: Any, other: Any) -> Tensor:
    """The Hurwitz zeta function: the sum of (k + q) ** -x over k from 0, for x = input, q = other.

    It is infinite for x = 1 and for whole q <= 0, and NaN for x < 1, and for q < 0 unless x is
    whole. Computed in float64, by the Euler-Maclaurin formula. Source: Cephes, zeta.c.

    >>> import penstock as flow
    >>> flow.special.zeta(flow.tensor([2.0]), 1)
    tensor([1.6449], dtype=penstock.float32)
    """
    found = common_type(input, other)
    dtype = found if found.is_float else default_float()
    x, q = (
        cast_to(one, float64.numpy) if isinstance(one, Tensor) else scalar(one, float64.numpy)
        for one in (input, other)
    )
    negative = op("flow.negative", x)
    total = pow(q, negative)
    for k in range(1, _TERMS + 1):
        total = add(total, pow(add(q, k), negative))
    last = add(q, _TERMS)
    power = pow(last, negative)
    total = add(total, div(mul(power, last), add(x, -1)))
    total = add(total, mul(power, -0.5))
    factor: Any = 1.0
    for k, divisor in enumerate(_BERNOULLI):
        factor = mul(factor, add(x, 2 * k))
        power = div(power, last)
        total = add(total, div(mul(factor, power), divisor))
        factor = mul(factor, add(x, 2 * k + 1))
        power = div(power, last)
    whole_q = pair("flow.equal", q, op("flow.floor", q))
    whole_x = pair("flow.equal", x, op("flow.floor", x))
    below = pair("flow.less_equal", q, 0)
    total = where(pair("flow.logical_and", below, pair("flow.equal", whole_x, 0)), nan, total)
    total = where(pair("flow.logical_and", below, whole_q), inf, total)
    total = where(pair("flow.less", x, 1), nan, total)
    return as_type(where(pair("flow.equal", x, 1), inf, total), dtype)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.special")
