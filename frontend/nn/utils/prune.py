"""`flow.nn.utils.prune`: set the less important elements of parameters to 0, and keep them 0.

A pruned parameter `weight` becomes a parameter `weight_orig` and a buffer `weight_mask` of zeros
and ones; a hook sets `weight` to their product before each call of the module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.basics.checks import is_integer, is_number
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.nn.hooks.calls import Hook
from penstock.nn.modules.module import Module
from penstock.tensor_functions.calls import as_type, dim_of, pair
from penstock.tensor_functions.linear_algebra import vector_norm
from penstock.tensor_functions.random_numbers import rand
from penstock.tensor_functions.shapes import cat, clone
from penstock.tensors.creation import ones_like
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor, check_tensor, wrap

_WHAT = "flow.nn.utils.prune"


class BasePruningMethod(ABC):
    """Base of pruning methods: subclasses define `compute_mask`.

    `PRUNING_TYPE` says what a further method in a `PruningContainer` chooses from: "unstructured",
    the elements that are left; "structured", the slices that are left along `dim`; "global", all.

    >>> import penstock as flow
    >>> from penstock.nn.utils import prune
    >>> layer = flow.nn.Linear(2, 2)
    >>> _ = prune.l1_unstructured(layer, "weight", amount=0.5)
    >>> layer.weight_mask.sum().item(), [name for name, _ in layer.named_parameters()]
    (2.0, ['bias', 'weight_orig'])
    """

    PRUNING_TYPE: ClassVar[str] = "unstructured"
    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        """Set the parameter of the module; called before each of its calls."""
        module.__dict__[self._tensor_name] = self.apply_mask(module)

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of a tensor of importances: `default_mask` with more zeros."""

    def apply_mask(self, module: Any) -> Tensor:
        """The parameter's values before pruning, times the mask."""
        mask = getattr(module, f"{self._tensor_name}_mask")
        return pair("flow.multiply", mask, getattr(module, f"{self._tensor_name}_orig"))

    @classmethod
    def apply(
        cls,
        module: Any,
        name: str,
        *args: Any,
        importance_scores: Tensor | None = None,
        **kwargs: Any,
    ) -> BasePruningMethod:
        """Prune a parameter, further if it was pruned before; the other arguments are the method's.

        Elements with the lowest `importance_scores` are pruned, by default those with the lowest
        absolute values. Returns the method that the module now has.
        """
        own = cls(*args, **kwargs)
        own._tensor_name = name
        key, known = _found(module, name)
        method: BasePruningMethod = own
        if known is not None:
            method = known if isinstance(known, PruningContainer) else PruningContainer(known)
            method.add_pruning_method(own)
            original, mask = getattr(module, f"{name}_orig"), getattr(module, f"{name}_mask")
        else:
            original = module._parameters.get(name) if isinstance(module, Module) else None
            if original is None:
                raise located(
                    AttributeError, f"{_WHAT} takes a module with parameter {name!r}, got "
                    f"{kind_of(module)}"
                )  # fmt: skip
            mask = ones_like(original)
        scores = _scores(importance_scores, original)
        with no_grad():
            mask = as_type(method.compute_mask(scores, mask), original.dtype)
        if known is None:
            del module._parameters[name]
            module.register_parameter(f"{name}_orig", original)
            module.register_buffer(f"{name}_mask", mask)
            module.register_forward_pre_hook(method, traced=True)
        else:
            setattr(module, f"{name}_mask", mask)
            module._before[key] = Hook(method, traced=True)
        module.__dict__[name] = method.apply_mask(module)
        return method

    def prune(
        self,
        t: Tensor,
        default_mask: Tensor | None = None,
        importance_scores: Tensor | None = None,
    ) -> Tensor:
        """A tensor with its less important elements set to 0."""
        x = check_tensor(t, _WHAT)
        mask = ones_like(x) if default_mask is None else default_mask
        found = self.compute_mask(_scores(importance_scores, x), mask)
        return pair("flow.multiply", x, as_type(found, x.dtype))

    def remove(self, module: Any) -> None:
        """Make the pruned values the parameter's own."""
        name = self._tensor_name
        with no_grad():
            weight = self.apply_mask(module)
        del module.__dict__[name]
        original = module._parameters[f"{name}_orig"]
        delattr(module, f"{name}_orig")
        delattr(module, f"{name}_mask")
        original.data = weight.data
        module.register_parameter(name, original)


def _scores(given: Tensor | None, like: Tensor) -> Tensor:
    if given is None:
        return like.detach()
    scores = check_tensor(given, f"importance_scores of {_WHAT}")
    if scores.shape != like.shape:
        raise located(
            ValueError,
            f"importance_scores of {_WHAT} must have the shape of the parameter, "
            f"{tuple(like.shape)}, got {tuple(scores.shape)}",
        )
    return scores


