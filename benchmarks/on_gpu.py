"""Everything that only a GPU can tell, in the order of its value: `make gpu`.

    python benchmarks/on_gpu.py
    python benchmarks/on_gpu.py --minutes 9
    python benchmarks/on_gpu.py --device gpu-sim --folder build/gpu-sim

Steps run one after another, each in a process of its own with a limit of time, so one that fails or
hangs costs no other. What they print goes to files in the folder, too, as it is printed. A second
run does what is left: steps that are done, tests that passed, forms that are recorded and rows of
the table that were measured are not run again, unless `--again` says so. Forms are recorded in
`tests/runtime/gpu/recorded`, of which the folder gets a copy.
"""

from __future__ import annotations

import argparse
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "tests" / "runtime" / "gpu" / "recorded"
PASSED = (
    re.compile(r"PASSED (tests/\S+?\.py::.+)$"),  # of several workers
    re.compile(r"(tests/\S+?\.py::.+) PASSED +\[ *\d+%\]$"),
)
"""How pytest says that a test has passed."""
GRACE = 10.0
"""Seconds that a process has to end by itself."""


class Step(NamedTuple):
    """One part of the run."""

    name: str
    minutes: float
    """Its limit."""
    command: Callable[[argparse.Namespace], list[str]]
    what: str


def _python(*words: str) -> list[str]:
    return [sys.executable, *words]


def _device(given: argparse.Namespace) -> list[str]:
    return _python("benchmarks/gpu.py", "--device", given.device, "--check")


def _forms(given: argparse.Namespace) -> list[str]:
    command = _python("tests/runtime/gpu/instruction_forms.py", "--device", given.device)
    if given.device != "gpu":
        command += ["--folder", str(given.folder / "recorded")]
    return command


def _tests(*paths: str) -> Callable[[argparse.Namespace], list[str]]:
    def command(given: argparse.Namespace) -> list[str]:
        words = ["-m", "pytest", "-v", "--tb=short", "-p", "no:cacheprovider", *paths]
        if given.workers > 1:
            words += ["-n", str(given.workers)]
        for path in paths:
            words += [f"--deselect={name}" for name in passed(given.folder) if path in name]
        return _python(*words)

    return command


def _times(*only: str) -> Callable[[argparse.Namespace], list[str]]:
    def command(given: argparse.Namespace) -> list[str]:
        words = ["benchmarks/gpu.py", "--device", given.device]
        words += ["--save", str(given.folder / "times.jsonl")]
        chosen = only
        if given.device != "gpu":
            words += ["--shrink", "512", "--seconds", "0.001"]
            chosen = tuple(re.split(r" \d", name)[0] for name in only)  # without sizes
        return _python(*words, *(["--only", *chosen] if chosen else []))

    return command


STEPS = (
    Step("device", 1, _device, "whether there is one"),
    Step("forms", 8, _forms, "each form of instruction, recorded"),
    Step("jobs", 8, _tests("tests/frontend/gpu"), "jobs and training, beside the CPU"),
    Step("aims", 6, _times(
        "copy 8192x8192", "gemm bf16 8192x8192x8192", "attention forward 4x16x4096 D128",
        "RMS norm 8192x8192", "softmax 8192x8192",
    ), "times of what is aimed at"),
    Step("ops", 12, _tests("tests/conformance/test_on_gpu.py"), "every op, beside float64"),
    Step("products", 10, _times("copy", "gemm"), "times of products"),
    Step("attention", 5, _times("attention"), "times of attention"),
    Step("rows", 5, _times("copy", "elementwise", "softmax", "norm"), "times of what moves data"),
    Step("networks", 8, _times("step"), "times of training steps"),
    Step("table", 10, _times(), "the whole table, of what was measured, and the aims"),
)  # fmt: skip


def passed(folder: Path) -> list[str]:
    """The tests that passed, as files of an earlier run say."""
    found = []
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(errors="replace").splitlines():
            found += [match[1] for each in PASSED if (match := each.search(line.strip()))]
    return sorted(set(found))


