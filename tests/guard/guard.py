"""What no test may do: leave something behind, wait for a fixed time, or depend on the clock.

`leaves_nothing_behind` compares threads, processes, ports, temporary files, ops and whether garbage
is collected before and after each test, and `its_own_folder` those of the whole run. `findings`
looks for the rest in the tests' source.
"""

from __future__ import annotations

import ast
import gc
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from waiting import until

TESTS = Path(__file__).resolve().parent.parent
PREFIX = "penstock-tests-"
LISTENS = "0A"
"""The listening state of a socket in /proc/net/tcp."""

CALLS = {"sleep"} | {
    f"{kind}{unit}"
    for kind in (
        "time",
        "monotonic",
        "perf_counter",
        "process_time",
        "thread_time",
        "clock_gettime",
    )
    for unit in ("", "_ns")
}
"""Functions of the module `time` that wait or read a clock."""
LONG = 5
"""From this many seconds on, an argument of `join` or `wait` is a timeout, not a fixed wait."""
_IN_TEXT = re.compile(r"\b(?:time\.\w+|u?sleep|threading\.Timer)\(")
"""A call in a program that a test holds as text: in Python, a shell, or LLVM."""

ALLOWED = {
    ("conftest.py", ""): "puts `refuse_sleep` in its place",
    (
        "codegen/objects/test_cache.py",
        "test_leftovers_of_killed_processes_are_removed_after_an_hour",
    ): ("dates a file back; whatever the time is, the outcome is the same"),
    ("crash/interrupted.py", "signalled"): (
        "an interrupt that comes at any moment has the same outcome; that moment is meant to vary"
    ),
    ("misuse/test_processes.py", "SLOW"): (
        "an interrupt that comes at any moment has the same outcome; that moment is meant to vary"
    ),
    ("runtime/mpi/test_failures.py", "test_a_failed_rank_ends_the_job"): (
        "prints how long jobs take to end; nothing depends on that"
    ),
    ("runtime/mpi/test_failures.py", "PROGRAM"): (
        "prints how long jobs take to end; nothing depends on that"
    ),
    ("runtime/mpi/test_failures.py", "KILLED"): (
        "another process waits for a file, whenever that comes"
    ),
    ("runtime/conftest.py", "NATIVE"): (
        "kernels that take long: steps are stopped in the middle of them, whenever that is"
    ),
}
"""File and function -> why it may wait or read a clock. An entry that matches nothing is an
error."""


# -- what is left behind ------------------------------------------------------------------------


class Left(NamedTuple):
    """The resources of a process at one moment."""

    threads: frozenset[threading.Thread]
    processes: frozenset[int]
    sockets: frozenset[str]
    files: frozenset[str]
    ops: frozenset[str]
    collects: bool
    """Whether Python collects garbage by itself."""

    def beyond(self, before: Left) -> list[str]:
        """Descriptions of what was not there before."""
        return [
            *(f"thread {thread.name!r}" for thread in self.threads - before.threads),
            *(f"process {pid}: {command(pid)}" for pid in self.processes - before.processes),
            *(f"port {port}" for port in ports(self.sockets - before.sockets)),
            *(f"file {name}" for name in self.files - before.files),
            *(f"op {name}" for name in self.ops - before.ops),
            *(["garbage collection"] if self.collects > before.collects else []),
        ]


def now() -> Left:
    return Left(
        frozenset(threading.enumerate()) - calling_back(),
        frozenset(children()) - compiling(),
        frozenset(sockets()),
        frozenset(os.listdir(tempfile.gettempdir())),
        frozenset(ops()),
        gc.isenabled(),
    )


def children() -> Iterator[int]:
    """The child processes that have not been waited for."""
    for task in os.listdir("/proc/self/task"):
        with suppress(FileNotFoundError), open(f"/proc/self/task/{task}/children") as file:
            yield from map(int, file.read().split())  # an ended thread has no such file


def compiling() -> frozenset[int]:
    """The compiler process of this one, and those that were told to end.

    It serves whichever test compiles next, and ends by itself.
    """
    compiler = sys.modules.get("penstock.codegen.objects.compiler")
    if compiler is None:
        return frozenset()
    worker = compiler._shared._worker
    return frozenset(compiler._left) | ({worker._pid} if worker is not None else frozenset())


def calling_back() -> frozenset[threading.Thread]:
    """The threads on which callbacks and steps run: they wait for the next one until the process
    ends."""
    homes = (sys.modules.get(f"penstock.process.{name}") for name in ("background", "steps"))
    return frozenset(thread for home in homes if home for thread in home._worker._threads)


