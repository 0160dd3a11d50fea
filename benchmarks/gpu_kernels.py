"""What the kernels of training steps take of a GPU, as NVIDIA's assembler says: `ptxas -v`.

    python benchmarks/gpu_kernels.py
    python benchmarks/gpu_kernels.py --only ResNet-50 --arch sm_90a --every

No GPU is needed, but ptxas is. Each row is a training step with Adam, compiled for an architecture:
how many kernels it has, how many of them spill or have a stack frame, the most registers of a
thread, the most static shared memory of a block, the kernel with the most registers, and how many
instructions the machine code has of each kind for tensor cores (if cuobjdump is installed).
`--every` has a row for each kernel.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.networks import gpt, lenet, mlp, resnet50

import penstock as flow
from penstock.codegen.gpu.assembler import Assembly, Usage, assemble, ptxas_path

ARCHITECTURES = ("sm_80", "sm_90a", "sm_100")
NETWORKS: Mapping[str, Callable[[], Any]] = {
    "MLP, 512 x 784-512-512-64": lambda: mlp(512, 784, 512, 512, 64),
    "LeNet, 512 x 28 x 28": lambda: lenet(512),
    "ResNet-50, 32 x 224 x 224": lambda: resnet50(32, 224),
    "GPT 2 layers, 8 x 1024 x 1024": lambda: gpt(2, 8, 1024, 1024, 16, 50304),
    "ResNet-50 bf16 NHWC": lambda: resnet50(32, 224, dtype=flow.bfloat16, channels_last=True),
    "ResNet-50 bf16 NCHW": lambda: resnet50(32, 224, dtype=flow.bfloat16),
    "GPT bf16": lambda: gpt(2, 8, 1024, 1024, 16, 50304, dtype=flow.bfloat16),
}
"""The steps' job functions."""
TENSOR_CORES = ("HMMA", "HGMMA")
HEAD = ("step", "arch", "kernels", "spill", "stack", "registers", "shared", "of", *TENSOR_CORES)
WIDTHS = (30, 7, 8, 6, 6, 10, 8, 44, 6, 6)


def instructions(cubin: bytes) -> dict[str, str]:
    """How many instructions of each kind the machine code has; empty without cuobjdump."""
    tool = shutil.which("cuobjdump")
    if tool is None:
        return {}
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run(
            [tool, "-sass", file.name], capture_output=True, text=True, check=False
        )
    if done.returncode:
        return {}
    return {kind: str(len(re.findall(rf"\b{kind}\.", done.stdout))) for kind in TENSOR_CORES}


def summary(usage: Mapping[str, Usage]) -> tuple[str, ...]:
    """The figures of all kernels in one row: those of HEAD from `kernels` to `of`."""
    widest = max(usage, key=lambda name: usage[name].registers)
    spilling = sum(bool(one.spill_stores or one.spill_loads) for one in usage.values())
    return (
        str(len(usage)), str(spilling), str(sum(bool(one.stack) for one in usage.values())),
        str(usage[widest].registers), str(max(one.shared for one in usage.values())), widest,
    )  # fmt: skip


def rows(name: str, arch: str, made: Assembly, every: bool) -> Iterator[tuple[str, ...]]:
    """The rows of a step."""
    if every:
        for kernel, one in made.usage.items():
            yield (
                name, arch, "1", f"{one.spill_stores}+{one.spill_loads}", str(one.stack),
                str(one.registers), str(one.shared), kernel,
            )  # fmt: skip
    found = instructions(made.cubin)
    counts = (found.get(kind, "-") for kind in TENSOR_CORES)
    yield (name, arch, *summary(made.usage), *counts)


def shown(row: tuple[str, ...]) -> str:
    return "  ".join(map(str.ljust, row, WIDTHS)).rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="only the steps whose name has this")
    parser.add_argument("--arch", nargs="*", default=list(ARCHITECTURES), help="architectures")
    parser.add_argument("--every", action="store_true", help="a row for each kernel, too")
    given = parser.parse_args()
    path = ptxas_path()
    if path is None:
        sys.exit("ptxas is not installed: install NVIDIA's CUDA toolkit, or name it in "
                 "PENSTOCK_PTXAS")  # fmt: skip
    chosen = [name for name in NETWORKS if given.only in name]
    if not chosen:
        sys.exit(f"no step has {given.only!r} in its name: there are {'; '.join(NETWORKS)}")
    print(shown(HEAD), flush=True)
    wrong = 0
    for name in chosen:
        lowered = NETWORKS[name]().lower()
        for arch in given.arch:
            made = assemble(lowered.ptx(arch), arch, path)
            for row in rows(name, arch, made, given.every):
                print(shown(row), flush=True)
            for line in made.warnings:
                print(f"  {line}", flush=True)
            wrong += any(one.spill_stores for one in made.usage.values()) + bool(made.warnings)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
