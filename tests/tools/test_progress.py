"""What takes long says so, on terminals."""

import io
import sys
import time

import pytest

from penstock.tools import progress as module
from penstock.tools.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("error", "seconds", "shown"),
    [
        (Terminal(), 0.1, "\r\x1b[Kcompiling x ...\r\x1b[K"),
        (Terminal(), 0.0, ""),
        (io.StringIO(), 0.1, ""),
    ],
    ids=["long", "short", "no terminal"],
)
def test_a_line_for_what_takes_long(
    monkeypatch: pytest.MonkeyPatch, error: io.StringIO, seconds: float, shown: str
) -> None:
    monkeypatch.setattr(module, "DELAY", 0.02)
    monkeypatch.setattr(sys, "stderr", error)
    with progress("compiling x"):
        time.sleep(seconds)
    assert error.getvalue() == shown


def test_the_line_goes_where_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", error)

    def work() -> None:
        with progress("compiling x"):
            time.sleep(0.1)
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        work()
    assert error.getvalue().endswith("\r\x1b[K")


def test_without_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress("compiling x"):
        pass


def test_the_line_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", error)
    with progress("first") as change:
        change("second")
        time.sleep(0.1)
        change("third")
    assert error.getvalue() == "\r\x1b[Ksecond ...\r\x1b[Kthird ...\r\x1b[K"
