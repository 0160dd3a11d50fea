"""Gradient clipping by norm, as one native call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, check_number
from penstock.basics.errors import kind_of, located
from penstock.basics.recent import Recent
from penstock.ir import types as ty
from penstock.ir.attributes import element_type
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import HALVES, tensor
from penstock.ir.types import TensorType, Type
from penstock.process.forks import making
from penstock.tensors.creation import zeros
from penstock.tensors.inplace import overwrite, refuse_traced
from penstock.tensors.kernels import Kernel, function_of
from penstock.tensors.tensor import Tensor, wrap

_kernels: Recent[Kernel] = Recent()
_SMALL = 1e-6
"""Added to the norm, to avoid a division by 0."""


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float | str = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Multiply all gradients by min(1, max_norm / norm), and return the norm before clipping.

    The norm is that of all gradients concatenated to one vector: the p-norm with p = `norm_type`.
    For infinity, or "inf", it is the largest absolute value, for "-inf" the smallest; for 0 it is
    the number of gradients that are not all 0, as PyTorch's.

    >>> import penstock as flow
    >>> x = flow.ones(2, requires_grad=True)
    >>> x.grad = flow.tensor([3.0, 4.0])
    >>> clip_grad_norm_([x], 1.0), x.grad
    (tensor(5., dtype=penstock.float32), tensor([0.6000, 0.8000], dtype=penstock.float32))
    """
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    for one in given:
        if not isinstance(one, Tensor):
            raise located(TypeError, f"clip_grad_norm_ takes tensors, got {kind_of(one)}")
    limit = check_number(max_norm, "max_norm of clip_grad_norm_")
    infinite = {"inf": math.inf, "-inf": -math.inf}
    order = check_number(
        infinite.get(norm_type, norm_type) if isinstance(norm_type, str) else norm_type,
        "norm_type of clip_grad_norm_",
    )
    if math.isnan(order):
        raise located(ValueError, "norm_type of clip_grad_norm_ must be a number, got nan")
    check_flag(error_if_nonfinite, "error_if_nonfinite of clip_grad_norm_")
    refuse_traced("clip_grad_norm_")
    owners = [one for one in given if one._grad is not None]
    gradients = [one._grad for one in owners if one._grad is not None]
    if not gradients:
        return zeros([])
    key = (order, *((g.array.dtype, g.array.shape) for g in gradients))
    found = _kernels.get(key)
    if found is None:
        with making:
            found = _kernels.get(key) or _kernels.keep(key, _kernel(order, gradients))
    norm, *scaled = found(np.array(limit, np.float64), *(g.array for g in gradients))
    if error_if_nonfinite and not np.isfinite(norm):
        raise located(
            RuntimeError,
            f"the norm of the gradients is {norm.item()}, so clip_grad_norm_ cannot scale them; "
            "pass error_if_nonfinite=False to do so anyway",
        )
    for owner, array in zip(owners, scaled, strict=True):
        set_gradient(owner, array)
    return wrap(norm)


def set_gradient(parameter: Tensor, value: np.ndarray[Any, Any] | float) -> None:
    """Overwrite the gradient of a parameter, in place if possible."""
    gradient = parameter._grad
    assert gradient is not None, "callers pass only parameters with gradients"
    if gradient.node is not None or not gradient.array.flags.writeable:
        gradient = parameter.grad = wrap(np.empty(gradient.array.shape, gradient.array.dtype))
    overwrite(gradient, value)


def _kernel(order: float, gradients: Sequence[Tensor]) -> Kernel:
    number = TensorType((), ty.f64)
    types = [TensorType(g.array.shape, element_type(g.array.dtype)) for g in gradients]

    def body(b: Builder, arguments: list[Value]) -> Sequence[Value]:
        limit, *given = arguments
        return clipped(b, limit, order, given)

    return Kernel(function_of("clip", [number, *types], body))


def clipped(b: Builder, limit: Value, order: float, gradients: Sequence[Value]) -> list[Value]:
    """The norm of gradients, and the gradients scaled so that it is at most `limit`, an f64."""
    elements: list[Type] = [tensor(x).element for x in gradients]
    widest = max((ty.f32 if e in HALVES else e for e in elements), key=ty.byte_width)
    wide = [make.cast(b, x, widest) for x in gradients]
    norm = _norm(b, wide, order)
    bound = make.divide(b, make.cast(b, limit, widest), make.add(b, norm, _SMALL))
    share = make.minimum(b, bound, 1)
    scaled = [make.multiply(b, x, share) for x in wide]
    narrow = [make.cast(b, x, e) for x, e in zip(scaled, elements, strict=True)]
    return [make.cast(b, norm, widest), *narrow]


def _norm(b: Builder, values: Sequence[Value], order: float) -> Value:
    """The norm of values of one type, as if they were one vector."""
    kind = {math.inf: "max", -math.inf: "min", 0: "max"}.get(order, "sum")
    joined = {"max": make.maximum, "min": make.minimum, "sum": make.add}[kind if order else "sum"]
    total: Value | None = None
    for x in values:
        if order == 2:
            size = make.unary(b, "square", x)
        else:
            size = make.unary(b, "abs", x)
            if math.isfinite(order) and order not in (0, 1):
                size = make.power(b, size, order)
        part = make.reduce(b, kind, size, range(tensor(x).rank))
        if order == 0:
            part = make.unary(b, "sign", part)
        total = part if total is None else joined(b, total, part)
    assert total is not None, "there is at least one gradient"
    if order in (0, 1) or math.isinf(order):
        return total
    return make.unary(b, "sqrt", total) if order == 2 else make.power(b, total, 1 / order)
