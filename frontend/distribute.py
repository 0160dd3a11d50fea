"""`flow.distribute`: how ranks share a tensor. On one rank, all are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.basics.notices import renamed
from penstock.scope import (
    consistent_view,
    consistent_view_enabled,
    mirrored_view,
    mirrored_view_enabled,
)

T = TypeVar("T")


class Distribute:
    """A distribution of a tensor over devices; compare with `is`."""

    def __init__(
        self, text: str, axis: int | None = None, each: tuple[Distribute, ...] = ()
    ) -> None:
        self._text = text
        self.axis = axis
        self.each = each
        """The distributions on the axes of a mesh, if it has several."""

    @property
    def is_auto(self) -> bool:
        """Whether the compiler chooses."""
        return self is _AUTO

    @property
    def short(self) -> str:
        """As in the names of blobs: `S0`, `B`, or on two axes `S0,B`."""
        if self.each:
            return ",".join(one.short for one in self.each)
        return "B" if self.axis is None else f"S{self.axis}"

    def __repr__(self) -> str:
        return repr(self.each) if self.each else f"flow.distribute.{self._text}"


Distribution = Distribute | Sequence[Distribute]
"""One distribution, or one for each axis of a mesh of devices."""


_BROADCAST = Distribute("broadcast()")
_AUTO = Distribute("auto()")


@cache
def _on_axes(each: tuple[Distribute, ...]) -> Distribute:
    return Distribute("", None, each)


@cache
def _split(axis: int) -> Distribute:
    return Distribute(f"split({axis})", axis)


def broadcast() -> Distribute:
    """Every device has the whole value."""
    return _BROADCAST


def auto() -> Distribute:
    """The compiler chooses."""
    return _AUTO


def split(axis: int) -> Distribute:
    """Each device has a part, split along `axis`."""
    if type(axis) is not int or axis < 0:
        raise located(
            ValueError, f"flow.distribute.split takes an axis of at least 0, got {kind_of(axis)}"
        )
    return _split(axis)


def _view(old: str, function: Callable[[], T]) -> Callable[[], T]:
    return renamed(function, f"flow.distribute.{old}", f"flow.scope.{function.__name__}")


consistent_strategy = _view("consistent_strategy", consistent_view)
mirrored_strategy = _view("mirrored_strategy", mirrored_view)
consistent_strategy_enabled = _view("consistent_strategy_enabled", consistent_view_enabled)
mirrored_strategy_enabled = _view("mirrored_strategy_enabled", mirrored_view_enabled)


def assert_is_valid_distribute(distribute: object) -> None:
    """Raise a located TypeError unless this is a distribution from `flow.distribute`."""
    check_distribute(distribute, "distribute")


def check_distribute(value: object, what: str) -> Distribute:
    """The distribution; a list of them, one for each axis of a mesh, as one.

    Raises a located TypeError for anything else.
    """
    if isinstance(value, list | tuple) and value:
        each = tuple(check_distribute(one, f"distribution of each axis in {what}") for one in value)
        if any(one.is_auto or one.each for one in each):
            raise located(
                TypeError,
                f"{what} must be split(axis) or broadcast() on each axis of the mesh, got {value}; "
                "auto() alone leaves the choice on all axes to the compiler",
            )
        return _on_axes(each) if len(each) > 1 else each[0]
    if not isinstance(value, Distribute):
        raise located(
            TypeError,
            f"{what} must be flow.distribute.broadcast(), auto() or split(axis), "
            f"got {kind_of(value)}",
        )
    return value


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.distribute")
