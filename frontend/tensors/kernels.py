"""Kernels of single ops, each compiled once per types and attributes, as a job of that one op.

The backward of an op is a kernel as well, built from the op's `grad`. Only the operands and results
that this kernel reads are saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from penstock.ir.attributes import StringAttr, element_type
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.opdef import registry
from penstock.ir.record import Record
from penstock.ir.types import TensorType, is_float
from penstock.lowering.modules import Modules
from penstock.process.forks import making
from penstock.runtime import Executable, VariableStore
from penstock.runtime.execution.executable import Form
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import executable, prepare
from penstock.tensors.any_count import any_count
from penstock.tensors.recent import Recent
from penstock.trace.tracing import relocated

Array = np.ndarray[Any, Any]
Body = Callable[[Builder, list[Value]], Sequence[Value]]

_NO_VARIABLES = VariableStore()


class Kernel:
    """A job that is compiled at its first call; `any_count` shares code between shapes."""

    def __init__(self, function: Func) -> None:
        self.function = function
        self._executable: Executable | None = None
        self._has_one = len(function.returned.operands) == 1
        self.call: Callable[..., Any] = self._compile_and_call
        """Takes arrays; returns the only result or a tuple of results. Returns NotImplemented if
        an array is not contiguous or not aligned."""

    def __call__(self, *arrays: Array) -> Sequence[Array]:
        """The results, as new arrays."""
        made = self.call(*arrays)
        if made is NotImplemented:
            assert self._executable is not None
            aligned = [np.require(array, requirements=["C", "A"]) for array in arrays]
            return self._executable.run(
                [a.reshape(given.shape) for a, given in zip(aligned, arrays, strict=True)],
                _NO_VARIABLES,
            )
        return (made,) if self._has_one else made

    def _compile_and_call(self, *arrays: Array) -> Any:
        with making:
            if self._executable is None:
                self._executable = self._compiled()
                form: Form = "one" if self._has_one else "tuple"
                call = self._executable.call(_NO_VARIABLES, form)
                self.call = call or (lambda *given: NotImplemented)
        return self.call(*arrays)

    def _compiled(self) -> Executable:
        found = any_count(self.function)
        if found is not None:
            code, shape = found
            return code.executable(shape)
        modules = Modules("job", cast(Module, self.function.parent))
        return executable(compile_stages(self.function.sym_name, modules, prepare).program)


class Backward(Record):
    """How to compute the gradients of an op's operands, and from which values."""

    kernel: Kernel | None
    """Takes the saved arrays, then the seeds it reads; None if there is nothing to compute."""
    saved: tuple[int, ...]
    """The operands and results to save: operands count from 0, results follow them."""
    read: tuple[int, ...]
    """The results whose gradients (seeds) the kernel reads."""
    gradients: tuple[tuple[int, int], ...]
    """(operand, source) for each operand with a gradient. The source is the result whose gradient
    is passed on unchanged, or -1 for the kernel's next result."""


