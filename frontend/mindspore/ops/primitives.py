"""Primitives, called twice, and functions, called once: both are made from the rows of the table.

`ops.MatMul(transpose_b=True)` has the options of its row, and a call gets the operands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.mindspore.ops.table import MAKERS, rows
from penstock.mindspore.rows import Row, bound
from penstock.mindspore.tensor import Tensor, faced, plain


class Primitive:
    """Base of ops that are made with options and then called with tensors.

    >>> import penstock.mindspore as ms
    >>> x = ms.Tensor([[1.0, 2.0]])
    >>> ms.ops.MatMul(transpose_b=True)(x, x)
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 5.00000000e+00]])
    """

    row: ClassVar[Row]

    def __init__(self, *args: Any, **named: Any) -> None:
        self._options = bound(self.row.options, args, named, f"ops.{self.name}")
        self.__dict__.update(self._options)

    @property
    def name(self) -> str:
        """The name of the op."""
        return type(self).__name__

    def __call__(self, *args: Any, **named: Any) -> Any:
        row = self.row
        values = bound(row.operands, args, named, f"ops.{self.name}()")
        return _called(row, values, self._options, f"ops.{self.name}()")

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self._options.items())
        return f"Prim[{self.name}]<{shown}>" if shown else f"Prim[{self.name}]"

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Note an attribute; none of them changes what the op computes. Returns itself."""
        self.__dict__[name] = value
        return self

    def shard(self, *strategy: Any, **named: Any) -> Primitive:
        """The primitive itself: there is one device."""
        return self


def _called(row: Row, values: dict[str, Any], options: dict[str, Any], what: str) -> Any:
    if not any(map(_has_tensor, values.values())):
        _refuse(row, list(values.values()), what)
    given = [plain(value) for value in values.values()]
    return faced(row.function(*given, **{key: plain(value) for key, value in options.items()}))


def _has_tensor(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_has_tensor, value))
    return isinstance(value, Tensor)


def _refuse(row: Row, values: list[Any], what: str) -> None:
    """Raise a located TypeError for an op without a tensor, unless it makes one of numbers."""
    if not MAKERS.isdisjoint(row.names):
        return
    wrong = values[0] if values else None
    advice = "; use Tensor(x)" if isinstance(wrong, np.ndarray | list | float | int) else ""
    raise located(TypeError, f"{what} takes tensors, got {kind_of(wrong)}{advice}")


@cache
def primitive(name: str) -> type[Primitive]:
    """The class of the primitive of that name."""
    row = rows()[name]
    text = f"The op `ops.{name}{row.shown}`."
    return type(name, (Primitive,), {"row": row, "__doc__": text, "__module__": __name__})


@cache
def function(name: str) -> Callable[..., Any]:
    """The function of that name."""
    row = rows()[name]
    operands, options = row.operands, row.options
    both = {**operands, **options}
    is_plain = not options
    count = len(operands)

    def called(*args: Any, **named: Any) -> Any:
        if is_plain and not named and len(args) == count and isinstance(args[0], Tensor):
            return faced(row.function(*[plain(one) for one in args]))
        values = bound(both, args, named, f"ops.{name}")
        chosen = {key: values.pop(key) for key in options}
        return _called(row, values, chosen, f"ops.{name}")

    called.__name__ = called.__qualname__ = name
    shown = ", ".join(str(one) for one in both.values())
    called.__doc__ = f"The op `ops.{name}({shown})`."
    return called


def find(name: str) -> Any:
    """The primitive or function of that name; KeyError if there is none."""
    if name not in rows():
        raise KeyError(name)
    return primitive(name) if name[0].isupper() else function(name)


def check_callable(fn: object, what: str) -> Callable[..., Any]:
    """`fn` if it can be called, else a located TypeError."""
    if not callable(fn):
        raise located(TypeError, f"{what} takes a function or a cell, got {kind_of(fn)}")
    return fn
