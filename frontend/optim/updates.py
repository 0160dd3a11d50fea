"""Updates all parameters in place by one kernel, keyed by the ops, their attributes and the shapes.

The kernel is a job whose variables are the caller's arrays: parameters and state of the optimizer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.basics.dtypes import DType, float32, float64
from penstock.basics.errors import located
from penstock.basics.recent import Recent
from penstock.ir.attributes import StringAttr, element_type, unit
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import job as _job  # noqa: F401 - fills the registry of ops
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job.update import Update
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType
from penstock.lowering.modules import Modules
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.runtime.memory import address_of
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import executable, prepare
from penstock.tensors.graph import users_line
from penstock.tensors.inplace import check_writable, refuse_traced
from penstock.tensors.modes import Observer, mode
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]


class Rule(NamedTuple):
    """The update of each parameter of a group."""

    op: str
    """The name of the update op."""
    options: tuple[tuple[str, float | bool], ...]
    """Its attributes."""
    penalty: float = 0.0
    """The factor on a parameter that is added to its gradient."""
    maximize: bool = False
    """Whether the gradient is negated first."""

    @property
    def update(self) -> type[Update]:
        """The class of the op."""
        return cast(type[Update], registry[self.op])


class Part(NamedTuple):
    """The parameters of a group that have gradients, and the numbers of this step."""

    rule: Rule
    numbers: Sequence[Any]
    """The values of the op's `numbers`; the first is the learning rate."""
    parameters: Sequence[Tensor]
    states: Sequence[Sequence[Tensor]]
    """For each parameter, the tensors of its state."""

    @property
    def number_type(self) -> DType:
        """The type in which the numbers reach the kernel: no narrower than a parameter's."""
        return float64 if any(p.dtype is float64 for p in self.parameters) else float32


def apply(parts: Sequence[Part]) -> None:
    """Update all parameters and their state in place, by one native call.

    Parameters that share memory are updated one after another.
    """
    gradients: list[Array] = []
    changed: list[Tensor] = []
    for part in parts:
        for parameter, state in zip(part.parameters, part.states, strict=True):
            gradient = parameter._grad
            assert gradient is not None, "only parameters with gradients are updated"
            array = gradient.array
            gradients.append(array if array.flags.c_contiguous else array.copy("C"))
            changed += [parameter, *state]
    if not changed:
        return
    refuse_traced("step of an optimizer")
    for tensor in changed:
        check_writable(tensor, "an optimizer")
    if mode.observer is not None:
        _observed(mode.observer, parts, gradients)
    else:
        _apply(parts, gradients, [tensor.array for tensor in changed])


def _observed(observer: Observer, parts: Sequence[Part], gradients: Sequence[Array]) -> None:
    """Update one parameter after another, and tell the observer of each."""
    left = iter(gradients)
    for part in parts:
        for parameter, state in zip(part.parameters, part.states, strict=True):
            arrays, gradient = [one.array for one in (parameter, *state)], next(left)
            before = [array.copy() for array in arrays]
            one = part._replace(parameters=[parameter], states=[state])
            _apply([one], [gradient], arrays)
            try:
                observer.update(part.rule.op, [*before, gradient], arrays)
            except BaseException:
                for array, old in zip(arrays, before, strict=True):
                    np.copyto(array, old)
                raise


def _apply(parts: Sequence[Part], gradients: Sequence[Array], written: Sequence[Array]) -> None:
    """`written` has each parameter and its state."""
    are_apart = _are_apart(gradients, written)
    if not are_apart and len(gradients) > 1 and _overlap(written):
        left = iter([array.copy() for array in gradients])
        for part in parts:
            for parameter, state in zip(part.parameters, part.states, strict=True):
                one = part._replace(parameters=[parameter], states=[state])
                _apply([one], [next(left)], [parameter.array, *(each.array for each in state)])
        return
    read: list[Array] = []
    key: list[Any] = []
    unread = iter(gradients)
    for part in parts:
        read += [np.array(number, part.number_type.numpy) for number in part.numbers]
        key += [part.rule, len(part.numbers)]
        for parameter in part.parameters:
            read.append(next(unread))
            key.append((parameter.array.shape, parameter.array.dtype))
    step = _steps.get(tuple(key))
    if step is None:
        with making:
            step = _steps.get(tuple(key)) or _steps.keep(tuple(key), _Step(parts))
    _run(parts, lambda: step.run(read, written, are_apart))


def _run(parts: Sequence[Part], run: Callable[[], None]) -> None:
    """Run the kernel, and note that the parameters changed, also if a signal interrupts it then."""
    line, may_have_run = users_line(), True
    try:
        run()
    except Exception:  # before it changed anything
        may_have_run = False
        _check_alike(parts)
        raise
    finally:
        if may_have_run:
            for part in parts:
                for parameter in part.parameters:
                    changes = parameter.all_changes
                    changes.count += 1
                    changes.line = line


