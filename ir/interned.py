"""One object per value: types and attributes are compared by identity. The base of attributes."""

from __future__ import annotations

from typing import Any


class Interned(type):
    """Metaclass whose calls return one object per distinct tuple of field values.

    Classes using it are immutable and set their slots in `__init__`. Objects are looked up by the
    arguments as written, then by the normalised fields, so that defaults and equivalent arguments
    give the same object. Arguments must be hashable.
    """

    _by_arguments: dict[Any, Any]
    _by_fields: dict[Any, Any]

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        cls._by_arguments = {}
        cls._by_fields = {}

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        key = (arguments, tuple(named.items())) if named else arguments
        found = cls._by_arguments.get(key)
        if found is None:
            made = super().__call__(*arguments, **named)
            fields = tuple(getattr(made, slot) for slot in cls.__dict__["__slots__"])
            found = cls._by_fields.setdefault(fields, made)
            cls._by_arguments[key] = found
        return found


class Attribute(metaclass=Interned):
    """Base of all attributes; `str(attribute)` is its text."""

    __slots__ = ("_text",)
    _text: str

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{self._text}>"

    def __reduce__(self) -> str:
        raise TypeError("attributes are not pickled: print and parse them")
