"""Links the sources under their import names in build/view, for type checkers.

An editable install finds `penstock` in `frontend/` through an import hook, which type checkers do
not run. Run `python -m penstock.tools.project.view` to make the links, and with `--mypy` to run
mypy on them.
"""

import argparse
import configparser
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def package_folders(root: Path) -> dict[str, Path]:
    """The folder of each mapped package, by import name, from setup.cfg."""
    settings = configparser.ConfigParser()
    if not settings.read(root / "setup.cfg"):
        raise FileNotFoundError(
            f"the link view needs the source tree, and {root} holds no setup.cfg; "
            "run it from a checkout with an editable install"
        )
    pairs = (line.split("=") for line in settings["options"]["package_dir"].strip().splitlines())
    return {name.strip(): root / folder.strip() for name, folder in pairs}


def link(root: Path = ROOT) -> int:
    """Bring build/view up to date and return how many Python files it shows.

    Each file is linked individually: checkers silently skip linked folders. A stub hides its module
    from them, so only the stub is linked. Correct links are left alone, so a checker that runs
    meanwhile loses nothing.
    """
    view = root / "build" / "view"
    wanted = {
        view.joinpath(*name.split("."), path.relative_to(folder)): path
        for name, folder in package_folders(root).items()
        for path in folder.rglob("*")
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
        if path.suffix != ".py" or not path.with_suffix(".pyi").exists()
    }
    for stale in (path for path in view.rglob("*") if path.is_symlink()):
        if wanted.get(stale) != stale.readlink():
            stale.unlink(missing_ok=True)
    for place, path in wanted.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.symlink_to(path)
    # Checkers take an empty folder for a package.
    folders = [path for path in view.rglob("*") if path.is_dir()]
    for folder in reversed(folders):
        if not any(folder.iterdir()):
            folder.rmdir()
    return sum(path.suffix != ".typed" for path in wanted.values())


def checked_files(report: str) -> int:
    """The number of files that mypy says it checked; 0 if it does not say."""
    found = re.search(r"(?:in|checked) (\d+) source files?\b", report)
    return int(found[1]) if found else 0


def check(root: Path = ROOT) -> int:
    """Link, run mypy, and return 1 if it complains or checked a different number of files."""
    linked = link(root)
    command = [sys.executable, "-m", "mypy", "--config-file", str(root / "setup.cfg")]
    run = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout, end="")
    if run.returncode == 0 and checked_files(run.stdout) != linked:
        print(f"mypy checked {checked_files(run.stdout)} files of the {linked} in build/view")
        return 1
    return min(run.returncode, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="penstock.tools.project.view", description=__doc__)
    parser.add_argument("--mypy", action="store_true", help="type-check every linked file")
    if parser.parse_args(arguments).mypy:
        return check()
    print(f"{link()} files in build/view")
    return 0


if __name__ == "__main__":
    sys.exit(main())
