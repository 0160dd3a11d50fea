"""The table of times on a GPU, from the simulated device. No time is tested."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from penstock.runtime.gpu import devices

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
LINE = r"(.+?) +([\d.]+) +(\S+) (\S+) +(\S+)  -  +-"
"""A row of the table: name, microseconds, rate, unit, share."""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module benchmarks/gpu.py."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("PENSTOCK_GPU_TARGET", "sm_80")
    return import_module("gpu")


def test_workloads_run_and_the_rest_of_the_line_follows_from_the_time(
    table: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--shrink", "512", "--seconds", "0.001"]
    chosen = ["copy 16x16", "softmax 16x16", "gemm bf16 16x16x16"]
    assert table.main(["--device", "gpu-sim", *small, "--only", *chosen]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "gpu-sim 0:0, sm_90a, kernels for sm_80; beside nothing"
    found = {}
    for row in rows[: len(chosen)]:
        match = re.fullmatch(LINE, row)
        assert match is not None, row
        name, time, rate, unit, share = match.groups()
        found[name] = (float(time), float(rate), unit, float(share.rstrip("%")))
    work = {"copy 16x16": 2e-3 * 1024, "softmax 16x16": 2e-3 * 1024}
    for name, gigabytes in work.items():
        time, rate, unit, _ = found[name]
        assert unit == "GB/s"
        assert rate == pytest.approx(gigabytes / time, rel=2e-3)
    time, rate, unit, _ = found["gemm bf16 16x16x16"]
    assert unit == "TFLOP/s"
    assert rate == pytest.approx(2e-6 * 16**3 / time, rel=2e-3)
    share = found["softmax 16x16"][1] / found["copy 16x16"][1]
    assert found["softmax 16x16"][3] == pytest.approx(100 * share, abs=0.1)
    assert found["copy 16x16"][3] == 100.0


def test_a_workload_that_fails_is_named_and_the_others_are_measured(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = table.our_step

    def broken(workload: object, device: str) -> object:
        if getattr(workload, "family", "") == "copy":
            raise ValueError("it is broken")
        return own(workload, device)

    monkeypatch.setattr(table, "our_step", broken)
    chosen = ["--only", "copy 16x16", "elementwise 16x16"]
    with pytest.raises(SystemExit, match="1 of 2 workloads failed: copy 16x16$"):
        table.main(["--device", "gpu-sim", "--shrink", "512", "--seconds", "0.001", *chosen])
    text = capsys.readouterr().out
    assert re.search(r"^copy 16x16 +failed: it is broken$", text, re.MULTILINE)
    assert re.search(r"^elementwise 16x16 +\d", text, re.MULTILINE)


def test_a_lost_device_ends_the_run_and_what_lost_it_comes_last(
    table: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    device = devices.device("gpu-sim")
    own = table.our_step

    def losing(workload: object, kind: str) -> object:
        if getattr(workload, "family", "") == "copy":
            monkeypatch.setattr(device, "lost", "an illegal address", raising=False)
            raise ValueError("it is lost")
        return own(workload, kind)

    monkeypatch.setattr(table, "our_step", losing)
    given = ["--device", "gpu-sim", "--shrink", "512", "--seconds", "0.001", "--save"]
    given += [str(tmp_path / "times"), "--only", "copy 16x16", "elementwise 16x16"]
    with pytest.raises(SystemExit, match="1 of 2 workloads failed: copy 16x16$"):
        table.main(given)
    assert "is lost to this process; a second run measures what" in capsys.readouterr().out
    monkeypatch.delattr(device, "lost")
    with pytest.raises(SystemExit, match="1 of 2 workloads failed: copy 16x16$"):
        table.main(given)
    text = capsys.readouterr().out
    assert text.index("\nelementwise 16x16") < text.index("\ncopy 16x16")


def test_a_wrong_result_is_not_timed(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows of each family are compared with float64; here, with those of other numbers."""
    shared = import_module("shared.gpu_workloads")
    compared = shared._compared

    def off(family: str, *given: object) -> object:
        found, wanted = compared(family, *given)
        return found, wanted + 0.05 * abs(wanted).max() * (family != "copy")

    monkeypatch.setattr(shared, "_compared", off)
    chosen = ["--only", "copy 16x16", "RMS norm 16x16", "elementwise 16x16"]
    with pytest.raises(SystemExit, match="2 of 3 workloads failed: elementwise 16x16; RMS norm"):
        table.main(["--device", "gpu-sim", "--shrink", "512", "--seconds", "0.001", *chosen])
    text = capsys.readouterr().out
    said = r"^RMS norm 16x16 +failed: results are off by 0\.0\d+ of the largest$"
    assert re.search(said, text, re.MULTILINE)


