"""The graph of a run: its calls, traced into one job, must compute what they computed eagerly.

The graph returns what the test returned, and the gradients of the tensors and parameters that got
some. Each element must be the same, bit for bit, unless passes fused ops: then it may differ by
rounding, whose size Monte Carlo arithmetic measures (`penstock.meaning.rounding`). Ops that round
to a narrower type round alike in both.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import penstock
from penstock.basics.errors import located
from penstock.basics.nest import leaves
from penstock.functions.gradients import gradients
from penstock.graphs.graph import Graph
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import pass_interrupt
from penstock.ir.dialects.builtin import Module as IRModule
from penstock.ir.dialects.flow.base import HALVES, TensorOp, tensor
from penstock.ir.meaning.interpreter import Interpreter
from penstock.ir.record import Record
from penstock.ir.types import is_float
from penstock.meaning.results import name_of
from penstock.meaning.rounding import CONFIRMING, LANES, Lane, compared, evaluate, on_grid
from penstock.nn.modules.module import Module
from penstock.tensors.creation import tensor as new_tensor
from penstock.tensors.modes import set_grad_enabled
from penstock.tensors.tensor import Tensor, wrap
from penstock.testing.alignment.checking import Misalignment, label
from penstock.testing.duals.comparing import apart
from penstock.testing.duals.program import (
    Assignment,
    Attribute,
    Call,
    Expression,
    Source,
    Statement,
    evaluated,
    replaced,
)
from penstock.testing.duals.run import Run
from penstock.trace.blob import Blob
from penstock.trace.tracing import current_trace

Array = np.ndarray[Any, Any]

_PLACE = re.compile(r"^\S+:\d+: ")
"""Where an error says that it was raised."""


class GraphDiffers(Record, eq=False):
    """A result of the graph that differs from the eager one."""

    number: int
    """The number of the result."""
    what: str
    sentence: str
    module: IRModule
    """The graph at stage `job`."""
    inputs: Mapping[str, Array]
    apart: float
    """The largest difference, relative to the largest element."""
    apart_by: float
    """The largest difference."""


class Gradients(Record, eq=False):
    """What backward starts from, and the tensors whose gradients are compared."""

    outputs: Sequence[tuple[Expression, Array]]
    variables: Sequence[int]
    """The tensors that the program starts from."""
    parameters: Sequence[tuple[int, str]]
    """A module's variable, and the name of its parameter."""


class Replayed(Graph):
    """A graph that makes the calls of a program."""

    def __init__(
        self, run: Run, outputs: Sequence[Expression], found: Gradients, last: int | None = None
    ) -> None:
        super().__init__()
        own = self.__dict__
        end = len(run.statements) if last is None else last + 1
        own["program"] = run.statements[:end]
        own["wanted"], own["found"] = outputs, found
        own["copies"] = {
            s.result.number: copy.deepcopy(s.made)
            for s in own["program"]
            if isinstance(s, Call) and isinstance(s.made, Module)
        }

    def build(self, *inputs: Any) -> Any:
        """The results, and then the gradients."""
        values: dict[int, Any] = dict(self.copies)
        left = iter(inputs)
        starts: dict[int, Blob] = {}
        parameters = {
            key: self.copies[key[0]].get_parameter(key[1]) for key in self.found.parameters
        }
        trace = current_trace("autotest")
        assert trace.tensors is not None
        lifting: Any = trace.tensors
        weights = {key: copy.copy(lifting.blob(one)) for key, one in parameters.items()}
        for statement in self.program:
            if is_input(statement):
                value = next(left)
                values[statement.result.number] = value
                starts[statement.result.number] = copy.copy(value)
            elif isinstance(statement, Call) and statement.result.number not in self.copies:
                values[statement.result.number] = called(statement, values)
            elif isinstance(statement, Assignment):
                owner = evaluated(statement.target.of, penstock, values)
                setattr(owner, statement.target.name, _value(statement.value, values))
        made = [_value(one, values) for one in self.wanted]
        results = [leaf for one in made for leaf in _tensors(one)]
        if self.found.outputs:
            ys = [_value(one, values) for one, _ in self.found.outputs]
            seeds = [lifting.blob(wrap(seed.copy())) for _, seed in self.found.outputs]
            xs = [starts[number] for number in self.found.variables] + list(weights.values())
            results += gradients(ys, xs, seeds)
        return tuple(results)


