"""Call-outs of a job: functions of the program that it calls in the middle of a step."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, cast

from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.job import Callout, PureCallout
from penstock.ir.record import Record
from penstock.ir.types import TensorType
from penstock.trace.blob import Blob
from penstock.trace.tracing import Trace, current_trace


def call_out(
    function: Callable[..., Any],
    operands: Sequence[Blob],
    types: Sequence[TensorType],
    name: str,
    *,
    pure: bool = False,
) -> list[Blob]:
    """Append a call of a function of arrays, which returns arrays of these types.

    It gets no gradient. A pure call is removed if nothing uses its results.
    """
    trace = current_trace("a call-out")
    label = new_callout(trace, name, function)
    kind = PureCallout if pure else Callout
    made = trace.create(kind, [one.value for one in operands], types=list(types), label=label)
    found = []
    for result in made.results:
        result.name = trace.fresh(label.replace("/", "."))
        found.append(Blob(result, result.name, trace, made.location))
    return found


def new_callout(trace: Trace, name: str, function: Callable[..., Any]) -> str:
    """Register the function of a call-out under a name of its own, and return the name."""
    label, number = name, 1
    while label in trace.callouts:
        number += 1
        label = f"{name}_{number}"
    trace.callouts[label] = function
    return label


def label_of(blob: Blob) -> str:
    """The name of the call-out that a blob is a result of."""
    return cast(Callout, blob.value.defining_op).label


class Recording(Record, eq=False):
    """A function that also keeps a record if the job has another call-out, which reads it."""

    plain: Callable[..., Any]
    recorded: Callable[..., Any]
    reader: str
    """The name of the other call-out."""
    owner: Any
    """What keeps the record: `take()` removes it, `put(record)` brings it back."""


def chosen(
    functions: Mapping[str, Callable[..., Any] | Recording], names: Container[str]
) -> dict[str, Callable[..., Any]]:
    """The functions for a job with call-outs of these names."""
    return {
        name: (one.recorded if one.reader in names else one.plain)
        if isinstance(one, Recording)
        else one
        for name, one in functions.items()
    }


def types_of(blobs: Sequence[Blob]) -> list[TensorType]:
    """The types of blobs, for call-outs that return such."""
    return [tensor(blob.value) for blob in blobs]
