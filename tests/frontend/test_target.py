"""Which level of processor jobs are lowered for."""

from __future__ import annotations

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.llvm import LEVELS, host_level
from penstock.passes.target import TARGETS
from penstock.stages import TARGET


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


def test_a_level_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGET, "x86-64-v9")
    with pytest.raises(ValueError, match=r"PENSTOCK_TARGET is one of .*, got 'x86-64-v9'; did you"):
        lowered_text()


def test_targets_are_levels_that_codegen_knows() -> None:
    assert set(LEVELS) <= set(TARGETS)
    assert host_level() in TARGETS
