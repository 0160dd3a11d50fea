"""`flow.jit`: compiles a function of tensors as one job for each form of its arguments.

The form of the arguments is their nesting, the types and shapes of tensors, and all other values.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from penstock.autograd.function import Function
from penstock.basics.checks import check_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.nest import is_nest, leaves, rebuild
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.record import Record
from penstock.ir.types import is_float
from penstock.jobs.called_out import CalledOut, Kept, called_out, replace_called
from penstock.jobs.functions import check_function, location_of, name_of
from penstock.jobs.lifting import Lifting
from penstock.lowering.modules import Modules
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.stages.observed import Step
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.execute import truth
from penstock.tensors.kernels import Kernel
from penstock.tensors.modes import mode
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, feed
from penstock.trace.job_config import FunctionConfig
from penstock.trace.tracing import Trace, Tracing, active_trace, relocating
from penstock.trace.views import NotingTrace

Array = np.ndarray[Any, Any]
_BOUND = 64


class _Fixed(Record):
    """A value among arguments or results that is not a tensor."""

    value: Any


class DifferentiableCode:
    """A job of tensors, and its gradients, which are such a job in turn."""

    def __init__(
        self, name: str, module: Module, are_truths: Sequence[bool], callouts: CalledOut
    ) -> None:
        self._name = name
        self._are_truths = are_truths
        self._callouts = callouts
        # Kept for the gradients; compilation consumes the original.
        self._module = cast(Module, module.clone())
        self._kernel = Kernel(module.job, callouts=callouts.functions)
        self._backwards: dict[tuple[bool, ...], tuple[Kernel, Module, list[int]]] = {}
        self._derivatives: dict[tuple[bool, ...], tuple[DifferentiableCode, list[int]]] = {}

    def forward(self, every: Sequence[Tensor]) -> tuple[list[Tensor], Kept]:
        """The results, and what `backward` needs of the call-outs."""
        arrays = [one.array for one in every]
        made = [wrap(array) for array in self._run(self._kernel, self._module, arrays)]
        count = len(self._are_truths)
        results = [
            truth(one) if is_truth_ else one
            for one, is_truth_ in zip(made[:count], self._are_truths, strict=True)
        ]
        return results, self._callouts.kept([one.array for one in made[count:]])

    def backward(
        self, every: Sequence[Tensor], wanted: tuple[bool, ...], seeds: Sequence[Tensor], kept: Kept
    ) -> list[Tensor | None]:
        """The gradients of the wanted tensors from those of the results, as one job."""
        if wanted not in self._backwards:
            with making:
                self._backwards[wanted] = self._differentiated(wanted)
        kernel, module, given = self._backwards[wanted]
        arrays = [*(one.array for one in every), *self._callouts.restored(kept)]
        floats = [seed.array for seed in seeds if seed.dtype.is_float]
        found = self._run(kernel, module, [*arrays, *floats]) if given else ()
        gradients = dict(zip(given, found, strict=True))
        return [wrap(gradients[i]) if i in gradients else None for i in range(len(every))]

    def recorded_backward(
        self, every: Sequence[Tensor], wanted: tuple[bool, ...], seeds: Sequence[Tensor]
    ) -> list[Tensor | None]:
        """As `backward`, but recorded, for gradients of gradients."""
        if self._callouts.functions:
            raise located(
                NotImplementedError,
                f"create_graph goes through function {self._name!r} of flow.jit, which calls "
                "functions of Python in the middle; leave flow.jit out for gradients of gradients",
            )
        if wanted not in self._derivatives:
            with making:
                module, given = self.with_backward(wanted)
                code = DifferentiableCode(self._name, module, [False] * len(given), self._callouts)
                self._derivatives[wanted] = code, given
        code, given = self._derivatives[wanted]
        floats = [seed for seed in seeds if seed.dtype.is_float]
        found = _Recorded.apply(code, *every, *floats) if given else ()
        gradients = dict(zip(given, [found] if isinstance(found, Tensor) else found, strict=True))
        return [gradients.get(i) for i in range(len(every))]

    def _run(self, kernel: Kernel, module: Module, arrays: Sequence[Array]) -> Sequence[Array]:
        """The results of a kernel that was made of a module."""
        if mode.observer is None:
            return kernel(*arrays)
        given = [np.require(array, requirements="C").reshape(array.shape) for array in arrays]
        store = VariableStore()
        step = Step(
            f"function {self._name!r}", kernel, Modules("job", module), {}, store,
            lambda code, handlers: code.run(given, store, handlers), self._callouts.functions,
        )  # fmt: skip
        return mode.observer.step(step)

    def _differentiated(self, wanted: tuple[bool, ...]) -> tuple[Kernel, Module, list[int]]:
        module, wanted_inputs = self.with_backward(wanted)
        kernel = Kernel(module.job, callouts=self._callouts.functions)
        return kernel, cast(Module, module.clone()), wanted_inputs

    def with_backward(
        self, wanted: tuple[bool, ...], *, keep_results: bool = False
    ) -> tuple[Module, list[int]]:
        """A job that returns the gradients of wanted tensors, and their numbers.

        It takes the tensors, and the gradient of each result that is a float. With `keep_results`
        it returns the results first, and gradients of named values are named `NAME/grad`.
        """
        from penstock.passes.flow.autodiff import backward

        module = cast(Module, self._module.clone())
        function: Func = module.job
        results = list(function.returned.operands)[: len(self._are_truths)]
        inputs = len(function.arguments)
        if not keep_results:
            replace_called(function)
        arguments = list(function.arguments)
        marks: list[Any] = [function.argument_attributes(i) for i in range(inputs)]
        marks += [{"job.feed": f"kept{i}"} for i in range(len(arguments) - inputs)]
        seeds: dict[Value, Value] = {}
        b = Builder.ahead_of(function.returned)
        for result in results:
            if is_float(tensor(result).element):
                name = f"seed{len(marks)}"  # others, if these are gradients of gradients
                argument = function.body.add_argument(tensor(result), name)
                known = seeds.get(result)
                seeds[result] = argument if known is None else make.add(b, known, argument)
                marks.append({"job.feed": name})
        roots = [value for value, want in zip(arguments[:inputs], wanted, strict=True) if want]
        with relocating():
            found = backward(b, seeds, roots) if seeds else {}
        wanted_inputs = [i for i, want in enumerate(wanted) if want and arguments[i] in found]
        if keep_results:
            for value, gradient in found.items():
                if value.name and not gradient.name:
                    gradient.name = f"{value.name}/grad"
        function.returned.erase()
        fetches = [*results] if keep_results else []
        fetches += [found[arguments[i]] for i in wanted_inputs]
        Builder.at_end(function.body).create(Return, fetches)
        function.update_type()
        function.set_all_argument_attributes(marks)
        function.set_all_result_attributes([{"job.fetch": str(i)} for i in range(len(fetches))])
        return module, wanted_inputs


class CompiledFunction(DifferentiableCode):
    """The function for arguments of one form."""

    def __init__(self, function: Callable[..., Any], nest: Any, tensors: Sequence[Tensor]) -> None:
        name = name_of(function)
        trace = NotingTrace(name, "predict", location_of(function), FunctionConfig())
        trace.observes = False
        lifting = trace.tensors = Lifting(trace, tensors)
        with Tracing(trace):
            feeds = iter(
                [
                    feed(trace, f"x{i}", t.array.shape, t.dtype, trace.location)
                    for i, t in enumerate(tensors)
                ]
            )
            args, named = rebuild(
                nest, lambda leaf: next(feeds) if isinstance(leaf, _Form) else leaf.value
            )
            with lifting.tracing():
                returned = function(*args, **named)
                found = list(leaves(returned)) if returned is not None else []
                blobs = [
                    lifting.blob(leaf) if isinstance(leaf, Tensor) else leaf
                    for _, leaf in found
                    if isinstance(leaf, Blob | Tensor)
                ]
            _check_plain(trace, name)
            kept = [(f"kept/{i}", blob) for i, blob in enumerate(called_out(trace))]
            trace.finish([*((str(i), blob) for i, blob in enumerate(blobs)), *kept])
        numbers = iter(range(len(blobs)))
        self._returned = rebuild(
            returned,
            lambda leaf: next(numbers) if isinstance(leaf, Blob | Tensor) else _Fixed(leaf),
        )
        self.own = lifting.own
        self._forms = [(one.array.dtype, one.array.shape) for one in self.own]
        self._function = trace.function
        self._holds = list(trace.holds.values())
        self._required = _required([*tensors, *self.own]) if lifting.asked else None
        are_truths = [is_truth(blob.value) for blob in blobs]
        super().__init__(name, trace.module, are_truths, CalledOut(trace))

    @property
    def callouts(self) -> Mapping[str, Any]:
        """The functions of its call-outs, by name."""
        return self._callouts.functions

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Whether the captured tensors still have the types and shapes from tracing, and modules
        the same hooks; if these are for gradients, whether the same tensors require some."""
        if not all(holds() for holds in self._holds):
            return False
        if self._required is not None and self._required != _required([*tensors, *self.own]):
            return False
        return self._forms == [(one.array.dtype, one.array.shape) for one in self.own]

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        every = [*tensors, *self.own]
        results: Sequence[Tensor]
        if not self._are_truths:
            results, _ = self.forward(every) if self._callouts.functions else ([], None)
        elif mode.records and any(one.requires_grad for one in every):
            made = _Recorded.apply(self, *every)
            results = [made] if isinstance(made, Tensor) else made
        else:
            results, _ = self.forward(every)
        return rebuild(
            self._returned, lambda leaf: leaf.value if isinstance(leaf, _Fixed) else results[leaf]
        )


