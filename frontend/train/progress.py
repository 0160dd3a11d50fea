"""A bar that shows how far an epoch got, how fast, and the values of the last step."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, Generic, TextIO, TypeVar

import numpy as np

from penstock.basics.checks import check_count
from penstock.basics.errors import kind_of, located

T = TypeVar("T")
_BAR = 20
"""The characters of a bar."""
_PAUSE = 0.1
"""The least seconds between two drawings."""


class Progress(Generic[T]):
    """Iterates over batches, and shows a bar, the rate and the values that `show` gets.

    On a terminal, one line is drawn over and over; elsewhere, such as in a log, it is written once
    at the end. "waiting 40 %" says that 40 % of the time went by waiting for batches: read them
    ahead, with `num_workers` of `flow.utils.data.DataLoader`. `total` is the number of batches, by
    default their `len()` if they have one. The line goes to stderr, or to `file`.

    >>> import sys
    >>> import penstock as flow
    >>> for batch in flow.train.Progress([1, 2], "epoch 0", file=sys.stdout):  # doctest: +ELLIPSIS
    ...     pass
    epoch 0  2/2 ...
    """

    def __init__(
        self,
        batches: Iterable[T],
        title: str = "",
        total: int | None = None,
        file: TextIO | None = None,
    ) -> None:
        if not isinstance(batches, Iterable):
            raise located(
                TypeError, f"Progress takes batches to iterate over, got {kind_of(batches)}"
            )
        self._batches, self._title, self._file = batches, title, file
        self._total = None if total is None else check_count(total, "total of Progress")
        self._values: dict[str, Any] = {}
        self._done = 0
        self._waited = 0.0
        self._start = self._drawn = monotonic()

    def show(self, **values: Any) -> None:
        """Set the values at the end of the line: numbers, or arrays, whose mean is shown."""
        self._values.update(values)

    def __iter__(self) -> Iterator[T]:
        self._done, self._waited = 0, 0.0
        self._start, self._drawn = monotonic(), 0.0
        # A data set may only know its length when it is asked for batches.
        total = self._length() if self._total is None else self._total
        batches, live = iter(self._batches), self._out.isatty()
        try:
            while True:
                asked = monotonic()
                try:
                    batch = next(batches)
                except StopIteration:
                    return
                now = monotonic()
                self._waited += now - asked
                if live and now - self._drawn >= _PAUSE:
                    self._drawn = now
                    self._write(f"\r{self.line(total)}\x1b[K")
                yield batch
                self._done += 1
        finally:
            line = self.line(total)
            self._write(f"\r{line}\x1b[K\n" if live else f"{line}\n")

    def line(self, total: int | None = None) -> str:
        """The line as it is now."""
        passed = max(monotonic() - self._start, 1e-9)
        parts = [self._title] if self._title else []
        parts.append(f"{self._done}/{total}" if total is not None else f"{self._done}")
        if total:
            full = min(_BAR * self._done // total, _BAR)
            parts.append(f"[{'=' * full}{' ' * (_BAR - full)}]")
        parts += [f"{name} {_text(value)}" for name, value in self._values.items()]
        parts.append(f"{self._done / passed:.3g} steps/s")
        parts.append(f"waiting {100 * self._waited / passed:.0f} %")
        return "  ".join(parts)

    @property
    def _out(self) -> TextIO:
        return sys.stderr if self._file is None else self._file

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _length(self) -> int | None:
        try:
            return len(self._batches)  # type: ignore[arg-type]
        except TypeError:
            return None


def _text(value: Any) -> str:
    """A number, or the mean of an array, in four digits."""
    if isinstance(value, str):
        return value
    found = [np.asarray(one.numpy() if hasattr(one, "numpy") else one) for one in _listed(value)]
    size = sum(array.size for array in found)
    total = sum(float(array.sum(dtype=np.float64)) for array in found)
    return f"{total / size:.4g}" if size else "-"


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
