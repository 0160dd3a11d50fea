"""`flow.cuda`: what programs ask before they use a GPU. Tensors can only be on the CPU."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.tensors.device import device

__all__ = [
    "current_device", "device_count", "empty_cache", "get_device_name", "is_available",
    "manual_seed", "manual_seed_all", "synchronize",
]  # fmt: skip

__getattr__ = no_such("flow.cuda")


def is_available() -> bool:
    """Whether tensors can be on a GPU.

    >>> import penstock as flow
    >>> flow.device("cuda" if flow.cuda.is_available() else "cpu")
    device(type='cpu', index=0)
    """
    return False


def device_count() -> int:
    """The number of GPUs that tensors can be on."""
    return 0


def manual_seed(seed: int) -> None:
    """Seed the generator of the current GPU; without one, nothing, as in PyTorch."""
    if not is_integer(seed):
        raise located(
            TypeError, f"seed of flow.cuda.manual_seed must be an int, got {kind_of(seed)}"
        )


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all GPUs; without one, nothing, as in PyTorch."""
    manual_seed(seed)


def empty_cache() -> None:
    """Release unused memory of GPUs: there is none."""


def current_device() -> int:
    """The number of the current GPU. Raises RuntimeError, since there is none."""
    return device("cuda").index


def get_device_name(device: Any = None) -> str:
    """The name of a GPU. Raises RuntimeError, since there is none."""
    return str(current_device())


def synchronize(device: Any = None) -> None:
    """Wait for a GPU. Raises RuntimeError, since there is none."""
    current_device()
