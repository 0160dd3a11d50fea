"""What the kernels of training steps take of a GPU, as NVIDIA's assembler says: `ptxas -v`.

    python benchmarks/gpu_kernels.py
    python benchmarks/gpu_kernels.py --only ResNet-50 --arch sm_90a --every

No GPU is needed, but ptxas is. Each row is a training step with Adam, compiled for an architecture:
how many kernels it has, how many of them spill or have a stack frame, the most registers of a
thread, the most static shared memory of a block, the kernel with the most registers, how many
instructions the machine code has of each kind for tensor cores, and how many instructions an inner
loop has for each product of warpgroups, HGMMA (if nvdisasm is installed). `--every` has a row for
each kernel.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
HEAD = (
    "step", "arch", "kernels", "spill", "stack", "registers", "shared", "of", *TENSOR_CORES,
    "per HGMMA",
)  # fmt: skip
WIDTHS = (30, 7, 8, 6, 6, 10, 8, 44, 6, 6, 12)


class Code(NamedTuple):
    """What the machine code of a kernel has."""

    counts: Mapping[str, int]
    """Instructions of each kind for tensor cores."""
    loop: tuple[int, int] | None
    """The instructions of the innermost loop with products of warpgroups, and how many of them
    these are; None without such a loop, as where one panel has the whole depth."""


def codes(cubin: bytes) -> dict[str, Code]:
    """The machine code of each kernel; empty without nvdisasm."""
    tool = shutil.which("nvdisasm")
    if tool is None:
        return {}
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run([tool, "-c", file.name], capture_output=True, text=True, check=False)
    if done.returncode:
        return {}
    _, *texts = re.split(r"^\.text\.(\S+):$", done.stdout, flags=re.MULTILINE)
    return {name: _code(text) for name, text in zip(texts[::2], texts[1::2], strict=True)}


def _code(text: str) -> Code:
    """The code of the text of one kernel, in which labels have lines of their own."""
    found: list[str] = []
    labels: dict[str, int] = {}
    loops: list[tuple[int, int]] = []
    for line in text.splitlines():
        if match := re.match(r"\s*(\.L\S*):", line):
            labels[match[1]] = len(found)
        elif match := re.match(r"\s*/\*[0-9a-f]+\*/\s+(.*?);", line):
            found.append(match[1])
            back = re.search(r"\bBRA\b.*`\((\.L\S+)\)", match[1])
            if back and back[1] in labels:
                body = found[labels[back[1]] :]
                # What writes results goes over tiles.
                if not any(re.search(r"\bSTG\b", each) for each in body):
                    loops.append((len(body), sum("HGMMA." in each for each in body)))
    counts = {
        kind: sum(bool(re.search(rf"\b{kind}\.", each)) for each in found) for kind in TENSOR_CORES
    }
    return Code(counts, min((loop for loop in loops if loop[1]), default=None))


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
    found = codes(made.cubin)
    if every:
        for kernel, one in made.usage.items():
            yield (
                name, arch, "1", f"{one.spill_stores}+{one.spill_loads}", str(one.stack),
                str(one.registers), str(one.shared), kernel,
                *_counted([found[kernel]] if kernel in found else []),
            )  # fmt: skip
    yield (name, arch, *summary(made.usage), *_counted(list(found.values())))


def _counted(found: Sequence[Code]) -> Iterator[str]:
    """The figures of kernels' machine code: those of HEAD behind `of`."""
    for kind in TENSOR_CORES:
        yield str(sum(code.counts[kind] for code in found)) if found else "-"
    each = sorted(loop[0] / loop[1] for code in found if (loop := code.loop))
    yield " to ".join(f"{n:.1f}" for n in dict.fromkeys((each[0], each[-1]))) if each else "-"


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
