"""Groups generics that share loops: a root, and the ops that join it.

A group has *common* dimensions. All its generics iterate over them in parallel, and each reads the
others' results at the iteration that produced them. A root starts with all its parallel dimensions
in common. An op that reduces over one of them, or reads at another index, may still join if leading
dimensions remain: it then runs when a row is complete.

A reduction over the common dimensions themselves, such as a gradient that sums over all rows, may
be *folded* into the loops: each row adds to it, and it is complete when all rows are done. Nothing
in the group reads it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, job, linalg, tensor
from penstock.ir.record import Record
from penstock.ir.rewriting.lowering import SEGMENT
from penstock.ir.types import TensorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.alias import root
from penstock.passes.analysis.padding import is_read_by_windows
from penstock.passes.fusion.joining import (
    FusionUnit,
    adds_up_rows,
    common,
    contracts,
    folded,
    parallel,
    reading,
    same_reading,
)

MOST_ARRAYS = 32
"""The most tensors that a group may read and write. Each is a separate memory stream."""
NEIGHBOURS = 4
"""How many groups with a common input an op is compared with."""
SHARED_READ_ELEMENTS = 4096
"""From this many elements on, two ops that read a tensor are grouped so that it is read once."""


LATER = "the consumer is computed again, when its gradients are"


class Pair(Record):
    """A producer and its consumer, and whether they are in the same group."""

    producer: linalg.Generic
    consumer: linalg.Generic
    apart: str | None
    """Why they are not in one group; None if they are."""


def moves_inside(op: Operation | None) -> bool:
    """Whether an op is cloned into each group that uses it.

    These are empties, scalar constants, fills, and padding that only windows read.
    """
    if isinstance(op, arith.Constant):
        return not isinstance(op.result.type, TensorType)
    if isinstance(op, tensor.Empty):
        return True
    if op is not None and generics.fill_constant(op) is not None:
        # A fill that parts are placed into has no other use, so the first use decides. Other fills
        # may have too many uses to check them all.
        uses = op.results[0].uses
        return len(uses) != 1 or not is_placed_into(*next(iter(uses)))
    return is_read_by_windows(op)


def is_placed_into(op: Operation, operand: int) -> bool:
    """Whether an op overwrites some elements of an operand and keeps the rest."""
    if not isinstance(op, linalg.Generic) or operand < len(op.inputs):
        return False
    return generics.places(op)


def _used(op: Operation) -> list[Value]:
    """The values that an op uses, directly or through padding that is cloned into its group."""
    values = generics.used_values(op)
    makers = dict.fromkeys(v.defining_op for v in values)
    behind = (v for m in makers if m and is_read_by_windows(m) for v in generics.used_values(m))
    return list(dict.fromkeys([*values, *behind]))


def units_of(block: Block) -> tuple[list[FusionUnit], Iterator[Pair]]:
    """The ops of a block as units in dependence order, and the producer-consumer pairs, lazily.

    A fill that something is placed into must have no other use.

    Ops without results, such as watches, keep their order, and so do calls of what is outside. Ops
    that are cloned into the groups are left out, except fills with other users.
    """
    grouper = _Grouper(block)
    return grouper.ordered(), grouper.pairs()


class _Spans:
    """A set of disjoint intervals of positions. Overlapping intervals are merged."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: list[int] = []

    def add(self, begin: int, end: int) -> None:
        first, behind = bisect_right(self._ends, begin), bisect_left(self._begins, end)
        self._begins[first:behind] = [min([begin, *self._begins[first:behind][:1]])]
        self._ends[first:behind] = [max([end, *self._ends[first:behind][-1:]])]

    def begin(self, position: int) -> int:
        """The start of the interval with the position in its interior, else the position itself."""
        at = bisect_left(self._begins, position) - 1
        return self._begins[at] if at >= 0 and position < self._ends[at] else position


