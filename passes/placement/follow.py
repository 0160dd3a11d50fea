"""The plan of one rank, taken over by another whose values have other shapes.

In the mirrored view, ranks have modules of their own: what each computes alone may differ, and what
they share may not. All that is exchanged belongs to the shared part: the conversions, the ops that
read sums over ranks, and the states of variables. A rank takes this part from the plan, in the
plan's order, and puts its own ops around it. So the ranks' exchanges match whatever the solver did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from penstock.ir.attributes import Attribute, attribute
from penstock.ir.core import BlockArgument, Operation, OpResult, Value
from penstock.ir.diagnostics import Diagnostic, Impossible
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import (
    BUCKET,
    DEFERRED,
    GROUP,
    HINT,
    PLACEMENT,
    SIGNATURE,
    STATE,
    Box,
)
from penstock.ir.dialects.job.views import FromLocal, ToLocal
from penstock.passes.placement.local.states import argument_state, mesh_of, signature_of, whole

_OF_PLANS = {BUCKET, DEFERRED, GROUP, HINT, PLACEMENT, SIGNATURE}
"""Attributes of ops that a plan decides."""


def shared_ops(job: Func) -> list[Operation]:
    """The ops that read what ranks have added up, and those that add it up."""
    shared: set[Value] = set()
    found = []
    for op in job.body:
        is_read = not isinstance(op, ToLocal) and not shared.isdisjoint(op.operands)
        if not op.terminator and (isinstance(op, FromLocal) or is_read):
            shared.update(op.results)
            found.append(op)
    return found


def follow(plan: Module, own: Module) -> None:
    """Place a rank's module as another rank's is placed; `plan` is at stage `placed`, and `own` has
    had pass `keep-local`.

    Raises Impossible if the two do not share the same ops.
    """
    _Follower(plan, own).run()


class _Follower:
    def __init__(self, plan: Module, own: Module) -> None:
        self.plan, self.own = plan, own
        self.whole = whole(mesh_of(plan))
        boxes = [op for op in plan.job.body if isinstance(op, Box)]
        self.planned = dict.fromkeys([*boxes, *shared_ops(plan.job)])
        """The shared ops of the plan, and its conversions."""
        self.shared = dict.fromkeys(shared_ops(own.job))
        self.own_ops = [
            op for op in own.job.body if op not in self.shared and op is not own.job.returned
        ]
        self.pairs: dict[Operation, Operation] = {}
        """The rank's own op of each shared one of the plan."""
        self.matched: dict[Value, Value] = {}
        """Values of the rank that stand for values of the plan, but results of shared ops."""
        self.plan_of: dict[Value, Value] = {}
        """The value of the plan that stands for an argument, or result of a shared op."""
        self.made: dict[Value, Value] = {}
        """What has been inserted for the results of shared ops and conversions of the plan."""
        self.in_whole = {_unboxed(box.x): box.y for box in boxes if box.target == self.whole}
        self.left = list(self.own_ops)
        """The rank's own ops that have no place yet."""
        self.placed: set[Operation] = set()

    def run(self) -> None:
        self._match()
        returned = self.own.job.returned
        for op in self.plan.job.body:
            if op in self.pairs or isinstance(op, Box):
                for value in op.operands:
                    self._place_own(value)
                copy = op.clone({value: self._value(value, op) for value in op.operands})
                self.own.job.body.insert_before(returned, copy)
                self.made.update(zip(op.results, copy.results, strict=True))
        self._place(len(self.left))
        if self.left:
            self._fail(self.left[0])
        for place, value in enumerate(self.plan.job.returned.operands):
            returned.set_operand(place, self._value(value, returned))
        for op in reversed(self.shared):
            op.erase()
        self._write_states()

    # -- which op is which ----------------------------------------------------------------------

    def _match(self) -> None:
        self._match_arguments()
        plan, own = self.plan.job.returned, self.own.job.returned
        if len(plan.operands) != len(own.operands):
            self._fail(own)
        todo = [*zip(plan.operands, own.operands, strict=True), *self._effects()]
        while todo:
            theirs, ours = todo.pop()
            theirs = _unboxed(theirs)
            op = ours.defining_op
            if theirs.defining_op not in self.planned:
                if self.matched.setdefault(theirs, ours) is not ours or op in self.shared:
                    self._fail(op or self.own.job)
                continue
            maker = theirs.defining_op
            assert maker is not None
            if op is None or not _are_same(maker, op) or _place(theirs) != _place(ours):
                self._fail(op or self.own.job)
            if self.pairs.setdefault(maker, op) is not op:
                self._fail(op)
            if ours not in self.plan_of:
                self.plan_of[ours] = theirs
                todo += zip(maker.operands, op.operands, strict=True)

    def _match_arguments(self) -> None:
        plan, own = self.plan.job, self.own.job
        roles = [
            [_role(job.argument_attributes(place)) for place in range(len(job.arguments))]
            for job in (plan, own)
        ]
        if roles[0] != roles[1]:
            self._fail(own)
        self.matched.update(zip(plan.arguments, own.arguments, strict=True))
        self.plan_of.update(zip(own.arguments, plan.arguments, strict=True))

    def _effects(self) -> list[tuple[Value, Value]]:
        """The operands of shared ops that have no results, such as watch points."""
        known = [op for op in self.planned if not op.results]
        found: list[tuple[Value, Value]] = []
        for op in [op for op in self.shared if not op.results]:
            other = next((one for one in known if _are_same(one, op)), None)
            # A watch point of partial sums has no place in the plan.
            if other is None and not op.takes_parts:
                self._fail(op)
            if other is not None:
                known.remove(other)
                self.pairs[other] = op
                found += zip(other.operands, op.operands, strict=True)
        if known:
            self._fail(known[0])
        return found

    # -- their order ----------------------------------------------------------------------------

    def _value(self, value: Value, reader: Operation) -> Value:
        """What stands for a value of the plan; it has a place already."""
        if value in self.made:
            return self.made[value]
        ours = self.matched.get(value)
        maker = None if ours is None else ours.defining_op
        if ours is None or (maker is not None and maker not in self.placed):
            self._fail(maker or reader)
        return ours

    def _place_own(self, value: Value) -> None:
        """Give a place to the rank's own ops up to the one that makes a value of the plan."""
        ours = self.matched.get(value)
        maker = None if ours is None else ours.defining_op
        if maker is not None and maker not in self.placed:
            self._place(self.left.index(maker) + 1)

    def _place(self, count: int) -> None:
        """Give a place to those of the next own ops whose operands have one."""
        waiting = []
        for op in self.left[:count]:
            operands = [self._read(value) for value in op.operands]
            if any(value is None for value in operands):
                waiting.append(op)
                continue
            for place, value in enumerate(operands):
                assert value is not None
                op.set_operand(place, value)
            op.move_before(self.own.job.returned)
            self.placed.add(op)
            if isinstance(op, TensorOp):
                op.attributes.pop(HINT, None)
                signature = {
                    "operands": [self.whole] * len(op.operands),
                    "results": [self.whole] * len(op.results),
                }
                op.attributes[SIGNATURE] = attribute(signature)
        self.left[:count] = waiting

    def _read(self, value: Value) -> Value | None:
        """What an own op reads, which is whole; None if that has no place yet."""
        maker = value.defining_op
        if maker is not None and maker not in self.shared:
            return value if maker in self.placed else None
        theirs = self.plan_of.get(value)
        if theirs is None:
            return None
        if self._state(theirs) == self.whole:
            return value if maker is None else self.made.get(theirs)
        boxed = self.in_whole.get(theirs)
        return None if boxed is None else self.made.get(boxed)

    def _state(self, value: Value) -> str:
        """The state in which the plan makes a value."""
        mesh = mesh_of(self.plan)
        if isinstance(value, OpResult):
            return signature_of(value.op, mesh).results[value.index]
        place = self.plan.job.arguments.index(value)
        return argument_state(self.plan.job, place, mesh)

    def _write_states(self) -> None:
        every = []
        for place in range(len(self.own.job.arguments)):
            facts: dict[str, Any] = dict(self.own.job.argument_attributes(place))
            facts.pop(HINT, None)
            state = self.plan.job.argument_attributes(place).get(STATE)
            every.append(facts if state is None else {**facts, STATE: state})
        self.own.job.set_all_argument_attributes(every)
        for name, value in self.plan.attributes.items():
            self.own.attributes.setdefault(name, value)

    def _fail(self, op: Operation) -> NoReturn:
        shown = "the job" if isinstance(op, Func) else op.name
        what = (
            f"job {self.own.job.sym_name!r} exchanges other values on this rank than on rank 0, "
            f"first at {shown}: let the body do the same for arrays of all shapes"
        )
        raise Impossible(Diagnostic(what, op.location))


def _unboxed(value: Value) -> Value:
    """The value that conversions begin with."""
    while isinstance(value.defining_op, Box):
        value = value.defining_op.x
    return value


def _are_same(one: Operation, other: Operation) -> bool:
    """Whether two ops differ at most in what a plan decides."""
    return (
        one.name == other.name
        and _facts(one.attributes) == _facts(other.attributes)
        and len(one.operands) == len(other.operands)
        and [value.type for value in one.results] == [value.type for value in other.results]
    )


def _facts(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if name not in _OF_PLANS}


def _role(attributes: Mapping[str, Any]) -> Iterable[Any]:
    """What an argument is: a feed or a variable, and its name."""
    return [attributes.get("job.feed"), attributes.get("job.variable")]


def _place(value: Value) -> int:
    assert isinstance(value, OpResult | BlockArgument)
    return value.index
