"""The times of a job's steps as a text of 80 columns."""

from collections.abc import Iterable, Sequence

from penstock.runtime.printable import printable
from penstock.runtime.profiling.peak import Peak
from penstock.runtime.profiling.steps import OUTSIDE, KernelTime, StepTimes

__all__ = ["MOST_ROWS", "feeds_of", "step_text"]

MOST_ROWS = 16
"""Rows of a table of kernels or lines; the rest is summed up in one more."""

_WIDTH = 32  # of names
_BARS = " .:-=+*#%@"
_SLOTS = 56

_WITHOUT_FLOPS = "Kernels without flops, such as those of integers, are compared with bytes alone\n"

_HEAD = ("us", "%", "Gflop/s", "GB/s", "of peak")


def step_text(times: StepTimes, peak: Peak, most: int = MOST_ROWS, with_feeds: bool = False) -> str:
    """A job's profile: its kernels, its lines, its threads and its arena.

    With feeds, the shapes of its feeds tell it from jobs of the same name.
    """
    if not times.count:
        return f"{times.description.job}: no step was recorded\n"
    parts = [_summary(times, with_feeds), _kernels(times, peak, most), _lines(times, peak, most)]
    parts += [_threads(times, peak), _arena(times)]
    return "\n".join(part for part in parts if part)


def peak_text(peak: Peak, jobs: Iterable[StepTimes] = ()) -> str:
    """What the machine can do, and what kernels of these jobs are compared with."""
    threads = "1 thread" if peak.threads == 1 else f"{peak.threads} threads"
    kinds = {"f32": peak.flops, "f64": peak.doubles, "bf16": peak.pairs}
    flops = ", ".join(f"{kind} {rate / 1e9:.0f}" for kind, rate in kinds.items())
    rates = ", ".join(f"{_bytes(size)} {rate / 1e9:.0f}" for size, rate in peak.bandwidths)
    return (
        f"Peak of {threads}, measured in {peak.seconds:.2f} s: {flops} Gflop/s;\n"
        f"GB/s of data of so many bytes: {rates}\n"
    ) + (_WITHOUT_FLOPS if any(map(_lacks_flops, jobs)) else "")


def _lacks_flops(times: StepTimes) -> bool:
    return any(
        kernel.flops == 0 < kernel.read + kernel.written for kernel in times.description.kernels
    )


def feeds_of(times: StepTimes) -> dict[str, list[int]]:
    """The shape of each feed of a job."""
    arguments = times.description.arguments
    return {one.name: list(one.shape) for one in arguments if one.role == "feed"}


def _summary(times: StepTimes, with_feeds: bool) -> str:
    shapes = ["x".join(map(str, shape)) or "scalar" for shape in feeds_of(times).values()]
    feeds = f"({', '.join(shapes)})" if with_feeds else ""
    steps = "1 step" if times.count == 1 else f"{times.count} steps"
    least, most = min(times.durations), max(times.durations)
    inside = 1 - times.outside / times.seconds
    return (
        f"{_short(times.description.job + feeds, _WIDTH)}: {steps} of {1e3 * least:.3f} to "
        f"{1e3 * most:.3f} ms\n"
        f"Mean of the faster half: {1e3 * times.seconds:.3f} ms, "
        f"{100 * inside:.1f} % of it in kernels\n"
    )


def _kernels(times: StepTimes, peak: Peak, most: int) -> str:
    same: dict[str, list[KernelTime]] = {}
    for one in times.kernels():
        same.setdefault(one.kernel.name, []).append(one)
    ordered = sorted(same.items(), key=lambda item: -sum(one.seconds for one in item[1]))
    rest = [one for _, group in ordered[most:] for one in group]
    rows = [_row(name, group, times, peak, len(group)) for name, group in ordered[:most]]
    if rest:
        more = len(ordered) - most
        word = "kernel" if more == 1 else "kernels"
        rows.append(_row(f"{more} more {word}", rest, times, peak, len(rest)))
    rows.append(_row(OUTSIDE, [times.lines()[OUTSIDE]], times, peak, 0))
    return _table(("kernel", "calls", *_HEAD), rows)


