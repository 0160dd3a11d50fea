"""Pass `first-fit`: signatures by a plain rule, for ranks on one axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from penstock.ir.attributes import StringAttr, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import HINT, STATE
from penstock.ir.dialects.job.sharding import BROADCAST, axis_states, split, split_dim
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.passes.base import Order, Pass
from penstock.passes.placement.states import mesh_of, ranks_of, sign, whole


class FirstFit(Pass):
    """Give each op, in order, the signature that converts the fewest operands; splits come first.

        %y = "flow.matmul"(%x, %w) : ...             where %x is S(0), %w is B
    ->
        %y = "flow.matmul"(%x, %w) {sbp.signature = {operands = ["S(0)", "B"], results = ["S(0)"]}}

    A feed is split along its first dimension where that has an element for each rank. A variable,
    and what an op makes, is in the state that `sbp.hint` says; a variable without one is whole.
    Only the first axis of the mesh is used. Modules of one rank stay as they are.
    """

    name = "first-fit"
    before: ClassVar[Order] = {
        "box": "conversions follow from signatures",
        "localize": "parts follow from signatures",
        "lower": None,
    }
    after: ClassVar[Order] = {"place": "it says how many ranks there are", "autodiff": None}

    def run(self, module: Module) -> None:
        if ranks_of(module) > 1:
            _Chooser(module).run()


class _Chooser:
    def __init__(self, module: Module) -> None:
        self.job = module.job
        self.mesh = mesh_of(module)
        self.states: dict[Value, str] = {}

    def run(self) -> None:
        every = []
        for i, argument in enumerate(self.job.arguments):
            attributes = dict(self.job.argument_attributes(i))
            hint = attributes.pop(HINT, None)
            given = hint.value if isinstance(hint, StringAttr) else ""
            state = given or self._default(argument, "job.feed" in attributes)
            self.states[argument] = state
            every.append({**attributes, STATE: StringAttr(state)})
        self.job.set_all_argument_attributes(every)
        for op in self.job.body:
            if not op.terminator and (op.operands or op.results):
                self._choose(op)

    def _default(self, argument: Value, is_feed: bool) -> str:
        shape = tensor(argument).shape
        is_split = is_feed and shape and shape[0] >= self.mesh[0]
        return self._first(split(0) if is_split else BROADCAST)

    def _first(self, state: str) -> str:
        """A state on the first axis; whole on the others."""
        return ", ".join([state, *[BROADCAST] * (len(self.mesh) - 1)])

    def _choose(self, op: Operation) -> None:
        operands, results = (
            [whole(self.mesh)] * len(op.operands),
            [whole(self.mesh)] * len(op.results),
        )
        if isinstance(op, TensorOp):
            found = min(self._candidates(op), key=lambda one: self._conversions(op, one))
            operands = list(map(self._first, found.operands))
            results = list(map(self._first, found.results))
        sign(op, operands, results)
        self.states.update(zip(op.results, results, strict=True))

    def _candidates(self, op: TensorOp) -> Iterator[SbpSignature]:
        hint = op.attributes.pop(HINT, None)
        wanted = [axis_states(state)[0] for state in python_value(hint)] if hint is not None else []
        hinted = [one for one in self._fitting(op) if not wanted or list(one.results) == wanted]
        if not hinted:
            op.fail(f"cannot make results in the states {', '.join(wanted)}: no signature does")
        yield from hinted

    def _fitting(self, op: TensorOp) -> Iterator[SbpSignature]:
        """The signatures that give each rank a part."""
        count = self.mesh[0]
        for one in signatures(op):
            pairs = [*zip(op.operands, one.operands, strict=True)]
            pairs += zip(op.results, one.results, strict=True)
            dims = [(tensor(value).shape, split_dim(state)) for value, state in pairs]
            if one.blocks % count == 0 and all(d is None or s[d] >= count for s, d in dims):
                yield one

    def _conversions(self, op: TensorOp, signature: SbpSignature) -> tuple[int, int]:
        states: Sequence[str] = [axis_states(self.states[value])[0] for value in op.operands]
        changed = sum(own != wanted for own, wanted in zip(states, signature.operands, strict=True))
        whole = sum(state == BROADCAST for state in signature.results)
        return changed, whole
