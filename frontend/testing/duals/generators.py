"""Generators: values that are drawn anew for each run, and can be computed with.

The names, ranges and meanings are those of OneFlow's AutoTest.
"""

from __future__ import annotations

import builtins
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.testing.duals.choices import Choices
from penstock.testing.duals.run import choices

DEFAULT_RANGES: dict[Any, tuple[Any, Any]] = {int: (-10, 11), float: (-1, 1), complex: (-10, 10)}
"""The ranges of tensors' elements whose bounds are left out."""


class Nothing:
    """The value of an argument that is left out."""


class generator:
    """A value that is drawn when it is first asked for, and then stays the same.

    Generators and plain values can be added, subtracted and multiplied; `a | b` is one of the two.
    """

    def __init__(self, children: Sequence[Any] = ()) -> None:
        self.children = [child for child in children if isinstance(child, generator)]
        self._value: Any = None
        self._has_value = False

    def _init(self) -> None:
        """Forget the value, and those of all parts."""
        self._value, self._has_value = None, False
        for child in self.children:
            child._init()

    def eval(self) -> Any:
        """Draw anew."""
        self._init()
        return self.value()

    def value(self) -> Any:
        """The value, drawn at the first call."""
        if not self._has_value:
            self._value = self._calc_value()
            self._has_value = True
        return self._value

    def _calc_value(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} says no value")

    def to(self, annotation: Any) -> generator:
        """Let the parts that have no type yet be of this one, such as `int` or `float`."""
        self._to(annotation)
        for child in self.children:
            child.to(annotation)
        return self

    def _to(self, annotation: Any) -> None:
        """Only `random` has a type."""

    def size(self) -> int:
        """How many values there are to choose from, as `|` weights them."""
        return 1

    def __or__(self, other: Any) -> generator:
        share = self.size() / (self.size() + pack(other).size())
        return oneof(self, other, possibility=share)

    def __ror__(self, other: Any) -> generator:
        return self.__or__(other)

    def __add__(self, other: Any) -> generator:
        return Computed(lambda x, y: x + y, self, other)

    def __radd__(self, other: Any) -> generator:
        return Computed(lambda x, y: y + x, self, other)

    def __sub__(self, other: Any) -> generator:
        return Computed(lambda x, y: x - y, self, other)

    def __rsub__(self, other: Any) -> generator:
        return Computed(lambda x, y: y - x, self, other)

    def __mul__(self, other: Any) -> generator:
        return Computed(lambda x, y: x * y, self, other)

    def __rmul__(self, other: Any) -> generator:
        return Computed(lambda x, y: y * x, self, other)

    def __neg__(self) -> generator:
        return Computed(lambda x: -x, self)


def pack(value: Any) -> generator:
    """A generator of this value, or the generator itself."""
    return value if isinstance(value, generator) else constant(value)


class Computed(generator):
    """A function of the values of other generators."""

    def __init__(self, function: Callable[..., Any], *parts: Any) -> None:
        self._parts = [pack(part) for part in parts]
        self._function = function
        super().__init__(self._parts)

    def _calc_value(self) -> Any:
        return self._function(*[part.value() for part in self._parts])


class constant(generator):
    """Always this value."""

    def __init__(self, x: Any) -> None:
        super().__init__()
        self.x = x

    def _calc_value(self) -> Any:
        return self.x


class nothing(generator):
    """No value: a named argument that gets it is left out."""

    def _calc_value(self) -> Any:
        return Nothing()


