"""`ops.HyperMap`, `ops.Map` and `ops.MultitypeFuncGraph`: functions of nests of tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.mindspore.dtype import Type
from penstock.mindspore.ops.primitives import check_callable
from penstock.mindspore.tensor import Tensor


class Map:
    """Calls a function with the members of tuples or lists, one of each, in order.

    The function is an argument of `Map`, or the first one of the call. Returns a tuple, or a list
    if the first nest is a list.

    >>> from penstock.mindspore import Tensor, ops
    >>> print([str(one) for one in ops.Map()(ops.add, (Tensor(1), Tensor(2)), (3, 4))])
    ['4', '6']
    """

    deep = False

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        name = type(self).__name__
        self._function = None if ops is None else check_callable(ops, name)
        self._reverse = reverse

    def __call__(self, *args: Any) -> Any:
        name, function, nests = type(self).__name__, self._function, args
        if function is None:
            if not args:
                raise located(TypeError, f"{name}() takes a function and nests, got no argument")
            function, nests = check_callable(args[0], name), args[1:]
        if not nests or not isinstance(nests[0], tuple | list):
            given = kind_of(nests[0]) if nests else "none"
            raise located(TypeError, f"{name}() takes tuples or lists of tensors, got {given}")
        return self._mapped(function, nests)

    def _mapped(self, function: Callable[..., Any], nests: tuple[Any, ...]) -> Any:
        lengths = {len(one) if isinstance(one, tuple | list) else -1 for one in nests}
        if len(lengths) > 1:
            shown = ", ".join(map(kind_of, nests))
            raise located(
                ValueError, f"{type(self).__name__}() takes nests of one length, got {shown}"
            )
        rows = list(zip(*nests, strict=True))
        made = [self._each(function, row) for row in (rows[::-1] if self._reverse else rows)]
        made = made[::-1] if self._reverse else made
        return made if isinstance(nests[0], list) else tuple(made)

    def _each(self, function: Callable[..., Any], row: tuple[Any, ...]) -> Any:
        if self.deep and isinstance(row[0], tuple | list):
            return self._mapped(function, row)
        return function(*row)


class HyperMap(Map):
    """As `Map`, also for tuples and lists within others.

    >>> from penstock.mindspore import Tensor, ops
    >>> nest = (Tensor(1.0), (Tensor(2.0), Tensor(3.0)))
    >>> ops.HyperMap(ops.square)(nest)[1][1].asnumpy().item()
    9.0
    """

    deep = True


_KINDS: dict[str, Callable[[Any], bool]] = {
    "Tensor": lambda one: isinstance(one, Tensor),
    "Number": lambda one: isinstance(one, int | float) and not isinstance(one, bool),
    "Bool": lambda one: isinstance(one, bool),
    "Int": lambda one: isinstance(one, int) and not isinstance(one, bool),
    "Float": lambda one: isinstance(one, float),
    "String": lambda one: isinstance(one, str),
    "None": lambda one: one is None,
    "Tuple": lambda one: isinstance(one, tuple),
    "List": lambda one: isinstance(one, list),
    "Function": callable,
    "TypeType": lambda one: isinstance(one, Type),
}


class MultitypeFuncGraph:
    """A function with several bodies, chosen by the types of its arguments.

    Types are words: Tensor, Number, Bool, Int, Float, String, None, Tuple, List, Function,
    TypeType. The body that was registered first for them is called.

    >>> from penstock.mindspore import Tensor, ops
    >>> double = ops.MultitypeFuncGraph("double")
    >>> @double.register("Tensor")
    ... def double_tensor(x):
    ...     return x + x
    >>> print(double(Tensor([1.0, 2.0])))
    [2. 4.]
    """

    def __init__(self, name: str, read_value: bool = False) -> None:
        if not isinstance(name, str):
            raise located(
                TypeError, f"name of MultitypeFuncGraph must be a string, got {kind_of(name)}"
            )
        self.name = name
        self._bodies: list[tuple[tuple[str, ...], Callable[..., Any]]] = []

    def register(self, *type_names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorates the body for arguments of these types."""
        for one in type_names:
            if one not in _KINDS:
                raise located(
                    ValueError,
                    f"register of {self.name!r} takes types such as {', '.join(_KINDS)}, got "
                    f"{kind_of(one)}",
                )

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            count = len(inspect.signature(function).parameters)
            if count != len(type_names):
                raise located(
                    TypeError,
                    f"register of {self.name!r} takes a function of {len(type_names)} arguments, "
                    f"one for each type, got one of {count}",
                )
            self._bodies.append((type_names, function))
            return function

        return decorate

    def __call__(self, *args: Any) -> Any:
        for types, function in self._bodies:
            if len(types) == len(args) and all(
                _KINDS[type](one) for type, one in zip(types, args, strict=True)
            ):
                return function(*args)
        known = "; ".join(f"({', '.join(types)})" for types, _ in self._bodies) or "none"
        raise located(
            TypeError,
            f"{self.name!r} is registered for {known}, got ({', '.join(map(kind_of, args))})",
        )
