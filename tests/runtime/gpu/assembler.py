"""A stand-in for NVIDIA's ptxas, whose machine code the tests' libcuda runs: an ELF file for CUDA
with the PTX text in it."""

import re
import struct
import sys
from pathlib import Path

NOTHING, TABLE, BITS = 0, 3, 1
TEXT = ".penstock.ptx"


def machine_code(ptx: str, arch: str) -> bytes:
    """The file, with a section for the text and one for each kernel."""
    kernels = re.findall(r"\.entry\s+([\w$]+)", ptx)
    names = ["", ".shstrtab", TEXT, *(f".text.{kernel}" for kernel in kernels)]
    places, table = [], b""
    for name in names:
        places.append(len(table))
        table += name.encode() + b"\0"
    text = ptx.encode() + b"\0"
    contents = [b"", table, text, *[b"\0" * 16] * len(kernels)]
    kinds = [NOTHING, TABLE, *[BITS] * (len(names) - 2)]
    start = 64
    sections = b""
    for place, kind, content in zip(places, kinds, contents, strict=True):
        sections += struct.pack("<IIQQQQIIQQ", place, kind, 0, 0, start, len(content), 0, 0, 1, 0)
        start += len(content)
    flags = int(re.sub(r"\D", "", arch)) << 8
    head = struct.pack(
        "<4s5B7xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0x41, 8, 2, 190, 1, 0, 0, start, flags, 64, 0,
        0, 64, len(names), 1,
    )  # fmt: skip
    return head + b"".join(contents) + sections


def install(folder: Path) -> str:
    """Put it into a folder as `ptxas`; its path."""
    path = folder / "ptxas"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -S {__file__} "$@"\n')
    path.chmod(0o755)
    return str(path)


def main(arguments: list[str]) -> int:
    """Take the options that `penstock.codegen.gpu.assembler` gives."""
    name, _, source, _, target = arguments
    arch = name.removeprefix("--gpu-name=")
    ptx = Path(source).read_text()
    if f".target {arch}" not in ptx:
        sys.stderr.write(f"error: the text is not for {arch}\n")
        return 1
    Path(target).write_bytes(machine_code(ptx, arch))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
