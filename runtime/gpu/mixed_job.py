"""A job on the CPU and on a device: native code, in whose steps the device runs sections."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from penstock.runtime.description import Argument, Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.interrupts import HeldSignals
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.gpu.backend import Array
from penstock.runtime.gpu.device_job import tell
from penstock.runtime.gpu.device_variables import variables_of
from penstock.runtime.gpu.loaded_code import LoadedCode, Ready
from penstock.runtime.store.variables import VariableStore

__all__ = ["MixedJob", "Order", "check_copies", "whole"]


Order = Mapping[str, Sequence[str]]
"""The names of a job's feeds, variables and fetches, by the words feed, variable and fetch."""


def whole(host: Description, device: Description, order: Order) -> Description:
    """The interface of a job of two parts.

    Taps of the device follow those of the host.
    """
    known: dict[tuple[str, str], Argument] = {}
    for part in (device, host):
        known.update({(a.role, a.name): a for a in part.arguments if a.name})
    roles = ("feed", "variable", "fetch")
    taps = [tap._replace(id=number) for number, tap in enumerate((*host.taps, *device.taps))]
    own = [callout for callout in host.callouts if callout.copy < 0]
    return host._replace(
        arena_bytes=0,
        arguments=tuple(known[role, name] for role in roles for name in order[role]),
        taps=tuple(taps),
        callouts=tuple(callout._replace(id=number) for number, callout in enumerate(own)),
    )


def check_copies(host: Description, device: Description) -> None:
    """Raise ValueError unless either part gives the values that the other takes."""
    ends = [{(c.copy, bool(c.operands)) for c in part.copies} for part in (host, device)]
    if ends[0] != {(number, not gives) for number, gives in ends[1]}:
        raise ValueError(f"the parts of job {host.job!r} do not copy the same values; rebuild it")


