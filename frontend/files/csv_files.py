"""`flow.data.read_csv`: the columns of a CSV file as arrays to train on."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_path_text
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.ir.record import Record

Array = np.ndarray[Any, Any]
_READER = "flow.data.read_csv"


class Table(Record, eq=False):
    """What `flow.data.read_csv` read."""

    x: Array
    """The numbers: float32 of shape (rows, columns)."""
    y: Array | None
    """The classes of the rows: int32 of shape (rows,); None without a label column."""
    columns: tuple[str, ...]
    """The names of the columns of `x`."""
    classes: tuple[str, ...]
    """The label of each class, sorted: by value if all are integers, else by text."""


def read_csv(path: str | os.PathLike[str], label: str | None = None, delimiter: str = ",") -> Table:
    """The rows of a CSV file whose first line names its columns.

    The column `label` may hold any text, and is numbered by classes; all others must be numbers.
    Raises a located OSError if the file cannot be read, and ValueError, with the line, if it is not
    such a table.

    >>> import pathlib, tempfile
    >>> import penstock as flow
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "flowers.csv")
    ...     _ = file.write_text("length,width,kind\\n5.1,3.5,iris\\n4.9,3,rose\\n")
    ...     table = flow.data.read_csv(file, label="kind")
    >>> table.x.tolist(), table.y.tolist(), table.classes
    ([[5.099999904632568, 3.5], [4.900000095367432, 3.0]], [0, 1], ('iris', 'rose'))
    """
    if not isinstance(path, str | os.PathLike):
        raise located(TypeError, f"{_READER} takes the path of a file, got {kind_of(path)}")
    check_path_text(path, _READER)
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise located(
            ValueError,
            f"delimiter of {_READER} must be a single character such as a comma, got "
            f"{kind_of(delimiter)}",
        )
    source = os.fspath(path)
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            return _table(csv.reader(file, delimiter=delimiter, strict=True), source, label)
    except OSError as error:
        raise located(type(error), f"{_READER} cannot read {source!r}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise located(ValueError, f"{source!r} is not a CSV file in UTF-8: {error}") from None


def _table(lines: Any, source: str, label: str | None) -> Table:
    columns: list[str] = next(lines, [])
    if label is not None and label not in columns:
        known = f"only {', '.join(columns)}" if columns else "for it is empty"
        advice = did_you_mean(str(label), columns)
        other = next((one for one in ";\t|," if len(columns) == 1 and one in columns[0]), "")
        if other:
            advice = f"; its cells may be separated by another character: delimiter={other!r}"
        named = f'"{label}"' if isinstance(label, str) else kind_of(label)
        raise located(ValueError, f"{source!r} has no column {named}, {known}{advice}")
    place = -1 if label is None else columns.index(label)
    rows: list[Array] = []
    labels: list[str] = []
    for cells in _rows(lines, len(columns), source):
        if label is not None:
            labels.append(cells.pop(place))
        rows.append(
            _numbers(cells, [c for i, c in enumerate(columns) if i != place], lines, source)
        )
    if not rows:
        raise located(ValueError, f"{source!r} has no rows below the names of its columns")
    classes, y = _classes(labels)
    names = tuple(name for i, name in enumerate(columns) if i != place)
    return Table(np.stack(rows), None if label is None else y, names, classes)


def _rows(lines: Any, width: int, source: str) -> Iterator[list[str]]:
    for cells in lines:
        if not cells:
            continue
        if len(cells) != width:
            raise located(
                ValueError,
                f"{source!r}, line {lines.line_num}: expected {width} cells as in the first line, "
                f"got {len(cells)}",
            )
        yield cells


def _numbers(cells: Sequence[str], names: Sequence[str], lines: Any, source: str) -> Array:
    try:
        return np.array(cells, np.float64).astype(np.float32)
    except ValueError:
        for cell, name in zip(cells, names, strict=True):
            try:
                float(cell)
            except ValueError:
                raise located(
                    ValueError,
                    f"{source!r}, line {lines.line_num}: column {name} must have numbers, got "
                    f"{kind_of(cell)}; fill in or remove such rows",
                ) from None
        raise


def _classes(labels: Sequence[str]) -> tuple[tuple[str, ...], Array]:
    distinct = set(labels)
    try:
        classes = sorted(distinct, key=lambda text: (int(text), text))
    except ValueError:
        classes = sorted(distinct)
    number = {text: i for i, text in enumerate(classes)}
    return tuple(classes), np.array([number[text] for text in labels], np.int32)
