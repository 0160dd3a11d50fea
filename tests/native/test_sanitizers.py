"""The native runtime under ThreadSanitizer, AddressSanitizer and UndefinedBehaviorSanitizer.

C programs in this folder drive it. `PENSTOCK_SANITIZE` sets the number of rounds; `make sanitize`
sets it, and then nothing is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from penstock.codegen.native import FOLDER
from penstock.tools.project.native import CLANG, FREESTANDING, STRICT

HERE = Path(__file__).parent
ROUNDS = os.environ.get("PENSTOCK_SANITIZE", "")
TRIES = 20

# Program -> the sources of the runtime that it needs, and its modes.
DRIVERS = {
    "pool": (("pool",), ("regions", "sleeping", "nested", "throwing", "resizing", "exiting",
                         "forking", "interrupted")),
    "call": (("pool", "call", "memory", "taps"), ("calling", "watching", "recycling", "threads")),
    "ranks": (("ranks",), ("exchanging", "deferring")),
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
    """The missing requirements of this sanitizer; empty if there are none."""
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
    """Build the program for a sanitizer, with possibly changed sources of the runtime."""
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
    """Whether a sanitizer reports this. A race needs an unlucky interleaving, so it gets several
    tries.
    """
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
        # The ticket that deal() writes, the count of unfinished tasks, and the caller's load of it.
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


# Ops on tensors call too much of CPython for a driver to imitate, so Python itself drives them.
DRIVE_TENSORS = """
import sys, pytest
from penstock.runtime.native import helpers
with open(sys.argv[1], "rb") as file: helpers.install_once(file.read)
sys.exit(pytest.main(["-q", "-s", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""
TENSOR_TESTS = HERE.parent / "frontend" / "tensors" / "test_native.py"


def drive_tensors(
    folder: Path, selected: str, changed: tuple[str, str] = ("", "")
) -> subprocess.CompletedProcess[str]:
    """Run tests of native ops on tensors with sanitized code, perhaps changed."""
    need("address", folder)
    sources = []
    for name in ("pool", "call", "memory", "taps", "eager", "change", "backward"):
        sources.append(folder / f"{name}.c")
        text = source_of(name)
        sources[-1].write_text(text.replace(*changed) if changed[0] else text)
    image = folder / "natives.so"
    watched = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-shared-libsan")
    shared = ("-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,nodelete")
    style = ("-std=c17", "-fno-strict-aliasing", "-g", "-O1", f"-I{FOLDER}")
    compiled(CLANG, *style, *watched, *shared, *sources, "-o", image)
    library = subprocess.run(
        [CLANG, "-print-file-name=libclang_rt.asan-x86_64.so"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    environment = {
        **os.environ,
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0:detect_odr_violation=0",  # Python keeps much to its end
        "PYTHONMALLOC": "malloc",
        "TMPDIR": str(folder),  # for what a process leaves that a sanitizer ended
    }
    command = [sys.executable, "-c", DRIVE_TENSORS, image, TENSOR_TESTS, "-k", selected]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_sanitizer_reports_nothing_of_ops_on_tensors(folder: Path, tmp_path: Path) -> None:
    run = drive_tensors(
        tmp_path, "test_" if ROUNDS else "cycles or hooks or changed or crash or views"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "old",
    ["PyTuple_SetItem(saved, 4 * i + j, share(values[j]))", "follow(pass, edge, share(found))"],
)
def test_a_missing_reference_of_ops_on_tensors_is_detected(old: str, tmp_path: Path) -> None:
    assert (source_of("eager") + source_of("backward")).count(old) == 1
    unshared = old.replace("share(values[j])", "values[j]").replace("share(found)", "found")
    run = drive_tensors(tmp_path, "TestGradients", (old, unshared))
    assert "heap-use-after-free" in run.stdout + run.stderr
