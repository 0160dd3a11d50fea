"""The form of an artifact's report of its blobs, which `penstock show --why` prints."""

from collections.abc import Iterable
from typing import Any

__all__ = ["is_report"]

_MOST_LETTERS = 16 << 20
"""Limit on a report's text with kernels expanded: each blob repeats the kernels it names."""
_PLACED = {"place": str, "name": str, "offset": int, "bytes": int}


def is_report(found: Any, taps: Iterable[str]) -> bool:
    """Whether this is a report on these taps, within the limit on its expanded text.

    >>> kernel = {"name": "relu_0", "ops": ["relu"], "lines": ["train.py:7"]}
    >>> is_report({"kernels": [kernel], "blobs": {"y": {"made": [0], "read": []}}}, ["y"])
    True
    >>> is_report({"kernels": [], "blobs": {"y": {"made": [0], "read": []}}}, ["y"])
    False
    """
    if not isinstance(found, dict):
        return False
    kernels, blobs = found.get("kernels"), found.get("blobs")
    if not (isinstance(kernels, list) and all(map(_is_kernel, kernels))):
        return False
    if not (
        isinstance(blobs, dict) and all(_is_blob(blobs.get(tap), len(kernels)) for tap in taps)
    ):
        return False
    letters = [_letters(kernel) for kernel in kernels]
    told = (letters[n] for tap in taps for n in (*blobs[tap]["made"], *blobs[tap]["read"]))
    total: int = sum(told)
    return total <= _MOST_LETTERS


def _is_kernel(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return False
    lists = (found.get("ops"), found.get("lines"))
    return all(isinstance(each, list) and _all(each, str) for each in lists)


def _letters(kernel: dict[str, Any]) -> int:
    return len(kernel["name"]) + sum(len(word) + 2 for word in (*kernel["ops"], *kernel["lines"]))


def _is_blob(found: Any, kernels: int) -> bool:
    if not isinstance(found, dict):
        return False
    for key in ("made", "read"):
        numbers = found.get(key)
        if not isinstance(numbers, list) or not _all(numbers, int):
            return False
        if len(set(numbers)) != len(numbers) or not all(0 <= n < kernels for n in numbers):
            return False
    needed = {"feed": "name", "variable": "name", "fetch": "name", "arena": "offset", None: "made"}
    place = found.get("place")
    return bool(
        all(type(found[key]) is kind for key, kind in _PLACED.items() if key in found)
        and place in needed
        and needed[place] in found
        and (place is None or "bytes" in found)
    )


def _all(values: list[Any], kind: type) -> bool:
    return all(type(value) is kind for value in values)
