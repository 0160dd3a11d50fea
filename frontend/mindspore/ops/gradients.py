"""`GradOperation`: the gradient of a function or cell as a function, of any order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from penstock.autograd.derivatives import grad
from penstock.basics.checks import check_flag
from penstock.basics.errors import counted, kind_of, located
from penstock.basics.nest import leaves, rebuild
from penstock.mindspore.compiled import Compiled
from penstock.mindspore.context import is_graph_mode
from penstock.mindspore.ops.primitives import check_callable
from penstock.mindspore.parameter import Parameter
from penstock.mindspore.recording import is_differentiated, recording
from penstock.mindspore.tensor import Tensor, faced, plain, wrapped
from penstock.tensor_functions.calls import op
from penstock.tensors import creation
from penstock.tensors import tensor as tensors
from penstock.tensors.modes import no_grad
from penstock.trace.blob import Blob
from penstock.trace.tracing import active_trace

_FUNCTIONS = 64
"""The number of functions whose compiled gradients are kept."""


class GradOperation:
    """Makes from a function or cell the function that computes its gradient.

    By default it is the gradient of the first input. With `get_all` it is a tuple with those of all
    inputs; with `get_by_list` a tuple with those of the parameters in `weights`, by default the
    cell's trainable ones; with both, a pair of these tuples. With `sens_param` the last argument of
    a call is the gradient of the output, which otherwise is all ones. What the output does not
    depend on has the gradient 0.

    Raises a located TypeError or ValueError for what has no gradient.

    >>> import penstock.mindspore as ms
    >>> square = lambda x: x * x
    >>> grad = ms.ops.GradOperation()
    >>> print(grad(square)(ms.Tensor(3.0)), grad(grad(square))(ms.Tensor(3.0)))
    6.0 2.0
    """

    def __init__(
        self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False
    ) -> None:
        self.get_all = check_flag(get_all, "get_all of GradOperation")
        self.get_by_list = check_flag(get_by_list, "get_by_list of GradOperation")
        self.sens_param = check_flag(sens_param, "sens_param of GradOperation")
        self._compiled: OrderedDict[Hashable, Compiled] = OrderedDict()

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        check_callable(fn, "GradOperation")
        chosen: list[Parameter] = []
        if self.get_by_list:
            chosen = _weights(weights, fn)

        def gradient(*args: Any, **named: Any) -> Any:
            sens = None
            if self.sens_param:
                sens = named.pop("sens", None)
                if sens is None:
                    if not args:
                        raise located(
                            TypeError,
                            "GradOperation with sens_param takes the gradient of the output as the "
                            "last argument, got no argument",
                        )
                    *given, sens = args
                    args = tuple(given)
            found, of_weights = self._computed(fn, args, named, chosen, sens)
            if self.get_by_list:
                return (found, of_weights) if self.get_all else of_weights
            if self.get_all:
                return found
            if not found:
                raise located(
                    ValueError,
                    "GradOperation needs an input to take the gradient by, got no argument; for "
                    "parameters, pass get_by_list=True",
                )
            return found[0]

        gradient.__name__ = f"grad_{getattr(fn, '__name__', type(fn).__name__)}"
        return gradient

    def _computed(
        self, fn: Callable[..., Any], args: Sequence[Any], named: dict[str, Any],
        weights: Sequence[Parameter], sens: Any,
    ) -> Any:  # fmt: skip
        """The gradients by the arguments and by the weights; compiled as a whole in graph mode."""
        if not is_graph_mode() or active_trace() is not None or is_differentiated():
            return gradients(fn, args, named, weights, sens)
        key = (fn, tuple(map(id, weights)))
        try:
            compiled = self._compiled.get(key)
        except TypeError:  # The function is not hashable.
            return gradients(fn, args, named, weights, sens)
        if compiled is None:

            def run(args: Any, named: Any, sens: Any) -> Any:
                return plain(gradients(fn, faced(args), faced(named), weights, faced(sens)))

            compiled = Compiled(run, getattr(type(fn), "construct", fn))
            self._compiled[key] = compiled
            while len(self._compiled) > _FUNCTIONS:
                self._compiled.popitem(last=False)
        # Hooks on gradients are for what depends on tensors that require some.
        inputs = rebuild(plain(tuple(args)), _requiring)
        with no_grad():
            return faced(compiled(inputs, plain(named), plain(sens)))


def _weights(weights: Any, fn: Any) -> list[Parameter]:
    if weights is None:
        if not hasattr(fn, "trainable_params"):
            raise located(
                ValueError,
                "GradOperation with get_by_list takes the parameters beside the function, as in "
                "grad(fn, weights), got no weights",
            )
        weights = fn.trainable_params()
    listed = [weights] if isinstance(weights, Parameter) else list(weights)
    for one in listed:
        if not isinstance(one, Parameter):
            raise located(
                TypeError, f"weights of GradOperation must be parameters, got {kind_of(one)}"
            )
        if not one.requires_grad:
            raise located(
                ValueError,
                f"parameter {one.name!r} among the weights of GradOperation has "
                "requires_grad=False, so it has no gradient; leave it out",
            )
    return listed


def gradients(
    fn: Callable[..., Any], args: Sequence[Any], named: dict[str, Any],
    weights: Sequence[Parameter], sens: Any,
) -> tuple[tuple[Any, ...], tuple[Tensor, ...]]:  # fmt: skip
    """The gradients of a function by the tensors among the arguments, and by weights."""
    sources: list[Any] = []

    def leaf(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(leaf(member) for member in value)
        if not isinstance(value, Tensor) or not value.dtype.is_float:
            return value
        sources.append(_source(value.inner, is_inner))
        return wrapped(sources[-1])

    with recording() as is_inner:
        given = [leaf(value) for value in args]
        result = fn(*given, **named)
        outputs, seeds = _outputs(result, sens)
        wanted = [*sources, *(one.inner for one in weights)]
        found = _found(outputs, seeds, wanted, is_inner)
    left = iter(found)

    def rebuilt(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return tuple(rebuilt(member) for member in value)
        if not isinstance(value, Tensor):
            return None
        if not value.dtype.is_float:
            return wrapped(creation.zeros_like(value.inner))
        return wrapped(next(left))

    of_args = tuple(rebuilt(value) for value in args)
    return of_args, tuple(wrapped(next(left)) for _ in weights)


def value_and_gradients(
    fn: Callable[..., Any], args: Sequence[Any], weights: Sequence[Parameter], scale: float
) -> tuple[Any, tuple[Tensor, ...]]:
    """What a function returns, and the gradients of its sum, times `scale`, by the weights."""
    with recording() as is_inner:
        result = fn(*args)
        outputs, seeds = _outputs(result, None)
        scaled = seeds if scale == 1.0 else [seed * scale for seed in seeds]
        found = _found(outputs, scaled, [one.inner for one in weights], is_inner)
    return result, tuple(wrapped(one) for one in found)


def _requiring(value: Any) -> Any:
    """The value, as a leaf that requires gradients if it is a tensor of floats."""
    if isinstance(value, tensors.Tensor) and value.dtype.is_float:
        return value.detach().requires_grad_()
    return value


def _source(value: Any, is_inner: bool) -> Any:
    """The value as an input of its own, so that other uses of the same tensor don't count."""
    if isinstance(value, Blob) or (is_inner and value.requires_grad):
        return op("flow.identity", value)
    return value.detach().requires_grad_()


