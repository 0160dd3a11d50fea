"""The commands for MLIR's tools in docs/tutorial.md, run on the files that it writes.

The page's other commands run with the page; these need tools that may be missing.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from interop_tools import require

from penstock.ir.dialects.parsing import parse_module

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text()
SECTION = PAGE.partition("## 12. MLIR's own tools\n")[2].partition("\n## ")[0]
LINES = re.findall(r"^    (\S.*)$", SECTION, re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the section writes, from the job at the start of the page."""
    path = tmp_path_factory.mktemp("page")
    source = PAGE.partition("<!-- file: layer.py -->\n```python\n")[2].partition("```\n")[0]
    (path / "layer.py").write_text(source)
    for words in re.findall(r"^penstock (.*)$", SECTION, re.MULTILINE):
        penstock(words, path)
    return path


def penstock(words: str, folder: Path) -> None:
    command = [sys.executable, "-m", "penstock.tools.cli", *shlex.split(words)]
    subprocess.run(command, cwd=folder, check=True, timeout=60)


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    tool, *words = shlex.split(line)
    return subprocess.run(
        [require(tool), *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_section_is_there() -> None:
    assert [line.split()[0] for line in LINES] == ["mlir-opt-22", "mlir-opt-22", "xdsl-opt"]


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_page(line: str, folder: Path) -> None:
    done = run(line, folder)
    assert done.returncode == 0, done.stderr[:2000]
    assert "train_job" in done.stdout


def test_the_flags_of_the_page_are_needed(folder: Path) -> None:
    """Without the IRDL description, or if it lacks an op, the module is refused."""
    assert "flow" in run("mlir-opt-22 grad.mlir", folder).stderr
    described = (folder / "ours.irdl.mlir").read_text()
    (folder / "less.irdl.mlir").write_text(described.replace("@matmul ", "@other "))
    done = run("mlir-opt-22 --irdl-file=less.irdl.mlir grad.mlir", folder)
    assert done.returncode != 0
    assert "flow.matmul" in done.stderr


@pytest.mark.parametrize("stage", ["job", "grad", "placed", "fused"])
def test_the_description_serves_every_stage(stage: str, folder: Path) -> None:
    penstock(f"dump layer.py:train_job --stage {stage} -o {stage}.mlir", folder)
    line = f"mlir-opt-22 --irdl-file=ours.irdl.mlir --mlir-print-op-generic {stage}.mlir"
    done = run(line, folder)
    assert done.returncode == 0, done.stderr[:2000]
    assert parse_module(done.stdout).job.sym_name == "train_job"
