"""Rules that hold for every file, checked on the text and on the syntax tree."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("frontend", "ir", "passes", "codegen", "runtime", "tools")

EXECUTING_MODULES = {"cloudpickle", "code", "dill", "joblib", "marshal", "pickle", "shelve"}
EXECUTING_CALLS = {"__import__", "eval", "exec"}


def breaches(source: str) -> list[str]:
    """Where a source may execute data, or hides an error."""
    return [
        f"line {line}: {what}" for node in ast.walk(ast.parse(source)) for line, what in _in(node)
    ]


def _in(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Import(names=names):
            for name in names:
                if name.name.partition(".")[0] in EXECUTING_MODULES:
                    yield node.lineno, name.name
        case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in EXECUTING_MODULES:
            yield node.lineno, module
        case ast.Call(func=ast.Name(id=name)) if name in EXECUTING_CALLS:
            yield node.lineno, name
        case ast.keyword(arg="allow_pickle" | "shell", value=ast.Constant(value=True)):
            yield node.lineno, f"{node.arg}=True"
        case ast.ExceptHandler(type=None):
            yield node.lineno, "except without a class"
        case ast.ExceptHandler(
            type=ast.Name(id="Exception" | "BaseException" as name), body=[ast.Pass()]
        ):
            yield node.lineno, f"except {name}: pass"


def test_nothing_executes_data_or_hides_an_error() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {breach}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for breach in breaches(path.read_text())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    import pickle",
        "from marshal import loads",
        "eval('1')",
        "np.load(path, allow_pickle=True)",
        "try:\n    f()\nexcept:\n    raise",
        "try:\n    f()\nexcept Exception:\n    pass",
    ],
)
def test_a_violation_is_detected(source: str) -> None:
    assert breaches(source)


def test_a_method_named_like_a_builtin_is_allowed() -> None:
    assert not breaches("variable.eval(1)\nself.exec()\n")


# Built from pieces, so that this file does not speak of what it forbids.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~>}])/(?:home|root|tmp|work|Users)(?=/|\b)"),
    "a note to oneself": re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b"),
    "a merge conflict": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
    "a tab or a space at the end of a line": re.compile(r"[ \t]+$", re.MULTILINE),
}
PATHS_ALLOWED = {"tests/test_rules.py"}


def tracked_files() -> list[Path]:
    """The files of the checkout that git knows; skips where this is no checkout."""
    run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if run.returncode != 0 or not run.stdout:
        pytest.skip("not a git checkout")
    names = run.stdout.decode().split("\0")[:-1]
    return [path for name in names if (path := ROOT / name).is_file()]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_tracked_text_is_clean(what: str) -> None:
    found = []
    for path in tracked_files():
        name = path.relative_to(ROOT).as_posix()
        data = path.read_bytes()
        if b"\0" in data or name in PATHS_ALLOWED or name == "LICENSE":
            continue
        text = data.decode()
        for match in FORBIDDEN[what].finditer(text):
            found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]!r}")
    assert not found, f"{what}:\n" + "\n".join(found)


def test_nothing_large_is_tracked() -> None:
    large = {path.name: path.stat().st_size for path in tracked_files()}
    assert {name for name, size in large.items() if size > 200_000} == set()
