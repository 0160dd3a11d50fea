"""A self-contained HTML page with plots."""

from __future__ import annotations

import html
from collections.abc import Sequence
from math import log2

from shared import table
from shared.table import OURS, Results, Row

COLOURS = {
    "penstock": "#0b6e99", "numpy": "#b8860b", "torch-eager": "#d9534f", "torch-compile": "#8e3b8e",
    "jax-jit": "#3a8f4d", "onnxruntime": "#777777", "iree": "#c77cba",
}  # fmt: skip

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1c2733; background: #fff;
       max-width: 1080px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92em; }
th, td { padding: .25em .8em .25em 0; text-align: left; border-bottom: 1px solid #e4e8ec;
         white-space: nowrap; }
.better { color: #176b3a; font-weight: 600; } .worse { color: #a33022; font-weight: 600; }
.wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: #1c2733; }
p.note { color: #55616d; max-width: 48em; }
"""

LEFT, RIGHT, BAR, GAP = 250, 120, 9, 9
WIDTH = 1040


def escape(text: object) -> str:
    return html.escape(str(text))


def text(x: float, y: float, words: str, anchor: str = "start", colour: str = "") -> str:
    fill = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(words)}</text>'


def svg(height: float, parts: Sequence[str], label: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def legend(peers: Sequence[str]) -> str:
    parts, x = [], 0.0
    for peer in peers:
        parts.append(f'<rect x="{x:.0f}" y="3" width="12" height="12" fill="{COLOURS[peer]}"/>')
        parts.append(text(x + 17, 14, peer))
        x += 40 + 7.2 * len(peer)
    return svg(20, parts, "peers")


def bars(results: Results, names: Sequence[str], threads: int) -> str:
    """The speed of each peer, relative to the fastest of a workload; bars are labelled with
    times."""
    parts: list[str] = []
    y = 8.0
    span = WIDTH - LEFT - RIGHT
    for name in names:
        times = {
            peer: time
            for peer in results.peers(name, threads)
            if (time := results.median(name, peer, threads, "time")) is not None
        }
        if not times:
            continue
        top, least = y, min(times.values())
        bound, _ = table.limit(results, name, threads) or (0.0, "")
        fastest = min(least, bound) if bound else least
        for peer, time in times.items():
            width = span * fastest / time
            parts.append(
                f'<rect x="{LEFT}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{BAR + 3}" '
                f'fill="{COLOURS[peer]}"/>'
            )
            parts.append(text(LEFT + width + 5, y + BAR + 1, table.duration(time)))
            y += BAR + 5
        if bound:
            x = LEFT + span * fastest / bound
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 3:.1f}" y2="{y:.1f}" '
                'stroke="#1c2733" stroke-dasharray="3 2"/>'
            )
        parts.append(text(LEFT - 10, (top + y) / 2 + 2, name, "end"))
        y += GAP
    return svg(y, parts, f"speed with {threads} threads") if parts else ""


def ratios(lines: Sequence[Row]) -> str:
    """Ours against the best peer, on a logarithmic axis, with the spread over rounds."""
    shown = [line for line in lines if line.ratio]
    if not shown:
        return ""
    span = WIDTH - LEFT - RIGHT

    def place(ratio: float) -> float:
        # 1/16 to 16; values beyond are drawn at the ends
        return LEFT + span * (log2(min(max(ratio, 1 / 16), 16)) + 4) / 8

    bottom = 20.0 * len(shown) + 8
    parts = []
    for mark in (0.125, 0.25, 0.5, 1, 1.5, 2, 4, 8, 16):
        x, colour = place(mark), "#1c2733" if mark == 1 else "#d5dbe1"
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{bottom:.0f}" stroke="{colour}"/>'
        )
        parts.append(text(x, bottom + 15, f"{mark:g}", "middle"))
    for number, line in enumerate(shown):
        assert line.ratio is not None
        middle, low, high = line.ratio
        y = 20 * number + 16
        colour = "#176b3a" if middle >= 1 else "#a33022"
        parts.append(
            f'<line x1="{place(low):.1f}" x2="{place(high):.1f}" y1="{y - 4}" y2="{y - 4}" '
            f'stroke="{colour}" stroke-width="3"/>'
            f'<circle cx="{place(middle):.1f}" cy="{y - 4}" r="4.5" fill="{colour}"/>'
        )
        parts.append(text(LEFT - 10, y, f"{line.workload}, {line.threads}", "end"))
        parts.append(text(WIDTH - RIGHT + 14, y, f"{middle:.2f}x {line.peer}"))
    return svg(bottom + 24, parts, "ratios to the best peer")


def main_table(lines: Sequence[Row]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.HEAD)
    body = []
    for line in lines:
        cells = [f"<td>{escape(cell)}</td>" for cell in table.cells(line)]
        if line.ratio:
            kind = "better" if line.ratio[0] >= 1 else "worse"
            cells[5] = cells[5].replace("<td>", f'<td class="{kind}">')
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(body)}</table></div>'


def preformatted(block: str) -> str:
    return f'<div class="wide"><pre>{escape(block)}</pre></div>'


def render(results: Results, machine: str, when: str) -> str:
    """The page as a string."""
    lines = table.rows(results)
    peers = [peer for peer in COLOURS if any(peer in key for key in results.figures)]
    wrong = table.disagreements(results)
    parts = [
        f"<h1>penstock and its peers</h1><p>{escape(machine)}, {escape(when)}</p>",
        "<p class=note>Times are medians of a step. A ratio is the best peer's time by ours, each "
        "pair taken one after the other; the spread is that of the rounds. The limit is what the "
        "machine's own figures allow: multiply-adds, the arithmetic of our instructions, or the "
        "bytes that must be moved. "
        "<i>others</i> says how many cores other processes kept busy meanwhile.</p>",
        f"<h2>Against the best peer</h2>{ratios(lines)}",
    ]
    for threads in results.threads():
        many = "1 thread" if threads == 1 else f"{threads} threads"
        plot = bars(results, results.timed(), threads)
        parts.append(
            f"<h2>Speed with {many}</h2><p class=note>Longer is faster; the dashed line is "
            f"the limit.</p>{legend(peers)}{plot}"
        )
    parts.append(f"<h2>All figures</h2>{main_table(lines)}")
    parts += [preformatted(table.peers_table(results, threads)) for threads in results.threads()]
    parts.append(f"<h2>The machine</h2>{preformatted(table.machine_table(results))}")
    parts.append(f"<h2>Memory</h2>{preformatted(table.memory_table(results))}")
    agreement = "<br>".join(map(escape, wrong)) or "All peers compute the same."
    parts.append(f"<h2>Agreement</h2><p>{agreement}</p>")
    title = f"{OURS} and its peers"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
        f"<body>{''.join(parts)}</body></html>\n"
    )
