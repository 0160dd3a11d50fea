"""What scripts and notebooks show: tracebacks to the user's line, cells, and jobs as HTML."""

import os
import subprocess
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics import errors

SCRIPT = """\
import numpy as np
import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return flow.matmul(x, x)

def run():
    return job(np.ones(3, np.float32))

run()
"""


def shown(folder: Path, script: str, **environment: str) -> list[str]:
    """The lines of the traceback that a script ends with."""
    (folder / "script.py").write_text(script)
    inherited = {n: v for n, v in os.environ.items() if n != "PENSTOCK_DEBUG"}
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder, env=inherited | environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stderr.splitlines()


def test_a_traceback_has_the_users_lines_alone(tmp_path: Path) -> None:
    lines = shown(tmp_path, SCRIPT)
    files = [line for line in lines if line.startswith("  File ")]
    script = tmp_path / "script.py"
    assert [line.partition(", in ")[0] for line in files] == [
        f'  File "{script}", line {line}' for line in (12, 10, 7)
    ]
    assert lines[-1].startswith("ValueError: script.py:7: flow.matmul: expected matrices")


def test_all_lines_are_shown_on_request(tmp_path: Path) -> None:
    lines = shown(tmp_path, SCRIPT, PENSTOCK_DEBUG="1")
    assert sum(line.startswith("  File ") for line in lines) > 5


CAUGHT = """
try:
    flow.checkpoint.save(3)
except TypeError:
    from json import loads
loads("{")
"""


def test_other_errors_keep_their_lines(tmp_path: Path) -> None:
    lines = shown(tmp_path, SCRIPT.removesuffix("run()\n") + CAUGHT)
    assert sum("json" in line for line in lines if line.startswith("  File ")) >= 2


class Shell:
    """What is used of IPython's shell."""

    def __init__(self, cells: dict[str, int]) -> None:
        self.compile = SimpleNamespace(_filename_map=cells)
        self.shown: list[str] = []

    def showtraceback(self, exc_tuple: Any = None, **named: Any) -> None:
        _, error, _ = exc_tuple or sys.exc_info()
        self.shown.append("".join(traceback.format_exception(error)))


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    found = Shell({"/kernels/ipykernel_7/1234.py": 3})
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: found))
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    return found


@pytest.mark.parametrize("file", ["/kernels/ipykernel_7/1234.py", "<ipython-input-3-abcdef>"])
def test_errors_name_the_cell_and_its_line(file: str, shell: Shell) -> None:
    code = compile("import penstock as flow\n\n\nflow.checkpoint.save(3)", file, "exec")
    with pytest.raises(TypeError, match=r"^cell 3, line 4: flow.checkpoint.save takes"):
        exec(code, {"__name__": "__main__"})
    try:
        exec(code, {"__name__": "__main__"})
    except TypeError:
        shell.showtraceback()
    assert "checkpoint.py" not in shell.shown[0]
    assert f'File "{file}", line 4' in shell.shown[0]


def test_dumps_name_the_cell(shell: Shell) -> None:
    body = (
        "import penstock as flow\nimport penstock.typing as tp\n"
        "@flow.global_function()\ndef job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:\n"
        "    return x + x"
    )
    found: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(body, "/kernels/ipykernel_7/1234.py", "exec"), found)
    assert 'loc("cell 3":5:0)' in found["job"].trace().as_text("job")


NONFINITE = """
import numpy as np
import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return flow.math.log(x)

with flow.debug.nonfinite():
    job(np.zeros(3, np.float32))
"""


def test_a_search_for_nan_ends_at_the_users_line(tmp_path: Path) -> None:
    lines = shown(tmp_path, NONFINITE)
    assert len([line for line in lines if line.startswith("  File ")]) == 1
    assert "NonfiniteError: script.py:8: flow.log" in lines[-1]


def test_a_wrong_name_gets_advice_once(tmp_path: Path) -> None:
    last = shown(tmp_path, "import penstock as flow\nflow.nn.rellu")[-1]
    assert last == "AttributeError: script.py:2: flow.nn has no 'rellu'; did you mean \"relu\"?"


def test_frames_of_nobody_are_all_kept() -> None:
    assert errors.users_part(None) is None


def test_a_job_in_a_notebook() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,)), y: tp.Numpy.Placeholder((), flow.int32)) -> tp.Numpy:
        return x + 1

    html = job._repr_html_()
    assert "predict job job" in html
    assert "-> Numpy" in html
    for word in ("x", "flow.float32", "(3,)", "y", "flow.int32", "()"):
        assert f">{word}</td>" in html
    assert "Stages" not in html
    assert repr(job.trace()) == "<Traced job 'job': stages job>"
    assert repr(job.trace().cost()).startswith("Ops of job\n")
    job(np.ones(3, np.float32), np.int32(1))
    assert "Stages" in job._repr_html_()
