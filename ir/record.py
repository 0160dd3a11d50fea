"""Records: like `dataclasses`, but classes cost next to nothing to define.

    class Tile(Record):
        height: int
        width: int = 16

This acts like a frozen dataclass, but shares the methods of `Record`. Generating and compiling
methods for each class with `dataclass` took a tenth of the time of the first compilation.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Any:
        return lambda cls: cls


R = TypeVar("R", bound="Record")


class _Parameters:
    """The signature that `help` and `inspect.signature` show for a record class, built lazily."""

    def __get__(self, record: Record | None, cls: type[Record]) -> Any:
        if record is not None:
            raise AttributeError("a record is not a function")
        from inspect import Parameter, Signature

        named: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            named |= vars(base).get("__annotations__", {})
        kind, parameters = Parameter.POSITIONAL_OR_KEYWORD, []
        for name, default in cls._fields.items():
            shown_default = Parameter.empty if default is MISSING else default
            if isinstance(shown_default, Field) and callable(shown_default.default_factory):
                shown_default = shown_default.default_factory()
            parameters.append(Parameter(name, kind, default=shown_default, annotation=named[name]))
        return Signature(parameters)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """Base of classes whose annotations are their fields. With `frozen=False` they are mutable.

    Mutable records, and those with `eq=False`, are compared by identity. A `field` may
    have a `default_factory`, and a class a `__post_init__`.

    >>> class Tile(Record):
    ...     height: int
    ...     width: int = 16
    >>> Tile(6), Tile(6) == Tile(height=6, width=16), len({Tile(6), Tile(6)})
    (Tile(height=6, width=16), True, 1)
    >>> replace(Tile(6), width=8)
    Tile(height=6, width=8)
    """

    _fields: ClassVar[dict[str, Any]] = {}
    _values: ClassVar[Any] = staticmethod(lambda record: ())
    _follows: ClassVar[bool] = False
    __signature__ = _Parameters()

    def __init_subclass__(cls, *, eq: bool = True, frozen: bool = True, **named: Any) -> None:
        super().__init_subclass__(**named)
        own = [name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind)]
        if own:
            cls._fields = cls._fields | {name: cls.__dict__.get(name, MISSING) for name in own}
            cls._values = attrgetter(*cls._fields)
        cls._follows = cls.__post_init__ is not Record.__post_init__
        plain = [] if eq and frozen else ["__eq__", "__hash__"]
        for name in plain if frozen else [*plain, "__setattr__", "__delattr__"]:
            setattr(cls, name, getattr(object, name))

    def __init__(self, *values: Any, **named: Any) -> None:
        known = self._fields
        self.__dict__.update(zip(known, values))  # noqa: B905 - `strict` would double the time
        if named or len(values) != len(known):
            self.__dict__.update(named)
            self._complete(len(values), named)
        if self._follows:
            self.__post_init__()

    def __post_init__(self) -> None:
        """Hook that runs after the fields are set."""

    def _complete(self, count: int, named: Mapping[str, Any]) -> None:
        """Set the fields that a call omits; raises TypeError for a bad call, as Python does."""
        state, known, name = self.__dict__, self._fields, type(self).__qualname__
        if count > len(known):
            raise TypeError(f"{name}() takes {len(known)} arguments but {count} were given")
        if len(state) < count + len(named):
            twice = next(argument for argument in list(known)[:count] if argument in named)
            raise TypeError(f"{name}() got multiple values for argument {twice!r}")
        for argument, default in known.items():
            if argument not in state:
                if default is MISSING:
                    raise TypeError(f"{name}() missing a required argument: {argument!r}")
                is_field = isinstance(default, Field)
                state[argument] = default.default_factory() if is_field else default
        if len(state) > len(known):
            unknown = next(argument for argument in named if argument not in known)
            raise TypeError(f"{name}() got an unexpected keyword argument {unknown!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or bool(self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__qualname__}({values})"


def fields(record: Record | type[Record]) -> Mapping[str, Any]:
    """The default of each field by name, in order; `dataclasses.MISSING` if there is none."""
    return record._fields


def replace(record: R, **changes: object) -> R:
    """A copy of a record with these fields changed."""
    known, held = record._fields, record.__dict__
    copy = object.__new__(type(record))
    # Other entries are cached values derived from the fields, so drop them.
    copy.__dict__.update({name: held[name] for name in known} if len(held) > len(known) else held)
    copy.__dict__.update(changes)
    if len(copy.__dict__) > len(known):
        name = next(name for name in changes if name not in known)
        raise TypeError(f"{type(record).__qualname__} has no field {name!r}")
    if record._follows:
        copy.__post_init__()
    return copy
