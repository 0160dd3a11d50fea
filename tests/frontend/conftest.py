"""Every test of the frontend runs in its own session."""

from collections.abc import Iterator

import pytest

import penstock as flow
from penstock.runtime import threads


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    flow.clear_default_session()
    yield
    flow.clear_default_session()


@pytest.fixture
def threads_as_before() -> Iterator[None]:
    """Restore the number of threads after each test."""
    before = threads.num_threads()
    yield
    threads.set_num_threads(before)
    threads.set_num_threads(None)
