"""A job on a device: runs a launch plan, step by step."""

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.failures import Failures
from penstock.runtime.execution.interrupts import HeldSignals
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.gpu.backend import Array, Device, Prepared
from penstock.runtime.gpu.device_memory import DeviceMemory
from penstock.runtime.gpu.device_variables import DeviceVariables, variables_of
from penstock.runtime.gpu.launch_plan import LaunchPlan, read_plan
from penstock.runtime.gpu.operations import Shown, operations_of
from penstock.runtime.gpu.ptx_header import read_header
from penstock.runtime.store.variables import VariableStore

__all__ = ["DeviceJob", "checked_plan"]

_MOST_PREPARED = 16
"""For how many sets of listened taps a job keeps what it runs."""


def checked_plan(description: Description, plan: Mapping[str, Any], ptx: str) -> LaunchPlan:
    """The launch plan of a job and its code, checked; ValueError with one sentence if malformed.

    Nothing is allocated and no device is needed.
    """
    if description.callouts:
        callout = description.callouts[0]
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


class DeviceJob(Runnable):
    """A job on a device. Its buffers there are one allocation, made at its first step.

    One step runs at a time on a device. Handlers run after the step, on the thread that called it.
    """

    def __init__(
        self, description: Description, plan: Mapping[str, Any], ptx: str, device: Device
    ) -> None:
        """Raises ValueError for a plan that is malformed, DeviceError for code that the device
        cannot run."""
        super().__init__(description)
        self.device = device
        self._plan = checked_plan(description, plan, ptx)
        try:
            with device.lock:
                self._code = device.load(ptx, self._plan.kernels)
        except DeviceError as error:
            raise error.within(f"job {description.job!r}") from None
        self._memory: DeviceMemory | None = None
        self._prepared: weakref.WeakKeyDictionary[
            VariableStore, dict[frozenset[int], tuple[Prepared, list[Shown]]]
        ] = weakref.WeakKeyDictionary()

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        calls = {tap: tuple(each) for tap, each in (handlers or {}).items() if each}
        self._check_taps(calls)
        results: list[Array] = []

        def step() -> None:
            signals = HeldSignals()
            signals.hold()
            try:
                made, shown = self._on_device(arrays, store, frozenset(calls), signals)
                results.extend(made)
                self._tell(calls, shown, signals)
            finally:
                signals.release()

        def turn() -> None:
            self._take_turn(store, step, calls_back=bool(calls))

        if calls:
            self._nested(turn)
        else:
            turn()
        return results

    def _check_taps(self, calls: Mapping[int, object]) -> None:
        count = len(self.description.taps)
        for tap in calls:
            if not 0 <= tap < count:
                raise ValueError(
                    f"job {self.description.job!r} has no tap {tap!r}: it has {count}, counted "
                    "from 0; watch a blob of this job"
                )

    def _tell(
        self,
        calls: Mapping[int, Sequence[Callable[[Array], object]]],
        shown: Sequence[tuple[int, Array]],
        signals: HeldSignals,
    ) -> None:
        """Call the handlers; raise the first exception of one."""
        failures = Failures(self.description)
        for tap, blob in shown:
            for handler in calls[tap]:
                try:
                    own = blob.copy()
                    signals.in_handler = True
                    handler(own)
                except BaseException as error:
                    signals.in_handler = False
                    failures.keep(error, tap)
                signals.in_handler = False
        failures.raise_first()

    def _on_device(
        self,
        arrays: Sequence[Array],
        store: VariableStore,
        listened: frozenset[int],
        signals: HeldSignals,
    ) -> tuple[list[Array], list[tuple[int, Array]]]:
        """Run a step; its results, and the blobs that are listened to."""
        job = self.description.job
        # Before any lock of ours, since whoever holds the store's may wait for these.
        live = [store.ensure(variable, job) for variable in self.description.variables]
        keeper = variables_of(store)
        try:
            with keeper.lock, self.device.lock:
                memory, prepared, shown = self._ready(store, keeper, live, listened)
                memory.fill(arrays)
                changes = self._changes
                self._run(prepared, keeper, live, signals)
                keeper.stepped(self.device, changes)
                memory.take_back(arrays)
                return memory.results(), [(s.tap, s.array()) for s in shown]
        except DeviceError as error:
            raise error.within(f"job {job!r}") from None

    def _ready(
        self,
        store: VariableStore,
        keeper: DeviceVariables,
        live: Sequence[Array],
        listened: frozenset[int],
    ) -> tuple[DeviceMemory, Prepared, list[Shown]]:
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
                known.pop(next(iter(known)))[0].close()
            operations, shown = operations_of(
                self._plan, self.description, self._memory, addresses, listened
            )
            known[listened] = self._code.prepare(operations), shown
        prepared, shown = known[listened]
        return self._memory, prepared, shown

    def _run(
        self,
        prepared: Prepared,
        keeper: DeviceVariables,
        live: Sequence[Array],
        signals: HeldSignals,
    ) -> None:
        """Run all of it; where it fails or is stopped midway, no variable has changed."""
        if not self.device.stops_midway:
            prepared.run(lambda: False)
            return
        changed = [
            (keeper.bring_up(self.device, variable, array), np.empty_like(array))
            for variable, array in zip(self.description.variables, live, strict=True)
            if variable.updated
        ]
        for address, saved in changed:
            self.device.read(address, saved)
        while True:
            is_done = False
            try:
                is_done = prepared.run(signals.is_pending)
            finally:
                if not is_done:
                    for address, saved in changed:
                        self.device.write(address, saved)
            if is_done:
                return
            # If the signal's handler raises nothing, the step starts again.
            signals.release()
            signals.hold()
