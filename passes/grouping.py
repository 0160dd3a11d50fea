"""Which generics run together: a root, and what follows it over the same iteration space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from penstock.ir.affine import Dim
from penstock.ir.core import Block, Operation
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.types import TensorType
from penstock.passes import generics


@dataclass(eq=False)
class Unit:
    """What is ordered as one: a group of generics, or another op alone."""

    ops: list[Operation] = field(default_factory=list)
    needs: dict[Unit, None] = field(default_factory=dict)
    """The units that must run before it."""
    spaces: dict[Operation, tuple[int, ...]] = field(default_factory=dict)
    """For each generic, which of its dimensions are the root's parallel ones, in their order."""

    @property
    def is_group(self) -> bool:
        return isinstance(self.ops[0], linalg.Generic)


def moves_inside(op: Operation | None) -> bool:
    """Whether an op is copied into each group that uses it: empties, numbers, fills."""
    if isinstance(op, arith.Constant):
        return not isinstance(op.result.type, TensorType)
    return isinstance(op, tensor.Empty) or generics.fill_constant(op) is not None


def units_of(block: Block) -> list[Unit]:
    """The ops of a block as units, in an order that respects their dependences.

    Ops without results, such as watches, keep their order. What moves inside the groups is left
    out, but for fills that others use.
    """
    return _Grouper(block).ordered()


class _Grouper:
    def __init__(self, block: Block) -> None:
        self.position = {op: i for i, op in enumerate(block)}
        self.unit_of: dict[Operation, Unit] = {}
        self.used = {op: generics.used_values(op) for op in block}
        for op in block:
            if op.terminator or (moves_inside(op) and not used_outside_generics(op)):
                continue
            unit = self._group_for(op) if isinstance(op, linalg.Generic) else None
            if unit is None:
                unit = Unit(spaces={op: _parallel(op)})
            unit.ops.append(op)
            unit.needs.update(dict.fromkeys(u for u in self._makers(op) if u is not unit))
            self.unit_of[op] = unit

    def _group_for(self, op: linalg.Generic) -> Unit | None:
        """The group that an op joins, the latest that may be; it then has a space there.

        A contraction is always a root.
        """
        if generics.is_contraction(op):
            return None
        makers = dict.fromkeys(self._makers(op))
        for unit in sorted(makers, key=lambda unit: -self.position[unit.ops[-1]]):
            if not unit.is_group or moves_inside(unit.ops[0]):
                continue
            space = _space(op, unit)
            if space is not None and not _reaches(makers, unit):
                unit.spaces[op] = space
                return unit
        return None

    def _makers(self, op: Operation) -> list[Unit]:
        """The units whose results an op uses."""
        makers = (value.defining_op for value in self.used[op])
        return [self.unit_of[maker] for maker in makers if maker in self.unit_of]

    def ordered(self) -> list[Unit]:
        """Each unit where its last op stood, or as soon after that as it can run."""
        units = sorted(set(self.unit_of.values()), key=lambda u: self.position[u.ops[-1]])
        done: dict[Unit, None] = {}
        for unit in units:
            waiting = [unit]
            while waiting:
                needed = [u for u in waiting[-1].needs if u not in done]
                if needed:
                    waiting.extend(needed)
                else:
                    done[waiting.pop()] = None
        return list(done)


def _reaches(start: Iterable[Unit], target: Unit) -> bool:
    """Whether one of these units other than the target needs the target."""
    waiting = [unit for unit in start if unit is not target]
    seen = set(waiting)
    while waiting:
        for unit in waiting.pop().needs:
            if unit is target:
                return True
            if unit not in seen:
                seen.add(unit)
                waiting.append(unit)
    return False


def _parallel(op: Operation) -> tuple[int, ...]:
    if not isinstance(op, linalg.Generic):
        return ()
    return tuple(d for d, kind in enumerate(op.iterator_types) if kind == "parallel")


def used_outside_generics(op: Operation) -> bool:
    """Whether something else than generics, such as a watch or the return, uses a result."""
    users = (user for result in op.results for user in result.users())
    return any(not isinstance(user, linalg.Generic) and user.block is op.block for user in users)


def _space(op: linalg.Generic, unit: Unit) -> tuple[int, ...] | None:
    """The dimensions of an op that run with a group's common ones; None where they do not.

    The op must read each of the group's results at the position where it is written, and a group
    without common dimensions takes only ops of that kind.
    """
    agreed: tuple[int, ...] | None = None
    for i, value in enumerate(op.operands):
        found = generics.produced(value)
        if found is None or found[0] not in unit.spaces:
            continue
        written = generics.output_map(*found).results
        read = op.indexing_maps[i].results
        space = []
        for dim in unit.spaces[found[0]]:
            where = written.index(Dim(dim)) if Dim(dim) in written else -1
            mine = read[where] if where >= 0 else None
            if not isinstance(mine, Dim) or op.iterator_types[mine.index] != "parallel":
                return None
            space.append(mine.index)
        if agreed not in (None, tuple(space)):
            return None
        agreed = tuple(space)
    return agreed if agreed or not _parallel(op) else None


def hint(ops: Sequence[Operation]) -> str:
    """A readable name for a group: the ops it came from, at most four of them."""
    words = [word.rpartition(".")[2] for op in ops for word in generics.sources(op)]
    names = list(dict.fromkeys(word for word in words if word))
    return "_".join(names[:4]) or "group"
