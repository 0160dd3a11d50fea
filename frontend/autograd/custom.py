"""`flow.custom_gradient`: functions of blobs or tensors whose gradient the user states."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from penstock.autograd.function import Function
from penstock.autograd.traced import Stated, gradients, like, of_blobs, outputs, stated
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.blob_hooks import is_traced
from penstock.tensors.tensor import Tensor

Value = Any
"""A blob or a tensor."""


def custom_gradient(f: Callable[..., Any], bprop: Callable[..., Any]) -> Callable[..., Any]:
    """The function `f`, with a gradient that `bprop` computes in place of those of its ops.

    `f` takes blobs or tensors, and other values, by position, and returns one blob or tensor, or
    several. `bprop(*arguments, out, dout)` gets the arguments of `f`, what `f` returned and its
    gradient, and returns a gradient for each argument, of its shape and element type, or None for
    no gradient: a tuple, or for a single argument the gradient alone. In a job, both are traced
    once; a `bprop` that needs numbers is called in each step, with tensors. Variables that `f`
    captures get no gradient. In gradients of gradients, what depends on `out` follows `bprop` in
    eager code, and the ops of `f` where `f` is traced; they agree if `bprop` states the derivative
    of `f`.

    A wrong number, shape or type of gradients raises a located TypeError or ValueError.

    >>> import penstock as flow
    >>> halved = flow.custom_gradient(lambda x: x * 1.0, lambda x, out, dout: dout * 0.5)
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> halved(x).sum().backward()
    >>> x.grad
    tensor([0.5000, 0.5000], dtype=penstock.float32)
    """
    for word, given in (("f", f), ("bprop", bprop)):
        if not callable(given):
            raise located(
                TypeError,
                f"{word} of flow.custom_gradient must be a function, got {kind_of(given)}",
            )

    both = stated(f, bprop)

    @functools.wraps(f, updated=())
    def function(*args: Any) -> Any:
        return called(both, args)

    return function


def called(stated: Stated, args: Sequence[Any]) -> Any:
    """What a function with a stated gradient returns for blobs or tensors, and other values."""
    if is_traced(args):
        return of_blobs(stated, args)
    return _OfTensors.apply(stated, *args)


class _OfTensors(Function):
    """The eager form: one op of autograd."""

    @staticmethod
    def forward(ctx: Any, stated: Stated, *args: Any) -> Any:
        made = stated.f(*args)
        ctx.stated = stated
        outs = outputs(ctx.stated, made)
        ctx.made = made if isinstance(made, list | tuple) else None
        tensors = [one for one in args if isinstance(one, Tensor)]
        ctx.others = [None if isinstance(one, Tensor) else (one,) for one in args]
        ctx.save_for_backward(*tensors, *outs)
        return made if isinstance(made, Tensor) else tuple(outs)

    @staticmethod
    def backward(ctx: Any, *douts: Any) -> Any:
        saved = list(ctx.saved_tensors)
        args = [saved.pop(0) if other is None else other[0] for other in ctx.others]
        found = gradients(ctx.stated, args, like(ctx.made, saved), like(ctx.made, douts))
        return None, *found