_OF_LEAVES = ("requires_grad_", "retain_grad")
"""Methods that a graph has no need of: it returns the gradients that were computed."""


def is_input(statement: Any) -> bool:
    """Whether a statement makes a tensor that is an input of the graph."""
    return isinstance(statement, Source) or (isinstance(statement, Call) and statement.is_source)


def inputs_among(statements: Sequence[Statement]) -> list[int]:
    """The variables that are inputs of the graph."""
    return [s.result.number for s in statements if not isinstance(s, Assignment) and is_input(s)]


def called(call: Call, values: Mapping[int, Any]) -> Any:
    """What a call returns, if variables have these values."""
    if isinstance(call.target, Attribute) and call.target.name in _OF_LEAVES:
        return evaluated(call.target.of, penstock, values)
    target = _function(call.target, values)
    args = [_value(one, values) for one in call.args]
    named = {key: _value(one, values) for key, one in call.named.items()}
    with set_grad_enabled(call.records):
        return target(*args, **named)


def _function(target: Expression, values: Mapping[int, Any]) -> Any:
    """The function of a call. As in Python, `x += y` is `x = x + y` if x cannot change in place."""
    if isinstance(target, Attribute) and target.name.startswith("__i"):
        owner = evaluated(target.of, penstock, values)
        plain = f"__{target.name[3:]}"
        if not hasattr(owner, target.name) and hasattr(owner, plain):
            return getattr(owner, plain)
    return evaluated(target, penstock, values)


def _value(value: Any, values: Mapping[int, Any]) -> Any:
    return replaced(value, lambda expression: evaluated(expression, penstock, values))


def _tensors(value: Any) -> list[Any]:
    found = [leaf for _, leaf in leaves(value)] if isinstance(value, tuple | list) else [value]
    return [leaf for leaf in found if isinstance(leaf, Tensor | Blob)]


def inputs_of(run: Run, last: int | None = None) -> list[Tensor]:
    """The tensors that a program starts from, as they were then."""
    end = len(run.statements) if last is None else last + 1
    found = []
    for statement in run.statements[:end]:
        if isinstance(statement, Source):
            found.append(wrap(statement.array.copy()))
        elif isinstance(statement, Call) and statement.is_source:
            found.append(wrap(statement.made.copy()))
    return found


def gradients_of(
    run: Run, seeds: Sequence[tuple[Expression, Array]]
) -> tuple[Gradients, list[Array]]:
    """The gradients that eager code has computed."""
    variables, parameters, found = [], [], []
    for number in inputs_among(run.statements) if seeds else ():
        gradient = run.values[number].oneflow._grad
        if gradient is not None:
            variables.append(number)
            found.append(gradient.array)
    for statement in run.statements if seeds else ():
        if isinstance(statement, Call) and isinstance(statement.made, Module):
            number = statement.result.number
            for name, parameter in run.values[number].oneflow.named_parameters():
                if parameter._grad is not None:
                    parameters.append((number, name))
                    found.append(parameter._grad.array)
    return Gradients(seeds, variables, parameters), found


def check_graph(
    run: Run, outputs: Sequence[Expression], seeds: Sequence[tuple[Expression, Array]]
) -> GraphDiffers | None:
    """How the graph of the whole program differs from eager code.

    Raises what tracing raises for a call that graphs do not have.
    """
    wanted = [_value(one, dict(enumerate(one.oneflow for one in run.values))) for one in outputs]
    eager = [leaf.array for one in wanted for leaf in _tensors(one)]
    found, slopes = gradients_of(run, seeds)
    if not eager:
        return None
    names = [f"result {i}" for i in range(len(eager))]
    names += [f"the gradient of {_named(run, n)}" for n in found.variables]
    names += [f"the gradient of {name}" for _, name in found.parameters]
    return compare(Replayed(run, outputs, found), inputs_of(run), [*eager, *slopes], names)


