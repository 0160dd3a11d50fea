"""Refuses kernels with a form of instruction that no recorder has.

A module of tests that runs kernels on the simulated device imports the fixture.
"""

from __future__ import annotations

from typing import Any

import pytest
from form_names import without
from instruction_forms import FORMS

from penstock.runtime.gpu.simulator import Device


@pytest.fixture(autouse=True)
def every_form_has_a_recorder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the code of all kernels that a test loads into the simulated device."""
    load = Device.load

    def checked(self: Device, ptx: str) -> Any:
        missing = without(ptx, FORMS)
        assert not missing, (
            f"kernels have forms of instructions without a recorder: {', '.join(missing)}; add one "
            "to a family in tests/runtime/gpu/*_forms.py, so that a GPU can confirm its model"
        )
        return load(self, ptx)

    monkeypatch.setattr(Device, "load", checked)
