"""The native runtime under ThreadSanitizer, AddressSanitizer and UndefinedBehaviorSanitizer.

C programs beside this file drive it. `PENSTOCK_SANITIZE` says how many rounds each way takes;
`make sanitize` sets it, and then nothing is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from penstock.codegen.native import FOLDER
from penstock.tools.project.native import CLANG, FREESTANDING, STRICT

HERE = Path(__file__).parent
ROUNDS = os.environ.get("PENSTOCK_SANITIZE", "")
TRIES = 20

# What is driven -> the sources of the runtime that it takes, and how it is driven.
DRIVERS = {
    "pool": (("pool",), ("regions", "sleeping", "nested", "throwing", "resizing", "exiting",
                         "forking", "interrupted")),
    "call": (("pool", "call", "taps"), ("calling", "watching", "threads")),
    "library": (("pool", "library"), ("callers", "statuses", "forking")),
}  # fmt: skip
SANITIZERS = ("thread", "address", "undefined")
NOT_WATCHED = {("thread", "forking"), ("thread", "interrupted")}
"""ThreadSanitizer does not support threads in the child of a process with threads, and it delays
signals."""

CASES = [
    (sanitizer, driver, way)
    for sanitizer in SANITIZERS
    for driver, (_, ways) in DRIVERS.items()
    for way in ways
    if (sanitizer, way) not in NOT_WATCHED
]


def compiled(*command: str | Path) -> None:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@cache
def missing(sanitizer: str, folder: Path) -> str:
    """What is not installed that this sanitizer needs; empty where all is."""
    if shutil.which(CLANG) is None:
        return CLANG
    (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
    command = [CLANG, f"-fsanitize={sanitizer}", folder / "nothing.c", "-o", folder / "nothing"]
    run = subprocess.run(command, capture_output=True, check=False)
    return "" if run.returncode == 0 else "libclang-rt-22-dev"


def need(sanitizer: str, folder: Path) -> None:
    package = missing(sanitizer, folder)
    if package and ROUNDS:
        pytest.fail(f"{package} is not installed")
    if package:
        pytest.skip(f"{package} is not installed")


def build(sanitizer: str, driver: str, folder: Path, changed: dict[str, str] | None = None) -> Path:
    """The program that drives sources of the runtime, some of them changed, under a sanitizer."""
    watched = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all", "-g", "-O1", f"-I{FOLDER}"]
    objects = []
    for name in DRIVERS[driver][0]:
        source = folder / f"{name}.c"
        source.write_text((changed or {}).get(name) or source_of(name))
        objects.append(source.with_suffix(".o"))
        compiled(CLANG, *STRICT, *FREESTANDING, *watched, "-c", source, "-o", objects[-1])
    for source in (HERE / f"drive_{driver}.c", HERE / "throws.cpp"):
        objects.append(folder / f"{source.stem}.o")
        compiled(CLANG, "-Wall", "-Wextra", "-Werror", *watched, "-c", source, "-o", objects[-1])
    program = folder / "drive"
    compiled(CLANG, *watched, *objects, "-pthread", "-lstdc++", "-o", program)
    return program


def source_of(name: str) -> str:
    return Path(FOLDER, f"{name}.c").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sanitizers")


@cache
def program(sanitizer: str, driver: str, folder: Path) -> Path:
    place = folder / f"{sanitizer}-{driver}"
    place.mkdir()
    return build(sanitizer, driver, place)


def driven(program: Path, way: str, rounds: str) -> subprocess.CompletedProcess[str]:
    options = ("TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_PRELOAD")
    environment = {name: value for name, value in os.environ.items() if name not in options}
    return subprocess.run(
        [program, way, rounds], env=environment, capture_output=True, text=True, check=False
    )


def is_reported(report: str, program: Path, way: str) -> bool:
    """Whether a sanitizer reports this. A race needs threads that meet, so it gets some tries."""
    return any(report in driven(program, way, "20").stderr for _ in range(TRIES))


@pytest.mark.parametrize(("sanitizer", "driver", "way"), CASES)
def test_a_sanitizer_reports_nothing(sanitizer: str, driver: str, way: str, folder: Path) -> None:
    need(sanitizer, folder)
    rounds = ROUNDS or "5"
    run = driven(program(sanitizer, driver, folder), way, rounds)
    assert run.stderr == ""
    assert (run.returncode, run.stdout) == (0, f"{way} {rounds} done\n")


@pytest.mark.parametrize(
    "old",
    [
        # Of the ticket that deal() writes, of the count of undone tasks, and of the caller's look.
        "atomic_store_explicit(&share->ticket, ticket, memory_order_release)",
        "atomic_fetch_sub_explicit(&pool.undone, done, memory_order_seq_cst)",
        "(!atomic_load_explicit(&pool.undone, memory_order_acquire))",
    ],
)
def test_a_weaker_memory_order_is_detected(old: str, folder: Path, tmp_path: Path) -> None:
    need("thread", folder)
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("on one CPU the threads of the pool hardly meet")
    text = source_of("pool")
    assert text.count(old) == 1
    order = old[old.index("memory_order_") :].rstrip(")")
    weaker = text.replace(old, old.replace(order, "memory_order_relaxed"))
    program = build("thread", "pool", tmp_path, {"pool": weaker})
    assert is_reported("data race", program, "regions")


@pytest.mark.parametrize(
    ("sanitizer", "name", "old", "way", "report"),
    [
        ("address", "taps", "        Py_IncRef(handlers);\n", "watching", "heap-use-after-free"),
        ("address", "taps", "    Py_DecRef(number);\n", "watching", "objects are left"),
        (
            "thread",
            "call",
            "    PyEval_RestoreThread(run->state); /* taps may have changed it */\n",
            "threads",
            "data race",
        ),
    ],
)
def test_a_missing_reference_or_lock_is_detected(
    sanitizer: str, name: str, old: str, way: str, report: str, folder: Path, tmp_path: Path
) -> None:
    need(sanitizer, folder)
    text = source_of(name)
    assert text.count(old) == 1
    program = build(sanitizer, "call", tmp_path, {name: text.replace(old, ";\n")})
    assert is_reported(report, program, way)
