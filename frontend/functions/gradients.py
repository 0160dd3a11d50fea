"""Gradients as blobs of a job, and where they stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from penstock.basics.errors import kind_of, located, user_location
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.trace.blob import Blob, apply, check_blob, check_single, check_static
from penstock.trace.eager import Eager
from penstock.trace.tracing import Trace, current_trace, relocating


def stop_gradient(x: Blob, name: str | None = None) -> Blob:
    """x itself, through which no gradient flows: for gradients, it is a constant.

    Given a tensor, `x.detach()`.
    """
    what = "flow.stop_gradient"
    if isinstance(x, Eager):
        return cast(Blob, cast(Any, x).detach())
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


def _floats(given: object, word: str, what: str) -> list[Blob]:
    many = given if isinstance(given, list | tuple) else [given]
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
    given = grad_ys if isinstance(grad_ys, list | tuple) else [grad_ys]
    if len(given) != len(targets):
        raise located(
            ValueError, f"{what} takes one of grad_ys for each of ys, {len(targets)}, got "
            f"{len(given)}"
        )  # fmt: skip
    found: list[Blob | None] = [None if one is None else check_blob(one, what) for one in given]
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
        known = seeds.get(target.value)
        seeds[target.value] = seed if known is None else make.add(b, known, seed)
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
