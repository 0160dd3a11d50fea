"""Tensors have their methods, whichever module a program imports first."""

import subprocess
import sys

import pytest

FIRST = [
    "import penstock as flow; x = flow.nn.Parameter(flow.nn.Linear(2, 3).weight)",
    "from penstock import nn; x = nn.Linear(2, 3).weight",
    "from penstock.utils.data import default_collate; x = default_collate([1.0, 2.0])",
    "import penstock as flow; x = flow.autograd.Variable(2, 3)",
    "import numpy as np, penstock as flow; x = flow.from_numpy(np.zeros(3))",
]


@pytest.mark.parametrize("text", FIRST)
def test_methods_are_there(text: str) -> None:
    check = "print(tuple(x.size()), x.dim(), (x * 2).shape)"
    done = subprocess.run(
        [sys.executable, "-c", f"{text}\n{check}"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("(")
