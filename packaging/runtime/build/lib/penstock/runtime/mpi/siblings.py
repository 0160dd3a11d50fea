"""The other ranks of a job on this machine: the processes with the same parent."""

import os
import socket

__all__ = ["first_to_fail", "living"]

_ENDED = "ZX"
"""The states of processes that have ended, in /proc."""

_claimed: list[socket.socket] = []


def living() -> int:
    """How many children this process's parent has that have not ended, with this process."""
    parent, found = os.getppid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            state = _state(name)
            found += state is not None and state[1] == parent and state[0] not in _ENDED
    return found


def first_to_fail() -> bool:
    """Whether no other rank on this machine has asked this before: who reports an error.

    The first one binds an abstract socket, which disappears with its process.
    """
    name = f"\0penstock-{os.getuid()}-{os.getppid()}-failed"
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claim.bind(name)
    except OSError:
        claim.close()
        return False
    _claimed.append(claim)
    return True


def _state(process: str) -> tuple[str, int] | None:
    """The state and the parent of a process; None if it is gone. See proc_pid_stat(5)."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0], int(fields[1])
