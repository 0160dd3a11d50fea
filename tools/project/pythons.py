"""Tests the wheels with each Python that setup.cfg names and this machine has.

    python -m penstock.tools.project.pythons dist
    python -m penstock.tools.project.pythons dist --python /opt/python3.14/bin/python

Each gets a fresh environment with both wheels and pytest. It runs examples there, compiles an
artifact, which it runs with penstock-runtime and NumPy alone, and runs some tests of the installed
packages. Pythons that are not found are listed, and do not fail. An interpreter is looked for on
the path, and among the versions of pyenv.
"""

import argparse
import configparser
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "pythons"
TESTS = ("tests/ir", "tests/runtime/execution", "tests/frontend/input")
VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"
ARTIFACT_RUNS = """
import sys
import numpy as np
import penstock.runtime
loss = penstock.runtime.load(sys.argv[1])(
    np.zeros((100, 1, 28, 28), np.float32), np.zeros(100, np.int32)
)
assert loss.shape == (100,) and "llvmlite" not in sys.modules
"""


def declared(project: Path = ROOT) -> list[str]:
    """The versions that a project says it runs on.

    >>> declared() == declared(ROOT / "packaging" / "runtime")
    True
    """
    parser = configparser.ConfigParser()
    parser.read(project / "setup.cfg")
    return re.findall(r":: (3\.\d+)$", parser["metadata"]["classifiers"], re.MULTILINE)


def version_of(python: Path) -> str | None:
    """The version that an interpreter says it is, such as 3.12; None if it does not run."""
    try:
        asked = subprocess.run(
            [python, "-c", VERSION], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()


def find(version: str) -> Path | None:
    """An interpreter of a version, on the path or among those of pyenv."""
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    candidates = [Path(on_path)] if on_path else []
    candidates += sorted(pyenv.glob(f"{version}*/bin/python"), reverse=True)
    return next((one for one in candidates if version_of(one) == version), None)


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command; raises CalledProcessError if it fails."""
    subprocess.run(list(map(str, command)), cwd=cwd, check=True)


def environment(python: Path, folder: Path, *packages: str | Path) -> Path:
    """A fresh environment with these packages; its interpreter."""
    run(python, "-m", "venv", "--clear", folder)
    its = folder / "bin" / "python"
    run(its, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return its


def check(python: Path, wheels: Path, folder: Path, tests: Sequence[str]) -> None:
    """Raise CalledProcessError at the first thing that fails with this Python."""
    found = sorted(wheels.glob("*.whl"))
    runtime = [path for path in found if path.name.startswith("penstock_runtime-")]
    its = environment(python, folder / "whole", *found, "pytest", "pytest-xdist")
    artifact, job = folder / "train.pstk", "examples/train_mnist.py:train_job"
    run(its, "examples/watch_relu.py")
    run(its, "examples/train_mnist.py", "--data", "digits", "--epochs", "2")
    run(its.parent / "penstock", "compile", job, "-o", artifact)
    alone = environment(python, folder / "runtime", *runtime)
    run(alone, "-c", ARTIFACT_RUNS, artifact, cwd=folder)
    if tests:
        run(its, "-m", "pytest", "--quiet", "--numprocesses", "auto", *tests)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="penstock.tools.project.pythons",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "wheels", type=Path, help="the folder with the wheels of both distributions"
    )
    parser.add_argument(
        "--python",
        type=Path,
        action="append",
        help="one or more interpreters, in place of a search",
    )
    parser.add_argument("--tests", nargs="*", default=TESTS, help="what pytest runs (%(default)s)")
    given = parser.parse_args(arguments)
    pythons: dict[str, Path | None] = {version: find(version) for version in declared()}
    if given.python:
        pythons = {version_of(path) or str(path): path for path in given.python}
    outcomes = []
    for version, python in pythons.items():
        outcome = "not found"
        if python is not None:
            print(f"Python {version}: {python}", flush=True)
            try:
                check(python, given.wheels.resolve(), FOLDER / version, given.tests)
                outcome = "passed"
            except (OSError, subprocess.CalledProcessError) as error:
                outcome = f"failed: {error}"
        outcomes.append((version, outcome))
    for version, outcome in outcomes:
        print(f"Python {version}: {outcome}")
    done = [outcome for _, outcome in outcomes]
    return 0 if "passed" in done and not any(one.startswith("failed") for one in done) else 1


if __name__ == "__main__":
    sys.exit(main())
