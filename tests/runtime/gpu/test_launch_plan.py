"""Launch plans that are malformed: one sentence each, before anything is allocated."""

from collections.abc import Callable
from typing import Any

import hand_made
import pytest

from penstock.ir.dialects.gpu import kernel as gpu_kernel
from penstock.ir.dialects.gpu import places
from penstock.ir.dialects.nvgpu import tensor_maps
from penstock.runtime import Description
from penstock.runtime.gpu import cuda_device, launch_plan
from penstock.runtime.gpu.launch_plan import Launch, LaunchPlan
from penstock.runtime.gpu.loaded_code import checked_plan
from penstock.runtime.gpu.ptx_header import misfit, read_header
from penstock.runtime.gpu.simulator import launching
from penstock.runtime.gpu.simulator.formats import tensor_map as simulated_map
from penstock.runtime.gpu.simulator.machine import lanes

Plan = dict[str, Any]


def checked(
    change: Callable[[Plan], object] = lambda plan: None, ptx: str = hand_made.PTX
) -> LaunchPlan:
    """The hand-made plan, changed and read."""
    plan = hand_made.plan()
    change(plan)
    return checked_plan(Description.from_dict(hand_made.description()), plan, ptx)


def of_kernel(**changes: Any) -> Callable[[Plan], object]:
    return lambda plan: plan["kernels"]["total"].update(changes)


def of_step(number: int, **changes: Any) -> Callable[[Plan], object]:
    return lambda plan: plan["steps"][number].update(changes)


def argument(value: Any) -> Callable[[Plan], object]:
    """Pass this as the first argument of kernel `total`."""
    return of_step(3, arguments=[value, ["argument", 3, 0]])


def mapped(buffer: Any = ("arena", 0), **changes: Any) -> Callable[[Plan], object]:
    """Pass the tensor map of 32 rows of 64 elements as the first argument of kernel `total`."""
    map = {"element": "bf16", "dims": [64, 32], "strides": [128], "box": [64, 8], "swizzle": 128}

    def change(plan: Plan) -> None:
        parameters = [
            {"offset": 0, "size": 128, "align": 64}, {"offset": 128, "size": 8, "align": 8},
        ]  # fmt: skip
        of_kernel(parameters=parameters)(plan)
        argument(["map", list(buffer), map | changes])(plan)

    return change


