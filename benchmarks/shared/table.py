"""The table of results: ours, the peers', the ratio with its spread, the share of the limit."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from shared import workloads

OURS = "penstock"
KNOWN = {workload.id: workload for workload in workloads.WORKLOADS}
UNITS = {"rate": "GFLOP/s", "bandwidth": "GB/s", "least_time": "us"}
"""Units of the machine's own figures."""
AGREEMENT = {"float32": 1e-4, "bfloat16": 1e-2}
"""How far the fingerprints of peers may differ, relative to their median."""


@dataclass
class Results:
    """Figures by (workload, peer, threads, metric), with a value for every round."""

    figures: dict[tuple[str, str, int, str], dict[int, float]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def rounds(self, workload: str, peer: str, threads: int, metric: str) -> dict[int, float]:
        return self.figures.get((workload, peer, threads, metric), {})

    def median(self, workload: str, peer: str, threads: int, metric: str) -> float | None:
        values = self.rounds(workload, peer, threads, metric).values()
        return statistics.median(values) if values else None

    def best(self, workload: str, threads: int, metric: str) -> float | None:
        """The machine's own figure in the least disturbed round."""
        values = self.rounds(workload, "machine", threads, metric).values()
        return (min if metric == "least_time" else max)(values, default=None)

    def peers(self, workload: str, threads: int, metric: str = "time") -> list[str]:
        """The peers that have this figure, ours first."""
        found = {
            peer
            for known, peer, count, what in self.figures
            if (known, count, what) == (workload, threads, metric)
        }
        return sorted(found, key=lambda peer: (peer != OURS, peer))

    def timed(self) -> list[str]:
        """The workloads with a time from anybody, in the order of definition."""
        found = {known for known, _, _, metric in self.figures if metric == "time"}
        order = {name: place for place, name in enumerate(KNOWN)}
        return sorted(found, key=lambda name: (name[:2], order.get(name, 0), name))

    def threads(self) -> list[int]:
        return sorted({count for _, _, count, _ in self.figures})


def read(path: Path) -> Results:
    """The results in a file of JSON lines; a later line replaces an equal earlier one."""
    results = Results()
    for text in path.read_text().splitlines():
        line = json.loads(text)
        key = (line["workload"], line["peer"], line["threads"], line["metric"])
        results.figures[key][line["round"]] = line["value"]
    return results


@dataclass(frozen=True)
class Row:
    """One workload at one number of threads. Times are in us; None means not measured.

    `ratio` is the best peer's time divided by ours, above 1 if we are faster: the median over
    rounds, the minimum and the maximum. `at_best` is the ratio of the minimum times of all samples,
    which estimates an idle machine. `share` is the fraction of the machine's limit that we reach, 0
    to 1, and which limit that is. `others` is how many cores others kept busy.
    """

    workload: str
    threads: int
    ours: float | None
    peer: str | None
    theirs: float | None
    ratio: tuple[float, float, float] | None
    at_best: float | None
    share: tuple[float, str] | None
    others: float | None


def row(results: Results, workload: str, threads: int) -> Row:
    times = {
        peer: results.rounds(workload, peer, threads, "time")
        for peer in results.peers(workload, threads)
    }
    ours = times.pop(OURS, {})
    medians = {peer: statistics.median(values.values()) for peer, values in times.items()}
    peer = min(medians, key=lambda name: medians[name], default=None)
    ratios = sorted(
        min(rounds) / ours[number]
        for number in ours
        if (rounds := [values[number] for values in times.values() if number in values])
    )
    middle = statistics.median(ours.values()) if ours else None
    return Row(
        workload,
        threads,
        middle,
        peer,
        medians[peer] if peer else None,
        (statistics.median(ratios), ratios[0], ratios[-1]) if ratios else None,
        least_ratio(results, workload, threads),
        share_of_limit(results, workload, threads, middle),
        results.median(workload, OURS, threads, "others"),
    )


def least_ratio(results: Results, workload: str, threads: int) -> float | None:
    """The minimum time of any peer's samples, divided by the minimum of ours."""
    least = {
        peer: min(results.rounds(workload, peer, threads, "time_min").values())
        for peer in results.peers(workload, threads, "time_min")
    }
    ours = least.pop(OURS, None)
    return min(least.values()) / ours if ours and least else None


def limit(results: Results, workload: str, threads: int) -> tuple[float, str] | None:
    """The lower bound for a workload by the machine's limits, in us, and which limit that is."""
    known = KNOWN.get(workload)
    if known is None:
        return None
    bounds = []
    kinds = ["fma"] + ["dot_bf16"] * (known.p.get("dtype") == "bfloat16")
    rate = max(results.best(f"w0.{kind}", threads, "rate") or 0.0 for kind in kinds)
    if known.flops and rate:
        bounds.append((known.flops / rate / 1e3, "multiply-adds"))
    bandwidth = results.best(f"w0.bytes.{workload}", threads, "bandwidth")
    if bandwidth:
        bounds.append(((known.read + known.written) / bandwidth / 1e3, "memory"))
    arithmetic = results.best(f"w0.arithmetic.{workload}", threads, "least_time")
    if arithmetic:
        bounds.append((arithmetic, "arithmetic"))
    return max(bounds, default=None)


def share_of_limit(
    results: Results, workload: str, threads: int, time: float | None
) -> tuple[float, str] | None:
    least = limit(results, workload, threads)
    return (least[0] / time, least[1]) if least and time else None


def duration(microseconds: float | None) -> str:
    """A time with its unit, three digits."""
    if microseconds is None:
        return "-"
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds:.3g} us"