class _Grouper:
    def __init__(self, block: Block) -> None:
        self.position = {op: i for i, op in enumerate(block)}
        self.unit_of: dict[Operation, FusionUnit] = {}
        self.used = {op: _used(op) for op in block}
        self.cost: dict[Operation, float] = {
            op: generics.loop_cost(op) for op in block if isinstance(op, linalg.Generic)
        }
        self.users: dict[Value, int] = Counter(v for values in self.used.values() for v in values)
        self.readers: dict[Value, list[FusionUnit]] = {}
        """For each large tensor, the last groups that read it, latest first; no contractions."""
        self.spans = _Spans()
        """The positions that groups of several ops span."""
        self.called: list[FusionUnit] = []
        """The last call of what is outside."""
        self.apart: dict[tuple[Operation, Operation], str] = {}
        """Why a consumer is not grouped with a producer."""
        for op in block:
            if op.terminator or (moves_inside(op) and not used_outside_generics(op)):
                continue
            unit = self._group_for(op) if isinstance(op, linalg.Generic) else None
            self._add(op, unit or _alone(op))

    def _add(self, op: Operation, unit: FusionUnit) -> None:
        unit.ops.append(op)
        unit.again |= generics.again(op)
        unit.cost += self.cost.get(op, 0.0)
        unit.needs.update(dict.fromkeys(u for u in self._makers(op) if u is not unit))
        if isinstance(op, job.OutsideCall) and not op.pure:
            unit.needs.update(dict.fromkeys(self.called))
            self.called = [unit]
        unit.position = self.position[op]
        if len(unit.ops) == 1:
            unit.first = unit.position
        else:
            self.spans.add(unit.first, unit.position)
        self.unit_of[op] = unit
        for value in self.used[op]:
            if value not in unit.waiting:
                if _is_array(value):
                    unit.reads[value] = None
            elif unit.waiting[value] > 1:
                unit.waiting[value] -= 1
            else:
                del unit.waiting[value]
            if unit.is_group and not unit.contracts and _is_large(value):
                known = self.readers.get(value, ())
                self.readers[value] = [unit, *(u for u in known if u is not unit)][:NEIGHBOURS]
        unit.waiting.update((r, self.users[r]) for r in op.results if r in self.users)

    def _makers(self, op: Operation) -> list[FusionUnit]:
        """The units whose results an op uses, without duplicates."""
        makers = (value.defining_op for value in self.used[op])
        return list(dict.fromkeys(self._unit(maker) for maker in makers if maker in self.unit_of))

    def _in(self, op: Operation, unit: FusionUnit) -> bool:
        return op in self.unit_of and self._unit(op) is unit

    def _unit(self, op: Operation) -> FusionUnit:
        unit = self.unit_of[op]
        while unit.merged is not None:
            unit = unit.merged
        return unit

    # -- joining --------------------------------------------------------------------------------

    def _group_for(self, op: linalg.Generic) -> FusionUnit | None:
        """Add an op to the latest group it can join, and return the group.

        The other groups that it reads are merged into that one if possible.
        """
        makers = self._makers(op)
        chosen: FusionUnit | None = None
        for unit in sorted(makers, key=lambda unit: -unit.position):
            if not unit.is_group or moves_inside(unit.ops[0]):
                continue
            if not _is_as_late(op, unit):
                why = LATER
            elif chosen is None:
                why = self._join(op, unit, makers)
                chosen = unit if not why else None
            else:
                why = self._merge(op, chosen, unit, makers)
            if why:
                used = dict.fromkeys(value.defining_op for value in self.used[op])
                self.apart.update({(op, m): why for m in used if m and self._in(m, unit)})
        return chosen or self._beside(op, makers)

    def _join(self, op: linalg.Generic, unit: FusionUnit, makers: Sequence[FusionUnit]) -> str:
        """Record an op's space in a group whose results it reads, or return why it cannot join."""
        if generics.is_contraction(op):
            return "a contraction begins loops of its own"
        if unit.contracts and self._belongs_behind(op, unit):
            return "the product is stored for others, and rows that read the consumer make it again"
        kept, space, why = common(op, unit)
        adding = folded(op, unit)
        if adding is not None:
            (kept, space), why = adding, ""
        if why:
            return why
        if self._reaches(makers, unit):
            return "what the consumer needs besides must run between the two"
        if self._arrays_with(unit, op) > MOST_ARRAYS:
            return f"the loops would read and write more than {MOST_ARRAYS} tensors"
        if unit.cost + self.cost[op] > generics.MOST_LOOP_CYCLES:
            return generics.TOO_LONG
        if len(kept) < unit.common:
            unit.spaces = {m: tuple(s[k] for k in kept) for m, s in unit.spaces.items()}
        unit.spaces[op] = space
        if adding is not None:
            unit.folded.add(op)
        return ""

    def _belongs_behind(self, op: linalg.Generic, unit: FusionUnit) -> bool:
        """Whether an op after a contraction is better grouped with its own readers.

        This holds if the contraction is stored anyway, a reader of the op needs whole rows, and
        nothing else needs the op's result. Then the op's result is never stored.
        """
        if not all(unit.waiting[v] > 1 for v in self.used[op] if v in unit.waiting):
            return False
        kinds = {reading(user, i) for result in op.results for user, i in result.uses}
        return kinds in ({"rows"}, {"rows", "elements"})

    def _arrays_with(self, unit: FusionUnit, op: linalg.Generic) -> int:
        """The number of tensors that a group would read and write with an op added."""
        used = self.used[op]
        done = sum(unit.waiting.get(value) == 1 for value in used)
        fresh = sum(v not in unit.waiting and v not in unit.reads for v in used if _is_array(v))
        return unit.arrays - done + fresh + len(op.results)

    def _merge(
        self, op: linalg.Generic, unit: FusionUnit, other: FusionUnit, makers: Sequence[FusionUnit]
    ) -> str:
        """Merge another group that an op reads into the op's group, or return why not."""
        if unit.contracts or other.contracts:
            return "the consumer runs in other loops, and a contraction has its own"
        if unit.again != other.again:
            return LATER
        kept, space, why = common(op, other)
        if why:
            return why
        mine = unit.spaces[op]
        if len(kept) < other.common or set(space) != set(mine):
            return "the consumer runs in other loops, which have other dimensions in common"
        # The op's own dependences are not in its group's `needs` yet.
        needed = [*unit.before(), *(maker for maker in makers if maker is not unit)]
        if self._reaches([*other.before()], unit) or self._reaches(needed, other):
            return "the consumer runs in other loops, and others must run between these"
        if unit.arrays + other.arrays > MOST_ARRAYS:
            return f"the loops would read and write more than {MOST_ARRAYS} tensors"
        if unit.cost + other.cost + self.cost[op] > generics.MOST_LOOP_CYCLES:
            return generics.TOO_LONG
        order = [space.index(dim) for dim in mine]
        unit.ops = sorted([*unit.ops, *other.ops], key=self.position.__getitem__)
        unit.spaces.update({m: tuple(s[k] for k in order) for m, s in other.spaces.items()})
        unit.needs.update(other.needs)
        unit.cost += other.cost
        unit.folded |= other.folded
        unit.first = min(unit.first, other.first)
        unit.position = max(unit.position, other.position)
        other.merged = unit
        self.spans.add(unit.first, unit.position)
        self._count_again(unit)
        return ""

    def _count_again(self, unit: FusionUnit) -> None:
        """Recompute what a group reads, and which of its values are used outside."""
        results = {result for op in unit.ops for result in op.results}
        inside = Counter(v for op in unit.ops for v in self.used[op])
        unit.reads = {v: None for v in inside if v not in results and _is_array(v)}
        left = ((v, self.users.get(v, 0) - inside[v]) for v in results)
        unit.waiting = {v: count for v, count in left if count}

    def _beside(self, op: linalg.Generic, makers: Sequence[FusionUnit]) -> FusionUnit | None:
        """Add an op to a group that reads the same large tensor at the same points, if any."""
        if generics.is_contraction(op):
            return None
        near = ((i, u) for i, v in enumerate(op.inputs) for u in self.readers.get(v, ()))
        for i, unit in near:
            while unit.merged is not None:
                unit = unit.merged
            if unit in makers or not _is_as_late(op, unit) or self._reaches(makers, unit):
                continue
            space = same_reading(op, i, unit)
            if not space or self._arrays_with(unit, op) > MOST_ARRAYS:
                continue
            if unit.cost + self.cost[op] > generics.MOST_LOOP_CYCLES:
                continue
            kinds = {op.iterator_types[dim] for dim in space}
            if kinds == {"reduction"} and adds_up_rows(op, space):
                unit.folded.add(op)
            elif kinds != {"parallel"}:
                continue
            unit.spaces[op] = space
            return unit
        return None

    def _reaches(self, start: Iterable[FusionUnit], target: FusionUnit) -> bool:
        """Whether one of these units, other than the target, depends on the target."""
        waiting = [unit for unit in start if unit is not target]
        seen = set(waiting)
        # A unit before the target's first op cannot depend on the target, unless it does so through
        # a group whose span reaches past that op.
        first = self.spans.begin(target.first)
        while waiting:
            for unit in waiting.pop().before():
                if unit is target:
                    return True
                if unit not in seen and unit.position > first:
                    seen.add(unit)
                    waiting.append(unit)
        return False

    # -- results --------------------------------------------------------------------------------

    def ordered(self) -> list[FusionUnit]:
        """The units sorted by the position of their last op, then topologically."""
        units = sorted(dict.fromkeys(map(self._unit, self.unit_of)), key=lambda u: u.position)
        done: dict[FusionUnit, None] = {}
        begun: set[FusionUnit] = set()
        for unit in units:
            waiting = [unit]
            while waiting:
                needed = [u for u in waiting[-1].before() if u not in done]
                if needed:
                    assert waiting[-1] not in begun, "groups need each other"
                    begun.add(waiting[-1])
                    waiting.extend(needed)
                else:
                    done[waiting.pop()] = None
        return list(done)

    def pairs(self) -> Iterator[Pair]:
        """Every remaining pair of generics where one reads the other's result."""
        for op in self.unit_of:
            if not isinstance(op, linalg.Generic):
                continue
            for value in self.used[op]:
                maker = root(value).defining_op
                if not isinstance(maker, linalg.Generic) or moves_inside(maker):
                    continue
                if maker is not value.defining_op:
                    apart: str | None = "a view in another shape stands between the two"
                elif self._in(maker, self._unit(op)):
                    apart = None
                else:
                    apart = self.apart[op, maker]
                yield Pair(maker, op, apart)


