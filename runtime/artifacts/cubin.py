"""Machine code for GPUs, read without trust: which architecture it is for, and its kernels.

It is an ELF file, whose processor is CUDA and whose flags have the architecture (LLVM,
`llvm/BinaryFormat/ELF.h`: EM_CUDA, EF_CUDA_SM). Only headers are read; the driver reads the rest.
"""

import struct
from typing import NamedTuple

__all__ = ["Cubin", "read_cubin"]

_MAGIC, _CLASS_64, _LITTLE, _CUDA = b"\x7fELF", 2, 1, 190
_HEADER = struct.Struct("<4s5B7xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SHIFTED_SINCE = 8
"""The version of the ABI, since CUDA 13, whose flags have the architecture in their second byte."""
_NO_BITS = 8
_KERNEL = b".text."


class Cubin(NamedTuple):
    """What the headers of machine code say."""

    capability: int
    """Such as 90 for sm_90 and sm_90a."""
    kernels: frozenset[str]


def read_cubin(code: bytes) -> Cubin:
    """What machine code says of itself; ValueError with one sentence if it is no such file, or if
    it reaches beyond its end."""
    if len(code) < _HEADER.size:
        raise ValueError(f"its machine code has {len(code)} bytes, less than a header has")
    magic, bits, order, _, _, abi, _, machine, _, _, _, start, flags, *sizes = _HEADER.unpack_from(
        code
    )
    if (magic, bits, order, machine) != (_MAGIC, _CLASS_64, _LITTLE, _CUDA):
        raise ValueError("its machine code is no ELF file of 64 bits for CUDA")
    _, _, _, size, count, names_at = sizes
    if size != _SECTION.size or not names_at < count or start + count * size > len(code):
        raise ValueError("its machine code lacks the end of its table of sections")
    sections = [_SECTION.unpack_from(code, start + i * size) for i in range(count)]
    for _, kind, _, _, at, length, *_ in sections:
        if kind != _NO_BITS and at + length > len(code):
            raise ValueError("its machine code lacks the end of a section")
    names = code[sections[names_at][4] :][: sections[names_at][5]]
    found = (names[one[0] :].split(b"\0", 1)[0] for one in sections)
    kernels = (name[len(_KERNEL) :] for name in found if name.startswith(_KERNEL))
    shift = 8 if abi >= _SHIFTED_SINCE else 0
    decoded = frozenset(name.decode("ascii", "replace") for name in kernels)
    return Cubin(flags >> shift & 0xFF, decoded)
