"""The browser helper, if there is no browser."""

import gc
import os
from pathlib import Path

import pytest
from browser import Browser


def test_a_missing_browser_leaves_no_processes_or_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A temporary folder that is not removed would be a warning in some later test."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PENSTOCK_REQUIRE_INTEROP", raising=False)
    before = os.listdir("/proc/self/fd")
    with pytest.raises(pytest.skip.Exception, match="chromium is not installed"):
        Browser()
    gc.collect()
    assert os.listdir("/proc/self/fd") == before
