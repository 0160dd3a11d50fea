"""Profiles that a page shows: the times of kernels and of the user's lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.runtime.profiling.profile import Profile
from penstock.tools.shared.errors import InputError
from penstock.tools.shared.texts import read_text

_PARTS = ("kernels", "lines")


def read_profile(path: str, job: str) -> dict[str, Any]:
    """The times of a job in a file that `penstock profile --json` wrote.

    Raises InputError if there are none.
    """
    text, name = read_text(path)
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InputError(f"{name}: expected what penstock profile --json prints: {error}") from None
    try:
        return times_of(found, job)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def times_of(found: Profile | object, job: str) -> dict[str, Any]:
    """The times of a job in a profile, in its `to_dict()` or in its `job_dict()`.

    They are in microseconds a step. Raises ValueError if there are none.
    """
    plain = found.to_dict() if isinstance(found, Profile) else found
    if not isinstance(plain, Mapping) or not plain.keys() & {"jobs", "kernels"}:
        raise ValueError("expected a profile, as penstock profile --json prints")
    jobs = plain["jobs"] if "jobs" in plain else {plain.get("job"): plain}
    if not isinstance(jobs, Mapping) or job not in jobs:
        known = ", ".join(map(str, jobs))
        raise ValueError(f"expected a profile of {job}, got one of {known or 'no job'}")
    times = jobs[job]
    try:
        if times["unit"] != "us":
            raise ValueError
        shown = {part: {str(k): _time(v) for k, v in times[part].items()} for part in _PARTS}
        return {"unit": "us", "steps": int(times["steps"]), **shown}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(f"expected the us of each kernel and each line of {job}") from None


def _time(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError
    return float(value)
