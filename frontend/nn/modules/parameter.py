"""Parameters: tensors that a module registers as its own, and that optimizers change."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors.creation import array_of
from penstock.tensors.tensor import Tensor


class Parameter(Tensor):
    """A tensor that is a parameter of the module that it is assigned to.

    It shares its elements with `data`, and requires gradients unless `requires_grad` is False.

    >>> import penstock as flow
    >>> flow.nn.Parameter(flow.ones(2))
    tensor([1., 1.], dtype=penstock.float32, requires_grad=True)
    """

    def __init__(self, data: Any = (), requires_grad: bool = True) -> None:
        self.array = array_of(data, None, "flow.nn.Parameter")
        if isinstance(data, Tensor):
            self.changes = data.all_changes
        if check_flag(requires_grad, "requires_grad of flow.nn.Parameter"):
            self.requires_grad_(True)
