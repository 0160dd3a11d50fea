"""Compiled functions of tensors, which are one op for autograd; their gradients are such functions
too, so gradients of any order are compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from penstock.autograd.function import Function
from penstock.basics.errors import located
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.types import is_float
from penstock.jobs.called_out import CalledOut, Kept, replace_called
from penstock.lowering.modules import Modules
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.stages.observed import Step
from penstock.tensors.execute import truth
from penstock.tensors.graph import stand_in
from penstock.tensors.inplace import overwrite
from penstock.tensors.kernels import Kernel
from penstock.tensors.modes import mode
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.tracing import relocating

Array = np.ndarray[Any, Any]


class Code:
    """A job of tensor ops, compiled at its first call.

    `are_truths` says which results are bools that ops left as 0 or 1. The results behind these are
    the new elements of the arguments of these numbers, `changed`, which a call overwrites. The last
    are those that `callouts` keeps for the backward.
    """

    def __init__(
        self, name: str, function: Func, callouts: CalledOut, are_truths: Sequence[bool],
        changed: Sequence[int] = (), is_backward: bool = False,
    ) -> None:  # fmt: skip
        self._name = name
        self._callouts = callouts
        self._are_truths = list(are_truths)
        self._changed = list(changed)
        self._is_backward = is_backward
        # Kept for the gradients; compilation consumes the original.
        self._module = cast(Module, cast(Module, function.parent).clone())
        self._kernel = Kernel(function, callouts=callouts.functions)
        self._backwards: dict[tuple[bool, ...], tuple[Code, list[int]]] = {}

    @property
    def callouts(self) -> Mapping[str, Any]:
        """The functions of its call-outs, by name."""
        return self._callouts.functions

    def __call__(self, every: Sequence[Tensor]) -> Sequence[Tensor]:
        """The results, without those that overwrite arguments."""
        if mode.records and self._are_truths and any(one.requires_grad for one in every):
            made = _Recorded.apply(self, *every)
            return [made] if isinstance(made, Tensor) else made
        return self.forward(every)[0]

    def forward(self, every: Sequence[Tensor]) -> tuple[list[Tensor], Kept | None]:
        """The results, unrecorded, and what `backward` needs of the call-outs."""
        if not (self._are_truths or self._changed or self._callouts.functions):
            return [], None
        arrays = self._run([one.array for one in every])
        count, behind = len(self._are_truths), len(self._are_truths) + len(self._changed)
        for place, array in zip(self._changed, arrays[count:behind], strict=True):
            overwrite(every[place], array)
        results = [
            truth(wrap(array)) if is_truth else wrap(array)
            for array, is_truth in zip(arrays[:count], self._are_truths, strict=True)
        ]
        return results, None if self._is_backward else self._callouts.kept(arrays[behind:])

    def _run(self, arrays: Sequence[Array]) -> Sequence[Array]:
        if mode.observer is None:
            return self._kernel(*arrays)
        given = [np.require(array, requirements="C").reshape(array.shape) for array in arrays]
        store = VariableStore()
        step = Step(
            f"function {self._name!r}", self._kernel, Modules("job", self._module), {}, store,
            lambda code, handlers: code.run(given, store, handlers), self._callouts.functions,
        )  # fmt: skip
        return mode.observer.step(step)

    def before(self, every: Sequence[Tensor]) -> list[Tensor]:
        """The arguments, with copies of those that a call overwrites."""
        found = list(every)
        for place in self._changed:
            found[place] = stand_in(every[place], every[place].array.copy())
        return found

    def backward(
        self, every: Sequence[Tensor], wanted: tuple[bool, ...], seeds: Sequence[Tensor],
        kept: Kept | None,
    ) -> list[Tensor | None]:  # fmt: skip
        """The gradients of the wanted arguments from those of the results."""
        if mode.records and self._callouts.functions:
            raise located(
                NotImplementedError,
                f"create_graph goes through function {self._name!r} of flow.jit, which calls "
                "functions of Python in the middle; leave flow.jit out for gradients of gradients",
            )
        if wanted not in self._backwards:
            with making:
                self._backwards[wanted] = self._differentiated(wanted)
        code, found = self._backwards[wanted]
        arrays = [] if kept is None else self._callouts.restored(kept)
        floats = [seed for seed in seeds if seed.dtype.is_float]
        made = code([*every, *map(wrap, arrays), *floats]) if found else ()
        gradients = dict(zip(found, made, strict=True))
        return [gradients.get(i) for i in range(len(every))]

    def _differentiated(self, wanted: tuple[bool, ...]) -> tuple[Code, list[int]]:
        module, places = self.with_backward(wanted)
        plain = [False] * len(places)
        return Code(self._name, module.job, self._callouts, plain, is_backward=True), places

    def with_backward(
        self, wanted: tuple[bool, ...], *, keep_results: bool = False
    ) -> tuple[Module, list[int]]:
        """A job that returns the gradients of wanted arguments, and their numbers.

        It takes the arguments, and the gradient of each result that is a float. With `keep_results`
        it returns the results first, and gradients of named values are named `NAME/grad`.
        """
        from penstock.passes.flow.autodiff import backward

        module = cast(Module, self._module.clone())
        function: Func = module.job
        results = list(function.returned.operands)[: len(self._are_truths)]
        inputs = len(function.arguments)
        if not keep_results:
            replace_called(function)
        arguments = list(function.arguments)
        marks: list[Any] = [function.argument_attributes(i) for i in range(inputs)]
        marks += [{"job.feed": f"kept{i}"} for i in range(len(arguments) - inputs)]
        seeds: dict[Value, Value] = {}
        b = Builder.ahead_of(function.returned)
        for result in results:
            if is_float(tensor(result).element):
                label = f"seed{len(marks)}"  # Unlike those of a backward that this one is of.
                argument = function.body.add_argument(tensor(result), label)
                known = seeds.get(result)
                seeds[result] = argument if known is None else make.add(b, known, argument)
                marks.append({"job.feed": label})
        roots = [value for value, want in zip(arguments[:inputs], wanted, strict=True) if want]
        with relocating():
            found = backward(b, seeds, roots) if seeds else {}
        places = [i for i, want in enumerate(wanted) if want and arguments[i] in found]
        if keep_results:
            for value, gradient in found.items():
                if value.name and not gradient.name:
                    gradient.name = f"{value.name}/grad"
        function.returned.erase()
        fetches = [*results] if keep_results else []
        fetches += [found[arguments[i]] for i in places]
        Builder.at_end(function.body).create(Return, fetches)
        function.update_type()
        function.set_all_argument_attributes(marks)
        function.set_all_result_attributes([{"job.fetch": str(i)} for i in range(len(fetches))])
        return module, places


class _Recorded(Function):
    """A compiled function, recorded for gradients as one op."""

    @staticmethod
    def forward(ctx: Any, code: Code, *every: Tensor) -> Any:
        ctx.save_for_backward(*code.before(every))
        ctx.code = code
        results, ctx.kept = code.forward(every)
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def backward(ctx: Any, *seeds: Any) -> Any:
        wanted = ctx.needs_input_grad[1:]
        return (None, *ctx.code.backward(ctx.saved_tensors, wanted, seeds, ctx.kept))
