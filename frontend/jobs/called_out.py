"""Call-outs in functions of `flow.jit`, whose forward and backward are two jobs.

The forward returns the results of its call-outs, and the backward takes them, so that no function
of the program is called again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.functions.callouts import Recording
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job import Callout
from penstock.ir.record import Record
from penstock.trace.blob import Blob
from penstock.trace.tracing import Trace

Array = np.ndarray[Any, Any]


class Kept(Record, eq=False):
    """What the backward of one call needs of its call-outs."""

    arrays: Sequence[Array]
    records: Sequence[Any]


class CalledOut:
    """The functions of a trace's call-outs, all of which keep records for the backward."""

    def __init__(self, trace: Trace) -> None:
        self._recording = [one for one in trace.callouts.values() if isinstance(one, Recording)]
        self.functions = {
            name: one.recorded if isinstance(one, Recording) else one
            for name, one in trace.callouts.items()
        }

    def kept(self, arrays: Sequence[Array]) -> Kept:
        """What the call that has just run leaves for its backward."""
        return Kept(arrays, [one.owner.take() for one in self._recording])

    def restored(self, kept: Kept) -> Sequence[Array]:
        """The arrays for the backward, which finds the records where it expects them."""
        for one, record in zip(self._recording, kept.records, strict=True):
            one.owner.put(record)
        return kept.arrays


def _called(op: Operation) -> bool:
    return isinstance(op, Callout) and not op.pure


def called_out(trace: Trace) -> list[Blob]:
    """The results of call-outs that must not be called again."""
    ops = [op for op in trace.function.body if _called(op)]
    return [Blob(result, result.name, trace, op.location) for op in ops for result in op.results]


def replace_called(function: Func) -> None:
    """Let arguments take the place of the results of these call-outs."""
    for op in [op for op in function.body if _called(op)]:
        for result in op.results:
            argument = function.body.add_argument(tensor(result), result.name)
            result.replace_all_uses_with(argument)
        op.erase()
