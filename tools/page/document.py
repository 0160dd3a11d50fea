"""One HTML file from the data of a page, its style and its scripts; it loads nothing else."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_SCRIPTS = (
    "model.js", "lines.js", "text.js", "canvas.js", "ink.js", "folds.js", "heat.js", "source.js",
    "graph.js", "memory.js", "tables.js", "search.js", "links.js", "separators.js", "page.js",
)  # fmt: skip


def document(data: Mapping[str, Any]) -> str:
    """The page of a job, from `data.page_data`.

    Stages are deflated: this makes a page of all stages a quarter as large, and it opens before
    they are inflated. Contents from the job are embedded as JSON, which no text in it can escape.
    """
    packed = {**data, "stages": [_packed(stage) for stage in data["stages"]]}
    parts = {
        "title": escape(f"{data['job']} - penstock"),
        "style": (_FOLDER / "page.css").read_text(encoding="utf-8"),
        "data": embedded(packed),
        "script": "\n".join((_FOLDER / n).read_text(encoding="utf-8") for n in _SCRIPTS),
    }
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    # Replace from left to right, so that inserted text is not searched.
    out = []
    for name in ("title", "style", "data", "script"):
        before, page = page.split(f"{{{{{name}}}}}", 1)
        out += [before, parts[name]]
    return "".join([*out, page])


def embedded(value: object) -> str:
    """JSON that is safe in a script element, whatever strings are in it.

    >>> print(embedded("</script>\u2028<!--"))
    "\\u003c/script\\u003e\\u2028\\u003c!--"
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _packed(stage: Mapping[str, Any]) -> dict[str, Any]:
    """A stage with its text, and with the numbers of its lines, deflated, as base64."""
    numbers = json.dumps({key: stage[key] for key in ("sets", "origins")}, separators=(",", ":"))
    rest = {key: value for key, value in stage.items() if key not in ("sets", "origins")}
    return {**rest, "text": _deflated(stage["text"]), "numbers": _deflated(numbers)}


def _deflated(text: str) -> str:
    squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)  # 9 takes four times as long for 8 %.
    return base64.b64encode(squeeze.compress(text.encode()) + squeeze.flush()).decode()
