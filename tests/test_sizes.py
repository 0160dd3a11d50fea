"""How long functions and files are, printed as a table with `pytest -s tests/test_sizes.py`.

A function has to fit a screen, since it is read as a whole; ruff's C901 bounds its complexity. A
file is searched rather than read, so it ends where its subject ends, and that no count of lines can
tell: a limit close to what files need is met by cutting a class or a table in the middle. The bound
on files only catches those that gathered several subjects.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("frontend", "ir", "passes", "codegen", "runtime", "tools")

LONGEST_FUNCTION = 60
"""Lines, without the signature and the docstring."""
FUNCTIONS = {
    "passes/costs/tiling.py:model": "each choice depends on all before it, so no part stands alone",
}
"""Path and name -> why it is longer."""

LONGEST_FILE = 1000
FILES: dict[str, str] = {}
"""Path -> why it is longer."""


def sources() -> dict[str, str]:
    """The source files in the package folders, by path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def functions(tree: ast.AST, within: str = "") -> Iterator[tuple[str, int]]:
    """Each function in a tree, inner ones too, with the number of lines of its body."""
    for node in ast.iter_child_nodes(tree):
        name = within
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{within}.{node.name}" if within else node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[ast.get_docstring(node) is not None :][:1]
            yield name, sum((node.end_lineno or 0) - line.lineno + 1 for line in first)
        yield from functions(node, name)


def table(counts: dict[str, int]) -> str:
    rows = ["folder      files  lines  median  longest"]
    for folder in FOLDERS:
        sizes = [size for path, size in counts.items() if path.startswith(f"{folder}/")]
        rows.append(
            f"{folder:10} {len(sizes):6} {sum(sizes):6} {median(sizes):7.0f} {max(sizes):8}"
        )
    total = counts.values()
    rows.append(f"{'all':10} {len(total):6} {sum(total):6} {median(total):7.0f} {max(total):8}")
    return "\n".join(rows)


def longest(counts: dict[str, int]) -> str:
    found = sorted(counts.items(), key=lambda item: -item[1])[:10]
    return "\n".join(f"{size:6}  {name}" for name, size in found)


def test_functions_fit_a_screen() -> None:
    counts = {
        f"{path}:{name}": lines
        for path, text in sources().items()
        for name, lines in functions(ast.parse(text))
    }
    print(f"\n{longest(counts)}")
    assert len(counts) > 1000
    too_long = {name: lines for name, lines in counts.items() if lines > LONGEST_FUNCTION}
    assert set(too_long) == set(FUNCTIONS), f"over {LONGEST_FUNCTION} lines: {too_long}"


def test_files_do_not_gather_subjects() -> None:
    counts = {path: len(text.splitlines()) for path, text in sources().items()}
    print(f"\n{table(counts)}\n\n{longest(counts)}")
    too_long = {path: size for path, size in counts.items() if size > LONGEST_FILE}
    assert set(too_long) == set(FILES), f"over {LONGEST_FILE} lines: {too_long}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n    return 1\n", [("f", 1)]),
        ('def f(\n    x,\n):\n    """Two\n    lines."""\n    a = x\n\n    return a', [("f", 3)]),
        ('def f():\n    """Only this."""', [("f", 0)]),
        (
            "class A:\n    def f(self):\n        def g():\n            x = (\n            )\n",
            [("A.f", 3), ("A.f.g", 2)],
        ),
        ("if x:\n    async def f():\n        pass", [("f", 1)]),
    ],
)
def test_lines_of_a_function(source: str, expected: list[tuple[str, int]]) -> None:
    assert list(functions(ast.parse(source))) == expected
