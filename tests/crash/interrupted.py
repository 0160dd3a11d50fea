"""A process whose imports are interrupted and which then runs a job. The tests start it.

`each PART MODULES` interrupts the import of every module once, after that fraction of its lines.
`once MODULES` interrupts one import per job. `signals COUNT` sends that many real signals to new
processes, each slightly later than the last.
"""

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import CodeType, FrameType
from typing import Any

import numpy as np

X = np.linspace(-2, 2, 20, dtype=np.float32).reshape(4, 5)


def run() -> None:
    """The first job of a process: one contraction, so that most of the compiler is imported."""
    import penstock as flow
    import penstock.typing as tp

    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
        return flow.math.tanh(flow.matmul(x, x, transpose_b=True))

    np.testing.assert_allclose(job(X), np.tanh(X @ X.T), rtol=1e-5)


class Interrupter:
    """Raises KeyboardInterrupt once in each imported module, or in only one."""

    def __init__(self, part: float, only: str = "") -> None:
        self.part = part
        """The fraction of a module's lines that run before; 1 for all of them."""
        self.only = only
        """The name of the only module to interrupt."""
        self.done: set[str] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        name = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_name != "<module>" or not name.startswith("penstock"):
            return None
        if name in self.done or self.only not in ("", name):
            return None
        return partial(self.interrupt, name, self.line(frame.f_code))

    def interrupt(
        self, name: str, line: int, frame: FrameType, event: str, argument: Any
    ) -> Callable[..., object] | None:
        """The trace function of a module: raises at that line, or at the end if the module ends
        before.
        """
        if event == "exception" and argument[0] is KeyboardInterrupt:
            return nothing
        if event == "return" or (event == "line" and self.part < 1 and frame.f_lineno >= line):
            self.done.add(name)
            raise KeyboardInterrupt(name)
        return None

    def line(self, code: CodeType) -> int:
        lines = sorted({line for *_, line in code.co_lines() if line})
        return lines[int(self.part * (len(lines) - 1))]


def nothing(*_: object) -> None:
    """The trace function of a module that is not interrupted itself."""


def tries(use: Callable[[], object], interrupter: Interrupter) -> int:
    """How many times `use` was interrupted before it completed."""
    count = 0
    while True:
        sys.settrace(interrupter)
        try:
            use()
            return count
        except KeyboardInterrupt:
            count += 1
        finally:
            sys.settrace(None)


def interrupt_naming(frame: FrameType, event: str, argument: object) -> None:
    """Raises KeyboardInterrupt where a class of ours tells the first of its members its name."""
    outside = frame.f_back
    while outside is not None and not str(outside.f_globals.get("__name__")).startswith("penstock"):
        outside = outside.f_back
    if frame.f_code.co_name == "__set_name__" and outside is not None:
        sys.settrace(None)
        raise KeyboardInterrupt


def naming() -> None:
    """Interrupt the naming of a member, first in an import of the user's, then in a first job."""
    import penstock as flow

    for use in (lambda: flow.global_function, run):
        sys.settrace(interrupt_naming)
        try:
            use()
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted")
        finally:
            sys.settrace(None)
    run()
    check_registry()


def check_registry() -> None:
    """Every registered op is the class that its module currently has."""
    from penstock.ir.opdef import registry

    stale = [
        cls
        for cls in registry.values()
        if vars(sys.modules[cls.__module__])[cls.__name__] is not cls
    ]
    assert not stale, stale


def started() -> None:
    """Run the job again until it is not interrupted."""
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    count = 0
    for _ in range(2):
        try:
            run()
        except KeyboardInterrupt:
            count += 1
    run()
    check_registry()
    print(count)


def signalled(count: int) -> None:
    """Interrupt this many processes; returns how many were in the middle of their first job."""
    hit = 0
    for number in range(count):
        process = subprocess.Popen(
            [sys.executable, __file__, "started"], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(1.2 * number / count)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate()
        if process.returncode == 0:
            hit += int(said)
        else:
            assert process.returncode in (130, -signal.SIGINT), (number, process.returncode)
    print(f"{count} signals, {hit} in the first job, none did harm")


def each(part: float, modules: list[str]) -> None:
    """Interrupt every module once, at that part of its lines; then run a job."""
    interrupter = Interrupter(part)
    count = sum(tries(partial(import_module, name), interrupter) for name in modules)
    assert count == len(interrupter.done)
    assert interrupter.done >= {*modules} - {"penstock"}
    run()
    check_registry()


def one(module: str) -> int:
    """1 if the import of that module was interrupted in a job, which then ran; 2 if it was not."""
    try:
        count = tries(run, Interrupter(1, module))
        check_registry()
    except Exception:
        traceback.print_exc()
        return 2
    return count


def once(modules: list[str]) -> None:
    """Interrupt the import of one module for a job, in a process of its own for each."""
    hit = 0
    for name in modules:
        child = os.fork()
        if child == 0:
            os._exit(one(name))
        count = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert count in (0, 1), name
        hit += count
    print(hit)


def main(mode: str, *words: str) -> None:
    if mode == "each":
        each(float(words[0]), list(words[1:]))
    elif mode == "once":
        once(list(words))
    elif mode == "started":
        started()
    elif mode == "naming":
        naming()
    else:
        signalled(int(words[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