def _required(tensors: Sequence[Tensor]) -> list[bool]:
    return [one.requires_grad for one in tensors]


class _Recorded(Function):
    """A compiled function, recorded for gradients as one op."""

    @staticmethod
    def forward(ctx: Any, compiled: DifferentiableCode, *every: Tensor) -> Any:
        ctx.save_for_backward(*every)
        ctx.compiled = compiled
        results, ctx.kept = compiled.forward(every)
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def backward(ctx: Any, *seeds: Any) -> Any:
        wanted = ctx.needs_input_grad[1:]
        if mode.records:
            return (None, *ctx.compiled.recorded_backward(ctx.saved_tensors, wanted, seeds))
        return (None, *ctx.compiled.backward(ctx.saved_tensors, wanted, seeds, ctx.kept))


def _check_plain(trace: Trace, name: str) -> None:
    """Raise a located error if a body uses a feature of jobs."""
    for deed, does in (
        ("has variables, or draws numbers by the step", trace.variables),
        ("watches blobs", trace.handlers),
        ("reads files", trace.decoders),
        ("calls an optimizer's minimize", trace.minimized),
    ):
        if does:
            raise located(
                NotImplementedError,
                f"function {name!r} of flow.jit {deed}, which only jobs can; decorate it with "
                "@flow.global_function()",
                trace.location,
            )


