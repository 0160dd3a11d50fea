"""Tables as HTML, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table"]


def html_table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1
) -> str:
    """A table whose first columns are words and the others numbers.

    >>> html_table("Ops", ("op", "n"), [("a<b", "1")])
    ... # doctest: +ELLIPSIS
    '<table><caption>Ops</caption><tr><th ...>op</th>...<td ...>a&lt;b</td>...</table>'
    """

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f'<{tag} style="text-align:{"left" if i < left else "right"}">{escape(cell)}</{tag}>'
            for i, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><tr>{line('th', head)}</tr>{body}</table>"
