"""Type checkers accept jobs annotated for them, and find what is wrong in their calls."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.tools.project import view

ROOT = Path(__file__).resolve().parents[3]
CHECKED = Path(__file__).parent / "checked"
FILES = [*sorted((ROOT / "examples").glob("*.py")), CHECKED / "right.py", CHECKED / "wrong.py"]

Line = tuple[str, int]


def marked() -> set[Line]:
    lines = (CHECKED / "wrong.py").read_text().splitlines()
    return {("wrong.py", n) for n, line in enumerate(lines, 1) if line.endswith("# error")}


def run(command: Sequence[str | Path]) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, env=environment)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def test_mypy_finds_what_is_wrong_and_nothing_else() -> None:
    view.link(ROOT)
    output = run([sys.executable, "-m", "mypy", "--config-file", ROOT / "setup.cfg", *FILES])
    found = re.findall(r"^(?:.*/)?([^/:]+):(\d+): error: ", output, re.MULTILINE)
    assert {(name, int(line)) for name, line in found} == marked(), output


def test_pyright_finds_what_is_wrong_and_nothing_else(tmp_path: Path) -> None:
    if not shutil.which("node") or not shutil.which("pyright", path=Path(sys.executable).parent):
        assert os.environ.get("PENSTOCK_REQUIRE_INTEROP") != "1", "pyright or node is missing"
        pytest.skip("pyright or node is missing")
    view.link(ROOT)
    (tmp_path / "sources").symlink_to(ROOT)
    settings = {
        "extraPaths": [str(ROOT / "build" / "view")],
        "include": [f"sources/{file.relative_to(ROOT)}" for file in FILES],
        "reportPossiblyUnboundVariable": False,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    program = Path(sys.executable).with_name("pyright")
    output = run([program, "--outputjson", "--pythonpath", sys.executable, "-p", tmp_path])
    report = json.loads(output)
    assert report["summary"]["filesAnalyzed"] == len(FILES)
    found = {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1)
        for one in report["generalDiagnostics"]
    }
    assert found == marked(), output


def test_what_checkers_accept_runs() -> None:
    found = runpy.run_path(str(CHECKED / "right.py"))
    assert found["total"].dtype == np.float32
    np.testing.assert_array_equal(found["added"], np.full((4, 8), 2, np.float32))
    np.testing.assert_array_equal(found["by_name"]["y"], found["array"])
    assert found["inner"].shape == (4, 8)


def test_both_forms_make_the_same_job() -> None:
    flow.clear_default_session()

    def classic(x: tp.Numpy.Placeholder((3,), dtype=flow.int32)) -> tp.Numpy:
        return x + x

    def marked(
        x: Annotated[flow.Blob, "a note", tp.Numpy.Placeholder((3,), dtype=flow.int32)],
    ) -> Annotated[flow.Blob, tp.Numpy]:
        return x + x

    jobs = [flow.global_function()(function) for function in (classic, marked)]
    assert jobs[0].signature.parameters == jobs[1].signature.parameters
    assert jobs[0].signature.returns == jobs[1].signature.returns


@pytest.mark.parametrize(
    ("parameter", "result"),
    [
        (Annotated[int, tp.Numpy.Placeholder((3,))], tp.Numpy),
        (Annotated[flow.Blob, "no placeholder"], tp.Numpy),
        (tp.Numpy.Placeholder((3,)), Annotated[int, tp.Numpy]),
        (tp.Numpy.Placeholder((3,)), Annotated[flow.Blob, tp.ListNumpy]),
        (tp.Numpy.Placeholder((3,)), Annotated[flow.Blob, "nothing known"]),
    ],
)
def test_other_marks_are_refused(parameter: Any, result: Any) -> None:
    def job(x: Any) -> Any:
        return x

    job.__annotations__ = {"x": parameter, "return": result}
    with pytest.raises(NotImplementedError, match=r"Annotated\[flow\.Blob, tp\.Numpy"):
        flow.global_function()(job)


def test_completion_offers_public_names_alone() -> None:
    assert [name for name in dir(flow) if not name.startswith("__")] == flow.__all__
