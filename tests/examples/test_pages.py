"""The pages in README.md and docs/ do what they print.

The blocks of a page run in order, in one namespace and one folder that is empty at first:

- `python` runs; its lines count as those of the page;
- `sh` runs, unless it begins with `make`; `penstock` and `python` are those of the tests;
- any block after a line `<!-- file: NAME -->` is written to that file, and does not run;
- `text` behind one that runs is what was printed, from the first line to the last;
- `mlir`, `llvm` and `asm` behind one that runs are parts of what was printed, in order.

In all of the printed, `...` stands for any characters, and alone on a line for any lines.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

import penstock as flow
import penstock.ir.dialects  # defines the ops that are there whatever a page imports
from penstock.ir.opdef import registry

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"<!-- file: (\S+) -->\n\Z")
_SHELL = 'penstock() {{ "{0}" -m penstock.tools.cli "$@"; }}\npython() {{ "{0}" "$@"; }}\n'


class PageFailed(Exception):
    """A page does something else than it prints."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `line` is that of its first line of content."""

    language: str
    content: str
    line: int
    file: str = ""

    @property
    def runs(self) -> bool:
        runs = self.language in ("python", "sh") and not self.file
        return runs and not self.content.startswith("make")

    @property
    def shows(self) -> bool:
        """Whether it is what a block before it printed."""
        return self.language in ("text", "mlir", "llvm", "asm") and not self.file


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page that have a language."""
    for match in _FENCE.finditer(text):
        file = _FILE.search(text, 0, match.start())
        line = text.count("\n", 0, match.start(2)) + 1
        yield Block(match[1], match[2], line, file[1] if file else "")


def run_python(block: Block, page: str, namespace: dict[str, object]) -> str:
    """Run a block in the page's namespace; what it printed."""
    code = compile("\n" * (block.line - 1) + block.content, page, "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def run_shell(block: Block, page: str) -> str:
    """Run a block in a shell; what it printed."""
    script = f"set -eo pipefail\n{_SHELL.format(sys.executable)}{block.content}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    if done.returncode:
        raise PageFailed(f"{page}:{block.line}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def pattern(line: str) -> str:
    """What matches a printed line, blanks at its end aside."""
    return ".*".join(map(re.escape, line.rstrip().split("..."))) + r"[ \t]*\n"


def difference(printed: str, block: Block) -> str:
    """What of the block's lines the output lacks, in its place; nothing where all is well."""
    whole = block.language == "text"
    parts: list[list[str]] = [[]]
    for line in block.content.splitlines():
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    position = 0
    for number, part in enumerate(parts):
        expected = "".join(map(pattern, part))
        first, last = whole and number == 0, whole and number == len(parts) - 1
        found = re.compile(
            ("" if first else "^") + expected + (r"\Z" if last else ""), re.MULTILINE
        )
        match = found.match(printed) if first else found.search(printed, position)
        if match is None:
            wanted = "\n".join(part)
            return f"expected{' next' if number else ''}:\n{wanted}\ngot:\n{printed[position:]}"
        position = match.end()
    return ""


def check_page(text: str, page: str) -> None:
    """Run the blocks of a page in the current folder, and compare what they print."""
    namespace: dict[str, object] = {"__name__": "page"}
    for block, following in pairwise([*blocks(text), Block("", "", 0)]):
        if block.file:
            Path(block.file).write_text(block.content)
        if not block.runs:
            continue
        python = block.language == "python"
        printed = run_python(block, page, namespace) if python else run_shell(block, page)
        if following.shows:
            problem = difference(printed, following)
            if problem:
                raise PageFailed(f"{page}:{following.line}: {problem}")
        elif python and printed:
            raise PageFailed(f"{page}:{block.line}: printed, and no ```text follows:\n{printed}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to be in, with modules, import path, ops, session and environment as they
    were."""
    modules, ops, environment = set(sys.modules), dict(registry), dict(os.environ)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    flow.clear_default_session()
    yield tmp_path
    flow.clear_default_session()
    os.environ.clear()
    os.environ.update(environment)
    registry.clear()
    registry.update(ops)
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, folder: Path) -> None:
    (folder / "examples").symlink_to(ROOT / "examples")
    check_page(page.read_text(), page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    links = re.findall(r"\]\(([^)#\s:]+)[^)]*\)", text)
    missing = [link for link in links if not (page.parent / link).exists()]
    paths = re.findall(r"`([a-z_]+/[\w/.]*)`", text)
    # What is built is there on some machines only.
    missing += [p for p in paths if p.startswith("build/") or not (ROOT / p).exists()]
    assert not missing


def test_the_tutorial_is_checked() -> None:
    languages = [block.language for block in blocks((ROOT / "docs" / "tutorial.md").read_text())]
    for language in ("python", "sh", "text", "mlir", "llvm", "asm"):
        assert language in languages


# -- the checks themselves ---------------------------------------------------------------------


def page_of(*fenced: str) -> str:
    return "\n\n".join(f"```{block}\n```" for block in fenced) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        page_of("python\nx = 1", "python\nprint(x)", "text\n1"),
        page_of("python\nprint('a\\nb\\nc')", "mlir\nb"),
        page_of("python\nprint('a\\nb\\nc\\nd')", "mlir\na\n...\nc\nd"),
        page_of("python\nprint('a\\nb\\nc\\nd')", "text\na\n...\nd"),
        page_of("python\nprint('loss 0.123 (fine)')", "text\nloss 0.1... (fine)"),
        page_of("sh\npython -c 'print(3)'", "text\n3"),
        page_of("sh\nmake nothing", "text\n3"),
    ],
)
def test_a_correct_page_passes(text: str, folder: Path) -> None:
    check_page(text, "page.md")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (page_of("python\nprint(1)", "text\n2"), "page.md:6: expected:\n2\ngot:\n1"),
        (page_of("python\nprint(1)"), "page.md:2: printed"),
        (page_of("python\nprint('1\\n2')", "text\n1"), "expected:\n1\n"),
        (page_of("python\nprint('1\\n2')", "text\n2"), "expected:\n2\n"),
        (page_of("python\nprint('a\\nb\\nc')", "mlir\na\nc"), "expected:\na\nc"),
        (page_of("python\nprint('a\\nb\\nc')", "mlir\nb\n...\na"), "expected next:\na\ngot:\nc"),
        (page_of("python\nprint('abc')", "mlir\nb"), "expected:\nb"),
        (page_of("python\nprint('abc')", "mlir\nab"), "expected:\nab"),
        (page_of("sh\npenstock opd"), "page.md:2: exit code 2\npenstock: there is no command"),
        (page_of("sh\npython -c 'print(3)'", "text\n4"), "page.md:6: expected:\n4"),
    ],
)
def test_a_wrong_page_fails(text: str, said: str, folder: Path) -> None:
    with pytest.raises(PageFailed) as raised:
        check_page(text, "page.md")
    assert said in str(raised.value)


def test_an_error_in_a_block_has_the_line_of_the_page(folder: Path) -> None:
    text = "Title\n\n" + page_of("python\nx = 1\n1 / 0")
    with pytest.raises(ZeroDivisionError) as raised:
        check_page(text, "page.md")
    assert raised.traceback[-1].lineno + 1 == 5


def test_files_are_written(folder: Path) -> None:
    written = "<!-- file: model.py -->\n" + page_of("python\nx = 7")
    check_page(written + page_of("sh\npython -c 'import model; print(model.x)'", "text\n7"), "p.md")
