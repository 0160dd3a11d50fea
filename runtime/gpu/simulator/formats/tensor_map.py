"""Tensor maps: the 128 bytes that describe a tensor in global memory to bulk copies.

The driver's are opaque; the simulated device has its own, which `encode_tiled` makes with the
arguments of `cuTensorMapEncodeTiled`, refusing what that refuses.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = ["ELEMENT_BYTES", "MAP_BYTES", "TensorMap", "decode", "encode_tiled", "swizzled"]

MAP_BYTES = 128
_MAGIC = b"PSTKTMAP"
_FORMAT = "<8sQ5Q4Q5H5B6B"

ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
"""Bytes per element, by `CUtensorMapDataType`: u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16,
f32 flushed, tf32, tf32 flushed."""
SWIZZLE_BYTES = (0, 32, 64, 128)
"""Bytes of a swizzled row, by `CUtensorMapSwizzle`."""


@dataclass(frozen=True)
class TensorMap:
    """A tensor of up to five dimensions, innermost first; `strides` in bytes from the second on.

    `box` is what one copy moves. `swizzle` is 0, 32, 64 or 128 bytes. Elements outside of the
    tensor are zeros, or NaNs with `nan_fill`.
    """

    element: int
    kind: int
    address: int
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    swizzle: int
    nan_fill: bool

    @cached_property
    def _positions(self) -> Array:
        """The position of each element of the box: [dimension, element], in memory order."""
        grid = np.indices(self.box[::-1]).reshape(len(self.box), -1)
        return grid[::-1]

    @property
    def box_bytes(self) -> int:
        """The bytes of a box."""
        return int(np.prod(self.box)) * self.element

    def places(self, corner: Sequence[int]) -> tuple[Array, Array]:
        """The addresses of the elements of a box at a corner, and which are in the tensor."""
        inside = np.ones(self._positions.shape[1], bool)
        address = np.full(len(inside), self.address)
        steps = (self.element, *self.strides)
        for axis, start in enumerate(corner):
            position = self._positions[axis] + start
            inside &= (position >= 0) & (position < self.dims[axis])
            address = address + position * steps[axis]
        return address, inside

    def shared_places(self, start: int) -> Array:
        """The bytes of shared memory of each element of a box at an address, swizzled."""
        elements = self._positions.shape[1]
        return swizzled(start + np.arange(elements) * self.element, self.swizzle)


def swizzled(address: Array, span: int) -> Array:
    """Exchange the 16-byte parts of rows of `span` bytes as a bulk copy and `wgmma` do: bits 4 to 6
    of an address, or fewer, are xor-ed with those from bit 7 on.
    """
    mask = {0: 0, 32: 1, 64: 3, 128: 7}[span]
    result: Array = address ^ ((address >> 7 & mask) << 4)
    return result


def encode_tiled(
    data_type: int,
    address: int,
    dims: Sequence[int],
    strides: Sequence[int],
    box: Sequence[int],
    element_strides: Sequence[int] = (),
    interleave: int = 0,
    swizzle: int = 0,
    l2_promotion: int = 0,
    oob_fill: int = 0,
) -> bytes:
    """A tensor map; arguments and limits are those of `cuTensorMapEncodeTiled`.

    Raises `SimulatorError` for what the driver refuses, and for interleaved or strided elements,
    which have no model.
    """
    rank = len(dims)
    steps = tuple(element_strides) or (1,) * rank
    problem = _problem(data_type, address, dims, strides, box, steps, swizzle)
    if interleave or any(step != 1 for step in steps):
        problem = "interleaved layouts and element strides are not modelled"
    if problem:
        raise SimulatorError(f"a tensor map is refused: {problem}")

    def padded(values: Sequence[int], count: int) -> list[int]:
        return [*values, *[0] * (count - len(values))]

    flags = [data_type, rank, swizzle, l2_promotion, oob_fill, interleave]
    packed = struct.pack(
        _FORMAT,
        *(_MAGIC, address, *padded(dims, 5), *padded(strides, 4), *padded(box, 5)),
        *padded(steps, 5),
        *flags,
    )
    return packed.ljust(MAP_BYTES, b"\0")


def _problem(
    data_type: int,
    address: int,
    dims: Sequence[int],
    strides: Sequence[int],
    box: Sequence[int],
    steps: Sequence[int],
    swizzle: int,
) -> str:
    rank = len(dims)
    if not 0 <= data_type < len(ELEMENT_BYTES) or not 0 <= swizzle < len(SWIZZLE_BYTES):
        return f"data type {data_type} and swizzle {swizzle} are not both known"
    if not 1 <= rank <= 5 or len(strides) != rank - 1 or len(box) != rank or len(steps) != rank:
        return f"{rank} dimensions with {len(strides)} strides and a box of {len(box)}"
    inner = box[0] * ELEMENT_BYTES[data_type]
    rules = (
        (address % 16 == 0, f"the address {address:#x} is not a multiple of 16"),
        (all(1 <= d <= 1 << 32 for d in dims), f"dimensions {tuple(dims)}"),
        (
            all(s % 16 == 0 and s < 1 << 40 for s in strides),
            f"strides {tuple(strides)} must be multiples of 16 bytes",
        ),
        (all(1 <= b <= 256 for b in box), f"the box {tuple(box)} must have extents from 1 to 256"),
        (inner % 16 == 0, f"a row of the box has {inner} bytes, not a multiple of 16"),
        (
            not swizzle or inner <= SWIZZLE_BYTES[swizzle],
            f"a row of the box has {inner} bytes, more than the {SWIZZLE_BYTES[swizzle]} of its "
            "swizzle",
        ),
    )
    return next((text for good, text in rules if not good), "")


def decode(data: bytes) -> TensorMap:
    """The map in 128 bytes; raises `SimulatorError` if `encode_tiled` didn't make them."""
    fields = struct.unpack_from(_FORMAT, data)
    if fields[0] != _MAGIC:
        raise SimulatorError("the 128 bytes are no tensor map of the simulated device")
    kind, rank, swizzle, _, fill, _ = fields[-6:]
    dims, strides, box = fields[2:7], fields[7:11], fields[11:16]
    return TensorMap(
        element=ELEMENT_BYTES[kind],
        kind=kind,
        address=fields[1],
        dims=dims[:rank],
        strides=strides[: rank - 1],
        box=box[:rank],
        swizzle=SWIZZLE_BYTES[swizzle],
        nan_fill=bool(fill),
    )
