"""Recorders: kernels that exercise forms of instructions, what they take, and what they must write.

A recorder runs on the simulated device and on a GPU alike. Where it has `expected`, that is what
NVIDIA's manual says, computed without anything of the simulated device.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from penstock.runtime.gpu.backend import LaunchKernel
from penstock.runtime.gpu.launch_plan import (
    DATA_TYPES,
    MAP_BYTES,
    SWIZZLES,
    Kernel,
    Parameter,
    TensorMap,
)
from penstock.runtime.gpu.ptx_header import fits

VERSION = "8.0"
"""The version of PTX that recorders are written in: drivers for CUDA 12.0 and later read it."""
POINTER, WORD, MAP_ALIGNMENT = 8, 4, 64
_REGISTERS = ".reg .pred %p<40>;\n.reg .b16 %h<80>;\n.reg .b32 %r<400>;\n.reg .b64 %d<80>;\n"

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]


@dataclass(frozen=True)
class Recorder:
    """A kernel and its data.

    The parameters are the addresses of the inputs, then of the outputs, then `values`, called `v0`
    and so on, then tensor maps. When the body starts, `%r0` is the thread, `%d0`, `%d1` and so on
    are these addresses, and `%d20`, `%d21` those of the maps.
    """

    name: str
    forms: tuple[str, ...]
    """What it records, in the words of `form_names`."""
    body: str
    inputs: Callable[[], Arrays]
    outputs: Mapping[str, tuple[str, int]]
    """The type of each, such as `f32`, and how many elements it has."""
    expected: Callable[[Arrays], Arrays] | None = None
    """The outputs that the manual says, of the inputs."""
    maps: tuple[tuple[str, TensorMap], ...] = ()
    """The input that each describes, and how."""
    values: tuple[int, ...] = ()
    """Words of 32 bits that it takes by value, behind the addresses."""
    threads: int = 32
    block: tuple[int, int, int] | None = None
    """The extents of a block, if it is not a line of `threads`."""
    grid: tuple[int, int, int] = (1, 1, 1)
    arch: str = "sm_80"
    bound: float = 0.0
    """How far floats may differ: 0 for equal bits but NaNs; else relative to the larger of the
    recorded one and `scale`."""
    scale: float = 0.0
    directives: str = ""

    @property
    def pointers(self) -> int:
        """How many arrays it takes."""
        return len(self.inputs()) + len(self.outputs)

    def kernel(self, symbol: str) -> Kernel:
        """How it is launched, under a name."""
        pointers = [Parameter(POINTER * i, POINTER, POINTER) for i in range(self.pointers)]
        end = POINTER * self.pointers
        words = [Parameter(end + WORD * i, WORD, WORD) for i in range(len(self.values))]
        end = -(-(end + WORD * len(words)) // MAP_ALIGNMENT) * MAP_ALIGNMENT
        maps = [
            Parameter(end + MAP_BYTES * i, MAP_BYTES, MAP_ALIGNMENT) for i in range(len(self.maps))
        ]
        one, block = (1, 1, 1), self.block or (self.threads, 1, 1)
        return Kernel(symbol, block, self.grid, one, 0, 0, (*pointers, *words, *maps))

    def text(self, symbol: str) -> str:
        """The kernel's PTX, under a name."""
        count = self.pointers
        parameters = [f".param .u64 p{place}" for place in range(count)]
        parameters += [f".param .u32 v{place}" for place in range(len(self.values))]
        parameters += [
            f".param .align {MAP_ALIGNMENT} .b8 m{place}[{MAP_BYTES}]"
            for place in range(len(self.maps))
        ]
        start = [f"ld.param.b64 %d{place}, [p{place}];" for place in range(count)]
        for place in range(len(self.maps)):
            register = f"%d{20 + place}"
            start.append(f"mov.b64 {register}, m{place};")
            start.append(f"cvta.param.u64 {register}, {register};")
        lines = [
            f".visible .entry {symbol}({', '.join(parameters)})",
            ".reqntid {}, {}, {}".format(*(self.block or (self.threads, 1, 1))),
            self.directives,
            "{",
            _REGISTERS + "mov.u32 %r0, %tid.x;",
            *start,
            self.body,
            "ret;\n}",
        ]
        return "\n".join(line for line in lines if line) + "\n"

    def runs_on(self, arch: str) -> bool:
        """Whether a device of an architecture runs it."""
        return fits(self.arch, arch)


