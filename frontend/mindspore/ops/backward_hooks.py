"""`ops.HookBackward`: passes tensors on, and shows their gradients to a function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from penstock.basics.checks import check_takes
from penstock.basics.errors import kind_of, located
from penstock.mindspore.tensor import Tensor, check_tensor, faced, plain
from penstock.nn.hooks import gates
from penstock.nn.hooks.gates import replaced


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
        check_takes(hook_fn, ("grads",), "HookBackward")
        if not isinstance(cell_id, str):
            raise located(
                TypeError, f"cell_id of HookBackward must be a string, got {kind_of(cell_id)}"
            )

        @functools.wraps(hook_fn)
        def hook(gradients: Any) -> Any:
            given = faced(gradients)
            what = "the function of HookBackward"
            return plain(replaced(hook_fn(given), given, hook_fn, what, Tensor))

        self._inner = gates.HookBackward(hook)

    def __call__(self, *inputs: Any) -> Any:
        if not inputs:
            raise located(TypeError, "HookBackward() takes at least one tensor, got no argument")
        for one in inputs:
            check_tensor(one, "HookBackward()")
        return faced(self._inner(*plain(inputs)))
