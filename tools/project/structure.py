"""The structure page: the rooms of each package, their purpose, and which imports which.

A room is a folder of modules; the first sentence of its `__init__` describes it. Run
`python -m penstock.tools.project.structure` to print the page with line counts, and with
`--output FILE` to write it without them: `make docs` keeps it in docs/structure.md.
Line counts change with every edit, so the stored page, which a test compares, omits them.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from penstock.ir.record import Record
from penstock.tools.project.view import ROOT, package_folders
from penstock.tools.shared.texts import write_text

ROOMS: Mapping[str, Sequence[str]] = {
    "frontend": (
        "test_utils",
        "test_utils.automated_test_util",
        "testing.alignment",
        "testing.duals",
        "train",
        ".",
        "testing",
        "debug",
        "meaning",
        "loaded",
        "mindspore.train",
        "mindspore.nn",
        "mindspore.ops",
        "mindspore",
        "nn",
        "graphs",
        "jobs",
        "utils",
        "batches",
        "saving",
        "nn.utils",
        "optim",
        "nn.transformers",
        "nn.modules",
        "nn.hooks",
        "nn.functional",
        "autograd",
        "tensor_functions",
        "tensors",
        "stages",
        "artifacts",
        "lowering",
        "reports",
        "networks",
        "images",
        "functions",
        "files",
        "trace",
        "under",
        "process",
        "basics",
    ),
    "passes": (
        "watch",
        "flow",
        "sharding",
        "devices",
        "placement",
        "placement.local",
        "fusion",
        "linalg",
        "simplify",
        "buffers",
        "gpu",
        "gpu.attention",
        "gpu.rows",
        "gpu.tiles",
        "gpu.write",
        "loops",
        "loops.rows",
        "loops.tiles",
        "loops.write",
        "costs",
        "analysis",
        ".",
    ),
    "codegen": (
        "clib",
        "gpu",
        "jobs",
        "text",
        "text.vectors",
        "text.parts",
        "math",
        "link",
        "objects",
        "native",
        ".",
    ),
    "ir": (
        "meaning",
        "rewriting",
        "dialects.job",
        "dialects.flow.sorting",
        "dialects.flow.indexing",
        "dialects.flow.compositions",
        "dialects.flow.windows",
        "dialects.flow.shapes",
        "dialects.flow.reductions",
        "dialects.flow.pointwise",
        "dialects.flow.random_numbers",
        "dialects.flow",
        "dialects.nvgpu",
        "dialects.gpu",
        "dialects.vector",
        "write",
        "dialects",
        "dialects.arith",
        "text",
        "verify",
        ".",
    ),
    "tools": (".", "fuzz", "failures", "project", "page", "launch", "shared"),
    "runtime": (
        "artifacts",
        "profiling",
        "gpu",
        "gpu.simulator",
        "gpu.simulator.checks",
        "gpu.simulator.instructions",
        "gpu.simulator.arithmetic",
        "gpu.simulator.machine",
        "gpu.simulator.formats",
        "gpu.simulator.ptx",
        "mpi",
        "ranks",
        "execution",
        "store",
        "native",
        ".",
    ),
}
"""The rooms of each package from top to bottom: each may import those after it. A dot is the
package's own folder."""
UNDER = {
    "frontend": (
        "Modules that users import by name, on which the rooms build.",
        ("config", "distribute", "env", "regularizers", "sbp", "scope", "typing"),
    ),
}
"""Modules that stand in a package's own folder and are a room below others, `under`, which has no
folder: what they are, and their names."""

_MODULE_NAME = re.compile(r"penstock(\.\w+)+(:\w+)?")
_HEAD = """\
# The structure

This page is made from the imports by `make docs`, and `tests/test_layers.py` holds it. Each package
is divided into rooms, folders of modules that belong together. A room imports rooms below it, at
import time, in functions, for types, or by names in tables; only a package's `__init__` may name
what is inside it. An arrow back, which the test refuses, is dotted. The drawings leave out an arrow
where a longer way leads to the same room; the tables have all.
`python -m penstock.tools.project.structure` prints this page with lines of code.
"""


class Arrow(Record):
    """An import of a module in another room of the same package."""

    module: str
    line: int
    imported: str


def module_paths() -> dict[str, Path]:
    """Every module of ours by its import name."""
    return {
        ".".join((package, *(part for part in parts if part != "__init__"))): path
        for package, folder in package_folders(ROOT).items()
        for path in sorted(folder.rglob("*.py"))
        for parts in [path.relative_to(folder).with_suffix("").parts]
    }


def imported(tree: ast.AST, known: Container[str] = ()) -> Iterator[tuple[int, str]]:
    """Line and name of each module that a source may import: `from a import b` is `a.b` if that is
    known to be a module. Imports in functions count, and so do names in strings, since lazy tables
    import by them.

    >>> list(imported(ast.parse("from penstock.ir import types"), {"penstock.ir.types"}))
    [(1, 'penstock.ir.types')]
    """
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0, f"line {node.lineno}: relative import"
                assert module is not None
                for full in (f"{module}.{name.name}" for name in names):
                    yield node.lineno, full if full in known or module == "penstock" else module
            case ast.Constant(value=str(text)) if _MODULE_NAME.fullmatch(text):
                yield node.lineno, text.partition(":")[0]


