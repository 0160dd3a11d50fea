"""No test sees the jobs of another."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _session_of_its_own() -> Iterator[None]:
    """Close the session that a test opened; tests that touch no frontend do not load it."""
    yield
    if "penstock.session" in sys.modules:
        sys.modules["penstock"].clear_default_session()
