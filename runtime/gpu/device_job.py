"""A job on a device: runs a launch plan, step by step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.runtime.description import Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.failures import Failures
from penstock.runtime.execution.interrupts import HeldSignals
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.gpu.backend import Array, Device, Prepared
from penstock.runtime.gpu.device_variables import DeviceVariables, variables_of
from penstock.runtime.gpu.loaded_code import LoadedCode, checked_plan
from penstock.runtime.store.variables import VariableStore

__all__ = ["DeviceJob", "tell"]


class DeviceJob(Runnable):
    """A job on a device. Its buffers there are one allocation, made at its first step.

    One step runs at a time on a device. Handlers run after the step, on the thread that called it.
    """

    unprofiled = "runs on a GPU, whose kernels cannot be profiled; run it on the CPU"

    def __init__(
        self,
        description: Description,
        plan: Mapping[str, Any],
        ptx: str,
        device: Device,
        cubin: bytes = b"",
    ) -> None:
        """With machine code for the device, that is loaded if the driver takes it, else the PTX.

        Raises ValueError for a plan that is malformed, DeviceError for code that the device cannot
        run.
        """
        super().__init__(description)
        self.device = device
        if description.copies:
            raise ValueError(
                f"job {description.job!r} copies values between devices in the middle of a step, "
                f"so this is the part of {device.name}; give stage placed of the whole job, or one "
                "before"
            )
        checked = checked_plan(description, plan, ptx)
        self._code = LoadedCode(description, checked, ptx, device, cubin)

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        calls = {tap: tuple(each) for tap, each in (handlers or {}).items() if each}
        self._code.check_taps(calls)
        results: list[Array] = []

        def step() -> None:
            with self._code.listening(calls) as listened:
                signals = HeldSignals()
                signals.hold()
                try:
                    made, shown = self._on_device(arrays, store, listened, signals)
                    results.extend(made)
                    tell(self.description, calls, shown, signals)
                finally:
                    signals.release()

        def turn() -> None:
            self._take_turn(store, step, calls_back=bool(calls))

        if calls:
            self._nested(turn)
        else:
            turn()
        return results

    def _on_device(
        self,
        arrays: Sequence[Array],
        store: VariableStore,
        listened: tuple[frozenset[int], int],
        signals: HeldSignals,
    ) -> tuple[list[Array], list[tuple[int, Array]]]:
        """Run a step; its results, and the blobs that are listened to."""
        job = self.description.job
        # Before any lock of ours, since whoever holds the store's may wait for these.
        live = [store.ensure(variable, job) for variable in self.description.variables]
        keeper = variables_of(store)
        try:
            with keeper.lock, self.device.lock:
                ready = self._code.ready(store, keeper, live, listened)
                ready.memory.fill(arrays)
                changes = self._changes
                (section,) = ready.sections
                self._run(section.code, keeper, live, signals)
                keeper.stepped(self.device, changes)
                ready.memory.take_back(arrays)
                return ready.memory.results(), ready.blobs()
        except DeviceError as error:
            raise error.within(f"job {job!r}") from None

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
        saved = self._code.save(keeper, live)
        while True:
            is_done = False
            try:
                is_done = prepared.run(signals.is_pending)
            finally:
                if not is_done:
                    saved.restore()
            if is_done:
                return
            # If the signal's handler raises nothing, the step starts again.
            signals.release()
            signals.hold()


def tell(
    description: Description,
    calls: Mapping[int, Sequence[Callable[[Array], object]]],
    shown: Sequence[tuple[int, Array]],
    signals: HeldSignals,
) -> None:
    """Call the handlers of taps; raise the first exception of one."""
    failures = Failures(description)
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
