"""Hand-written modules at stage `gpu`, for tests."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from penstock.codegen.gpu.program import GpuProgram, emit_ptx
from penstock.ir.dialects.gpu import GpuFunc
from penstock.ir.dialects.parsing import parse_module
from penstock.runtime.gpu.simulator import Device, encode_tiled

Array = npt.NDArray[Any]

ROWS = (Path(__file__).parent / "gpu" / "rows.mlir").read_text()
"""Two kernels, `y[b] = sum(exp(2 x[b, :])) * scale[b] + 5`, a constant and two taps."""


def kernel(
    body: str,
    arguments: str = "",
    block: tuple[int, int, int] = (32, 1, 1),
    grid: tuple[int, int, int] = (1, 1, 1),
    buffers: str = "",
    use: str = "",
) -> str:
    """A module with one kernel `k`; it stores the indices that `use` names into `%out`."""
    arguments = arguments or f"%out: memref<{max(len(use), 1)}xindex>"
    stores = "".join(
        f"%at{i} = arith.constant {i} : index "
        f"memref.store %{name}, %out[%at{i}] : memref<{len(use)}xindex> "
        for i, name in enumerate(use)
    )
    sizes = [f"array<i32: {', '.join(map(str, each))}>" for each in (block, grid)]
    return (
        "module attributes {gpu.container_module} { gpu.module @kernels { "
        f"gpu.func @k({arguments}) {buffers} kernel attributes {{known_block_size = {sizes[0]}, "
        f"known_grid_size = {sizes[1]}}} {{ {body} {stores} gpu.return }} }} }}"
    )


class Step:
    """A step of a compiled job on the simulated device; arrays are read and written.

    With `last`, only the last block of each kernel runs, without checks of races.
    """

    def __init__(
        self,
        program: GpuProgram,
        arguments: Sequence[Array],
        schedule: str = "eager",
        last: bool = False,
    ) -> None:
        self.last = last
        checks = () if last else ("races", "global-races")
        self.device = Device(arch=program.arch, schedule=schedule, checks=checks)
        self.plan = program.plan
        self.loaded = self.device.load(program.ptx)
        self.starts = {
            "arena": self.device.allocate(max(self.plan["arena"], 1)),
            "constant": self.device.allocate(max(len(self.plan["constants"]), 1)),
        }
        self.device.write(self.starts["constant"], self.plan["constants"])
        # The arena comes first.
        self.arguments = [0, *(self.device.attach_array(array) for array in arguments)]
        self.shown: dict[int, Array] = {}

    def address(self, reference: Sequence[Any]) -> int:
        if reference[0] == "argument":
            return int(self.arguments[reference[1]] + reference[2])
        return int(self.starts[reference[0]] + reference[1])

    def run(self, steps: Sequence[dict[str, Any]], listened: Collection[int] = ()) -> None:
        for step in steps:
            if "launch" in step:
                self.launch(step)
            elif "copy" in step:
                source, target, size = step["copy"]
                data = self.device.read(self.address(source), size)
                self.device.write(self.address(target), data)
            elif "tap" in step:
                data = self.device.read(self.address(step["source"]), step["bytes"])
                self.shown[step["tap"]] = np.frombuffer(data, np.uint8)
            elif set(step["when"]) & set(listened):
                self.run(step["steps"], listened)

    def tensor_map(self, reference: Sequence[Any], map: dict[str, Any]) -> bytes:
        kind, swizzle = {"f16": 6, "f32": 7, "bf16": 9}[map["element"]], {32: 1, 64: 2, 128: 3}
        return encode_tiled(
            kind, self.address(reference), map["dims"], map["strides"], map["box"],
            swizzle=swizzle[map["swizzle"]],
        )  # fmt: skip

    def launch(self, step: dict[str, Any]) -> None:
        kernel = self.plan["kernels"][step["launch"]]
        packed = bytearray()
        for given, parameter in zip(step["arguments"], kernel["parameters"], strict=True):
            packed += bytes(parameter["offset"] - len(packed))
            if given[0] == "map":
                packed += self.tensor_map(*given[1:])
                continue
            is_value = given[0] == "value"
            packed += given[1] if is_value else struct.pack("<Q", self.address(given))
        sizes = tuple(kernel["grid"]), tuple(kernel["block"])
        entry = self.loaded.kernels[step["launch"]]
        first = kernel["grid"][0] - 1 if self.last else 0
        self.device.launch(entry, *sizes, bytes(packed), kernel["dynamic"], first=first)


def run_plan(
    program: GpuProgram, arguments: Sequence[Array], listened: Collection[int] = ()
) -> dict[int, Array]:
    """Run a step. Returns what taps got."""
    step = Step(program, arguments)
    step.run(program.plan["steps"], listened)
    return step.shown


def run_kernel(text: str, *arrays: Array, arch: str = "sm_80", shared_bytes: int = 0) -> str:
    """Run the only kernel `k` of a module on arrays, which it reads and writes; its PTX."""
    module = parse_module(text)
    ptx = emit_ptx(module, arch)
    (kernel,) = (op for op in module.walk() if isinstance(op, GpuFunc))
    device = Device(arch=arch)
    for array in arrays:
        device.attach_array(array)
    loaded = device.load(ptx)
    grid, block = kernel.known_grid_size, kernel.known_block_size
    assert grid is not None
    assert block is not None
    packed = struct.pack(f"<{len(arrays)}Q", *(array.ctypes.data for array in arrays))
    device.launch(loaded.kernels["k"], tuple(grid), tuple(block), packed, shared_bytes)
    return ptx