class OneOp:
    """An op specialised to operand types and attributes."""

    def __init__(
        self,
        name: str,
        operands: Sequence[TensorType | Sequence[TensorType]],
        attributes: dict[str, Any],
    ) -> None:
        self.name = name
        self.operands = operands
        self.attributes = attributes
        self._label = name.partition(".")[2]
        self.types: list[TensorType] = []
        for given in operands:
            self.types += [given] if isinstance(given, TensorType) else given
        made: list[TensorOp] = []

        def forward(b: Builder, arguments: list[Value]) -> Sequence[Value]:
            made.append(self._create(b, arguments))
            return made[0].results

        self.kernel = Kernel(function_of(self._label, self.types, forward))
        (self._op,) = made
        self.results = [cast(TensorType, result.type) for result in self._op.results]
        self.is_view = self._op.is_view
        self.only_moves = self._op.only_moves
        self.may_require_grad = [is_float(type.element) for type in self.results]
        self.can_require_grad = any(self.may_require_grad)
        self._rules: dict[tuple[bool, ...], Backward | Exception] = {}
        self._backwards: dict[tuple[tuple[bool, ...], tuple[bool, ...]], Backward] = {}

    def _create(self, b: Builder, arguments: list[Value]) -> TensorOp:
        left = iter(arguments)
        given = [
            next(left) if isinstance(types, TensorType) else [next(left) for _ in types]
            for types in self.operands
        ]
        op = b.create(registry[self.name], *given, **self.attributes)
        op.verify()
        assert isinstance(op, TensorOp)
        return op

    def moved(self, arrays: Sequence[Any]) -> Sequence[Array]:
        """The results of an op that only moves elements, by its NumPy reference."""
        flat = [
            member for given in arrays for member in (given if isinstance(given, list) else [given])
        ]
        return self._op.reference(*flat)

    def rule(self, wanted: tuple[bool, ...]) -> Backward | Exception:
        """The backward for the wanted operands, seeded by every result that may require grad.

        If the op cannot be differentiated, returns the error for the caller to raise.
        """
        found = self._rules.get(wanted)
        if found is None:
            try:
                found = self.backward(wanted, tuple(self.may_require_grad))
            except (ValueError, MemoryError) as error:
                found = error
            self._rules[wanted] = found
        return found

    def backward(self, wanted: tuple[bool, ...], seeded: tuple[bool, ...]) -> Backward:
        """The backward for the wanted operands from the gradients of the seeded results.

        Raises a located ValueError if the op has no gradient.
        """
        found = self._backwards.get((wanted, seeded))
        if found is None:
            with making:
                try:
                    found = self._differentiated(wanted, seeded)
                except IRError as error:
                    raise relocated(error) from error.__cause__
                self._backwards[wanted, seeded] = found
        return found

    def _differentiated(self, wanted: tuple[bool, ...], seeded: tuple[bool, ...]) -> Backward:
        from penstock.passes.flow.autodiff import backward

        seeds = [i for i, is_seeded in enumerate(seeded) if is_seeded]
        count = len(self.types)
        kept = [*self.types, *self.results]
        sources: list[tuple[int, int]] = []

        def body(b: Builder, arguments: list[Value]) -> Sequence[Value]:
            operands, results, given = (
                arguments[:count], arguments[count : len(kept)], arguments[len(kept) :]
            )  # fmt: skip
            op = self._create(b, operands)
            roots = [operand for operand, want in zip(operands, wanted, strict=True) if want]
            gradients: dict[Value, Value] = dict(
                zip([op.results[i] for i in seeds], given, strict=True)
            )
            found = backward(b, gradients, roots)
            for result, argument in zip(op.results, results, strict=True):
                result.replace_all_uses_with(argument)
            op.erase()
            for i, operand in enumerate(operands):
                if wanted[i] and operand in found:
                    made = found[operand]
                    sources.append((i, seeds[given.index(made)] if made in given else -1))
            return [found[operands[i]] for i, seed in sources if seed == -1]

        types = [*kept, *(self.results[i] for i in seeds)]
        function = function_of(f"{self._label}_backward", types, body)
        read = [i for i, argument in enumerate(function.arguments) if argument.uses]
        _keep_arguments(function, read)
        computes = any(seed == -1 for _, seed in sources)
        return Backward(
            Kernel(function) if computes else None,
            tuple(i for i in read if i < len(kept)),
            tuple(seeds[i - len(kept)] for i in read if i >= len(kept)),
            tuple(sources),
        )


def function_of(name: str, types: Sequence[TensorType], body: Body) -> Func:
    """A job in its own module, with feeds of these types."""
    module = Module.empty(name)
    module.attributes["job.type"] = StringAttr("predict")
    function = Func.make(name, types)
    module.body.append(function)
    b = Builder.at_end(function.body)
    results = list(body(b, list(function.arguments)))
    b.create(Return, results)
    function.set_all_result_attributes([{"job.fetch": str(i)} for i in range(len(results))])
    _keep_arguments(function, range(len(types)))
    return function


def _keep_arguments(function: Func, kept: Sequence[int]) -> None:
    """Erase all other arguments, and mark the remaining ones as feeds."""
    for position in reversed(range(len(function.arguments))):
        if position not in kept:
            function.body.erase_argument(position)
    function.update_type()
    feeds = [{"job.feed": f"x{i}"} for i in range(len(function.arguments))]
    function.set_all_argument_attributes(feeds)


_ops: Recent[OneOp] = Recent()


def one_op(
    name: str, operands: Sequence[Array | Sequence[Array]], attributes: dict[str, Any]
) -> OneOp:
    """The op of that name for arrays of these shapes and types, with these attributes.

    Raises a located ValueError if they do not fit the op.
    """
    key = (
        name,
        *[
            (given.dtype, given.shape)
            if isinstance(given, np.ndarray)
            else tuple((member.dtype, member.shape) for member in given)
            for given in operands
        ],
        _frozen(attributes) if attributes else None,
    )
    found = _ops.get(key)
    if found is None:
        with making:
            types = [
                _type(given)
                if isinstance(given, np.ndarray)
                else [_type(member) for member in given]
                for given in operands
            ]
            try:
                found = _ops.keep(key, OneOp(name, types, dict(attributes)))
            except IRError as error:
                raise relocated(error) from error.__cause__
    return found


def _type(array: Array) -> TensorType:
    return TensorType(array.shape, element_type(array.dtype))


def _frozen(value: Any) -> Any:
    """A hashable key for an attribute: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(value, dict):
        return tuple((name, _frozen(member)) for name, member in value.items())
    if isinstance(value, list | tuple):
        return tuple(_frozen(member) for member in value)
    if isinstance(value, float):
        return repr(value)
    return (value.__class__, value)