def first_wrong_call(run: Run) -> Call | None:
    """The first call whose result is wrong in a graph that returns the results of all calls.

    None if that graph is right: passes fuse less where more results are wanted.
    """
    calls: list[Call] = []
    for call in run.statements:
        if isinstance(call, Call) and call.after is not None and not call.is_source:
            calls.append(call)
    made = [_tensors(run.values[call.result.number].oneflow) for call in calls]
    by = [call for call, tensors in zip(calls, made, strict=True) for _ in tensors]
    eager = [tensor.array for tensors in made for tensor in tensors]
    graph = Replayed(run, [call.result for call in calls], Gradients([], [], []))
    found = compare(graph, inputs_of(run), eager, [call.name for call in by])
    return None if found is None else by[found.number]


def _named(run: Run, number: int) -> str:
    return f"input {inputs_among(run.statements).index(number)}"


def compare(
    graph: Graph, inputs: Sequence[Tensor], eager: Sequence[Array], names: Sequence[str]
) -> GraphDiffers | None:
    """How a graph's results differ from eager ones; None if only rounding differs."""
    if not inputs:
        graph()  # which traces it; without inputs, nothing else does
    module = graph.trace(*inputs).modules["job"]
    if all(op.terminator for op in module.job.body):
        return None
    variant = graph._latest()
    assert variant is not None
    given = dict(variant.values())
    results = [one.array for one in _tensors(graph(*inputs))]
    different = [i for i, (r, e) in enumerate(zip(results, eager, strict=True)) if not _same(r, e)]
    if not different:
        return None
    arrays = arguments(module, [one.array for one in inputs], given)
    lowered = variant.lower().modules["grad"]
    for number in different:
        got, wanted = results[number], eager[number]
        if got.shape != wanted.shape or got.dtype != wanted.dtype:
            sentence = f"expected {_kind(wanted)}, got {_kind(got)}"
            return GraphDiffers(number, names[number], sentence, module, arrays, 1.0, 1.0)
        for lanes in (LANES, CONFIRMING):
            wrong = _beyond(lowered, arrays, number, got, wanted, lanes)
            if not wrong.any():
                break
        else:
            sentence = apart(wanted, got, wrong)
            far, top = _distance(wanted, got)
            return GraphDiffers(number, names[number], sentence, module, arrays, far / top, far)
    return None


def _kind(array: Array) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _same(one: Array, other: Array) -> bool:
    """Whether all bits are the same; all NaN count as one."""
    if (one.shape, one.dtype) != (other.shape, other.dtype):
        return False
    if one.dtype.kind in "iub":
        return bool((one == other).all())
    wide, wider = one.astype(np.complex128), other.astype(np.complex128)
    return bool(((wide == wider) | (np.isnan(wide) & np.isnan(wider))).all())


def _distance(wanted: Array, got: Array) -> tuple[float, float]:
    """The largest difference of two arrays, and their largest element; 1 if neither is finite."""
    with np.errstate(all="ignore"):
        x, y = wanted.astype(np.float64), got.astype(np.float64)
        top = float(np.abs(x[np.isfinite(x)]).max(initial=0.0)) or 1.0
        far = np.abs(x - y)
        return float(far[np.isfinite(far)].max(initial=0.0)) or 1.0, top


def arguments(
    module: IRModule, feeds: Sequence[Array], variables: Mapping[str, Array]
) -> dict[str, Array]:
    """The arguments of a job by the names of `penstock.meaning.results`."""
    left = iter(feeds)
    found = {}
    for i in range(len(module.job.arguments)):
        name = name_of(module.job.argument_attributes(i), f"argument {i}")
        kind, _, word = name.partition(" ")
        found[name] = variables[word] if kind == "variable" else next(left)
    return found


# -- the size of rounding ------------------------------------------------------------------------


def _beyond(
    module: IRModule, inputs: Mapping[str, Array], number: int, got: Array, wanted: Array,
    lanes: int,
) -> Array:  # fmt: skip
    """Where two results are farther apart than rounding explains."""
    if got.dtype.kind not in "f" and got.dtype.name != "bfloat16":
        return np.asarray(got != wanted)
    name = name_of(module.job.result_attributes(number), f"result {number}")
    kinds: list[Callable[..., Any]] = [_lane(n) for n in range(lanes)]
    exact, *others = [evaluate(module, inputs, kind)[name] for kind in (_Exact, *kinds)]
    room = compared(exact, others).room
    with np.errstate(all="ignore"):
        x, y = got.astype(np.float64), wanted.astype(np.float64)
        near = (x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= room)
        near |= np.isinf(room)
    return np.asarray(~near)


