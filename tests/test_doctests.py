"""The examples in docstrings run, each module's under its real name."""

import doctest
import linecache
from importlib import import_module
from pathlib import Path

import pytest

from penstock.ir.dialects.flow import evaluate
from penstock.tools.project import view

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
    for package, folder in view.package_folders(ROOT).items()
    for path in folder.rglob("*.py")
    if ">>>" in path.read_text()
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in(name: str) -> None:
    module, names = import_module(name), {"evaluate": evaluate}
    # doctest checks whether files with cached lines changed, which are thousands after other tests.
    linecache.clearcache()
    result = doctest.testmod(module, extraglobs=names, optionflags=doctest.REPORT_NDIFF)
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples; see the output"


def test_examples_are_found() -> None:
    assert doctest.testmod(import_module("penstock.data")).attempted >= 4
