"""Watching blobs of live jobs and graphs by pattern, as `watch` of artifacts does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.basics.errors import located
from penstock.basics.notices import tell_once
from penstock.ir.record import Record
from penstock.runtime.description import Description
from penstock.runtime.execution.points import Pattern, bound, matching, refusal

Call = Callable[[Any], object]


class Watch(Record, eq=False):
    """Blobs that are watched, and the handler that gets them."""

    pattern: Pattern
    handler: Callable[..., object]


def check_watch(watch: Watch, description: Description, subject: str) -> None:
    """Raise a located ValueError if the pattern matches nothing, and a located TypeError if it or
    the handler is of a wrong type."""
    try:
        wrong = refusal(subject, description.taps, watch.pattern)
        for tap in matching(description.taps, watch.pattern):
            bound(watch.handler, tap)
    except TypeError as error:
        raise located(TypeError, f"watch of {subject}: {error}") from None
    if wrong:
        raise located(ValueError, wrong)


def handlers_by_tap(
    description: Description,
    own: Mapping[str, Sequence[Call]],
    watches: Sequence[Watch],
    subject: str,
) -> dict[int, list[Call]]:
    """Handlers by the number of the tap: the job's `own` by name, then those of the watches."""
    taps = {tap.name: tap.id for tap in description.taps}
    for point in own.keys() - taps:
        lost = f"watch point {point} of {subject}"
        tell_once(lost, f"{lost} has no gradient, so its handlers never run")
    found = {taps[point]: list(calls) for point, calls in own.items() if point in taps and calls}
    for watch in watches:
        for tap in matching(description.taps, watch.pattern):
            found.setdefault(tap.id, []).append(bound(watch.handler, tap))
    return found