def run_step(step: Step, given: argparse.Namespace, seconds: float) -> str:
    """Run a step; what went wrong, in one sentence."""
    path = given.folder / f"{step.name}.txt"
    environment = {**os.environ, "PENSTOCK_TEST_DEVICE": given.device, "PYTHONUNBUFFERED": "1"}
    end = monotonic() + seconds
    with path.open("ab") as log:
        # A session of its own, so that what it starts ends with it.
        child = subprocess.Popen(
            step.command(given), cwd=ROOT, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        is_late = not _shown_until(child, log.fileno(), end)
    code = _end(child, at_once=is_late)
    if is_late:
        return f"{step.name}: not done after {seconds:.0f} s; run it again to go on"
    # Pytest says 5 if no test is left.
    if code not in (0, 5):
        return f"{step.name}: failed, see {path}"
    (given.folder / f"{step.name}.done").write_text("")
    return ""


def _shown_until(child: subprocess.Popen[bytes], log: int, end: float) -> bool:
    """Show what a process prints, here and in a file, until it ends; False if that is too late."""
    assert child.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while selector.select(max(end - monotonic(), 0)):
            data = os.read(child.stdout.fileno(), 1 << 16)
            if not data:
                return True
            os.write(log, data)
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    return False


def _end(child: subprocess.Popen[bytes], at_once: bool) -> int:
    """Wait for a process, or end it, and end all that it started; its exit code."""
    if not at_once:
        _wait(child)
    for number in (signal.SIGTERM, signal.SIGKILL):
        if child.poll() is None or number == signal.SIGKILL:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, number)
            _wait(child)
    assert child.stdout is not None
    child.stdout.close()
    return child.wait()


def _wait(child: subprocess.Popen[bytes]) -> None:
    with suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE)


def _keep_recordings(given: argparse.Namespace) -> None:
    if given.device == "gpu" and RECORDED.exists():
        shutil.copytree(RECORDED, given.folder / "recorded", dirs_exist_ok=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--device", default="gpu", choices=("gpu", "gpu-sim"))
    add("--folder", type=Path, default=ROOT / "build" / "gpu", help="of results (build/gpu)")
    add("--minutes", type=float, default=60.0, help="for all steps (60)")
    add("--only", nargs="*", choices=[step.name for step in STEPS], help="only these steps")
    add("--workers", type=int, default=min(8, os.cpu_count() or 1), help="of the tests")
    add("--again", action="store_true", help="forget what an earlier run has done")
    given = parser.parse_args(arguments)
    if not 0 < given.minutes < 1e5 or given.workers < 1:
        parser.error("--minutes takes more than 0, and --workers 1 or more")
    given.folder = given.folder.absolute()
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    if given.again and given.folder.exists():
        for path in (*given.folder.glob("*.done"), *given.folder.glob("*.txt"),
                     *given.folder.glob("times.jsonl")):  # fmt: skip
            path.unlink()
    given.folder.mkdir(parents=True, exist_ok=True)
    end = monotonic() + 60 * given.minutes
    failed = []
    for step in STEPS:
        if given.only and step.name not in given.only:
            continue
        # Whether there is a device is asked each time; the table is made of what was measured.
        if step.name not in ("device", "table") and (given.folder / f"{step.name}.done").exists():
            print(f"== {step.name}: done before", flush=True)
            continue
        seconds = min(60 * step.minutes, end - monotonic())
        if seconds <= 0:
            failed.append(f"{step.name}: no time is left; run it again to go on")
            continue
        print(f"== {step.name}: {step.what}, {seconds:.0f} s at most", flush=True)
        try:
            what = run_step(step, given, seconds)
        finally:
            _keep_recordings(given)
        if what:
            failed.append(what)
        if what and step.name == "device":
            break
    print(*failed or ["== all steps are done"], sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
