"""Each form of instruction runs, is assembled by ptxas, and agrees with recordings of devices."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from instruction_forms import FORMS, RECORDED, differences, listing, record, run_forms, text_of
from ptx_text import Array, module

from penstock.runtime.gpu.simulator import Device

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture(scope="module")
def ours() -> dict[str, Array]:
    return run_forms(Device(1 << 20, checks=()))


def test_results_depend_on_the_inputs(ours: dict[str, Array]) -> None:
    """A form whose result is constant tests nothing."""
    constant = {key for key, values in ours.items() if len(np.unique(values)) < 2}
    votes = {f"vote.sync.{name}.pred|X" for name in ("all", "any", "uni")}
    in_range = {f"shfl.sync.{mode}.b32|Y" for mode in ("bfly", "idx")}
    assert constant == votes | in_range | {"activemask.b32|X", "elect.sync|X"}


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.npz")), ids=lambda path: path.stem)
def test_it_agrees_with_a_device(path: Path, ours: dict[str, Array]) -> None:
    with np.load(path) as recorded:
        assert differences(ours, recorded) == []


def test_a_recording_is_compared(ours: dict[str, Array], tmp_path: Path) -> None:
    """What is recorded of the simulator agrees with it, and one changed bit does not."""
    path = tmp_path / "own.npz"
    assert record(Device(1 << 20, schedule="random:3", checks=()), path) == len(ours)
    with np.load(path) as recorded:
        assert differences(ours, recorded) == []
        values = recorded["add.rn.f32|X"]
    values[7] ^= 1
    (found,) = differences(ours, {"add.rn.f32|X": values})
    assert found.startswith("add.rn.f32 X, A, B; thread 7: ")


def test_the_list_is_up_to_date() -> None:
    assert (DOCS / "gpu_forms.md").read_text() == listing(), "run `make docs`"


def test_ptxas_assembles_all_forms(tmp_path: Path) -> None:
    """In one module: the assembler takes tens of milliseconds to start."""
    ptxas = shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    kernels = [text_of(form, f"k{number}") for number, form in enumerate(FORMS.values())]
    source = tmp_path / "forms.ptx"
    source.write_text(module(*kernels, target="sm_90a", version="8.6"))
    command = [ptxas, "-O0", "--gpu-name=sm_90a", str(source), "-o", str(tmp_path / "forms.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