class Target(Protocol):
    """What recorders need of a device."""

    arch: str

    def allocate(self, nbytes: int) -> int: ...
    def free(self, address: int) -> None: ...
    def write(self, address: int, data: Array) -> None: ...
    def into(self, array: Array, address: int) -> None: ...
    def tensor_map(self, map: TensorMap, address: int) -> bytes: ...
    def load(self, ptx: str, kernels: Mapping[str, Kernel]) -> Any: ...
    def launch(self, code: Any, kernel: Kernel, args: bytes) -> None: ...


class RuntimeTarget:
    """A device of `penstock.runtime.gpu.devices`."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.arch: str = device.architecture

    def allocate(self, nbytes: int) -> int:
        return int(self._device.allocate(nbytes, "operands of an instruction"))

    def free(self, address: int) -> None:
        self._device.free(address)

    def write(self, address: int, data: Array) -> None:
        self._device.write(address, data)

    def into(self, array: Array, address: int) -> None:
        self._device.read(address, array)

    def tensor_map(self, map: TensorMap, address: int) -> bytes:
        return bytes(self._device.tensor_map(map, address))

    def load(self, ptx: str, kernels: Mapping[str, Kernel]) -> Any:
        return self._device.load(ptx, kernels)

    def launch(self, code: Any, kernel: Kernel, args: bytes) -> None:
        prepared = code.prepare([LaunchKernel(kernel.name, args, kernel.name)])
        prepared.run(lambda: False)
        prepared.close()


class SimulatorTarget:
    """The simulated device alone, with the orders and checks that it is made with."""

    def __init__(self, arch: str = "sm_90a", **options: Any) -> None:
        # Imported here: a GPU is recorded without the simulated device.
        from penstock.runtime.gpu.simulator import Device

        self._device = Device(1 << 22, arch=arch, **options)
        self.arch = arch

    def allocate(self, nbytes: int) -> int:
        return self._device.allocate(nbytes)

    def free(self, address: int) -> None:
        self._device.free(address)

    def write(self, address: int, data: Array) -> None:
        self._device.write(address, data)

    def into(self, array: Array, address: int) -> None:
        self._device.into(array, address)

    def tensor_map(self, map: TensorMap, address: int) -> bytes:
        from penstock.runtime.gpu.simulator import encode_tiled

        kind, swizzle = DATA_TYPES[map.element], SWIZZLES[map.swizzle]
        return encode_tiled(kind, address, map.dims, map.strides, map.box, swizzle=swizzle)

    def load(self, ptx: str, kernels: Mapping[str, Kernel]) -> Any:
        return self._device.load(ptx)

    def launch(self, code: Any, kernel: Kernel, args: bytes) -> None:
        self._device.launch(code.kernels[kernel.name], kernel.grid, kernel.block, args)


def module_text(recorders: Iterable[Recorder], arch: str) -> str:
    """One module of recorders for an architecture, named k0, k1 and so on."""
    head = f".version {VERSION}\n.target {arch}\n.address_size 64\n"
    return head + "".join(one.text(f"k{place}") for place, one in enumerate(recorders))


def run(target: Target, recorders: Sequence[Recorder]) -> dict[str, Array]:
    """What those that the device has write, as unsigned integers: `name|output`."""
    found: dict[str, Array] = {}
    for arch in sorted({one.arch for one in recorders}):
        chosen = [one for one in recorders if one.arch == arch and one.runs_on(target.arch)]
        if not chosen:
            continue
        kernels = {f"k{place}": one.kernel(f"k{place}") for place, one in enumerate(chosen)}
        code = target.load(module_text(chosen, arch), kernels)
        for one, kernel in zip(chosen, kernels.values(), strict=True):
            for output, values in _run_one(target, one, code, kernel).items():
                found[f"{one.name}|{output}"] = values
    return found


def _run_one(target: Target, one: Recorder, code: Any, kernel: Kernel) -> dict[str, Array]:
    inputs = one.inputs()
    outputs = {
        name: np.zeros(count, f"u{size_of(type)}") for name, (type, count) in one.outputs.items()
    }
    places = {}
    try:
        for name, array in {**inputs, **outputs}.items():
            places[name] = target.allocate(array.nbytes)
            target.write(places[name], array)
        args = b"".join(place.to_bytes(POINTER, "little") for place in places.values())
        args += b"".join(value.to_bytes(WORD, "little") for value in one.values)
        if one.maps:
            args = args.ljust(kernel.parameters[-len(one.maps)].offset, b"\0")
        for name, map in one.maps:
            args += target.tensor_map(map, places[name])
        target.launch(code, kernel, args)
        for name, array in outputs.items():
            target.into(array, places[name])
    finally:
        for place in places.values():
            target.free(place)
    return outputs


# -- comparisons ---------------------------------------------------------------------------------


def size_of(type: str) -> int:
    """The bytes of a type such as `f32`, `bf16x2` or `pred`, which is stored as a word."""
    return 4 if type == "pred" or type.endswith("x2") else int(re.sub(r"\D", "", type)) // 8


def difference(one: Recorder, output: str, ours: Array, theirs: Array, whose: str) -> str:
    """What tells results apart, in one sentence; nothing if they agree."""
    type = one.outputs[output][0]
    if type.startswith(("f", "bf")):
        a, b = as_numbers(type, ours), as_numbers(type, theirs)
        wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)))
        if one.bound:
            scale = np.maximum(np.abs(b), one.scale)
            with np.errstate(invalid="ignore"):
                wrong &= ~(np.abs(a - b) <= one.bound * np.maximum(scale, 2.0**-126))
    else:
        wrong = ours != theirs
    if not wrong.any():
        return ""
    place = int(wrong.argmax())
    element = place * ours.size // wrong.size
    return (
        f"{one.name}: {int(wrong.sum())} of {wrong.size} elements of {output} differ, the first "
        f"at {place}: {ours.flat[element]:#x}, {whose} {theirs.flat[element]:#x}"
    )


def as_numbers(type: str, bits: Array) -> Array:
    """The numbers that bits of a floating-point type are."""
    if type.startswith("bf16"):
        return (bits.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
    kinds = {"f16": np.float16, "f16x2": np.float16, "f32": np.float32, "f64": np.float64}
    return bits.view(kinds[type]).astype(np.float64)


# -- parts of bodies -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Tile:
    """A variable in shared memory, aligned to 1024 bytes."""

    name: str
    nbytes: int
    threads: int
    declared: str = field(init=False)

    def __post_init__(self) -> None:
        text = f".shared .align 1024 .b8 {self.name}[{self.nbytes}];"
        object.__setattr__(self, "declared", text)

    def filled(self, register: str) -> str:
        """Lines in which the block copies it from an address, a word a thread at a time."""
        return self._copied(
            f"mad.wide.u32 %d79, %r0, 4, {register};",
            "ld.global.b32 %r399, [%d79+{0}];\n{1}st.shared.b32 [%r398+{0}], %r399;",
        )

    def shown(self, register: str) -> str:
        """Lines in which the block copies it to an address."""
        return self._copied(
            f"mad.wide.u32 %d79, %r0, 4, {register};",
            "ld.shared.b32 %r399, [%r398+{0}];\n{1}st.global.b32 [%d79+{0}], %r399;",
        )

    def _copied(self, start: str, line: str) -> str:
        words = self.nbytes // 4
        lines = [f"mov.b32 %r398, {self.name};", "mad.lo.s32 %r398, %r0, 4, %r398;", start]
        for first in range(0, words, self.threads):
            guard = ""
            if words - first < self.threads:
                lines.append(f"setp.lt.u32 %p39, %r0, {words - first};")
                guard = "@%p39 "
            lines.append(guard + line.format(4 * first, guard))
        return "\n".join(lines)


def drawn(name: str, count: int, dtype: str = "u4") -> Array:
    """Seeded random bits."""
    seed = np.frombuffer(name.encode(), np.uint8)
    bits = np.random.default_rng(seed).integers(0, 256, count * np.dtype(dtype).itemsize)
    return bits.astype(np.uint8).view(dtype)
