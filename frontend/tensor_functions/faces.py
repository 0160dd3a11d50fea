"""Public functions with two signatures: legacy in the body of a job, modern elsewhere.

`LEGACY` lists the names with two signatures; docs/oneflow.md shows it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from penstock.trace.tracing import active_trace

LEGACY = {
    "argsort": "functions.sorting", "argwhere": "functions.sorting", "cast": "functions.ops",
    "clamp": "functions.elementwise", "clip": "functions.elementwise",
    "concat": "functions.ops", "cumsum": "functions.reductions",
    "einsum": "functions.contractions", "expand": "functions.movement",
    "flatten": "functions.ops", "flip": "functions.movement", "gather": "functions.indexing",
    "masked_fill": "functions.sorting", "matmul": "functions.ops",
    "nms": "functions.sorting", "nonzero": "functions.sorting", "ones": "functions.ops",
    "ones_like": "functions.ops",
    "repeat": "functions.micro_batches", "reshape": "functions.ops", "roll": "functions.movement",
    "slice": "functions.ops", "slice_update": "functions.indexing", "sort": "functions.sorting",
    "split": "functions.movement", "squeeze": "functions.ops",
    "stack": "functions.ops", "tile": "functions.movement", "transpose": "functions.ops",
    "where": "functions.ops", "zeros": "functions.ops", "zeros_like": "functions.ops",
}  # fmt: skip
"""The module of the legacy function of each name."""

_NEW = "empty", "full", "ones", "zeros"
"""What `flow.new_full(x, size, value)` and the methods of that name make."""


def _face(name: str) -> Callable[..., Any]:
    legacy = getattr(import_module(f"penstock.{LEGACY[name]}"), name)
    modern = functions()[name]

    @functools.wraps(legacy)
    def face(*args: Any, **named: Any) -> Any:
        trace = active_trace()
        is_modern = trace is None or trace.tensors is not None
        return (modern if is_modern else legacy)(*args, **named)

    shape = inspect.signature(modern)
    face.__doc__ = (
        f"{inspect.cleandoc(legacy.__doc__ or '')}\n\n"
        f"Outside of a job's body, for tensors: `flow.{name}{shape}`: "
        f"{inspect.cleandoc(modern.__doc__ or '')}"
    )
    return face


@functools.cache
def functions() -> dict[str, Any]:
    """Every modern function of tensors by its public name."""
    from penstock.tensor_functions import (
        linear_algebra,
        methods,  # noqa: F401 - tensors have their methods
        order,
        pointwise,
        products,
        random_numbers,
        reductions,
        selecting,
        shapes,
    )
    from penstock.tensors import creation
    from penstock.tensors.tensor import Size, Tensor

    created = {name: getattr(creation, name) for name in creation.__all__ if name[0].islower()}
    for helper in ("array_of", "size_of"):
        del created[helper]
    return {
        "Size": Size, "Tensor": Tensor, "norm": linear_algebra.p_norm,
        "det": linear_algebra.det, "inverse": linear_algebra.inv, **creation.TENSOR_TYPES,
        **created, **pointwise.FUNCTIONS,
        **{f"new_{name}": getattr(Tensor, f"new_{name}") for name in _NEW},
        **reductions.FUNCTIONS, **shapes.FUNCTIONS, **products.FUNCTIONS, **selecting.FUNCTIONS,
        **random_numbers.FUNCTIONS, **order.FUNCTIONS,
    }  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in LEGACY:
        found = _face(name)
    elif name in functions():
        found = functions()[name]
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found
