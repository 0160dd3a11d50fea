"""Curves of a training, such as its loss: a page that needs no network, or a plot of matplotlib."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from penstock.basics.checks import check_integer, check_number, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.process.imported_script import refuse_in_import
from penstock.runtime.files import replace

Points = Sequence[tuple[int, float]]
_WIDE, _HIGH, _LEFT, _EDGE = 640, 220, 64, 24
_MOST = 2000
"""The most points that a curve is drawn with; of longer ones, every second or third or so."""
_STYLE = """\
:root { color-scheme: light dark; }
body { font: 14px system-ui, sans-serif; margin: 24px; max-width: 720px; }
h2 { font-size: 15px; margin: 20px 0 4px; }
svg { width: 100%; height: auto; }
path { fill: none; stroke: #2a6fdb; stroke-width: 1.5; }
line { stroke: currentColor; stroke-opacity: 0.15; }
text { fill: currentColor; font-size: 11px; }
"""


class Curves:
    """Values by step, one curve for each name.

    >>> import penstock as flow
    >>> curves = flow.train.Curves()
    >>> for epoch in range(3):
    ...     curves.add(epoch, loss=1 / (epoch + 1))
    >>> curves.values("loss")
    [(0, 1.0), (1, 0.5), (2, 0.3333333333333333)]
    >>> "<svg" in curves.html()
    True
    """

    def __init__(self, title: str = "Training") -> None:
        self._title = title
        self._curves: dict[str, list[tuple[int, float]]] = {}

    def add(self, step: int, **values: float) -> None:
        """Add a value at a step to each named curve."""
        at = check_integer(step, "step of Curves.add")
        numbers = {name: check_number(one, f"{name} of Curves.add") for name, one in values.items()}
        for name, number in numbers.items():
            self._curves.setdefault(name, []).append((at, number))

    def values(self, name: str) -> list[tuple[int, float]]:
        """The (step, value) pairs of a curve, in the order in which they were added."""
        return list(self._curves.get(name, []))

    def state_dict(self) -> dict[str, Any]:
        """All curves: a list of (step, value) pairs by name."""
        return {name: list(points) for name, points in self._curves.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what `state_dict` returned; a located error for anything else."""
        found = Curves()
        for name, points in state.items():
            for step, value in points:
                found.add(step, **{name: value})
        self._curves = found._curves

    def html(self) -> str:
        """A page with one drawing for each curve. NaN and infinity leave gaps."""
        drawings = [
            f"<h2>{html.escape(name)}: {points[-1][1]:.4g}</h2>\n{_drawing(points)}"
            for name, points in self._curves.items()
        ]
        title = html.escape(self._title)
        return (
            f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f"<style>\n{_STYLE}</style>\n<h1>{title}</h1>\n" + "\n".join(drawings) + "\n</html>\n"
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page; a file that is there is replaced.

        Raises a located OSError if it cannot be written.
        """
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            raise located(TypeError, f"Curves.write takes the path of a file, got {kind_of(path)}")
        check_path_text(path, "Curves.write")
        refuse_in_import("Curves.write writes a file")
        try:
            replace(path, self.html().encode())
        except OSError as error:
            raise located(
                type(error), f"Curves.write cannot write {os.fspath(path)!r}: {error.strerror}"
            ) from error

    def plot(self, axes: Any = None) -> Any:
        """Draw all curves with matplotlib into the given axes, or new ones; returns these.

        Raises a located ImportError without matplotlib.
        """
        if axes is None:
            try:
                axes = import_module("matplotlib.pyplot").subplots()[1]
            except ImportError:
                raise located(
                    ImportError,
                    "Curves.plot needs matplotlib; install it, or write a page with Curves.write",
                ) from None
        for name, points in self._curves.items():
            axes.plot([step for step, _ in points], [value for _, value in points], label=name)
        axes.set_xlabel("step")
        axes.legend()
        return axes


def _drawing(points: Points) -> str:
    """An SVG drawing of a curve, with the values of four lines and the first and last step."""
    finite = [value for _, value in points if math.isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    first, last = min(step for step, _ in points), max(step for step, _ in points)

    def across(step: int) -> float:
        return _LEFT + (_WIDE - _LEFT - _EDGE) * (step - first) / max(last - first, 1)

    def down(value: float) -> float:
        # Halves, since the difference of two large floats may be infinite.
        return _EDGE + (_HIGH - 2 * _EDGE) * (high / 2 - value / 2) / (high / 2 - low / 2)

    lines = []
    for i in range(4):
        value = low + (high / 3 - low / 3) * i
        y = down(value)
        lines.append(
            f'<line x1="{_LEFT}" x2="{_WIDE - _EDGE}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>'
        )
    stride = -(-len(points) // _MOST)
    drawn, pen = [], "M"
    for step, value in points[::stride]:
        if math.isfinite(value):
            drawn.append(f"{pen}{across(step):.1f} {down(value):.1f}")
        pen = "L" if math.isfinite(value) else "M"
    ends = "".join(
        f'<text x="{across(step):.1f}" y="{_HIGH - 4}" text-anchor="middle">{step}</text>'
        for step in sorted({first, last})
    )
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}">{"".join(lines)}{ends}'
        f'<path d="{" ".join(drawn)}"/></svg>'
    )
