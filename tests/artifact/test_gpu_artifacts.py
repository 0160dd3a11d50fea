"""Artifacts with code for GPUs: run where they were placed or elsewhere, read without trust."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import assembler
import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.gpu.assembler import VARIABLE, ptxas_path
from penstock.runtime import ArtifactError, load, open_artifact
from penstock.runtime.artifacts.archive import deflated, pack
from penstock.runtime.artifacts.cubin import read_cubin
from penstock.runtime.artifacts.manifest import (
    MANIFEST,
    SEAL,
    VARIABLES,
    canonical,
    code_member,
    cubin_member,
    gpu_members,
    seal_of,
)
from penstock.runtime.gpu import devices
from penstock.tools.cli import main

X = np.arange(32, dtype=np.float32).reshape(4, 8) / 32
LEVEL = "x86-64-v2"
PLAN, CONSTANTS, PTX = gpu_members("train_job", "sm_80")
CUBIN = cubin_member("train_job", "sm_80")


def define() -> Any:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement("gpu-sim", "0:0"):
            w = flow.get_variable("w", (8, 3), initializer=flow.ones_initializer())
            hidden = flow.math.relu(flow.matmul(x, w), name="hidden")
            loss = flow.math.reduce_sum(hidden, axis=1)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
            flow.optimizer.SGD(rates, momentum=0).minimize(loss)
        return loss

    return train_job


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a train job that is placed on the simulated device, with machine code."""
    folder = tmp_path_factory.mktemp("artifacts")
    save(folder / "train.pstk", folder)
    return folder / "train.pstk"


def save(path: Path, folder: Path) -> None:
    """Write the file, with the tests' own assembler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, assembler.install(folder))
        flow.save_artifact(path, define(), targets=[LEVEL], cubins=["sm_80"])


RUN = """
import sys
import numpy as np
from penstock.runtime import load

x = np.arange(32, dtype=np.float32).reshape(4, 8) / 32
artifact = load(sys.argv[1], device=sys.argv[2] if len(sys.argv) > 2 else None)
seen = []
artifact.watch("hidden", seen.append)
losses = [artifact(x).tolist() for _ in range(3)]
artifact.save(sys.argv[1] + ".saved")
print(losses + [seen[-1].tolist(), artifact.variables["w"].tolist()])
print([name for name in sys.modules if name.split(".")[0] in ("llvmlite", "cuda", "ml_dtypes")
       or name.startswith(("penstock.ir", "penstock.codegen"))])
"""


def test_it_runs_without_the_compiler(path: Path) -> None:
    """Where it was placed, and on the CPU, where sums have another order; and when it was saved."""
    told = []
    for words in ([], ["cpu"]):
        run = subprocess.run(
            [sys.executable, "-c", RUN, str(path), *words],
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        results, modules = run.stdout.splitlines()
        assert modules == "[]"
        told.append(json.loads(results))
    gpu, cpu = (np.concatenate([np.ravel(each) for each in one]) for one in told)
    assert np.allclose(gpu, cpu, rtol=1e-6, atol=0)
    again = load(f"{path}.saved")
    assert again.jobs["train_job"].executable.device.name == "gpu-sim 0:0"  # type: ignore[attr-defined]
    assert np.array_equal(again.variables["w"], told[0][-1])


def define_both() -> Any:
    """A train job whose first layer is on the CPU."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((4, 8))) -> tuple[tp.Numpy, tp.Numpy]:
        start = flow.random_uniform_initializer(-0.5, 0.5)
        with flow.scope.placement("cpu", "0:0"):
            v = flow.get_variable("v", (8, 6), initializer=start)
            first = flow.math.tanh(flow.matmul(x, v), name="first")
        with flow.scope.placement("gpu-sim", "0:0"):
            w = flow.get_variable("w", (6, 3), initializer=start)
            hidden = flow.math.relu(flow.matmul(first, w), name="hidden")
            loss = flow.math.reduce_sum(hidden, axis=1)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
            flow.optimizer.SGD(rates, momentum=0.9).minimize(loss)
        return loss, first

    return train_job


