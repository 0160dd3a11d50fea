"""Graph nodes that intercept the gradients of a module's inputs and outputs, for backward hooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.tensors.graph import Gradients, Node
from penstock.tensors.modes import mode
from penstock.tensors.tensor import Tensor, wrap

Seen = Callable[[tuple[Tensor | None, ...]], Sequence[Tensor | None]]
Hook = Callable[[Any, tuple[Tensor | None, ...], tuple[Tensor | None, ...]], Any]
PreHook = Callable[[Any, tuple[Tensor | None, ...]], Any]


class Gate(Node):
    """A node that passes the gradients of several tensors to a function, which may replace them."""

    def __init__(self, operands: Sequence[Tensor], seen: Seen) -> None:
        super().__init__()
        self.edges = tuple(
            (one.grad_fn, one.index)
            if one.grad_fn is not None
            else one
            if one.requires_grad
            else None
            for one in operands
        )
        self._seen = seen

    @property
    def results(self) -> int:
        return len(self.edges)

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        return self._seen(tuple(gradients))

    def name(self) -> str:
        return "module_backward"


def through(tensors: Sequence[Tensor], seen: Seen) -> list[Tensor]:
    """The tensors passed through one gate; those without a gradient are unchanged."""
    node = Gate(tensors, seen)
    found = []
    for index, one in enumerate(tensors):
        if not one.requires_grad:
            found.append(one)
            continue
        made = wrap(one.array)
        made.changes = one.all_changes
        made.node, made.index = node, index
        found.append(made)
    return found


class BackwardHooks:
    """The backward hooks of one call of a module."""

    def __init__(self, module: Any, before: Sequence[PreHook], after: Sequence[Hook]) -> None:
        self._module = module
        self._before = before
        self._after = after
        self._outputs: tuple[Tensor | None, ...] = ()
        self._count = 0
        self._places: list[int] = []

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of the call, those with gradients passed through a gate."""
        self._count = len(args)
        self._places = _with_gradient(args)
        if not self._places or not mode.records:
            self._places = []
            return args
        made = through([args[i] for i in self._places], self._seen_inputs)
        found = list(args)
        for i, one in zip(self._places, made, strict=True):
            found[i] = one
        return tuple(found)

    def outputs(self, result: Any) -> Any:
        """The result of the call, behind a gate: a tensor, or a tuple or list with tensors."""
        if isinstance(result, Tensor):
            return self.outputs((result,))[0]
        if not isinstance(result, list | tuple):
            raise located(
                TypeError,
                "a module with backward hooks gives a tensor or a tuple of tensors, got "
                f"{kind_of(result)}",
            )
        places = _with_gradient(result)
        if not places or not mode.records:
            return result
        found = list(result)

        def seen(gradients: tuple[Tensor | None, ...]) -> Sequence[Tensor | None]:
            whole: list[Tensor | None] = [None] * len(found)
            for i, one in zip(places, gradients, strict=True):
                whole[i] = one
            made = self._seen_outputs(tuple(whole))
            return [made[i] for i in places]

        for i, one in zip(places, through([found[i] for i in places], seen), strict=True):
            found[i] = one
        return type(result)(found)

    def _seen_outputs(self, gradients: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        for before in self._before:
            gradients = _replaced(before(self._module, gradients), gradients)
        self._outputs = gradients
        if not self._places:  # no gradient reaches the inputs, so nothing is replaced
            for after in self._after:
                after(self._module, (None,) * self._count, gradients)
        return gradients

    def _seen_inputs(self, gradients: tuple[Tensor | None, ...]) -> Sequence[Tensor | None]:
        whole: list[Tensor | None] = [None] * self._count
        for i, one in zip(self._places, gradients, strict=True):
            whole[i] = one
        current = tuple(whole)
        for after in self._after:
            current = _replaced(after(self._module, current, self._outputs), current)
        return [current[i] for i in self._places]


def _with_gradient(values: Sequence[Any]) -> list[int]:
    return [i for i, v in enumerate(values) if isinstance(v, Tensor) and v.requires_grad]


def _replaced(made: Any, before: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
    if made is None:
        return before
    given = (made,) if isinstance(made, Tensor) else tuple(made)
    if len(given) != len(before):
        raise located(
            RuntimeError,
            f"a backward hook gives None or {len(before)} gradients, got {len(given)}",
        )
    return given
