"""The other side of a comparison: PyTorch, where it is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.tensors.creation import tensor as new_tensor
from penstock.tensors.tensor import Tensor, wrap

Array = np.ndarray[Any, Any]

VARIABLE = "PENSTOCK_AUTOTEST_REFERENCE"
_COPIED = ("rand", "randn", "randint", "randperm", "normal", "Tensor", "empty")
"""Functions whose numbers are PyTorch's own: the results are copied."""


class TorchRefuses(Exception):
    """PyTorch raised an error, so the drawn arguments are illegal."""


class Torch:
    """PyTorch as the reference."""

    def __init__(self) -> None:
        self.module = import_module("torch")
        self.name = f"PyTorch {self.module.__version__.partition('+')[0]}"

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Tensor)

    def is_module(self, value: Any) -> bool:
        return isinstance(value, self.module.nn.Module)

    def tensor(self, array: Array, requires_grad: bool) -> Any:
        """A tensor of PyTorch with these elements."""
        if array.dtype.name == "bfloat16":
            made = self.module.tensor(array.astype(np.float32)).to(self.module.bfloat16)
        else:
            made = self.module.tensor(np.array(array))
        return made.requires_grad_(requires_grad)

    def array(self, tensor: Any) -> Array:
        """The elements of a tensor; those of bfloat16 as float32."""
        found = tensor.float() if tensor.dtype is self.module.bfloat16 else tensor
        return np.asarray(found.numpy(force=True))

    def dtype(self, tensor: Any) -> str:
        """The name of a tensor's type."""
        return str(tensor.dtype).removeprefix("torch.")

    def load(self, module: Any, ours: Any) -> None:
        """Copy the state of PyTorch's module to ours."""
        state = {name: self.array(value) for name, value in module.state_dict().items()}
        own = ours.state_dict()
        fitting = {
            name: new_tensor(array, dtype=own[name].dtype)
            for name, array in state.items()
            if name in own
        }
        ours.load_state_dict(fitting, strict=False)

    def copied(self, name: str, theirs: Any, ours: Any) -> Any:
        """Our result of a function that draws: with PyTorch's elements."""
        if name in _COPIED and self.is_tensor(theirs) and isinstance(ours, Tensor):
            array = self.array(theirs)
            if array.shape == ours.array.shape:
                made = wrap(array.astype(ours.array.dtype, copy=True))
                return made.requires_grad_(ours.requires_grad)
        return ours

    @contextmanager
    def seeded(self, seed: int) -> Iterator[None]:
        """Let PyTorch draw from this seed inside."""
        with self.module.random.fork_rng(devices=[]):
            self.module.manual_seed(seed)
            yield


@cache
def _torch() -> Torch:
    return Torch()


def reference(environment: Mapping[str, str] = os.environ) -> Torch | None:
    """PyTorch if it is installed; None for the NumPy references of the ops.

    PENSTOCK_AUTOTEST_REFERENCE, `torch` or `numpy`, decides otherwise.
    """
    chosen = environment.get(VARIABLE) or ""
    if chosen not in ("", "torch", "numpy"):
        raise located(ValueError, f"{VARIABLE} is torch or numpy, got {chosen!r}; unset it")
    if chosen == "numpy":
        return None
    if find_spec("torch") is None:
        if chosen == "torch":
            raise located(
                ImportError,
                f"{VARIABLE} asks for torch, which is not installed; install it, or unset the "
                "variable to compare with NumPy",
            )
        return None
    return _torch()
