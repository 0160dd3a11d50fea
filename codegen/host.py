"""This machine as LLVM sees it, and the levels of processor that code is compiled for."""

from __future__ import annotations

from functools import cache

from penstock.codegen.cache import key_of, source_digest
from penstock.codegen.llvm_library import library_stamp, text_of

_V2 = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
LEVELS = {
    "x86-64-v2": _V2,
    "x86-64-v3": _V3,
    "x86-64-v4": _V4,
    "x86-64-v4-bf16": (*_V4, "avx512bf16"),
}
"""The processors to compile for, and what they must have: levels of the x86-64 psABI, and one that
has more."""

MAKERS = {"x86-64-v4-bf16": "AuthenticAMD"}
"""Whose processors gain by a level, which others may run: Intel's begin a product of pairs in every
other cycle, half as many sums as of floats (Emerald Rapids), AMD's twice as many (Zen 4)."""

_AS_LLVM = {"x86-64-v4-bf16": ("x86-64-v4", "+avx512bf16")}
"""Name and features of levels that LLVM does not know by name."""


@cache
def host_cpu() -> str:
    """The name of this machine's processor, as LLVM has it."""
    return text_of("LLVMPY_GetHostCPUName")


@cache
def host_features() -> str:
    """What this machine's processor has and lacks, as LLVM takes it: `+avx2,-avx512f`."""
    return text_of("LLVMPY_GetHostCPUFeatures")


def host_levels() -> list[str]:
    """The levels that this machine runs code for."""
    present = set(host_features().split(","))
    return [level for level in LEVELS if not _missing(level, present)]


def host_level() -> str:
    """The level of this machine: the highest, but for those by which its processor does not gain.

    It is that of `runtime.processor`, which knows nothing of LLVM.
    """
    levels = [level for level in host_levels() if MAKERS.get(level) in (None, _maker())]
    return levels[-1] if levels else next(iter(LEVELS))


@cache
def _maker() -> str:
    """Who made this machine's processor, of which LLVM knows only the models that are its own."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        said = (line.partition(":") for line in file)
        return next((found.strip() for word, _, found in said if word.strip() == "vendor_id"), "")


def check_level(cpu: str) -> None:
    """Raise ValueError for a name that is not one of `LEVELS`."""
    if cpu not in LEVELS:
        raise ValueError(
            f"there is no processor {cpu!r} to compile for: expected one of "
            f"{', '.join(LEVELS)}, or None for this machine"
        )


def _missing(cpu: str | None, present: set[str]) -> list[str]:
    return [feature for feature in LEVELS.get(cpu or "", ()) if f"+{feature}" not in present]


def processor(cpu: str | None) -> tuple[str, str]:
    """Name and features of a processor, this machine's where None, as LLVM takes them.

    Raises ValueError for a name that is neither the host's nor one of `LEVELS`: LLVM would take
    any name and compile for the oldest processor.
    """
    if cpu is not None and cpu not in LEVELS and cpu != host_cpu():
        check_level(cpu)
    if cpu in LEVELS:
        return _AS_LLVM.get(cpu, (cpu, ""))
    return host_cpu(), host_features()


@cache
def identity(cpu: str | None) -> str:
    """All but the text that an object depends on: LLVM, and the processor.

    For a level of processor, LLVM is not loaded.
    """
    return "\n".join([*library_stamp(), *processor(cpu)])


@cache
def version() -> str:
    """What stands for how this package makes objects of modules."""
    return source_digest(["penstock.codegen"])


def object_key(kind: str, text: str, cpu: str | None) -> str:
    """The key of the object that is made of a text, for a processor, in the way the kind names."""
    return key_of(kind, text, identity(cpu), version())