def ops() -> Iterator[str]:
    """The registered ops that are not penstock's: many tests iterate over all registered ops."""
    definitions = sys.modules.get("penstock.ir.core")
    for name, cls in definitions.registry.items() if definitions is not None else ():
        if cls.__module__.partition(".")[0] != "penstock":
            yield name


def command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "gone by now"
    return b" ".join(words).decode(errors="replace")[:200] or f"{name}, which nobody waits for"


def sockets() -> Iterator[str]:
    """Inode numbers of this process's sockets. A socket that there was before is not looked at
    again, even if it listens only now."""
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{descriptor}")
        except OSError:
            continue  # the descriptor that listed the folder
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]


def ports(sockets: frozenset[str]) -> Iterator[str]:
    """The addresses on which these sockets listen. Reading the kernel's tables takes
    milliseconds."""
    for table in ("tcp", "tcp6") if sockets else ():
        path = Path("/proc/self/net") / table
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            fields = line.split()
            if fields[3] == LISTENS and fields[9] in sockets:
                yield fields[1]


def check(before: Left, seconds: float = 10) -> None:
    """Fail if there is anything new that doesn't disappear within some seconds.

    A thread whose work is done, or a process that was killed, takes a moment to end.
    """
    left: list[str] = []

    def nothing() -> bool:
        left[:] = now().beyond(before)
        return not left

    try:
        until(nothing, "", seconds)
    except AssertionError:
        pytest.fail(f"left behind: {'; '.join(sorted(left))}", pytrace=False)


@pytest.fixture(autouse=True, scope="session")
def its_own_folder() -> Iterator[None]:
    """A folder for temporary files, also for the programs that tests start.

    At the end it may hold only reproducers.
    """
    before = os.environ.get("TMPDIR")
    # pytest keeps its own folders for a while, so that one can inspect what tests made.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = tempfile.mkdtemp(prefix=PREFIX)
    os.chmod(folder, 0o711)  # some tests run programs as another user
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    # A failing pass keeps a reproducer here, for the user to inspect.
    os.mkdir(os.path.join(folder, f"penstock-{os.getuid()}"), 0o700)
    start = now()._replace(ops=frozenset())  # importing a test module must not define ops either
    yield
    try:
        check(start)
    finally:
        tempfile.tempdir = None
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def leaves_nothing_behind(its_own_folder: None) -> Iterator[None]:
    """Runs before and after all other fixtures of a test; module-scoped resources don't count."""
    before = now()
    yield
    check(before)


# -- what waits, and what decides by the clock --------------------------------------------------


class Finding(NamedTuple):
    file: str
    line: int
    function: str
    call: str


def findings(path: Path) -> Iterator[Finding]:
    """Where a test file, or a program in it, waits for a fixed time or reads a clock."""
    tree = ast.parse(path.read_text())
    name = str(path.relative_to(TESTS)) if path.is_relative_to(TESTS) else path.name
    names = dict(_imported(tree))

    def visit(node: ast.AST, function: str) -> Iterator[Finding]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = node.name
        elif (
            not function and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        ):
            function = node.targets[0].id
        for call in _calls(node, names):
            yield Finding(name, getattr(node, "lineno", 0), function, call)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    yield from visit(tree, "")


def _calls(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=attribute):
            if names.get(module) == "time" and attribute in CALLS:
                yield f"time.{attribute}"
        case ast.Name(id=used) if names.get(used, "").startswith("time."):
            yield names[used]
        case ast.Constant(value=str(text)):
            yield from (match[0].rstrip("(") for match in _IN_TEXT.finditer(text))
        case ast.Call(
            func=ast.Attribute(attr="join" | "wait" as attribute),
            args=[ast.Constant(value=int() | float() as seconds), *_],
        ) if seconds < LONG:
            yield f"{attribute}({seconds})"
        case ast.Call(func=ast.Attribute(attr="Timer")):
            yield "Timer"


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names by which a file imports the module `time`, or functions of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((a.asname or a.name, "time") for a in node.names if a.name == "time")
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            for alias in node.names:
                if alias.name in CALLS:
                    yield alias.asname or alias.name, f"time.{alias.name}"


def refuse_sleep(sleep: Callable[[float], None]) -> Callable[[float], None]:
    """`time.sleep` for tests: their code may not call it, under whatever name."""

    def refused(seconds: float) -> None:
        code = sys._getframe(1).f_code
        path = Path(code.co_filename)
        if path.is_relative_to(TESTS) and path.name != "waiting.py":
            known = (str(path.relative_to(TESTS)), code.co_name)
            assert known in ALLOWED, f"{known} sleeps; wait for an event by `waiting.until`"
        sleep(seconds)

    return refused