RUN_BOTH = """
import sys
import numpy as np
from penstock.runtime import load

x = np.arange(32, dtype=np.float32).reshape(4, 8) / 32
artifact = load(sys.argv[1])
seen = []
artifact.watch(["first", "hidden"], lambda name, blob: seen.append((name, blob)))
results = [artifact(x) for _ in range(3)]
blobs = [blob for _, blob in sorted(seen, key=lambda each: each[0])]
arrays = [*(one for result in results for one in result), *blobs, *(
    value for _, value in sorted(artifact.variables.items()))]
np.savez(sys.argv[2], *arrays)
print("llvmlite" in sys.modules, "penstock.ir" in sys.modules)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a train job that is partly on the CPU."""
    found = tmp_path_factory.mktemp("artifacts") / "both.pstk"
    flow.save_artifact(found, define_both(), targets=[LEVEL])
    return found


def test_a_job_on_both_runs_without_the_compiler(
    both: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same bits as in a process that compiles it; the CPU alone adds in another order."""
    run = subprocess.run(
        [sys.executable, "-c", RUN_BOTH, str(both), str(tmp_path / "found.npz")],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert run.stdout == "False False\n"
    with np.load(tmp_path / "found.npz") as arrays:
        found = list(arrays.values())
    monkeypatch.setenv("PENSTOCK_TARGET", LEVEL)
    job, seen = define_both(), []
    job.watch(["first", "hidden"], lambda name, blob: seen.append((name, blob)))
    wanted = [one for _ in range(3) for one in job(X)]
    wanted += [blob for _, blob in sorted(seen, key=lambda each: each[0])]
    wanted += [value.numpy() for _, value in sorted(flow.get_all_variables().items())]
    assert [np.asarray(one).tobytes() for one in wanted] == [one.tobytes() for one in found]
    on_cpu = load(both, device="cpu")
    results = [one for _ in range(3) for one in on_cpu(X)]
    assert all(np.allclose(a, b, rtol=1e-5) for a, b in zip(results, found, strict=False))


def test_a_part_of_another_job_is_refused(both: Path, tmp_path: Path) -> None:
    def refused(change: Callable[[Any], object]) -> str:
        wrong = tmp_path / "wrong.pstk"
        wrong.write_bytes(forged(both, in_plan(change)))
        with pytest.raises(ArtifactError) as caught:
            open_artifact(wrong)
        return str(caught.value)

    assert "must have arenas, a job and an order" in refused(lambda c: c.update(host=[]))
    assert "must have an arena for each level" in refused(lambda c: c["host"]["arenas"].clear())
    assert "its order must be that" in refused(lambda c: c["host"]["order"]["feed"].append("y"))
    assert "its order must be that" in refused(lambda c: c["host"]["order"].update(fetch=[[]]))
    assert "do not copy the same values" in refused(lambda c: c["host"]["job"]["callouts"].pop())
    assert "is not the job that the manifest" in refused(lambda c: c["host"]["job"]["taps"].pop())
    assert "is not the job that the manifest" in refused(
        lambda c: c["host"]["order"]["fetch"].reverse()
    )
    assert refused(lambda c: c["host"]["job"]["arguments"].pop())


def test_equal_jobs_give_equal_bytes(path: Path, tmp_path: Path) -> None:
    save(tmp_path / "again.pstk", tmp_path)
    names = [PLAN, CONSTANTS, PTX, CUBIN]
    one, other = open_artifact(path), open_artifact(tmp_path / "again.pstk")
    assert [one.content(name) for name in names] == [other.content(name) for name in names]
    assert one.sha256 == other.sha256


def test_sizes_of_code_are_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(path)]) == 0
    sizes = [f"{open_artifact(path).members[name].size:,} bytes of" for name in (PTX, CUBIN)]
    assert f"  sm_80: {sizes[0]} PTX, {sizes[1]} machine code\n" in capsys.readouterr().out


def test_machine_code_needs_ptxas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    with pytest.raises(ValueError, match="machine code for sm_90 needs NVIDIA's ptxas, which is"):
        flow.save_artifact(tmp_path / "train.pstk", define(), targets=[LEVEL], cubins=["sm_90"])
    with pytest.raises(TypeError, match="cubins must be a list of architectures"):
        flow.save_artifact(tmp_path / "train.pstk", define(), targets=[LEVEL], cubins="sm_90")


@pytest.mark.skipif(ptxas_path() is None, reason="ptxas is not installed")
def test_machine_code_of_ptxas_is_read(tmp_path: Path) -> None:
    flow.save_artifact(tmp_path / "train.pstk", define(), targets=[LEVEL], cubins=["sm_90a"])
    code = open_artifact(tmp_path / "train.pstk").gpu_code("train_job", "sm_90a")
    found = read_cubin(code.cubin)
    assert (found.capability, found.kernels) == (90, set(code.plan["kernels"]))


def test_machine_code_is_read_without_trust(path: Path) -> None:
    """Whatever a byte of its headers is, there is an error of one sentence or there is none."""
    code = open_artifact(path).content(CUBIN)
    start = int.from_bytes(code[40:48], "little")
    for at in [*range(64), *range(start, len(code)), *range(-1, -len(code), -97)]:
        for byte in (0, 1, 127, 255):
            wrong = code[:at] + bytes([byte]) + code[at:][1:]
            with contextlib.suppress(ValueError):
                read_cubin(wrong)
    for size in (0, 63, 64, start, len(code) - 1):
        with pytest.raises(ValueError, match="its machine code (has|lacks)"):
            read_cubin(code[:size])


def test_a_job_on_the_cpu_with_code_for_gpus(tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def double(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return x + x

    found = tmp_path / "double.pstk"
    flow.save_artifact(found, double, targets=[LEVEL], gpus=["sm_90"])
    assert open_artifact(found).manifest.architectures == {"double": ["sm_80", "sm_90"]}
    for device in (None, "cpu", "gpu-sim"):
        assert np.array_equal(load(found, device=device)(X), X + X)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no architecture 'sm_1'"):
        flow.save_artifact(found, double, targets=[LEVEL], gpus=["sm_1"])
    with pytest.raises(TypeError, match="gpus must be a list of architectures"):
        flow.save_artifact(found, double, targets=[LEVEL], gpus="sm_90")


def test_wrong_devices(path: Path, tmp_path: Path) -> None:
    if devices.why_not("gpu"):
        with pytest.raises(ArtifactError, match="job 'train_job' is for gpu 0:0, but .*; load it"):
            load(path, device="gpu")
    with pytest.raises(ValueError, match='device must be "cpu", "gpu", "gpu-sim" or None'):
        load(path, device="tpu")  # type: ignore[arg-type]
    with pytest.raises(ArtifactError, match="rebuild compiles jobs for the CPU, and 'train_job'"):
        load(path, rebuild=True)
    assert load(path, rebuild=True, device="cpu")(X).shape == (4,)
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return x + x

    flow.save_artifact(tmp_path / "cpu.pstk", job, targets=[LEVEL])
    with pytest.raises(
        ArtifactError, match="job 'job' has no code for GPUs; compile it with --gpu"
    ):
        load(tmp_path / "cpu.pstk", device="gpu-sim")


def forged(path: Path, changes: Callable[[dict[str, bytes], dict[str, Any]], object]) -> bytes:
    """The file with other members or another manifest, and correct sums."""
    file = open_artifact(path)
    found = {name: file.content(name) for name in file.members}
    values = file.members[VARIABLES]
    entries = json.loads(found.pop(MANIFEST))
    del found[VARIABLES]
    changes(found, entries)

    def sums() -> dict[str, Any]:
        return {n: {"bytes": len(c), "sha256": deflated(c).sha256} for n, c in found.items()}

    entries["members"] = sums()
    seal, code = seal_of(entries), found[code_member(LEVEL)]
    at = code.index(SEAL)
    found[code_member(LEVEL)] = code[:at] + seal + code[at + len(seal) :]
    entries["members"] = sums()
    members = {name: deflated(content) for name, content in found.items()}
    return pack({MANIFEST: deflated(canonical(entries)), **members, VARIABLES: values})


def in_plan(change: Callable[[Any], object]) -> Callable[[dict[str, bytes], Any], object]:
    def changed(found: dict[str, bytes], entries: Any) -> None:
        content = json.loads(found[PLAN])
        change(content)
        found[PLAN] = canonical(content)

    return changed


CASES: dict[str, tuple[Callable[[dict[str, bytes], Any], object], str]] = {
    "an offset": (
        in_plan(lambda c: c["plan"]["steps"][0].update(copy=[["arena", 1 << 20]] * 2 + [4])),
        "the launch plan of job 'train_job' is malformed",
    ),
    "no kernel": (
        lambda found, entries: found.update({PTX: found[PTX].replace(b".entry", b".func")}),
        "the PTX of job 'train_job' lacks kernel",
    ),
    "another target": (
        lambda found, entries: found.update({PTX: found[PTX].replace(b"sm_80", b"sm_90")}),
        "its PTX is for sm_90",
    ),
    "no text": (lambda found, entries: found.update({PTX: b"\xff"}), "can't decode byte"),
    "no JSON": (lambda found, entries: found.update({PLAN: b"[" * 9000}), "is not JSON"),
    "other keys": (in_plan(lambda c: c.update(more=1)), "is not JSON as penstock"),
    "a list": (in_plan(lambda c: c.update(plan=[])), "must be objects"),
    "another feed": (
        in_plan(lambda c: c["job"]["arguments"][1].update(shape=[4, 9])),
        "is not the job that the manifest describes",
    ),
    "no members": (lambda found, entries: found.pop(PTX), f"it lacks member {PTX}"),
    "another job": (
        lambda found, entries: entries["gpu"].update(architectures={"no_job": ["sm_80"]}),
        "architectures must be those of jobs",
    ),
    "no architecture": (
        lambda found, entries: entries["gpu"].update(architectures={"train_job": ["../x"]}),
        "architectures must be like sm_80",
    ),
    "no device": (
        lambda found, entries: entries["gpu"].update(devices={"train_job": "gpu 1:0"}),
        "the device of 'train_job' must be a GPU",
    ),
    "no machine code": (
        lambda found, entries: found.update({CUBIN: b"\x7fELF" + found[PTX]}),
        "its machine code is no ELF file of 64 bits for CUDA",
    ),
    "a part of it": (
        lambda found, entries: found.update({CUBIN: found[CUBIN][:99]}),
        "its machine code lacks the end",
    ),
    "machine code for another": (
        lambda found, entries: found.update(
            {CUBIN: assembler.machine_code(found[PTX].decode(), "sm_90")}
        ),
        "for sm_80: its machine code is for sm_90",
    ),
    "machine code of another": (
        lambda found, entries: found.update({CUBIN: assembler.machine_code("", "sm_80")}),
        "its machine code lacks kernel",
    ),
    "no member of it": (lambda found, entries: found.pop(CUBIN), f"it lacks member {CUBIN}"),
    "machine code without PTX": (
        lambda found, entries: entries["gpu"].update(cubins={"train_job": ["sm_90"]}),
        "cubins must be some of a job's architectures",
    ),
    "nothing": (lambda found, entries: entries.update(gpu=None), "should not have member gpu/"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_forgery(case: str, path: Path, tmp_path: Path) -> None:
    """Opening it refuses it, in one sentence, before anything is loaded."""
    changes, said = CASES[case]
    wrong = tmp_path / "wrong.pstk"
    wrong.write_bytes(forged(path, changes))
    with pytest.raises(ArtifactError) as caught:
        open_artifact(wrong)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