CASES: dict[str, tuple[Callable[[Plan], object], str]] = {
    "no arena": (lambda plan: plan.pop("arena"), "the keys of the plan must be kernels, arena"),
    "another arena": (lambda plan: plan.update(arena=64), "arena must be 8192 as described"),
    "text": (lambda plan: plan.update(constants="no"), "must be bytes, or hexadecimal, got 'no'"),
    "no kernel": (lambda plan: plan["kernels"].pop("total"), "a launch must be of one of products"),
    "many threads": (of_kernel(block=[32, 32, 2]), "must be up to 1024 threads"),
    "no blocks": (of_kernel(grid=[0, 1, 1]), "the grid of kernel 'total' must be three integers"),
    "many blocks": (of_kernel(grid=[1, 70000, 1]), "must be at most (2147483647, 65535, 65535)"),
    "cluster": (of_kernel(cluster=[3, 1, 1], grid=[4, 1, 1]), "must be a divisor of its grid"),
    "shared": (of_kernel(shared=1 << 20), "shared of kernel 'total' must be an integer from 0 to"),
    "dynamic": (of_kernel(dynamic=232_000), "dynamic of kernel 'total' must be an integer from 0"),
    "overlapping": (
        of_kernel(parameters=[{"offset": 0, "size": 8, "align": 8}] * 2), "behind the one before",
    ),
    "unaligned": (
        of_kernel(parameters=[{"offset": 4, "size": 8, "align": 8}]), "must be aligned, behind",
    ),
    "reached": (
        of_kernel(parameters=[{"offset": 0, "size": 8, "align": 8, "bytes": -1}]),
        "bytes of kernel 'total' must be an integer from 0 to",
    ),
    "written": (
        of_kernel(parameters=[{"offset": 0, "size": 8, "align": 8, "bytes": 4, "written": 1}]),
        "written of kernel 'total' must be true or false, got 1",
    ),
    "too few bytes": (argument(["arena", 4196]), "a buffer must be 4000 bytes within 8192, got 41"),
    "few arguments": (of_step(3, arguments=[["arena", 0]]), "must be 2, got 1"),
    "behind the arena": (argument(["arena", 8193]), "must be an integer from 0 to 8192, got 8193"),
    "no constant": (argument(["constant", 4]), "must be an integer from 0 to 0, got 4"),
    "behind an argument": (argument(["argument", 1, 4004]), "an integer from 0 to 4000, got 4004"),
    "the taps": (argument(["argument", 4, 0]), 'must be like ["arena", 0], of a buffer'),
    "no argument": (argument(["argument", 9, 0]), 'must be like ["arena", 0], of a buffer'),
    "a short value": (argument(["value", b"1234"]), "must be of 8 bytes, got 4"),
    "a bool": (argument(["arena", True]), "must be an integer from 0 to 8192, got True"),
    "a map's bytes": (mapped(dims=[64, 65]), "must be 8320 bytes within 8192, got 0"),
    "a map's place": (mapped(["arena", 8]), "must be a buffer at a multiple of 16 bytes"),
    "a map of a value": (mapped(["value", b"12345678"]), "must be a buffer at a multiple of 16"),
    "a map's element": (mapped(element="f64"), "must be of bf16, f16 or f32, with a swizzle"),
    "a map's swizzle": (mapped(swizzle=16), "must be of bf16, f16 or f32, with a swizzle"),
    "elements of a map": (mapped(element=["bf16"]), "must be of bf16, f16 or f32, with a swizzle"),
    "swizzles of a map": (mapped(swizzle=[128]), "must be of bf16, f16 or f32, with a swizzle"),
    "a map's rows": (mapped(box=[32, 8]), "must be of strides of 16 bytes, and rows as its swizz"),
    "a map's strides": (mapped(strides=[136]), "must be of strides of 16 bytes, and rows as its"),
    "a map's rank": (mapped(strides=[]), "must be of 2 to 5 dimensions, none empty, got"),
    "a map's box": (mapped(box=[64, 512]), "must be an integer from 0 to 256, got 512"),
    "an empty map": (mapped(dims=[64, 0]), "must be of 2 to 5 dimensions, none empty, got"),
    "a key of a map": (mapped(colour=1), "the keys of the map of an argument of kernel 'total' m"),
    "a map for an address": (
        lambda plan: (mapped()(plan), of_kernel(parameters=hand_made.plan()["kernels"]["total"]
                                                ["parameters"])(plan)),
        "must be of 8 bytes, got 128",
    ),
    "a tap": (of_step(1, tap=2), "a tap must be an integer from 0 to 1, got 2"),
    "bytes of a tap": (of_step(1, bytes=8), "the bytes of tap 'products' must be 4000"),
    "a tap's place": (of_step(1, source=["arena", 8000]), "must be 4000 bytes within 8192"),
    "form of a tap": (of_step(1, element="i32"), "the form of tap 'products' must be f32"),
    "a copy": (
        lambda plan: plan["steps"].append({"copy": [["arena", 0], ["constant", 0], 0]}),
        "a copy must be between buffers, to one that may change",
    ),
    "a long copy": (
        lambda plan: plan["steps"].append({"copy": [["arena", 0], ["argument", 3, 0], 8]}),
        "must be 8 bytes within 4, got 0",
    ),
    "an unknown step": (lambda plan: plan["steps"].append({"jump": 1}), "a step with when must be"),
    "steps": (lambda plan: plan.update(steps={}), "steps must be a list, got {}"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_malformed_plan(case: str) -> None:
    change, said = CASES[case]
    with pytest.raises(
        ValueError, match="the launch plan of job 'train_job' is malformed"
    ) as caught:
        checked(change)
    assert said in str(caught.value)
    assert str(caught.value).endswith("; rebuild the job")


def test_the_runtime_knows_the_limits_of_the_dialects() -> None:
    """The runtime and the simulator import neither the IR nor each other, so each has its own."""
    assert launch_plan.MAP_BYTES == simulated_map.MAP_BYTES == tensor_maps.MAP_BYTES
    assert cuda_device.MAP_ALIGNMENT == tensor_maps.MAP_ALIGNMENT
    assert launch_plan.STEP == tensor_maps.STEP
    assert launch_plan.MOST_THREADS == launching.MOST_THREADS == gpu_kernel.MAX_THREADS
    assert launch_plan.MOST_BLOCKS == gpu_kernel.MAX_GRID
    assert lanes.WARP == places.WARP


def test_steps_are_nested_only_so_deep() -> None:
    def deep(plan: Plan) -> None:
        for _ in range(20):
            plan["steps"] = [{"when": [0], "steps": plan["steps"]}]

    with pytest.raises(ValueError, match="nested up to 8 deep"):
        checked(deep)


def test_steps_of_taps_run_if_somebody_listens() -> None:
    plan = checked()
    names = {
        taps: [
            getattr(step, "kernel", f"tap {getattr(step, 'tap', '')}") for step in plan.chosen(taps)
        ]
        for taps in ((), (0,), (1,))
    }
    assert names == {
        (): ["products", "total", "update"],
        (0,): ["products", "tap 0", "total", "update"],
        (1,): ["products", "doubled", "tap 1", "total", "update"],
    }


def test_code_that_lacks_a_kernel() -> None:
    with pytest.raises(ValueError, match="the PTX of job 'train_job' lacks kernel 'total'"):
        checked(ptx=hand_made.PTX.replace(".entry total", ".entry other"))
    with pytest.raises(ValueError, match=r"its PTX has no \.version"):
        checked(ptx="")


@pytest.mark.parametrize(
    ("target", "version", "architecture", "driver", "said"),
    [
        ("sm_80", "7.0", "sm_90", 12000, ""),
        ("sm_90a", "8.7", "sm_90", 12080, ""),
        ("sm_90a", "8.7", "sm_100", 13000, "its PTX is for sm_90a, and the device is of sm_100: "
         "compile it for that, or place it on the CPU"),
        ("sm_100f", "8.8", "sm_103", 13000, ""),
        ("sm_90", "8.7", "sm_80", 13000, "its PTX is for sm_90, and the device is of sm_80: "
         "compile it for that, or place it on the CPU"),
        ("sm_80", "8.7", "sm_90", 12040, "its PTX is of version 8.7, and the driver reads versions "
         "up to 8.4: update the driver, or compile for an older architecture"),
        ("sm_80", "9.9", "sm_90", 99000, ""),
    ],
)  # fmt: skip
def test_code_for_other_devices_and_drivers(
    target: str, version: str, architecture: str, driver: int, said: str
) -> None:
    header = read_header(f".version {version}\n.target {target}\n")
    assert misfit(header, architecture, driver) == said


def test_a_tensor_map_is_read() -> None:
    plan = checked(mapped(["argument", 1, 0], dims=[64, 8]))
    (launch,) = (step for step in plan.chosen(()) if getattr(step, "kernel", "") == "total")
    assert isinstance(launch, Launch)
    found = launch.arguments[0]
    assert found.map == ("bf16", (64, 8), (128,), (64, 8), 128)
    assert (found.kind, found.argument) == ("argument", 1)
