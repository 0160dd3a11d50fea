"""The rules for every answer to a misuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

MODULE = """\
module attributes {job.type = "predict"} {
  func.func @job(%x: tensor<4x5xf32> {job.feed = "x"}) -> (tensor<4x5xf32> {job.fetch = "0"}) {
    %y = "flow.relu"(%x) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    return %y : tensor<4x5xf32>
  }
}
"""
FRAME = re.compile(r'^ *File ".*$', re.MULTILINE)


def check(errors: str, code: int, expected: tuple[int, ...] = (1, 2)) -> None:
    """An answer is one sentence and an exit code, and shows no internals."""
    assert code in expected, errors
    assert errors.strip(), "nothing is said"
    assert "broke off with" not in errors, errors
    assert "failed with" not in errors, errors
    # Only frames of the user's own program may be shown.
    assert all("/place/" in line for line in FRAME.findall(errors)), errors
    assert ("Traceback" in errors) <= bool(FRAME.search(errors)), errors
    assert len(errors) < 2000, errors


def contents(folder: Path) -> dict[str, Any]:
    """Every file of a folder with its contents, except Python's caches."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }
