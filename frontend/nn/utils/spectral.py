"""Weights divided by their largest singular value."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_number, is_integer
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.activations import normalize
from penstock.nn.modules.convs import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.calls import dim_of, op, pair, permuted
from penstock.tensor_functions.products import matmul
from penstock.tensor_functions.random_numbers import randn
from penstock.tensor_functions.shapes import flatten
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor


class _SpectralNorm:
    """A hook that computes a weight from `<name>_orig` before each call.

    In training it refines the singular vectors `<name>_u` and `<name>_v` first.
    """

    def __init__(self, name: str, rounds: int, eps: float, dim: int) -> None:
        self.name = name
        self._rounds = rounds
        self._eps = eps
        self._dim = dim

    def matrix(self, weight: Tensor) -> Tensor:
        """The weight with dimension `dim` as rows, and all others as columns."""
        order = [self._dim, *(d for d in range(len(weight.shape)) if d != self._dim)]
        return flatten(permuted(weight, order), 1)

    def direction(self, vector: Tensor) -> Tensor:
        """A vector of length 1."""
        return normalize(vector, dim=0, eps=self._eps)

    def refine(self, module: Module) -> None:
        """Iterate by powers: v is the direction of W.T @ u, then u that of W @ v."""
        rows = self.matrix(getattr(module, f"{self.name}_orig"))
        left, right = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        u, v = left, right
        for _ in range(self._rounds):
            v = self.direction(matmul(permuted(rows, [1, 0]), u))
            u = self.direction(matmul(rows, v))
        for target, value in ((left, u), (right, v)):
            assign(target, value, "flow.nn.utils.spectral_norm")

    def made(self, module: Module) -> Tensor:
        """The weight."""
        weight = getattr(module, f"{self.name}_orig")
        # Copies: the next call refines the vectors before this one's gradient may be taken.
        u, v = (op("flow.identity", getattr(module, f"{self.name}_{end}")) for end in "uv")
        largest = matmul(u, matmul(self.matrix(weight), v))
        return pair("flow.divide", weight, largest)

    def __call__(self, module: Module, args: Any) -> None:
        if module.training:
            with no_grad():
                self.refine(module)
        module.__dict__[self.name] = self.made(module)


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Divide a weight by its largest singular value, as estimated; returns the module.

    The weight counts as a matrix, whose rows are dimension `dim`: by default 0, or 1 of transposed
    convolutions. `<name>_orig` is the parameter; `<name>_u` and `<name>_v` are buffers, which each
    call in training refines by `n_power_iterations`. Miyato et al., "Spectral normalization for
    generative adversarial networks", 2018.

    >>> import penstock as flow
    >>> layer = flow.nn.utils.spectral_norm(flow.nn.Linear(3, 2))
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    what = "flow.nn.utils.spectral_norm"
    weight = module._parameters.get(name) if isinstance(module, Module) else None
    if weight is None:
        raise located(
            ValueError, f"{what} takes a module with parameter {name!r}, got {kind_of(module)}"
        )
    if not is_integer(n_power_iterations) or n_power_iterations < 1:
        raise located(
            ValueError,
            f"n_power_iterations of {what} must be a positive int, got "
            f"{kind_of(n_power_iterations)}",
        )
    if dim is None:
        dim = int(isinstance(module, ConvTranspose1d | ConvTranspose2d | ConvTranspose3d))
    axis = dim_of(dim, len(weight.shape), what)
    rule = _SpectralNorm(name, n_power_iterations, check_number(eps, f"eps of {what}"), axis)
    del module._parameters[name]
    with no_grad():
        for end, extent in zip("uv", rule.matrix(weight).shape, strict=True):
            vector = rule.direction(randn(extent, dtype=weight.dtype))
            module.register_buffer(f"{name}_{end}", vector)
    module.register_parameter(f"{name}_orig", Parameter(weight.detach()))
    module.__dict__[name] = rule.made(module)
    module.register_forward_pre_hook(rule, traced=True)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Make the weight of `spectral_norm`, as it is, a parameter again; returns the module."""
    for key, (hook, *_) in list(module._before.items()):
        if isinstance(hook, _SpectralNorm) and hook.name == name:
            with no_grad():
                weight = hook.made(module)
            del module._before[key], module.__dict__[name]
            for end in ("orig", "u", "v"):
                delattr(module, f"{name}_{end}")
            module.register_parameter(name, Parameter(weight))
            return module
    raise located(
        ValueError, f"parameter {name!r} of {kind_of(module)} is not made by spectral_norm"
    )
