"""Whether ops are recorded: only within the call of a gradient function."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from penstock.tensors.modes import enable_grad, mode, no_grad


class _Depth(threading.local):
    value = 0


_depth = _Depth()


@contextmanager
def recording() -> Iterator[bool]:
    """Record ops; the value says whether an outer gradient needs the gradients' own."""
    _depth.value += 1
    try:
        with enable_grad():
            yield _depth.value > 1
    finally:
        _depth.value -= 1


def is_differentiated() -> bool:
    """Whether gradients are computed of what runs now."""
    return _depth.value > 0


_NOTHING = nullcontext()


def unless_differentiated() -> Any:
    """Record nothing inside, unless gradients are computed of it or it is traced."""
    return _NOTHING if _depth.value or mode.traced is not None else no_grad()
