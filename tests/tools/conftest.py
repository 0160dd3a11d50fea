"""Fixtures for tests of commands."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def fresh_modules() -> Iterator[None]:
    """Restore modules and the import path after a command imported users' files."""
    modules, path = set(sys.modules), list(sys.path)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if not name.startswith(("penstock", "numpy")):
            del sys.modules[name]
