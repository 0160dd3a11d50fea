"""Types: interned, immutable, their text MLIR's (language reference, "Builtin Dialect")."""

from __future__ import annotations

import operator
import os
from functools import cache, partial
from threading import RLock
from typing import Any
from weakref import ref

DYNAMIC = -1
"""The extent of a `?` dimension."""


_CHANGING = RLock()  # again: the garbage collector may drop objects in the midst of a change
os.register_at_fork(
    before=_CHANGING.acquire, after_in_parent=_CHANGING.release, after_in_child=_CHANGING.release
)


class _Forgetting:
    """A table of objects that others keep alive.

    Unlike with `WeakValueDictionary`, threads that add the same key at once get the same object.
    """

    def __init__(self) -> None:
        self._known: dict[Any, ref[Any]] = {}
        self._changing = _CHANGING

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: Any) -> Any:
        found = self._known.get(key)
        return None if found is None else found()

    def setdefault(self, key: Any, value: Any) -> Any:
        made = ref(value, partial(self._drop, key))
        with self._changing:
            found = self.get(key)
            if found is None:
                self._known[key] = made
                found = value
            return found

    def _drop(self, key: Any, gone: ref[Any]) -> None:
        with self._changing:
            # Another object may have the key by now.
            if self._known.get(key) is gone:
                del self._known[key]


class Interned(type):
    """Metaclass whose calls return one object per distinct tuple of field values.

    Classes using it are immutable and set their slots in `__init__`. Objects are looked up by the
    arguments as written, then by the normalised fields, so that defaults and equivalent arguments
    give the same object. Arguments must be hashable. With `forgotten = True` in a class, an object
    goes when nobody refers to it: those of jobs that are gone would fill the memory.
    """

    _by_arguments: dict[Any, Any] | _Forgetting
    _by_fields: dict[Any, Any] | _Forgetting

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        is_forgotten = namespace.get("forgotten", False)
        cls._by_arguments = _Forgetting() if is_forgotten else {}
        cls._by_fields = _Forgetting() if is_forgotten else {}

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        key = (arguments, tuple(named.items())) if named else arguments
        found = cls._by_arguments.get(key)
        if found is None:
            type = super().__call__(*arguments, **named)
            fields = tuple(getattr(type, slot) for slot in cls.__dict__["__slots__"])
            found = cls._by_fields.setdefault(fields, type)
            cls._by_arguments.setdefault(key, found)
        return found


class Attribute(metaclass=Interned):
    """Base of all attributes; `str(attribute)` is its text."""

    __slots__ = ("__weakref__", "_text")
    _text: str

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{self._text}>"

    def __reduce__(self) -> str:
        raise TypeError("attributes are not pickled: print and parse them")


class Type(metaclass=Interned):
    """Base of all types; `str(type)` is its text."""

    __slots__ = ("__weakref__", "_text")
    _text: str

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{self._text}>"

    def __reduce__(self) -> str:
        raise TypeError("types are not pickled: print and parse them")


class IndexType(Type):
    """`index`: sizes and subscripts, as wide as an address."""

    __slots__ = ()

    def __init__(self) -> None:
        self._text = "index"


class NoneType(Type):
    __slots__ = ()

    def __init__(self) -> None:
        self._text = "none"


class IntegerType(Type):
    """`i32`, `ui8`, `si4`: `sign` is "" (signless), "u" or "s"."""

    __slots__ = ("sign", "width")

    def __init__(self, width: int, sign: str = "") -> None:
        self.width = width
        self.sign = sign
        self._text = f"{sign}i{width}"


class FloatType(Type):
    """`f16`, `bf16`, `f32`, `f64`."""

    __slots__ = ("name", "width")

    def __init__(self, name: str) -> None:
        self.name = name
        self.width = int(name.lstrip("bf"))
        self._text = name


class FunctionType(Type):
    """`(inputs) -> results`"""

    __slots__ = ("inputs", "results")
    forgotten = True

    def __init__(self, inputs: tuple[Type, ...], results: tuple[Type, ...]) -> None:
        self.inputs = inputs
        self.results = results
        self._text = f"({', '.join(map(str, inputs))}) -> {result_text(results)}"


