"""Runs `build` of a graph once, and makes a job of it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from penstock.basics.errors import located
from penstock.basics.nest import is_nest, leaves, rebuild
from penstock.functions.ops import concat
from penstock.graphs.compiled import Built, CompiledGraph
from penstock.graphs.forms import Form
from penstock.graphs.lifting import GraphLifting
from penstock.graphs.memory import mark_all, mark_segments
from penstock.graphs.parts import GraphParts
from penstock.graphs.scalers import GradScaler
from penstock.graphs.tracing import Call, GraphTrace, Returned, returned
from penstock.graphs.training import Names, adapt, depend, gradients_of, learn, unscaled
from penstock.ir.attributes import element_type
from penstock.nn.modules.module import Module
from penstock.tensor_functions.calls import part
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, apply, feed
from penstock.trace.job_config import FunctionConfig
from penstock.trace.tracing import Tracing


def build(
    graph: GraphParts, form: Form, args: Sequence[Any], named: Mapping[str, Any]
) -> CompiledGraph:
    """Trace a graph for inputs of this form."""
    debug = graph._debug
    debug.tell(0, f"(GRAPH:{graph.name}:{type(graph).__name__}) starts to trace build.")
    location = graph.location
    config = FunctionConfig()
    config.memory = graph.config.memory
    trace = GraphTrace(graph.name, graph.type, location, config)
    trace.told = debug.follow
    amp = graph.config.amp_dtype
    trace.narrow = None if amp is None else element_type(amp.numpy)
    learned = [p for learner in graph._learners for p in learner.tensors()]
    lifting = GraphLifting(trace, tensor_names(graph), learned)
    trace.tensors = lifting
    modules = graph._modules()
    with Tracing(trace), lifting.tracing():
        inputs = input_names(graph, args, named)
        feeds = [
            feed(trace, name, t.array.shape, t.dtype, location)
            for name, t in zip(inputs, form.tensors, strict=True)
        ]
        for one, blob in zip(form.tensors, feeds, strict=True):
            trace.share(one, blob.value, f"input {blob.name}")
        with trace.following(modules), _without_blobs(modules):
            result = _run(graph, trace, lifting, feeds, args, named)
        _refuse_kept(graph, lifting)
        names, skipped = _learn(graph, trace, lifting) if graph._learners else ([], None)
        lifting.advance_generators()
        paths = [path for path, leaf in leaves(result.nest) if isinstance(leaf, int)]
        trace.finish(list(zip(paths, result.blobs, strict=True)))
    debug.tell(0, f"(GRAPH:{graph.name}:{type(graph).__name__}) has traced build.")
    learners, own = list(graph._learners), list(modules.values())
    ids = set(map(id, own))
    others = [kept() for module, kept in trace.called.items() if module not in ids]
    built = Built(trace, lifting, inputs, result, learners, names, skipped, own, others)
    return CompiledGraph(built, debug.tell)


def _learn(
    graph: GraphParts, trace: GraphTrace, lifting: GraphLifting
) -> tuple[list[Names], str | None]:
    """Append gradients and updates; the names of the variables that they keep."""
    if not lifting.losses:
        raise located(
            RuntimeError,
            f"graph {graph.name!r} has an optimizer, but its build calls backward on no loss; call "
            "loss.backward() in build",
            trace.location,
        )
    trace.narrow = None
    roots = [
        value
        for learner in graph._learners
        for p in learner.tensors()
        if p._requires_grad and (value := lifting.first(p)) is not None
    ]
    scaler = graph._scaler
    scale: Any = None if scaler is None else lifting.blob(scaler.scale)
    share = 1 / graph.config.accumulation_steps
    body = trace.function.body
    lifting.gate_parameters()
    trace.route_gates()
    forward = body.last
    again = _checkpointed(graph, trace)
    is_limited = trace.config.memory is not None
    if is_limited:
        mark_all(body)
    mark_segments(body, again)
    gradients = gradients_of(trace, lifting.losses, roots, share, scale)
    if forward is None or not depend(roots, [loss.value for loss in lifting.losses]):
        raise located(
            RuntimeError,
            f"the losses of graph {graph.name!r} depend on no parameter of its optimizers",
            lifting.losses[0].location,
        )
    # With a limit, the pass computes again and moves updates, as far as that is needed.
    if again and not is_limited:
        from penstock.passes.flow.recompute import recompute

        recompute(body)
    backward = body.last
    assert backward is not None
    if scale is not None:
        gradients = unscaled(trace, gradients, scale)
    before = set(trace.updates)
    names, skipped = learn(trace, lifting, graph._learners, gradients), None
    if not gradients:  # They are 0, as those of `ceil`.
        return names, skipped
    trace.minimized = lifting.losses[0].location
    if isinstance(scaler, GradScaler):
        changed = [name for name in trace.updates if name not in before]
        skipped = adapt(trace, lifting, scaler, gradients, changed)
    if not is_limited:
        from penstock.passes.flow.early_updates import advance_updates

        advance_updates(body, forward, backward)
    return names, skipped


def _refuse_kept(graph: GraphParts, lifting: GraphLifting) -> None:
    """Raise a located RuntimeError for a tensor that `build` makes, changes and keeps.

    Each call would begin with a new one.
    """
    owners = [vars(module) for module in graph._modules().values()]
    held = [vars(graph), *owners, *(own["_buffers"] for own in owners)]
    kept = {id(value): name for own in held for name, value in own.items()}
    for tensor, what, location in lifting.changed_own:
        if id(tensor) in kept:
            raise located(
                RuntimeError,
                f"{what} changes {kept[id(tensor)]!r}, which build of graph {graph.name!r} makes "
                "anew in each call; make it in __init__ to keep its changes",
                location,
            )


@contextmanager
def _without_blobs(modules: Mapping[str, Module]) -> Iterator[None]:
    """Afterwards, let attributes of modules that `build` made blobs be what they were before."""
    before = [(module, dict(vars(module))) for module in modules.values()]
    try:
        yield
    finally:
        for module, attributes in before:
            own = vars(module)
            for name in [name for name, value in own.items() if isinstance(value, Blob)]:
                if name in attributes:
                    own[name] = attributes[name]
                else:
                    del own[name]


def _checkpointed(graph: GraphParts, trace: GraphTrace) -> list[Call]:
    """The calls of modules with activation checkpointing, in order, without those inside others."""
    chosen = {
        name
        for name, module in graph._modules().items()
        if id(module) in graph._block_configs
        and graph._block_configs[id(module)].activation_checkpointing
    }
    outermost = [
        name
        for name in chosen
        if not any(name.startswith(f"{other}.") for other in chosen if other != name)
    ]
    return [call for name in sorted(outermost) for call in trace.calls.get(name, ())]


def _run(
    graph: GraphParts, trace: GraphTrace, lifting: GraphLifting, feeds: list[Blob],
    args: Sequence[Any], named: Mapping[str, Any],
) -> Returned:  # fmt: skip
    """Run `build`: once for each part of a batch whose gradients are accumulated."""
    count = graph.config.accumulation_steps
    if count == 1:
        return _run_once(graph, trace, lifting, feeds, args, named)
    for blob in feeds:
        if blob.shape and blob.shape[0] % count:
            raise located(
                ValueError,
                f"graph {graph.name!r} accumulates the gradients of {count} parts of a batch, so "
                f"dimension 0 of each input must be a multiple of {count}; input {blob.name} has "
                f"shape {tuple(blob.shape)}",
            )
    every = []
    for turn in range(count):
        parts = [_part(blob, turn, count) for blob in feeds]
        every.append(_run_once(graph, trace, lifting, parts, args, named))
    stacked = [_stacked(blobs) for blobs in zip(*(one.blobs for one in every), strict=True)]
    return Returned(every[0].nest, stacked)


def _part(blob: Blob, turn: int, count: int) -> Blob:
    if not blob.shape:
        return blob
    size = blob.shape[0] // count
    found: Any = part(cast(Any, blob), 0, turn * size, size)
    return cast(Blob, found)


def _stacked(blobs: Sequence[Blob]) -> Blob:
    """The results of the parts, along dimension 0."""
    if not blobs[0].shape:
        blobs = [apply("flow.reshape", blob, shape=[1])[0] for blob in blobs]
    return concat(list(blobs), axis=0)


def _run_once(
    graph: GraphParts, trace: GraphTrace, lifting: GraphLifting, feeds: list[Blob],
    args: Sequence[Any], named: Mapping[str, Any],
) -> Returned:  # fmt: skip
    given = iter(feeds)

    def leaf(value: Any) -> Any:
        return next(given) if isinstance(value, np.ndarray | Tensor) else value

    positional, by_name = rebuild(list(args), leaf), rebuild(dict(named), leaf)
    return returned(graph.build(*positional, **by_name), trace, lifting.blob)


def tensor_names(graph: GraphParts) -> dict[int, str]:
    """The names of a graph's tensors by their ids: parameters, buffers and its own attributes."""
    found: dict[int, str] = {}
    for name, module in graph._modules().items():
        for own in ("_parameters", "_buffers"):
            for word, tensor in module.__dict__[own].items():
                if tensor is not None:
                    found.setdefault(id(tensor), f"{name}.{word}")
    for name, value in vars(graph).items():
        if isinstance(value, Tensor):
            found.setdefault(id(value), name)
    return found


def by_position(
    graph: GraphParts, args: Sequence[Any], named: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Inputs with those given by name at their positions in `build`, as far as they have one."""
    bound = _bound(graph, args, named)
    return bound.args, dict(sorted(bound.kwargs.items()))


def _bound(
    graph: GraphParts, args: Sequence[Any], named: Mapping[str, Any]
) -> inspect.BoundArguments:
    try:
        return inspect.signature(graph.build).bind(*args, **named)
    except TypeError as error:
        raise located(
            TypeError, f"build of graph {graph.name!r} does not take these inputs: {error}"
        ) from None


def input_names(graph: GraphParts, args: Sequence[Any], named: Mapping[str, Any]) -> list[str]:
    """The names of the tensors among inputs: those of parameters, `x/0` inside a nest."""
    _bound(graph, args, named)
    positional = inspect.signature(graph.build).bind_partial(*args).arguments
    found: list[str] = []
    for name, value in [*positional.items(), *named.items()]:
        found += _names(name, value)
    return found


def _names(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray | Tensor):
        yield name
    elif is_nest(value):
        for path, leaf in leaves(value):
            if isinstance(leaf, np.ndarray | Tensor):
                yield f"{name}/{path}"
