"""Processes that run trials in parallel; handles one that crashes or hangs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from penstock.ir.record import Record
from penstock.runtime.threads import VARIABLE
from penstock.tools.fuzz.calls import chosen
from penstock.tools.fuzz.failure import ENDS, NEVER, importing, made_small, write
from penstock.tools.fuzz.program import written
from penstock.tools.fuzz.trial import Failure
from penstock.tools.fuzz.ways import ways_of

SILENCE = 180.0
"""Seconds without output after which a process counts as hung."""
SERVED = 400
"""Programs after which a process is replaced, since loaded code stays in its memory."""


class Tally(Record, frozen=False):
    """What was run and found so far."""

    programs: int = 0
    compiled: int = 0
    elements: int = 0
    known: int = 0
    followed: int = 0
    refused: int = 0
    ops: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str, str]] = field(default_factory=list)
    """For each: the program's number, the defect, and the command that reproduces it."""

    def add(self, told: dict[str, Any]) -> None:
        """Count one program, from its process's report."""
        self.programs += 1
        self.compiled += told.get("compiled", 0)
        self.elements += told.get("elements", 0)
        self.known += told.get("known", 0)
        self.followed += told.get("followed", 0)
        self.refused += told.get("refused", 0)
        self.ops.update(told.get("ops", {}))
        if "command" in told:
            self.failures.append((told["seed"], told["message"], told["command"]))


class Workers:
    """Runs programs by number on several processes."""

    def __init__(
        self, jobs: int, folder: Path, patterns: Sequence[str], imports: Sequence[str] = (),
        schedules: int = 0, shares: int = 0,
    ) -> None:  # fmt: skip
        self.jobs = jobs
        self.folder = folder
        self.patterns = patterns
        self.imports = imports
        self.schedules, self.shares = schedules, shares
        self.tally = Tally()
        self.open: set[int] = set()
        """The programs that are running, or that an interrupt stopped."""
        self._lock = threading.Lock()
        self._left = threading.Semaphore(0)
        self._processes: set[_Process] = set()
        self._stopped = False
        self._error: BaseException | None = None

    def run(self, seeds: Iterator[int], tell: Callable[[Tally], object]) -> Tally:
        """Run all of them; an interrupt ends the processes, and is raised once they have ended."""
        threads = [
            threading.Thread(target=self._serve, args=(seeds, tell)) for _ in range(self.jobs)
        ]
        try:
            for thread in threads:
                thread.start()
            # If `join` were interrupted, Python would count a running thread as ended.
            for _ in threads:
                self._left.acquire()
        except KeyboardInterrupt:
            self._end()
            raise
        finally:
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        if self._error is not None:
            raise self._error
        return self.tally

    def _end(self) -> None:
        """End all processes, whatever they are doing."""
        with self._lock:
            self._stopped = True
            for process in self._processes:
                process.kill()

    def _begin(self) -> _Process | None:
        """A new process; None if no more are wanted."""
        with self._lock:
            if self._stopped:
                return None
            kinds = [f"--schedules={self.schedules}", f"--ranks={self.shares}"]
            words = [*kinds, *importing(self.imports), *self.patterns]
            process = _Process(self.folder, words)
            self._processes.add(process)
            return process

    def _next(self, seeds: Iterator[int]) -> int | None:
        """The program to run next; None if no more are wanted."""
        with self._lock:
            seed = None if self._stopped else next(seeds, None)
            if seed is not None:
                self.open.add(seed)
            return seed

    def _close(self, process: _Process) -> int:
        code = process.close()
        self._processes.discard(process)
        return code

    def _serve(self, seeds: Iterator[int], tell: Callable[[Tally], object]) -> None:
        process: _Process | None = None
        try:
            while (seed := self._next(seeds)) is not None:
                if process is None or process.served >= SERVED:
                    if process is not None:
                        self._close(process)
                    process = self._begin()
                    if process is None:
                        break
                told = process.ask(seed)
                if told is None and not self._stopped:
                    told = self._ended(seed, process)
                    process = None
                with self._lock:
                    if told is not None:
                        self.open.discard(seed)
                        self.tally.add(told)
                        tell(self.tally)
        except BaseException as error:
            self._stopped, self._error = True, error
        finally:
            if process is not None:
                self._close(process)
            self._left.release()

    def _ended(self, seed: int, process: _Process) -> dict[str, Any]:
        """The report on a program whose process ended or was killed."""
        kind = NEVER if process.killed else ENDS
        program = written(seed, chosen(self.patterns), self.schedules)
        ways = ways_of(seed, self.schedules, self.shares)
        way = next((way for way in ways if way.name == process.way), None)
        code = self._close(process)
        said = f"the process ended with {code}" if kind == ENDS else f"no word for {SILENCE:.0f} s"
        failure = Failure(kind, way, said, program.module, program.inputs)
        small = made_small(failure, seed, self.imports) if way is not None else failure
        kept = write(small, self.folder / f"program-{seed}", program.module, self.imports)
        return {"seed": seed, "message": str(failure), "command": kept.command}


class _Process:
    """One process, and its current program."""

    def __init__(self, folder: Path, arguments: Sequence[str]) -> None:
        words = [sys.executable, "-m", "penstock.tools.fuzz.worker", str(folder), *arguments]
        # Programs run in parallel, so give each few threads.
        environment = {VARIABLE: "2", **os.environ, "PENSTOCK_CACHE": "off"}
        self._popen = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            start_new_session=True,
        )  # fmt: skip
        self.way = ""
        self.served = 0
        self.killed = False

    def ask(self, seed: int) -> dict[str, Any] | None:
        """Run a program; None if the process ends without an answer."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self.served += 1
        self.way = ""
        try:
            self._popen.stdin.write(f"{seed}\n")
            self._popen.stdin.flush()
        except BrokenPipeError:
            return None
        while True:
            timer = threading.Timer(SILENCE, self._tire)
            timer.start()
            line = self._popen.stdout.readline()
            timer.cancel()
            if not line:
                return None
            told: dict[str, Any] = json.loads(line)
            if told.get("done"):
                return told
            self.way = told["way"]

    def _tire(self) -> None:
        self.killed = True
        self.kill()

    def kill(self) -> None:
        """Kill it, and its children."""
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def close(self) -> int:
        """End it; returns its exit code."""
        assert self._popen.stdout is not None
        assert self._popen.stdin is not None
        with suppress(BrokenPipeError):
            self._popen.stdin.close()
        try:
            return self._popen.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()
            return self._popen.wait()
        finally:
            self._popen.stdout.close()
