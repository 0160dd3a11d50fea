"""`autograd.functional`: derivatives of functions of tensors, as matrices and as products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.autograd.derivatives import grad, tensors_of
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.shapes import stack
from penstock.tensors.creation import ones_like, zeros_like
from penstock.tensors.execute import run
from penstock.tensors.modes import enable_grad
from penstock.tensors.tensor import Tensor, wrap

Given = Tensor | Sequence[Tensor]
Result = Any
"""A tensor where a tensor was given, else a tuple; nested, outputs first."""


def jacobian(
    func: Callable[..., Any], inputs: Given, create_graph: bool = False, strict: bool = False
) -> Result:
    """The derivatives of each element of the outputs by each of the inputs.

    Of shape output.shape + input.shape; a tuple for several inputs, and a tuple of these for
    several outputs. An output that does not depend on an input has zeros, or is a located
    RuntimeError with `strict`.

    >>> import penstock as flow
    >>> flow.autograd.functional.jacobian(lambda x: x * x, flow.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]], dtype=penstock.float32)
    """
    what = "autograd.functional.jacobian"
    xs = _leaves(inputs, create_graph, what)
    ys, one_output = _called(func, xs, what)
    rows = [_rows(y, xs, create_graph, strict, what) for y in ys]
    made = [row[0] if isinstance(inputs, Tensor) else tuple(row) for row in rows]
    return made[0] if one_output else tuple(made)


def hessian(
    func: Callable[..., Any], inputs: Given, create_graph: bool = False, strict: bool = False
) -> Result:
    """The second derivatives of a function that gives one number, by each two of the inputs.

    >>> import penstock as flow
    >>> flow.autograd.functional.hessian(lambda x: (x * x * x).sum(), flow.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]], dtype=penstock.float32)
    """
    what = "autograd.functional.hessian"
    several = not isinstance(inputs, Tensor)

    def slopes(*xs: Tensor) -> Any:
        y = func(*xs)
        if not isinstance(y, Tensor) or y.array.size != 1:
            got = f"shape {tuple(y.shape)}" if isinstance(y, Tensor) else kind_of(y)
            raise located(RuntimeError, f"the function of {what} must give one number, got {got}")
        found = _rows(run("flow.reshape", [y], {"shape": []})[0], list(xs), True, strict, what)
        return tuple(found) if several else found[0]

    return jacobian(slopes, inputs, create_graph, strict)


def vjp(
    func: Callable[..., Any],
    inputs: Given,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Result]:
    """What the function gives, and v times its Jacobian; v may be left out for one number.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0])
    >>> flow.autograd.functional.vjp(lambda x: x * x, x, flow.tensor([1.0, 10.0]))[1]
    tensor([ 2., 40.], dtype=penstock.float32)
    """
    what = "autograd.functional.vjp"
    xs = _leaves(inputs, create_graph, what)
    ys, one_output = _called(func, xs, what)
    weights = _weights(v, ys, what)
    found = _gradients(ys, xs, weights, create_graph, strict, what)
    return (
        _outputs(ys, one_output, create_graph),
        found[0] if isinstance(inputs, Tensor) else tuple(found),
    )


def jvp(
    func: Callable[..., Any],
    inputs: Given,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Result]:
    """What the function gives, and its Jacobian times v; v may be left out for one number.

    It is computed by two backward passes.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0])
    >>> flow.autograd.functional.jvp(lambda x: x * x, x, flow.tensor([1.0, 10.0]))[1]
    tensor([ 2., 40.], dtype=penstock.float32)
    """
    what = "autograd.functional.jvp"
    xs = _leaves(inputs, create_graph, what)
    weights = _weights(v, xs, what)
    ys, one_output = _called(func, xs, what)
    # The gradient is linear in its seeds: its derivative by these is the transposed Jacobian's.
    with enable_grad():
        seeds = [zeros_like(y).requires_grad_(True) for y in ys]
        slopes = _gradients(ys, xs, seeds, True, strict, what)
    found = _gradients(slopes, seeds, weights, create_graph, strict, what)
    return (
        _outputs(ys, one_output, create_graph),
        found[0] if one_output else tuple(found),
    )


def _leaves(inputs: Given, create_graph: bool, what: str) -> list[Tensor]:
    """The inputs as tensors that require gradients, and, with `create_graph`, depend on them."""
    found = []
    for one in tensors_of(inputs, f"inputs of {what}"):
        if create_graph and one.requires_grad:
            with enable_grad():
                found += run("flow.identity", [one], {})
        else:
            found.append(one.detach().requires_grad_(True))
    return found


def _called(func: Callable[..., Any], xs: list[Tensor], what: str) -> tuple[list[Tensor], bool]:
    with enable_grad():
        made = func(*xs)
    return tensors_of(made, f"what the function of {what} gives"), isinstance(made, Tensor)


def _outputs(ys: list[Tensor], one_output: bool, create_graph: bool) -> Any:
    made = ys if create_graph else [y.detach() for y in ys]
    return made[0] if one_output else tuple(made)


def _weights(v: Any, values: list[Tensor], what: str) -> list[Tensor]:
    if v is None:
        if len(values) != 1 or values[0].array.size != 1:
            raise located(
                RuntimeError, f"{what} needs v unless it is of one number: a tensor for each"
            )
        return [ones_like(values[0])]
    given = tensors_of(v, f"v of {what}")
    shapes, wanted = ([tuple(t.shape) for t in ts] for ts in (given, values))
    if shapes != wanted:
        raise located(RuntimeError, f"v of {what} must have shapes {wanted}, got {shapes}")
    return given


def _gradients(
    ys: list[Tensor], xs: list[Tensor], seeds: list[Tensor], record: bool, strict: bool, what: str
) -> list[Tensor]:
    """The gradients of xs, zeros where there is none."""
    pairs = [(y, seed) for y, seed in zip(ys, seeds, strict=True) if y.requires_grad]
    found: Sequence[Tensor | None] = [None] * len(xs)
    if pairs:
        found = grad(
            [y for y, _ in pairs], xs, [seed for _, seed in pairs], True, record, allow_unused=True
        )
    if strict and None in found:
        raise located(
            RuntimeError,
            f"what the function of {what} gives does not depend on input {found.index(None)}, and "
            "strict=True asks that it does",
        )
    return [zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]


def _rows(y: Tensor, xs: list[Tensor], record: bool, strict: bool, what: str) -> list[Tensor]:
    """The Jacobians of one output: a row for each element, stacked."""
    rows: list[list[Tensor]] = []
    for i in range(y.array.size):
        seed = np.zeros(y.array.shape, y.array.dtype)
        seed.reshape(-1)[i] = 1
        rows.append(_gradients([y], xs, [wrap(seed)], record, strict, what))
    made = []
    for k, x in enumerate(xs):
        shape = [*y.array.shape, *x.array.shape]
        if not rows:
            made.append(wrap(np.zeros(shape, x.array.dtype)))
            continue
        with enable_grad():
            joined = stack([row[k] for row in rows], 0)
            made.append(run("flow.reshape", [joined], {"shape": shape})[0])
    return made
