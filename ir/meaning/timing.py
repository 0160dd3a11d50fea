"""Kernels that are timed: what a call says so that profiles know what it computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.ir.attributes import DictAttr, python_value
from penstock.ir.core import Operation

TIMED = "job.timed"
"""Attribute of a call: record when it begins and ends, under the number `id`. The rest is for those
who read the profile: the kernel's name, its work, and the user's lines with their shares of it."""

STEP = -1
"""In place of a kernel's number: the whole step."""

_NUMBERS = ("id", "flops", "doubles", "pairs", "transcendentals", "read", "written", "arena")
_KEYS = {*_NUMBERS, "name", "places", "weights"}


def timing_of(call: Operation) -> Mapping[str, Any] | None:
    """What is to be recorded of a call, in plain values; None if nothing is.

    Raises a located `IRError` if the attribute is malformed.
    """
    attribute = call.attributes.get(TIMED)
    if attribute is None:
        return None
    entry = python_value(attribute) if isinstance(attribute, DictAttr) else {}
    fits = set(entry) == _KEYS and isinstance(entry["name"], str)
    fits = fits and all(type(entry[key]) is int and 0 <= entry[key] < 1 << 62 for key in _NUMBERS)
    fits = fits and _are_shared(entry["places"], entry["weights"]) and entry["id"] < 1 << 31
    if not fits:
        call.fail(
            f"has {TIMED} = {attribute}: expected {{{', '.join((*_NUMBERS, 'name'))}}}, and as "
            "many weights as places"
        )
    return entry


def _are_shared(places: object, weights: object) -> bool:
    if not (isinstance(places, list) and isinstance(weights, list)):
        return False
    numbers = all(type(weight) is int and weight > 0 for weight in weights)
    texts = all(isinstance(place, str) for place in places)
    return numbers and texts and len(places) == len(weights)
