"""What is packed is what is on disk, and nothing is loaded under two names."""

import ast
import configparser
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from penstock.tools.project import view

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = view.package_folders(ROOT)
NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache"
)


def settings() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def packed_names() -> set[str]:
    """Where each file of the package folders belongs in a wheel."""
    return {
        "/".join((*package.split("."), path.relative_to(folder).as_posix()))
        for package, folder in FOLDERS.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_setup_cfg_lists_every_package() -> None:
    listed = settings()["options"]["packages"].split()
    found = [
        ".".join((package, *init.parent.relative_to(folder).parts))
        for package, folder in FOLDERS.items()
        for init in folder.rglob("__init__.py")
    ]
    assert listed == sorted(found)


def test_every_folder_of_modules_is_a_package() -> None:
    for folder in FOLDERS.values():
        for path in folder.rglob("*.py"):
            assert (path.parent / "__init__.py").is_file(), f"{path.parent} has no __init__.py"


def test_the_root_package_shadows_no_other() -> None:
    taken = {path.stem for path in (ROOT / "frontend").iterdir()}
    assert not taken & {"ir", "passes", "codegen", "runtime", "tools"}


def test_no_lazy_name_is_a_module_in_its_place() -> None:
    import penstock

    for name, (module, _) in penstock._HOMES.items():
        assert module != f"penstock.{name}", (
            f"importing {module} would put the module in the place of penstock.{name}"
        )
    for name in penstock.__all__:
        assert getattr(penstock, name) is not None


def test_public_names_are_those_that_type_checkers_see() -> None:
    import penstock

    stub = ast.parse((ROOT / "frontend" / "__init__.pyi").read_text())
    seen: list[str] = []
    for node in stub.body[1:]:
        match node:
            case ast.ImportFrom(names=names):
                seen += [name.asname or "" for name in names]
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                seen.append(name)
            case _:
                raise AssertionError(f"line {node.lineno} of the stub declares nothing")
    assert sorted(name for name in seen if not name.startswith("_")) == penstock.__all__


def test_no_module_is_loaded_under_a_bare_name() -> None:
    bare = {"frontend", "ir", "passes", "codegen", "runtime", "tools"}
    assert not {name.partition(".")[0] for name in sys.modules} & bare


def build(hook: str, project: Path, target: Path) -> Path:
    """Run one build hook of setuptools, without a network, and return what it made."""
    code = f"from setuptools import build_meta; print(build_meta.{hook}({str(target)!r}))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=project, text=True, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return target / run.stdout.split()[-1]


def test_archives_hold_the_files_on_disk(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "checkout", ignore=NOT_SOURCES)
    expected = packed_names()

    sdist = build("build_sdist", tmp_path / "checkout", tmp_path)
    with tarfile.open(sdist) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
        # Python before 3.11.4 knows no filters, and from 3.12 on it warns where there is none.
        archive.extractall(
            tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    for name in ("LICENSE", "NOTICE", "Makefile", "setup.cfg", "tests/test_packaging.py"):
        assert name in shipped

    # From the source archive, as a user without a checkout would.
    wheel = build("build_wheel", tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    about = f"{wheel.name.partition('-py3')[0]}.dist-info"
    assert {name for name in names if not name.startswith(about)} == expected
    assert {f"{about}/licenses/{name}" for name in ("LICENSE", "NOTICE")} <= names
    metadata = (tmp_path / "installed" / about / "METADATA").read_text()
    for line in ("Version: 0.1.0", "Requires-Python: >=3.10", "Provides-Extra: cuda"):
        assert line in metadata.splitlines()
    entry_points = (tmp_path / "installed" / about / "entry_points.txt").read_text()
    assert "penstock = penstock.tools.cli:main" in entry_points
    check_every_module_imports(tmp_path / "installed", expected)


def check_every_module_imports(installed: Path, names: set[str]) -> None:
    modules = sorted(
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in names
        if name.endswith(".py")
    )
    code = "\n".join(
        (*(f"import {module}" for module in modules), "print(penstock.ir.__file__, end='')")
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=installed.parent,
        env={**os.environ, "PYTHONPATH": str(installed)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == str(installed / "penstock" / "ir" / "__init__.py")