class oneof(generator):
    """One of several values or generators.

    `possibility` is the probability of the first of two, or a sequence with that of each.
    """

    def __init__(self, *args: Any, possibility: Any = None) -> None:
        self.args = [pack(one) for one in args]
        if not args:
            raise located(ValueError, "oneof needs at least one value to choose from, got none")
        if isinstance(possibility, float):
            if len(args) != 2:
                raise located(
                    ValueError,
                    f"possibility of oneof is a number only for two values, got {len(args)}; pass "
                    "a sequence of as many",
                )
            possibility = [possibility, 1 - possibility]
        weights = [1.0] * len(args) if possibility is None else possibility
        self.possibility = pack(weights)
        super().__init__([*self.args, self.possibility])

    def _calc_value(self) -> Any:
        weights = list(self.possibility.value())
        if len(weights) != len(self.args):
            raise located(
                ValueError,
                f"possibility of oneof has {len(weights)} numbers for {len(self.args)} values; "
                "pass one for each",
            )
        return self.args[choices().weighted(weights)].value()

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function that is drawn."""
        return self.value()(*args, **named)

    def size(self) -> int:
        return sum(one.size() for one in self.args)


class tuple(generator):
    """A tuple of values."""

    def __init__(self, *args: Any) -> None:
        self.args = [pack(one) for one in args]
        super().__init__(self.args)

    def _calc_value(self) -> Any:
        return builtins.tuple(one.value() for one in self.args)


class random(generator):
    """A number of [low, high), whose type `to`, or the annotation of the parameter, decides.

    `random(1, 6).to(int)` is an integer of 1 to 5. Without a type it is an integer if both bounds
    are.
    """

    def __init__(self, low: Any = 1, high: Any = 6) -> None:
        self.low, self.high = pack(low), pack(high)
        self.annotation: Any = None
        super().__init__([self.low, self.high])

    def _to(self, annotation: Any) -> None:
        if self.annotation is None:
            self.annotation = annotation

    def _calc_value(self) -> Any:
        low, high = self.low.value(), self.high.value()
        for bound in (low, high):
            if isinstance(bound, complex) or not isinstance(bound, int | float):
                raise located(TypeError, f"random takes numbers as bounds, got {kind_of(bound)}")
        kind = self.annotation
        if kind is None:
            kind = int if isinstance(low, int) and isinstance(high, int) else float
        return _drawn(kind, low, high)


def _drawn(kind: Any, low: Any, high: Any) -> Any:
    """A number, or a nest of numbers, of this type."""
    source: Choices = choices()
    origin = typing.get_origin(kind)
    if origin is typing.Union or isinstance(kind, types.UnionType):
        options = [one for one in typing.get_args(kind) if _is_drawn(one)]
        if options:
            return _drawn(source.one_of(options), low, high)
    elif origin is builtins.tuple:
        return [_drawn(one, low, high) for one in typing.get_args(kind) if one is not ...]
    elif kind is int:
        if high <= low:
            raise located(
                ValueError,
                f"random({low}, {high}) has no integer to draw; let low be less than high",
            )
        return source.integer(int(low), int(high))
    elif kind is bool:
        return bool(source.integer(0, 2))
    elif kind is float:
        return source.real(low, high)
    elif kind is complex:
        return complex(source.real(low, high), source.real(low, high))
    elif kind is None or kind is type(None):
        return None
    raise located(
        TypeError,
        f"random draws int, float, bool or complex, got the type {kind}; say which with .to(int)",
    )


def _is_drawn(kind: Any) -> bool:
    """Whether `random` can be of this type."""
    origin = typing.get_origin(kind)
    if origin is typing.Union or isinstance(kind, types.UnionType) or origin is builtins.tuple:
        return any(_is_drawn(one) for one in typing.get_args(kind) if one is not ...)
    return kind in (int, float, bool, complex, None, type(None))


def random_or_nothing(low: Any, high: Any) -> generator:
    """A number of [low, high) in two of three cases, else nothing: the argument is left out."""
    return oneof(random(low, high), nothing(), possibility=2 / 3)


def random_bool() -> generator:
    """True or False."""
    return random().to(bool)


class random_device(generator):
    """A device that this machine has, "cpu" or "cuda"."""

    def _calc_value(self) -> str:
        devices: list[str] = ["cpu"]
        found: str = choices().one_of(devices)
        return found


class cpu_device(generator):
    """The device "cpu"."""

    def _calc_value(self) -> str:
        return "cpu"


class gpu_device(generator):
    """The device "cuda"."""

    def _calc_value(self) -> str:
        return "cuda"