def test_what_is_saved_is_not_measured_again(
    table: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    path = tmp_path / "build" / "times.jsonl"
    given = ["--device", "gpu-sim", "--shrink", "512", "--seconds", "0.001", "--save", str(path)]
    assert table.main([*given, "--only", "copy 16x16"]) == 0
    first = capsys.readouterr().out.splitlines()[2]
    with path.open("a") as file:
        file.write('{"where": "another GPU", "workload": "copy 64x16", "samples": [1]}\n{"wh')
    measured = []
    own = table.our_step

    def noted(workload: object, device: str) -> object:
        measured.append(getattr(workload, "name", ""))
        return own(workload, device)

    monkeypatch.setattr(table, "our_step", noted)
    assert table.main([*given, "--only", "copy 16x16", "copy 64x16"]) == 0
    assert measured == ["copy 64x16"]
    assert first in capsys.readouterr().out


def test_peers_that_are_missing_or_fail(table: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence each; ours is measured all the same."""
    peers = import_module("shared.gpu_peers")
    assert peers.library("no_such_peer") == (None, "no_such_peer is not installed")

    class Library:
        class cuda:
            @staticmethod
            def is_available() -> bool:
                return False

        @staticmethod
        def devices(kind: str) -> object:
            raise RuntimeError(f"Unknown backend\nNo {kind} was found.")

    monkeypatch.setattr(peers.importlib, "import_module", lambda name: Library)
    assert peers.library("torch") == (None, "torch finds no GPU")
    assert peers.library("jax") == (None, "jax finds no GPU: No gpu was found.")

    def broken(name: str) -> object:
        raise OSError("libcudart.so.13: no such file")

    monkeypatch.setattr(peers.importlib, "import_module", broken)
    said = "torch cannot be imported: libcudart.so.13: no such file"
    assert peers.library("torch") == (None, said)

    def fails(peer: object, workload: object) -> object:
        raise MemoryError("out of memory")

    monkeypatch.setattr(table, "torch_step", fails)
    (copy,) = (each for each in table.workloads(512) if each.name == "copy 16x16")
    figure, notes = table.measured(copy, "gpu-sim", {"torch": None}, 0.001)
    assert figure.samples
    assert figure.ratios == {}
    assert notes == ["copy 16x16: fails in torch: out of memory"]


def test_aims_are_compared_with_what_was_measured(table: ModuleType) -> None:
    rows = {each.name: each for each in table.workloads()}
    gemm, small = rows["gemm bf16 8192x8192x8192"], rows["gemm bf16 512x512x512"]
    attention, copy = rows["attention forward 4x16x4096 D128"], rows["copy 8192x8192"]
    norm = rows["RMS norm 8192x8192"]
    figures = [
        table.Figure(gemm, (1.0,), {"torch": (1.0, 1.02, 1.2)}),
        table.Figure(small, (1.0,), {"torch": (0.7, 0.8, 0.9)}),
        table.Figure(attention, (attention.work / 700e12,), {}),
        table.Figure(copy, (1.0,), {}),
        table.Figure(norm, (1.25,), {}),
    ]
    assert list(table.aims(figures, {copy.result: copy.work})) == [
        "bf16 GEMM beside cuBLAS, mean of 2 shapes: aim 0.95, measured 0.9033, missed",
        "bf16 GEMM beside cuBLAS at 8192x8192x8192: aim 1, measured 1.02, reached",
        "attention forward at D128, on H100: aim 650 TFLOP/s, measured 700 TFLOP/s, reached",
        "norms beside the bandwidth of a copy, the least: aim 0.97, measured 0.8, missed",
    ]
    assert [text.endswith(", not measured") for text in table.aims([], {})] == [True] * 4


def test_the_table_has_30_shapes_of_gemm_and_every_family(table: ModuleType) -> None:
    workloads = import_module("shared.gpu_workloads")
    rows = table.workloads()
    assert sum(each.family == "gemm bf16" for each in rows) == 30
    assert {each.family for each in rows} == {*workloads.FAMILIES, *workloads.NETWORKS}
    assert len({each.name for each in rows}) == len(rows)


def test_without_a_gpu_it_says_so_in_one_sentence(table: ModuleType) -> None:
    if not devices.why_not("gpu"):
        pytest.skip("this machine has a GPU")
    with pytest.raises(SystemExit) as ended:
        table.main(["--check"])
    assert str(ended.value) == f"there is no device gpu 0:0: {devices.why_not('gpu')}"
