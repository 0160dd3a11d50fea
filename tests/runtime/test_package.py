"""The package's public interface: lazy names, and examples in docstrings."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import penstock.runtime

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
MODULES = sorted(
    ".".join(path.relative_to(RUNTIME).with_suffix("").parts)
    for path in RUNTIME.rglob("*.py")
    if path.stem != "__init__"
)


def test_every_public_name_is_there() -> None:
    assert set(penstock.runtime.__all__) == set(penstock.runtime._LAZY)
    for name in penstock.runtime.__all__:
        assert getattr(penstock.runtime, name) is not None
        assert name in dir(penstock.runtime)
    with pytest.raises(
        AttributeError, match=r"^module 'penstock.runtime' has no attribute 'nothin"
    ):
        _ = penstock.runtime.nothing


def test_importing_the_package_loads_no_module_of_it() -> None:
    code = "import sys, penstock.runtime; print(*(m for m in sys.modules if m.startswith('penst')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["penstock", "penstock.runtime"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    module = import_module(f"penstock.runtime.{name}")
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


def test_there_are_examples() -> None:
    modules = (import_module(f"penstock.runtime.{name}") for name in MODULES)
    assert sum(doctest.testmod(module).attempted for module in modules) > 20
