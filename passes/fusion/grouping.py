"""Which generics run together: a root, and what shares loops with it.

A group has *common* dimensions: those that all its generics have and count in parallel, each
reading what the others made at the very point where it was made. A root begins with all its
parallel dimensions. An op that sums over one of them, or reads it elsewhere, may still join where
leading dimensions are left: it then runs when a row is done.

A sum over the common dimensions themselves, such as a gradient that adds up all rows, may be
*folded* into the loops: each row adds to it, and it is complete when all rows are done. Nothing in
the group reads it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.record import Record
from penstock.ir.types import TensorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.alias import root
from penstock.passes.analysis.padding import is_read_by_windows
from penstock.passes.fusion.joining import (
    Unit,
    adds_up_rows,
    common,
    contracts,
    folded,
    parallel,
    reading,
    same_reading,
)

MOST_ARRAYS = 32
"""How many tensors a group may read and write: each is a stream of memory of its own."""
NEIGHBOURS = 4
"""How many groups that read a tensor an op is held against that reads it too."""
WORTH = 4096
"""Elements of a tensor that is worth reading once for two ops instead of twice."""


class Pair(Record):
    """A generic that reads what another one made, and whether the two run together."""

    producer: linalg.Generic
    consumer: linalg.Generic
    apart: str | None
    """Why they do not."""


def moves_inside(op: Operation | None) -> bool:
    """Whether an op is copied into each group that uses it: empties, numbers, fills, and padding
    of which nothing but windows are read."""
    if isinstance(op, arith.Constant):
        return not isinstance(op.result.type, TensorType)
    if isinstance(op, tensor.Empty):
        return True
    if op is not None and generics.fill_constant(op) is not None:
        # What is placed in one has it for itself, and others may have very many uses.
        uses = op.results[0].uses
        return len(uses) != 1 or not is_placed_into(*next(iter(uses)))
    return is_read_by_windows(op)


def is_placed_into(op: Operation, operand: int) -> bool:
    """Whether an op writes some elements of an operand, and leaves the others as they are."""
    if not isinstance(op, linalg.Generic) or operand < len(op.inputs):
        return False
    return generics.places(op)


def _used(op: Operation) -> list[Value]:
    """What an op uses, and what is used by padding that moves inside with it."""
    values = generics.used_values(op)
    makers = dict.fromkeys(v.defining_op for v in values)
    behind = (v for m in makers if m and is_read_by_windows(m) for v in generics.used_values(m))
    return list(dict.fromkeys([*values, *behind]))


def units_of(block: Block) -> tuple[list[Unit], Iterator[Pair]]:
    """The ops of a block as units, in an order that respects their dependences.

    No fill that something is placed into has another use.

    Ops without results, such as watches, keep their order. What moves inside the groups is left
    out, but for fills that others use. Beside them, every pair of generics where one reads the
    other's result; they are looked for when asked for.
    """
    grouper = _Grouper(block)
    return grouper.ordered(), grouper.pairs()


class _Spans:
    """Stretches of positions, with what lies between their ends; those that overlap are one."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: list[int] = []

    def add(self, begin: int, end: int) -> None:
        first, behind = bisect_right(self._ends, begin), bisect_left(self._begins, end)
        self._begins[first:behind] = [min([begin, *self._begins[first:behind][:1]])]
        self._ends[first:behind] = [max([end, *self._ends[first:behind][-1:]])]

    def begin(self, position: int) -> int:
        """Where the stretch begins that has a position between its ends; else the position."""
        at = bisect_left(self._begins, position) - 1
        return self._begins[at] if at >= 0 and position < self._ends[at] else position


