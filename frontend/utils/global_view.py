"""`flow.utils.global_view`: the tensors in nested containers made global, or local again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.basics.errors import located
from penstock.sbp import Signature
from penstock.tensor_functions import (
    methods,  # noqa: F401 - gives tensors their methods
    shapes,
)
from penstock.tensors.tensor import Tensor


def _each(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, dict):
        return type(value)((key, _each(one, change)) for key, one in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_each(one, change) for one in value))
    if isinstance(value, list | tuple):
        return type(value)(_each(one, change) for one in value)
    return value


def to_global(input: Any, placement: Any = None, sbp: Any = None, **named: Any) -> Any:
    """The same nest of lists, tuples and dicts, with `Tensor.to_global` of each tensor.

    `sbp` may be a function of the whole input and a tensor that returns the tensor's signature.
    Raises a located ValueError without placement and sbp.

    >>> import penstock as flow
    >>> state = {"w": flow.ones(2)}
    >>> cpu = flow.placement.all("cpu")
    >>> flow.utils.global_view.to_global(state, cpu, flow.sbp.broadcast)["w"].is_global
    True
    """
    if placement is None and sbp is None:
        raise located(ValueError, "to_global takes a placement, an sbp or both, got neither")

    def change(tensor: Tensor) -> Tensor:
        wanted = sbp(input, tensor) if callable(sbp) and not isinstance(sbp, Signature) else sbp
        return shapes.to_global(tensor, placement, wanted, **named)

    return _each(input, change)


def to_local(input: Any, *, copy: bool = False) -> Any:
    """The same nest of lists, tuples and dicts, with `Tensor.to_local` of each tensor."""
    return _each(input, lambda tensor: shapes.to_local(tensor, copy=copy))
