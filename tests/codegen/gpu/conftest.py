"""Fixtures for GPU code: where ptxas is."""

from __future__ import annotations

import pytest

from penstock.codegen.gpu.assembler import ptxas_path


@pytest.fixture(scope="session")
def ptxas() -> str:
    """The path of ptxas; skips without it."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    return path
