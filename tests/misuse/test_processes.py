"""Commands as processes: interrupted, with a closed output, on a full disk."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from misuse_rules import check, contents
from sampling import IS_LONG
from waiting import cpu_ticks, until

from penstock.tools import cli

COMMAND = [sys.executable, "-m", "penstock.tools.cli"]
PRINTING = {
    "compile": "compile --from job.mlir --target x86-64-v2 -o -",
    "compile --json": "compile --from job.mlir --target x86-64-v2 -o out.pstk --json",
    "show": "show job.pstk",
    "show --stage": "show job.pstk --stage fused",
    "show --json": "show job.pstk --json",
    "run": "run job.pstk --feed x=x.npy",
    "run --json": "run job.pstk --feed x=x.npy --json --watch *",
    "opt": "opt job.mlir",
    "opt --list-passes": "opt --list-passes",
    "dump": "dump job.py --stage job",
    "diff": "diff job.mlir other.mlir",
    "diff --json": "diff job.mlir other.mlir --json",
    "repro": "repro failed.mlir",
    "reduce": "reduce job.mlir --test false",
    "bisect": "bisect job.mlir -p canonicalize",
    "bisect --json": "bisect job.mlir -p canonicalize --json",
    "explore": "explore job.mlir --stop-after job -o -",
    "explore --json": "explore job.mlir --stop-after job --json -o -",
    "fuzz": "fuzz --programs 0",
    "profile": "profile job.py --steps 1",
    "profile --json": "profile job.py --steps 1 --json",
    "tune": "tune job.py --seconds 0.001 -o out.json",
    "ops": "ops --markdown",
    "help": "--help",
    "help --man": "help --man",
    "completion": "completion bash",
    "help of a command": "opt --help",
}
"""The output of every command."""
FORKS = """\
import os, sys
from importlib import import_module
from penstock.tools import cli

for module, _ in cli.COMMANDS.values():
    import_module(module)
target = os.open(sys.argv[1], os.O_WRONLY) if sys.argv[1] else None
for number, line in enumerate(sys.stdin.read().splitlines()):
    reading, writing = os.pipe() if target is None else (None, target)
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        os.dup2(os.open(f"said-{number}", os.O_WRONLY | os.O_CREAT), 2)
        if reading is not None:
            os.close(reading)
            os.close(writing)
        sys.stdout = open(1, "w")
        sys.stderr = open(2, "w")
        sys.exit(cli.main(line.split(" ")))
    if reading is not None:
        os.close(writing)
        os.close(reading)
    os.write(1, f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\n".encode())
"""
"""Runs each line of its input as a command in a process that has all modules already."""


@pytest.fixture
def filled(place: Path) -> Path:
    other = (place / "job.mlir").read_text().replace("flow.relu", "flow.tanh")
    (place / "other.mlir").write_text(other)
    head = "// failed: no such thing\n// run: penstock opt --pipeline canonicalize\n"
    (place / "failed.mlir").write_text(head + other)
    return place


def forked(target: str, turn: int) -> list[tuple[str, int, str]]:
    """The outcome of each command with this standard output: words, exit code, message.

    The short form runs every second one.
    """
    names = [*PRINTING] if IS_LONG else [*PRINTING][turn::2]
    done = subprocess.run(
        [sys.executable, "-c", FORKS, target],
        input="\n".join(PRINTING[name] for name in names),
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    codes = list(map(int, done.stdout.split()))
    said = [Path(f"said-{i}").read_text() for i in range(len(names))]
    return list(zip(names, codes, said, strict=True))


def test_every_command_is_here() -> None:
    assert {words.split()[0] for words in PRINTING} >= set(cli.COMMANDS)


def test_nobody_reads(filled: Path) -> None:
    """A reader that stops early, like `head`, is not an error."""
    for name, code, said in forked("", 0):
        assert code in (0, 1), (name, said)
        quiet = [line for line in said.splitlines() if not line.startswith("9 ops became")]
        assert not [line for line in quiet if "ops became" not in line], (name, said)


def test_a_full_device(filled: Path) -> None:
    for name, code, said in forked("/dev/full", 1):
        assert code == 1, (name, said)
        check(said, code)
        assert "No space left on device" in said, (name, said)


def test_a_full_disk(filled: Path) -> None:
    """No file may grow beyond a few bytes: old files stay, and nothing is left behind."""
    (filled / "out.pstk").write_bytes(b"before")
    before = contents(filled)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = subprocess.run(
        [*COMMAND, *shlex.split("compile --from job.mlir --target x86-64-v2 -o out.pstk")],
        capture_output=True, text=True, check=False, preexec_fn=limited,
        env={**os.environ, "PENSTOCK_CACHE": "off"},
    )  # fmt: skip
    check(done.stderr, done.returncode, (1,))
    assert "out.pstk: File too large" in done.stderr
    assert contents(filled) == before


SLOW = """\
import os, signal, threading
import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
    threading.Timer(DELAY, os.kill, (os.getpid(), signal.SIGINT)).start()
    for _ in range(COUNT):
        x = flow.math.tanh(flow.matmul(flow.matmul(x, x, transpose_b=True), x))
    return x
"""
LONG = {
    "compile": "compile slow.py -o out.pstk",
    "dump": "dump slow.py --stage loops -o out.mlir",
    "bisect": "bisect slow.py",
    "reduce": "reduce slow.py -o out.mlir",
    "explore": "explore slow.py -o out.html",
    "tune": "tune slow.py --seconds 60 -o out.json",
    "run": "run job.pstk --feed x=x.npy --steps 1000000000 --out out.npy",
    "opt": "opt slow.mlir -p canonicalize,cse,fuse-elementwise -o out.mlir",
}
"""Commands that may take long."""


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt(name: str, filled: Path) -> None:
    """Control-C while it works: code 130, one line, nothing left behind, within seconds."""
    program = SLOW.replace("DELAY", "0.3").replace("COUNT", "400" if name != "tune" else "1")
    (filled / "slow.py").write_text(program)
    lines = "".join(f"  %v{i + 1} = math.exp %v{i} : f32\n" for i in range(100_000))
    (filled / "slow.mlir").write_text(f"func.func @f(%v0: f32) {{\n{lines}  return\n}}\n")
    before = contents(filled)
    with subprocess.Popen(
        [*COMMAND, *shlex.split(LONG[name])], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        if "slow.py" not in LONG[name]:
            until(lambda: cpu_ticks(process.pid) > 100, "it works for a second")
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate()
    assert (process.returncode, out, errors) == (130, "", "penstock: interrupted\n")
    assert contents(filled) == before