def modules_of(package: str) -> dict[str, Path]:
    """The modules in a package's folder, by import name."""
    return {n: p for n, p in module_paths().items() if p.is_relative_to(ROOT / package)}


def room_of(path: Path) -> str:
    """The room that a module is in: that of its folder.

    >>> room_of(ROOT / "passes" / "loops" / "rows" / "__init__.py")
    'loops.rows'
    >>> room_of(ROOT / "passes" / "base.py")
    '.'
    >>> room_of(ROOT / "frontend" / "typing.py")
    'under'
    """
    package, *folders = path.relative_to(ROOT).parent.parts
    if not folders and package in UNDER and path.stem in UNDER[package][1]:
        return "under"
    return ".".join(folders) or "."


def arrows(sources: Mapping[str, tuple[str, str]]) -> dict[tuple[str, str], list[Arrow]]:
    """The imports from one room to another, given the room and the source of each module.

    A package's `__init__` may name what is inside it.
    """
    found: dict[tuple[str, str], list[Arrow]] = {}
    for name, (room, source) in sources.items():
        for line, other in imported(ast.parse(source), sources):
            if other not in sources or sources[other][0] == room or other.startswith(f"{name}."):
                continue
            found.setdefault((room, sources[other][0]), []).append(Arrow(name, line, other))
    return found


@cache
def arrows_of(package: str) -> dict[tuple[str, str], list[Arrow]]:
    """The imports from one room of a package to another."""
    paths = modules_of(package)
    return arrows({n: (room_of(path), path.read_text()) for n, path in paths.items()})


def arrows_back(
    rooms: Sequence[str], found: Mapping[tuple[str, str], Sequence[Arrow]]
) -> dict[tuple[str, str], Sequence[Arrow]]:
    """The imports of a room that is not below. If there are none, the rooms have no cycle."""
    floor = {room: number for number, room in enumerate(rooms)}
    return {(a, b): made for (a, b), made in found.items() if floor[b] <= floor[a]}


def rooms_of(package: str) -> dict[str, list[Path]]:
    """The files of each room of a package, from the top down; C files count as modules, too."""
    found: dict[str, list[Path]] = {room: [] for room in ROOMS[package]}
    for path in modules_of(package).values():
        files = found.setdefault(room_of(path), [])
        files.append(path)
        if path.name == "__init__.py":
            files += sorted(path.parent.glob("*.c"))
    return found


def modules_in(files: Sequence[Path]) -> int:
    """The number of modules in a room, besides its `__init__`."""
    return sum(path.name != "__init__.py" for path in files)


# -- the page ----------------------------------------------------------------------------------


def page(lines: bool) -> str:
    """The whole page in Markdown."""
    return "\n".join([_HEAD, *(line for package in ROOMS for line in _package(package, lines))])


def _package(package: str, lines: bool) -> Iterator[str]:
    rooms, found = rooms_of(package), arrows_of(package)
    below = {room: [b for b in rooms if (room, b) in found] for room in rooms}
    yield f"## {package}\n"
    yield "```mermaid\ngraph TD"
    for room in rooms:
        yield f'    {_key(room)}["{_title(package, room)}"]'
    back = arrows_back(ROOMS[package], found)
    down = {room: [b for b in others if (room, b) not in back] for room, others in below.items()}
    for room, others in down.items():
        yield from (f"    {_key(room)} --> {_key(other)}" for other in _direct(down, others))
    yield from (f"    {_key(room)} -.-> {_key(other)}" for room, other in back)
    yield "```\n"
    yield f"| room | what it is | modules |{' lines |' * lines} imports |"
    yield f"|---|---|---|{'---|' * lines}---|"
    for room, files in rooms.items():
        count = sum(len(path.read_text().splitlines()) for path in files)
        imports = ", ".join(f"`{_title(package, other)}`" for other in below[room])
        yield (
            f"| `{_title(package, room)}` | {_what(package, room, files)} | {modules_in(files)} |"
            f"{f' {count} |' * lines} {imports} |"
        )
    yield ""


def _title(package: str, room: str) -> str:
    if room == "under":
        return f"{package}/*.py"
    return f"{package}/{'' if room == '.' else room.replace('.', '/') + '/'}"


def _key(room: str) -> str:
    return "root" if room == "." else room.replace(".", "_")


def _direct(below: Mapping[str, Sequence[str]], others: Sequence[str]) -> list[str]:
    """The rooms in `others` that no other of them reaches."""
    further = {room for other in others for room in _reached(below, other)}
    return [room for room in others if room not in further]


def _reached(below: Mapping[str, Sequence[str]], room: str) -> set[str]:
    """The rooms that one reaches, in any number of steps."""
    reached: set[str] = set()
    waiting = list(below[room])
    while waiting:
        other = waiting.pop()
        if other not in reached:
            reached.add(other)
            waiting += below[other]
    return reached


def _what(package: str, room: str, files: Sequence[Path]) -> str:
    """The first sentence of a room's `__init__`."""
    if room == "under":
        what, names = UNDER[package]
        return f"{what[:-1]}: {', '.join(f'`{name}`' for name in names)}."
    (init,) = (path for path in files if path.name == "__init__.py")
    text = ast.get_docstring(ast.parse(init.read_text())) or ""
    return " ".join(text.split("\n\n")[0].split())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="penstock.tools.project.structure", description=__doc__)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page, without lines")
    output = parser.parse_args(arguments).output
    write_text(output or "-", page(lines=output is None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
