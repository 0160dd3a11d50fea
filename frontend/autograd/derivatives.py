"""`autograd.grad` and `autograd.backward`."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_flag
from penstock.basics.errors import counted, kind_of, located
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors import engine
from penstock.tensors.tensor import Tensor, check_tensor

Tensors = Tensor | Sequence[Tensor]
Seeds = Tensor | None | Sequence[Tensor | None]


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of the sum of the outputs with respect to each input; leaves `grad` unchanged.

    `grad_outputs` weights the elements of the outputs; it is optional for outputs of one element.
    With `create_graph` the gradients can be differentiated again. Raises a located RuntimeError if
    the outputs do not depend on an input; with `allow_unused`, its gradient is None instead.

    >>> import penstock as flow
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> (slope,) = flow.autograd.grad((x * x * x).sum(), x, create_graph=True)
    >>> flow.autograd.grad(slope.sum(), x)
    (tensor([ 6., 12.], dtype=penstock.float32),)
    """
    what = "autograd.grad"
    given, wanted = (
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
    seeds = seeds_of(grad_outputs, given, f"grad_outputs of {what}")
    found = engine.gradients_of(given, wanted, seeds, retain_graph, create_graph, what)
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
    given = tensors_of(tensors, f"tensors of {what}")
    wanted = None if inputs is None else tensors_of(inputs, f"inputs of {what}")
    if wanted is not None and not wanted:
        raise located(ValueError, f"inputs of {what} is empty; leave it out for all leaves")
    seeds = seeds_of(grad_tensors, given, f"grad_tensors of {what}")
    engine.backward(given, seeds, retain_graph, create_graph, wanted, what)


def tensors_of(given: object, what: str) -> list[Tensor]:
    """A tensor or a sequence of tensors, as a list."""
    if isinstance(given, Tensor):
        return [given]
    if not isinstance(given, list | tuple):
        raise located(
            TypeError, f"{what} must be a tensor or a list of tensors, got {kind_of(given)}"
        )
    return [check_tensor(one, what) for one in given]


def seeds_of(given: Seeds, outputs: Sequence[Tensor], what: str) -> list[Tensor | None]:
    """The weights of the outputs, one for each; None stands for ones."""
    if given is None:
        return [None] * len(outputs)
    seeds: list[Tensor | None] = [given] if isinstance(given, Tensor) else list(given)
    if len(seeds) != len(outputs):
        raise located(
            RuntimeError,
            f"{what} must have {counted(len(outputs), 'tensor')}, one for each output, got "
            f"{len(seeds)}",
        )
    return seeds
