"""NVIDIA's assembler, where it is installed: machine code of PTX, and what kernels take of it.

It is looked for as `PENSTOCK_PTXAS`, on the path, and in the wheel `nvidia-cuda-nvcc`. It is not
needed: the driver assembles PTX, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from penstock.codegen.cache import Entries, key_of
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.record import Record

VARIABLE = "PENSTOCK_PTXAS"
"""The environment variable with the path of ptxas; empty says to use none."""
_WHEEL = "nvidia/cu13/bin/ptxas"
SECONDS = 600.0

_FUNCTION = re.compile(r"Compiling entry function '([^']+)'")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


class Usage(Record):
    """What one kernel takes of a multiprocessor."""

    registers: int
    """Of 32 bits, per thread."""
    shared: int
    """Bytes of static memory, per block."""
    stack: int
    """Bytes of a thread's stack frame."""
    spill_stores: int
    spill_loads: int
    """Bytes that are spilled, and loaded again."""


class Assembly(Record):
    """Machine code for one architecture."""

    cubin: bytes
    usage: dict[str, Usage]
    """By kernel."""
    warnings: tuple[str, ...]
    """Lines that ptxas calls warnings, such as (C7510) for wgmma that is serialised."""


def ptxas_path() -> str | None:
    """Where ptxas is; None if it is not installed."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return chosen or None
    found = shutil.which("ptxas")
    wheel = Path(sysconfig.get_path("purelib")) / _WHEEL
    return found or (str(wheel) if os.access(wheel, os.X_OK) else None)


def assemble(ptx: str, arch: str, path: str) -> Assembly:
    """Assemble PTX for an architecture with the ptxas at a path.

    Raises `IRError` with what it says of a text that it rejects, or if it fails or cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        source, target = Path(folder) / "kernels.ptx", Path(folder) / "kernels.cubin"
        source.write_text(ptx)
        command = [path, f"--gpu-name={arch}", "-v", str(source), "-o", str(target)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise IRError(Diagnostic(f"{path} cannot assemble PTX for {arch}: {error}")) from None
        said = done.stdout + done.stderr
        if done.returncode != 0 or not target.exists():
            lines = [line for line in said.splitlines() if "rror" in line] or said.splitlines()
            why = lines[0].replace(str(source), "line").strip() if lines else "it says nothing"
            raise IRError(Diagnostic(f"{path} rejects the PTX for {arch}: {why}"))
        return Assembly(target.read_bytes(), usage_of(said), _warnings(said))


def usage_of(report: str) -> dict[str, Usage]:
    """What `ptxas -v` says of each kernel.

    >>> usage_of('''
    ... ptxas info    : Compiling entry function 'k' for 'sm_80'
    ... ptxas info    : Function properties for k
    ...     16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
    ... ptxas info    : Used 14 registers, used 1 barriers, 128 bytes smem, 372 bytes cmem[0]
    ... ''')
    {'k': Usage(registers=14, shared=128, stack=16, spill_stores=8, spill_loads=4)}
    """
    found: dict[str, Usage] = {}
    name, stack = "", (0, 0, 0)
    for line in report.splitlines():
        if match := _FUNCTION.search(line):
            name, stack = match[1], (0, 0, 0)
        elif match := _STACK.search(line):
            stack = int(match[1]), int(match[2]), int(match[3])
        elif (match := _USED.search(line)) and name:
            shared = _SHARED.search(line)
            found[name] = Usage(int(match[1]), int(shared[1]) if shared else 0, *stack)
    return found


def _warnings(report: str) -> tuple[str, ...]:
    """Warnings, and what ptxas calls information but is one: (C75..) of wgmma and setmaxnreg."""
    lines = (line.strip() for line in report.splitlines())
    return tuple(line for line in lines if "warning" in line.lower() or "(C7" in line)


def assembled(ptx: str, arch: str, store: Entries | None = None) -> bytes | None:
    """The machine code of PTX for an architecture, from the store or made; None without ptxas.

    Errors as of `assemble`.
    """
    path = ptxas_path()
    if path is None:
        return None
    found = os.stat(path) if os.path.exists(path) else None
    stamp = f"{path} {found.st_size} {found.st_mtime_ns}" if found else path
    key = key_of("cubin", ptx, arch, stamp)
    cubin = store.get(key) if store is not None else None
    if cubin is None:
        cubin = assemble(ptx, arch, path).cubin
        if store is not None:
            store.put(key, cubin)
    return cubin
