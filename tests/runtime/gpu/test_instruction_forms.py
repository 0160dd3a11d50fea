"""Each form of instruction has a recorder; recorders agree with the manual and with devices."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import instruction_forms
import numpy as np
import pytest
from form_names import forms_of, without
from instruction_forms import (
    FAMILIES,
    FORMS,
    RECORDED,
    RECORDERS,
    differences,
    listing,
    load,
    record,
    wrong_results,
)
from recorder import Array, SimulatorTarget, module_text, run

from penstock.runtime.device_error import DeviceError

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture(scope="module")
def ours() -> dict[str, Array]:
    """What the simulated device does, with all its checks."""
    target = SimulatorTarget()
    return {key: each for family in FAMILIES.values() for key, each in run(target, family).items()}


def test_results_depend_on_the_inputs(ours: dict[str, Array]) -> None:
    """A form whose result is constant tests nothing."""
    constant = {key for key, values in ours.items() if len(np.unique(values)) < 2}
    votes = {f"vote.sync.{name}.pred|X" for name in ("all", "any", "uni")}
    in_range = {f"shfl.sync.{mode}.b32 with two results|Y" for mode in ("bfly", "idx")}
    assert constant == votes | in_range | {"activemask.b32|X", "elect.sync|X"}


def test_the_simulator_does_what_the_manual_says(ours: dict[str, Array]) -> None:
    """The recorders' own reading of the manual, which shares nothing with the simulator."""
    assert wrong_results(ours) == []
    read = [one.name for one in RECORDERS.values() if one.expected]
    assert len(read) > 90


@pytest.mark.parametrize("family", ["copies of threads", "copies of boxes", "mbarriers",
                                    "products of warpgroups"])  # fmt: skip
def test_they_do_it_as_late_as_possible(family: str) -> None:
    """The first two recorders and the last one of what runs beside threads."""
    first, *_, last = FAMILIES[family]
    for order in ("lazy", "random:1"):
        assert wrong_results(run(SimulatorTarget(schedule=order), [first, last])) == []


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/*.npz")), ids=lambda path: path.stem)
def test_it_agrees_with_a_device(path: Path, ours: dict[str, Array]) -> None:
    assert differences(ours, load(path)) == []


def test_a_recording_is_compared(ours: dict[str, Array], tmp_path: Path) -> None:
    """What is recorded agrees with itself, and one changed bit does not; what is there is kept."""
    path = tmp_path / "sm_90a" / "floats.npz"
    own = {key: ours[key] for key in ("add.rn.f32|X", "fma.rn.f64|X")}
    assert record({"add.rn.f32|X": ours["add.rn.f32|X"]}, path) == {}
    changed = ours["add.rn.f32|X"].copy()
    changed[7] ^= 1
    assert set(record({**own, "add.rn.f32|X": changed}, path)) == {"add.rn.f32|X"}
    recorded = load(path)
    assert set(recorded) == set(own)
    assert differences(ours, recorded) == []
    (found,) = differences(ours, {"add.rn.f32|X": changed})
    assert found.startswith("add.rn.f32: 1 of 256 elements of X differ, the first at 7: 0x")
    name = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16|found"
    (found,) = wrong_results({name: ours[name] ^ np.uint32(1 << 16)})
    assert ", the manual has 0x" in found


def test_a_device_that_refuses_one_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The others of its family are recorded, and the next run adds what is missing."""

    def refusing(target: Any, recorders: Any) -> dict[str, Array]:
        if any("ring" in one.name for one in recorders):
            raise DeviceError("gpu 0:0 cannot load its PTX")
        return run(target, recorders)

    path = tmp_path / "sm_90a" / "mbarriers.npz"
    arguments = ["--device", "gpu-sim", "--folder", str(tmp_path), "--here", "--only", "mbarriers"]
    with monkeypatch.context() as patch:
        patch.setattr(instruction_forms, "run", refusing)
        found, failed = instruction_forms.run_what_runs(SimulatorTarget(), "mbarriers")
    assert failed == ["a ring of mbarriers: gpu 0:0 cannot load its PTX"]
    assert record(found, path) == {}
    assert set(load(path)) == {"phases of an mbarrier|found"}
    assert instruction_forms.main(arguments) == 0
    assert set(load(path)) == {"phases of an mbarrier|found", "a ring of mbarriers|found"}


def test_a_family_that_hangs_costs_no_other_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def hanging(command: list[str], check: bool, timeout: float) -> Any:
        if "mbarriers" in command:
            raise subprocess.TimeoutExpired(command, timeout)
        return subprocess.CompletedProcess(command, int("warps" in command))

    monkeypatch.setattr(instruction_forms.subprocess, "run", hanging)
    failed = instruction_forms.check_families(
        "gpu-sim", ["mbarriers", "warps", "control"], tmp_path, 60.0
    )
    assert failed == [
        "mbarriers: nothing after 60 s; its process was ended",
        "warps: failed, as said above",
    ]


def test_other_devices_skip_what_they_lack(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An A100 has neither TMA nor warpgroups' products, a B200 no such products of an H100."""
    family = FAMILIES["products of warpgroups"]
    for arch, number in (("sm_80", 0), ("sm_90", len(family)), ("sm_100", 0)):
        assert sum(one.runs_on(arch) for one in family) == number
    monkeypatch.setattr(instruction_forms, "RuntimeTarget", lambda device: SimulatorTarget("sm_80"))
    assert instruction_forms.check_family("gpu-sim", "mbarriers", tmp_path) == 0
    assert capsys.readouterr().out == "mbarriers: 2 recorders need sm_90, not sm_80\n"
    assert not any(tmp_path.iterdir())


def test_the_list_is_up_to_date() -> None:
    assert (DOCS / "gpu_forms.md").read_text() == listing(), "run `make docs`"


def test_a_list_with_a_recording(ours: dict[str, Array], tmp_path: Path) -> None:
    record({"add.rn.f32|X": ours["add.rn.f32|X"]}, tmp_path / "sm_90" / "floats.npz")
    page = listing(tmp_path)
    assert f"1 confirmed by a recording of a device, {len(FORMS) - 1} resting on" in page
    assert "`add.rn.f32`" not in page


def test_recorders_have_the_forms_that_they_say() -> None:
    for one in RECORDERS.values():
        assert set(one.forms) <= forms_of(one.text("k")), one.name


def test_a_form_without_a_recorder() -> None:
    """The check of all kernels that tests run on the simulated device."""
    body = "L:\n@%p1 st.global.b32 [%rd1], %r1;\n// a comment;\nred.global.add.u32 [%rd1], 1;"
    assert without(body, FORMS) == ["red.global.add.u32"]


@pytest.mark.parametrize("arch", sorted({one.arch for one in RECORDERS.values()}))
def test_ptxas_assembles_all_recorders(arch: str, tmp_path: Path) -> None:
    """In one module: the assembler takes tens of milliseconds to start."""
    ptxas = shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    source = tmp_path / "forms.ptx"
    source.write_text(module_text([one for one in RECORDERS.values() if one.arch == arch], arch))
    command = [ptxas, "-O0", f"--gpu-name={arch}", str(source), "-o", str(tmp_path / "forms.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
