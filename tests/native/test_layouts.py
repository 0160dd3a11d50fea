"""Structures that Python and native code share have one layout; layouts.h checks its own side."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

from penstock.codegen.native import FOLDER
from penstock.runtime.taps import Context

HEADER = Path(FOLDER, "layouts.h").read_text()
SHARED: dict[str, type[ctypes.Structure]] = {"context": Context}


def offsets(struct: str) -> dict[str, int]:
    """The offset of each field that layouts.h states for a structure, and "" for its size."""
    found = re.findall(rf"^AT\({struct}, (\w+), (\d+)\);$", HEADER, re.MULTILINE)
    (size,) = re.findall(rf"^SIZE\({struct}, (\d+)\);$", HEADER, re.MULTILINE)
    return {**{name: int(offset) for name, offset in found}, "": int(size)}


@pytest.mark.parametrize("struct", SHARED)
def test_python_and_c_have_the_same_offsets(struct: str) -> None:
    kind = SHARED[struct]
    names = [field[0] for field in kind._fields_]
    ours = {name: getattr(kind, name).offset for name in names}
    assert offsets(struct) == {**ours, "": ctypes.sizeof(kind)}


def test_every_structure_of_the_header_is_compared() -> None:
    assert set(re.findall(r"^SIZE\((\w+), ", HEADER, re.MULTILINE)) == set(SHARED)
