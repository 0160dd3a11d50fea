"""How tensors become blobs in a traced body: arguments, captured tensors and results of ops."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

import numpy as np

from penstock.basics.dtypes import int64
from penstock.basics.errors import kind_of, located, untraceable
from penstock.functions.gradients import stop_gradient
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.kernels import OneOp
from penstock.tensors.modes import mode, traced_by
from penstock.tensors.promotion import common_type, default_float, is_plain
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, apply, check_blob, constant_blob, feed
from penstock.trace.views import NotingTrace, TraceBuilder, again, origin, put, source

Array = np.ndarray[Any, Any]


class Lifting:
    """Maps the tensors in a traced body to blobs: arguments, captured tensors and results of ops.

    Captured tensors become arguments too, so their elements are read at each call. `given` are the
    tensors behind the first arguments.
    """

    changes_blobs = False

    def __init__(self, trace: NotingTrace, given: Sequence[Tensor] = ()) -> None:
        self._trace = trace
        self.own: list[Tensor] = []
        self.given = given
        self.asked = False
        """Whether the body depends on which tensors require gradients."""
        self._blobs: dict[Any, tuple[Any, Blob]] = {}
        self._made: dict[Any, Tensor] = {}
        """The tensors that the body itself makes, by their memory."""
        self.changed: dict[int, Blob] = {}
        """The new values of captured tensors that the body changes in place, by their ids."""
        self._draws: dict[Any, tuple[Tensor, Blob, int]] = {}
        """For each random generator a captured tensor for its step, and the number of draws."""
        self._seeds: dict[Any, int] = {}
        self._read: dict[int, tuple[Tensor, Array, int]] = {}
        """Captured tensors whose numbers the body reads, their arrays and their versions."""

    @property
    def detached(self) -> bool:
        return mode.detached

    def tracing(self) -> AbstractContextManager[None]:
        """Note ops on tensors inside, as ops of the body."""
        return traced_by(self.noted, records=True)

    def blob(self, tensor: Tensor) -> Blob:
        found = self._blobs.get(id(tensor))
        if found is None:
            found = self._blobs.get(_place(tensor))
            # Another tensor of the same elements: detached, or its bits as bools.
            if found is not None and tensor.dtype.is_float:
                found = self._blobs[id(tensor)] = tensor, stop_gradient(found[1])
        if found is None:
            found = self._blobs[id(tensor)] = tensor, self._argument(tensor)
            self.own.append(tensor)
        return found[1]

    def result(self, tensor: Tensor) -> Blob | None:
        """The blob of a tensor that an op of the body made; None for others."""
        found = self._blobs.get(id(tensor), self._blobs.get(_place(tensor)))
        if found is None or any(one is tensor for one in self.own):
            return None
        return None if found[1].value.defining_op is None else self.blob(tensor)

    def _argument(self, tensor: Tensor) -> Blob:
        """The argument for a tensor that the body captures."""
        return feed(self._trace, "own", tensor.array.shape, tensor.dtype, self._trace.location)

    def _place(self, tensor: Tensor, blob: Blob) -> None:
        """Let a blob stand for a tensor, and for others of the same elements."""
        self._blobs[id(tensor)] = self._blobs[_place(tensor)] = tensor, blob

    def made(self, tensor: Tensor) -> None:
        """Note a tensor that the body itself makes from numbers: it is the same in each call."""
        self._made[_place(tensor)] = tensor

    def is_made(self, tensor: Tensor) -> bool:
        """Whether the body itself made the tensor, or one that shares its elements."""
        return _place(tensor) in self._made

    def assigned(self, target: Any, value: Any, what: str) -> Any:
        """Change a tensor or blob in place; returns it.

        Each call of the compiled function then changes the captured tensor.
        """
        held = self._captured(target)
        if held is None:
            raise untraceable(
                RuntimeError,
                f"{what} changes a tensor that the function got or made while flow.jit traces it; "
                "the change would happen once, not in each call; return the new value instead",
            )
        if held.requires_grad and not mode.detached:
            raise located(
                RuntimeError,
                f"{what} changes a tensor that requires gradients; do so within flow.no_grad()",
            )
        made = fitted(target, value, what)
        self._place(held, made)
        self.changed[id(held)] = made
        return made if isinstance(target, Blob) else target

    def _captured(self, target: Any) -> Tensor | None:
        """The captured tensor that a tensor or its current blob stands for, unless it is a view."""
        if isinstance(target, Tensor):
            self.blob(target)  # An argument from now on, unless an op of the body made it.
        for one in self.own:
            if one is target or (
                isinstance(target, Blob) and self._blobs[id(one)][1].value is target.value
            ):
                return None if one.base is not None or self.is_made(one) else one
        return None

    def read(self, tensor: Tensor) -> None:
        """Note that the body reads the numbers of a tensor: once they change, it is traced anew."""
        if id(tensor) in self.changed:
            raise located(
                RuntimeError,
                "the numbers of a tensor are read after the body changed it, but it changes when "
                "the compiled function runs; read them before",
            )
        for one in [] if self.is_made(tensor) else self._sources(tensor):
            self._read.setdefault(id(one), (one, one.array, one.all_changes.count))

    def _sources(self, tensor: Tensor) -> list[Tensor]:
        """The captured tensors that a tensor is computed from."""
        blob = self._blobs.get(id(tensor), self._blobs.get(_place(tensor)))
        if blob is None:
            return [tensor]
        seen: set[Value] = set()
        waiting = [blob[1].value]
        while waiting:
            value = waiting.pop()
            if value not in seen:
                seen.add(value)
                waiting += value.defining_op.operands if value.defining_op is not None else ()
        captured = {value for value in seen if value.defining_op is None}
        return [one for one, known in self._blobs.values() if known.value in captured]

    def has_read_these(self) -> bool:
        """Whether the numbers that the body read are still the same."""
        return all(
            one.array is array and one.all_changes.count == version
            for one, array, version in self._read.values()
        )

    def fits(self) -> bool:
        """Whether random generators have the seeds, and tensors the numbers, that tracing read."""
        seeds = all(generator._seed == seed for generator, seed in self._seeds.items())
        return seeds and self.has_read_these()

    def rebound(self, target: Blob, value: Blob) -> Blob:
        """`target op= other`, where `value` is the result of the op."""
        what = "an assignment"
        self._change(target, fitted(target, value, what), what)
        return target

    def _change(self, target: Blob, made: Blob, what: str) -> None:
        """Let a blob have these elements, and so all blobs and tensors that share them."""
        owner, path, _ = origin(target.value)
        b = TraceBuilder(self._trace)
        changed = put(b, path, made.value)
        if changed is None:
            raise untraceable(
                RuntimeError,
                f"{what} changes blob {target.name} {self._place_of_body}, which holds elements "
                "several times, or is detached; change a clone of it",
            )
        known = {owner: changed}
        start, fixed = source(owner), self._fixed()
        for blob in self._trace.blobs():
            if id(blob) in fixed or source(blob.value) is not start:
                continue
            other, steps, _ = origin(blob.value)
            if other is owner:
                blob.value = again(b, steps, known) if steps else changed
        self._update(changed, what)

    @property
    def _place_of_body(self) -> str:
        return f"in function {self._trace.job!r} of flow.jit"

    def _fixed(self) -> set[int]:
        """The ids of blobs that keep the values from the start of the body."""
        return set()

    def _update(self, changed: Value, what: str) -> None:
        """Note a new value that may be that of a captured tensor."""

    def put(self, target: Any, place: Any, value: Any) -> None:
        """`target[place] = value` for a tensor."""
        self.assigned(target, value, "an assignment to x[...]")

    def next_draw(self, generator: Any) -> Blob:
        """The step of the next draw of a generator."""
        found = self._draws.get(generator)
        if found is None:
            step = wrap(np.array(generator._step, np.int64))
            found = step, self.blob(step), 0
            self._seeds[generator] = generator._seed
        step, base, draws = found
        self._draws[generator] = step, base, draws + 1
        return apply("flow.add", base, constant_blob(draws, (), int64, "a draw"))[0]

    def current(self) -> list[Tensor]:
        """The captured tensors for a call; the steps of random generators move by their draws."""
        steps = {
            id(step): wrap(np.array(generator.advance(draws), np.int64))
            for generator, (step, _, draws) in self._draws.items()
        }
        return [steps.get(id(one), one) for one in self.own]

    def needs_gradient(self, value: Value) -> bool:
        """Whether it depends on a tensor that requires gradients."""
        from penstock.passes.flow.autodiff import dependent

        self.asked = True
        roots = [
            argument
            for argument, tensor in zip(
                self._trace.function.arguments, [*self.given, *self.own], strict=True
            )
            if tensor.requires_grad
        ]
        return value in dependent(roots)

    def backward(self, loss: Blob, gradient: Any) -> None:
        """Note that a blob is a loss."""
        raise located(
            RuntimeError,
            f"backward of blob {loss.name} is called while flow.jit traces a function; return the "
            "loss, and call backward on the result",
        )

    def noted(self, op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        """Note an op that ran on tensors only, so that the compiled function runs it again."""
        left = iter([self.blob(operand) for operand in operands])
        grouped = [
            [next(left) for _ in given] if isinstance(given, list) else next(left)
            for given in op.operands
        ]
        made = apply(op.name, *grouped, **op.attributes)
        for result, blob in zip(results, made, strict=True):
            # Also known by its memory: a view of its bits as bools is the same result.
            self._place(result, blob)

    def floats(self, op: str, operand: Any, what: str) -> Any:
        """The operand of an op of floats, converted if it has integers, as for tensors."""
        if not cast(type[TensorOp], registry[op]).makes_floats or operand.dtype.is_float:
            return operand
        return _typed(operand, default_float(), what)

    def promoted(self, op: str, x: Any, y: Any, what: str) -> tuple[Blob, Blob]:
        """Both operands as blobs of their common type, by the promotion of tensors."""
        kind = cast(type[TensorOp], registry[op])
        x, y = (self.blob(one) if isinstance(one, Tensor) else one for one in (x, y))
        for one in (x, y):
            if not isinstance(one, Blob) and not is_plain(one):
                raise located(TypeError, f"{what} takes tensors and numbers, got {kind_of(one)}")
        dtype = common_type(_stand(x), _stand(y))
        if kind.makes_floats and not dtype.is_float:
            dtype = default_float()
        if dtype.is_bool and dtype.word not in {str(e) for e in kind.elements}:
            from penstock.basics.dtypes import uint8 as dtype
        left, right = (_typed(one, dtype, what) for one in (x, y))
        return left, right


def fitted(target: Any, value: Any, what: str) -> Blob:
    """A value to overwrite a tensor or blob with, in its type and shape; a located RuntimeError if
    it does not fit."""
    given: Any = check_blob(value, what)
    if given.dtype.is_float and not target.dtype.is_float:
        raise located(
            RuntimeError, f"{what} cannot put {given.dtype} into a tensor of {target.dtype}"
        )
    from penstock.tensor_functions.calls import as_type

    made: Any = as_type(given, target.dtype)
    shape = tuple(target.shape)
    if tuple(made.shape) == shape:
        return cast(Blob, made)
    try:
        np.broadcast_shapes(made.shape, shape)
        return apply("flow.broadcast_to", made, shape=list(shape), what=what)[0]
    except ValueError:
        raise located(
            RuntimeError,
            f"{what} needs a value that broadcasts to shape {shape}, got {tuple(made.shape)}",
        ) from None


def _place(tensor: Tensor) -> tuple[Any, ...]:
    return tensor.array.__array_interface__["data"][0], tensor.array.shape, tensor.array.strides


def _stand(value: Any) -> Any:
    """A stand-in for type promotion: a tensor of the same type and shape, or the number itself."""
    if not isinstance(value, Blob):
        return value
    dtype = np.dtype(np.bool_) if is_truth(value.value) else value.dtype.numpy
    return wrap(np.broadcast_to(np.zeros((), dtype), value.shape))


def _typed(value: Any, dtype: Any, what: str) -> Blob:
    if not isinstance(value, Blob):
        return constant_blob(value, (), dtype, what)
    from penstock.tensor_functions.calls import as_type

    return cast(Blob, as_type(cast(Any, value), dtype))
