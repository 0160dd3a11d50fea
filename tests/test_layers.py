"""Who may import whom: tools > frontend > passes | codegen > ir, and runtime stands alone.

Inside a package, rooms import those below them. Imports inside functions count, and so do module
names in strings, by which lazy tables import.
"""

import ast
import subprocess
import sys
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path

import pytest

import penstock
from penstock.tools.project import structure, view
from penstock.tools.project.structure import imported, module_paths

ROOT = Path(__file__).resolve().parent.parent
LAYERS = frozenset({"codegen", "frontend", "ir", "passes", "runtime", "tools"})

MAY_IMPORT = {
    "ir": {"ir"},
    "passes": {"ir", "passes"},
    "codegen": {"ir", "codegen"},
    "runtime": {"runtime"},
    "frontend": LAYERS - {"tools"},
    "tools": LAYERS,
}
MAY_REQUIRE = {
    "ir": {"ml_dtypes", "numpy"},
    "passes": {"ml_dtypes", "numpy", "scipy"},  # the last on demand only, to place jobs on ranks
    "codegen": {"llvmlite", "ml_dtypes", "numpy"},
    "runtime": {"ml_dtypes", "numpy"},  # the first on demand only, for bf16: see the last test
    "frontend": {"ml_dtypes", "numpy"},
    "tools": {"ml_dtypes", "numpy"},
}
MAY_REQUIRE_LAZILY = {("runtime", "mpi"): {"mpi4py"}, ("runtime", "gpu"): {"cuda"}}
"""Layer and room -> what its functions may import beyond that."""


def sources(layer: str) -> list[Path]:
    return sorted((ROOT / layer).rglob("*.py"))


def layer_of(module: str) -> str:
    """The layer of a module below `penstock`, whose modules without a layer are the frontend's."""
    part = module.split(".")[1]
    return part if part in LAYERS else "frontend"


class Imports:
    """What a source imports, from one reading of it: all, and what its lines import at once."""

    def __init__(self, source: str, known: Container[str] = ()) -> None:
        tree = ast.parse(source)
        self.all = list(imported(tree))
        self.at_once = list(needed(tree, ()))
        self.modules = {module for _, module in imported(tree, known)}
        """Those with a name that is known, which tells modules from what is in them."""
        self.modules_at_once = set(needed(tree, known))


known_modules = cache(module_paths)


@cache
def imports_of(path: Path) -> Imports:
    return Imports(path.read_text(), known_modules())


def breaches(layer: str, imports: Imports, room: str = "") -> list[str]:
    """What a module in this room of a layer imports and may not."""
    found = []
    at_once = {module.partition(".")[0] for module in imports.at_once}
    lazily = MAY_REQUIRE_LAZILY.get((layer, room), set()) - at_once
    for line, module in imports.all:
        top = module.partition(".")[0]
        if top == "penstock":
            ours = "frontend" if module == "penstock" else layer_of(module)
            allowed = ours in MAY_IMPORT[layer]
        else:
            allowed = top in sys.stdlib_module_names or top in MAY_REQUIRE[layer] | lazily
        if not allowed:
            found.append(f"line {line} imports {module}")
    return found


@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_imports_go_down_only(layer: str) -> None:
    assert sources(layer), f"{layer}/ is empty"
    found = [
        f"{path.relative_to(ROOT)}: {breach}"
        for path in sources(layer)
        for breach in breaches(layer, imports_of(path), path.relative_to(ROOT / layer).parts[0])
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("ir", "import penstock.passes.simplify.cse"),
        ("ir", "from penstock import passes"),
        ("ir", "import penstock"),
        ("ir", "import llvmlite.binding"),
        ("passes", "def f():\n    from penstock.codegen import text"),
        ("passes", "TABLE = {'cse': 'penstock.codegen.text:emit'}"),
        ("codegen", "import penstock.runtime"),
        ("runtime", "from penstock.ir.core import Op"),
        ("runtime", "import llvmlite"),
        ("runtime", "def f():\n    import mpi4py"),
        ("frontend", "from penstock.tools import cli"),
        ("tools", "import ir"),
    ],
)
def test_a_violation_is_detected(layer: str, source: str) -> None:
    assert breaches(layer, Imports(source))


def test_mpi_is_imported_by_its_room_alone_and_lazily() -> None:
    assert not breaches("runtime", Imports("def f():\n    from mpi4py import MPI"), "mpi")
    assert breaches("runtime", Imports("from mpi4py import MPI"), "mpi")


def test_cuda_is_imported_by_its_room_alone_and_lazily() -> None:
    source = "def f():\n    from cuda.bindings import driver"
    assert not breaches("runtime", Imports(source), "gpu")
    assert breaches("runtime", Imports(source), "execution")
    assert breaches("frontend", Imports(source), "gpu")
    assert breaches("runtime", Imports("from cuda.bindings import driver"), "gpu")


def needed(tree: ast.AST, known: Container[str]) -> Iterator[str]:
    """The modules that are imported when a module's lines run."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef() | ast.Lambda():
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=others):
                yield from needed(ast.Module(others, []), known)
                continue
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                for full in (f"{module}.{name.name}" for name in names):
                    yield full if full in known else module
        yield from needed(node, known)


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Modules that need each other, or need those that do; none where imports can be ordered."""
    left = dict(imports)
    while ready := [name for name, needs in left.items() if not needs & left.keys() - {name}]:
        for name in ready:
            del left[name]
    return sorted(left)


def test_no_modules_import_each_other() -> None:
    """So nothing that an interrupted import leaves behind refers to the module that was dropped."""
    paths = known_modules()
    imports = {
        name: imports_of(path).modules_at_once & paths.keys() for name, path in paths.items()
    }
    assert circle(imports) == []


