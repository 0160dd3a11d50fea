"""The steps of `make gpu`: limits of time, files, and what a second run leaves out."""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module benchmarks/on_gpu.py."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("on_gpu")


def python(code: str) -> object:
    """The command of a step that runs some code."""
    return lambda given: [sys.executable, "-S", "-c", code]


def test_each_step_is_run_once(
    steps: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    """One that fails costs no other, and is run again; what it prints is in a file."""
    made = tmp_path / "made"
    fails = f"import os, sys; print(1); sys.exit(not os.path.exists({str(made)!r}))"
    monkeypatch.setattr(steps, "STEPS", (
        steps.Step("first", 1, python("print('here')"), "what is first"),
        steps.Step("second", 1, python(fails), "what fails"),
        steps.Step("third", 1, python("import sys; print(2, file=sys.stderr)"), "what is last"),
    ))  # fmt: skip
    given = ["--device", "gpu-sim", "--folder", str(tmp_path)]
    assert steps.main(given) == 1
    told = capfdbinary.readouterr().out.decode()
    assert "== first: what is first, 60 s at most\nhere\n== second" in told
    assert told.endswith(f"second: failed, see {tmp_path}/second.txt\n")
    assert (tmp_path / "third.txt").read_text() == "2\n"
    made.touch()
    assert steps.main(given) == 0
    told = capfdbinary.readouterr().out.decode()
    assert "== first: done before\n== second: what fails" in told
    assert told.endswith("== third: done before\n== all steps are done\n")
    assert (tmp_path / "second.txt").read_text() == "1\n1\n"
    assert steps.main([*given, "--again", "--only", "first"]) == 0
    assert (tmp_path / "first.txt").read_text() == "here\n"
    assert steps.main([*given, "--minutes", "1e-9"]) == 1
    assert "second: no time is left; run it again to go on" in capfdbinary.readouterr().out.decode()


def test_a_step_that_hangs_is_ended_with_what_it_started(
    steps: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both processes hold a pipe until they end. If they start too late, only one is ended."""
    read, write = os.pipe()
    held = partial(steps.subprocess.Popen, pass_fds=(write,))
    monkeypatch.setattr(steps.subprocess, "Popen", held)
    given = steps.parse(["--device", "gpu-sim", "--folder", str(tmp_path)])
    step = steps.Step("one", 1, python("import os, signal; os.fork(); signal.pause()"), "")
    said = steps.run_step(step, given, 0.3)
    os.close(write)
    assert said == "one: not done after 0 s; run it again to go on"
    assert os.read(read, 1) == b"", "somebody holds the pipe"
    os.close(read)
    assert not (tmp_path / "one.done").exists()


def test_tests_that_passed_are_left_out(steps: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(
        "tests/frontend/gpu/test_a.py::test_one[a b] PASSED          [  3%]\n"
        "tests/frontend/gpu/test_a.py::test_two FAILED          [  5%]\n"
        "[gw1] [ 50%] PASSED tests/conformance/test_on_gpu.py::test_every_op_on_a_gpu[3] \n"
        "[gw0] [ 60%] FAILED tests/conformance/test_on_gpu.py::test_every_op_on_a_gpu[4] \n"
    )
    given = steps.parse(["--folder", str(tmp_path), "--workers", "3"])
    words = {step.name: step.command(given) for step in steps.STEPS}
    assert words["jobs"][-1] == "--deselect=tests/frontend/gpu/test_a.py::test_one[a b]"
    name = "tests/conformance/test_on_gpu.py::test_every_op_on_a_gpu[3]"
    assert words["ops"][-3:] == ["-n", "3", f"--deselect={name}"]
    assert "--folder" not in words["forms"], "a GPU's recordings are the tests' own"
    assert list(words)[:2] == ["device", "forms"]


def test_the_steps_name_workloads_that_there_are(steps: ModuleType) -> None:
    workloads = import_module("shared.gpu_workloads")
    for kind, shrink in (("gpu", 1), ("gpu-sim", 512)):
        names = [each.name for each in workloads.workloads(shrink)]
        measured = set()
        for step in steps.STEPS:
            words = step.command(steps.parse(["--device", kind]))
            for only in words[words.index("--only") + 1 :] if "--only" in words else ():
                found = {name for name in names if only in name}
                assert found, only
                measured |= found if step.name != "aims" else set()
        assert measured == set(names)
