"""`flow.jit`: compiles a function of tensors as one job for each form of its arguments.

The form of the arguments is their nesting, the types and shapes of tensors, and all other values.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.nest import is_nest, leaves, rebuild
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.jobs.called_out import CalledOut, called_out
from penstock.jobs.code import Code
from penstock.jobs.functions import check_function, location_of, name_of
from penstock.jobs.lifting import Lifting
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, feed
from penstock.trace.job_config import FunctionConfig
from penstock.trace.tracing import Trace, Tracing, active_trace
from penstock.trace.views import NotingTrace

Array = np.ndarray[Any, Any]
_BOUND = 64


class _Fixed(Record):
    """A value among arguments or results that is not a tensor."""

    value: Any


class CompiledFunction:
    """The function for arguments of one form."""

    def __init__(
        self, function: Callable[..., Any], nest: Any, tensors: Sequence[Tensor],
        source: Callable[..., Any] | None = None,
    ) -> None:  # fmt: skip
        source = function if source is None else source
        name = name_of(source)
        trace = NotingTrace(name, "predict", location_of(source), FunctionConfig())
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
            changed = lifting.changed
            kept = [(f"kept/{i}", blob) for i, blob in enumerate(called_out(trace))]
            results = [(str(i), one) for i, one in enumerate((*blobs, *changed.values()))]
            trace.finish([*results, *kept])
        numbers = iter(range(len(blobs)))
        self._returned = rebuild(
            returned,
            lambda leaf: next(numbers) if isinstance(leaf, Blob | Tensor) else _Fixed(leaf),
        )
        self._lifting = lifting
        self.own = lifting.own
        """The tensors that the body captures."""
        self._forms = [(one.array.dtype, one.array.shape) for one in self.own]
        self._kept = [kept() for kept in trace.called.values()]
        self._required = _required([*tensors, *self.own]) if lifting.asked else None
        places = {id(one): len(tensors) + i for i, one in enumerate(self.own)}
        self._code = Code(
            name, trace.function, CalledOut(trace), [is_truth(blob.value) for blob in blobs],
            [places[number] for number in changed],
        )  # fmt: skip

    @property
    def callouts(self) -> Mapping[str, Any]:
        """The functions of its call-outs, by name."""
        return self._code.callouts

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Whether captured tensors have the types and shapes from tracing, random generators their
        seeds, and modules their hooks and modes; if these are for gradients, whether the same
        tensors require some."""
        if not all(is_kept() for is_kept in self._kept):
            return False
        if self._required is not None and self._required != _required([*tensors, *self.own]):
            return False
        forms = [(one.array.dtype, one.array.shape) for one in self.own]
        return self._forms == forms and self._lifting.fits()

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        results = self._code([*tensors, *self._lifting.current()])
        return rebuild(
            self._returned, lambda leaf: leaf.value if isinstance(leaf, _Fixed) else results[leaf]
        )

    def with_backward(
        self, wanted: tuple[bool, ...], *, keep_results: bool = False
    ) -> tuple[Module, list[int]]:
        """A job that returns the gradients of wanted tensors, and their numbers: see `Code`."""
        return self._code.with_backward(wanted, keep_results=keep_results)


def _required(tensors: Sequence[Tensor]) -> list[bool]:
    return [one.requires_grad for one in tensors]


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

    def __init__(
        self, function: Callable[..., Any], bound: int, source: Callable[..., Any] | None = None
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._source = function if source is None else source
        """What the user wrote, for names and locations."""
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
                compiled = CompiledFunction(self._function, nest, tensors, self._source)
                self._compiled[key] = compiled
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
    each call, changed in each call if the body changes them in place, and random numbers are drawn
    anew. Code is kept for the last `cache_size` forms. Gradients of any order flow through the
    results, by compiled backwards. `flow.ms_function` is an alias.

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
