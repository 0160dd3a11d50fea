"""First values of parameters: random numbers put into tensors that exist, outside of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt
from typing import Any

from penstock.basics.dtypes import DType
from penstock.basics.errors import located
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.calls import pair
from penstock.tensor_functions.random_numbers import rand, randn
from penstock.tensors.creation import empty
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.promotion import scalar
from penstock.tensors.tensor import Tensor


def new(shape: Sequence[int], dtype: DType | None = None, device: Any = None) -> Parameter:
    """A parameter whose elements may be anything."""
    return Parameter(empty(tuple(shape), dtype=dtype, device=device))


def draw_uniform(target: Tensor, low: float, high: float, generator: Any = None) -> Tensor:
    """Give a tensor numbers that are spread evenly over [low, high); gives it."""
    with no_grad():
        drawn = rand(*target.shape, dtype=target.dtype, generator=generator)
        moved = pair("flow.add", pair("flow.multiply", drawn, high - low), low)
        return assign(target, moved, "flow.nn.init")


def draw_normal(target: Tensor, mean: float, deviation: float, generator: Any = None) -> Tensor:
    """Give a tensor numbers of a normal distribution; gives it."""
    with no_grad():
        drawn = randn(*target.shape, dtype=target.dtype, generator=generator)
        moved = pair("flow.add", pair("flow.multiply", drawn, deviation), mean)
        return assign(target, moved, "flow.nn.init")


def fill(target: Tensor, value: float) -> Tensor:
    """Give all elements of a tensor one value; gives it."""
    with no_grad():
        return assign(target, scalar(value, target.array.dtype), "flow.nn.init")


def fans(shape: Sequence[int], what: str) -> tuple[int, int]:
    """How many inputs a result of a layer depends on, and how many results an input affects."""
    if len(shape) < 2:
        raise located(
            ValueError,
            f"{what} takes a tensor of two dimensions or more, the weight of a layer, got shape "
            f"{tuple(shape)}",
        )
    window = prod(shape[2:])
    return shape[1] * window, shape[0] * window


def draw_weight(weight: Tensor) -> None:
    """First values of the weight of a layer, spread over +-1 / sqrt(inputs).

    That is He's uniform distribution for a leaky rectifier of slope sqrt(5), PyTorch's default.
    """
    inputs, _ = fans(weight.shape, "a layer")
    bound = 1 / sqrt(inputs) if inputs else 0.0
    draw_uniform(weight, -bound, bound)


def draw_bias(bias: Tensor | None, weight: Tensor) -> None:
    """First values of a bias, spread over +-1 / sqrt(inputs of the weight)."""
    if bias is not None:
        inputs, _ = fans(weight.shape, "a layer")
        bound = 1 / sqrt(inputs) if inputs else 0.0
        draw_uniform(bias, -bound, bound)
