"""What `flow.debug.compare` compares: the module of a function, job or graph, and its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.basics.errors import kind_of, located, user_location
from penstock.basics.nest import leaves, rebuild
from penstock.debug.recording import Recorder
from penstock.graphs.compiled import CompiledGraph
from penstock.graphs.graph import Graph
from penstock.ir.attributes import numpy_dtype, python_value
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.jobs.functions import is_job_function, location_of, name_of
from penstock.jobs.jit import CompiledFunction, JitFunction, formed
from penstock.jobs.job import JobFunction
from penstock.lowering.modules import Modules
from penstock.nn.modules.module import Module
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.tensors.engine import gradients_of
from penstock.tensors.modes import enable_grad, observed_by
from penstock.tensors.tensor import Tensor, wrap

Array = np.ndarray[Any, Any]


class Eager(Record):
    """What the function itself computed on tensors."""

    recorder: Recorder
    results: Sequence[Array]
    """Its results, in the order of the job's fetches."""


class Subject(Record, eq=False):
    """A function to compare."""

    name: str
    location: Location
    modules: Modules
    arguments: Mapping[str, Array]
    """The arrays of feeds and variables, by name."""
    eager: Callable[[], Eager | None]
    """Runs the function on tensors, if it can; leaves tensors as they were."""


def subject_of(
    function: Any, args: Sequence[Any], named: Mapping[str, Any], backward: bool
) -> Subject:
    """What to compare for a function, a job or a graph, and its inputs; jobs and graphs decide
    themselves whether they have a backward.

    Raises a located TypeError for anything else, and what a call with these inputs raises.
    """
    if isinstance(function, JobFunction):
        return _of_job(function, args, named)
    if isinstance(function, Graph):
        return _of_graph(function, args, named)
    if isinstance(function, JitFunction):
        function = function.__wrapped__  # type: ignore[attr-defined]
    if isinstance(function, Module) or is_job_function(function):
        return _of_function(function, args, named, backward)
    raise located(
        TypeError,
        "flow.debug.compare takes a function of tensors, a module, a job function or a graph, got "
        f"{kind_of(function)}",
    )


def _refuse_callouts(subject: str, callouts: Mapping[str, Any]) -> None:
    """Raise a located NotImplementedError for a job that calls Python functions."""
    if callouts:
        raise located(
            NotImplementedError,
            f"flow.debug.compare cannot run the ops of {subject} one by one, since it calls the "
            f"Python function {next(iter(callouts))}; compare the functions before and after it",
        )


# -- functions ----------------------------------------------------------------------------------


def _of_function(
    function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any], backward: bool
) -> Subject:
    nest, tensors = formed(args, named)
    with making, no_collection():
        compiled = CompiledFunction(function, nest, tensors)
        _refuse_callouts(f"function {name_of(function)!r}", compiled.callouts)
        every = [*tensors, *compiled.own]
        wanted = tuple(backward and one.dtype.is_float for one in every)
        module, _ = compiled.with_backward(wanted, keep_results=True)
    count = len(module.job.arguments)
    labels = [python_value(module.job.argument_attributes(i)["job.feed"]) for i in range(count)]
    generator = np.random.default_rng(0)
    seeds = [
        generator.uniform(-1, 1, tensor(value).shape).astype(numpy_dtype(tensor(value).element))
        for value in module.job.arguments[len(every) :]
    ]
    arrays = [*(one.array for one in every), *seeds]

    def eager() -> Eager:
        inputs = [one.detach().requires_grad_(one.dtype.is_float) for one in tensors]
        left = iter(inputs)
        arguments = rebuild(
            (tuple(args), dict(named)),
            lambda leaf: next(left) if isinstance(leaf, Tensor | np.ndarray) else leaf,
        )
        recorder = Recorder()
        with _unchanged(compiled.own), enable_grad(), observed_by(recorder):
            made = function(*arguments[0], **arguments[1])
            results = [one for _, one in leaves(made) if isinstance(one, Tensor)]
            floats = [one for one in results if one.dtype.is_float]
            pairs = [
                (one, wrap(seed))
                for one, seed in zip(floats, seeds, strict=True)
                if one.requires_grad
            ]
            own = [one for one in compiled.own if one.dtype.is_float and one.requires_grad]
            if pairs and backward:
                gradients_of(
                    [one for one, _ in pairs], [*inputs, *own], [seed for _, seed in pairs],
                    False, False, "flow.debug.compare",
                )  # fmt: skip
        return Eager(recorder, [one.array.copy() for one in results])

    is_module = isinstance(function, Module)
    location = user_location() if is_module else location_of(function)
    name = f"{'module' if is_module else 'function'} {name_of(function)!r}"
    every_array = dict(zip(labels, arrays, strict=True))
    return Subject(name, location, Modules("job", module), every_array, eager)


@contextmanager
def _unchanged(tensors: Sequence[Tensor]) -> Iterator[None]:
    """Afterwards, let tensors have the elements and gradients from before."""
    before = [(one, one.array, one.array.copy(), one._grad) for one in tensors]
    for one in tensors:
        one._grad = None
    try:
        yield
    finally:
        for one, array, elements, gradient in before:
            one.array = array
            if array.flags.writeable:
                np.copyto(array, elements)
            one._grad = gradient


# -- jobs ---------------------------------------------------------------------------------------


def _of_job(job: JobFunction[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Subject:
    modules, arrays = job.step_of(*args, **named)
    _refuse_callouts(f"job {job.name!r}", job.callouts)
    location = job.signature.location
    return Subject(f"job {job.name!r}", location, modules, arrays, lambda: None)


# -- graphs -------------------------------------------------------------------------------------


def _of_graph(graph: Graph, args: Sequence[Any], named: Mapping[str, Any]) -> Subject:
    compiled = graph._of(args, named)
    _refuse_callouts(f"graph {graph.name!r}", compiled.built.trace.callouts)
    tensors = formed(args, named)[1]
    values = compiled.values()
    feeds = [one.array for one in tensors]
    arrays = {**dict(zip(compiled.built.inputs, feeds, strict=True)), **values}
    return Subject(
        f"graph {graph.name!r}", graph.location, compiled.modules, arrays,
        lambda: _eager_graph(graph, compiled, args, named),
    )  # fmt: skip


def _eager_graph(
    graph: Graph, compiled: CompiledGraph, args: Sequence[Any], named: Mapping[str, Any]
) -> Eager | None:
    """The run of `build` on tensors, unless the graph computes with other numbers by its settings:
    in 16 bits, on parts of a batch, or with scaled losses."""
    config = graph.config
    if config.amp_dtype is not None or config.accumulation_steps > 1 or graph._scaler is not None:
        return None
    built = compiled.built
    steps = {generator: generator._step for generator in built.lifting.generators}
    recorder = Recorder()
    arguments = rebuild(
        (tuple(args), dict(named)),
        lambda leaf: wrap(leaf) if isinstance(leaf, np.ndarray) else leaf,
    )
    with _unchanged(list(built.lifting.tensors.values())), enable_grad(), observed_by(recorder):
        try:
            made = graph.build(*arguments[0], **arguments[1])
        finally:
            for generator, step in steps.items():
                generator._step = step
        found = [one.array.copy() for _, one in leaves(made) if isinstance(one, Tensor)]
    return Eager(recorder, found)
