"""The link view shows type checkers every source file, and a false pass is detected."""

from pathlib import Path

import pytest

from penstock.tools.project import view

SETTINGS = "[options]\npackage_dir =\n    thing = front\n    thing.core = core\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").write_text(SETTINGS)
    for name in ("front/__init__.py", "front/py.typed", "core/__init__.py", "core/a.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path


def shown(project: Path) -> dict[str, str]:
    files = (path for path in (project / "build" / "view").rglob("*") if path.is_file())
    return {
        path.relative_to(project / "build" / "view").as_posix(): path.read_text() for path in files
    }


def test_each_file_is_linked_under_its_import_name(project: Path) -> None:
    assert view.link(project) == 3
    assert shown(project) == {
        "thing/__init__.py": "# front/__init__.py\n",
        "thing/py.typed": "# front/py.typed\n",
        "thing/core/__init__.py": "# core/__init__.py\n",
        "thing/core/a.py": "# core/a.py\n",
    }
    folders = [path for path in (project / "build").rglob("*") if path.is_dir()]
    assert not any(folder.is_symlink() for folder in folders)


def test_a_stub_hides_its_module(project: Path) -> None:
    (project / "front/__init__.pyi").write_text("# the stub\n")
    assert view.link(project) == 3
    assert shown(project)["thing/__init__.pyi"] == "# the stub\n"
    assert "thing/__init__.py" not in shown(project)


def test_a_second_run_updates_the_links(project: Path) -> None:
    view.link(project)
    (project / "core/a.py").rename(project / "core/b.py")
    assert view.link(project) == 3
    assert "thing/core/b.py" in shown(project)
    assert "thing/core/a.py" not in shown(project)
    assert not (project / "build/view/thing/core/a.py").is_symlink()


def test_a_folder_whose_files_moved_is_gone(project: Path) -> None:
    (project / "core/old/inner").mkdir(parents=True)
    (project / "core/old/inner/c.py").touch()
    view.link(project)
    (project / "core/old/inner/c.py").rename(project / "core/c.py")
    view.link(project)
    assert not (project / "build/view/thing/core/old").exists()


def test_outside_a_checkout_it_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no setup.cfg; run it from a checkout"):
        view.link(tmp_path)


@pytest.mark.parametrize(
    ("report", "count"),
    [
        ("Success: no issues found in 15 source files\n", 15),
        ("Success: no issues found in 1 source file\n", 1),
        ("a.py:1: error: no\nFound 3 errors in 2 files (checked 20 source files)\n", 20),
        ("usage: mypy\n", 0),
    ],
)
def test_the_count_is_read_from_the_report(report: str, count: int) -> None:
    assert view.checked_files(report) == count


def test_mypy_must_check_every_file(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    with (project / "setup.cfg").open("a") as settings:
        settings.write("[mypy]\nmypy_path = $MYPY_CONFIG_FILE_DIR/build/view\npackages = thing\n")
    assert view.check(project) == 0
    (project / "setup.cfg").write_text(
        (project / "setup.cfg").read_text().replace("packages = thing", "packages = thing.core")
    )
    assert view.check(project) == 1
    assert "mypy checked 2 files of the 3 in build/view" in capfd.readouterr().out
