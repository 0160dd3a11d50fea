"""ptxas: where it is found, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.codegen.cache import Store
from penstock.codegen.gpu import assembler
from penstock.codegen.gpu.assembler import assemble, assembled, ptxas_path
from penstock.ir.diagnostics import IRError

EMPTY = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n"


def test_the_environment_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_PTXAS", "/opt/ptxas")
    assert ptxas_path() == "/opt/ptxas"
    monkeypatch.setenv("PENSTOCK_PTXAS", "")
    assert ptxas_path() is None
    assert assembled(EMPTY, "sm_80") is None


def test_it_is_found_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PENSTOCK_PTXAS", raising=False)
    tool = tmp_path / "ptxas"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ptxas_path() == str(tool)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    wheel = tmp_path / assembler._WHEEL
    monkeypatch.setattr(assembler.sysconfig, "get_path", lambda name: str(tmp_path))
    assert ptxas_path() is None
    wheel.parent.mkdir(parents=True)
    tool.rename(wheel)
    assert ptxas_path() == str(wheel)


def test_one_that_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(IRError, match="none cannot assemble PTX for sm_80: .*No such file"):
        assemble(EMPTY, "sm_80", str(tmp_path / "none"))


def test_a_text_that_it_rejects(ptxas: str) -> None:
    with pytest.raises(IRError, match=r"ptxas rejects the PTX for sm_80: .*line, line 6; error"):
        assemble(EMPTY.replace(" ret;", " rot;"), "sm_80", ptxas)


def test_machine_code_is_kept(ptxas: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "cache", print)
    cubin = assembled(EMPTY, "sm_80", store)
    assert cubin is not None
    monkeypatch.setattr(assembler, "assemble", None)
    assert assembled(EMPTY, "sm_80", store) == cubin
