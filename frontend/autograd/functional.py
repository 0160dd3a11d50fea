"""`autograd.functional`: Jacobians, Hessians, and their products with vectors."""

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
"""A tensor if a single tensor was given, else a tuple; nested by outputs, then inputs."""


def jacobian(
    func: Callable[..., Any], inputs: Given, create_graph: bool = False, strict: bool = False
) -> Result:
    """The derivatives of each element of the outputs with respect to each element of the inputs.

    Each is a tensor of shape output.shape + input.shape. Several inputs return a tuple, several
    outputs a tuple of tuples. If an output does not depend on an input, its derivatives are 0; with
    `strict` that raises a located RuntimeError.

    >>> import penstock as flow
    >>> flow.autograd.functional.jacobian(lambda x: x * x, flow.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]], dtype=penstock.float32)
    """
    what = "autograd.functional.jacobian"
    xs = _leaves(inputs, create_graph, what)
    ys, one_output = _called(func, xs, what)
    rows = [_rows(y, xs, create_graph, strict, what) for y in ys]
    jacobians = [row[0] if isinstance(inputs, Tensor) else tuple(row) for row in rows]
    return jacobians[0] if one_output else tuple(jacobians)


def hessian(
    func: Callable[..., Any], inputs: Given, create_graph: bool = False, strict: bool = False
) -> Result:
    """The second derivatives of a scalar function, with respect to each pair of inputs.

    >>> import penstock as flow
    >>> flow.autograd.functional.hessian(lambda x: (x * x * x).sum(), flow.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]], dtype=penstock.float32)
    """
    what = "autograd.functional.hessian"
    several = not isinstance(inputs, Tensor)

    def slopes(*xs: Tensor) -> Any:
        found = _rows(_scalar_of(func(*xs), what), list(xs), True, strict, what)
        return tuple(found) if several else found[0]

    return jacobian(slopes, inputs, create_graph, strict)


def vjp(
    func: Callable[..., Any],
    inputs: Given,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Result]:
    """The function's outputs, and v times its Jacobian; v is optional for a scalar output.

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
    """The function's outputs, and its Jacobian times v; v is optional for a scalar input.

    It takes two backward passes.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0])
    >>> flow.autograd.functional.jvp(lambda x: x * x, x, flow.tensor([1.0, 10.0]))[1]
    tensor([ 2., 40.], dtype=penstock.float32)
    """
    what = "autograd.functional.jvp"
    xs = _leaves(inputs, create_graph, what)
    weights = _weights(v, xs, what)
    ys, one_output = _called(func, xs, what)
    # The gradient J^T u is linear in the seeds u, so its derivative by u, times v, is J v.
    with enable_grad():
        seeds = [zeros_like(y).requires_grad_(True) for y in ys]
        slopes = _gradients(ys, xs, seeds, True, strict, what)
    found = _gradients(slopes, seeds, weights, create_graph, strict, what)
    return (
        _outputs(ys, one_output, create_graph),
        found[0] if one_output else tuple(found),
    )


def hvp(
    func: Callable[..., Any],
    inputs: Given,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Result]:
    """The scalar function's output, and its Hessian times v; v is optional for a scalar input.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0])
    >>> flow.autograd.functional.hvp(lambda x: (x**3).sum(), x, flow.tensor([1.0, 10.0]))[1]
    tensor([  6., 120.], dtype=penstock.float32)
    """
    return _hessian_times(v, func, inputs, create_graph, strict, "autograd.functional.hvp")


def vhp(
    func: Callable[..., Any],
    inputs: Given,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Result]:
    """The scalar function's output, and v times its Hessian, which is symmetric: see `hvp`."""
    return _hessian_times(v, func, inputs, create_graph, strict, "autograd.functional.vhp")


def _hessian_times(
    v: Any, func: Callable[..., Any], inputs: Given, create_graph: bool, strict: bool, what: str
) -> tuple[Any, Result]:
    xs = _leaves(inputs, create_graph, what)
    weights = _weights(v, xs, what)
    with enable_grad():
        y = _scalar_of(func(*xs), what)
    slopes = _gradients([y], xs, [ones_like(y)], True, strict, what)
    found = _gradients(slopes, xs, weights, create_graph, strict, what)
    return _outputs([y], True, create_graph), (
        found[0] if isinstance(inputs, Tensor) else tuple(found)
    )


def _scalar_of(y: Any, what: str) -> Tensor:
    """What a function returned, which must be one number, at rank 0."""
    if not isinstance(y, Tensor) or y.array.size != 1:
        got = f"shape {tuple(y.shape)}" if isinstance(y, Tensor) else kind_of(y)
        raise located(RuntimeError, f"the function of {what} must return one number, got {got}")
    return run("flow.reshape", [y], {"shape": []})[0]


def _leaves(inputs: Given, create_graph: bool, what: str) -> list[Tensor]:
    """The inputs as tensors that require gradients; with `create_graph` they depend on the
    originals, so that gradients flow there."""
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
        results = func(*xs)
    return tensors_of(results, f"the result of the function of {what}"), isinstance(results, Tensor)


def _outputs(ys: list[Tensor], one_output: bool, create_graph: bool) -> Any:
    outputs = ys if create_graph else [y.detach() for y in ys]
    return outputs[0] if one_output else tuple(outputs)


def _weights(v: Any, values: list[Tensor], what: str) -> list[Tensor]:
    if v is None:
        if len(values) != 1 or values[0].array.size != 1:
            raise located(
                RuntimeError,
                f"{what} needs v, a tensor like each of the {len(values)} it is multiplied with; "
                "only a single tensor of one element has a default",
            )
        return [ones_like(values[0])]
    weights = tensors_of(v, f"v of {what}")
    shapes, wanted = ([tuple(t.shape) for t in ts] for ts in (weights, values))
    if shapes != wanted:
        raise located(RuntimeError, f"v of {what} must have shapes {wanted}, got {shapes}")
    return weights


def _gradients(
    ys: list[Tensor], xs: list[Tensor], seeds: list[Tensor], record: bool, strict: bool, what: str
) -> list[Tensor]:
    """The gradients with respect to xs; zeros for those without a gradient."""
    pairs = [(y, seed) for y, seed in zip(ys, seeds, strict=True) if y.requires_grad]
    found: Sequence[Tensor | None] = [None] * len(xs)
    if pairs:
        found = grad(
            [y for y, _ in pairs], xs, [seed for _, seed in pairs], True, record, allow_unused=True
        )
    if strict and None in found:
        raise located(
            RuntimeError,
            f"the result of the function of {what} does not depend on input {found.index(None)}; "
            "leave the input out, or pass strict=False for zeros",
        )
    return [zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]


def _rows(y: Tensor, xs: list[Tensor], record: bool, strict: bool, what: str) -> list[Tensor]:
    """The Jacobians of one output, one per input: a row for each element, stacked."""
    rows: list[list[Tensor]] = []
    for i in range(y.array.size):
        seed = np.zeros(y.array.shape, y.array.dtype)
        seed.reshape(-1)[i] = 1
        rows.append(_gradients([y], xs, [wrap(seed)], record, strict, what))
    results = []
    for k, x in enumerate(xs):
        shape = [*y.array.shape, *x.array.shape]
        if not rows:
            results.append(wrap(np.zeros(shape, x.array.dtype)))
            continue
        with enable_grad():
            joined = stack([row[k] for row in rows], 0)
            results.append(run("flow.reshape", [joined], {"shape": shape})[0])
    return results
