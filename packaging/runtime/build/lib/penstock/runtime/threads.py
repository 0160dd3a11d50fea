"""The number of threads that steps run on, and their pool.

A job passes parallel work to `parallel_for` of its context. The pool behind it is native code, one
per process, which whoever loads jobs provides by `install`. Without one, jobs run on the calling
thread. Results are bit-identical for any number of threads.
"""

import ctypes
import os

__all__ = ["install", "num_threads", "parallel_for", "set_num_threads"]

VARIABLE = "PENSTOCK_NUM_THREADS"
LARGEST = 1024

_Resize = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32)


class _Pool:
    """The pool and the settings of this process."""

    address: int | None = None
    parallel_for: int | None = None
    resize = _Resize()
    chosen: int | None = None


def num_threads() -> int:
    """How many threads a step may run on, including the caller's. If the system gives fewer
    threads, steps use those until it gives more.

    The number is that of `set_num_threads`, or else the environment's PENSTOCK_NUM_THREADS, or else
    one for each CPU that this process may use. Raises ValueError for an invalid environment.
    """
    if _Pool.chosen is not None:
        return _Pool.chosen
    text = os.environ.get(VARIABLE)
    if not text:
        return min(len(os.sched_getaffinity(0)), LARGEST)
    # Plain digits: int() would also take " 4", "+4" and "4_0".
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= LARGEST:
        raise ValueError(
            f"{VARIABLE} is {text!r} in the environment: expected a number of threads from 1 to "
            f"{LARGEST}; unset it for one thread per CPU"
        )
    return number


def set_num_threads(number: int | None) -> None:
    """Set how many threads steps run on from now on; None returns to the environment's number.

    One means no threads but the callers'. Waits for a running step to leave its threads. Raises
    TypeError or ValueError for anything but a number from 1 to 1024.
    """
    if number is not None:
        if type(number) is not int:
            raise TypeError(f"a number of threads must be an int, got {number!r}")
        if not 1 <= number <= LARGEST:
            raise ValueError(f"a number of threads must be from 1 to {LARGEST}, got {number}")
    _Pool.chosen = number
    if _Pool.address is not None:
        _Pool.resize(_Pool.address, num_threads())


def install(pool: int, parallel_for: int, resize: int) -> None:
    """Set the process's pool: its address and those of its functions, which are never unloaded.

    Threads start when a job first has work for them.
    """
    size = num_threads()
    _Pool.address, _Pool.parallel_for, _Pool.resize = pool, parallel_for, _Resize(resize)
    _Pool.resize(pool, size)


def parallel_for() -> tuple[int | None, int | None]:
    """The `parallel_for` and `pool` addresses for a job's context."""
    return _Pool.parallel_for, _Pool.address
