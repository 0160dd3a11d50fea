"""The colours of the page: text is readable on every background, light and dark."""

import re
from itertools import product
from pathlib import Path

import penstock.tools.page

CSS = (Path(penstock.tools.page.__file__).parent / "page.css").read_text()
THEMES = [
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
]
CODE = ("text", "soft", "string", "value", "symbol", "comment", "keyword")
PAIRS = [
    *product(CODE, ("back", "hit", "near", "exact")),
    *product(
        ("text", "soft"),
        ("panel", "op", "layer", "layer-open", "kernel", "backward", "optimizer", "feed",
         "variable", "fetch"),
    ),
    *product(("kernel-line", "bar"), ("back", "hit", "near")),
    ("count", "panel"), ("count", "back"), ("accent", "panel"),
]  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_measure() -> None:
    assert round(contrast("#000000", "#ffffff"), 1) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_text_has_the_contrast_required_by_wcag() -> None:
    assert len(THEMES) == 2
    assert THEMES[0].keys() == THEMES[1].keys()
    low = [
        (number, *pair, round(contrast(theme[pair[0]], theme[pair[1]]), 2))
        for number, theme in enumerate(THEMES)
        for pair in PAIRS
        if contrast(theme[pair[0]], theme[pair[1]]) < 4.5
    ]
    assert low == []
