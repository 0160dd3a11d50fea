"""Graph nodes that intercept the gradients of a module's inputs and outputs, for backward hooks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from penstock.basics.checks import check_takes
from penstock.basics.errors import counted, function_location, kind_of, located, name_of
from penstock.ir.location import UNKNOWN, Location
from penstock.nn.hooks.calls import is_among
from penstock.tensor_functions.blob_hooks import Seen, depth, gated, is_traced
from penstock.tensors.graph import Gradients, Node
from penstock.tensors.modes import mode
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, check_blob, check_single
from penstock.trace.tracing import active_trace, current_trace

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


def through(
    values: Sequence[Any], seen: Seen, name: str, what: str, location: Location
) -> list[Any]:
    """The tensors, or blobs, passed through one gate; those without a gradient are unchanged."""
    if is_traced(values):
        return gated([check_single(one, what) for one in values], seen, name, what, location)
    node = Gate(values, seen)
    found = []
    for index, one in enumerate(values):
        if not one.requires_grad:
            found.append(one)
            continue
        made = wrap(one.array)
        made.changes = one.all_changes
        made.node, made.index = node, index
        found.append(made)
    return found


class _Outputs(threading.local):
    """The gradients of the outputs, by how deep a step runs within the functions of others."""

    def __init__(self) -> None:
        self.by_depth: dict[int, tuple[Tensor | None, ...]] = {}


class BackwardHooks:
    """The backward hooks of one call of a module."""

    def __init__(
        self, module: Any, before: Mapping[int, PreHook], after: Mapping[int, Hook], owner: str
    ) -> None:
        self._module = module
        self._before = _Called(before)
        self._after = _Called(after)
        self._outputs = _Outputs()
        self._count = 0
        self._owner = owner
        self._places: list[int] = []

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of the call, those with gradients passed through a gate."""
        self._count = len(args)
        self._places = _with_gradient(args)
        if not self._places or not mode.records:
            self._places = []
            return args
        made = self._through([args[i] for i in self._places], self._seen_inputs, self._after.known)
        found = list(args)
        for i, one in zip(self._places, made, strict=True):
            found[i] = one
        return tuple(found)

    def outputs(self, result: Any) -> Any:
        """The result of the call, behind a gate: a tensor, or a tuple or list with tensors."""
        if isinstance(result, Tensor | Blob):
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

        hooks = [*self._before.known, *self._after.known]
        for i, one in zip(
            places, self._through([found[i] for i in places], seen, hooks), strict=True
        ):
            found[i] = one
        return type(result)(found)

    def _through(self, values: Sequence[Any], seen: Seen, hooks: Sequence[Any]) -> list[Any]:
        what = f"the full_backward_hooks of module {self._owner!r}"
        location = function_location(hooks[0]) if hooks else UNKNOWN
        return through(values, seen, f"{self._owner}/full_backward_hook", what, location)

    def _what(self, kind: str, hook: Any) -> str:
        return f"full_backward_{kind} {name_of(hook)} of module {self._owner!r}"

    def _seen_outputs(self, gradients: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        for before in self._before:
            made = before(self._module, gradients)
            gradients = replaced(made, gradients, before, self._what("pre_hook", before))
        self._outputs.by_depth[depth()] = gradients
        if not self._places:  # no gradient reaches the inputs, so nothing is replaced
            for after in self._after:
                after(self._module, (None,) * self._count, gradients)
        return gradients

    def _seen_inputs(self, gradients: tuple[Tensor | None, ...]) -> Sequence[Tensor | None]:
        whole: list[Tensor | None] = [None] * self._count
        for i, one in zip(self._places, gradients, strict=True):
            whole[i] = one
        current = tuple(whole)
        outputs = self._outputs.by_depth.pop(depth(), ())
        for after in self._after:
            made = after(self._module, current, outputs)
            current = replaced(made, current, after, self._what("hook", after))
        return [current[i] for i in self._places]


class _Called:
    """The hooks that the module had when it was called.

    In jobs, which are traced once, those that are removed later are left out.
    """

    def __init__(self, hooks: Mapping[int, Any]) -> None:
        self.known = list(hooks.values())
        trace = active_trace()
        self._hooks = hooks if trace is not None and trace.tensors is None else None

    def __iter__(self) -> Iterator[Any]:
        if self._hooks is None:
            return iter(self.known)
        hooks = self._hooks
        return (one for one in self.known if is_among(one, hooks))


def _with_gradient(values: Sequence[Any]) -> list[int]:
    return [i for i, value in enumerate(values) if _needs_gradient(value)]


def _needs_gradient(value: Any) -> bool:
    """Whether it requires a gradient: a blob if it depends on a tensor that does.

    In jobs, that is known later: variables and feeds may have gradients.
    """
    if not isinstance(value, Tensor | Blob):
        return False
    if not is_traced(value):
        return isinstance(value, Tensor) and value.requires_grad
    blob, tensors = check_blob(value, "a hook"), current_trace("a hook").tensors
    return blob.dtype.is_float and (tensors is None or tensors.needs_gradient(blob.value))


def replaced(
    made: Any, given: Sequence[Any], hook: Any, what: str, kind: type[Any] = Tensor
) -> tuple[Any, ...]:
    """The gradients that a hook returned in place of the given ones, or a located error.

    They are tensors of the class `kind`.
    """
    if made is None:
        return tuple(given)
    found = tuple(made) if isinstance(made, tuple | list) else (made,)
    place = function_location(hook)
    if len(found) != len(given):
        raise located(
            ValueError,
            f"{what} must return None or {counted(len(given), 'gradient')}, got {len(found)}",
            place,
        )
    for number, (one, old) in enumerate(zip(found, given, strict=True)):
        if old is None:
            continue
        if one is not None and not isinstance(one, kind):
            raise located(
                TypeError,
                f"{what} must return tensors, got {kind_of(one)} for gradient {number}",
                place,
            )
        if one is not None and (tuple(one.shape), one.dtype) != (tuple(old.shape), old.dtype):
            raise located(
                ValueError,
                f"{what} must return gradient {number} as {old.dtype} of shape {tuple(old.shape)}, "
                f"got {one.dtype} of shape {tuple(one.shape)}",
                place,
            )
    return found


class HookBackward:
    """The values themselves; in the backward, a function gets their gradients, as a tuple.

    If it returns None, the gradients stay; a tensor or a tuple of tensors replaces them. Source:
    `mindspore.ops.HookBackward`.

    >>> import penstock as flow
    >>> from penstock.nn.hooks.gates import HookBackward
    >>> x = flow.tensor([1.0], requires_grad=True)
    >>> HookBackward(lambda gradients: gradients[0] * 3.0)(x).backward()
    >>> x.grad
    tensor([3.], dtype=penstock.float32)
    """

    def __init__(self, hook_fn: Callable[[tuple[Tensor | None, ...]], Any]) -> None:
        check_takes(hook_fn, ("gradients",), "HookBackward")
        self._hook = hook_fn

    def __call__(self, *inputs: Any) -> Any:
        places = _with_gradient(inputs)
        if not places or not mode.records:
            return inputs[0] if len(inputs) == 1 else inputs

        name = name_of(self._hook)

        def seen(gradients: tuple[Tensor | None, ...]) -> Sequence[Tensor | None]:
            return replaced(self._hook(gradients), gradients, self._hook, f"HookBackward {name}")

        found, location = list(inputs), function_location(self._hook)
        given = [inputs[i] for i in places]
        made = through(given, seen, f"HookBackward/{name}", f"HookBackward {name}", location)
        for i, one in zip(places, made, strict=True):
            found[i] = one
        return found[0] if len(found) == 1 else tuple(found)
