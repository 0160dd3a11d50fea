"""Weights by their length and direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.calls import pair
from penstock.tensor_functions.linear_algebra import vector_norm
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor


class _WeightNorm:
    """A hook that computes a weight from its length `<name>_g` and direction `<name>_v` before each
    call."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self._dim = dim

    def lengths(self, weight: Tensor) -> Tensor:
        """The norm of the weight over all dimensions but `dim`."""
        if self._dim is None:
            return vector_norm(weight, 2)
        others: Sequence[int] = [d for d in range(weight.ndim) if d != self._dim % weight.ndim]
        return vector_norm(weight, 2, others, True)

    def made(self, module: Module) -> Tensor:
        """The weight."""
        length, direction = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        factor = pair("flow.divide", length, self.lengths(direction))
        return pair("flow.multiply", direction, factor)

    def __call__(self, module: Module, args: Any) -> None:
        module.__dict__[self.name] = self.made(module)


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Reparametrise a weight by its length and its direction; returns the module.

    `<name>_g` is the norm of each slice along `dim`, or of the whole weight if `dim` is None or -1.
    `<name>_v` is the direction. Salimans and Kingma, "Weight normalization", 2016.

    >>> import penstock as flow
    >>> layer = flow.nn.utils.weight_norm(flow.nn.Linear(3, 2))
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight_g', 'weight_v']
    """
    what = "flow.nn.utils.weight_norm"
    weight = module._parameters.get(name)
    if weight is None:
        raise located(
            ValueError, f"{what} takes a module with parameter {name!r}, got {kind_of(module)}"
        )
    rule = _WeightNorm(name, None if dim == -1 else dim)
    del module._parameters[name]
    with no_grad():
        length = rule.lengths(weight)
    module.register_parameter(f"{name}_g", Parameter(length))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))
    module.__dict__[name] = rule.made(module)
    module.register_forward_pre_hook(rule, traced=True)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Merge the two parameters of `weight_norm` into one again; returns the module."""
    for key, (hook, *_) in list(module._before.items()):
        if isinstance(hook, _WeightNorm) and hook.name == name:
            with no_grad():
                weight = hook.made(module)
            del module._before[key], module.__dict__[name]
            delattr(module, f"{name}_g")
            delattr(module, f"{name}_v")
            module.register_parameter(name, Parameter(weight))
            return module
    raise located(ValueError, f"parameter {name!r} of {kind_of(module)} is not made by weight_norm")