def _lines(times: StepTimes, peak: Peak, most: int) -> str:
    *lines, outside = times.lines().items()
    rest = [one for _, one in lines[most:]]
    rows = [_row(place, [one], times, peak) for place, one in lines[:most]]
    if rest:
        word = "line" if len(rest) == 1 else "lines"
        rows.append(_row(f"{len(rest)} more {word}", rest, times, peak))
    rows.append(_row(OUTSIDE, [outside[1]], times, peak))
    rows.append(_row("the step", [*(one for _, one in lines), outside[1]], times, peak))
    return _table(("line", *_HEAD), rows)


def _row(
    name: str, group: Sequence[KernelTime], times: StepTimes, peak: Peak, calls: int | None = None
) -> Sequence[str]:
    seconds = sum(one.seconds for one in group)
    flops = sum(one.kernel.flops for one in group)
    size = sum(one.kernel.read + one.kernel.written for one in group)
    least = [peak.least_seconds(one.kernel) for one in group]
    share = bound = flop_rate = byte_rate = ""
    if seconds > 0:
        floors = {word: sum(s for s, b in least if b == word) for word in ("flops", "bytes")}
        bound = max(floors, key=lambda word: floors[word])
        if flops or size:
            share = f"{100 * sum(floors.values()) / seconds:.0f} % {bound}"
        flop_rate = _rate(flops / seconds / 1e9) if flops else ""
        byte_rate = _rate(size / seconds / 1e9) if size else ""
    number = [] if calls is None else [str(calls or "")]
    percent = f"{100 * seconds / times.seconds:.1f}"
    return [name, *number, f"{1e6 * seconds:.1f}", percent, flop_rate, byte_rate, share]


def _threads(times: StepTimes, peak: Peak) -> str:
    rows = [
        (one.name, f"{1e6 * one.busy:.1f}", f"{1e6 * one.idle:.1f}",
         f"{100 * one.idle / times.seconds:.1f}")
        for one in times.threads()
    ]  # fmt: skip
    missing = peak.threads - len(rows)
    text = _table(("thread", "busy us", "idle us", "idle %"), rows, 12)
    if missing > 0:
        text += f"{missing} more of the {peak.threads} threads ran no task\n"
    return text


def _arena(times: StepTimes) -> str:
    """The bytes of the arena in use, over the time of a step."""
    most = max(times.description.in_use, default=0)
    total = sum(one.seconds for one in times.kernels())
    if not most or not total:
        return ""
    bars, until, kernels = "", 0.0, iter(times.kernels())
    for slot in range(_SLOTS):
        while until <= total * (slot + 0.5) / _SLOTS:
            one = next(kernels, None)
            if one is None:
                break
            until, level = until + one.seconds, -(-(len(_BARS) - 1) * one.arena // most)
        bars += _BARS[level]
    return f"Arena: up to {most:,} of {times.description.arena_bytes:,} bytes in use\n[{bars}]\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], width: int = _WIDTH) -> str:
    lines = [head, *([_short(name, width), *cells] for name, *cells in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "".join(
        " ".join(
            cell.rjust(size) if i else cell.ljust(size)
            for i, (cell, size) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in lines
    )


def _short(name: str, width: int) -> str:
    """A name without its middle, if it is long; its end tells kernels of one kind apart."""
    name = printable(name)
    if len(name) <= width:
        return name
    return f"{name[: width // 2 - 2]}..{name[-(width - width // 2) :]}"


def _rate(number: float) -> str:
    return (
        f"{number:.0f}"
        if number >= 99.95
        else f"{number:.1f}"
        if number >= 0.995
        else f"{number:.2f}"
    )


def _bytes(size: int) -> str:
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"
