"""The collector itself: a file whose checks do not hold must fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BODY = "func.func @f(%x: f32) -> f32 {\n  %y = math.exp %x : f32\n  return %y : f32\n}\n"


@pytest.mark.parametrize(
    ("lines", "passes"),
    [
        ("// RUN: penstock opt %s | filecheck %s\n// CHECK: math.exp %x\n", True),
        ("// RUN: penstock opt %s | filecheck %s\n// CHECK: math.log\n", False),
        ("// RUN: penstock opt %s | filecheck %s\n// CHECK-NOT: math.exp\n", False),
        ("// RUN: not penstock opt %s\n", False),
        ("// RUN: penstock opt %s --pipeline csi\n", False),
        ("// RUN: not penstock opt %s -p csi | filecheck %s\n// CHECK: mean 'cse'?\n", True),
        ("// RUN: penstock opt %s --verify-diagnostics\n", True),
        ("// RUN: penstock opt %s --verify-diagnostics\n// expected-error {{no}}\n", False),
        ("", False),
    ],
)
def test_a_run_line(lines: str, passes: bool, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "one.mlir").write_text(lines + BODY)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode == 0) is passes, run.stdout
