"""`flow.utils.tensor`: tensors from PyTorch's and back, which share their elements."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors.creation import from_dlpack
from penstock.tensors.tensor import Tensor, check_tensor


def from_torch(torch_tensor: Any) -> Tensor:
    """A tensor that shares its elements with one of PyTorch's, on the CPU."""
    if not type(torch_tensor).__module__.partition(".")[0] == "torch":
        raise located(
            TypeError, f"from_torch takes a tensor of PyTorch, got {kind_of(torch_tensor)}"
        )
    return from_dlpack(torch_tensor.detach())


def to_torch(flow_tensor: Tensor) -> Any:
    """A tensor of PyTorch that shares its elements with this one."""
    # Only who has PyTorch can want its tensors.
    from importlib import import_module

    torch = import_module("torch")
    return torch.from_dlpack(check_tensor(flow_tensor, "to_torch").detach())