def _lane(number: int) -> Callable[..., Any]:
    random = np.random.default_rng(number)
    return lambda promote, watch: _Noisy(promote, watch, random)


class _Exact(Interpreter):
    """Computes in float64, and rounds where a program rounds to a narrower type."""

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        return rounded(op, super().run(op, arrays, values))


class _Noisy(Lane):
    """The same with random rounding of all results that are computed."""

    def run(
        self, op: Operation, arrays: Sequence[Array], values: dict[Value, Array]
    ) -> Sequence[Array]:
        if narrows(op):
            return rounded(op, Interpreter.run(self, op, arrays, values))
        return super().run(op, arrays, values)


def narrows(op: Operation) -> bool:
    """Whether an op takes wider floats than it returns."""
    if not isinstance(op, TensorOp) or not op.operands:
        return False
    inner = [tensor(value).element for value in op.operands]
    outer = [tensor(value).element for value in op.results]
    return all(e in HALVES for e in outer) and not any(e in HALVES for e in inner if is_float(e))


def rounded(op: Operation, results: Sequence[Array]) -> Sequence[Array]:
    """The results in their own types, if the op narrows."""
    if not narrows(op):
        return results
    return [on_grid(a, tensor(v).element) for a, v in zip(results, op.results, strict=True)]


# -- call by call --------------------------------------------------------------------------------


def _of_constants(
    run: Run, call: Call, others: Mapping[int, Any], names: Sequence[str], error: Exception
) -> GraphDiffers | None:
    """The graph of a call whose result depends on the numbers of its tensors, such as a range: they
    are constants of the graph."""
    try:
        return compare(OneCall(call, others, is_constant=True), [], call.after or [], names)
    except Exception as other:
        pass_interrupt(other)
        raise _no_graph(run, call, error) from error


def _no_graph(run: Run, call: Call, error: Exception) -> Misalignment:
    """The error for a call that works on tensors and cannot be traced."""
    said = _PLACE.sub("", str(error).partition("\n")[0])
    name = label(run, call)
    made = located(
        Misalignment,
        f"{name} works on tensors, and its graph fails: {said}; pass check_graph=False if graphs "
        "do not have it",
        call.location,
    )
    made.kind, made.call = "graph", name
    return made


class OneCall(Graph):
    """A graph of one call, whose tensors are its inputs, or else constants."""

    def __init__(self, call: Call, values: Mapping[int, Any], is_constant: bool = False) -> None:
        super().__init__()
        self.__dict__["call"], self.__dict__["others"] = call, dict(values)
        self.__dict__["is_constant"] = is_constant

    def build(self, *inputs: Any) -> Any:
        """The results of the call."""
        before: Mapping[int, Array] = self.call.before
        given = [new_tensor(array) for array in before.values()] if self.is_constant else inputs
        values = {**self.others, **dict(zip(before, given, strict=True))}
        return tuple(_tensors(called(self.call, values)))


def check_calls(run: Run) -> tuple[Call, GraphDiffers] | None:
    """The first call whose own graph differs from eager code, each on the tensors that it got.

    Raises Misalignment for a call that graphs do not have.
    """
    modules = {
        n: copy.deepcopy(v.oneflow)
        for n, v in enumerate(run.values)
        if isinstance(v.oneflow, Module)
    }
    for call in run.statements:
        if not isinstance(call, Call) or call.is_source or call.after is None or not call.before:
            continue
        inputs = [wrap(array.copy()) for array in call.before.values()]
        names = [f"result {i}" for i in range(len(call.after))]
        others = {n: value.oneflow for n, value in enumerate(run.values)} | modules
        try:
            found = compare(OneCall(call, others), inputs, call.after, names)
        except Exception as error:
            pass_interrupt(error)
            found = _of_constants(run, call, others, names, error)
        if found is not None:
            return call, found
    return None
