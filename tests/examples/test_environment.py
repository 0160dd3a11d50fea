"""docs/environment.md names the environment variables that the sources read, and their defaults."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "environment.md").read_text()
USERS, CONTRIBUTORS = PAGE.split("## For contributors")

PACKAGES = ("codegen", "frontend", "ir", "passes", "runtime", "tools")
NAME = re.compile(r"\b(?:PENSTOCK|ONEFLOW_TEST)_[A-Z][A-Z_]*\b")
READ = re.compile(r'environ(?:\.get\(|\[)"(PENSTOCK_[A-Z_]+)"(?:, "?([^")]*)"?\))?')
ROW = re.compile(r"^\| `([A-Z_]+)` \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


def named(*folders: str) -> set[str]:
    """The variables that sources in these folders name."""
    found: set[str] = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(NAME.findall(path.read_text()))
        for path in (ROOT / folder).rglob("*.c"):
            found |= set(re.findall(r'getenv\("(PENSTOCK_[A-Z_]+)"\)', path.read_text()))
    return found


def read_by_tests() -> Iterator[tuple[str, str]]:
    """Each variable that a test reads, with its default, empty if it has none."""
    for path in (ROOT / "tests").rglob("*.py"):
        yield from READ.findall(path.read_text())


def test_all_variables_of_the_packages_are_listed_for_users() -> None:
    assert set(NAME.findall(USERS)) == named(*PACKAGES)


def test_all_variables_of_the_tests_are_listed_for_contributors() -> None:
    used = {name for name, _ in read_by_tests()} - named(*PACKAGES)
    makefile = set(NAME.findall((ROOT / "Makefile").read_text())) - named(*PACKAGES)
    assert makefile <= used
    assert set(NAME.findall(CONTRIBUTORS)) == used


def test_defaults_of_the_tests_are_those_in_the_code() -> None:
    defaults: dict[str, set[str]] = {}
    for name, default in read_by_tests():
        defaults.setdefault(name, set()).update([default] if default else [])
    listed = {name: set(re.findall("`([^`]+)`", default)) for name, default, _ in rows()}
    assert listed == {name: defaults[name] for name in listed}


def rows() -> list[tuple[str, str, str]]:
    """The rows of the table for contributors."""
    return ROW.findall(CONTRIBUTORS)
