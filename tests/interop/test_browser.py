"""The browser that other tests use, where there is none."""

import gc
import os
from pathlib import Path

import pytest
from browser import Browser


def test_a_missing_browser_leaves_no_processes_or_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder that nobody removes is a warning of whatever test runs when it is collected."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PENSTOCK_REQUIRE_INTEROP", raising=False)
    before = os.listdir("/proc/self/fd")
    with pytest.raises(pytest.skip.Exception, match="chromium is not installed"):
        Browser()
    gc.collect()
    assert os.listdir("/proc/self/fd") == before