def _check_alike(parts: Sequence[Part]) -> None:
    """Raise a located ValueError unless gradients and state are like their parameters."""
    for part in parts:
        words = ("gradient", *part.rule.update.state.values())
        for parameter, state in zip(part.parameters, part.states, strict=True):
            for word, one in zip(words, (parameter._grad, *state), strict=True):
                if one is None or (one.shape, one.dtype) == (parameter.shape, parameter.dtype):
                    continue
                raise located(
                    ValueError,
                    f"step of an optimizer needs a {word} of {parameter.dtype} and shape "
                    f"{tuple(parameter.shape)}, as the parameter is, got {one.dtype} and shape "
                    f"{tuple(one.shape)}; compute the gradient again, or load the state of an "
                    "optimizer of such parameters",
                )


class _Step:
    """The kernel that updates some parameters and their state."""

    def __init__(self, parts: Sequence[Part]) -> None:
        modules = Modules("job", _module(parts))
        self._executable = executable(compile_stages("update", modules, prepare).native)
        self._store = VariableStore()
        self._call = self._executable.call(self._store, "none")

    def run(self, read: Sequence[Array], written: Sequence[Array], are_apart: bool) -> None:
        """Run it: `read` has the numbers and gradients, `written` the parameters and state."""
        # The kernel reads some elements after it wrote others.
        apart = written if are_apart else [array.copy() for array in written]
        done = NotImplemented if self._call is None else self._call(*read, *apart)
        if done is NotImplemented:  # not aligned, or another thread runs it
            self._executable.run([*read, *apart], self._store)
        if apart is not written:
            for array, made in zip(written, apart, strict=True):
                np.copyto(array, made)


_steps: Recent[_Step] = Recent()


def _are_apart(read: Sequence[Array], written: Sequence[Array]) -> bool:
    """Whether the written arrays are contiguous and overlap neither each other nor the others."""
    if not all(array.flags.c_contiguous for array in written):
        return False
    if all(array.flags.owndata for array in (*read, *written)):
        return len({id(array) for array in (*read, *written)}) == len(read) + len(written)
    spans = [
        (start, start + array.nbytes, is_written)
        for arrays, is_written in ((read, False), (written, True))
        for array in arrays
        if array.nbytes
        for start in (address_of(array),)
    ]
    read_end = written_end = 0
    for start, end, is_written in sorted(spans):
        if start < written_end or (is_written and start < read_end):
            return False
        if is_written:
            written_end = max(written_end, end)
        else:
            read_end = max(read_end, end)
    return True


def _overlap(arrays: Sequence[Array]) -> bool:
    """Whether the memory from the first to the last element of an array overlaps another's."""
    spans = sorted(_span(array) for array in arrays if array.size)
    return any(start < end for (_, end), (start, _) in itertools.pairwise(spans))


def _span(array: Array) -> tuple[int, int]:
    """Where the memory of an array begins and ends."""
    start = end = address_of(array)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        start += min((extent - 1) * stride, 0)
        end += max((extent - 1) * stride, 0)
    return start, end + array.itemsize


def _module(parts: Sequence[Part]) -> Module:
    """A job that reads numbers and gradients, and updates parameters and state."""
    fed: list[TensorType] = []
    kept: list[TensorType] = []
    for part in parts:
        fed += [TensorType((), element_type(part.number_type.numpy))] * len(part.numbers)
        for parameter, state in zip(part.parameters, part.states, strict=True):
            array = parameter.array
            type = TensorType(array.shape, element_type(array.dtype))
            fed.append(type)
            kept += [type] * (1 + len(state))
    module = Module.empty("update")
    module.attributes["job.type"] = StringAttr("predict")
    function = Func.make("update", [*fed, *kept])
    module.body.append(function)
    b = Builder.at_end(function.body)
    given, variables = iter(function.arguments[: len(fed)]), iter(function.arguments[len(fed) :])
    made = [value for part in parts for value in updated(b, part, given, variables)]
    b.create(Return, made)
    function.update_type()
    names = [f"v{i}" for i in range(len(kept))]
    feeds: list[dict[str, Any]] = [{"job.feed": f"x{i}"} for i in range(len(fed))]
    passed = [{"job.variable": name, "job.passed": unit} for name in names]
    function.set_all_argument_attributes([*feeds, *passed])
    function.set_all_result_attributes([{"job.update": name} for name in names])
    return module


def updated(
    b: Builder, part: Part, given: Iterator[Value], variables: Iterator[Value]
) -> Iterator[Value]:
    """The new values of each parameter of a group and of its state.

    `given` has the numbers, then each gradient; `variables` has each parameter and its state.
    """
    rule = part.rule
    numbers = [next(given) for _ in part.numbers]
    for state in part.states:
        variable, gradient = next(variables), next(given)
        if rule.maximize:
            gradient = make.negative(b, gradient)
        if rule.penalty:
            gradient = make.add(b, gradient, make.multiply(b, variable, rule.penalty))
        kept = [next(variables) for _ in state]
        options: dict[str, Any] = dict(rule.options)
        op = b.create(rule.update, variable, gradient, *numbers, *kept, **options)
        op.verify()
        yield from op.results
