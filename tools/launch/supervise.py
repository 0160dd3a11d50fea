"""Runs the launcher of a job's ranks and ends the job if one of them is stopped."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence

from penstock.tools.launch.processes import ENDED, STOPPED, Process, process, ranks_below

_LOOK = 0.2
"""Seconds between two looks at the states of the ranks."""
_LOOKS = 10
"""Looks in a row at which a rank may be stopped."""
_LAST = 1.0
"""Seconds that a job has to end before its launcher is killed."""
_FATAL = (
    signal.SIGKILL,
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGABRT,
)
"""Signals that end a rank before it can say why."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def supervise(command: Sequence[str], variables: Mapping[str, str], ranks: int) -> int:
    """The exit code of a command that starts so many ranks.

    It ends with this process, and is not 0 if a rank failed.
    """
    # In a session of its own, so that Ctrl-C interrupts this process alone, which ends the others.
    with subprocess.Popen(
        command, env=variables, preexec_fn=_end_with_parent, start_new_session=True
    ) as launcher:
        watch = _Watch(launcher, ranks)
        try:
            code = watch.until_end()
        except BaseException:
            launcher.kill()  # first, since it would report each rank that ends
            _end(launcher, watch.known.values())
            raise
    return 128 - code if code < 0 else code


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)


class _Watch:
    """The ranks that a launcher has started on this machine."""

    def __init__(self, launcher: subprocess.Popen[bytes], ranks: int) -> None:
        self._launcher = launcher
        self._ranks = ranks
        self._descriptors = {os.pidfd_open(launcher.pid): -1}
        self._poll = select.poll()
        self._poll.register(next(iter(self._descriptors)), select.POLLIN)
        self._stopped: dict[int, int] = {}
        self._is_ending = False
        self._unseen: int | None = None
        """The first rank that has ended, if the launcher took its exit code before we saw it."""
        self.known: dict[int, Process] = {}

    def until_end(self) -> int:
        """Watch until the launcher ends; its exit code."""
        try:
            while self._launcher.poll() is None:
                self._look_for_ranks()
                self._look_for_ended(_LOOK)
                self._look_for_stopped()
            self._look_for_ended(0)
            code = self._launcher.returncode
            if self._unseen is not None:
                self._tell_of_unseen(self._unseen, code)
            return code
        finally:
            for descriptor in self._descriptors:
                os.close(descriptor)

    def _look_for_ranks(self) -> None:
        if len(self.known) == self._ranks:
            return
        for rank, found in ranks_below(self._launcher.pid).items():
            if rank in self.known:
                continue
            try:
                descriptor = os.pidfd_open(found.number)
            except ProcessLookupError:
                continue
            self.known[rank] = found
            self._descriptors[descriptor] = rank
            self._poll.register(descriptor, select.POLLIN)

    def _look_for_ended(self, seconds: float) -> None:
        ended = [descriptor for descriptor, _ in self._poll.poll(1000 * seconds)]
        # The launcher ends because of a rank, so it never ends first.
        for descriptor in sorted(ended, key=lambda one: self._descriptors[one] < 0):
            self._ended(descriptor)

    def _ended(self, descriptor: int) -> None:
        """Tell of the first rank that ends if a signal has ended it."""
        self._poll.unregister(descriptor)
        rank = self._descriptors[descriptor]
        is_first, self._is_ending = not self._is_ending, True
        if not is_first or rank < 0:
            return
        found = process(self.known[rank].number)
        if found is None or found.state not in ENDED:
            self._unseen = rank
            return
        code = os.waitstatus_to_exitcode(found.exit_code)
        if code < 0:
            self._tell(f"rank {rank} of {self._ranks} was ended by {signal.Signals(-code).name}")

    def _tell_of_unseen(self, rank: int, code: int) -> None:
        """Tell what the launcher's exit code says of a rank: MPICH's is the number of its signal,
        that of others is 128 more, as in a shell."""
        number = code - 128 if code > 128 else code
        if number in _FATAL:
            name = signal.Signals(number).name
            self._tell(f"rank {rank} of {self._ranks} was ended by {name}, or ended with {code}")

    def _look_for_stopped(self) -> None:
        for rank, known in self.known.items():
            found = process(known.number)
            if found is None or found.state != STOPPED:
                self._stopped.pop(rank, None)
                continue
            self._stopped[rank] = self._stopped.get(rank, 0) + 1
            if self._stopped[rank] > _LOOKS:
                self._tell(
                    f"rank {rank} of {self._ranks}, process {known.number}, is stopped, so the "
                    "others would wait for it without end: the job ends"
                )
                _end(self._launcher, self.known.values())
                return

    def _tell(self, text: str) -> None:
        print(f"penstock: {text}", file=sys.stderr, flush=True)


def _end(launcher: subprocess.Popen[bytes], ranks: Iterable[Process]) -> None:
    """End the ranks, of which some may be stopped, and then the launcher."""
    for rank in ranks:
        with contextlib.suppress(ProcessLookupError):
            os.kill(rank.number, signal.SIGKILL)
    for kill in (launcher.terminate, launcher.kill):
        try:
            launcher.wait(_LAST)
            return
        except subprocess.TimeoutExpired:
            kill()
