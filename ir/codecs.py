"""Codecs of declared attributes: between plain Python values and stored attributes."""

from __future__ import annotations

import dataclasses
import operator
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
    attribute,
    python_value,
    unit,
)
from penstock.ir.diagnostics import pass_interrupt
from penstock.ir.types import Type

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """One kind of declared attribute; `description` completes "expected ..."."""

    description: str
    encode: Callable[[T], Attribute]
    decode: Callable[[Any], T]
    accepts: Callable[[Attribute], bool]
    irdl: str = "irdl.any"
    keywords: tuple[str, ...] = ()
    """For an enumeration: its cases, printed bare in custom forms."""
    bare_integer: bool = False
    """Custom forms show the number without its type, which `encode` gives it."""
    bracketed: bool = False
    """Custom forms show `array<i64: 1, 2>` as `[1, 2]`."""

    def checked(self, what: str, value: T) -> Attribute:
        """The value as an attribute; a TypeError names `what` if the value is of another kind."""
        try:
            return self.encode(value)
        except Exception as error:
            pass_interrupt(error)
            why = f": {error}" if isinstance(error, ValueError | OverflowError) else ""
            raise TypeError(
                f"{what} must be {self.description}, got {reprlib.repr(value)} of type "
                f"{type(value).__name__}{why}"
            ) from error


def _is(*classes: type[Attribute]) -> Callable[[Attribute], bool]:
    return lambda attr: isinstance(attr, classes)


def _same(*classes: type[Any]) -> Callable[[Any], Any]:
    """A codec function that passes values of these classes through."""

    def encode(value: Any) -> Any:
        if not isinstance(value, classes):
            raise TypeError
        return value

    return encode


_text, _type = _same(str), _same(Type)


def _items(values: Any) -> Any:
    if isinstance(values, str):  # a string is not a list of characters
        raise TypeError
    return values


def _float(value: Any) -> FloatAttr:
    if not hasattr(value, "__float__"):  # float() would parse a string
        raise TypeError
    return FloatAttr.of(value)


def _value(attr: Any) -> Any:
    return attr.value


def _whole(value: float) -> Attribute:
    """An integer that no float equals. NaN, which equals nothing, counts as a float."""
    return IntegerAttr(value) if isinstance(value, int) else _float(value)


BOOL: Codec[bool] = Codec(
    "true or false",
    lambda value: IntegerAttr(value, ty.i1),
    lambda attr: bool(attr.value),
    lambda attr: isinstance(attr, IntegerAttr) and attr.type is ty.i1,
    'irdl.base "#builtin.integer"',
)
INTEGER: Codec[int] = Codec(
    "an integer",
    lambda value: IntegerAttr(operator.index(value)),
    _value,
    _is(IntegerAttr),
    'irdl.base "#builtin.integer"',
    bare_integer=True,
)
INTEGER32: Codec[int] = Codec(
    "an integer of type i32",
    lambda value: IntegerAttr(operator.index(value), ty.i32),
    _value,
    lambda attr: isinstance(attr, IntegerAttr) and attr.type is ty.i32,
)
INDEX_NUMBER: Codec[int] = Codec(
    "an integer of type index",
    lambda value: IntegerAttr(operator.index(value), ty.index),
    _value,
    lambda attr: isinstance(attr, IntegerAttr) and attr.type is ty.index,
    bare_integer=True,
)
FLOAT: Codec[float] = Codec("a float", _float, _value, _is(FloatAttr), 'irdl.base "#builtin.float"')
NUMBER: Codec[float] = Codec(
    "a number",
    lambda value: _float(value) if float(value) == value else _whole(value),
    _value,
    _is(FloatAttr, IntegerAttr),
)
"""A float, or an integer that no float equals: an element of any type."""
STRING: Codec[str] = Codec(
    "a string",
    lambda value: StringAttr(_text(value)),
    _value,
    _is(StringAttr),
    'irdl.base "#builtin.string"',
)
STRINGS: Codec[Sequence[str]] = Codec(
    "a list of strings",
    lambda values: ArrayAttr(tuple(StringAttr(_text(value)) for value in _items(values))),
    lambda attr: [item.value for item in attr.items],
    lambda attr: isinstance(attr, ArrayAttr) and all(isinstance(i, StringAttr) for i in attr.items),
)
TYPE: Codec[Type] = Codec(
    "a type",
    lambda value: TypeAttr(_type(value)),
    _value,
    _is(TypeAttr),
    'irdl.base "#builtin.type"',
)
FUNCTION_TYPE: Codec[ty.FunctionType] = Codec(
    "a function type such as (f32) -> f32",
    TypeAttr,
    _value,
    lambda attr: isinstance(attr, TypeAttr) and isinstance(attr.value, ty.FunctionType),
)
SYMBOL: Codec[str] = Codec(
    "a symbol", SymbolRefAttr, lambda attr: str(attr.name), _is(SymbolRefAttr)
)
NESTED_SYMBOL: Codec[Sequence[str]] = Codec(
    "a symbol in another, such as @kernels::@k",
    lambda names: SymbolRefAttr(names[0], tuple(_items(names)[1:])),
    lambda attr: [attr.name, *attr.nested],
    lambda attr: isinstance(attr, SymbolRefAttr) and bool(attr.nested),
)
UNIT: Codec[bool] = Codec("a unit", lambda value: unit, lambda attr: True, _is(UnitAttr))
INTEGERS: Codec[Sequence[int]] = Codec(
    "a list of integers: array<i64: ...>",
    lambda values: DenseArrayAttr(ty.i64, tuple(map(operator.index, _items(values)))),
    lambda attr: list(attr.values),
    lambda attr: isinstance(attr, DenseArrayAttr) and attr.element is ty.i64,
    'irdl.base "#builtin.dense_array"',
)
INTEGERS32: Codec[Sequence[int]] = Codec(
    "a list of integers: array<i32: ...>",
    lambda values: DenseArrayAttr(ty.i32, tuple(map(operator.index, _items(values)))),
    lambda attr: list(attr.values),
    lambda attr: isinstance(attr, DenseArrayAttr) and attr.element is ty.i32,
)
BRACKETED = dataclasses.replace(INTEGERS, bracketed=True)
"""A list of integers that custom forms show in brackets."""
INTEGER_ARRAY: Codec[Sequence[int]] = Codec(
    "a list of integers: [1, 2]",
    lambda values: ArrayAttr(tuple(IntegerAttr(operator.index(value)) for value in values)),
    lambda attr: [item.value for item in attr.items],
    lambda attr: (
        isinstance(attr, ArrayAttr)
        and all(isinstance(i, IntegerAttr) and i.type is ty.i64 for i in attr.items)
    ),
)
BOOLS: Codec[Sequence[bool]] = Codec(
    "a list of booleans: [true, false]",
    lambda values: ArrayAttr(tuple(IntegerAttr(value, ty.i1) for value in values)),
    lambda attr: [bool(item.value) for item in attr.items],
    lambda attr: (
        isinstance(attr, ArrayAttr)
        and all(isinstance(i, IntegerAttr) and i.type is ty.i1 for i in attr.items)
    ),
)
MAP: Codec[AffineMap] = Codec(
    "an affine map", AffineMapAttr, lambda attr: attr.map, _is(AffineMapAttr)
)
MAPS: Codec[Sequence[AffineMap]] = Codec(
    "a list of affine maps",
    lambda maps: ArrayAttr(tuple(AffineMapAttr(m) for m in maps)),
    cache(lambda attr: tuple(item.map for item in attr.items)),
    cache(
        lambda attr: (
            isinstance(attr, ArrayAttr) and all(isinstance(i, AffineMapAttr) for i in attr.items)
        )
    ),
)
DICT: Codec[dict[str, Any]] = Codec(
    "a dictionary", attribute, python_value, _is(DictAttr), 'irdl.base "#builtin.dictionary"'
)
ELEMENTS: Codec[DenseElementsAttr] = Codec(
    "a dense constant", _same(DenseElementsAttr), lambda attr: attr, _is(DenseElementsAttr)
)
ATTRIBUTE: Codec[Attribute] = Codec("any attribute", _same(Attribute), lambda a: a, lambda a: True)


