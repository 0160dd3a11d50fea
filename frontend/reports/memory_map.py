"""The memory of a job: which buffers are where in its arena, when, and how much that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, memref
from penstock.ir.dialects.builtin import Module
from penstock.ir.meaning.cost import bytes_of
from penstock.ir.meaning.stack import stack_of
from penstock.ir.record import Record
from penstock.ir.text.tables import text_table
from penstock.reports.tables import html_table

__all__ = ["ArenaBuffer", "MemoryMap", "memory_of"]

_ROLES = {"job.feed": "feed", "job.variable": "variable", "job.fetch": "fetch"}
_PLURAL = {"feed": "feeds", "variable": "variables", "fetch": "fetches"}


class ArenaBuffer(Record):
    """A part of the arena that a buffer occupies for some steps of the job."""

    name: str
    offset: int
    bytes: int
    first: int
    """The step that writes it, counted from 0."""
    last: int
    """The last step that reads it."""
    type: str
    places: tuple[str, ...]
    """The user's lines, such as `train.py:21`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "name": self.name, "offset": self.offset, "bytes": self.bytes, "first": self.first,
            "last": self.last, "type": self.type, "places": list(self.places),
        }  # fmt: skip


class MemoryMap(Record):
    """The memory of a job; printing shows a table of its buffers and of the steps.

    All sizes are in bytes. Variables, feeds and fetches are outside of the arena.
    """

    job: str
    arena: int
    """The size of the arena."""
    buffers: tuple[ArenaBuffer, ...]
    """The buffers in it, by offset and time."""
    steps: tuple[str, ...]
    """The steps in order, mostly names of kernels."""
    outside: Mapping[str, Mapping[str, int]]
    """The sizes of the variables, feeds and fetches by name."""

    @property
    def total(self) -> int:
        """All of it: the arena, variables, feeds and fetches. A limit of memory is one of this."""
        return self.arena + sum(sum(sizes.values()) for sizes in self.outside.values())

    def live(self) -> list[int]:
        """The bytes of the arena in use at each step."""
        change = [0] * (len(self.steps) + 1)
        for buffer in self.buffers:
            change[buffer.first] += buffer.bytes
            change[buffer.last + 1] -= buffer.bytes
        return list(accumulate(change[:-1]))

    @property
    def peak(self) -> int:
        """The maximum in use at one step; no arena can be smaller."""
        return max(self.live(), default=0)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "job": self.job, "arena": self.arena, "peak": self.peak, "total": self.total,
            "steps": list(self.steps),
            "live": self.live(), "buffers": [buffer.to_dict() for buffer in self.buffers],
            "outside": {role: dict(sizes) for role, sizes in self.outside.items()},
        }  # fmt: skip

    def __repr__(self) -> str:
        return str(self)  # A prompt shows the table.

    def __str__(self) -> str:
        buffers = text_table(_BUFFERS, self._buffer_rows(), 3)
        steps = text_table(_STEPS, self._step_rows())
        return f"{self._summary()}\n\nArena\n{buffers}\nSteps\n{steps}"

    def _repr_html_(self) -> str:
        buffers = html_table("Arena", _BUFFERS, self._buffer_rows(), 3)
        return f"<p>{self._summary()}</p>{buffers}{html_table('Steps', _STEPS, self._step_rows())}"

    def _summary(self) -> str:
        rest = ", ".join(
            f"{_PLURAL[role]} {sum(sizes.values()):,}"
            for role, sizes in self.outside.items()
            if sizes
        )
        return (
            f"Job {self.job}: arena {self.arena:,} bytes, of which {self.peak:,} are in use at "
            f"once{f'; outside of it {rest}' if rest else ''}"
        )

    def _buffer_rows(self) -> list[Sequence[str]]:
        return [
            (b.name, b.type, " ".join(b.places), f"{b.offset:,}", f"{b.bytes:,}",
             str(b.first), str(b.last))
            for b in self.buffers
        ]  # fmt: skip

    def _step_rows(self) -> list[Sequence[str]]:
        used = enumerate(zip(self.steps, self.live(), strict=True))
        return [(name, str(number), f"{size:,}") for number, (name, size) in used]


_BUFFERS = ("buffer", "type", "place", "offset", "bytes", "first", "last")
_STEPS = ("step", "number", "bytes in use")


def memory_of(module: Module) -> MemoryMap:
    """The memory of a job at stage `loops`."""
    job = module.job
    steps = [op for op in job.body if not op.pure and not op.terminator]
    numbers = {op: number for number, op in enumerate(steps)}
    arena = 0
    outside: dict[str, dict[str, int]] = {role: {} for role in _ROLES.values()}
    for i, argument in enumerate(job.arguments):
        attributes = job.argument_attributes(i)
        size = attributes.get("job.arena")
        if isinstance(size, IntegerAttr):
            arena = size.value
        for key, role in _ROLES.items():
            if key in attributes:
                outside[role][argument.name] = bytes_of([argument])
    buffers = [_buffer(op, numbers) for op in job.body if isinstance(op, memref.View)]
    for number, step in enumerate(steps):
        for op in step.walk():
            place = stack_of(op)
            if place is not None:
                buffers.append(_stack(op, place, number))
    ordered = sorted(buffers, key=lambda b: (b.offset, b.first))
    return MemoryMap(
        job.sym_name, arena, tuple(ordered), tuple(_described(op) for op in steps), outside
    )


def _buffer(view: memref.View, numbers: Mapping[Operation, int]) -> ArenaBuffer:
    value = view.results[0]
    used = sorted({numbers[step] for step in _steps(value, numbers)})
    offset = view.operands[1].defining_op
    assert isinstance(offset, arith.Constant)
    assert isinstance(offset.value, IntegerAttr)
    return ArenaBuffer(
        value.name or "temporary", offset.value.value, bytes_of([value]),
        used[0] if used else 0, used[-1] if used else 0, str(value.type),
        view.location.lines(),
    )  # fmt: skip


def _stack(call: Operation, place: tuple[int, int], number: int) -> ArenaBuffer:
    """The part of the arena that a call uses in place of the caller's stack."""
    start, size = place
    return ArenaBuffer("stack", start, size, number, number, "stack", call.location.lines())


def _steps(value: Value, numbers: Mapping[Operation, int]) -> Iterator[Operation]:
    """The steps that use a buffer, directly or through views."""
    for user in value.users():
        outermost = user
        while outermost not in numbers and isinstance(outermost.parent, Operation):
            if outermost.parent.parent is None or isinstance(outermost.parent.parent, Module):
                break
            outermost = outermost.parent
        if outermost in numbers:
            yield outermost
        elif user.pure:
            for result in user.results:
                yield from _steps(result, numbers)


def _described(op: Operation) -> str:
    callee = getattr(op, "callee", None)
    return callee if isinstance(callee, str) else op.name
