"""Fixtures for GPU code: where ptxas is, and a check of the forms of instructions in kernels."""

from __future__ import annotations

import pytest
from emitted import every_form_has_a_recorder as every_form_has_a_recorder

from penstock.codegen.gpu.assembler import ptxas_path


@pytest.fixture(scope="session")
def ptxas() -> str:
    """The path of ptxas; skips without it."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    return path
