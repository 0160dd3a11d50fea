"""The processor level that jobs are lowered for."""

from __future__ import annotations

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.objects.llvm import LEVELS, host_level
from penstock.lowering.modules import TARGET
from penstock.passes.costs.target import TARGETS
from penstock.runtime.native import processor


def lowered_text() -> str:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3), dtype=flow.float)) -> tp.Numpy:
        return flow.math.relu(x)

    return job.lower().as_text("loops")


def test_loops_name_the_level_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TARGET, raising=False)
    assert f'job.target = "{host_level()}"' in lowered_text()


@pytest.mark.parametrize("level", TARGETS)
def test_the_environment_names_another_level(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGET, level)
    assert f'job.target = "{level}"' in lowered_text()


def test_the_level_of_the_loops_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    monkeypatch.setenv(TARGET, "x86-64-v2")
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.relu(x)

    assert 'job.target = "x86-64-v2"' in job.lower().as_text("loops")
    monkeypatch.setenv(TARGET, "x86-64-v3")
    assert job.compile().program.cpu == "x86-64-v2"


def test_an_unknown_level_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGET, "x86-64")
    with pytest.raises(
        ValueError,
        match=r"test_target.py:\d+: PENSTOCK_TARGET is one of x86-64-v2, x86-64-v3, x86-64-v4, "
        rf"x86-64-v4-bf16, got 'x86-64'; unset it for that of this machine, {host_level()}$",
    ):
        lowered_text()


def test_a_level_that_this_machine_lacks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    old = frozenset(processor.LEVELS["x86-64-v2"])
    monkeypatch.setattr(processor, "_flags", lambda: old)
    monkeypatch.setenv(TARGET, "x86-64-v3")
    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.relu(x)

    with pytest.raises(
        ValueError,
        match=r"test_target.py:\d+: code for x86-64-v3 does not run on this machine, which lacks "
        r"avx, avx2, .*; compile for x86-64-v2$",
    ):
        job(np.zeros(3, np.float32))


def test_targets_are_levels_that_codegen_knows() -> None:
    assert set(LEVELS) <= set(TARGETS)
    assert host_level() in TARGETS
