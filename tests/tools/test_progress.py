"""Progress lines of long work, on terminals."""

import io
import sys
import threading

import pytest
from waiting import until

from penstock.tools.shared import progress as module
from penstock.tools.shared.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def wait(self) -> None:
        """Wait until something is shown, however busy the machine is."""
        until(self.getvalue, "nothing is shown")


def test_a_line_for_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", error)
    with progress("compiling x"):
        error.wait()
    assert error.getvalue() == "\r\x1b[Kcompiling x ...\r\x1b[K"


def test_no_line_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 600)
    monkeypatch.setattr(sys, "stderr", error)
    with progress("compiling x"):
        pass
    assert error.getvalue() == ""


def test_no_line_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    error = io.StringIO()
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", error)
    before = threading.active_count()
    with progress("compiling x"):
        assert threading.active_count() == before, "something waits for its moment"
    assert error.getvalue() == ""


def test_the_line_is_removed_on_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", error)

    def work() -> None:
        with progress("compiling x"):
            error.wait()
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
        error.wait()
        change("second")
    assert error.getvalue() == "\r\x1b[Kfirst ...\r\x1b[Ksecond ...\r\x1b[K"


def test_the_line_shows_the_last_text(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Terminal()
    monkeypatch.setattr(module, "DELAY", 0.2)
    monkeypatch.setattr(sys, "stderr", error)
    with progress("first") as change:
        change("second")
        error.wait()
    assert error.getvalue().endswith("\r\x1b[Ksecond ...\r\x1b[K")
