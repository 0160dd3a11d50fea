"""Jobs on a GPU, through the real cuda-python, on a `libcuda.so.1` of the tests' own.

The library, in libcuda/, is compiled here. It implements the driver calls in use, writes each into
a log, and has launches executed by NumPy. scenarios.py says what is tried; here is what is
expected.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import assembler
import numpy as np
import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("cc")
FLAGS = [
    "-std=gnu17",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-O1",
    "-fvisibility=hidden",
    "-shared",
    "-fPIC",
]

pytestmark = pytest.mark.skipif(
    COMPILER is None or find_spec("cuda") is None, reason="needs a C compiler and cuda-python"
)

Told = dict[str, Any]


@pytest.fixture(scope="module")
def libcuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library."""
    folder = tmp_path_factory.mktemp("libcuda")
    sources = sorted(map(str, (HERE / "libcuda").glob("*.c")))
    assert COMPILER is not None
    command = [COMPILER, *FLAGS, "-o", str(folder / "libcuda.so.1"), *sources, "-ldl"]
    subprocess.run(command, check=True)
    return folder


@pytest.fixture(scope="module")
def told(libcuda: Path) -> Told:
    """What each scenario told."""
    paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(libcuda),
        "PYTHONPATH": paths,
        "PENSTOCK_PTXAS": assembler.install(libcuda),
    }
    run = subprocess.run(
        [sys.executable, str(HERE / "scenarios.py")],
        env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    lines = (line.partition(" ") for line in run.stdout.splitlines())
    found = {name: json.loads(text) for name, _, text in lines}
    assert len(found) == 28
    return found


def result(told: Told, scenario: str) -> Any:
    assert "error" not in told[scenario], told[scenario]["error"]
    return told[scenario]["result"]


def compare_calls(found: dict[str, list[str]], golden: Path) -> None:
    """PENSTOCK_PRINT_CALLS=1 prints them, PENSTOCK_UPDATE_GOLDEN=1 rewrites the file."""
    titles = {
        "loading": "Start the driver and load the code",
        "preparing": "The first step: allocate, upload variables, capture, launch",
        "again": "Every later step",
    }
    text = "\n".join(
        line for part, title in titles.items() for line in (f"# {title}", *found[part])
    )
    if os.environ.get("PENSTOCK_PRINT_CALLS"):
        sys.stdout.write(f"\n{text}\n")
    if os.environ.get("PENSTOCK_UPDATE_GOLDEN"):
        golden.write_text(text + "\n")
    assert text + "\n" == golden.read_text()


def test_a_step_of_the_hand_made_job_makes_these_calls(told: Told) -> None:
    found = result(told, "step")
    compare_calls(found, HERE / "hand_made_step.txt")
    assert found["fits"]


def test_a_training_step_of_a_network_makes_these_calls(told: Told) -> None:
    """Those that its schedules do not decide."""
    compare_calls(result(told, "network_step"), HERE / "training_step.txt")


def test_order_is_kept_by_dependencies_alone(told: Told) -> None:
    assert result(told, "late") is True


def test_handlers_run_after_the_step(told: Told) -> None:
    found = result(told, "watched")
    assert found["seen"] == [
        ["products", 1000, 1000], ["doubled", 2000, 1000], ["products", 500, 1000],
        ["products", -500, 1000],
    ]  # fmt: skip
    # One graph for each set of listened taps.
    assert found["graphs"] == [f"cuGraphLaunch(g{n}, s0)" for n in (0, 1, 2, 1)]


def test_blobs_are_copied_beside_later_kernels(told: Told) -> None:
    """On the other stream, up to the first kernel that writes what is copied."""
    found = result(told, "overwritten")
    words = [re.sub(r", grid.*shared 0|, block.*", "", line) for line in found["calls"]]
    start = next(i for i, line in enumerate(words) if line.startswith("cuLaunch"))
    assert words[start:] == [
        "cuLaunchKernelEx(products, s0, d0+8192, d1, d0, 4 bytes)",
        "cuEventRecord(e2, s0)",
        "cuStreamWaitEvent(s1, e2, 0)",
        "cuMemcpyDtoHAsync(h1, d0, 4000, s1)",
        "cuEventRecord(e3, s1)",
        "cuLaunchKernelEx(total, s0, d0, d0+12288)",
        "cuEventRecord(e4, s0)",
        "cuStreamWaitEvent(s1, e4, 0)",
        "cuMemcpyDtoHAsync(h0+4096, d0+12288, 4, s1)",
        "cuStreamWaitEvent(s0, e3, 0)",
        "cuLaunchKernelEx(doubled, s0, d0+8192, d0+8192, d0, 4 bytes)",
        "cuLaunchKernelEx(update, s0, d0+8192, d1, d1, 4 bytes)",
        "cuEventRecord(e5, s1)",
        "cuStreamWaitEvent(s0, e5, 0)",
    ]
    # Without that event, the copy would come too late.
    assert found["kept"] == [True, False]


def test_blobs_of_a_network_whose_buffers_share_memory(told: Told) -> None:
    """All are right as late as their copies may run, and not all are if nothing waits for these."""
    found = result(told, "watched_network")
    assert found["close"][0] == found["count"] == 5
    assert found["close"][1] < 5


def test_blobs_stay_until_their_handlers_return(told: Told) -> None:
    found = result(told, "ring")
    assert found["seen"] == [*[1.0] * 5, *(20.0 * n for n in range(1, 6))]
    # Of each thread, its step and the one in its handler; the last thread waits.
    assert found["launched"] == [8, 8]


def test_what_a_handler_raises_is_raised(told: Told) -> None:
    assert result(told, "raising") == [
        "'mine'", ["raised by a handler of 'products' (model.py:7) in job 'train_job'"], True,
    ]  # fmt: skip


def test_variables_move_only_if_somebody_asks(told: Told) -> None:
    found = result(told, "variables")
    assert found["told"] == [
        "first step: 1 up, 0 down", "second step: 0 up, 0 down", "get: 0 up, 1 down",
        "get again: 0 up, 0 down", "step: 0 up, 0 down", "set: 0 up, 0 down",
        "step after set: 1 up, 0 down", "get at last: 0 up, 1 down",
    ]  # fmt: skip
    assert found["w"] == 0.5


def test_stores_have_variables_of_their_own_and_all_is_freed(told: Told) -> None:
    found = result(told, "two_stores")
    assert found["values"] == [0.5, 0]
    assert found["freed"] == [
        "cuGraphExecDestroy", "cuGraphExecDestroy", "cuLibraryUnload", "cuMemFree", "cuMemFree",
        "cuMemFree", "cuMemFreeHost",
    ]  # fmt: skip


def test_too_little_memory(told: Told) -> None:
    buffers, variable = result(told, "no_memory")
    assert buffers == (
        "OutOfDeviceMemory at no line: job 'train_job': memory of 12,292 bytes cannot be allocated "
        "on gpu 0:0 (Test GPU), which has 9,000 of 9,000 bytes free: take smaller batches, or end "
        "what else uses the device"
    )
    assert "variable 'w' (model.py:6) of 4,000 bytes cannot be allocated" in variable


def test_what_the_driver_refuses(told: Told) -> None:
    """One sentence with what to do; a step that was refused has changed nothing, and works then."""
    found = result(told, "refusals")
    failed = "of the CUDA driver failed with CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
    on, job = "gpu 0:0 (Test GPU)", "at no line: job 'train_job':"
    assert found["said"] == [
        f"DeviceError at no line: {on} cannot be used: cuDevicePrimaryCtxRetain {failed}; end what "
        "else uses the device",
        f"OutOfDeviceMemory {job} 4,100 bytes on the host for copies to {on} cannot be "
        "page-locked: take smaller batches, watch fewer blobs, or end what else uses memory",
        f"OutOfDeviceMemory {job} cuGraphInstantiate {failed}, on {on}: take smaller batches, or "
        "end what else uses the device",
        f"DeviceError {job} a step cannot be launched on {on}: cuGraphLaunch {failed}; nothing of "
        "it has run: call it again, or end what else uses the device",
        f"DeviceError {job} {on} is lost: cuCtxSetCurrent of the CUDA driver failed with "
        "CUDA_ERROR_CONTEXT_IS_DESTROYED (an error of the test's driver); variables that were last "
        "changed there are lost with it: start the program again from a checkpoint",
    ]
    assert found["works"] == [1000, 0.5]


def test_a_lost_device_fails_at_once_and_for_ever(told: Told) -> None:
    found = result(told, "lost")
    said = (
        "gpu 0:0 (Test GPU) is lost: cuStreamSynchronize of the CUDA driver failed with "
        "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered), in kernel "
        "'products' (model.py:7) or kernel 'total' (model.py:9) or kernel 'update' (model.py:6); "
        "set CUDA_LAUNCH_BLOCKING=1 in the environment to learn which; variables that were last "
        "changed there are lost with it: start the program again from a checkpoint"
    )
    in_job = f"DeviceError at no line: job 'train_job': {said}"
    assert found["said"] == [in_job, in_job, f"DeviceError at no line: {said}"]
    assert found["calls"] == 0
    assert found["on host"] == [1, 0.5]


def test_a_blocking_launch_names_the_kernel_and_the_line(told: Told) -> None:
    found = result(told, "lost_one_by_one")
    assert found["fits"]
    assert found["said"].startswith(
        "DeviceError at model.py:6: job 'train_job': gpu 0:0 (Test GPU) is lost: kernel 'update' "
        "failed: cuStreamSynchronize"
    )


def test_code_that_a_device_cannot_run(told: Told) -> None:
    found = result(told, "bad_code")
    assert found["other"].endswith(
        "its PTX is for sm_100, and the device is of sm_90: compile it for that, or place it on "
        "the CPU"
    )
    assert "its PTX is of version 9.9, and the driver reads versions up to 9.0" in found["newer"]
    assert "ptxas application ptx input, line 7; error" in found["broken"]
    assert "model.py:9: job 'train_job': kernel 'total' needs 232,024 bytes" in found["shared"]
    assert "model.py:9: job 'train_job': kernel 'total' cannot be launched" in found["launch"]


def test_a_step_works_after_a_capture_that_failed(told: Told) -> None:
    said, works = result(told, "capture_failed")
    assert "kernel 'total' cannot be launched" in said
    assert works is True


def test_clusters_and_shared_memory_reach_the_launch(told: Told) -> None:
    attribute, launch = result(told, "clusters")
    assert attribute == "cuKernelSetAttribute(8, 65536, products, 0)"
    assert "cluster 2 1 1, shared 65536" in launch


def test_the_child_of_a_fork(told: Told) -> None:
    assert "gpu 0:0 cannot be used in a process that was forked" in result(told, "forked")


def test_the_simulator_executes_what_is_launched(told: Told) -> None:
    found = result(told, "simulated")
    assert found["fits"]
    assert found["launched"] == ["products", "doubled", "total", "update"]


def test_a_network_trains_as_on_the_cpu(told: Told) -> None:
    """One graph launch a step; memory is allocated before the first."""
    found = result(told, "compiled")
    assert found["close"]
    assert found["kernels"] > 3
    names = [call.split("(")[0] for call in found["calls"]]
    assert names[-3:] == ["cuGraphLaunch"] * 3
    assert set(names[:-3]) == {"cuMemAlloc"}
    # Before that, there was too little memory: one sentence, at the line of the call.
    said = (
        r".*/scenarios\.py:\d+: job 'train_job': .* of [\d,]+ bytes cannot be allocated on gpu 0:0 "
    )
    assert re.match(said + r"\(Test GPU\), which has [\d,]+ of 4,000 bytes free", found["refused"])


def test_a_network_on_both_trains_as_on_the_cpu(told: Told) -> None:
    """The CPU waits where it takes what a section gives; later ones run meanwhile."""
    cpu_first, gpu_first = result(told, "mixed")
    assert cpu_first["close"]
    assert gpu_first["close"]
    # Forward and half of the backward; gradients of weights; updates behind the last copy, beside
    # what the CPU still computes, which waits for them before it changes a variable of its own.
    # Here the memory of what is copied is used again at once.
    assert cpu_first["calls"] == [
        "launch 0", "launch 1", "copy 1 on s1", "next waits for copies", "launch 2", "wait 1 on s1",
        "launch 3", "wait 3 on s0",
    ]  # fmt: skip
    assert gpu_first["calls"] == [
        "launch 0", "copy 0 on s1", "wait 0 on s1", "next waits for copies", "launch 1", "launch 2",
        "launch 3", "wait 3 on s0",
    ]  # fmt: skip


def test_what_a_section_gives_is_copied_beside_the_next_one(told: Told) -> None:
    """Unless that writes there. The CPU waits for the copy alone."""
    beside, behind = result(told, "given")
    assert beside["value"]
    assert behind["value"]
    first = [
        "cuGraphLaunch(, s0)", "cuEventRecord(e0, s0)", "cuStreamWaitEvent(s1, e0, 0)",
        "cuMemcpyDtoHAsync(, , 4000, s1)", "cuEventRecord(e1, s1)",
    ]  # fmt: skip
    assert beside["calls"] == [
        *first, "cuGraphLaunch(, s0)", "cuEventRecord(e2, s0)", "cuGraphLaunch(, s0)",
        "cuEventRecord(e3, s0)", "cuEventSynchronize(e1)",
    ]  # fmt: skip
    assert behind["calls"] == [
        *first, "cuEventRecord(e2, s1)", "cuStreamWaitEvent(s0, e2, 0)", "cuGraphLaunch(, s0)",
        "cuEventRecord(e3, s0)", "cuGraphLaunch(, s0)", "cuEventRecord(e4, s0)",
        "cuEventSynchronize(e1)",
    ]  # fmt: skip


def test_a_device_that_is_lost_under_a_job_on_both(told: Told) -> None:
    """At each launch of each section, noticed at the next call or when the CPU waits: no variable
    on the CPU has changed."""
    lost = result(told, "mixed_lost")
    expected = (
        r".*/scenarios\.py:\d+: job 'train_job': gpu 0:0 \(Test GPU\) is lost: cu\w+ of the CUDA "
        r"driver failed with CUDA_ERROR_ILLEGAL_ADDRESS .*, in "
        r"(one of \d+ kernels|kernel .*scenarios\.py:\d+\)).*; set "
    )
    assert len(lost["found"]) > 2 * lost["sections"] > 4
    assert len(lost["on cpu"]) == 4
    for said, same in lost["found"]:
        assert re.match(expected, said), said
        assert same
    assert lost["moved"]


def test_warpgroups_take_tensor_maps(told: Told) -> None:
    """The driver gets the extents of both factors, bf16 (9), and a swizzle of 128 bytes (3)."""
    found = result(told, "warpgroups")
    assert found["close"]
    assert found["kernels"] == 1
    shown = [re.sub(r"d\d+\+?\d*", "buffer", line) for line in found["maps"]]
    assert shown == ["cuTensorMapEncodeTiled(9, buffer, 2 dimensions, box 64 64, swizzle 3)"] * 2


def test_jobs_are_compiled_for_their_device(told: Told) -> None:
    """With kernels of its own for the H100, if the driver reads these, and for its multiprocessors;
    jobs that are not placed there are for any device. The environment decides for all."""
    schedule = "schedule{{target={} processors={}}}"
    assert result(told, "fitted") == {
        "H100": ["sm_90a", schedule.format("sm_90a", 132), ["2", "2"], "sm_80"],
        "one processor": ["sm_90a", schedule.format("sm_90a", 1), ["1", "1"], "sm_80"],
        "A100": ["sm_80", schedule.format("sm_80", 108), ["6", "6"], "sm_80"],
        "B200": ["sm_80", schedule.format("sm_80", 148), ["6", "6"], "sm_80"],
        "an old driver": ["sm_80", schedule.format("sm_80", 132), ["6", "6"], "sm_80"],
        "a choice": ["sm_90", schedule.format("sm_80", 132), ["6", "6"], "sm_90"],
        "none": ["sm_80", "schedule{target=sm_80}", ["6", "6"], "sm_80"],
    }


def test_artifacts_have_machine_code_for_some_devices(told: Told) -> None:
    """What does not fit the device, or what its driver refuses, is compiled from PTX."""
    found = result(told, "artifacts")
    loaded = {name: one["loaded"] for name, one in found.items()}
    machine_code = "cuLibraryLoadData(machine code, 2 options)"
    assert loaded["86"] == loaded["90"] == [machine_code]
    assert [re.sub(r"\d+ bytes", "bytes", line) for line in loaded["100"]] == [
        "cuLibraryLoadData(bytes of PTX, 2 options)"
    ]
    assert loaded["both"] == [machine_code]
    assert loaded["refused"] == [machine_code, *loaded["100"]]
    steps = [np.array(one["losses"]) for one in found.values()]
    second = 8 * (1 - 0.03) * 8 * (1 - 0.08) * 3
    assert all(np.allclose(one, [[192.0] * 4, [second] * 4], rtol=1e-6) for one in steps)


def test_forms_of_instructions_run_through_the_driver(told: Told) -> None:
    assert result(told, "forms") == {"wrong": [], "changed": 1, "launched": 18, "maps": 2}


def test_why_there_is_no_gpu(told: Told) -> None:
    assert result(told, "status") == {
        "old": "the NVIDIA driver is for CUDA 11.8, and 12.0 is needed: update it",
        "none": "the NVIDIA driver finds no GPU",
        "none started": "the NVIDIA driver finds no GPU",
        "broken": "the NVIDIA driver cannot start (CUDA_ERROR_UNKNOWN)",
        "one": "",
        "second": "this machine has 1 GPU, up to 0:0",
    }


def test_without_a_driver() -> None:
    code = (
        "from penstock.runtime.gpu.driver import status; print(status().reason);"
        "import sys; print('penstock.runtime.gpu.simulator' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    reason, has_simulator = run.stdout.splitlines()
    assert reason == "" or reason.startswith(("there is no NVIDIA driver (", "the NVIDIA driver "))
    assert has_simulator == "False"
