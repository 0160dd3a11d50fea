"""What is packed is what is on disk, and nothing is loaded under two names."""

import ast
import configparser
import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from email.message import Message
from importlib.util import find_spec
from pathlib import Path

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.tools.project import pythons, view, wheels

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = view.package_folders(ROOT)


DISTRIBUTIONS = {"penstock": ROOT, "penstock-runtime": ROOT / "packaging" / "runtime"}


def settings(project: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(project / "setup.cfg")
    return parser


def owner(package: str) -> str:
    return "penstock-runtime" if package == "penstock.runtime" else "penstock"


def packed_names(distribution: str) -> set[str]:
    """Where each file of the package folders belongs in a wheel."""
    return {
        "/".join((*package.split("."), path.relative_to(folder).as_posix()))
        for package, folder in FOLDERS.items()
        if owner(package) == distribution
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_setup_cfg_lists_every_package(distribution: str) -> None:
    listed = settings(DISTRIBUTIONS[distribution])["options"]["packages"].split()
    found = [
        ".".join((package, *init.parent.relative_to(folder).parts))
        for package, folder in FOLDERS.items()
        if owner(package) == distribution
        for init in folder.rglob("__init__.py")
    ]
    assert listed == sorted(found)


def test_both_distributions_have_one_version() -> None:
    first, second = (settings(project)["metadata"] for project in DISTRIBUTIONS.values())
    assert first["version"] == second["version"]
    required = settings(ROOT)["options"]["install_requires"].splitlines()
    assert f"penstock-runtime =={second['version']}" in required
    for key in ("author", "license_expression"):
        assert first[key] == second[key]
    links = [ROOT / "packaging/runtime/modules", ROOT / "packaging/runtime/LICENSE"]
    assert [link.resolve() for link in links] == [ROOT / "runtime", ROOT / "LICENSE"]


def test_the_tested_pythons_are_those_that_are_named() -> None:
    versions = pythons.declared()
    assert versions == pythons.declared(DISTRIBUTIONS["penstock-runtime"])
    for page in ("README.md", "CONTRIBUTING.md"):
        assert f"{versions[0]} to {versions[-1]}" in (ROOT / page).read_text()
    assert settings(ROOT)["options"]["python_requires"] == f">={versions[0]}"


def test_a_python_is_found_on_the_path_or_among_those_of_pyenv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    broken, kept = tmp_path / f"python{own}", tmp_path / "versions" / f"{own}.1" / "bin" / "python"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    kept.parent.mkdir(parents=True)
    kept.symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert pythons.find(own) == kept, "the first on the path does not run, as pyenv's may"
    assert pythons.find("3.1") is None


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


def unpacked(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as archive:
        # Python before 3.11.4 knows no filters, and from 3.12 on it warns where there is none.
        archive.extractall(
            folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    return folder / sdist.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def source_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "checkout", symlinks=True, ignore=wheels.NOT_SOURCES)
    return wheels.build(folder / "checkout", folder, "build_sdist")


@pytest.fixture(scope="module")
def built(source_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels from the source archive alone, as a user without a checkout would build them."""
    folder = tmp_path_factory.mktemp("wheels")
    found = wheels.wheels(unpacked(source_archive, folder), folder / "dist")
    return {path.name.partition("-")[0].replace("_", "-"): path for path in found}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def metadata_of(wheel: Path) -> Message:
    (name,) = (name for name in names_in(wheel) if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(wheel) as archive:
        return email.message_from_bytes(archive.read(name))


def test_the_source_archive_has_all_that_builds_and_tests(source_archive: Path) -> None:
    with tarfile.open(source_archive) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("LICENSE", "NOTICE", "Makefile", "setup.cfg", "tests/test_packaging.py"):
        assert name in shipped


def test_wheels_hold_the_files_on_disk_each_in_one(built: dict[str, Path], tmp_path: Path) -> None:
    for name, wheel in built.items():
        about = f"{name.replace('-', '_')}-0.1.0.dist-info/"
        own = {name for name in names_in(wheel) if not name.startswith(about)}
        assert own == packed_names(name)
        assert f"{about}licenses/LICENSE" in names_in(wheel)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tmp_path)
    check_every_module_imports(
        tmp_path, packed_names("penstock") | packed_names("penstock-runtime")
    )


def test_wheels_say_what_they_are_and_run_on(built: dict[str, Path]) -> None:
    for name, wheel in built.items():
        assert wheel.name.endswith("-0.1.0-py3-none-manylinux_2_27_x86_64.whl")
        metadata = metadata_of(wheel)
        assert metadata["Name"] == name
        assert metadata["Author"] == "penstock developers"
        assert metadata["License-Expression"] == "Apache-2.0"
        assert metadata["Requires-Python"] == ">=3.10"
        assert metadata["Keywords"]
        # An index shows the description, and knows no files beside it.
        links = re.findall(r"\]\(([^)]*)\)", str(metadata.get_payload()))
        assert all(link.startswith("https://") for link in links)
    required = metadata_of(built["penstock"]).get_all("Requires-Dist") or []
    assert "penstock-runtime==0.1.0" in required
    assert "gpu" in (metadata_of(built["penstock"]).get_all("Provides-Extra") or [])
    needed = metadata_of(built["penstock-runtime"]).get_all("Requires-Dist") or []
    assert [one for one in needed if "extra" not in one] == ["numpy>=1.26"]


def test_the_same_sources_make_the_same_wheels(built: dict[str, Path], tmp_path: Path) -> None:
    """In another folder, from files of another date and mode."""
    shutil.copytree(ROOT, tmp_path / "copy", symlinks=True, ignore=wheels.NOT_SOURCES,
                    copy_function=shutil.copyfile)  # fmt: skip
    for wheel in wheels.wheels(tmp_path / "copy", tmp_path / "dist"):
        assert wheel.read_bytes() == (built["penstock"].parent / wheel.name).read_bytes()


class Environment:
    """A virtual environment that has NumPy, what else is named, and nothing of this one."""

    def __init__(self, folder: Path, *others: str) -> None:
        venv.create(folder)
        self.python = folder / "bin" / "python"
        (self.packages,) = (folder / "lib").glob("python*/site-packages")
        for name in ("numpy", *others):
            for path in Path(find_spec(name).origin).parents[1].glob(f"{name}*"):  # type: ignore
                (self.packages / path.name).symlink_to(path)

    def pip(self, *arguments: str | Path) -> None:
        """This environment's pip, for that one; without the network."""
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python"]
        self._run([*command, self.python, *arguments])

    def run(self, code: str) -> str:
        return self._run([self.python, "-c", code])

    def _run(self, command: Sequence[str | Path]) -> str:
        environment = {n: v for n, v in os.environ.items() if not n.startswith("PYTHON")}
        run = subprocess.run(
            command, cwd=self.packages, env=environment, text=True, capture_output=True
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout


INSTALL = ("install", "--no-index", "--no-deps", "--no-compile", "--quiet")
REMOVE = ("uninstall", "--yes", "--quiet")
STEP = "import numpy as np, penstock.runtime as r; print(r.load({!r})(np.ones(2, np.float32)))"


def test_the_runtime_alone_runs_an_artifact(built: dict[str, Path], tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def twice(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return x + x

    artifact = str(tmp_path / "twice.pstk")
    flow.save_artifact(artifact, twice)
    alone = Environment(tmp_path / "alone")
    alone.pip(*INSTALL, built["penstock-runtime"])
    assert alone.run(STEP.format(artifact)) == "[2. 2.]\n"
    loaded = alone.run("import penstock.runtime as r; r.load; import sys; print(*sys.modules)")
    assert not {"llvmlite", "ml_dtypes", "penstock.ir"} & set(loaded.split())


def test_neither_distribution_breaks_the_other(built: dict[str, Path], tmp_path: Path) -> None:
    both = Environment(tmp_path / "both", "llvmlite", "ml_dtypes")
    runtime = "import penstock.runtime as r; print(r.load.__name__)"
    whole = "import penstock as flow; print(flow.ones(2).numpy().sum())"
    both.pip(*INSTALL, *built.values())
    assert (both.run(runtime), both.run(whole)) == ("load\n", "2.0\n")
    both.pip(*REMOVE, "penstock")
    assert both.run(runtime) == "load\n"
    assert not (both.packages / "penstock" / "__init__.py").exists()
    both.pip(*INSTALL, built["penstock"])
    both.pip(*REMOVE, "penstock-runtime")
    missing = both.run("import penstock\ntry: penstock.ones\nexcept ImportError as e: print(e)")
    assert "runtime is missing: install penstock-runtime" in missing
    both.pip(*INSTALL, built["penstock-runtime"])
    assert (both.run(runtime), both.run(whole)) == ("load\n", "2.0\n")


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
