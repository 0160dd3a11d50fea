"""`autograd.grad` and `autograd.backward`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.basics.checks import check_flag
from penstock.basics.errors import counted, kind_of, located
from penstock.functions.gradients import gradients
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensor_functions.shapes import stack
from penstock.tensors import engine
from penstock.tensors.tensor import Tensor, check_tensor
from penstock.trace.blob import Blob

Tensors = Tensor | Sequence[Tensor]
Seeds = Tensor | None | Sequence[Tensor | None]


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
    is_grads_batched: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of the sum of the outputs with respect to each input; leaves `grad` unchanged.

    `grad_outputs` weights the elements of the outputs; it is optional for outputs of one element.
    With `create_graph` the gradients can be differentiated again. Raises a located RuntimeError if
    the outputs do not depend on an input; with `allow_unused`, its gradient is None instead. With
    `is_grads_batched`, `grad_outputs` have one more dimension, the first, and so have the
    gradients: a pass for each of its indices. In the body of a graph or of `flow.jit`, the
    gradients are those of `flow.gradients`.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> (slope,) = flow.autograd.grad((x * x * x).sum(), x, create_graph=True)
    >>> flow.autograd.grad(slope.sum(), x)
    (tensor([ 6., 12.], dtype=penstock.float32),)
    """
    what = "autograd.grad"
    if _has_blobs(outputs):
        if is_grads_batched:
            raise located(
                NotImplementedError,
                f"{what} in the body of a graph takes one gradient, not is_grads_batched; call it "
                "once for each",
            )
        sources = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
        return tuple(gradients(outputs, sources, grad_outputs))
    ys, wanted = (
        tensors_of(outputs, f"outputs of {what}"),
        tensors_of(inputs, f"inputs of {what}"),
    )
    check_flag(create_graph, f"create_graph of {what}")
    for number, one in enumerate(wanted):
        if not one.requires_grad:
            raise located(
                RuntimeError,
                f"input {number} of {what}, of shape {tuple(one.shape)}, requires no gradient; set "
                "requires_grad=True before the outputs are computed",
            )
    seeds = seeds_of(grad_outputs, ys, f"grad_outputs of {what}")
    keep = create_graph if retain_graph is None else retain_graph
    if check_flag(is_grads_batched, f"is_grads_batched of {what}"):
        rows = []
        for weights, is_last in _batches(seeds, what):
            kept = keep or not is_last
            rows.append(engine.gradients_of(ys, wanted, weights, kept, create_graph, what))
        found = [None if None in column else stack(column) for column in zip(*rows, strict=True)]
    else:
        found = engine.gradients_of(ys, wanted, seeds, keep, create_graph, what)
    for number, gradient in enumerate(found):
        if gradient is None and not allow_unused:
            raise located(
                RuntimeError,
                f"the outputs of {what} do not depend on input {number}, of shape "
                f"{tuple(wanted[number].shape)}; leave it out, or pass allow_unused=True",
            )
    return tuple(found)


def backward(
    tensors: Tensors,
    grad_tensors: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    """Add the gradients of the sum of the tensors to `grad` of the leaves, or only of `inputs`.

    `grad_tensors` weights the elements of the tensors; it is optional for tensors of one element.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> flow.autograd.backward([x.sum(), x * x], [None, flow.ones(2)])
    >>> x.grad
    tensor([3., 5.], dtype=penstock.float32)
    """
    what = "autograd.backward"
    ys = tensors_of(tensors, f"tensors of {what}")
    wanted = None if inputs is None else tensors_of(inputs, f"inputs of {what}")
    if wanted is not None and not wanted:
        raise located(ValueError, f"inputs of {what} is empty; leave it out for all leaves")
    seeds = seeds_of(grad_tensors, ys, f"grad_tensors of {what}")
    engine.backward(ys, seeds, retain_graph, create_graph, wanted, what)


def _has_blobs(outputs: object) -> bool:
    given = outputs if isinstance(outputs, list | tuple) else [outputs]
    return any(isinstance(one, Blob) for one in given)


def _batches(
    seeds: Sequence[Tensor | None], what: str
) -> Iterator[tuple[Sequence[Tensor | None], bool]]:
    """The weights of each of several passes, and whether it is the last."""
    counts = {one.shape[0] for one in seeds if one is not None and one.ndim}
    if len(counts) != 1 or 0 in counts or any(one is None or not one.ndim for one in seeds):
        shapes = [None if one is None else tuple(one.shape) for one in seeds]
        raise located(
            RuntimeError,
            f"grad_outputs of {what} with is_grads_batched must have one first extent, of at least "
            f"1, got shapes {shapes}",
        )
    count = counts.pop()
    for i in range(count):
        yield [one[i] for one in seeds if one is not None], i == count - 1


def tensors_of(tensors: object, what: str) -> list[Tensor]:
    """A tensor or a sequence of tensors, as a list."""
    if isinstance(tensors, Tensor):
        return [tensors]
    if not isinstance(tensors, list | tuple):
        raise located(
            TypeError, f"{what} must be a tensor or a list of tensors, got {kind_of(tensors)}"
        )
    return [check_tensor(one, what) for one in tensors]


def seeds_of(value: Seeds, outputs: Sequence[Tensor], what: str) -> list[Tensor | None]:
    """The weights of the outputs, one for each; None stands for ones."""
    if value is None:
        return [None] * len(outputs)
    seeds: list[Tensor | None] = [value] if isinstance(value, Tensor) else list(value)
    if len(seeds) != len(outputs):
        raise located(
            RuntimeError,
            f"{what} must have {counted(len(outputs), 'tensor')}, one for each output, got "
            f"{len(seeds)}",
        )
    return seeds
