"""Kernels of single ops, each compiled once per types and attributes, as a job of that one op.

The backward of an op is a kernel as well, built from the op's `grad`. Only the operands and results
that this kernel reads are saved.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, cast

import numpy as np

from penstock.basics.recent import Recent
from penstock.ir.attributes import StringAttr, element_type, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.opdef import registry
from penstock.ir.record import Record
from penstock.ir.text.printer import dictionary
from penstock.ir.types import TensorType, is_float
from penstock.lowering.modules import Modules
from penstock.process.forks import making
from penstock.runtime import Executable, VariableStore
from penstock.runtime.execution.runnable import Form
from penstock.runtime.native.eager_call import (
    EagerNatives,
    EagerOp,
    EagerRule,
    EagerView,
    view_of,
)
from penstock.runtime.native.native_call import Table
from penstock.stages.job_cache import compile_described, compile_stages
from penstock.stages.native import executable, prepare
from penstock.tensors.any_count import any_count, any_rows
from penstock.trace.tracing import relocated

Array = np.ndarray[Any, Any]
Body = Callable[[Builder, list[Value]], Sequence[Value]]

Gradients = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Which operands of an op want gradients, and which results have them."""

_NO_VARIABLES = VariableStore()


class Kernel:
    """A job that is compiled at its first call; `any_count` and `any_rows` share code between
    shapes."""

    def __init__(
        self,
        function: Func | Callable[[], Func],
        op: OneOp | None = None,
        gradients: Gradients | None = None,
        callouts: Mapping[str, Any] | None = None,
    ) -> None:
        """`op` is what the function computes, or the `gradients` of which; `callouts` are the
        functions that it calls. That of an op itself may be made when it is needed."""
        self._made = function
        self._callouts = callouts or {}
        self._of = op, gradients
        self._executable: Executable | None = None
        self.is_view = gradients is not None and _is_view(self.function)
        """Whether it is called by NumPy's view of its argument, if there is one."""
        is_op = op is not None and gradients is None
        self._has_one = len(op.results if is_op and op else self.function.returned.operands) == 1
        self.call: Callable[..., Any] = self._compile_and_call
        """Takes arrays; returns the only result or a tuple of results. Returns NotImplemented if
        an array is not contiguous or not aligned."""

    def __call__(self, *arrays: Array) -> Sequence[Array]:
        """The results, as new arrays, or as a view of the argument."""
        if self.is_view:
            return _viewed(self.function, arrays)
        made = self.call(*arrays)
        if made is NotImplemented:
            assert self._executable is not None
            aligned = [
                np.require(array, requirements=["C", "A"]).reshape(array.shape) for array in arrays
            ]
            made = self.call(*aligned)
            if made is NotImplemented:
                return self._executable.run(aligned, _NO_VARIABLES)
        return (made,) if self._has_one else made

    def _compile_and_call(self, *arrays: Array) -> Any:
        with making:
            if self._executable is None:
                self._executable = self._compiled()
                form: Form = "one" if self._has_one else "tuple"
                call = self._executable.call(_NO_VARIABLES, form)
                self.call = call or (lambda *given: NotImplemented)
        return self.call(*arrays)

    @property
    def table(self) -> Table | None:
        """What native calls read; None before the first call, and where calls are not native."""
        return None if self._executable is None else self._executable.table

    @cached_property
    def function(self) -> Func:
        return self._made if isinstance(self._made, Func) else self._made()

    def _compiled(self) -> Executable:
        op, gradients = self._of
        found = None
        if not self._callouts and (op is None or gradients is not None or op.by_element):
            found = any_count(self.function)
        if found is None and op is not None and op.by_row:
            found = any_rows(op, gradients, self.function)
        if found is not None:
            code, shape = found
            return code.executable(shape)
        what = op.described() if op is not None and gradients is None else ()
        if what:
            program = compile_described(what, self._modules, prepare)
        else:
            program = compile_stages(self.function.sym_name, self._modules(), prepare).native
        return executable(program, self._callouts, recycles=True)

    def _modules(self) -> Modules:
        return Modules("job", cast(Module, self.function.parent))


def _is_view(function: Func) -> bool:
    """Whether all that a function does is to view its only argument in another way."""
    moves = [op for op in function.body if not op.terminator]
    types = [
        cast(TensorType, one.type) for one in (*function.arguments, *function.returned.operands)
    ]
    return (
        len(types) == 2
        and types[0].count == types[1].count > 0
        and all(isinstance(op, TensorOp) and op.is_view for op in moves)
    )


def _viewed(function: Func, arrays: Sequence[Array]) -> Sequence[Array]:
    values = dict(zip(function.arguments, arrays, strict=True))
    for op in function.body:
        if isinstance(op, TensorOp):
            (values[op.results[0]],) = op.reference(*[values[v] for v in op.operands])
    return [values[value] for value in function.returned.operands]