@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_no_modules_name_each_other(layer: str) -> None:
    """Not in functions or for types either, so that one can be read before the other."""
    paths = {name: path for name, path in known_modules().items() if layer_of(f"{name}.") == layer}
    imports = {name: imports_of(path).modules & paths.keys() for name, path in paths.items()}
    assert circle(imports) == []


def test_a_cycle_is_detected() -> None:
    assert circle({"a": {"b"}, "b": {"a"}, "c": set(), "d": {"c"}}) == ["a", "b"]


def test_the_layers_are_the_packages() -> None:
    assert {folder.name for folder in view.package_folders(ROOT).values()} == LAYERS


def loaded_after(statements: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after these statements."""
    code = f"{statements}\nimport sys\nprint(*sys.modules, sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "tests",
        text=True,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


def modules(*layers: str) -> list[str]:
    """Import names of the modules in these layers."""
    return [
        name for name, path in module_paths().items() if path.relative_to(ROOT).parts[0] in layers
    ]


def test_importing_the_packages_loads_nothing_heavy() -> None:
    packages = ", ".join(sorted(view.package_folders(ROOT)))
    loaded = loaded_after(f"import {packages}")
    assert not {name for name in loaded if name.startswith(("llvmlite", "cuda", "mpi4py"))}
    assert "penstock.data" not in loaded, "the root package is no longer lazy"


def test_only_codegen_loads_llvmlite() -> None:
    loaded = loaded_after(f"import {', '.join(modules('ir', 'passes', 'runtime', 'frontend'))}")
    assert "penstock.ir" in loaded
    assert not {name for name in loaded if name.startswith("llvmlite")}


def test_the_runtime_loads_nothing_of_the_compiler() -> None:
    loaded = loaded_after(f"import {', '.join(modules('runtime'))}")
    assert "penstock.runtime" in loaded
    ours = {name for name in loaded if name.split(".")[0] == "penstock"}
    assert {name for name in ours if not name.startswith("penstock.runtime")} == {"penstock"}
    assert not loaded & {"llvmlite", "ml_dtypes", "mpi4py"}


# -- the rooms inside the packages ---------------------------------------------------------------

FEWEST, MOST = 3, 15
"""How many modules a room has, beside its `__init__`."""

AS_MANY = {("frontend", "."), ("frontend", "utils"), ("frontend", "test_utils")}
"""The rooms with as many modules as users import by name."""


@pytest.mark.parametrize("package", structure.ROOMS)
def test_every_room_has_its_floor(package: str) -> None:
    rooms = structure.rooms_of(package)
    assert list(rooms) == list(structure.ROOMS[package]), "ROOMS in structure.py has others"
    sizes = {room: structure.modules_in(files) for room, files in rooms.items()}
    free = {room for where, room in AS_MANY if where == package}
    assert {r: n for r, n in sizes.items() if not FEWEST <= n <= MOST and r not in free} == {}


def test_frontend_modules_outside_rooms_are_public() -> None:
    rooms = structure.rooms_of("frontend")
    names = {path.stem for path in (*rooms["."], *rooms["under"])} - {"__init__"}
    public = {name for module, name in penstock._HOMES.values() if module == "penstock"}
    assert names <= public <= names | rooms.keys()


@pytest.mark.parametrize("package", structure.ROOMS)
def test_rooms_import_those_below_only(package: str) -> None:
    found = structure.arrows_of(package)
    back = structure.arrows_back(structure.ROOMS[package], found)
    assert not back, "\n".join(
        f"{result.module}:{result.line} imports {result.imported}: {room} is not above {other}"
        for (room, other), arrows in back.items()
        for result in arrows
    )


@pytest.mark.parametrize(
    "source",
    [
        "from penstock.passes.high import first",
        "from penstock.passes.high.first import run",
        "def f():\n    import penstock.passes.high.first",
        "if TYPE_CHECKING:\n    from penstock.passes.high import first",
        "TABLE = {'first': 'penstock.passes.high.first:run'}",
    ],
)
def test_an_upward_import_is_detected(source: str) -> None:
    sources = {
        "penstock.passes": (".", "TABLE = {'first': 'penstock.passes.high.first:run'}"),
        "penstock.passes.high": ("high", ""),
        "penstock.passes.high.first": ("high", "from penstock.passes.low import second"),
        "penstock.passes.low.second": ("low", source),
    }
    found = structure.arrows(sources)
    assert set(found) == {("high", "low"), ("low", "high")}
    back = structure.arrows_back(("high", "low", "."), found)
    assert [result.module for result in back["low", "high"]] == ["penstock.passes.low.second"]
    assert set(back) == {("low", "high")}


def test_what_is_inside_a_package_is_below_its_door_alone() -> None:
    sources = {
        "penstock.passes": (".", "from penstock.passes.low import second"),
        "penstock.passes.base": (".", "from penstock.passes.low import second"),
        "penstock.passes.low.second": ("low", ""),
    }
    back = structure.arrows_back(("low", "."), structure.arrows(sources))
    assert [result.module for result in back[".", "low"]] == ["penstock.passes.base"]


def test_the_page_shows_the_rooms(tmp_path: Path) -> None:
    assert structure.main(["--output", str(tmp_path / "page.md")]) == 0
    page = (tmp_path / "page.md").read_text()
    kept = (ROOT / "docs" / "structure.md").read_text()
    assert page == kept, "docs/structure.md is out of date: run `make docs`"


def test_lines_are_printed_and_not_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert structure.main([]) == 0
    room = structure.rooms_of("passes")["simplify"]
    count = sum(len(path.read_text().splitlines()) for path in room)
    (row,) = (r for r in capsys.readouterr().out.splitlines() if r.startswith("| `passes/simplify"))
    assert row.endswith(f"| {structure.modules_in(room)} | {count} | `passes/` |")
