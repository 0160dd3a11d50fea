"""Distances and similarities of vectors."""

from __future__ import annotations

from penstock.basics.checks import check_flag, check_number
from penstock.basics.errors import located
from penstock.tensor_functions.calls import given, op, pair
from penstock.tensor_functions.linear_algebra import vector_norm
from penstock.tensor_functions.pointwise import add, div, mul, sub
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensors.tensor import Tensor


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The sum of x1 * x2 along a dimension, divided by the lengths of both, each at least `eps`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.cosine_similarity(flow.tensor([[3.0, 4.0]]), flow.tensor([[1.0, 0.0]]))
    tensor([0.6000], dtype=penstock.float32)
    """
    what = "F.cosine_similarity"
    x, y = given(x1, what), given(x2, what)
    least = check_number(eps, f"eps of {what}")
    if not x.dtype.is_float or not y.dtype.is_float:
        raise located(TypeError, f"{what} takes floats, got {x.dtype} and {y.dtype}")
    product = mul(x, y)
    # Normalize each vector first: the product of two lengths may overflow.
    if tuple(x.shape) != tuple(product.shape) or tuple(y.shape) != tuple(product.shape):
        x, y = (op("flow.broadcast_to", one, shape=list(product.shape)) for one in (x, y))
    x, y = (div(one, pair("flow.maximum", vector_norm(one, 2, dim, True), least)) for one in (x, y))
    return sum_of(mul(x, y), dim)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    what = "F.pairwise_distance"
    apart = add(sub(given(x1, what), given(x2, what)), check_number(eps, f"eps of {what}"))
    return vector_norm(apart, p, -1, check_flag(keepdim, f"keepdim of {what}"))
