"""Every test of the frontend begins and ends with a session of its own."""

from collections.abc import Iterator

import pytest

import penstock as flow


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    flow.clear_default_session()
    yield
    flow.clear_default_session()
