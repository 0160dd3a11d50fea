"""What the choice of a placement knows of an op: its signatures and their cost.

Ops of one name with equal attributes and types have all this in common, so that a network of
thousands of ops takes the analysis of some dozens.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from penstock.ir.attributes import Attribute, numpy_dtype
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sharding import (
    BROADCAST,
    has_two_reductions,
    joined,
    local_shape,
    split,
    split_dim,
)
from penstock.ir.meaning.boxing import Step
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.ir.types import ShapedType, Type
from penstock.passes.sharding.machine import Machine

Form = tuple[tuple[int, ...], int]
"""The shape of a tensor and the bytes of an element."""
Allowed = tuple[tuple[int, ...], ...]
"""For each axis of the mesh, the numbers of the signatures that may be chosen on it."""


class Option(NamedTuple):
    """One signature on each axis of the mesh."""

    operands: tuple[str, ...]
    results: tuple[str, ...]
    seconds: float
    """The time of the op itself, with what ranks reduce inside it."""
    numbers: tuple[int, ...]
    """The signature on each axis, by its number."""


class Kind:
    """Ops that are the same for the choice: their operands, results, signatures and cost."""

    def __init__(
        self,
        operands: Sequence[Form],
        results: Sequence[Form],
        signatures: Sequence[SbpSignature],
        cost: Cost | None = None,
    ) -> None:
        self.operands = tuple(operands)
        self.results = tuple(results)
        self.signatures = list(signatures)
        self.cost = cost
        """The work of the op; None where it takes no time, as for arguments."""
        self._options: dict[tuple[Machine, Allowed], list[Option]] = {}

    def options(self, machine: Machine, allowed: Allowed | None = None) -> list[Option]:
        """The signatures on all axes that the extents and each other allow, each state once."""
        if allowed is None:
            allowed = (tuple(range(len(self.signatures))),) * len(machine.mesh)
        known = self._options.get((machine, allowed))
        if known is None:
            found: dict[tuple[tuple[str, ...], tuple[str, ...]], Option] = {}
            for numbers in product(*allowed):
                option = self._option(machine, numbers)
                if option is not None:
                    found.setdefault((option.operands, option.results), option)
            known = self._options[machine, allowed] = list(found.values())
        return known

    def _option(self, machine: Machine, numbers: tuple[int, ...]) -> Option | None:
        chosen = [self.signatures[number] for number in numbers]
        for signature in set(chosen):
            ranks = _ranks(machine, [each is signature for each in chosen])
            if signature.blocks and signature.blocks % ranks:
                return None
        operands = [[s.operands[i] for s in chosen] for i in range(len(self.operands))]
        results = [[s.results[i] for s in chosen] for i in range(len(self.results))]
        for (shape, _), states in zip(
            (*self.operands, *self.results), (*operands, *results), strict=True
        ):
            if has_two_reductions(states):
                return None
            for state in set(states):
                dim = split_dim(state)
                if dim is not None and shape[dim] < _ranks(machine, [s == state for s in states]):
                    return None
        before, after = tuple(map(joined, operands)), tuple(map(joined, results))
        return Option(before, after, self._seconds(machine, chosen, before, after), numbers)

    def _seconds(
        self,
        machine: Machine,
        chosen: Sequence[SbpSignature],
        operands: Sequence[str],
        results: Sequence[str],
    ) -> float:
        """The time that a rank takes: of its part of the arithmetic, or of the bytes it moves."""
        cost = self.cost
        if cost is None or not (cost.flops or cost.bytes):
            return 0.0
        shares = _ranks(
            machine, [any(state[0] == "S" for state in (*s.operands, *s.results)) for s in chosen]
        )
        whole = part = 0
        pairs = zip((*self.operands, *self.results), (*operands, *results), strict=True)
        for (shape, itemsize), state in pairs:
            whole += math.prod(shape) * itemsize
            part += math.prod(local_shape(shape, state, machine.mesh)) * itemsize
        moved = cost.bytes * part / max(1, whole)
        arithmetic = (cost.flops + cost.transcendentals) / shares
        own = max(arithmetic / machine.flops, moved / machine.bandwidth) + machine.overhead
        return own + sum(_exchanged(machine, axis, s) for axis, s in enumerate(chosen))


def _exchanged(machine: Machine, axis: int, signature: SbpSignature) -> float:
    """The time of what ranks reduce inside an op, as if other axes did not split it."""
    target = [BROADCAST] * len(machine.mesh)
    seconds = 0.0
    for type, state in signature.exchanges:
        source = [*target[:axis], state, *target[axis + 1 :]]
        step = Step("all_reduce", axis, joined(source), joined(target))
        taken = step.picoseconds(*form_of(type), machine.mesh, machine.links[axis])
        seconds += taken * 1e-12
    return seconds


def _ranks(machine: Machine, axes: Sequence[bool]) -> int:
    """The number of ranks along these axes of the mesh."""
    return math.prod(n for n, chosen in zip(machine.mesh, axes, strict=True) if chosen)


def form_of(type: Type) -> Form:
    """The shape and the size of an element of a tensor type."""
    assert isinstance(type, ShapedType)
    return tuple(type.shape), numpy_dtype(type.element).itemsize


class Kinds:
    """The kinds of the ops of a module, each analysed once."""

    def __init__(self) -> None:
        self._known: dict[object, Kind] = {}

    def of_op(self, op: Operation) -> Kind:
        """The kind of an op. What is no tensor op, as a watch point, needs whole values."""
        declared = {member.name for member in op.definition.attributes.values()}
        attributes: Mapping[str, Attribute] = op.attributes
        key = (
            op.name,
            tuple(sorted((k, v) for k, v in attributes.items() if k in declared)),
            tuple(value.type for value in op.operands),
            tuple(value.type for value in op.results),
        )
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _analysed(op)
        return known

    def source(self, form: Form, updated: bool = False) -> Kind:
        """The kind of an argument, which may have any state; one that is `updated` gets its new
        value in this state."""
        key = "source", form, updated
        known = self._known.get(key)
        if known is None:
            states = [BROADCAST, *map(split, range(len(form[0])))]
            found = [SbpSignature((state,) if updated else (), (state,)) for state in states]
            known = self._known[key] = Kind([form] if updated else [], [form], found)
        return known

    def fetch(self, form: Form, states: tuple[str, ...] = (BROADCAST,)) -> Kind:
        """The kind of a result that ranks get in one of these states."""
        key = "fetch", form, states
        known = self._known.get(key)
        if known is None:
            known = Kind([form], [], [SbpSignature((state,), ()) for state in states])
            self._known[key] = known
        return known


def _analysed(op: Operation) -> Kind:
    operands = [form_of(value.type) for value in op.operands]
    results = [form_of(value.type) for value in op.results]
    if isinstance(op, TensorOp):
        return Kind(operands, results, signatures(op), cost_of(op))
    whole = SbpSignature((BROADCAST,) * len(operands), (BROADCAST,) * len(results))
    return Kind(operands, results, [whole])
