"""`autograd.Function`: functions with gradients written by the user."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from penstock.autograd.traced import Stated, is_value, of_blobs
from penstock.basics.checks import check_takes
from penstock.basics.errors import counted, kind_of, located
from penstock.functions.gradients import stop_gradient
from penstock.tensor_functions.blob_hooks import is_traced
from penstock.tensor_functions.calls import as_type
from penstock.tensors.creation import zeros
from penstock.tensors.execute import cast_to, refresh
from penstock.tensors.graph import Array, Gradients, Node, stand_in
from penstock.tensors.modes import mode, no_grad
from penstock.tensors.tensor import Changes, Tensor, wrap


class FunctionCtx:
    """Carries data from the forward of a `Function` to its backward; any attribute can be set."""

    needs_input_grad: tuple[bool, ...] = ()
    """For each argument of forward, whether its gradient is wanted."""

    def __init__(self) -> None:
        self._to_save: tuple[Tensor | None, ...] = ()
        self._without_gradient: set[int] = set()
        self._fills = True
        # The node refers to this object; a cycle would keep saved tensors until garbage collection.
        self._node: weakref.ref[FunctionNode] | None = None

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep arguments or results of forward; backward finds them as `saved_tensors`."""
        for one in tensors:
            if one is not None and not is_value(one):
                raise located(
                    TypeError,
                    f"save_for_backward takes tensors, got {kind_of(one)}; set an attribute of ctx",
                )
        self._to_save = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors that `save_for_backward` kept.

        Raises a located RuntimeError if one was changed in place since.
        """
        node = None if self._node is None else self._node()
        return self._to_save if node is None else node.saved()

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Let no gradient flow through these results of forward."""
        self._without_gradient |= {id(one) for one in tensors}

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether backward gets zeros, rather than None, for results without a gradient."""
        self._fills = value


class Function:
    """Base class of functions with a custom gradient; call them by `apply`.

    `forward` computes with tensors, and its ops are not recorded. `backward` returns a gradient, or
    None, for each argument of forward; its ops are recorded if `create_graph` is set. In the body
    of a graph, a job or of `flow.jit`, both are traced once, with blobs; a `backward` that needs
    numbers is called in each step, with tensors.

    >>> import penstock as flow
    >>> class Cube(flow.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         (x,) = ctx.saved_tensors
    ...         return gradient * 3.0 * x * x
    >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
    >>> Cube.apply(x).sum().backward()
    >>> x.grad
    tensor([ 3., 12.], dtype=penstock.float32)
    """

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        """The results, a tensor or a tuple, from the arguments."""
        raise located(NotImplementedError, "an autograd.Function must have a static method forward")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments of forward from those of its results."""
        raise located(
            NotImplementedError, "an autograd.Function must have a static method backward"
        )

    def __call__(self, *args: Any) -> Any:
        """As `apply`."""
        return self.apply(*args)

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run `forward`, and record the call if an argument requires gradients."""
        if is_traced(args):
            return cls._traced(args)
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple(isinstance(one, Tensor) and one.requires_grad for one in args)
        records = mode.records and any(ctx.needs_input_grad)
        with no_grad():
            outputs = cls.forward(ctx, *args)
        results = [outputs] if isinstance(outputs, Tensor) else list(outputs)
        for one in results:
            if not isinstance(one, Tensor):
                raise located(
                    TypeError,
                    f"forward of {cls.__name__} must return tensors, got {kind_of(one)}",
                )
        if records:
            results = FunctionNode(cls, ctx, args, results).outputs(results)
        return results[0] if isinstance(outputs, Tensor) else tuple(results)

    @classmethod
    def _traced(cls, args: Sequence[Any]) -> Any:
        """The results as blobs, in a graph or `flow.jit`; `backward` is traced at once."""
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple(is_value(one) and one.dtype.is_float for one in args)

        def bprop(*given: Any) -> Any:
            dout = given[-1]
            found = _run(cls, ctx, dout if isinstance(dout, tuple) else (dout,))
            while len(found) > len(args) and found[-1] is None:
                found.pop()
            return [
                as_type(one, arg.dtype) if is_value(one) and is_value(arg) else one
                for one, arg in zip_longest(found, args)
            ][: len(found)]

        made: list[Any] = []

        def forward(*given: Any) -> Any:
            found = cls.forward(ctx, *given)
            made.extend(found if isinstance(found, list | tuple) else [found])
            return found

        name = cls.__name__
        stated = Stated(
            f"autograd.Function {name}", forward, bprop, f"forward of {name}",
            f"backward of {name}", cls.forward, cls.backward, f"{name}/backward", ctx,
        )  # fmt: skip
        results = of_blobs(stated, args)
        each = results if isinstance(results, tuple) else (results,)
        kept = tuple(
            stop_gradient(one) if one.dtype.is_float and id(first) in ctx._without_gradient else one
            for one, first in zip(each, made, strict=True)
        )
        return kept if isinstance(results, tuple) else kept[0]


class FunctionNode(Node):
    """The backward of a `Function`."""

    def __init__(
        self, cls: type[Function], ctx: FunctionCtx, args: Sequence[Any], results: Sequence[Tensor]
    ) -> None:
        super().__init__()
        self._cls = cls
        self._ctx = ctx
        self.edges = [_edge(one) for one in args]
        self._input_forms = [
            (one.array.shape, one.array.dtype) if isinstance(one, Tensor) else None for one in args
        ]
        self._forms = [(one.array.shape, one.dtype) for one in results]
        self._inputs = {id(one) for one in args if isinstance(one, Tensor)}
        places = {id(one): i for i, one in enumerate(results) if id(one) not in self._inputs}
        # Of results the arrays and changes: a node that kept its own results would live for ever.
        self._saved: list[tuple[Tensor, Array, int, Changes, int] | None] | None = []
        for one in ctx._to_save:
            place = -1 if one is None else places.get(id(one), -1)
            if one is None:
                self._saved.append(None)
            else:
                changes = one.all_changes
                kept = one if place == -1 else wrap(one.array)
                self._saved.append((kept, one.array, place, changes, changes.count))
        ctx._to_save = ()
        ctx._node = weakref.ref(self)

    @property
    def results(self) -> int:
        return len(self._forms)

    def outputs(self, results: Sequence[Tensor]) -> list[Tensor]:
        """Attach the results to this node; a returned argument becomes a new tensor."""
        tensors = []
        for index, one in enumerate(results):
            own = one.detach() if id(one) in self._inputs else one
            if own.dtype.is_float and id(one) not in self._ctx._without_gradient:
                own._requires_grad = False
                own.node, own.index = self, index
            tensors.append(own)
        return tensors

    def name(self) -> str:
        return f"{self._cls.__name__}_backward"

    def saved(self) -> tuple[Tensor | None, ...]:
        """The saved tensors; results of forward are attached to this node again."""
        if self._saved is None:
            raise located(
                RuntimeError,
                f"backward goes through {self._cls.__name__} of {self.line.describe()} a second "
                "time, but the first backward freed what it saved; pass retain_graph=True to the "
                "first",
            )
        return tuple(None if kept is None else self._read(*kept) for kept in self._saved)

    def _read(
        self, tensor: Tensor, array: Array, place: int, changes: Changes, count: int
    ) -> Tensor:
        if changes.count != count:
            by = "" if changes.line is None else f", by {changes.line.describe()}"
            raise located(
                RuntimeError,
                f"backward of {self._cls.__name__} of {self.line.describe()} needs a tensor of "
                f"shape {tuple(tensor.shape)} that was changed in place since{by}; change a clone "
                "of it",
            )
        if place == -1:
            return tensor if tensor.array is array else stand_in(tensor, array)
        result = wrap(array)
        result.node, result.index = self, place
        return result

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        self.saved()  # Raises if a previous backward has freed the saved tensors.
        seeds: list[Tensor | None] = list(gradients)
        if self._ctx._fills:
            seeds = [
                zeros(shape, dtype=dtype) if g is None else g
                for g, (shape, dtype) in zip(seeds, self._forms, strict=True)
            ]
        found = _run(self._cls, self._ctx, seeds)
        wanted = len(self.edges)
        if len(found) > wanted and all(one is None for one in found[wanted:]):
            found = found[:wanted]
        if len(found) != wanted:
            raise located(
                RuntimeError,
                f"backward of {self._cls.__name__} must return {counted(wanted, 'gradient')}, one "
                f"for each argument of forward, got {len(found)}",
            )
        for number, (one, form) in enumerate(zip(found, self._input_forms, strict=True)):
            self._check(number, one, form)
            if one is not None and form is not None and one.array.dtype != form[1]:
                found[number] = cast_to(one, form[1])
        if not keep and self._saved:
            self._saved = None
        return found

    def _check(self, number: int, one: Any, form: tuple[tuple[int, ...], Any] | None) -> None:
        if one is None or self.edges[number] is None:
            return
        shape = None if form is None else form[0]
        if not isinstance(one, Tensor) or one.array.shape != shape:
            got = f"shape {tuple(one.shape)}" if isinstance(one, Tensor) else kind_of(one)
            raise located(
                RuntimeError,
                f"backward of {self._cls.__name__} must return a gradient of shape {shape} for "
                f"argument {number}, got {got}",
            )


def _run(cls: type[Function], ctx: FunctionCtx, seeds: Sequence[Any]) -> list[Any]:
    """What `backward` returns, as a list."""
    try:
        found = cls.backward(ctx, *seeds)
    except TypeError:
        names = ["ctx", *(f"grad_output_{i}" for i in range(len(seeds)))]
        check_takes(cls.backward, names, f"backward of {cls.__name__}")
        raise
    return list(found) if isinstance(found, list | tuple) else [found]


def _edge(one: Any) -> Tensor | tuple[Node, int] | None:
    """The edge of an argument, as in `Node.edges`; None if it needs no gradient."""
    if not isinstance(one, Tensor):
        return None
    refresh(one)
    return (one.node, one.index) if one.node is not None else one if one._requires_grad else None
