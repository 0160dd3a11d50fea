"""Who may import whom: tools > frontend > passes | codegen > ir, and runtime stands alone.

Imports inside functions count, and so do module names in strings, by which lazy tables import.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Container, Iterator
from pathlib import Path

import pytest

from penstock.tools import view

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
    "passes": {"ml_dtypes", "numpy"},
    "codegen": {"llvmlite", "ml_dtypes", "numpy"},
    "runtime": {"ml_dtypes", "numpy"},  # the first on demand only, for bf16: see the last test
    "frontend": {"ml_dtypes", "numpy"},
    "tools": {"ml_dtypes", "numpy"},
}
MODULE_NAME = re.compile(r"penstock(\.\w+)+(:\w+)?")


def sources(layer: str) -> list[Path]:
    return sorted((ROOT / layer).rglob("*.py"))


def layer_of(module: str) -> str:
    """The layer of a module below `penstock`, whose modules without a layer are the frontend's."""
    part = module.split(".")[1]
    return part if part in LAYERS else "frontend"


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of each module that the source may import, `from a import b` as both."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0, f"line {node.lineno}: relative import"
                assert module is not None
                if module == "penstock":
                    yield from ((node.lineno, f"penstock.{name.name}") for name in names)
                else:
                    yield node.lineno, module
            case ast.Constant(value=str(text)) if MODULE_NAME.fullmatch(text):
                yield node.lineno, text.partition(":")[0]


def breaches(layer: str, source: str) -> list[str]:
    """What the source of a module in this layer imports and may not."""
    found = []
    for line, module in imported(ast.parse(source)):
        top = module.partition(".")[0]
        if top == "penstock":
            ours = "frontend" if module == "penstock" else layer_of(module)
            allowed = ours in MAY_IMPORT[layer]
        else:
            allowed = top in sys.stdlib_module_names or top in MAY_REQUIRE[layer]
        if not allowed:
            found.append(f"line {line} imports {module}")
    return found


@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_imports_go_down_only(layer: str) -> None:
    assert sources(layer), f"{layer}/ is empty"
    found = [
        f"{path.relative_to(ROOT)}: {breach}"
        for path in sources(layer)
        for breach in breaches(layer, path.read_text())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("ir", "import penstock.passes.cse"),
        ("ir", "from penstock import passes"),
        ("ir", "import penstock"),
        ("ir", "import llvmlite.binding"),
        ("passes", "def f():\n    from penstock.codegen import text"),
        ("passes", "TABLE = {'cse': 'penstock.codegen.text:emit'}"),
        ("codegen", "import penstock.runtime"),
        ("runtime", "from penstock.ir.core import Op"),
        ("runtime", "import llvmlite"),
        ("frontend", "from penstock.tools import cli"),
        ("tools", "import ir"),
    ],
)
def test_a_breach_is_seen(layer: str, source: str) -> None:
    assert breaches(layer, source)


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
    paths = module_paths()
    imports = {
        name: {need for need in needed(ast.parse(path.read_text()), paths) if need in paths}
        for name, path in paths.items()
    }
    assert circle(imports) == []


def test_a_circle_is_seen() -> None:
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


def module_paths() -> dict[str, Path]:
    """Every module of ours by its import name."""
    return {
        ".".join((package, *(part for part in parts if part != "__init__"))): path
        for package, folder in view.package_folders(ROOT).items()
        for path in sources(folder.name)
        for parts in [path.relative_to(folder).with_suffix("").parts]
    }


def modules(*layers: str) -> list[str]:
    """Import names of the modules in these layers."""
    return [
        name for name, path in module_paths().items() if path.relative_to(ROOT).parts[0] in layers
    ]


def test_importing_the_packages_loads_nothing_heavy() -> None:
    packages = ", ".join(sorted(view.package_folders(ROOT)))
    loaded = loaded_after(f"import {packages}")
    assert not {name for name in loaded if name.startswith(("llvmlite", "cuda"))}
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
    assert not loaded & {"llvmlite", "ml_dtypes"}
