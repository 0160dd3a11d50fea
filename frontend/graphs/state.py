"""The state of a graph: that of its modules, what training keeps beside them, and its code."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from penstock import runtime
from penstock.artifacts.artifact import save_artifact
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.graphs.compiled import CompiledGraph
from penstock.graphs.parts import GraphParts
from penstock.graphs.tracing import Plain
from penstock.nn.modules.module import Module
from penstock.runtime.artifacts.artifact import Artifact
from penstock.tensors.execute import truth
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor, wrap

_STEP = "System-Train-TrainStep"
_SCHEDULE = "System-Train-Schedule"
_DRAWS = "System-Random-Step"


def state_of(graph: GraphParts) -> dict[str, Any]:
    """The states of the modules by the graph's attributes, and further tensors by name."""
    found: dict[str, Any] = {
        name: block.origin.state_dict() for name, block in graph._blocks.items()
    }
    variant = graph._latest()
    if variant is None:
        found.update(graph._to_load)
        return found
    found.update((name, tensor.detach()) for name, tensor in _others(graph, variant))
    for name, number in _counts(graph, variant):
        found[name] = wrap(np.array(number, np.int64))
    return found


def _others(graph: GraphParts, variant: CompiledGraph) -> Iterator[tuple[str, Tensor]]:
    """The tensors that are no module's: slots of optimizers, and free tensors."""
    of_modules = {
        id(tensor)
        for module in graph._modules().values()
        for tensor in (*module._parameters.values(), *module._buffers.values())
    }
    for name, tensor in variant.built.lifting.tensors.items():
        if id(tensor) not in of_modules and not variant.built.lifting.is_made(tensor):
            yield name, tensor


def _counts(graph: GraphParts, variant: CompiledGraph) -> Iterator[tuple[str, int]]:
    """The steps of optimizers and schedules, and the draws of random generators."""
    for number, learner in enumerate(graph._learners):
        suffix = f"-{number}" if number else ""
        yield f"{_STEP}{suffix}", learner.optimizer.state.get("step", 0)
        last = getattr(learner.schedule, "last_step", None)
        if isinstance(last, int):
            yield f"{_SCHEDULE}{suffix}", last
    for number, generator in enumerate(variant.built.lifting.generators):
        yield f"{_DRAWS}-{number}" if number else _DRAWS, generator._step


def load(graph: GraphParts, state: Mapping[str, Any], strict: bool) -> None:
    """Copy a state into the graph; what is not the modules' waits until the graph is traced."""
    what = f"load_state_dict of graph {graph.name!r}"
    if not isinstance(state, Mapping):
        raise located(TypeError, f"{what} takes a dict, got {kind_of(state)}")
    modules = {name: value for name, value in state.items() if isinstance(value, Mapping)}
    rest: dict[str, Tensor] = {}
    for name, value in state.items():
        if name in modules:
            continue
        if not isinstance(value, Tensor | np.ndarray):
            raise located(TypeError, f"{what} takes tensors, got {kind_of(value)} for {name!r}")
        rest[name] = value if isinstance(value, Tensor) else wrap(value)
    wrong = modules.keys() ^ graph._blocks.keys()
    if strict and wrong:
        word = "is not expected" if min(wrong) in modules else "is missing"
        raise located(RuntimeError, f"{what}: module {min(wrong)!r} {word}")
    for name in modules.keys() & graph._blocks.keys():
        module: Module = graph._blocks[name].origin
        module.load_state_dict(modules[name], strict)
    graph.__dict__["_to_load"] = rest
    variant = graph._latest()
    if variant is not None:
        load_rest(graph, variant, strict)


def load_rest(graph: GraphParts, variant: CompiledGraph, strict: bool = True) -> None:
    """Copy what waited for the graph to be traced; each waits once."""
    rest, graph.__dict__["_to_load"] = graph._to_load, {}
    if not rest:
        return
    what = f"load_state_dict of graph {graph.name!r}"
    others = dict(_others(graph, variant))
    counts = dict(_counts(graph, variant))
    for name, value in rest.items():
        target = others.get(name)
        if target is not None:
            if target.array.shape != value.array.shape:
                raise located(
                    RuntimeError,
                    f"{what}: {name!r} has shape {tuple(target.shape)} here and "
                    f"{tuple(value.shape)} there",
                )
            with no_grad():
                assign(target, value.detach(), what)
        elif name in counts:
            _set_count(graph, variant, name, int(value.item()))
        elif strict:
            raise located(
                RuntimeError,
                f"{what}: {name!r} is not expected{did_you_mean(name, [*others, *counts])}",
            )


def _set_count(graph: GraphParts, variant: CompiledGraph, name: str, count: int) -> None:
    head, _, suffix = name.rpartition("-")
    number = int(suffix) if suffix.isdigit() else 0
    kind = head if suffix.isdigit() else name
    if kind == _DRAWS:
        list(variant.built.lifting.generators)[number]._step = count
        return
    learner = graph._learners[number]
    if kind == _STEP:
        learner.optimizer.state["step"] = count
    elif learner.schedule is not None:
        learner.schedule.last_step = count - 1
        learner.schedule.step()


