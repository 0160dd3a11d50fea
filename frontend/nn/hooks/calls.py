"""Hooks of modules: how they are checked, and how a call of the module runs them.

In a graph or a function of `flow.jit`, a hook is called in each step, with tensors, by a call-out.
One that never returns a value becomes a watch in a graph. One registered with `traced=True` is
called with blobs while the body is traced, so its ops are compiled.
"""

from __future__ import annotations

import dis
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from penstock.basics.checks import check_flag, check_takes
from penstock.basics.errors import function_location, located, name_of
from penstock.ir.dialects.job import Watch
from penstock.ir.location import Location
from penstock.nn.hooks.taped import Replacing, replaced
from penstock.runtime.execution.points import returns_at_once
from penstock.tensor_functions.blob_hooks import Operands, eagerly, is_traced
from penstock.tensors.tensor import Tensor
from penstock.trace.tracing import Trace, active_trace, current_trace


class Hook(NamedTuple):
    """A function that calls of a module call."""

    call: Callable[..., Any]
    with_named: bool = False
    traced: bool = False
    """Whether it is called with blobs, once, while a graph is traced."""


BEFORE, AFTER = "forward_pre_hook", "forward_hook"
_PARAMETERS = {
    (BEFORE, False): ("module", "args"),
    (BEFORE, True): ("module", "args", "kwargs"),
    (AFTER, False): ("module", "args", "output"),
    (AFTER, True): ("module", "args", "kwargs", "output"),
    ("full_backward_pre_hook", False): ("module", "grad_output"),
    ("full_backward_hook", False): ("module", "grad_input", "grad_output"),
}


def checked(kind: str, hook: Any, with_named: object = False, traced: object = False) -> Hook:
    """The hook, or a located TypeError for what cannot be called as one of this kind."""
    what = f"register_{kind}"
    named = check_flag(with_named, f"with_kwargs of {what}")
    check_takes(hook, _PARAMETERS[kind, named], what)
    if returns_at_once(hook):
        raise located(
            TypeError,
            f"{what} takes a plain function, got {name_of(hook)}, a coroutine function or a "
            "generator, which does not run when it is called",
        )
    return Hook(hook, named, check_flag(traced, f"traced of {what}"))


def hooks_of(module: Any) -> tuple[Any, ...]:
    """What changes when hooks are added to a module, or removed."""
    own = vars(module)
    kinds = ("_before", "_after", "_before_backward", "_after_backward")
    return tuple(tuple(own[kind]) for kind in kinds)


def note_called(module: Any) -> None:
    """Let code that is traced now be used only while the module keeps its hooks and its mode."""

    def state() -> Any:
        return module.training, hooks_of(module)

    def kept() -> Callable[[], bool]:
        known = state()
        return lambda: state() == known

    current_trace("a module").called.setdefault(id(module), kept)


def run_before(
    module: Any, hook: Hook, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call after a hook before it."""
    if not hook.traced and is_traced((args, named)):
        if not hook.with_named:
            found = _called_out(module, hook, BEFORE, [args], _tuple)
            return found, named
        both: Any = _called_out(module, hook, BEFORE, [(args, named)], None, spread=True)
        return tuple(both[0]), dict(both[1])
    if hook.with_named:
        made = hook.call(module, args, named)
        return (args, named) if made is None else made
    made = hook.call(module, args)
    return (args if made is None else _tuple(made)), named


def run_after(
    module: Any, hook: Hook, args: tuple[Any, ...], named: dict[str, Any], result: Any
) -> Any:
    """The result of a call after a hook behind it."""
    given = [args, named, result] if hook.with_named else [args, result]
    if not hook.traced and is_traced(given):
        return _called_out(module, hook, AFTER, given, None)
    made = hook.call(module, *given)
    return result if made is None else made


def is_among(hook: Any, hooks: Mapping[int, Any]) -> bool:
    """Whether a hook has not been removed: jobs, unlike graphs, are not traced again."""
    return any(hook is one for one in hooks.values())


def owner_of(module: Any) -> str:
    """What a module is called: its name in a graph that is traced, else that of its class."""
    return str(getattr(active_trace(), "scope", "") or type(module).__name__)


def _tuple(made: Any) -> Any:
    return made if isinstance(made, tuple) else (made,)


def _called_out(
    module: Any, hook: Hook, kind: str, nests: Sequence[Any],
    convert: Callable[[Any], Any] | None, spread: bool = False,
) -> Any:  # fmt: skip
    """The last nest as the hook leaves it in each step."""
    trace, owner = current_trace("a hook"), owner_of(module)
    what = f"{kind} {name_of(hook.call)} of module {owner!r}"
    location = function_location(hook.call)
    hooks = module._before if kind == BEFORE else module._after

    def call(*values: Any) -> Any:
        if trace.tensors is None and not is_among(hook, hooks):
            return None
        before = _held(module)
        made = hook.call(module, *(values[0] if spread else values))
        changed = next((name for name, one in _held(module).items() if before.get(name) is not one),
                       None)  # fmt: skip
        if changed is not None:
            raise located(
                RuntimeError,
                f"{what} sets {changed!r}, which the compiled graph does not see; register it with "
                "traced=True",
                location,
            )
        return made if made is None or convert is None else convert(made)

    if trace.observes and only_observes(hook.call):
        _watch(trace, f"{owner}/{kind}", call, nests, what, location)
        return nests[-1]
    return replaced(Replacing(call, what, location), nests, f"{owner}/{kind}")


def _held(module: Any) -> dict[str, Tensor]:
    """The tensors that are attributes of a module."""
    own = vars(module)
    return {
        name: value
        for held in (own, own["_parameters"], own["_buffers"])
        for name, value in held.items()
        if isinstance(value, Tensor)
    }


def only_observes(function: Any) -> bool:
    """Whether a plain function returns nothing, wherever it ends.

    >>> only_observes(lambda x: None), only_observes(lambda x: x)
    (True, False)
    """
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return False
    last = None
    for step in dis.get_instructions(code):
        if step.opname == "RETURN_CONST" and step.argval is not None:
            return False
        if step.opname == "RETURN_VALUE":
            is_none = last is not None and last.opname == "LOAD_CONST" and last.argval is None
            if not is_none or step.is_jump_target:
                return False
        last = step
    return True


class _Collected(threading.local):
    """The values of the blobs that a hook observes, as they become known in a step."""

    def __init__(self, count: int) -> None:
        self.values: list[Any] = [None] * count


def _watch(
    trace: Trace, name: str, call: Callable[..., Any], nests: Sequence[Any], what: str,
    location: Location,
) -> None:  # fmt: skip
    """Let the handlers of watch points collect the values of all blobs, and call the hook."""
    operands = Operands(nests, what)
    blobs = operands.blobs
    collected = _Collected(len(blobs))

    def run() -> None:
        with eagerly(False):
            given = operands.tensors(collected.values)
            call(*operands.filled(operands.nest, given))
            if any(one.changes is not None and one.changes.count for one in given):
                raise located(
                    RuntimeError,
                    f"{what} changes a tensor in place, which the compiled graph does not see; "
                    "return a new tensor",
                    location,
                )

    def handler(number: int) -> Callable[[Any], None]:
        def keep(array: Any) -> None:
            collected.values[number] = array
            if number + 1 == len(blobs):
                run()

        return keep

    for number, blob in enumerate(blobs):
        point = trace.fresh_point(f"{name}/{number}" if len(blobs) > 1 else name)
        trace.create(Watch, blob.value, label=point)
        trace.handlers[point] = [handler(number)]
