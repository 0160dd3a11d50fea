"""`flow.nn.utils`: gradient clipping, parameters as one vector, weight normalization."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from penstock.basics.checks import check_number
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.optim.clipping import clip_grad_norm_
from penstock.tensor_functions.calls import pair, reshaped
from penstock.tensor_functions.linear_algebra import vector_norm
from penstock.tensor_functions.shapes import cat
from penstock.tensors.inplace import assign
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


# -- weights by length and direction --------------------------------------------------------------


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

    `<name>_g` is the norm of each slice along `dim`, or of the whole weight if `dim` is None.
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
    rule = _WeightNorm(name, dim)
    del module._parameters[name]
    with no_grad():
        length = rule.lengths(weight)
    module.register_parameter(f"{name}_g", Parameter(length))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))
    module.__dict__[name] = rule.made(module)
    module.register_forward_pre_hook(rule)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Merge the two parameters of `weight_norm` into one again; returns the module."""
    for key, (hook, _) in list(module._before.items()):
        if isinstance(hook, _WeightNorm) and hook.name == name:
            with no_grad():
                weight = hook.made(module)
            del module._before[key], module.__dict__[name]
            delattr(module, f"{name}_g")
            delattr(module, f"{name}_v")
            module.register_parameter(name, Parameter(weight))
            return module
    raise located(ValueError, f"parameter {name!r} of {kind_of(module)} is not made by weight_norm")


__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "remove_weight_norm",
    "vector_to_parameters", "weight_norm",
]  # fmt: skip
__getattr__ = no_such("flow.nn.utils")
