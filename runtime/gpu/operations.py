"""The operations of a step: a launch plan for one set of listened taps, with all addresses."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from penstock.runtime.description import Description, Tap
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.gpu.backend import (
    Array,
    CopyBytes,
    Download,
    LaunchKernel,
    Operation,
    Upload,
)
from penstock.runtime.gpu.device_memory import DeviceMemory
from penstock.runtime.gpu.launch_plan import (
    Chosen,
    Copy,
    Give,
    Kernel,
    Launch,
    LaunchPlan,
    Reference,
    Show,
    Take,
)

__all__ = ["Section", "Shown", "sections_of"]


class Shown(NamedTuple):
    """A blob that handlers get: its tap, and where its bytes arrive on the host."""

    tap: int
    described: Tap
    data: Array

    def array(self) -> Array:
        """The blob of the last step; the next one overwrites it."""
        return self.data.view(numpy_dtype(self.described.dtype)).reshape(self.described.shape)


class Section(NamedTuple):
    """Operations that run once the host has given some values; a step is a list of these."""

    takes: tuple[int, ...]
    """The numbers of the copies that it needs from the host."""
    operations: list[Operation]
    gives: tuple[int, ...]
    """The numbers of the copies that the host has when it is done."""
    changes: bool
    """Whether it changes variables; only the last section does."""
    overwrites: bool
    """Whether it may write what an earlier section gives."""


def sections_of(
    plan: LaunchPlan,
    description: Description,
    memory: DeviceMemory,
    variables: Sequence[int],
    listened: Iterable[int],
) -> tuple[list[Section], list[Shown]]:
    """What a step does if handlers listen to these taps, and the blobs that they get.

    `variables` are the addresses of the variables, in order. A job on one device has one section.
    """
    writer = _Writer(plan, description, memory, variables)
    writer.write(frozenset(listened))
    return writer.sections, writer.shown


_Span = tuple[int, int]
"""The addresses of a buffer: the first one, and the one behind it."""


class _Writer:
    def __init__(
        self,
        plan: LaunchPlan,
        description: Description,
        memory: DeviceMemory,
        variables: Sequence[int],
    ) -> None:
        self.plan = plan
        self.description = description
        self.memory = memory
        numbers = [n for n, a in enumerate(description.arguments) if a.role == "variable"]
        self.updated = {n for n in numbers if description.arguments[n].updated}
        self.addresses = {**memory.addresses, **dict(zip(numbers, variables, strict=True))}
        self.shown: list[Shown] = []
        self.sections: list[Section] = []
        self.given: list[_Span] = []
        """What earlier sections give."""
        self._begin()

    def _begin(self) -> None:
        """Begin a section."""
        self.takes: list[int] = []
        self.found: list[Operation] = []
        self.gives: list[int] = []
        self.waiting: dict[int, int] = {}
        """The positions of the uploads of feeds that no operation has waited for."""
        self.taken: list[int] = []
        """The positions of the uploads of values that the host gave, likewise."""
        self.showing: dict[int, _Span] = {}
        """The positions of the downloads of blobs that no operation has waited for, and what they
        read."""
        self.giving: list[_Span] = []
        self.overwrites = False

    def _end(self, changes: bool = False) -> None:
        """End a section."""
        made = Section(tuple(self.takes), self.found, tuple(self.gives), changes, self.overwrites)
        self.sections.append(made)
        self.given += self.giving
        self._begin()

    def write(self, listened: frozenset[int]) -> None:
        steps = self.plan.chosen(listened)
        roles = [argument.role for argument in self.description.arguments]
        feeds = [number for number, role in enumerate(roles) if role == "feed"]
        fetches = [number for number, role in enumerate(roles) if role == "fetch"]
        self.found += [Upload(self.memory.staged[n], self.addresses[n]) for n in feeds]
        self.waiting = {number: place for place, number in enumerate(feeds)}
        last = {n: i for i, step in enumerate(steps) for n in _arguments(step)}
        copies = [i for i, step in enumerate(steps) if isinstance(step, Give | Take)]
        are_over = not copies
        for place, step in enumerate(steps):
            self._cut(step)
            if copies and place > copies[-1] and not are_over:
                # No variable has changed before the last copy.
                are_over = not self.updated.isdisjoint(_arguments(step))
                if are_over and self.found:
                    self._end()
            self._step(step)
            self.found += [self._download(n) for n in fetches if last.get(n) == place]
        # A fetch that no step writes has no elements.
        self.found += [self._download(n, after) for n, after in self._changed_feeds(feeds)]
        if self.found or not self.sections:
            self._end(changes=are_over)

    def _cut(self, step: Chosen) -> None:
        """End the section where the step needs the host, or where the host has what it needs."""
        is_take = isinstance(step, Take)
        if (is_take and len(self.found) > len(self.takes)) or (
            self.gives and not isinstance(step, Give)
        ):
            self._end()

    def _step(self, step: Chosen) -> None:
        match step:
            case Take(number, target, size):
                start = self._address(target)
                self._note([(start, start + size)])
                self.takes.append(number)
                self.taken.append(len(self.found))
                self.found.append(Upload(self.memory.copied[number], start))
            case Give(number, source, size):
                # It ends its section, so that uploads are over.
                start = self._address(source)
                self.gives.append(number)
                self.giving.append((start, start + size))
                self.found.append(Download(start, self.memory.copied[number], detached=True))
            case Show(tap, source, size):
                # It follows the uploads of what it reads in any case.
                start = self._address(source)
                data = self.memory.device.host(size)
                self.shown.append(Shown(tap, self.description.taps[tap], data))
                self.showing[len(self.found)] = start, start + size
                self.found.append(Download(start, data, unhurried=True))
            case _:
                self.found.append(self._operation(step, self._after(step)))

    def _note(self, spans: list[_Span] | None) -> None:
        """Note whether what is written meets what earlier sections give."""
        self.overwrites = self.overwrites or any(_meet(spans, given) for given in self.given)

    def _after(self, step: Launch | Copy) -> tuple[int, ...]:
        """The copies that a step waits for: uploads of what it reads, and downloads of what it
        writes."""
        needed = [self.waiting.pop(n) for n in _arguments(step) if n in self.waiting]
        taken, self.taken = self.taken, []
        spans = self._written(step)
        self._note(spans)
        over = [at for at, shown in self.showing.items() if _meet(spans, shown)]
        for at in over:
            del self.showing[at]
        return (*needed, *taken, *over)

    def _written(self, step: Launch | Copy) -> list[_Span] | None:
        """The addresses that a step may write; None if that is not known."""
        match step:
            case Copy(_, target, size):
                start = self._address(target)
                return [(start, start + size)]
            case Launch(name, arguments, _):
                found = []
                for parameter, given in zip(
                    self.plan.kernels[name].parameters, arguments, strict=True
                ):
                    if given.kind == "value" or given.map is not None or not parameter.written:
                        continue
                    if parameter.reached is None:
                        return None
                    start = self._address(given)
                    found.append((start, start + parameter.reached))
                return found

    def _changed_feeds(self, feeds: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        for number in feeds:
            if number in self.memory.updated:
                yield number, (self.waiting[number],) if number in self.waiting else ()

    def _operation(self, step: Launch | Copy, after: tuple[int, ...]) -> Operation:
        match step:
            case Launch(name, arguments, loc):
                kernel = self.plan.kernels[name]
                return LaunchKernel(name, self._packed(kernel, arguments), loc or kernel.loc, after)
            case Copy(source, target, size):
                return CopyBytes(self._address(source), self._address(target), size, after)

    def _download(self, number: int, after: tuple[int, ...] = ()) -> Download:
        return Download(self.addresses[number], self.memory.staged[number], True, after)

    def _address(self, reference: Reference) -> int:
        starts = {"arena": self.memory.arena, "constant": self.memory.constants}
        start = starts.get(reference.kind)
        return (self.addresses[reference.argument] if start is None else start) + reference.offset

    def _packed(self, kernel: Kernel, arguments: Sequence[Reference]) -> bytes:
        """The bytes of a kernel's parameters."""
        end = max((p.offset + p.size for p in kernel.parameters), default=0)
        packed = bytearray(end)
        for parameter, given in zip(kernel.parameters, arguments, strict=True):
            value = given.value
            if given.map is not None:
                value = self.memory.device.tensor_map(given.map, self._address(given))
            elif given.kind != "value":
                value = self._address(given).to_bytes(parameter.size, "little")
            packed[parameter.offset : parameter.offset + parameter.size] = value
        return bytes(packed)


def _meet(spans: Sequence[_Span] | None, other: _Span) -> bool:
    """Whether one of some spans, which may be any, has an address of another one.

    >>> _meet([(0, 4), (8, 12)], (4, 9)), _meet([(0, 4)], (4, 8)), _meet(None, (4, 8))
    (True, False, True)
    """
    return spans is None or any(start < other[1] and other[0] < end for start, end in spans)


def _arguments(step: Chosen) -> Iterator[int]:
    """The numbers of the job's arguments that a step reads or writes."""
    match step:
        case Launch(_, arguments, _):
            references: tuple[Reference, ...] = arguments
        case Copy(source, target, _):
            references = (source, target)
        case Show(_, reference, _) | Give(_, reference, _) | Take(_, reference, _):
            references = (reference,)
    for one in references:
        if one.kind == "argument":
            yield one.argument
