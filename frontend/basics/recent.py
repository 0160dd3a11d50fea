"""A bound on what is kept of ops that ran, however many shapes and attributes a program has."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

MOST = 4096
"""More than the ops that one step of a model has; some kB are kept for each."""


class Recent(Generic[Value]):
    """The values used last: at least `most` of them, and at most twice as many."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._now: dict[Hashable, Value] = {}
        self._before: dict[Hashable, Value] = {}

    def __len__(self) -> int:
        return len(self._now) + len(self._before)

    def get(self, key: Hashable) -> Value | None:
        """The value of this key, if it is still kept."""
        found = self._now.get(key)
        if found is None and self._before:
            found = self._before.pop(key, None)
            if found is not None:
                self.keep(key, found)
        return found

    def keep(self, key: Hashable, value: Value) -> Value:
        """Keep this value, unless another thread was first; gives the one that is kept."""
        if len(self._now) >= self._most:
            self._before, self._now = self._now, {}
        return self._now.setdefault(key, value)
