"""Aliasing, uses and live ranges of the values of a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.ir.core import Operation, OpResult, Value
from penstock.ir.dialects import arith, func, job, scf, tensor
from penstock.ir.types import TensorType

VIEWS = (tensor.CollapseShape, tensor.ExpandShape)
"""Ops whose result aliases their first operand, with another shape."""


def is_tap(op: Operation) -> bool:
    """Whether an op is a tap: it has one operand, an effect and no result."""
    if isinstance(op, job.OutsideCall):
        return False
    plain = not op.results and not op.regions and not op.terminator
    return plain and not op.pure and len(op.operands) == 1


def root(value: Value) -> Value:
    """The value whose buffer a value uses: the source of its views, or itself."""
    op = value.defining_op
    while isinstance(op, VIEWS):
        value = op.source
        op = value.defining_op
    return value


class JobValues:
    """The ops of a job in order, and the readers of each buffer.

    The ops of a branch follow it, and count as if they always ran. Position -1 is the start of the
    step. `end` is its end, where results are copied out. A call-out counts as a reader of all
    variables: if its function fails, the step ends, and has changed none.
    """

    def __init__(self, job: func.Func) -> None:
        self.job = job
        self.variables: dict[Value, None] = {
            argument: None
            for i, argument in enumerate(job.arguments)
            if "job.variable" in job.argument_attributes(i)
        }
        self.refresh()

    def refresh(self) -> None:
        """Recompute all positions and readers after ops have moved."""
        self.ops = [op for op in _inside(self.job) if not op.terminator]
        self.end = len(self.ops)
        self.position = {op: i for i, op in enumerate(self.ops)}
        self.returned = [root(value) for value in self.job.returned.operands]
        self._returned = frozenset(self.returned)
        self.readers: dict[Value, list[int]] = {}
        for i, op in enumerate(self.ops):
            _check(op)
            if not isinstance(op, VIEWS):
                read = dict.fromkeys(map(root, op.operands))
                if isinstance(op, job.OutsideCall) and op.keeps_variables:
                    read |= self.variables
                for value in read:
                    self.readers.setdefault(value, []).append(i)

    def last_use(self, value: Value) -> int:
        """The last position at which this root value is live."""
        if value in self._returned:
            return self.end
        definition = self.position[value.op] if isinstance(value, OpResult) else -1
        return max(self.readers.get(value, ()), default=definition)

    def updates(self) -> dict[Value, int]:
        """For each variable that the job updates, the number of the result with its new value."""
        variables = {}
        for i, argument in enumerate(self.job.arguments):
            name = self.job.argument_attributes(i).get("job.variable")
            if name is not None:
                variables[name] = argument
        found = {}
        for i in range(len(self.returned)):
            name = self.job.result_attributes(i).get("job.update")
            if name is None:
                continue
            if name not in variables:
                self.job.fail(f"result {i} updates {name}, and no argument is that variable")
            if variables[name] in found:
                self.job.fail(f"result {i} updates {name}, which another result updates too")
            if self.job.returned.operands[i].type is not variables[name].type:
                self.job.fail(f"result {i} updates {name} and is of another type")
            found[variables[name]] = i
        return found


def _inside(function: func.Func) -> Iterator[Operation]:
    """The ops of a function, with the ops of a branch after the branch."""
    for op in function.body:
        yield op
        if isinstance(op, scf.If):
            yield from op.then_block


def _check(op: Operation) -> None:
    if isinstance(op, scf.If):
        guarded = isinstance(op.condition.defining_op, job.Listening)
        if not guarded or op.results or op.else_block is not None:
            op.fail(
                "is not a branch that a job may have: expected scf.if on job.listening, without "
                "results"
            )
    buffered = (func.Call, job.OutsideCall, scf.If, job.Listening, *VIEWS)
    known = isinstance(op, buffered) or is_tap(op)
    if isinstance(op, arith.Constant):
        known = isinstance(op.result.type, TensorType)
    if not known:
        op.fail(
            "has no buffer in a job: expected calls of groups, views, constant tensors, call-outs "
            "and watches, as the pass outline-groups leaves them"
        )


def sink_updates(values: JobValues) -> None:
    """Move calls that update variables behind the readers of the old values.

    %w1 = func.call @update(%w, %g)          %d = func.call @gradient(%w, %y)
    %d = func.call @gradient(%w, %y)     ->  %w1 = func.call @update(%w, %g)
    return %d, %w1                           return %d, %w1

    Then the update can run in place. A call whose results are used earlier is not moved.
    """
    order = _Order(values)
    for variable, which in values.updates().items():
        call = values.returned[which].defining_op
        readers = [values.ops[i] for i in values.readers.get(variable, ())]
        if call is None or not readers:
            continue
        last = order.outermost(max(readers, key=order))
        if order(call) < order(last) < order.first_use(call.results):
            order.move_behind(call, last)
    values.refresh()


class _Order:
    """Positions of the ops of a job, kept up to date while ops move."""

    def __init__(self, values: JobValues) -> None:
        self.block = values.job.body
        self.places: dict[Operation, float] = {}
        self._count()

    def __call__(self, op: Operation) -> float:
        return self.places[self.outermost(op)]

    def outermost(self, op: Operation) -> Operation:
        """The op itself, or the branch that holds it."""
        return op if op.block is self.block or op.parent is None else op.parent

    def first_use(self, results: Sequence[Value]) -> float:
        """The position of the first op that uses one of these values.

        It is the position of the return, after all ops, if there is no use.
        """
        places = (self(user) for result in results for user in result.users())
        return min(places, default=self.places[self.block.terminator])

    def move_behind(self, op: Operation, other: Operation) -> None:
        """Move an op right after another, which must not be the last of the block."""
        following = other.next
        assert following is not None
        op.move_before(following)
        place = (self.places[other] + self.places[following]) / 2
        self.places[op] = place
        if not self.places[other] < place < self.places[following]:
            self._count()

    def _count(self) -> None:
        self.places = {op: float(i) for i, op in enumerate(self.block)}