class MixedJob(Runnable):
    """A job on the CPU and on a device. One step runs at a time on a device.

    The host's code runs, and has the device run each section as soon as it has given what the
    section takes; it waits where it takes what the device gives. So either may compute while the
    other does. No variable changes before the last copy and the last call-out, behind which the
    host cannot fail. Then the device changes its variables, beside what the host still computes;
    before the host changes its own, it waits for the device. So a step that fails has changed no
    variable on the host, and others only where they are lost with the device. Handlers of blobs on
    the CPU run in the middle of the step, those of the device after it.
    """

    unprofiled = "runs on the CPU and on a GPU and cannot be profiled; place it on the CPU"

    def __init__(self, host: Executable, code: LoadedCode, order: Order) -> None:
        """Raises ValueError for parts that do not fit."""
        super().__init__(whole(host.description, code.description, order))
        self._host = host
        self._code = code
        check_copies(*self._parts)
        self._step: _Step | None = None
        copies = {
            callout.copy: partial(self._copy, callout.copy, bool(callout.operands))
            for callout in host.description.copies
        }
        host.copy_with(copies, self._settling)
        if not self.description.callouts:
            self.provide({})

    @property
    def _parts(self) -> tuple[Description, Description]:
        return self._host.description, self._code.description

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._host.provide({name: self._interruptible(each) for name, each in functions.items()})

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        count = len(self._host.description.taps)
        calls = {tap: tuple(each) for tap, each in (handlers or {}).items() if each}
        on_host = {
            tap: [self._interruptible(each) for each in functions]
            for tap, functions in calls.items()
            if 0 <= tap < count
        }
        others = {tap - count: functions for tap, functions in calls.items() if tap not in on_host}
        self._code.check_taps(others)
        given = {
            feed.name: array for feed, array in zip(self.description.feeds, arrays, strict=True)
        }
        hosts, devices = ([given[feed.name] for feed in part.feeds] for part in self._parts)
        found: dict[str, Array] = {}

        def step() -> None:
            with self._code.listening(others) as listened:
                signals = HeldSignals()
                signals.hold()
                try:
                    shown: list[tuple[int, Array]] = []

                    def beside(run: Callable[[], None]) -> None:
                        made, blobs = self._on_both(run, devices, store, listened, signals)
                        found.update(self._named(1, made))
                        shown.extend(blobs)

                    on_cpu = self._host.run_within(beside, hosts, store, on_host)
                    found.update(self._named(0, on_cpu))
                    tell(self._code.description, others, shown, signals)
                finally:
                    signals.release()

        def turn() -> None:
            self._take_turn(store, step, calls_back=bool(calls or self.description.callouts))

        if calls:
            self._nested(turn)
        else:
            turn()
        return [found[fetch.name] for fetch in self.description.fetches]

    def _named(self, part: int, arrays: Sequence[Array]) -> dict[str, Array]:
        fetches = self._parts[part].fetches
        return {fetch.name: array for fetch, array in zip(fetches, arrays, strict=True)}

    def _on_both(
        self,
        run: Callable[[], None],
        arrays: Sequence[Array],
        store: VariableStore,
        listened: tuple[frozenset[int], int],
        signals: HeldSignals,
    ) -> tuple[list[Array], list[tuple[int, Array]]]:
        """Run a step; the device's results, and its blobs that are listened to."""
        job, device = self.description.job, self._code.device
        hosts, own = (
            [store.ensure(variable, job) for variable in part.variables] for part in self._parts
        )
        keeper = variables_of(store)
        try:
            with keeper.lock, device.lock:
                if self._step is not None:
                    raise DeviceError(
                        "it is run by a handler of its own, and has one set of buffers on "
                        f"{device.name}; run it after the step"
                    )
                ready = self._code.ready(store, keeper, own, listened)
                ready.memory.fill(arrays)
                undo: list[Callable[[], None]] = []
                if device.stops_midway:
                    keeper.refresh([variable.name for variable in self._parts[0].variables])
                    saved = [array.copy() for array in hosts]
                    undo += [self._code.save(keeper, own).restore]
                    undo += [partial(np.copyto, a, b) for a, b in zip(hosts, saved, strict=True)]
                self._step = step = _Step(ready, signals)
                try:
                    step.begin()
                    if not self._host.description.callouts:
                        step.decide()
                        step.settle()
                    run()
                    step.decide()
                    step.settle()
                except BaseException:
                    step.abandon()
                    for each in undo:
                        each()
                    raise
                finally:
                    self._step = None
                keeper.stepped(device, [v.name for v in self._parts[1].variables if v.updated])
                ready.memory.take_back(arrays)
                return ready.memory.results(), ready.blobs()
        except DeviceError as error:
            raise error.within(f"job {job!r}") from None

    def _copy(self, number: int, gives: bool, address: int) -> None:
        """What the host's code calls at a copy, with the address of a list of one buffer."""
        assert self._step is not None
        (pointer,) = (ctypes.c_void_p * 1).from_address(address)
        self._step.copy(number, gives, pointer or 0)

    def _settling(self, called: list[Callable[[int], None]]) -> list[Callable[[int], None]]:
        """What the host calls: behind the last call it cannot fail; at last it is about to change a
        variable."""
        if not self._host.description.copies:
            return called
        *others, last = called

        def decides(address: int) -> None:
            last(address)
            assert self._step is not None
            self._step.decide()

        def settles(_: int) -> None:
            assert self._step is not None
            self._step.settle()

        return [*others, decides, settles]

    def _interruptible(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the program, in which signals arrive at once."""

        def called(*arguments: Any) -> Any:
            signals = None if self._step is None else self._step.signals
            if signals is None:
                return function(*arguments)
            signals.in_handler = True
            try:
                return function(*arguments)
            finally:
                signals.in_handler = False

        return called


class _Step:
    """What the device has run of a step."""

    def __init__(self, ready: Ready, signals: HeldSignals) -> None:
        self.signals = signals
        self._memory = ready.memory
        self._sections = ready.sections
        self._section_of = {
            number: place for place, one in enumerate(ready.sections) for number in one.gives
        }
        self._given: set[int] = set()
        self._done: set[tuple[int, bool]] = set()
        self._started = self._waited = 0
        self._is_decided = False
        """Whether the device may change variables."""

    def begin(self) -> None:
        """Start what takes nothing from the host."""
        self._given.clear()
        self._done.clear()
        self._started = self._waited = 0
        self._is_decided = False
        self._go_on()

    def copy(self, number: int, gives: bool, pointer: int) -> None:
        """Take from the host, or give it, what is at an address."""
        if (number, gives) in self._done:
            # A signal stopped the host before it had changed a variable, and it starts again.
            self._wait()
            self.begin()
        self._done.add((number, gives))
        staged = self._memory.copied[number]
        if gives:
            ctypes.memmove(staged.ctypes.data, pointer, staged.nbytes)
            self._given.add(number)
            self._go_on()
        else:
            place = self._section_of[number]
            assert place < self._started, "both parts copy in the order of the job"
            self._sections[place].code.finish()
            ctypes.memmove(pointer, staged.ctypes.data, staged.nbytes)

    def decide(self) -> None:
        """Let the device change variables: the host cannot fail any more."""
        self._is_decided = True
        self._go_on()

    def settle(self) -> None:
        """Wait until the device is done; DeviceError if it is lost."""
        assert self._started == len(self._sections), "the last copy has been made"
        self._wait()

    def abandon(self) -> None:
        """Wait for what runs, whose results nobody needs."""
        try:
            self._wait()
        except DeviceError:
            return  # the step has failed already, and says why

    def _go_on(self) -> None:
        """Start the sections that have all that they take."""
        while self._started < len(self._sections):
            section = self._sections[self._started]
            is_early = section.changes and not self._is_decided
            if is_early or not self._given.issuperset(section.takes):
                return
            section.code.start(waits=section.overwrites)
            self._started += 1

    def _wait(self) -> None:
        if self._waited < self._started:
            self._sections[self._started - 1].code.finish()
            self._waited = self._started
