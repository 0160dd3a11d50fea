"""A job's code and memory on a device, and what its steps run there."""

import itertools
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.runnable import is_in_handler
from penstock.runtime.gpu.backend import Array, Device, Prepared
from penstock.runtime.gpu.device_memory import DeviceMemory
from penstock.runtime.gpu.device_variables import DeviceVariables
from penstock.runtime.gpu.launch_plan import LaunchPlan, read_plan
from penstock.runtime.gpu.operations import Shown, sections_of
from penstock.runtime.gpu.ptx_header import read_header
from penstock.runtime.store.variables import VariableStore

__all__ = ["SLOTS", "LoadedCode", "PreparedSection", "Ready", "Saved", "checked_plan"]

_MOST_PREPARED = 16
"""For how many sets of listened taps, and slots of these, a job keeps what it runs."""
SLOTS = 4
"""For how many steps of a job the host keeps watched blobs at a time."""


def checked_plan(description: Description, plan: Mapping[str, Any], ptx: str) -> LaunchPlan:
    """The launch plan of a job and its code, checked; ValueError with one sentence if malformed.

    Nothing is allocated and no device is needed.
    """
    for callout in description.callouts:
        if callout.copy >= 0:
            continue
        where = f" ({callout.loc})" if callout.loc else ""
        raise ValueError(
            f"job {description.job!r} calls out to {callout.name!r}{where}, and jobs on a GPU "
            "cannot call Python in the middle of a step; place it on the CPU"
        )
    if description.collectives:
        raise ValueError(
            f"job {description.job!r} has several ranks, and a job on a GPU has one; place it on "
            "the CPU, or on one device"
        )
    found = read_plan(plan, description)
    missing = sorted(set(found.kernels) - read_header(ptx).kernels)
    if missing:
        raise ValueError(
            f"the PTX of job {description.job!r} lacks kernel {missing[0]!r} of its launch plan; "
            "rebuild the job"
        )
    return found


_Listened = tuple[frozenset[int], int]
"""Taps that handlers listen to, and the slot that gets their blobs."""


class PreparedSection(NamedTuple):
    """A section of a step, as `operations.Section`, that can be run."""

    takes: tuple[int, ...]
    gives: tuple[int, ...]
    changes: bool
    overwrites: bool
    code: Prepared


class Ready(NamedTuple):
    """What runs a step."""

    memory: DeviceMemory
    sections: list[PreparedSection]
    shown: list[Shown]

    def blobs(self) -> list[tuple[int, Array]]:
        """The blobs that handlers get, by tap."""
        return [(one.tap, one.array()) for one in self.shown]


class _Ring:
    """Slots for the watched blobs of a step: memory on the host that the device copies them to.

    A step claims a slot until its handlers have returned, so steps of other threads run meanwhile.
    If all are claimed, it waits. A step in a handler does not, since those who hold slots may wait
    for its thread: it gets a slot more.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._claimed: set[int] = set()

    @contextmanager
    def claim(self) -> Iterator[int]:
        """Hold the first slot that is free, by its number."""
        with self._changed:
            if not is_in_handler():
                self._changed.wait_for(lambda: len(self._claimed) < SLOTS)
            number = next(n for n in itertools.count() if n not in self._claimed)
            self._claimed.add(number)
        try:
            yield number
        finally:
            with self._changed:
                self._claimed.remove(number)
                self._changed.notify()


class LoadedCode:
    """A job's code on a device. Its buffers there are one allocation, made at its first step.

    The device's lock and that of the keeper must be held by whoever calls `ready`.
    """

    def __init__(
        self,
        description: Description,
        plan: LaunchPlan,
        ptx: str,
        device: Device,
        cubin: bytes = b"",
    ) -> None:
        """Raises DeviceError for code that the device cannot run."""
        self.description = description
        self.device = device
        self._plan = plan
        try:
            with device.lock:
                self._code = device.load(ptx, plan.kernels, cubin)
        except DeviceError as error:
            raise error.within(f"job {description.job!r}") from None
        self._memory: DeviceMemory | None = None
        self._prepared: weakref.WeakKeyDictionary[
            VariableStore, dict[_Listened, tuple[list[PreparedSection], list[Shown]]]
        ] = weakref.WeakKeyDictionary()
        self._ring = _Ring()

    def check_taps(self, taps: Iterable[int]) -> None:
        """Raise ValueError for a tap that the job lacks."""
        count = len(self.description.taps)
        for tap in taps:
            if not 0 <= tap < count:
                raise ValueError(
                    f"job {self.description.job!r} has no tap {tap!r}: it has {count}, counted "
                    "from 0; watch a blob of this job"
                )

    @contextmanager
    def listening(self, taps: Iterable[int]) -> Iterator[_Listened]:
        """What `ready` takes for a step with handlers of these taps; in the block, its blobs stay
        as they are."""
        listened = frozenset(taps)
        if not listened:
            yield listened, 0
            return
        with self._ring.claim() as slot:
            yield listened, slot

    def ready(
        self,
        store: VariableStore,
        keeper: DeviceVariables,
        live: Sequence[Array],
        listened: _Listened,
    ) -> Ready:
        """What runs a step for these taps, with its variables up to date."""
        if self._memory is None:
            self._memory = DeviceMemory(self.device, self.description, self._plan)
        addresses = [
            keeper.bring_up(self.device, variable, array)
            for variable, array in zip(self.description.variables, live, strict=True)
        ]
        known = self._prepared.setdefault(store, {})
        if listened not in known:
            if len(known) == _MOST_PREPARED:
                for old in known.pop(next(iter(known)))[0]:
                    old.code.close()
            sections, shown = sections_of(
                self._plan, self.description, self._memory, addresses, listened[0]
            )
            made = [
                PreparedSection(
                    one.takes,
                    one.gives,
                    one.changes,
                    one.overwrites,
                    self._code.prepare(one.operations),
                )
                for one in sections
            ]
            known[listened] = made, shown
        return Ready(self._memory, *known[listened])

    def save(self, keeper: DeviceVariables, live: Sequence[Array]) -> "Saved":
        """The variables on the device that a step changes, to undo what it did."""
        return Saved(self.device, [
            (keeper.bring_up(self.device, variable, array), np.empty_like(array))
            for variable, array in zip(self.description.variables, live, strict=True)
            if variable.updated
        ])  # fmt: skip


class Saved:
    """Values of variables on a device."""

    def __init__(self, device: Device, values: Sequence[tuple[int, Array]]) -> None:
        self._device = device
        self._values = values
        for address, value in values:
            device.read(address, value)

    def restore(self) -> None:
        """Give the variables these values again."""
        for address, value in self._values:
            self._device.write(address, value)
