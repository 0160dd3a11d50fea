"""`flow.distribute`: how ranks share a tensor. On one rank, all are the same."""

from __future__ import annotations

from collections.abc import Callable
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

    def __init__(self, text: str, axis: int | None = None) -> None:
        self._text = text
        self.axis = axis

    @property
    def is_auto(self) -> bool:
        """Whether the compiler chooses."""
        return self is _AUTO

    def __repr__(self) -> str:
        return f"flow.distribute.{self._text}"


_BROADCAST = Distribute("broadcast()")
_AUTO = Distribute("auto()")


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
    if not isinstance(value, Distribute):
        raise located(
            TypeError,
            f"{what} must be flow.distribute.broadcast(), auto() or split(axis), "
            f"got {kind_of(value)}",
        )
    return value


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.distribute")