class _Form(Record):
    """The properties of a tensor argument on which the code depends."""

    dtype: Any
    shape: tuple[int, ...]


class JitFunction:
    """A function of tensors that is compiled for each form of its arguments."""

    def __init__(self, function: Callable[..., Any], bound: int) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._bound = bound
        self._compiled: OrderedDict[Any, CompiledFunction] = OrderedDict()

    def __repr__(self) -> str:
        return f"<compiled function {name_of(self._function)}>"

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if active_trace() is not None:  # Called in another traced body: inline it.
            return self._function(*args, **named)
        nest, tensors = formed(args, named)
        key = _key(nest)
        try:
            compiled = self._compiled.get(key)
        except TypeError:
            wrong = next(leaf for _, leaf in leaves(nest) if not _is_hashable(leaf))
            assert isinstance(wrong, _Fixed)
            raise located(
                TypeError,
                "arguments of a function of flow.jit must be tensors or hashable, since code is "
                f"compiled for each value, got {kind_of(wrong.value)}",
            ) from None
        if compiled is None or not compiled.fits(tensors):
            with making, no_collection():
                compiled = self._compiled[key] = CompiledFunction(self._function, nest, tensors)
                while len(self._compiled) > self._bound:
                    self._compiled.popitem(last=False)
        return compiled(tensors)

    @property
    def cache_size(self) -> int:
        """The number of forms of arguments whose code is kept."""
        return len(self._compiled)


def formed(args: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, list[Tensor]]:
    """Arguments as a nest in which a form stands for each tensor, and the tensors."""
    tensors: list[Tensor] = []

    def form(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            leaf = wrap(leaf)
        if not isinstance(leaf, Tensor):
            return _Fixed(leaf)
        tensors.append(leaf)
        return _Form(leaf.array.dtype, leaf.array.shape)

    return rebuild((tuple(args), dict(named)), form), tensors


def _key(nest: Any) -> Any:
    """A hashable key for a nest: 1, 1.0 and True differ."""
    if isinstance(nest, dict):
        return dict, tuple((name, _key(member)) for name, member in nest.items())
    if is_nest(nest):
        return type(nest), tuple(map(_key, nest))
    if isinstance(nest, _Fixed):
        return type(nest.value), nest.value
    return nest


def _is_hashable(leaf: Any) -> bool:
    try:
        hash(leaf)
    except TypeError:
        return False
    return True


def jit(function: Callable[..., Any] | None = None, *, cache_size: int = _BOUND) -> Any:
    """Compile a function of tensors as one job for each form (types, shapes) of its arguments.

    The first call with arguments of a form traces the body, which computes with blobs by the rules
    of tensors. Later calls of that form run the compiled code. The values of numbers and other
    arguments are part of the form. Tensors captured by the body, such as parameters, are read at
    each call. Code is kept for the last `cache_size` forms. Gradients flow through the results, by
    a compiled backward. `flow.ms_function` is an alias.

    >>> import penstock as flow
    >>> @flow.jit
    ... def norm(x):
    ...     return (x * x).sum().sqrt()
    >>> norm(flow.tensor([3.0, 4.0]))
    tensor(5., dtype=penstock.float32)
    """
    bound = check_integer(cache_size, "cache_size of flow.jit")
    if bound < 1:
        raise located(ValueError, f"cache_size of flow.jit must be at least 1, got {bound}")
    if function is None:
        return functools.partial(jit, cache_size=bound)
    check_function(function, "flow.jit")
    return JitFunction(function, bound)


ms_function = jit
