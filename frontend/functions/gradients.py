"""Gradients as blobs of a job, and where they stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from penstock.basics.errors import kind_of, located, user_location
from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job import OutputGradient
from penstock.trace.blob import Blob, apply, check_blob, check_single, check_static
from penstock.trace.eager import Eager
from penstock.trace.tracing import Trace, current_trace, relocating


def stop_gradient(x: Blob, name: str | None = None) -> Blob:
    """x itself, through which no gradient flows: for gradients, it is a constant.

    Given a tensor, `x.detach()`.
    """
    what = "flow.stop_gradient"
    given: Any = x
    if isinstance(given, Eager):
        return cast(Blob, cast(Any, given).detach())
    return apply("flow.stop_gradient", check_blob(x, what), name=name, what=what)[0]


def gradients(ys: Any, xs: Any, grad_ys: Any = None) -> Any:
    """The gradients of the sum of blobs by others: a list of blobs for a list, one for one.

    `grad_ys` weights the elements of `ys`, each blob of the shape of one of these; by default they
    count alike. What `ys` do not depend on has the gradient 0. The gradients are blobs as all
    others: gradients can be taken of them, and `minimize` works beside them.

    Raises TypeError or ValueError, located, for blobs without a gradient.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.gradients(x * x * x, x)
    >>> job(np.array([1, 2, 3], np.float32))
    array([ 3., 12., 27.], dtype=float32)
    """
    what = "flow.gradients"
    trace = current_trace(what)
    targets, sources = _floats(ys, "ys", what), _floats(xs, "xs", what)
    weights = _weights(grad_ys, targets, what)
    trace.differentiated = True
    found = [_blob(trace, value, x) for value, x in zip(
        _differentiated(trace, targets, sources, weights), sources, strict=True
    )]  # fmt: skip
    return found if isinstance(xs, list | tuple) else found[0]


class Backward:
    """`with Backward(blobs):` traces the ops that compute a custom gradient of these blobs.

    They start from `seeds`, which stand for the gradients of the blobs. Autodiff copies them to
    where the real gradients are known.
    """

    def __init__(self, blobs: Sequence[Blob], what: str) -> None:
        self._blobs = blobs
        self._what = what
        self._trace = trace = current_trace(what)
        self._last = trace.function.body.last
        self._changes = len(trace.updates)
        self._joined, self._parts = _joined([blob for blob in blobs if blob.dtype.is_float])
        self._seed: Blob | None = None
        if self._joined is not None:
            self._seed = self._new_seed(self._joined)
        parts = iter([] if self._seed is None else self._parts(self._seed))
        self.seeds = [next(parts) if b.dtype.is_float else self._new_seed(b) for b in blobs]

    def _new_seed(self, blob: Blob) -> Blob:
        seeds = self._trace.seeds
        made = apply("job.output_gradient", blob, what=self._what, number=len(seeds))[0]
        seeds.append(cast(OutputGradient, made.value.defining_op))
        return made

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None:
            return
        op = self._trace.function.body.last
        while op is not None and op is not self._last:
            if not op.pure or len(self._trace.updates) != self._changes:
                raise located(
                    NotImplementedError,
                    f"bprop of {self._what} only computes gradients: it cannot watch blobs, learn "
                    "or assign to variables; do so outside of it",
                    op.location,
                )
            for result in op.results:
                result.name = ""  # They are no blobs of the job: nobody can watch them.
            op = op.previous

    def applied(self, inputs: Sequence[Any], gradients: Sequence[Blob | None]) -> list[Blob]:
        """The blobs again, with these gradients of the inputs."""
        if self._joined is None or self._seed is None:
            return list(self._blobs)
        made = apply("flow.stop_gradient", self._joined)[0]
        for x, gradient in zip(inputs, gradients, strict=True):
            if gradient is not None:
                made = apply("job.custom_gradient", made, self._seed, x, gradient)[0]
        parts = iter(self._parts(made))
        return [next(parts) if blob.dtype.is_float else blob for blob in self._blobs]


def _joined(blobs: Sequence[Blob]) -> tuple[Blob | None, Callable[[Blob], list[Blob]]]:
    """Blobs of floats as one, and the function that splits such a blob into theirs.

    Several become one row of the widest type, which holds their elements exactly.
    """
    if len(blobs) <= 1:
        return (blobs[0] if blobs else None), lambda joined: [joined]
    elements = {tensor(blob.value).element for blob in blobs}
    wide = ty.f64 if ty.f64 in elements else ty.f32 if len(elements) > 1 else elements.pop()
    rows = [
        apply("flow.reshape", apply("flow.cast", blob, element=wide)[0], shape=[prod(blob.shape)])[
            0
        ]
        for blob in blobs
    ]
    whole = rows[0]
    for row in rows[1:]:
        whole = apply("flow.concat", whole, row, axis=0)[0]

    def parts(joined: Blob) -> list[Blob]:
        found, start = [], 0
        for blob in blobs:
            size = prod(blob.shape)
            row = apply("flow.slice", joined, starts=[start], sizes=[size], steps=[1])[0]
            row = apply("flow.reshape", row, shape=list(blob.shape))[0]
            found.append(apply("flow.cast", row, element=tensor(blob.value).element)[0])
            start += size
        return found

    return whole, parts


def _floats(value: object, word: str, what: str) -> list[Blob]:
    many = value if isinstance(value, list | tuple) else [value]
    blobs = [check_single(check_static(one, what), f"each of {word} of {what}") for one in many]
    for blob in blobs:
        if not isinstance(blob, Blob):
            raise located(
                TypeError,
                f"{what} takes blobs, got {kind_of(blob)}; of tensors, use flow.autograd.grad",
            )
        if not blob.dtype.is_float:
            raise located(
                TypeError,
                f"{word} of {what} must be floats, which have gradients, got blob {blob.name} of "
                f"{blob.dtype}",
            )
    return blobs


def _weights(grad_ys: object, targets: Sequence[Blob], what: str) -> list[Blob | None]:
    if grad_ys is None:
        return [None] * len(targets)
    weights = grad_ys if isinstance(grad_ys, list | tuple) else [grad_ys]
    if len(weights) != len(targets):
        raise located(
            ValueError, f"{what} takes one of grad_ys for each of ys, {len(targets)}, got "
            f"{len(weights)}"
        )  # fmt: skip
    found: list[Blob | None] = [None if one is None else check_blob(one, what) for one in weights]
    for weight, target in zip(found, targets, strict=True):
        if weight is not None and (weight.shape, weight.dtype) != (target.shape, target.dtype):
            raise located(
                ValueError,
                f"grad_ys of {what} must be like ys, {target.dtype} of shape {target.shape}, got "
                f"{weight.dtype} of shape {weight.shape}",
            )
    return found


def _differentiated(
    trace: Trace, targets: Sequence[Blob], sources: Sequence[Blob], weights: Sequence[Blob | None]
) -> list[Value]:
    from penstock.passes.flow.autodiff import backward

    trace.route_gates()
    b = trace.builder
    b.location = user_location()
    seeds: dict[Value, Value] = {}
    # All behind what the targets are computed from, in whose order gradients are found.
    for target, weight in zip(targets, weights, strict=True):
        type = tensor(target.value)
        if weight is None:
            seed = make.full(b, 1.0, type.shape, type.element)
        else:
            seed = apply("flow.identity", weight)[0].value
        value = trace.routed(target.value)
        known = seeds.get(value)
        seeds[value] = seed if known is None else make.add(b, known, seed)
    with relocating():
        found = backward(b, seeds, [source.value for source in sources])
    return [
        found[x.value] if x.value in found else make.full(b, 0.0, x.shape, tensor(x.value).element)
        for x in sources
    ]


def _blob(trace: Trace, value: Value, source: Blob) -> Blob:
    """A gradient, under the name of what it is taken by."""
    raw = Blob(value, "", trace, trace.builder.location)
    return apply("flow.identity", raw, name=f"{source.name}_gradient")[0]
