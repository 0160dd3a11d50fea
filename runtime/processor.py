"""The level of x86-64 that this machine has, from what the system says of its processor: those of
the psABI, and x86-64-v4 with instructions for bfloat16.

Code for a level runs on machines of that level and of those above.
"""

import os
from functools import cache

__all__ = ["LEVELS", "check", "highest", "level", "supports"]

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

_LOWEST = "x86-64-v2"
_FIRST = 1 << 14  # bytes that the first processor's entry takes at most; there may be hundreds


def level() -> str:
    """The level to run code of: the environment's PENSTOCK_TARGET, or the highest this machine has.

    Raises ValueError where the environment names none, or one that this machine lacks, and where
    it lacks even the lowest.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen and chosen not in LEVELS:
        raise ValueError(f"{VARIABLE} is one of {', '.join(LEVELS)}, got {chosen!r}")
    wanted = chosen or highest() or _LOWEST
    check(wanted)
    return wanted


def check(level: str) -> None:
    """Raise ValueError for a level that this machine does not run, or that there is not."""
    if not supports(level):
        lacks = ", ".join(name for name in LEVELS[level] if name not in _flags())
        best = highest()
        raise ValueError(
            f"code for {level} does not run on this machine, which lacks {lacks}"
            + (f"; compile for {best}" if best else "")
        )


def highest() -> str:
    """The highest level of this machine, whatever the environment says; empty where it has none."""
    return next((level for level in reversed(LEVELS) if supports(level)), "")


def supports(level: str) -> bool:
    """Whether this machine runs code for a level; ValueError for one that there is not."""
    if level not in LEVELS:
        raise ValueError(f"a level of processor is one of {', '.join(LEVELS)}, got {level!r}")
    return _flags().issuperset(LEVELS[level])


@cache
def _flags() -> frozenset[str]:
    return _flags_in(_cpuinfo())


def _cpuinfo() -> str:
    with open("/proc/cpuinfo", "rb", buffering=0) as file:
        return file.read(_FIRST).decode("ascii", "replace")


def _flags_in(text: str) -> frozenset[str]:
    """The flags of the first processor; of a system with several kinds they are all the same."""
    for line in text.split("\n"):
        word, _, flags = line.partition(":")
        if word.strip() == "flags":
            return frozenset(flags.split())
    return frozenset()
