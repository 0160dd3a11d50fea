"""Steps of compiled code that an observer may run in its own way, such as with more taps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from penstock.ir.record import Record
from penstock.lowering.modules import Modules
from penstock.runtime import VariableStore
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Handlers

Array = np.ndarray[Any, Any]
Call = Callable[[Any], object]


class Step(Record, eq=False):
    """A step about to run. Any code made of its modules can run it."""

    subject: str
    """What runs, such as "job 'train_job'"."""
    owner: object
    """What the modules belong to, for as long as it lives."""
    modules: Modules
    handlers: Mapping[str, Sequence[Call]]
    """The handlers of its watch points, by name."""
    store: VariableStore
    run: Callable[[Runnable, Handlers], Sequence[Array]]
    callouts: Mapping[str, Any] = field(default_factory=dict)
    """The functions of its call-outs, by name."""


def handlers_by_name(code: Runnable, handlers: Handlers) -> dict[str, Sequence[Call]]:
    """Handlers by the names of their taps."""
    taps = code.description.taps
    return {taps[number].name: calls for number, calls in handlers.items()}