def _alone(op: Operation) -> FusionUnit:
    """A unit for an op that is about to be added."""
    return FusionUnit(spaces={op: parallel(op)}, contracts=contracts(op))


def _is_as_late(op: Operation, unit: FusionUnit) -> bool:
    """Whether an op that is computed again runs when a group does."""
    return generics.again(op) <= unit.again


def _is_array(value: Value) -> bool:
    shaped = isinstance(value.type, TensorType) and value.type.rank > 0
    return shaped and not moves_inside(value.defining_op)


def _is_large(value: Value) -> bool:
    return _is_array(value) and generics.tensor_type(value).count >= SHARED_READ_ELEMENTS


def used_outside_generics(op: Operation) -> bool:
    """Whether an op other than a generic, such as a watch or the return, uses a result."""
    users = (user for result in op.results for user in result.users())
    return any(not isinstance(user, linalg.Generic) and user.block is op.block for user in users)


def hint(ops: Sequence[Operation]) -> str:
    """A readable name for a group, from at most four of its source ops."""
    sources = (word.partition(SEGMENT)[0] for op in ops for word in generics.sources(op))
    words = [word.rpartition(".")[2] for word in sources]
    names = list(dict.fromkeys(word for word in words if word))
    return "_".join(names[:4]) or "group"
