"""What PTX text says of itself: its version, the architecture it is for, and its kernels."""

import re
from typing import NamedTuple

__all__ = [
    "PtxHeader",
    "capability_of",
    "fits",
    "fits_cubin",
    "misfit",
    "newest_ptx",
    "read_header",
]

_VERSION = re.compile(r"^\.version\s+(\d+)\.(\d+)\s*$", re.MULTILINE)
_TARGET = re.compile(r"^\.target\s+(sm_(\d+)([af]?))\b", re.MULTILINE)
_ENTRY = re.compile(r"^\s*(?:\.visible\s+)?\.entry\s+([\w$]+)", re.MULTILINE)

# The PTX version that the driver of each CUDA version reads (PTX ISA, "Release Notes").
_OF_DRIVER = {
    12000: (8, 0), 12010: (8, 1), 12020: (8, 2), 12030: (8, 3), 12040: (8, 4), 12050: (8, 5),
    12060: (8, 5), 12080: (8, 7), 12090: (8, 8), 13000: (9, 0), 13010: (9, 1),
}  # fmt: skip


class PtxHeader(NamedTuple):
    """The head of PTX text."""

    version: tuple[int, int]
    target: str
    """Such as `sm_90a`."""
    capability: int
    is_exact: bool
    """Whether only devices of exactly that capability run it."""
    kernels: frozenset[str]


def read_header(ptx: str) -> PtxHeader:
    """What PTX text says of itself; ValueError if it lacks a version or a target.

    >>> read_header(".version 8.7\\n.target sm_90a\\n.visible .entry twice(").kernels
    frozenset({'twice'})
    """
    version, target = _VERSION.search(ptx), _TARGET.search(ptx)
    if version is None or target is None:
        raise ValueError("its PTX has no .version or no .target")
    return PtxHeader(
        (int(version[1]), int(version[2])),
        target[1],
        int(target[2]),
        bool(target[3]),
        frozenset(_ENTRY.findall(ptx)),
    )


def fits(target: str, architecture: str) -> bool:
    """Whether code for a target runs on a device of an architecture.

    >>> fits("sm_80", "sm_90"), fits("sm_90a", "sm_100"), fits("sm_90a", "sm_90")
    (True, False, True)
    """
    wanted, own = capability_of(target), capability_of(architecture)
    if target[-1] == "a":
        return wanted == own
    if target[-1] == "f":  # a family: the same major version
        return wanted // 10 == own // 10 and wanted <= own
    return wanted <= own


def fits_cubin(target: str, architecture: str) -> bool:
    """Whether machine code for a target runs on a device of an architecture: within a generation
    (CUDA C++ Programming Guide, "Binary Compatibility").

    >>> fits_cubin("sm_80", "sm_86"), fits_cubin("sm_80", "sm_90"), fits_cubin("sm_90a", "sm_90")
    (True, False, True)
    """
    is_near = capability_of(target) // 10 == capability_of(architecture) // 10
    return is_near and fits(target, architecture)


def capability_of(architecture: str) -> int:
    """The compute capability, times 10, that an architecture is named after.

    >>> capability_of("sm_90a")
    90
    """
    return int(re.sub(r"\D", "", architecture))


def misfit(header: PtxHeader, architecture: str, driver: int | None) -> str:
    """Why PTX cannot run on a device of an architecture with a driver of this version, or "".

    >>> misfit(read_header(".version 8.7\\n.target sm_90a"), "sm_80", 13000)
    'its PTX is for sm_90a, and the device is of sm_80: compile it for that, or place it on the CPU'
    """
    if not fits(header.target, architecture):
        return (
            f"its PTX is for {header.target}, and the device is of {architecture}: compile it for "
            "that, or place it on the CPU"
        )
    if driver is None:
        return ""
    newest = newest_ptx(driver)
    if header.version > newest and driver <= max(_OF_DRIVER):
        return (
            f"its PTX is of version {_dotted(header.version)}, and the driver reads versions up to "
            f"{_dotted(newest)}: update the driver, or compile for an older architecture"
        )
    return ""


def newest_ptx(driver: int) -> tuple[int, int]:
    """The newest version of PTX that a driver is known to read.

    >>> newest_ptx(12080), newest_ptx(14000)
    ((8, 7), (9, 1))
    """
    return max((v for k, v in _OF_DRIVER.items() if k <= driver), default=(7, 0))


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