class Views:
    """How native code views arrays of a shape and several strides, as Python did before."""

    _MOST = 8

    def __init__(self) -> None:
        self._each: list[EagerView] = []

    def add(self, source: Array, result: Array) -> int | None:
        """Do as Python did; the address of all ways to view, or None where there is none."""
        if len(self._each) < self._MOST and result.size and np.may_share_memory(source, result):
            view = view_of(source, result)
            view.next = self._address
            self._each.append(view)
        return self._address

    @property
    def _address(self) -> int | None:
        return ctypes.addressof(self._each[-1]) if self._each else None


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


class Recipe(EagerRule):
    """How the nodes of an op are made whose wanted operands require gradients."""

    backward: int | None

    def __init__(self, op: OneOp, wanted: tuple[bool, ...]) -> None:
        super().__init__()
        self.op = op
        self.wants = wanted
        self.results = len(op.results)
        self.rule = rule = op.rule(wanted)
        """How to compute the gradients, or the error for backward to raise."""
        self.places = rule.saved if isinstance(rule, Backward) else ()
        """The operands and results that a node saves: operands count from 0, results follow."""
        self.recipe = id(self)
        self.wanted = sum(1 << i for i, is_wanted in enumerate(wanted) if is_wanted)
        self.saved_count = len(self.places)
        self.saved = (ctypes.c_int64 * len(self.places))(*self.places)
        self.computed = -1
        if isinstance(rule, Backward) and self.results == 1:
            self.reads_gradient = len(rule.read)
            self.computed = sum(source == -1 for _, source in rule.gradients)
            self.gradient_count = len(rule.gradients)
            pairs = [number for pair in rule.gradients for number in pair]
            self.gradients = (ctypes.c_int64 * len(pairs))(*pairs)
        self._views = Views()

    def link(self, arrays: Sequence[Array], results: Sequence[Array]) -> None:
        """Let native code run the backward, whose kernel was called with arrays."""
        kernel = self.rule.kernel if isinstance(self.rule, Backward) else None
        if kernel is None:
            return
        if kernel.is_view:
            self.views = self._views.add(arrays[0], results[0])
        elif kernel.table is not None:
            self.backward = ctypes.addressof(kernel.table)