def _found(module: Any, name: str) -> tuple[Any, BasePruningMethod | None]:
    """The pruning method of a parameter, and the key of its hook."""
    for key, (hook, *_) in getattr(module, "_before", {}).items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return key, hook
    return None, None


class PruningContainer(BasePruningMethod):
    """Several pruning methods of one parameter, applied in order."""

    PRUNING_TYPE = "container"

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        given = args[0] if len(args) == 1 and isinstance(args[0], Iterable) else args
        for method in given:
            if not isinstance(method, BasePruningMethod):
                raise located(TypeError, f"{_WHAT} takes pruning methods, got {kind_of(method)}")
            if not self._pruning_methods:
                self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod) -> None:
        """Append a method of the same parameter."""
        if not isinstance(method, BasePruningMethod):
            raise located(TypeError, f"{_WHAT} takes pruning methods, got {kind_of(method)}")
        if method._tensor_name != self._tensor_name:
            raise located(
                ValueError,
                f"the methods of a PruningContainer must prune one parameter, "
                f"{self._tensor_name!r}, got {method._tensor_name!r}",
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, place: Any) -> Any:
        return self._pruning_methods[place]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of the last method, which chooses from what the others have left."""
        method = self._pruning_methods[-1]
        mask = default_mask.array.copy()
        chosen: Any
        if method.PRUNING_TYPE == "unstructured":
            chosen = mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = dim_of(getattr(method, "dim", 0), mask.ndim, _WHAT)
            others = tuple(d for d in range(mask.ndim) if d != dim)
            chosen = tuple(
                np.flatnonzero(mask.any(others)) if d == dim else slice(None)
                for d in range(mask.ndim)
            )
        elif method.PRUNING_TYPE == "global":
            chosen = ...
        else:
            raise located(
                ValueError,
                'PRUNING_TYPE of a pruning method must be "unstructured", "structured" or '
                f'"global", got {kind_of(method.PRUNING_TYPE)}',
            )
        part = method.compute_mask(wrap(t.array[chosen]), wrap(mask[chosen]))
        mask[chosen] = part.array
        return wrap(mask)


# -- how many elements --------------------------------------------------------------------------


def _validate_pruning_amount_init(amount: Any) -> None:
    """Raise a located error unless the amount is an int of at least 0 or a share in [0, 1]."""
    if not is_number(amount):
        raise located(TypeError, f"amount of {_WHAT} must be a number, got {kind_of(amount)}")
    if (is_integer(amount) and amount < 0) or (not is_integer(amount) and not 0 <= amount <= 1):
        raise located(
            ValueError,
            f"amount of {_WHAT} must be an int of at least 0, or a float in [0, 1], got {amount}",
        )


def _validate_pruning_amount(amount: float, tensor_size: int) -> None:
    """Raise a located ValueError if there are fewer elements than the amount."""
    if is_integer(amount) and amount > tensor_size:
        raise located(
            ValueError,
            f"amount of {_WHAT} must be at most the number of elements or slices that are left, "
            f"{tensor_size}, got {amount}",
        )


def _compute_nparams_toprune(amount: float, tensor_size: int) -> int:
    """How many of so many to prune: the amount, or for a float that share, rounded."""
    return int(amount) if is_integer(amount) else round(amount * tensor_size)


class _Amount(BasePruningMethod):
    """Base of methods that prune a number of elements, or a share of them."""

    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def _count(self, size: int) -> int:
        _validate_pruning_amount(self.amount, size)
        return _compute_nparams_toprune(self.amount, size)


class Identity(BasePruningMethod):
    """Prunes nothing, but adds the mask and the hook."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class RandomUnstructured(_Amount):
    """Prunes elements at random."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return _without_lowest(default_mask, rand(*t.shape).array, self._count(t.array.size))


class L1Unstructured(_Amount):
    """Prunes the elements with the lowest absolute values."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return _without_lowest(default_mask, np.abs(t.array), self._count(t.array.size))


def _without_lowest(mask: Tensor, scores: Any, count: int) -> Tensor:
    made = mask.array.copy()
    made.reshape(-1)[np.argsort(scores.reshape(-1), kind="stable")[:count]] = 0
    return wrap(made)