def share(graph: GraphParts, other: GraphParts) -> None:
    """Let the parameters and buffers of a graph be those of another one."""
    what = f"share_from of graph {graph.name!r}"
    if not hasattr(other, "_blocks"):
        raise located(TypeError, f"{what} takes a graph, got {kind_of(other)}")
    ours, theirs = _named(graph), _named(other)
    if ours.keys() != theirs.keys():
        name = min(ours.keys() ^ theirs.keys())
        raise located(
            ValueError, f"{what}: {name!r} is in one of the graphs only; both need the same modules"
        )
    for name, tensor in ours.items():
        source = theirs[name]
        if (tensor.array.shape, tensor.array.dtype) != (source.array.shape, source.array.dtype):
            raise located(
                ValueError,
                f"{what}: {name!r} is {tensor.dtype} of shape {tuple(tensor.shape)}, and there "
                f"{source.dtype} of shape {tuple(source.shape)}",
            )
    for name, tensor in ours.items():
        tensor.array, tensor.changes = theirs[name].array, theirs[name].all_changes


def _named(graph: GraphParts) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for name, module in graph._modules().items():
        for word, tensor in (*module._parameters.items(), *module._buffers.items()):
            if tensor is not None:
                found[f"{name}.{word}"] = tensor
    return found


# -- compiled graphs ------------------------------------------------------------------------------


def runtime_state(graph: Any, variant: CompiledGraph) -> dict[str, Any]:
    """A compiled graph as an artifact, the names of its inputs, and the form of its outputs."""
    nest = variant.built.outputs.nest
    return {
        "graph": graph.name,
        "artifact": _saved(lambda path: save_artifact(path, graph)),
        "inputs": list(variant.built.inputs),
        "outputs": _described(nest, variant.truths),
    }


def _saved(save: Callable[[str], object]) -> Tensor:
    """What a function writes into a file, as a tensor."""
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        path = Path(folder) / "graph.pstk"
        save(str(path))
        return wrap(np.fromfile(path, np.uint8))


def _described(nest: Any, truths: Sequence[bool]) -> Any:
    """A nest of numbers of results as plain dicts and lists, which files can hold."""
    if isinstance(nest, Plain):
        return {"plain": nest.value}
    if isinstance(nest, int):
        return {"tensor": nest, "truth": truths[nest]}
    if isinstance(nest, dict):
        return {"dict": {name: _described(one, truths) for name, one in nest.items()}}
    kind = "tuple" if isinstance(nest, tuple) else "list"
    return {kind: [_described(one, truths) for one in nest]}


def _outputs(described: Any, results: Sequence[Any]) -> Any:
    """The outputs of a step in the described form."""
    ((kind, value), *others) = described.items()
    if kind == "plain":
        return value
    if kind == "tensor":
        made = wrap(results[value])
        return truth(made) if others[0][1] else made
    if kind == "dict":
        return {name: _outputs(one, results) for name, one in value.items()}
    members = [_outputs(one, results) for one in value]
    return tuple(members) if kind == "tuple" else members


class LoadedGraph:
    """A compiled graph that was loaded: it needs neither modules nor `build`."""

    def __init__(self, graph: str, state: Mapping[str, Any]) -> None:
        what = f"load_runtime_state_dict of graph {graph!r}"
        if not isinstance(state, Mapping) or {"artifact", "inputs", "outputs"} - state.keys():
            raise located(
                TypeError, f"{what} takes a result of runtime_state_dict(), got {kind_of(state)}"
            )
        self._state = dict(state)
        content = state["artifact"]
        array = content.array if isinstance(content, Tensor) else np.asarray(content)
        with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
            path = Path(folder) / "graph.pstk"
            path.write_bytes(array.astype(np.uint8).tobytes())
            try:
                self._artifact: Artifact = runtime.load(path)
            except runtime.ArtifactError as error:
                raise located(ValueError, f"{what}: {error}") from None
        (self._job,) = self._artifact.jobs.values()

    def step(self, graph: str, tensors: Sequence[Tensor]) -> Any:
        """Run a step, and return what `build` would."""
        job: Any = self._job
        given = [np.require(one.array, requirements="C") for one in tensors]
        try:
            results = job.executable.run(
                [a.reshape(t.array.shape) for a, t in zip(given, tensors, strict=True)],
                job.store, job.handlers,
            )  # fmt: skip
        except (TypeError, ValueError) as error:
            raise located(type(error), f"graph {graph!r}: {error}") from None
        return _outputs(self._state["outputs"], results)

    def state(self) -> dict[str, Any]:
        """Its state, with the values that it has now."""
        return {**self._state, "artifact": _saved(self._artifact.save)}
