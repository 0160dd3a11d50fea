"""Times of steps on a GPU, beside PyTorch's and JAX's where those are installed: `make gpu`.

    python benchmarks/gpu.py
    python benchmarks/gpu.py --only "gemm bf16" --seconds 2
    python benchmarks/gpu.py --device gpu-sim --shrink 512 --only softmax
    python benchmarks/gpu.py --save build/gpu/times.jsonl

A figure is the median time of a step. Samples of all libraries are taken in turn in one process;
a ratio is the median of the ratios of adjacent samples, PyTorch's or JAX's time divided by ours,
with their quartiles. `share` is that of the device's peak, for products, or of the bandwidth of our
own copy of the same shape, for what moves data. Peaks are those of NVIDIA's data sheets, dense, of
the SXM modules. Ours are jobs over variables that stay on the device; those of networks copy a
batch in and a loss out, and their attention backward includes the forward pass. Some rows of each
result are compared with float64 first: what is wrong is not timed. The last lines compare with what
is aimed at.

With `--save`, each figure is added to a file as soon as it is there, and what the file has of the
same device and kernels is not measured again: a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean, median, quantiles
from typing import Any, NamedTuple

import numpy as np
from shared import measure
from shared.gpu_peers import Step, jax_step, last_line, library, torch_step
from shared.gpu_workloads import NETWORKS, NORMS, Workload, our_step, workloads, wrong_result

from penstock.lowering.gpu_target import chosen_target, own_choice
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


class WrongResult(Exception):
    """A step that computes something else: its time says nothing."""


def measured(
    workload: Workload, device: str, peers: Mapping[str, object], seconds: float
) -> tuple[Figure, list[str]]:
    """Time a workload in all libraries, in turn; and which peers fail at it, a sentence each."""
    ours = our_step(workload, device)
    made = ours()
    if workload.family in NETWORKS and not np.isfinite(made).all():
        raise WrongResult("the loss of its first step is not finite")
    wrong = wrong_result(workload)
    if wrong:
        raise WrongResult(wrong)
    makers = {"torch": torch_step, "jax": jax_step}
    steps: dict[str, Step] = {}
    failed = []
    for name, peer in peers.items():
        try:
            step = makers[name](peer, workload)
            if step is not None:
                step()
                steps[name] = step
        except Exception as error:  # whatever a peer does, ours is measured
            failed.append(f"{workload.name}: fails in {name}: {last_line(error)}")
    timings = measure.time_steps([ours, *steps.values()], seconds, attempts=1)
    own = timings[0].samples
    figure = Figure(workload, own, {
        name: tuple(theirs / our for theirs, our in zip(timing.samples, own, strict=False))
        for name, timing in zip(steps, timings[1:], strict=True)
    })  # fmt: skip
    return figure, failed


# -- figures in a file ----------------------------------------------------------------------------


def saved(
    path: Path | None, where: str, rows: Sequence[Workload]
) -> tuple[dict[str, Figure], set[str]]:
    """The figures in a file that were measured there, by the name of their workload, and the names
    of those that failed."""
    if path is None or not path.exists():
        return {}, set()
    named = {each.name: each for each in rows}
    found, failed = {}, set()
    for text in path.read_text().splitlines():
        try:
            entry = json.loads(text)
        except ValueError:  # the last line, if the process was ended in it
            continue
        workload = named.get(entry["workload"])
        if entry["where"] != where or workload is None:
            continue
        if "failed" in entry:
            failed.add(workload.name)
            continue
        ratios = {name: tuple(values) for name, values in entry["ratios"].items()}
        found[workload.name] = Figure(workload, tuple(entry["samples"]), ratios)
    return found, failed


def save(path: Path | None, where: str, workload: Workload, **told: object) -> None:
    """Add to a file what was measured of a workload, or that it failed."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps({"where": where, "workload": workload.name, **told}) + "\n")


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


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--device", default="gpu", choices=devices.KINDS)
    add("--only", nargs="*", default=[""], help="only workloads whose name has one of these")
    add("--shrink", type=int, default=1, help="divide extents by this, down to 16 (1)")
    add("--seconds", type=float, default=1.0, help="for each workload and library (1)")
    add("--save", type=Path, metavar="FILE", help="add figures to it; measure what it lacks")
    add("--check", action="store_true", help="only say whether there is such a device")
    given = parser.parse_args(arguments)
    if given.shrink < 1 or not 0 < given.seconds < 3600:
        parser.error("--shrink takes 1 or more, and --seconds more than 0 and less than 3600")
    return given


def peers_of(kind: str) -> tuple[dict[str, object], list[str]]:
    """The libraries that are compared on a device, and why the others are not, a sentence each."""
    found = {name: library(name) for name in PEERS if kind == "gpu"}
    reasons = [f"no times beside {name}: {reason}" for name, (_, reason) in found.items() if reason]
    return {name: peer for name, (peer, _) in found.items() if peer is not None}, reasons


def measure_rows(
    given: argparse.Namespace,
    rows: Sequence[Workload],
    device: Any,
    where: str,
    peers: Mapping[str, object],
) -> tuple[list[Figure], dict[tuple[int, ...], float], list[str]]:
    """Print a row for each workload: the figures, the bandwidths of copies, and what failed.

    What failed in an earlier run comes last, as it may cost this process the device.
    """
    known, broken = saved(given.save, where, rows)
    figures: list[Figure] = []
    copies: dict[tuple[int, ...], float] = {}
    failed = []
    for workload in sorted(rows, key=lambda each: each.name in broken):
        notes: list[str] = []
        try:
            figure = known.get(workload.name)
            if figure is None:
                figure, notes = measured(workload, given.device, peers, given.seconds)
                told = {"samples": figure.samples, "ratios": figure.ratios}
                save(given.save, where, workload, **told)
        except Exception as error:  # whatever one workload does, the others are measured
            failed.append(workload.name)
            print(f"{workload.name:36} failed: {last_line(error)}", flush=True)
            save(given.save, where, workload, failed=last_line(error))
            if getattr(device, "lost", ""):
                print(f"{device.name} is lost to this process; a second run measures what is left")
                break
            continue
        if workload.family == "copy":
            copies[workload.result] = figure.rate
        figures.append(figure)
        row = line(figure, share(figure, copies, device.architecture))
        print(row, *notes, sep="\n", flush=True)
    return figures, copies, failed


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    reason = devices.why_not(given.device)
    if reason:
        sys.exit(f"there is no device {given.device} 0:0: {reason}")
    device = devices.device(given.device)
    model = getattr(device, "model", device.name)
    if given.check:
        print(f"{model}, {device.architecture}")
        return 0
    rows = [
        each for each in workloads(given.shrink)
        if any(name in each.name for name in given.only)
    ]  # fmt: skip
    if not rows:
        sys.exit(f"no workload has {' or '.join(given.only)} in its name")
    target = chosen_target() or own_choice(device.name).arch
    peers, reasons = peers_of(given.device)
    where = f"{model}, {device.architecture}, kernels for {target}"
    print(f"{where}; beside {', '.join(peers) or 'nothing'}", *reasons, sep="\n")
    print(f"{'':36} {'us a step':>12} {'rate':>15} {'share':>8}  {'torch / ours':22} jax / ours")
    figures, copies, failed = measure_rows(given, rows, device, where, peers)
    print(*aims(figures, copies), sep="\n")
    if failed:
        sys.exit(f"{len(failed)} of {len(rows)} workloads failed: {'; '.join(failed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
