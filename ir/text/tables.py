"""Tables as text, and numbers for people to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["quantity", "text_table"]

_UNITS = ("", "K", "M", "G", "T", "P", "E")


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Aligned columns, the first ones to the left and the numbers behind them to the right.

    >>> print(text_table(("op", "flops"), [("matmul", "1.5M"), ("add", "2")]), end="")
    op      flops
    matmul   1.5M
    add         2
    """
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "".join(
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in lines
    )


def quantity(number: float) -> str:
    """A number with three digits and a unit of powers of 1000.

    >>> [quantity(n) for n in (0, 999, 1500, 40_140_800, 2.5e12)]
    ['0', '999', '1.5K', '40.1M', '2.5T']
    """
    size, unit = float(number), 0
    while abs(size) >= 999.5 and unit < len(_UNITS) - 1:
        size /= 1000
        unit += 1
    return f"{size:.3g}{_UNITS[unit]}"
