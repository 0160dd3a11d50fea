"""PTX text for tests: kernels from their bodies, and kernels that apply one instruction."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from penstock.runtime.gpu.simulator import Device

Array = npt.NDArray[Any]

REGISTERS = """\
.reg .pred %p<24>;
.reg .b16 %h<64>;
.reg .b32 %r<300>;
.reg .b64 %d<64>;
"""


def kernel(
    body: str,
    parameters: Sequence[str] = (),
    directives: str = "",
    name: str = "k",
    registers: str = REGISTERS,
) -> str:
    """A kernel; its parameters of these types are called p0, p1 and so on."""
    listed = ", ".join(f".param .{type} p{place}" for place, type in enumerate(parameters))
    return f".visible .entry {name}({listed})\n{directives}\n{{\n{registers}{body}\nret;\n}}\n"


def module(*kernels: str, target: str = "sm_90a", version: str = "8.0") -> str:
    """A module of kernels."""
    return f".version {version}\n.target {target}\n.address_size 64\n" + "\n".join(kernels)


def addresses(*arrays: Array) -> bytes:
    """Packed parameters: the addresses of attached arrays."""
    return struct.pack(f"<{len(arrays)}Q", *(array.ctypes.data for array in arrays))


def run(
    device: Device,
    body: str,
    arrays: Sequence[Array],
    threads: int = 32,
    blocks: int = 1,
    shared_bytes: int = 0,
    directives: str = "",
) -> None:
    """Run a body whose parameters are the addresses of arrays, which it reads and writes."""
    text = module(kernel(body, ["u64"] * len(arrays), directives))
    for array in arrays:
        device.attach_array(array)
    try:
        loaded = device.load(text)
        device.launch(
            loaded.kernels["k"],
            (blocks, 1, 1),
            (threads, 1, 1),
            addresses(*arrays),
            shared_bytes,
        )
    finally:
        for array in arrays:
            device.detach(array.ctypes.data)


def thread_address(place: int, size: int, register: str = "%d0") -> str:
    """Lines that leave in a register the address of this thread's element of parameter `place`."""
    return (
        f"ld.param.u64 {register}, [p{place}];\nmov.u32 %r290, %ctaid.x;\nmov.u32 %r291, %ntid.x;\n"
        "mov.u32 %r292, %tid.x;\nmad.lo.s32 %r292, %r290, %r291, %r292;\n"
        f"mad.wide.u32 {register}, %r292, {size}, {register};\n"
    )
