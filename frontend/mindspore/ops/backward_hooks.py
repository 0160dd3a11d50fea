"""`ops.HookBackward`: passes tensors on, and shows their gradients to a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.hooks import check_hook, replaced
from penstock.mindspore.tensor import check_tensor, faced, plain
from penstock.nn.modules.module import Module


class _Pass(Module):
    """Passes its arguments on."""

    def forward(self, *args: Any) -> Any:
        return args


class HookBackward:
    """Returns its inputs unchanged; in backward it calls a function with their gradients.

    `hook_fn` gets a tuple of gradients, one for each input. If it returns None, they are passed on,
    else what it returns replaces them.

    >>> import penstock.mindspore as ms
    >>> hook = ms.ops.HookBackward(lambda grads: (grads[0] * 10,))
    >>> print(ms.ops.GradOperation()(lambda x: hook(x * x))(ms.Tensor(3.0)))
    60.0
    """

    def __init__(self, hook_fn: Callable[[tuple[Any, ...]], Any], cell_id: str = "") -> None:
        check_hook(hook_fn, ("grads",), "HookBackward")
        if not isinstance(cell_id, str):
            raise located(
                TypeError, f"cell_id of HookBackward must be a string, got {kind_of(cell_id)}"
            )
        self._hook = hook_fn
        self._pass = _Pass()
        self._pass.register_full_backward_pre_hook(self._seen)

    def _seen(self, module: Any, gradients: Any) -> Any:
        given = faced(gradients)
        made = self._hook(given)
        if made is None:
            return None
        return plain(replaced(made, given, self._hook, "the function of HookBackward"))

    def __call__(self, *inputs: Any) -> Any:
        if not inputs:
            raise located(TypeError, "HookBackward() takes at least one tensor, got no argument")
        for one in inputs:
            check_tensor(one, "HookBackward()")
        made = faced(self._pass(*plain(inputs)))
        return made[0] if len(inputs) == 1 else made
