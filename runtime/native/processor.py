"""The level of x86-64 that this machine has, from what the system says of its processor: those of
the psABI, and x86-64-v4 with instructions for bfloat16.

Code for a level runs on machines of that level and of those above, but is not always the fastest.
"""

import os
from collections.abc import Iterable
from functools import cache

__all__ = ["LEVELS", "best", "check", "level", "supports"]

VARIABLE = "PENSTOCK_TARGET"

# As the kernel calls them: sse3 is pni there, and lzcnt is abm.
_V2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")
_V3 = ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")
_V4 = ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
_BF16 = ("avx512_bf16",)
LEVELS = {
    "x86-64-v2": _V2,
    "x86-64-v3": _V2 + _V3,
    "x86-64-v4": _V2 + _V3 + _V4,
    "x86-64-v4-bf16": _V2 + _V3 + _V4 + _BF16,
}
"""What a processor of a level must have."""

_MAKERS = {"x86-64-v4-bf16": "AuthenticAMD"}
"""Whose processors gain by a level, which others may run: Intel's begin a product of pairs in every
other cycle, half as many sums as of floats (Emerald Rapids), AMD's twice as many (Zen 4)."""

_LOWEST = "x86-64-v2"
_FIRST = 1 << 14  # bytes that the first processor's entry takes at most; there may be hundreds


def level() -> str:
    """The level to run code of: the environment's PENSTOCK_TARGET, or the best for this machine.

    Raises ValueError where the environment names none, or one that this machine lacks, and where
    it lacks even the lowest.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen and chosen not in LEVELS:
        raise ValueError(f"{VARIABLE} is one of {', '.join(LEVELS)}, got {chosen!r}")
    wanted = chosen or best() or _LOWEST
    check(wanted)
    return wanted


def check(level: str) -> None:
    """Raise ValueError for a level that this machine does not run, or that there is not."""
    if not supports(level):
        lacks = ", ".join(name for name in LEVELS[level] if name not in _flags())
        other = best()
        raise ValueError(
            f"code for {level} does not run on this machine, which lacks {lacks}"
            + (f"; compile for {other}" if other else "")
        )


def best(levels: Iterable[str] = tuple(LEVELS)) -> str:
    """Which of some levels, in order, is the fastest here, whatever the environment says; empty
    where this machine runs none.

    It is the highest, or the one below it in `LEVELS`, if that is among them, where the processor's
    maker is not one whose processors gain by it.
    """
    runs = [level for level in levels if supports(level)]
    names = list(LEVELS)
    if len(runs) > 1 and _MAKERS.get(runs[-1]) not in (None, _maker()):
        below = names[names.index(runs[-1]) - 1]
        return below if below in runs else runs[-1]
    return runs[-1] if runs else ""


def supports(level: str) -> bool:
    """Whether this machine runs code for a level; ValueError for one that there is not."""
    if level not in LEVELS:
        raise ValueError(f"a level of processor is one of {', '.join(LEVELS)}, got {level!r}")
    return _flags().issuperset(LEVELS[level])


@cache
def _flags() -> frozenset[str]:
    return frozenset(_said("flags").split())


@cache
def _maker() -> str:
    return _said("vendor_id").strip()


def _cpuinfo() -> str:
    with open("/proc/cpuinfo", "rb", buffering=0) as file:
        return file.read(_FIRST).decode("ascii", "replace")


def _said(what: str) -> str:
    """What is said of the first processor; of a system with several kinds it is the same of all."""
    for line in _cpuinfo().split("\n"):
        word, _, found = line.partition(":")
        if word.strip() == what:
            return found
    return ""
