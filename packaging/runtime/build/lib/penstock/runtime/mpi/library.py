"""The MPI library that mpi4py has loaded, whose functions native code calls by address."""

import ctypes
import os
from typing import Any

__all__ = ["address", "handle", "library", "version"]


def library(mpi: Any) -> ctypes.CDLL:
    """The library of mpi4py's `MPI`.

    Raises OSError if it is not among the files that this process has mapped.
    """
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        files = dict.fromkeys(line.split(maxsplit=5)[-1].strip() for line in maps)
    for file in files:
        name = os.path.basename(file)
        if name.startswith("libmpi") and ".so" in name:
            found = ctypes.CDLL(file)
            if hasattr(found, "MPI_Init_thread"):
                return found
    raise OSError(f"{version(mpi)} is no shared library that native code can call; use another MPI")


def version(mpi: Any) -> str:
    """The name and the version of the library."""
    return str(mpi.Get_library_version().partition("\n")[0].strip("\0 "))


def address(found: ctypes.CDLL, name: str) -> int:
    """The address of a function of MPI."""
    return ctypes.cast(getattr(found, name), ctypes.c_void_p).value or 0


def handle(mpi: Any, of: Any) -> int:
    """What C code passes for a communicator, an element type or an operation of mpi4py.

    A library's handles are ints or pointers. As 64 bits they are passed in the same register.
    """
    return int(mpi._handleof(of))