def enumeration(description: str, *cases: str) -> Codec[str]:
    """A choice stored as its position, an i64, as upstream stores e.g. arith's predicates."""
    return Codec(
        f"{description}: one of {', '.join(cases)}",
        {case: IntegerAttr(position) for position, case in enumerate(cases)}.__getitem__,
        lambda attr: cases[attr.value],
        lambda attr: isinstance(attr, IntegerAttr) and 0 <= attr.value < len(cases),
        keywords=cases,
    )


def choice(description: str, *cases: str) -> Codec[str]:
    """A choice stored as a string, for dialects of our own."""
    return Codec(
        f"{description}: one of {', '.join(cases)}",
        {case: StringAttr(case) for case in cases}.__getitem__,
        _value,
        lambda attr: isinstance(attr, StringAttr) and attr.value in cases,
        'irdl.base "#builtin.string"',
    )


def opaque_choice(dialect_attribute: str, *cases: str) -> Codec[str]:
    """A choice stored as `#dialect.name<case>`, as upstream's `vector.kind`."""
    texts = {case: OpaqueAttr(f"#{dialect_attribute}<{case}>") for case in cases}
    words = {attr: case for case, attr in texts.items()}
    return Codec(
        f"#{dialect_attribute} of one of {', '.join(cases)}",
        texts.__getitem__,
        words.__getitem__,
        words.__contains__,
        keywords=cases,
    )


def angled_choice(mnemonic: str, *cases: str) -> Codec[str]:
    """A choice stored as `#dialect<mnemonic case>`, as upstream's `#gpu<dim x>`.

    `mnemonic` is `dialect.mnemonic`.
    """
    dialect, _, word = mnemonic.partition(".")
    texts = {case: OpaqueAttr(f"#{dialect}<{word} {case}>") for case in cases}
    words = {attr: case for case, attr in texts.items()}
    return Codec(
        f"#{dialect}<{word} ...> of one of {', '.join(cases)}",
        texts.__getitem__,
        words.__getitem__,
        words.__contains__,
        keywords=cases,
    )


def opaque_enumeration(dialect_attribute: str, *cases: str) -> Codec[Sequence[str]]:
    """A list of `#dialect.name<case>`, as upstream's `iterator_types`."""
    texts = {case: OpaqueAttr(f"#{dialect_attribute}<{case}>") for case in cases}
    words = {attr: case for case, attr in texts.items()}
    return Codec(
        f"a list of #{dialect_attribute}",
        lambda values: ArrayAttr(tuple(texts[value] for value in values)),
        cache(lambda attr: tuple(words[item] for item in attr.items)),
        cache(lambda attr: isinstance(attr, ArrayAttr) and all(i in words for i in attr.items)),
    )
