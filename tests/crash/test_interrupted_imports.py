"""An interrupted import can be repeated, and jobs compiled after it are correct.

PENSTOCK_INTERRUPT_ALL=1 adds the second half: every module alone, and real signals.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.tools.project import view

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("interrupted.py")
ALL = os.environ.get("PENSTOCK_INTERRUPT_ALL") == "1"
long = pytest.mark.skipif(not ALL, reason="takes minutes: PENSTOCK_INTERRUPT_ALL=1 runs it")
SOME = (
    "penstock.ir.dialects.arith",
    "penstock.ir.dialects.flow.windows.conv",
    "penstock.trace.tracing",
)
"""Modules that every job imports, even one whose code is cached."""


def modules() -> list[str]:
    """Import names of our modules, without the commands."""
    return [
        ".".join((package, *(part for part in path.with_suffix("").parts if part != "__init__")))
        for package, folder in view.package_folders(ROOT).items()
        for path in sorted(path.relative_to(folder) for path in folder.rglob("*.py"))
        if folder.name != "tools"
    ]


def program(*words: object) -> str:
    run = subprocess.run(
        [sys.executable, str(PROGRAM), *map(str, words)],
        text=True,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("part", [1, pytest.param(0, marks=long), pytest.param(0.5, marks=long)])
def test_every_module_interrupted_once(part: float) -> None:
    """At the end, at the first line, and in the middle."""
    program("each", part, "penstock.jobs.job", *modules())


def test_one_module_interrupted() -> None:
    """No later interrupt repeats imports that may hold stale objects."""
    assert int(program("once", *SOME)) == len(SOME)


def test_an_interrupt_of_a_member_that_is_named() -> None:
    """Before Python 3.12 it comes as a RuntimeError."""
    assert program("naming").split() == ["interrupted", "interrupted"]


@long
def test_any_one_module_interrupted() -> None:
    assert int(program("once", *modules())) > 200


@long
def test_signals() -> None:
    print(program("signals", 200))