def _outputs(result: Any, sens: Any) -> tuple[list[Any], list[Any]]:
    """The outputs that are floats, and their gradients."""
    outputs = [one for _, one in leaves(plain(result))]
    for one in outputs:
        if not isinstance(one, tensors.Tensor | Blob):
            raise located(
                TypeError,
                f"GradOperation takes functions that return tensors, got {kind_of(one)} as a "
                "result",
            )
    floats = [one for one in outputs if one.dtype.is_float]
    if not floats:
        kinds = ", ".join(str(wrapped(one).dtype) for one in outputs) or "nothing"
        raise located(
            TypeError,
            f"GradOperation takes functions that return floats, which have gradients, got {kinds}",
        )
    if sens is None:
        return floats, [creation.ones_like(one) for one in floats]
    seeds = [one for _, one in leaves(plain(sens))]
    if len(seeds) != len(outputs):
        raise located(
            ValueError,
            f"sens of GradOperation must be {counted(len(outputs), 'tensor')}, one for each "
            f"output, got {len(seeds)}",
        )
    pairs = [(o, s) for o, s in zip(outputs, seeds, strict=True) if o.dtype.is_float]
    for output, seed in pairs:
        if not isinstance(seed, tensors.Tensor | Blob) or (
            tuple(seed.shape), seed.dtype) != (tuple(output.shape), output.dtype):  # fmt: skip
            got = kind_of(seed)
            if isinstance(seed, tensors.Tensor | Blob):
                got = f"{wrapped(seed).dtype} of shape {tuple(seed.shape)}"
            raise located(
                ValueError,
                f"sens of GradOperation must be like the output, {wrapped(output).dtype} of shape "
                f"{tuple(output.shape)}, got {got}",
            )
    return floats, [seed for _, seed in pairs]


def _found(
    outputs: list[Any], seeds: list[Any], wanted: list[Any], create_graph: bool
) -> list[Any]:
    """The gradients by each wanted value, zeros where there is none."""
    if not wanted:
        return []
    if not any(isinstance(one, Blob) for one in outputs):
        pairs = [(o, s) for o, s in zip(outputs, seeds, strict=True) if o.requires_grad]
        if not pairs:
            return [creation.zeros_like(one) for one in wanted]
        ys, weights = zip(*pairs, strict=True)
        made = grad(list(ys), wanted, list(weights), create_graph=create_graph, allow_unused=True)
        return [
            creation.zeros_like(one.detach()) if found is None else found
            for one, found in zip(wanted, made, strict=True)
        ]
    blobs = [(o, s) for o, s in zip(outputs, seeds, strict=True) if isinstance(o, Blob)]
    ys, weights = zip(*blobs, strict=True)
    return list(grad(list(ys), wanted, list(weights)))