def result_text(results: tuple[Type, ...]) -> str:
    """The part after `->`: one type bare, any other number in parentheses."""
    if len(results) == 1 and not isinstance(results[0], FunctionType):
        return str(results[0])
    return f"({', '.join(map(str, results))})"


def _extents(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape as plain integers, so that 4.0 and True become 4 and 1.

    Raises ValueError for negative extents other than `DYNAMIC`, which have no text form.
    """
    extents = tuple(map(int, map(operator.index, shape)))
    if extents and min(extents) < DYNAMIC:
        raise ValueError(f"expected extents of at least 0, got {list(extents)}")
    return extents


def _dimensions(shape: tuple[int, ...], element: Type) -> str:
    return "x".join([*("?" if d == DYNAMIC else str(d) for d in shape), str(element)])


class ShapedType(Type):
    """Base of types with a shape of extents and one element type."""

    __slots__ = ()
    shape: tuple[int, ...]
    element: Type

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        return DYNAMIC not in self.shape

    @property
    def count(self) -> int:
        """The number of elements; the shape must be static."""
        total = 1
        for extent in self.shape:
            total *= extent
        return total


class TensorType(ShapedType):
    """`tensor<100x512xf32>`: a value; `encoding` carries e.g. the bound of a `?` dimension."""

    __slots__ = ("element", "encoding", "shape")

    def __init__(
        self, shape: tuple[int, ...], element: Type, encoding: Attribute | None = None
    ) -> None:
        self.shape = _extents(shape)
        self.element = element
        self.encoding = encoding
        tail = "" if encoding is None else f", {encoding}"
        self._text = f"tensor<{_dimensions(self.shape, element)}{tail}>"


class VectorType(ShapedType):
    """`vector<14x32xf32>`: a value in registers."""

    __slots__ = ("element", "shape")

    def __init__(self, shape: tuple[int, ...], element: Type) -> None:
        self.shape = _extents(shape)
        self.element = element
        self._text = f"vector<{_dimensions(self.shape, element)}>"


class MemRefType(ShapedType):
    """`memref<4x32xf32, strided<[512, 1], offset: ?>>`: a buffer and how it is laid out."""

    __slots__ = ("element", "layout", "shape", "space")

    def __init__(
        self,
        shape: tuple[int, ...],
        element: Type,
        layout: Attribute | None = None,
        space: Attribute | None = None,
    ) -> None:
        self.shape = _extents(shape)
        self.element = element
        self.layout = layout
        self.space = space
        tail = "" if layout is None else f", {layout}"
        self._text = f"memref<{_dimensions(self.shape, element)}{tail}{_space_text(space)}>"


def _space_text(space: Attribute | None) -> str:
    """A memory space, where it is not the usual one; a bare number is an i64."""
    return "" if space is None else f", {str(space).removesuffix(' : i64')}"


class UnrankedMemRefType(Type):
    """`memref<*xf32>`"""

    __slots__ = ("element", "space")

    def __init__(self, element: Type, space: Attribute | None = None) -> None:
        self.element = element
        self.space = space
        self._text = f"memref<*x{element}{_space_text(space)}>"


class OpaqueType(Type):
    """A dialect type kept as its text, e.g. `!sbp.signature<"B">`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text
        self._text = text


index = IndexType()
none = NoneType()
i1, i8, i16, i32, i64 = (IntegerType(width) for width in (1, 8, 16, 32, 64))
ui8 = IntegerType(8, "u")
f16, bf16, f32, f64 = (FloatType(name) for name in ("f16", "bf16", "f32", "f64"))


def is_float(type: Type) -> bool:
    return isinstance(type, FloatType)


def is_integer(type: Type) -> bool:
    return isinstance(type, IntegerType)


def element_of(type: Type) -> Type:
    """The type of a vector's elements; any other type is its own."""
    return type.element if isinstance(type, VectorType) else type


@cache
def byte_width(element: Type) -> int:
    """Bytes one element takes in memory; i1 takes one.

    >>> byte_width(f32)
    4
    """
    if isinstance(element, IndexType):
        return 8
    if isinstance(element, (IntegerType, FloatType)):
        return (element.width + 7) // 8
    raise TypeError(f"{element} has no size in memory")
