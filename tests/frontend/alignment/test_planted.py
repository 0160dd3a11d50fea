"""AutoTest finds faults that are planted, and names the op, the function or the pass."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from planted_faults import FAULTS, Fault

ALONE = Path(__file__).with_name("fault_alone.py")


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(one, id=str(one), marks=[] if one.is_quick else pytest.mark.long)
        for one in FAULTS
    ],
)
def test_a_fault_is_found_and_named(fault: Fault, tmp_path: Path) -> None:
    own = {"PENSTOCK_CACHE": "off", "PENSTOCK_REPRODUCER_DIR": str(tmp_path)}
    if fault.needs_torch:
        pytest.importorskip("torch")
    else:
        own["PENSTOCK_AUTOTEST_REFERENCE"] = "numpy"

    def said(*words: object) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, words)], env=os.environ | own, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    error = json.loads(said(ALONE, fault))
    print(error["text"])
    assert error["kind"] == fault.kind
    assert fault.finds in (error["op"], error["call"], error["pass_name"].partition("{")[0])
    # It shows the fault alone, so without the fault it passes.
    said(error["file"])
