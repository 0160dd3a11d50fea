"""The guard finds what it is meant to find, and nothing in the present tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from guard import ALLOWED, TESTS, Finding, findings
from waiting import until

SOURCES = sorted(path for path in TESTS.rglob("*.py") if path.name != "waiting.py")

CONFTEST = f"""
import sys, time
sys.path.insert(0, {str(TESTS / "guard")!r})
import guard
from guard import its_own_folder, leaves_nothing_behind
guard.TESTS = __import__("pathlib").Path(__file__).parent
time.sleep = guard.refuse_sleep(time.sleep)
plain = guard.check
guard.check = lambda before, seconds=0: plain(before, min(seconds, 0.1))
"""


def outcome(folder: Path, test: str, *words: str, **others: str) -> tuple[int, str]:
    """Exit code and output of pytest on a file with one test, and on others by their names."""
    (folder / "conftest.py").write_text(CONFTEST)
    files = {"test_it": test, **others}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", TESTS.parent / "setup.cfg", "--rootdir",
         folder, "-p", "no:cacheprovider", *words, *(folder / f"{name}.py" for name in files)],
        capture_output=True, text=True, check=False, cwd=folder,
        env=os.environ | {"TMPDIR": str(folder)},  # a run that is stopped leaves files there
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


OP = """
from penstock.ir.core import Operation
def define():
    class Left(Operation):
        "An op."
        name = "mine.left"
"""
LEFT = {
    "thread 'left'": """
import threading
def test_it():
    threading.Thread(target=threading.Event().wait, name="left", daemon=True).start()
""",
    r"process \d+: sleep 600": """
import pathlib, subprocess
def test_it():
    global child
    child = subprocess.Popen(["sleep", "600"])
    # For a moment after exec the kernel has no command line of it to show.
    while not pathlib.Path(f"/proc/{child.pid}/cmdline").read_text():
        pass
def teardown_module():
    child.kill()
    child.wait()
""",
    r"process \d+: .*, which nobody waits for": """
import os
def test_it():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
""",
    "port [0-9A-F:]+": """
import socket
def test_it():
    global listener
    listener = socket.create_server(("127.0.0.1", 0))
def teardown_module():
    listener.close()
""",
    "file left": """
import os, tempfile
def test_it():
    open(os.path.join(tempfile.gettempdir(), "left"), "w").close()
""",
    "op mine.left": f"""{OP}
def test_it():
    define()
""",
    "garbage collection": """
import gc
gc.disable()
def test_it():
    gc.enable()
""",
}


def test_leftovers_are_found(tmp_path: Path) -> None:
    first, *others = LEFT.values()
    code, said = outcome(tmp_path, first, **{f"test_{i}": text for i, text in enumerate(others)})
    assert code == 1, said
    assert f"{len(LEFT)} passed, {len(LEFT)} errors" in said
    for what in LEFT:
        assert re.search(f"left behind: {what}", said), (what, said)


def test_an_op_of_a_module_is_found_at_the_end(tmp_path: Path) -> None:
    code, said = outcome(tmp_path, f"{OP}\ndefine()\ndef test_it():\n    pass\n")
    assert code == 1, said
    assert "left behind: op mine.left" in said


def test_cleaned_up_resources_are_not_reported(tmp_path: Path) -> None:
    code, said = outcome(
        tmp_path,
        """
import socket, subprocess, tempfile, threading
def test_it(tmp_path):
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
    subprocess.run(["true"], check=True)
    socket.create_server(("127.0.0.1", 0)).close()
    tempfile.TemporaryDirectory().cleanup()
    (tmp_path / "kept").write_text("pytest keeps it")
""",
    )
    assert code == 0, said


def test_penstocks_own_resources_are_not_reported(tmp_path: Path) -> None:
    """Neither the callback thread, which waits for more, nor reproducers are findings."""
    code, said = outcome(
        tmp_path,
        """
from penstock.process.background import run_in_background, wait_for_callbacks
from penstock.passes import reproducer
def test_it():
    run_in_background(print, 1)
    wait_for_callbacks()
    reproducer.write("", "", "failed", "")
""",
    )
    assert code == 0, said


def test_a_test_that_sleeps_fails(tmp_path: Path) -> None:
    code, said = outcome(tmp_path, "import time\ndef test_it():\n    getattr(time, 'sleep')(0)\n")
    assert code == 1
    assert "('test_it.py', 'test_it') sleeps; wait for an event" in said


def test_a_test_that_hangs_ends_with_its_stack(tmp_path: Path) -> None:
    """The other tests run nevertheless."""
    code, said = outcome(
        tmp_path,
        "import threading\n"
        "def test_it():\n    threading.Event().wait()\n"
        "def test_other():\n    pass\n",
        "-o", "faulthandler_timeout=1", "-n", "1",
    )  # fmt: skip
    assert code == 1, said
    assert "Timeout" in said
    assert 'test_it.py", line 3 in test_it' in said
    assert "1 failed, 1 passed" in said


def test_each_file_has_a_limit(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("faulthandler_timeout")) >= 300
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True


SOURCE = """
import threading, time as clock
from time import perf_counter as seconds
PROGRAM = "import time; time.sleep(3)"
def test_it():
    assert seconds() - clock.monotonic() < 1
    thread.join(0.5)
    thread.join(60)
    threading.Timer(1, print)
    time.sleep(1)  # of another module
"""


def test_waiting_and_clock_reading_is_found(tmp_path: Path) -> None:
    path = tmp_path / "test_one.py"
    path.write_text(SOURCE)
    assert [(one.line, one.function, one.call) for one in findings(path)] == [
        (4, "PROGRAM", "time.sleep"),
        (6, "test_it", "time.perf_counter"),
        (6, "test_it", "time.monotonic"),
        (7, "test_it", "join(0.5)"),
        (9, "test_it", "Timer"),
    ]


def in_tests() -> Iterator[Finding]:
    for path in SOURCES:
        if path.name != Path(__file__).name:
            yield from findings(path)


def test_no_test_waits_or_reads_a_clock_but_with_a_reason() -> None:
    found = list(in_tests())
    assert [one for one in found if (one.file, one.function) not in ALLOWED] == []
    assert {(one.file, one.function) for one in found} == set(ALLOWED)


def test_conditions_that_never_hold_are_named() -> None:
    with pytest.raises(AssertionError, match="waited 0 seconds in vain: the tide"):
        until(lambda: False, "the tide", seconds=0)
