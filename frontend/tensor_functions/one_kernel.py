"""Functions of several ops that run on tensors as one kernel, with one node for gradients.

    y = OneKernel(body)(x, weight, None, eps=0.1)

The body runs on blobs, once for each form of the operands: which are None, their types and shapes,
and the options. What it traced is compiled as the kernel of an op is, and differentiated as its ops
are. A body must not return an operand or a view of one.

Operands of mixed types, or of other types than f32 and f64, run the body op by op. So do blobs,
and tensors while a function is traced, anomalies are detected or ops are observed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from penstock.basics.dtypes import float32, float64
from penstock.basics.recent import Recent
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects.func import Func
from penstock.ir.location import UNKNOWN
from penstock.ir.types import TensorType
from penstock.process.forks import making
from penstock.tensors import native
from penstock.tensors.execute import run_kernel
from penstock.tensors.kernels import OneOp, frozen, type_of
from penstock.tensors.modes import mode
from penstock.tensors.tensor import DTYPES, Tensor
from penstock.trace.blob import Blob, feed
from penstock.trace.job_config import FunctionConfig
from penstock.trace.tracing import Trace, Tracing, active_trace

Form = tuple[tuple[bool, ...], tuple[Any, ...]]
"""Which operands are None, and the options, frozen."""


class OneKernel:
    """A function of blobs and tensors; calls pass the operands by position, options by keyword."""

    def __init__(self, body: Callable[..., Tensor], name: str) -> None:
        self.body = body
        self.name = name
        self._functions: dict[Form, native.Function] = {}
        self._composed: Recent[Composed] = Recent()

    def __call__(self, *operands: Any, **options: Any) -> Tensor:
        form = tuple([one is None for one in operands]), frozen(options)
        try:
            function = self._functions.get(form)
        except TypeError:  # an option is not hashable, so none of those that it should be
            return self.body(*operands, **options)
        if function is not None:
            made: Tensor = function.call(*[one for one in operands if one is not None])
            if made is not NotImplemented:
                return made
        tensors = [one for one in operands if one is not None]
        if not _are_alike(tensors):
            return self.body(*operands, **options)
        op = self._op(form, options, tensors)
        if op is None:  # the body has a better message
            return self.body(*operands, **options)
        result = run_kernel(op, tensors, [one.array for one in tensors])[0]
        if function is None:
            function = self._functions.setdefault(form, native.Function.fresh(len(tensors)))
        native.keep(op, tensors, function.number)
        return result

    def _op(
        self, form: Form, options: dict[str, Any], tensors: Sequence[Tensor]
    ) -> Composed | None:
        key: Hashable = (form, *[(one.array.dtype, one.array.shape) for one in tensors])
        found = self._composed.get(key)
        if found is None:
            types = [type_of(one.array) for one in tensors]
            with making:
                try:
                    op = Composed(self, form, options, types)
                except (ValueError, TypeError, RuntimeError, IndexError):
                    return None
                found = self._composed.keep(key, op)
        return found


def _are_alike(tensors: Sequence[Any]) -> bool:
    """Whether all are tensors of one type of floats, on which ops run as usual."""
    watched = mode.detects_anomaly or mode.observer is not None
    if watched or mode.traced is not None or active_trace() is not None:
        return False
    if not all(isinstance(one, Tensor) for one in tensors):
        return False
    dtype = tensors[0].array.dtype
    return dtype in (float32.numpy, float64.numpy) and all(t.array.dtype == dtype for t in tensors)


class Composed(OneOp):
    """A body specialised to the types of its operands."""

    def __init__(
        self,
        function: OneKernel,
        form: Form,
        options: dict[str, Any],
        types: Sequence[TensorType | Sequence[TensorType]],
    ) -> None:
        self._of = function, form, options
        self._template = _traced(function, form, options, cast("Sequence[TensorType]", types))
        super().__init__(function.name, types, {})
        self.is_view = self.only_moves = False

    @property
    def key(self) -> Any:
        return self._of[1]

    def described(self) -> Sequence[str]:
        return ()  # it is known by its text

    def _like(self, operands: Sequence[TensorType | Sequence[TensorType]]) -> OneOp:
        try:
            return Composed(*self._of, operands)
        except ValueError as error:  # the body refuses these shapes
            raise IRError(Diagnostic(str(error))) from None

    def _insert(self, b: Builder, arguments: list[Value]) -> Sequence[Value]:
        values = dict(zip(self._template.arguments, arguments, strict=True))
        for op in self._template.body:
            if not op.terminator:
                copy = b.insert(op.clone(values))
                copy.location = UNKNOWN
        return [values[value] for value in self._template.returned.operands]


def _traced(
    function: OneKernel, form: Form, options: dict[str, Any], types: Sequence[TensorType]
) -> Func:
    trace = Trace(function.name.partition(".")[2], "predict", UNKNOWN, FunctionConfig())
    with Tracing(trace):
        blobs = iter(
            [
                feed(trace, f"x{i}", type.shape, DTYPES[numpy_dtype(type.element)], UNKNOWN)
                for i, type in enumerate(types)
            ]
        )
        operands = [None if is_none else next(blobs) for is_none in form[0]]
        made = cast(Blob, function.body(*operands, **options))
        trace.finish([("0", made)])
    return trace.function
