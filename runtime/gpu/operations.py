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
from penstock.runtime.gpu.launch_plan import Copy, Kernel, Launch, LaunchPlan, Reference, Show

__all__ = ["Shown", "operations_of"]


class Shown(NamedTuple):
    """A blob that handlers get: its tap, and where its bytes arrive on the host."""

    tap: int
    described: Tap
    data: Array

    def array(self) -> Array:
        """The blob of the last step; the next one overwrites it."""
        return self.data.view(numpy_dtype(self.described.dtype)).reshape(self.described.shape)


def operations_of(
    plan: LaunchPlan,
    description: Description,
    memory: DeviceMemory,
    variables: Sequence[int],
    listened: Iterable[int],
) -> tuple[list[Operation], list[Shown]]:
    """What a step does if handlers listen to these taps, and the blobs that they get.

    `variables` are the addresses of the variables, in order.
    """
    return _Writer(plan, description, memory, variables).write(frozenset(listened))


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
        self.addresses = {**memory.addresses, **dict(zip(numbers, variables, strict=True))}

    def write(self, listened: frozenset[int]) -> tuple[list[Operation], list[Shown]]:
        steps = self.plan.chosen(listened)
        roles = [argument.role for argument in self.description.arguments]
        feeds = [number for number, role in enumerate(roles) if role == "feed"]
        fetches = [number for number, role in enumerate(roles) if role == "fetch"]
        found: list[Operation] = [
            Upload(self.memory.staged[number], self.addresses[number]) for number in feeds
        ]
        waiting = {number: place for place, number in enumerate(feeds)}
        last = {n: i for i, step in enumerate(steps) for n in _arguments(step)}
        shown: list[Shown] = []
        for place, step in enumerate(steps):
            after = tuple(waiting.pop(n) for n in _arguments(step) if n in waiting)
            found.append(self._operation(step, after, shown))
            found += [self._download(n) for n in fetches if last.get(n) == place]
        # A fetch that no step writes has no elements.
        found += [self._download(n, after) for n, after in self._changed_feeds(feeds, waiting)]
        return found, shown

    def _changed_feeds(
        self, feeds: Sequence[int], waiting: dict[int, int]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        for number in feeds:
            if number in self.memory.updated:
                yield number, (waiting[number],) if number in waiting else ()

    def _operation(
        self, step: Launch | Copy | Show, after: tuple[int, ...], shown: list[Shown]
    ) -> Operation:
        match step:
            case Launch(name, arguments, loc):
                kernel = self.plan.kernels[name]
                return LaunchKernel(name, self._packed(kernel, arguments), loc or kernel.loc, after)
            case Copy(source, target, size):
                return CopyBytes(self._address(source), self._address(target), size, after)
            case Show(tap, source, size):
                data = self.memory.device.host(size)
                shown.append(Shown(tap, self.description.taps[tap], data))
                return Download(self._address(source), data, after=after)

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
            if given.kind != "value":
                value = self._address(given).to_bytes(parameter.size, "little")
            packed[parameter.offset : parameter.offset + parameter.size] = value
        return bytes(packed)


def _arguments(step: Launch | Copy | Show) -> Iterator[int]:
    """The numbers of the job's arguments that a step reads or writes."""
    match step:
        case Launch(_, arguments, _):
            references: tuple[Reference, ...] = arguments
        case Copy(source, target, _):
            references = (source, target)
        case Show(_, source, _):
            references = (source,)
    for reference in references:
        if reference.kind == "argument":
            yield reference.argument
