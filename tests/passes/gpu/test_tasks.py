"""Kernels of kind `tasks`: many threads compute the bits that the CPU computes."""

from __future__ import annotations

import numpy as np
import pytest
from scheduled_jobs import Array, edit, lower, ops_of, run, schedule

import penstock as flow
from penstock.ir.attributes import attribute
from penstock.ir.dialects import gpu
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules
from penstock.runtime.gpu.devices import simulated_in

DRAW = np.random.default_rng(3)
ROWS = DRAW.integers(-9, 9, (3, 300)).astype(np.float32)
ROWS[0, 5], ROWS[1, 7:9], ROWS[2, :2] = np.nan, -np.inf, -0.0
BOXES = DRAW.random((270, 4)).astype(np.float32)
BOXES[:, 2:] = BOXES[:, :2] + BOXES[:, 2:] / 3
SPARSE = (DRAW.random((4, 700)) < 0.3).astype(np.int8)
PLACES = DRAW.integers(-1, 40, (90, 1)).astype(np.int32)
JOBS: dict[str, tuple[str, list[Array], str, list[int]]] = {
    "sort": ("{descending = false}", [ROWS], "3x300xf32, 3x300xi32", [129, 900, 900, 129]),
    "sort down": ("{descending = true}", [ROWS], "3x300xf32, 3x300xi32", [129, 900, 900, 129]),
    "top_k": ("{k = 4}", [ROWS], "3x4xf32, 3x4xi32", [129, 900, 900, 1]),
    "unique_with_counts": (
        "{element = i32}", [ROWS[0]], "300xf32, 300xi32, 300xi32, 1xi32",
        [43, 300, 300, 150, 37, 1, 37, 18, 18, 300, 18, 1],
    ),
    "nms": ("{threshold = 0.3}", [BOXES], "270xi8", [90, 2430, 8, 1, 7, 1]),
    "argwhere": ("{element = i32}", [SPARSE], "2800x2xi32, 1xi32", [350, 1, 350, 350]),
    "scatter_nd": (
        "{shape = array<i64: 40>}",
        [PLACES, DRAW.standard_normal(90).astype(np.float32)], "40xf32", [10],
    ),
    "scatter_nd rows": (
        "{shape = array<i64: 40, 64>}",
        [PLACES, DRAW.standard_normal((90, 64)).astype(np.float32)], "40x64xf32", [60],
    ),
    "cumsum": (
        "{axis = 0, exclusive = false, reverse = false}",
        [DRAW.standard_normal((30, 64)).astype(np.float32)], "30x64xf32", [16],
    ),
}  # fmt: skip
"""Attributes, operands and results, and the tasks of each kernel."""


def job(name: str) -> Module:
    """A job of one op at stage `scheduled`."""
    attributes, arrays, results, _ = JOBS[name]
    names = {"float32": "f32", "int8": "i8", "int32": "i32"}
    given = [f"tensor<{'x'.join(map(str, a.shape))}x{names[str(a.dtype)]}>" for a in arrays]
    found = [f"tensor<{each}>" for each in results.split(", ")]
    arguments = ", ".join(f'%a{i}: {t} {{job.feed = "a{i}"}}' for i, t in enumerate(given))
    fetched = ", ".join(f'{t} {{job.fetch = "{i}"}}' for i, t in enumerate(found))
    values = ", ".join(f"%y{i}" for i in range(len(found)))
    module = parse_module(f"""
    module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
      func.func @job({arguments}) -> ({fetched}) {{
        {values} = "flow.{name.split()[0]}"({", ".join(f"%a{i}" for i in range(len(given)))})
            {attributes} : ({", ".join(given)}) -> ({", ".join(found)})
        func.return {values} : {", ".join(found)}
      }}
    }}""")
    fused = Modules("job", module)["fused"].clone()
    assert isinstance(fused, Module)
    return fused


def results(module: Module, name: str, device: str = "") -> list[Array]:
    """What the job computes on a device, or on the CPU."""
    placed = module.clone()
    assert isinstance(placed, Module)
    if device:
        placed.attributes["job.device"] = attribute(f"{device} 0:0")
    found = flow.compile(print_module(placed))(*JOBS[name][1])
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else [found])]


ORDERS = ("eager", "lazy", "random:1")
"""In which threads run."""


@pytest.mark.parametrize("name", JOBS)
def test_many_threads_give_the_same_bits(name: str) -> None:
    module = job(name)
    expected = results(module, name)
    run(module, "schedule")
    with simulated_in(ORDERS[list(JOBS).index(name) % 3]):
        found = results(module, name, "gpu-sim")
    for one, other in zip(expected, found, strict=True):
        assert one.tobytes() == other.tobytes()
    lower(module)
    kernels = [op for op in module.walk() if isinstance(op, gpu.GpuFunc)]
    threads = [op.known_grid_size[0] * op.known_block_size[0] for op in kernels]
    for count, tasks in zip(threads, JOBS[name][3], strict=True):
        assert tasks <= count < tasks + 128


IDS = DRAW.integers(-1, 5, 1000).astype(np.int32)
VALUES = DRAW.standard_normal(1000).astype(np.float32)


def test_sums_of_segments_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few sums of many updates: chunks are added by tasks, then in their order, whatever the order
    of the threads."""
    name = "unsorted_segment_sum"
    fields = "{axis = 0, num_segments = 4, batch_dims = 0}"
    monkeypatch.setitem(JOBS, name, (fields, [VALUES, IDS], "4xf32", []))
    module = job(name)
    run(module, "schedule")
    found = []
    for order in ORDERS:
        with simulated_in(order):
            found += results(module, name, "gpu-sim")
    assert len({each.tobytes() for each in found}) == 1
    wanted = [VALUES[s == IDS].astype(np.float64).sum() for s in range(4)]
    np.testing.assert_allclose(found[0], wanted, 1e-5, 1e-5)
    lower(module)
    kernels = [op for op in module.walk() if isinstance(op, gpu.GpuFunc)]
    assert [op.known_grid_size[0] * op.known_block_size[0] for op in kernels] == [15, 4]


def test_the_schedule_says_how_many_threads() -> None:
    module = job("sort")
    run(module, "schedule")
    (op,) = ops_of(module)
    assert schedule(op) == {"kernel": 0, "kind": "tasks", "grid": 108, "block": 128}
    edit(op, grid=1, block=1)
    lower(module)
    (kernel,) = (op for op in module.walk() if isinstance(op, gpu.GpuFunc))
    assert (kernel.known_grid_size[0], kernel.known_block_size[0]) == (1, 1)
