"""Builds the wheels of both distributions, with the same bytes on every run.

    python -m penstock.tools.project.wheels dist

The sources are copied first, so nothing that an earlier build left gets in. Each wheel is then
written again with files in order, of one date and one mode. It needs setuptools, and no network.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = ("packaging/runtime", ".")
NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache"
)

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of all files: the first that a zip file can state."""
READABLE = 0o100644 << 16


def build(project: Path, target: Path, hook: str = "build_wheel") -> Path:
    """Run one build hook of setuptools in a folder and return what it made."""
    code = f"from setuptools import build_meta; print(build_meta.{hook}({str(target)!r}))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=project, text=True, capture_output=True, check=False
    )
    if run.returncode:
        raise RuntimeError(f"{project}: {hook} failed\n{run.stdout}{run.stderr}")
    return target / run.stdout.split()[-1]


def normalize(wheel: Path) -> None:
    """Write a wheel again without what depends on when and where it was built."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        # Installers read the metadata fastest at the end.
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = READABLE
            archive.writestr(entry, files[name])


def wheels(root: Path, target: Path) -> list[Path]:
    """Build both wheels of a source tree into a folder."""
    target.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "sources")
        shutil.copytree(root, copy, symlinks=True, ignore=NOT_SOURCES)
        for project in PROJECTS:
            wheel = build(copy / project, Path(folder))
            normalize(wheel)
            made.append(Path(shutil.move(wheel, target / wheel.name)))
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="penstock.tools.project.wheels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where to write them")
    for wheel in wheels(ROOT, parser.parse_args(arguments).folder.resolve()):
        print(f"{wheel}: {wheel.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
