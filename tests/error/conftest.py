"""Checks that the error for a user's mistake is one sentence that starts with its line."""

import linecache
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

import penstock as flow
from penstock.basics import notices

Refused = Callable[..., AbstractContextManager[None]]

_LOCATED = re.compile(r"(?P<file>tests/error/\w+/\w+\.py):(?P<line>\d+): (?P<sentence>.+)")


@contextmanager
def _refused(kind: type[Exception], *parts: str) -> Iterator[None]:
    with pytest.raises(kind) as caught:
        yield
    assert caught.type is kind
    text = str(caught.value)
    found = _LOCATED.fullmatch(text)
    assert found is not None, f"not one located sentence: {text!r}"
    line = linecache.getline(found["file"], int(found["line"]))
    assert "# here" in line, f"{text!r} points at {line!r}"
    for part in parts:
        assert part in found["sentence"], f"{part!r} is missing in {text!r}"


@pytest.fixture
def refused() -> Refused:
    """`with refused(TypeError, "part", ...)`: the error points at the line marked `# here`."""
    return _refused


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    notices.forget()
    flow.clear_default_session()
    yield
    flow.clear_default_session()
