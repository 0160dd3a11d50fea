"""The native runtime: C sources, and the LLVM text that clang made of each at development time.

    layouts.h   the structures that the sources share with each other, with Python and with CPython
    python.h    the functions of CPython that they call
    pool.c      the thread pool
    call.c      the call of a job from Python
    memory.c    memory for large results of ops on tensors
    eager.c     ops on tensors
    eager.h     what it shares with
    change.c    changes of tensors in place
    backward.c  the gradients of tensors
    taps.c      what a job calls back: handlers of blobs, call-outs, and polls for Ctrl-C
    ranks.c     the collectives of jobs on ranks of MPI
    profile.c   what jobs that are profiled call: records of kernels and tasks
    library.c   what the functions of a C library of jobs have in common

Users need no C compiler: LLVM, which compiles their jobs, compiles the text. After a change to the
sources, `make native` regenerates the text.
"""

from __future__ import annotations

import os
from functools import cache

__all__ = ["ARCHITECTURE", "FOLDER", "native_text"]

FOLDER = os.path.dirname(os.path.abspath(__file__))
ARCHITECTURE = "x86_64"
"""The architecture of the text, the only one that objects are linked for."""


@cache
def native_text(name: str) -> str:
    """The LLVM text of a source, such as "pool"."""
    with open(os.path.join(FOLDER, f"{name}.{ARCHITECTURE}.ll"), encoding="ascii") as file:
        return file.read()
