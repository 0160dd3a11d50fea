"""Gradients clipped by value, and parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.basics.checks import check_number
from penstock.basics.errors import located
from penstock.tensor_functions.calls import pair, reshaped
from penstock.tensor_functions.shapes import cat
from penstock.tensors.inplace import assign, refuse_traced
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor, check_tensor


def _gradients(parameters: Any, what: str) -> list[Tensor]:
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    found = [check_tensor(one, what).grad for one in given]
    return [one for one in found if one is not None]


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Clamp each element of the gradients to [-clip_value, clip_value], in place."""
    what = "flow.nn.utils.clip_grad_value_"
    bound = check_number(clip_value, f"clip_value of {what}")
    refuse_traced("clip_grad_value_")
    with no_grad():
        for one in _gradients(parameters, what):
            bounded = pair("flow.minimum", pair("flow.maximum", one, -bound), bound)
            assign(one, bounded, what)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements of all parameters, concatenated.

    >>> import penstock as flow
    >>> flow.nn.utils.parameters_to_vector([flow.ones(1, 2), flow.zeros(1)])
    tensor([1., 1., 0.], dtype=penstock.float32)
    """
    what = "flow.nn.utils.parameters_to_vector"
    flat = [reshaped(check_tensor(one, what), [one.array.size]) for one in parameters]
    if not flat:
        raise located(ValueError, f"{what} takes at least one parameter")
    return cat(flat)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Copy the elements of a vector, as made by `parameters_to_vector`, into the parameters."""
    what = "flow.nn.utils.vector_to_parameters"
    check_tensor(vec, what)
    given = [check_tensor(one, what) for one in parameters]
    count = sum(one.array.size for one in given)
    if vec.array.shape != (count,):
        raise located(
            ValueError,
            f"{what} takes a vector of {count} elements, the total of the parameters, got shape "
            f"{tuple(vec.shape)}",
        )
    start = 0
    with no_grad():
        for one in given:
            part = vec[start : start + one.array.size]
            assign(one, reshaped(part, list(one.shape)), what)
            start += one.array.size