class OneOp:
    """An op specialised to operand types and attributes."""

    call: Callable[..., Any] | None = None
    """Runs it on tensors, without any Python code, or returns NotImplemented; set if native code
    can."""

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
        block = Block(self.types)
        made = self._insert(Builder.at_end(block), list(block.arguments))
        self.results = [cast(TensorType, value.type) for value in made]
        self._ops = [op for op in block if isinstance(op, TensorOp)]
        self.kernel = Kernel(lambda: function_of(self._label, self.types, self._insert), self)
        self.is_view = all(op.is_view for op in self._ops)
        self.only_moves = all(op.only_moves for op in self._ops)
        self.may_require_grad = [is_float(type.element) for type in self.results]
        self.can_require_grad = any(self.may_require_grad) and not any(
            op.stops_gradients for op in self._ops
        )
        self.arrays = [numpy_dtype(type.element) for type in self.types]
        """NumPy's dtypes of the operands."""
        self.native = EagerOp(None, id(self), self.can_require_grad, None, None)
        self._views = Views()
        self.passed_on: dict[tuple[str, ...], list[str]] = {}
        """How ranks share the results, by how they share the operands."""
        self._recipes: dict[tuple[bool, ...], Recipe] = {}
        self._backwards: dict[tuple[tuple[bool, ...], tuple[bool, ...]], Backward] = {}

    @property
    def operation(self) -> TensorOp:
        """The op in IR; only of a single one."""
        (op,) = self._ops
        return op

    @property
    def inner_ops(self) -> Sequence[TensorOp]:
        """The ops in IR that it consists of."""
        return self._ops

    @property
    def by_element(self) -> bool:
        """Whether elements of the results depend on elements of the operands at their place."""
        return all(op.by_element for op in self._ops)

    @property
    def by_row(self) -> bool:
        """Whether rows of the results depend on rows of the operands."""
        return all(op.by_row for op in self._ops)

    @property
    def key(self) -> Any:
        """The attributes, hashable."""
        return frozen(self.attributes)

    def described(self) -> Sequence[str]:
        """All that its kernel depends on; nothing for an op of another package, which may change
        unnoticed."""
        (op,) = self._ops
        if not type(op).__module__.startswith("penstock."):
            return ()
        groups = (
            str(t) if isinstance(t, TensorType) else str([*map(str, t)]) for t in self.operands
        )
        results = map(str, self.results)
        return self.name, dictionary(op.attributes), *groups, "->", *results, _sources()

    def of_types(self, types: Sequence[TensorType], gradients: Gradients | None) -> Func:
        """The function of the same op, or of its gradients, for operands of other types."""
        left = iter(types)
        operands = [
            next(left) if isinstance(given, TensorType) else [next(left) for _ in given]
            for given in self.operands
        ]
        other = self._like(operands)
        if gradients is None:
            return other.kernel.function
        kernel = other.backward(*gradients).kernel
        assert kernel is not None
        return kernel.function

    def _like(self, operands: Sequence[TensorType | Sequence[TensorType]]) -> OneOp:
        return OneOp(self.name, operands, self.attributes)

    def _insert(self, b: Builder, arguments: list[Value]) -> Sequence[Value]:
        """Insert what it computes; gives the results."""
        left = iter(arguments)
        given = [
            next(left) if isinstance(types, TensorType) else [next(left) for _ in types]
            for types in self.operands
        ]
        op = b.create(registry[self.name], *given, **self.attributes)
        op.verify()
        return op.results

    def moved(self, arrays: Sequence[Any]) -> Sequence[Array]:
        """The results of an op that only moves elements, by its NumPy reference."""
        flat = [
            member for given in arrays for member in (given if isinstance(given, list) else [given])
        ]
        (op,) = self._ops
        return op.reference(*flat)

    def rule(self, wanted: tuple[bool, ...]) -> Backward | Exception:
        """The backward for the wanted operands, seeded by every result that may require grad.

        If the op cannot be differentiated, returns the error for the caller to raise.
        """
        try:
            return self.backward(wanted, tuple(self.may_require_grad))
        except (ValueError, MemoryError) as error:
            return error

    def recipe(self, wanted: tuple[bool, ...]) -> Recipe:
        """How nodes are made whose wanted operands require gradients."""
        found = self._recipes.get(wanted)
        if found is None:
            with making:
                found = self._recipes.get(wanted)
                if found is None:
                    found = self._recipes[wanted] = Recipe(self, wanted)
                    found.next = self.native.rules
                    self.native.rules = ctypes.addressof(found)
        return found

    def link_view(self, natives: EagerNatives, source: Array, result: Array) -> None:
        """Let native code run the op, a view, on arrays with the strides of this one."""
        self.native.views = self._views.add(source, result)
        if self.call is None and self.native.views is not None:
            self.call = natives.run(self.native)

    def link(self, natives: EagerNatives) -> None:
        """Let native code run the op, if it has one result and its kernel is native."""
        table = self.kernel.table
        if table is not None and len(self.results) == 1 and not (self.is_view or self.only_moves):
            self.native.table = ctypes.addressof(table)
            self.call = natives.run(self.native)

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
            outputs = self._insert(b, operands)
            forward = list(b.block)
            roots = [operand for operand, want in zip(operands, wanted, strict=True) if want]
            gradients: dict[Value, Value] = dict(
                zip([outputs[i] for i in seeds], given, strict=True)
            )
            found = backward(b, gradients, roots)
            for result, argument in zip(outputs, results, strict=True):
                result.replace_all_uses_with(argument)
            for op in reversed(forward):
                if op.is_unused:
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
            Kernel(function, self, (wanted, seeded)) if computes else None,
            tuple(i for i in read if i < len(kept)),
            tuple(seeds[i - len(kept)] for i in read if i >= len(kept)),
            tuple(sources),
        )


@cache
def _sources() -> str:
    """A digest of the modules that make functions of ops."""
    from penstock.codegen.cache import source_digest

    try:
        return source_digest([__name__.rpartition(".")[0]])
    except FileNotFoundError:  # nor has the compiler sources, and nothing is cached
        return ""


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
        frozen(attributes) if attributes else None,
    )
    found = _ops.get(key)
    if found is None:
        with making:
            types = [
                type_of(given)
                if isinstance(given, np.ndarray)
                else [type_of(member) for member in given]
                for given in operands
            ]
            try:
                found = _ops.keep(key, OneOp(name, types, dict(attributes)))
            except IRError as error:
                raise relocated(error) from error.__cause__
    return found


def type_of(array: Array) -> TensorType:
    """The type of the tensor that an array holds."""
    return TensorType(array.shape, element_type(array.dtype))


def frozen(attributes: dict[str, Any]) -> tuple[Any, ...]:
    """A hashable key for attributes: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    key: list[Any] = []
    for name, value in attributes.items():
        kind = value.__class__
        key += name, kind, value if kind in _HASHED else _frozen(value)
    return tuple(key)


_HASHED = (int, bool, str)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return frozen(value)
    if isinstance(value, list | tuple):
        if all([member.__class__ is int for member in value]):
            return tuple(value)
        return tuple([(member.__class__, _frozen(member)) for member in value])
    if isinstance(value, float):
        return repr(value)
    return value
