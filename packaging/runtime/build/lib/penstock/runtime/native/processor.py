"""The x86-64 level of this machine, from what the system says about its processor: a level of the
psABI, or x86-64-v4 with bfloat16 instructions.

Code for a level runs on machines of that level and above, but is not always the fastest.
"""

import os
from collections.abc import Iterable
from functools import cache

__all__ = ["LEVELS", "best", "check", "level", "supports"]

VARIABLE = "PENSTOCK_TARGET"

# The kernel's names: sse3 is pni there, and lzcnt is abm.
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
"""The features that a processor of a level must have."""

_MAKERS = {"x86-64-v4-bf16": "AuthenticAMD"}
"""The vendor whose processors gain from a level that others can run, too. Relative to f32, AMD's
sum twice as many terms per cycle with pairs (Zen 4). Intel's start a pair product only every other
cycle and sum half as many (Emerald Rapids)."""

_LOWEST = "x86-64-v2"
_FIRST = 1 << 14  # maximum bytes of the first processor's entry; there may be hundreds of entries


def level() -> str:
    """The level whose code to run: the environment's PENSTOCK_TARGET, or the best for this machine.

    Raises ValueError if the environment names an unknown level, or one that this machine lacks, or
    if the machine lacks even the lowest.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen and chosen not in LEVELS:
        raise ValueError(f"{VARIABLE} must be one of {', '.join(LEVELS)}, got {chosen!r}")
    wanted = chosen or best() or _LOWEST
    check(wanted)
    return wanted


def check(level: str) -> None:
    """Raise ValueError for a level that is unknown or that this machine does not run."""
    if not supports(level):
        lacks = ", ".join(name for name in LEVELS[level] if name not in _flags())
        other = best()
        raise ValueError(
            f"code for {level} does not run on this machine, which lacks {lacks}"
            + (f"; compile for {other}" if other else "")
        )


def best(levels: Iterable[str] = tuple(LEVELS)) -> str:
    """The fastest here of some levels, in order, whatever the environment says; empty if this
    machine runs none.

    It is the highest. If the processor's vendor does not gain from that, it is the one below it in
    `LEVELS`, provided that is among the levels.
    """
    runs = [level for level in levels if supports(level)]
    names = list(LEVELS)
    if len(runs) > 1 and _MAKERS.get(runs[-1]) not in (None, _maker()):
        below = names[names.index(runs[-1]) - 1]
        return below if below in runs else runs[-1]
    return runs[-1] if runs else ""


def supports(level: str) -> bool:
    """Whether this machine runs code for a level; ValueError for an unknown one."""
    if level not in LEVELS:
        raise ValueError(f"a processor level must be one of {', '.join(LEVELS)}, got {level!r}")
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
    """The system's entry for the first processor; even with several kinds it describes all."""
    for line in _cpuinfo().split("\n"):
        word, _, found = line.partition(":")
        if word.strip() == what:
            return found
    return ""