def cells(line: Row) -> tuple[str, ...]:
    ratio = "-"
    if line.ratio:
        middle, low, high = line.ratio
        ratio = f"{middle:.2f}x ({low:.2f}-{high:.2f})"
    at_best = f"{line.at_best:.2f}x" if line.at_best else "-"
    share = f"{100 * line.share[0]:.0f} % ({line.share[1]})" if line.share else "-"
    others = f"{line.others:.1f}" if line.others is not None else "-"
    return (
        line.workload, str(line.threads), duration(line.ours), duration(line.theirs),
        line.peer or "-", ratio, at_best, share, others,
    )  # fmt: skip


HEAD = (
    "workload",
    "threads",
    "ours",
    "best peer",
    "",
    "ratio (spread)",
    "at best",
    "of limit",
    "others",
)


def rows(results: Results) -> list[Row]:
    return [
        row(results, workload, threads)
        for workload in results.timed()
        for threads in results.threads()
        if results.peers(workload, threads)
    ]


def aligned(lines: list[tuple[str, ...]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def peers_table(results: Results, threads: int) -> str:
    """Every peer's time."""
    names = sorted(
        {peer for name in results.timed() for peer in results.peers(name, threads)},
        key=lambda peer: (peer != OURS, peer),
    )
    lines = [(f"threads {threads}", *names)]
    for workload in results.timed():
        if results.peers(workload, threads):
            times = (duration(results.median(workload, peer, threads, "time")) for peer in names)
            lines.append((workload, *times))
    return aligned(lines)


def machine_table(results: Results) -> str:
    """The machine's limits."""
    counts = results.threads()
    names = dict.fromkeys(
        (known, metric) for known, peer, _, metric in results.figures if peer == "machine"
    )
    lines = [("machine", *(f"threads {count}" for count in counts))]
    for name, metric in names:
        unit = UNITS[metric]
        values = (results.best(name, count, metric) for count in counts)
        shown = ("-" if value is None else f"{value:.4g} {unit}" for value in values)
        lines.append((name.removeprefix("w0."), *shown))
    return aligned(lines)


def memory_table(results: Results) -> str:
    """Peak memory of the process that ran only that model, and of its compiler process; and our
    arena."""
    lines = [("memory", "threads", "peer", "peak")]
    for workload in results.timed():
        for threads in results.threads():
            for peer in results.peers(workload, threads, "peak_memory"):
                peak = results.median(workload, peer, threads, "peak_memory")
                lines.append((workload, str(threads), peer, f"{peak:.0f} MB"))
            compiler = results.median(workload, OURS, threads, "compiler_memory")
            if compiler is not None:
                lines.append((workload, str(threads), "penstock's compiler", f"{compiler:.0f} MB"))
            arena = results.median(workload, OURS, threads, "arena")
            if arena is not None:
                lines.append((workload, str(threads), "penstock's arena", f"{arena:.0f} bytes"))
    return aligned(lines)


def disagreements(results: Results) -> list[str]:
    """Workloads for which peers should compute the same but do not."""
    found = []
    keys = {(w, t, m) for w, _, t, m in results.figures if m in ("fingerprint", "loss_step3")}
    for workload, threads, metric in sorted(keys):
        named = {
            peer: results.median(workload, peer, threads, metric)
            for peer in results.peers(workload, threads, metric)
        }
        values = {peer: value for peer, value in named.items() if value is not None}
        middle = statistics.median(values.values())
        dtype = KNOWN[workload].p.get("dtype", "float32") if workload in KNOWN else "float32"
        for peer, value in values.items():
            if not abs(value - middle) <= AGREEMENT[dtype] * abs(middle):
                found.append(f"{workload}, threads {threads}: {metric} of {peer} is {value}, "
                             f"of the peers in the middle {middle}")  # fmt: skip
    return found


def as_text(results: Results) -> str:
    parts = [aligned([HEAD, *(cells(line) for line in rows(results))])]
    parts += [peers_table(results, threads) for threads in results.threads()]
    parts += [machine_table(results), memory_table(results)]
    wrong = disagreements(results)
    parts.append("\n".join(wrong) if wrong else "All peers compute the same.")
    return "\n\n".join(parts)
