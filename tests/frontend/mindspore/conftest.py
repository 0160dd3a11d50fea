"""Each test starts in PyNative mode, and leaves MindSpore's settings as they were."""

from collections.abc import Iterator

import pytest

import penstock.mindspore as ms


@pytest.fixture(autouse=True)
def pynative() -> Iterator[None]:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.context.reset_context()
