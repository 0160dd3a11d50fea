"""What one process sends to the others."""

from typing import Any


def broadcast(value: Any) -> Any:
    """The value of rank 0 on every rank: there is one."""
    return value
