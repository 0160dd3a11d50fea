"""`penstock fuzz`: options, output, and crashing processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from waiting import until

from penstock.tools import cli
from penstock.tools.fuzz import workers
from penstock.tools.fuzz.again import read
from penstock.tools.fuzz.failure import ENDS


def test_it_prints_what_it_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["--programs", "3", "--seed", "5", "--ops", "flow.relu", "--out", str(out)]
    assert cli.main(["fuzz", *words]) == 0
    told = capsys.readouterr().out
    assert told.startswith("3 programs, ")
    assert "0 failures" in told
    assert " kinds; the rarest: " in told
    assert not out.exists()
    assert cli.main(["fuzz", "--programs", "0", "--out", str(out)]) == 0
    assert (
        capsys.readouterr().out == "0 programs, 0 compilations, 0 elements compared: 0 failures\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ops", "flow.relus"], "there is no op flow.relus: did you mean flow.relu?"),
        (["--ops", "flow.nosuch"], "there is no op flow.nosuch: penstock ops lists them"),
        (["--jobs", "0"], "--jobs: expected at least one process"),
    ],
)
def test_wrong_arguments(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fuzz", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_module_without_a_failure_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "failure.json").write_text("[]")
    (tmp_path / "program.mlir").write_text("module {}")
    assert cli.main(["fuzz", "--again", str(tmp_path / "program.mlir")]) == 1
    assert "is not a failure that" in capsys.readouterr().err


def test_a_crashing_process_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its program is kept; it does not fail in this process, so it cannot be reduced."""
    ask = workers._Process.ask

    def asked(process: workers._Process, seed: int) -> object:
        if seed != 2:
            return ask(process, seed)
        process.way = "the usual passes"
        process._popen.kill()
        return None

    monkeypatch.setattr(workers._Process, "ask", asked)
    monkeypatch.setattr(workers, "made_small", lambda failure, *_: failure)
    words = ["--programs", "3", "--ops", "flow.relu", "--out", str(tmp_path)]
    assert cli.main(["fuzz", *words]) == 1
    told = capsys.readouterr().out
    assert "3 programs, " in told
    assert "program 2: process ends (the usual passes): the process ended with -9" in told
    kept = read(tmp_path / "program-2" / "program.mlir")
    assert kept.kind == ENDS
    assert cli.main(["fuzz", "--again", str(tmp_path / "program-2" / "program.mlir")]) == 0
    assert "is right" in capsys.readouterr().out


def test_a_process_ends_with_its_parent(tmp_path: Path) -> None:
    """Whatever it is doing: here it has thirty programs to run."""
    words = ["-m", "penstock.tools.fuzz.worker", str(tmp_path), "flow.relu"]
    done = subprocess.run(
        [sys.executable, *words], input="\n".join(map(str, range(1, 31))), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout.count('"done": true') < 30
    assert done.stderr == ""


def test_an_interrupt_ends_the_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In the middle of a program, from which to resume."""
    ask = workers._Process.ask

    def asked(process: workers._Process, seed: int) -> object:
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGINT)
        return ask(process, seed)

    monkeypatch.setattr(workers._Process, "ask", asked)
    threads = threading.active_count()
    words = ["--programs", "9", "--jobs", "1", "--ops", "flow.relu", "--out", str(tmp_path)]
    assert cli.main(["fuzz", *words]) == 130
    until(lambda: threading.active_count() == threads, "a thread is left behind")
    told = capfd.readouterr()
    assert "go on with --seed 1\n" in told.out
    assert "Traceback" not in told.err