class _Slices(_Amount):
    """Base of methods that prune slices along a dimension."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def _importance(self, t: Tensor, dim: int) -> Any:
        """A number for each slice."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if t.ndim <= 1:
            raise located(
                ValueError,
                f"{_WHAT} prunes slices of tensors of at least 2 dimensions, got shape "
                f"{tuple(t.shape)}; use l1_unstructured or random_unstructured",
            )
        dim = dim_of(self.dim, t.ndim, f"dim of {_WHAT}")
        count = self._count(t.shape[dim])
        lowest = np.argsort(self._importance(t, dim), kind="stable")[:count]
        made = default_mask.array.copy()
        np.moveaxis(made, dim, 0)[lowest] = 0
        return wrap(made)


class RandomStructured(_Slices):
    """Prunes slices along a dimension at random."""

    def _importance(self, t: Tensor, dim: int) -> Any:
        return rand(t.shape[dim]).array


class LnStructured(_Slices):
    """Prunes the slices along a dimension with the lowest norm of order n."""

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _importance(self, t: Tensor, dim: int) -> Any:
        order = 2 if self.n in ("fro", None) else float(self.n)
        return vector_norm(t, order, [d for d in range(t.ndim) if d != dim]).array


class CustomFromMask(BasePruningMethod):
    """Prunes by a given mask."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = check_tensor(mask, f"mask of {_WHAT}")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if self.mask.shape != default_mask.shape:
            raise located(
                ValueError,
                f"mask of {_WHAT} must have shape {tuple(default_mask.shape)}, got "
                f"{tuple(self.mask.shape)}",
            )
        return pair("flow.multiply", default_mask, as_type(self.mask, default_mask.dtype))


# -- functions ----------------------------------------------------------------------------------


def identity(module: Any, name: str) -> Any:
    """Add a mask of ones to a parameter; returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: float) -> Any:
    """Prune elements of a parameter at random, a number or a share of them; returns the module."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: Any, name: str, amount: float, importance_scores: Tensor | None = None
) -> Any:
    """Prune the elements with the lowest absolute values or scores; returns the module."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: float, dim: int) -> Any:
    """Prune slices along a dimension at random; returns the module."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any, name: str, amount: float, n: Any, dim: int,
    importance_scores: Tensor | None = None,
) -> Any:  # fmt: skip
    """Prune the slices along a dimension with the lowest norm of order n; returns the module."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Tensor) -> Any:
    """Prune the elements of a parameter where the mask is 0; returns the module."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Any, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: dict[tuple[Any, str], Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Prune several parameters, pairs of module and name, as if they were one.

    `pruning_method` must be unstructured; `kwargs` are its arguments.
    """
    pairs: Sequence[tuple[Any, str]] = list(parameters)
    if not pairs:
        raise located(TypeError, f"{_WHAT}.global_unstructured takes at least one parameter")
    weights = [getattr(module, name) for module, name in pairs]
    given = importance_scores or {}
    scores = [given.get(one, weight) for one, weight in zip(pairs, weights, strict=True)]
    masks = [
        getattr(module, f"{name}_mask", ones_like(weight))
        for (module, name), weight in zip(pairs, weights, strict=True)
    ]
    method = pruning_method(**kwargs)
    method._tensor_name = "temporary_name"
    if method.PRUNING_TYPE != "unstructured":
        raise located(
            TypeError,
            f"{_WHAT}.global_unstructured takes unstructured methods, got "
            f"{pruning_method.__name__}, whose PRUNING_TYPE is {method.PRUNING_TYPE!r}",
        )
    container = PruningContainer(method)
    with no_grad():
        rows = [cat([clone(one.detach()).reshape(-1) for one in many]) for many in (scores, masks)]
        whole = container.compute_mask(*rows)
    start = 0
    for (module, name), weight in zip(pairs, weights, strict=True):
        size = weight.array.size
        custom_from_mask(module, name, whole[start : start + size].reshape(*weight.shape))
        start += size


def remove(module: Any, name: str) -> Any:
    """Make the pruning of a parameter permanent; returns the module."""
    key, method = _found(module, name)
    if method is None:
        raise located(
            ValueError, f"parameter {name!r} of {kind_of(module)} was not pruned by {_WHAT}"
        )
    method.remove(module)
    del module._before[key]
    return module


def is_pruned(module: Any) -> bool:
    """Whether a parameter of the module, or of a module in it, is pruned."""
    return any(
        isinstance(hook, BasePruningMethod)
        for _, one in module.named_modules()
        for hook, *_ in one._before.values()
    )


__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured",
    "PruningContainer", "RandomStructured", "RandomUnstructured", "custom_from_mask",
    "global_unstructured", "identity", "is_pruned", "l1_unstructured", "ln_structured",
    "random_structured", "random_unstructured", "remove",
]  # fmt: skip
__getattr__ = no_such("flow.nn.utils.prune")
