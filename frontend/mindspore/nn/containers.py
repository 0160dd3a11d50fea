"""Cells of cells: sequences that are called, and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.nn.cell import Cell


class _Cells(Cell):
    """Base of both."""

    def _add(self, cells: Iterable[Any]) -> None:
        for cell in cells:
            self.insert_child_to_cell(str(len(self._modules)), cell)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        found = list(self._modules.values())
        if isinstance(index, slice):
            return self._of(found[index])
        if not -len(found) <= index < len(found):
            raise located(
                IndexError, f"{self.cls_name} has {len(found)} cells, and none at {index}"
            )
        return found[index]

    def _of(self, cells: list[Cell]) -> Any:
        made: Any = type(self)
        return made(cells)

    def append(self, cell: Cell) -> Any:
        """Put a cell behind the last one; returns the container."""
        self._add([cell])
        return self


class SequentialCell(_Cells):
    """Calls its cells one after another; takes them as arguments, in a list, or in a dict by name.

    >>> import penstock.mindspore as ms
    >>> net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.Flatten())
    >>> print(net(ms.Tensor([[-1.0, 2.0]])))
    [[0. 2.]]
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        first = args[0] if len(args) == 1 else None
        if isinstance(first, dict):
            for name, cell in first.items():
                self.insert_child_to_cell(name, cell)
        else:
            self._add(first if isinstance(first, list | tuple) else args)

    def construct(self, x: Any) -> Any:
        for cell in self:
            x = cell(x)
        return x


class CellList(_Cells):
    """A list of cells whose parameters are its own; it cannot be called."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__()
        first = args[0] if len(args) == 1 else None
        self._add(first if isinstance(first, list | tuple) else args)

    def extend(self, cells: Any) -> CellList:
        """Put several cells behind the last one; returns the list."""
        if not isinstance(cells, list | tuple | CellList):
            raise located(
                TypeError, f"extend of CellList takes a list of cells, got {kind_of(cells)}"
            )
        self._add(cells)
        return self

    def construct(self, *args: Any, **named: Any) -> Any:
        raise located(NotImplementedError, "a CellList is not called; call its cells")
