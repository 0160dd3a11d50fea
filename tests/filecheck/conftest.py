"""Runs the RUN lines of `.mlir` files in this process, each as a test.

    // RUN: penstock opt %s --pipeline cse | filecheck %s
    // RUN: not penstock opt %s | filecheck %s --check-prefix=ERROR

Left of the bar stands a command line of penstock, which must succeed, or fail where `not` stands
before it; right of it filecheck, which reads what the command wrote, errors first.
"""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options
from filecheck.parser import Parser

from penstock.tools import cli

RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.File | None:
    if file_path.suffix == ".mlir":
        return MlirFile.from_parent(parent, path=file_path)
    return None


class MlirFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        lines = RUN.findall(self.path.read_text())
        assert lines, f"{self.path} has no RUN line"
        for number, line in enumerate(lines, 1):
            yield RunLine.from_parent(self, name=f"RUN{number}", line=line)


class RunLine(pytest.Item):
    def __init__(self, *, line: str, **named: object) -> None:
        super().__init__(**named)
        self.line = line

    def runtest(self) -> None:
        command, bar, check = self.line.replace("%s", shlex.quote(str(self.path))).partition(" | ")
        words = shlex.split(command)
        fails = words[0] == "not"
        assert words[fails] == "penstock", f"cannot run {words[fails]!r}"
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(words[fails + 1 :])
        written = err.getvalue() + out.getvalue()
        if (code != 0) is not fails:
            raise RunFailed(f"exit code {code}\n{written}")
        if bar:
            self.check(shlex.split(check), written)

    def check(self, words: list[str], written: str) -> None:
        assert words[0] == "filecheck", f"cannot run {words[0]!r}"
        options = parse_argv_options(words)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            matcher = Matcher(options, FInput("<output>", written), Parser.from_opts(options))
            code = matcher.run()
        if code:
            raise RunFailed(f"{said.getvalue()}\n--- output ---\n{written}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style=None) -> object:
        if isinstance(excinfo.value, RunFailed):
            return f"{self.path}: {self.line}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}: {self.line}"


class RunFailed(Exception):
    """A RUN line did not do what it says."""
