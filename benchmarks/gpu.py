"""Times of steps on a GPU, beside PyTorch's and JAX's where those are installed: `make gpu`.

    python benchmarks/gpu.py
    python benchmarks/gpu.py --only "gemm bf16" --seconds 2
    python benchmarks/gpu.py --device gpu-sim --shrink 512 --only softmax

A figure is the median time of a step. Samples of all libraries are taken in turn in one process;
a ratio is the median of the ratios of adjacent samples, PyTorch's or JAX's time divided by ours,
with their quartiles. `share` is that of the device's peak, for products, or of the bandwidth of our
own copy of the same shape, for what moves data. Peaks are those of NVIDIA's data sheets, dense, of
the SXM modules. Ours are jobs over variables that stay on the device; those of networks copy a
batch in and a loss out, and their attention backward includes the forward pass. The last lines
compare with what is aimed at.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from statistics import geometric_mean, median, quantiles
from typing import NamedTuple

from shared import measure
from shared.gpu_peers import jax_step, library, torch_step
from shared.gpu_workloads import NORMS, Workload, our_step, workloads

from penstock.lowering.gpu_target import GPU_LEVEL, GPU_TARGET, OWN_LEVELS
from penstock.runtime.gpu import devices

PEAKS = {
    "80": {"bfloat16": 312e12, "float32": 156e12},
    "90": {"bfloat16": 989.4e12, "float32": 494.7e12},
    "100": {"bfloat16": 2250e12, "float32": 1125e12},
}
"""Operations per second on tensor cores, by compute capability: of A100, H100 and B200."""
PEERS = ("torch", "jax")


class Figure(NamedTuple):
    """What was measured of a workload."""

    workload: Workload
    samples: tuple[float, ...]
    """Seconds of our steps."""
    ratios: dict[str, tuple[float, ...]]
    """By peer: its time divided by ours."""

    @property
    def rate(self) -> float:
        """Work per second of the median step."""
        return self.workload.work / median(self.samples)


def measured(workload: Workload, device: str, peers: dict[str, object], seconds: float) -> Figure:
    """Time a workload in all libraries, in turn."""
    makers = {"torch": torch_step, "jax": jax_step}
    found = {name: makers[name](peer, workload) for name, peer in peers.items()}
    steps = {name: step for name, step in found.items() if step is not None}
    timings = measure.time_steps([our_step(workload, device), *steps.values()], seconds, attempts=1)
    ours = timings[0].samples
    return Figure(workload, ours, {
        name: tuple(theirs / own for theirs, own in zip(timing.samples, ours, strict=False))
        for name, timing in zip(steps, timings[1:], strict=True)
    })  # fmt: skip


def share(figure: Figure, copies: dict[tuple[int, ...], float], architecture: str) -> float | None:
    """The share of the peak, or of the bandwidth of a copy; None if there is none to compare."""
    workload = figure.workload
    if not workload.work:
        return None
    if workload.moves:
        limit = copies.get(workload.result)
    else:
        digits = "".join(filter(str.isdigit, architecture))
        limit = PEAKS.get(digits, {}).get(workload.dtype)
    return figure.rate / limit if limit else None


def line(figure: Figure, part: float | None) -> str:
    """A row of the table."""
    workload = figure.workload
    rate = ""
    if workload.work:
        unit, size = ("GB/s", 1e9) if workload.moves else ("TFLOP/s", 1e12)
        rate = f"{figure.rate / size:.4g} {unit}"
    ratios = []
    for peer in PEERS:
        found = figure.ratios.get(peer)
        if found:
            low, _, high = quantiles(found)
            ratios.append(f"{median(found):.3f} ({low:.3f}-{high:.3f})")
        else:
            ratios.append("-")
    of = "-" if part is None else f"{part:.1%}"
    time = f"{median(figure.samples) * 1e6:.1f}"
    return f"{workload.name:36} {time:>12} {rate:>15} {of:>8}  {ratios[0]:22} {ratios[1]}".rstrip()


def aims(figures: Sequence[Figure], copies: dict[tuple[int, ...], float]) -> Iterator[str]:
    """What is aimed at, and what was measured."""

    def told(what: str, aim: float, found: Sequence[float], unit: str = "") -> str:
        if not found:
            return f"{what}: aim {aim:g}{unit}, not measured"
        value = min(found)
        verdict = "reached" if value >= aim else "missed"
        return f"{what}: aim {aim:g}{unit}, measured {value:.4g}{unit}, {verdict}"

    gemms = [each for each in figures if each.workload.family == "gemm bf16"]
    beside = [median(each.ratios["torch"]) for each in gemms if "torch" in each.ratios]
    mean = [geometric_mean(beside)] if beside else []
    yield told(f"bf16 GEMM beside cuBLAS, mean of {len(beside)} shapes", 0.95, mean)
    largest = [each for each in gemms if each.workload.result == (8192, 8192)]
    largest = [each for each in largest if each.workload.shapes[0][1] == 8192]
    found = [median(each.ratios["torch"]) for each in largest if "torch" in each.ratios]
    yield told("bf16 GEMM beside cuBLAS at 8192x8192x8192", 1.0, found)
    rates = [
        each.rate / 1e12 for each in figures
        if each.workload.family == "attention forward" and each.workload.result[-1] == 128
    ]  # fmt: skip
    yield told("attention forward at D128, on H100", 650, rates, " TFLOP/s")
    parts = [
        each.rate / copies[each.workload.result] for each in figures
        if each.workload.family in NORMS and each.workload.result in copies
    ]  # fmt: skip
    yield told("norms beside the bandwidth of a copy, the least", 0.97, parts)


def best_target(architecture: str) -> str:
    """Have jobs be compiled for the device's own kernels, if it has some; what they are for.

    `PENSTOCK_GPU_TARGET` in the environment overrides that.
    """
    own = architecture.removesuffix("a") + "a"
    if own in OWN_LEVELS:
        os.environ.setdefault(GPU_TARGET, own)
    return os.environ.get(GPU_TARGET) or GPU_LEVEL


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--device", default="gpu", choices=devices.KINDS)
    add("--only", nargs="*", default=[""], help="only workloads whose name has one of these")
    add("--shrink", type=int, default=1, help="divide extents by this, down to 16 (1)")
    add("--seconds", type=float, default=1.0, help="for each workload and library (1)")
    add("--check", action="store_true", help="only say whether there is such a device")
    given = parser.parse_args(arguments)
    if given.shrink < 1 or not 0 < given.seconds < 3600:
        parser.error("--shrink takes 1 or more, and --seconds more than 0 and less than 3600")
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    reason = devices.why_not(given.device)
    if reason:
        sys.exit(f"there is no device {given.device} 0:0: {reason}")
    if given.check:
        return 0
    rows = [
        each for each in workloads(given.shrink)
        if any(name in each.name for name in given.only)
    ]  # fmt: skip
    if not rows:
        sys.exit(f"no workload has {' or '.join(given.only)} in its name")
    device = devices.device(given.device)
    target = best_target(device.architecture)
    peers = {name: library(name) for name in PEERS} if given.device == "gpu" else {}
    found = {name: peer for name, peer in peers.items() if peer is not None}
    model = getattr(device, "model", device.name)
    beside = ", ".join(found) or "nothing"
    print(f"{model}, {device.architecture}, kernels for {target}; beside {beside}")
    print(f"{'':36} {'us a step':>12} {'rate':>15} {'share':>8}  {'torch / ours':22} jax / ours")
    figures: list[Figure] = []
    copies: dict[tuple[int, ...], float] = {}
    failed = []
    for workload in rows:
        try:
            figure = measured(workload, given.device, found, given.seconds)
        except Exception as error:  # whatever one workload does, the others are measured
            failed.append(workload.name)
            print(f"{workload.name:36} failed: {str(error).strip().splitlines()[-1]}", flush=True)
            continue
        if workload.family == "copy":
            copies[workload.result] = figure.rate
        figures.append(figure)
        print(line(figure, share(figure, copies, device.architecture)), flush=True)
    print(*aims(figures, copies), sep="\n")
    if failed:
        sys.exit(f"{len(failed)} of {len(rows)} workloads failed: {'; '.join(failed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