class _Grouper:
    def __init__(self, block: Block) -> None:
        self.position = {op: i for i, op in enumerate(block)}
        self.unit_of: dict[Operation, Unit] = {}
        self.used = {op: _used(op) for op in block}
        self.cost: dict[Operation, float] = {
            op: generics.loop_cost(op) for op in block if isinstance(op, linalg.Generic)
        }
        self.users: dict[Value, int] = Counter(v for values in self.used.values() for v in values)
        self.readers: dict[Value, list[Unit]] = {}
        """The last groups that read a large tensor and are no contractions, the latest first."""
        self.spans = _Spans()
        """Where groups of several ops begin and end."""
        self.apart: dict[tuple[Operation, Operation], str] = {}
        """Why an op does not run with another whose result it reads."""
        for op in block:
            if op.terminator or (moves_inside(op) and not used_outside_generics(op)):
                continue
            unit = self._group_for(op) if isinstance(op, linalg.Generic) else None
            self._add(op, unit or _alone(op))

    def _add(self, op: Operation, unit: Unit) -> None:
        unit.ops.append(op)
        unit.cost += self.cost.get(op, 0.0)
        unit.needs.update(dict.fromkeys(u for u in self._makers(op) if u is not unit))
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

    def _makers(self, op: Operation) -> list[Unit]:
        """The units whose results an op uses, each once."""
        makers = (value.defining_op for value in self.used[op])
        return list(dict.fromkeys(self._unit(maker) for maker in makers if maker in self.unit_of))

    def _in(self, op: Operation, unit: Unit) -> bool:
        return op in self.unit_of and self._unit(op) is unit

    def _unit(self, op: Operation) -> Unit:
        unit = self.unit_of[op]
        while unit.merged is not None:
            unit = unit.merged
        return unit

    # -- joining --------------------------------------------------------------------------------

    def _group_for(self, op: linalg.Generic) -> Unit | None:
        """The group that an op joins, the latest that may be; it then has a space there.

        The other groups that it reads become a part of that one where they may.
        """
        makers = self._makers(op)
        chosen: Unit | None = None
        for unit in sorted(makers, key=lambda unit: -unit.position):
            if not unit.is_group or moves_inside(unit.ops[0]):
                continue
            if chosen is None:
                why = self._join(op, unit, makers)
                chosen = unit if not why else None
            else:
                why = self._merge(op, chosen, unit, makers)
            if why:
                used = dict.fromkeys(value.defining_op for value in self.used[op])
                self.apart.update({(op, m): why for m in used if m and self._in(m, unit)})
        return chosen or self._beside(op, makers)

    def _join(self, op: linalg.Generic, unit: Unit, makers: Sequence[Unit]) -> str:
        """Let an op have a space in a group whose results it reads; else say why it has none."""
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
        if unit.cost + self.cost[op] > generics.LONGEST:
            return generics.TOO_LONG
        if len(kept) < unit.common:
            unit.spaces = {m: tuple(s[k] for k in kept) for m, s in unit.spaces.items()}
        unit.spaces[op] = space
        if adding is not None:
            unit.folded.add(op)
        return ""

    def _belongs_behind(self, op: linalg.Generic, unit: Unit) -> bool:
        """Whether an op that follows a product better runs with what reads it.

        That is where the product is stored anyway, something that reads the op needs whole rows,
        and nothing needs the op's result stored: then it never is.
        """
        if not all(unit.waiting[v] > 1 for v in self.used[op] if v in unit.waiting):
            return False
        kinds = {reading(user, i) for result in op.results for user, i in result.uses}
        return kinds in ({"rows"}, {"rows", "elements"})

    def _arrays_with(self, unit: Unit, op: linalg.Generic) -> int:
        """How many tensors a group reads and writes once an op is in it."""
        used = self.used[op]
        done = sum(unit.waiting.get(value) == 1 for value in used)
        fresh = sum(v not in unit.waiting and v not in unit.reads for v in used if _is_array(v))
        return unit.arrays - done + fresh + len(op.results)

    def _merge(self, op: linalg.Generic, unit: Unit, other: Unit, makers: Sequence[Unit]) -> str:
        """Make another group that an op reads a part of the op's own; else say why not."""
        if unit.contracts or other.contracts:
            return "the consumer runs in other loops, and a contraction has its own"
        kept, space, why = common(op, other)
        if why:
            return why
        mine = unit.spaces[op]
        if len(kept) < other.common or set(space) != set(mine):
            return "the consumer runs in other loops, which have other dimensions in common"
        # What the op itself needs is no part of its group's needs yet.
        needed = [*unit.before(), *(maker for maker in makers if maker is not unit)]
        if self._reaches([*other.before()], unit) or self._reaches(needed, other):
            return "the consumer runs in other loops, and others must run between these"
        if unit.arrays + other.arrays > MOST_ARRAYS:
            return f"the loops would read and write more than {MOST_ARRAYS} tensors"
        if unit.cost + other.cost + self.cost[op] > generics.LONGEST:
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

    def _count_again(self, unit: Unit) -> None:
        """Find out what a group reads and makes for others."""
        made = {result for op in unit.ops for result in op.results}
        inside = Counter(v for op in unit.ops for v in self.used[op])
        unit.reads = {v: None for v in inside if v not in made and _is_array(v)}
        left = ((v, self.users.get(v, 0) - inside[v]) for v in made)
        unit.waiting = {v: count for v, count in left if count}

    def _beside(self, op: linalg.Generic, makers: Sequence[Unit]) -> Unit | None:
        """A group that reads a large tensor that an op reads too, at the same points."""
        if generics.is_contraction(op):
            return None
        near = ((i, u) for i, v in enumerate(op.inputs) for u in self.readers.get(v, ()))
        for i, unit in near:
            while unit.merged is not None:
                unit = unit.merged
            if unit in makers or self._reaches(makers, unit):
                continue
            space = same_reading(op, i, unit)
            if not space or self._arrays_with(unit, op) > MOST_ARRAYS:
                continue
            if unit.cost + self.cost[op] > generics.LONGEST:
                continue
            kinds = {op.iterator_types[dim] for dim in space}
            if kinds == {"reduction"} and adds_up_rows(op, space):
                unit.folded.add(op)
            elif kinds != {"parallel"}:
                continue
            unit.spaces[op] = space
            return unit
        return None

    def _reaches(self, start: Iterable[Unit], target: Unit) -> bool:
        """Whether one of these units other than the target needs the target."""
        waiting = [unit for unit in start if unit is not target]
        seen = set(waiting)
        # What stood before the target's first op needs nothing of it, unless by a group that has
        # later ops too, which may.
        first = self.spans.begin(target.first)
        while waiting:
            for unit in waiting.pop().before():
                if unit is target:
                    return True
                if unit not in seen and unit.position > first:
                    seen.add(unit)
                    waiting.append(unit)
        return False

    # -- the outcome ----------------------------------------------------------------------------

    def ordered(self) -> list[Unit]:
        """Each unit where its last op stood, or as soon after that as it can run."""
        units = sorted(dict.fromkeys(map(self._unit, self.unit_of)), key=lambda u: u.position)
        done: dict[Unit, None] = {}
        begun: set[Unit] = set()
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
        """Every pair of generics that are left where one reads the other's result."""
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


def _alone(op: Operation) -> Unit:
    """A unit for an op that is about to be added."""
    return Unit(spaces={op: parallel(op)}, contracts=contracts(op))


def _is_array(value: Value) -> bool:
    shaped = isinstance(value.type, TensorType) and value.type.rank > 0
    return shaped and not moves_inside(value.defining_op)


def _is_large(value: Value) -> bool:
    return _is_array(value) and generics.tensor_type(value).count >= WORTH


def used_outside_generics(op: Operation) -> bool:
    """Whether something else than generics, such as a watch or the return, uses a result."""
    users = (user for result in op.results for user in result.users())
    return any(not isinstance(user, linalg.Generic) and user.block is op.block for user in users)


def hint(ops: Sequence[Operation]) -> str:
    """A readable name for a group: the ops it came from, at most four of them."""
    words = [word.rpartition(".")[2] for op in ops for word in generics.sources(op)]
    names = list(dict.fromkeys(word for word in words if word))
    return "_".join(names[:4]) or "group"
